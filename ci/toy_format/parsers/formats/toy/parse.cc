#include "parsers/formats/toy/toy.h"

namespace assay::toy {

Result<Toy> Toy::parse(Bytes image, const ParseContext& context, Findings& /*findings*/) {
  ASSAY_TRY(check_input_size(image, context));
  ByteMap map;
  RecordCursor cursor(image, context.origin, map);
  ASSAY_TRY_ASSIGN(const Header header, cursor.read<kHeaderRecord>("header"));
  if (header.magic != kMagic) {
    return fail(cursor.diagnostic(Code::kInvalidMagic, kHeaderRecord.place(&Header::magic, 0, "header")));
  }
  if (header.pair_count > cursor.remaining() / kPairRecord.size_bytes) {
    return fail(cursor.diagnostic(Code::kCountOutOfBounds, kHeaderRecord.place(&Header::pair_count, 0, "header")));
  }
  ASSAY_TRY_ASSIGN(const auto pairs, cursor.read_array<kPairRecord>("pair", header.pair_count));
  ASSAY_TRY(cursor.expect_end());
  return Toy(image, std::move(map), pairs);
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kHeaderRecord>, kInfoOf<kPairRecord>};

bool has_magic(Bytes bytes) {
  return bytes.size() >= kHeaderRecord.size_bytes && kHeaderRecord.read(bytes).magic == kMagic;
}

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Toy toy, Toy::parse(bytes, context, findings));
  return std::make_unique<Toy>(std::move(toy));
}

constexpr Format kFormat{.id = "toy",
                         .title = "toy",
                         .documentation = "docs/formats/toy.md",
                         .records = kRecords,
                         .has_magic = has_magic,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::toy
