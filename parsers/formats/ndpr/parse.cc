#include <cmath>

#include "parsers/formats/count_check.h"
#include "parsers/formats/ndpr/ndpr.h"

namespace assay::ndpr {

// Runs the checks in the order of docs/formats/ndpr.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_) {}

  Result<NodeDamages> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (image_.size() < kHeaderRecord.size_bytes) {
      return fail(cursor_.diagnostic(Code::kInputTooShort, 0, "file", Datum::at_least(kHeaderRecord.size_bytes),
                                     Datum::number(image_.size())));
    }
    ASSAY_TRY_ASSIGN(const Header header, cursor_.read<kHeaderRecord>("header"));
    ASSAY_TRY_ASSIGN(const std::uint64_t count, checked_count(header));
    ASSAY_TRY_ASSIGN(records_, cursor_.read_array<kNodeDamageRecord>("record", count));
    ASSAY_TRY(cursor_.expect_end());
    for (std::size_t index = 0; index < records_.size(); ++index) {
      note_numbers(index);
    }
    NodeDamages table(image_, std::move(map_));
    table.records_ = records_;
    return table;
  }

 private:
  Result<std::uint64_t> checked_count(const Header& header) const {
    const FieldPlace place = kHeaderRecord.place(&Header::count, 0, "header");
    if (header.count < 0) {
      return fail(
          cursor_.diagnostic(Code::kCountOutOfRange, place, Datum::at_least(0), Datum::signed_number(header.count)));
    }
    const auto count = static_cast<std::uint64_t>(header.count);
    ASSAY_TRY(check_count(cursor_, place, count, kNodeDamageRecord.size_bytes, context_.limits));
    return count;
  }

  void note_numbers(std::size_t index) {
    const NodeDamage damage = records_[index];
    for (const auto member : {&NodeDamage::hit_points, &NodeDamage::density}) {
      if (!std::isfinite(damage.*member)) {
        findings_.note(cursor_.diagnostic(
            Code::kNonFinite, kNodeDamageRecord.place(member, records_.offset_of(index), FieldPath("record", index))));
      }
    }
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
  Records<kNodeDamageRecord> records_;
};

Result<NodeDamages> NodeDamages::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<DocumentFact> NodeDamages::facts() const {
  std::size_t linked = 0;
  for (std::size_t index = 0; index < records_.size(); ++index) {
    linked += records_[index].resource_name.text().empty() ? 0U : 1U;
  }
  return {{"records", std::to_string(records_.size())}, {"with_explosion", std::to_string(linked)}};
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kHeaderRecord>, kInfoOf<kNodeDamageRecord>};
constexpr std::uint32_t kTypeTags[] = {0x5250444E};  // NDPR
constexpr NamePattern kNamePatterns[] = {{.pattern = "*.ndp"}};

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(NodeDamages table, NodeDamages::parse(bytes, context, findings));
  return std::make_unique<NodeDamages>(std::move(table));
}

constexpr Format kFormat{.id = "ndpr",
                         .title = "damage of a model's nodes",
                         .documentation = "docs/formats/ndpr.md",
                         .records = kRecords,
                         .type_tags = kTypeTags,
                         .name_patterns = kNamePatterns,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::ndpr
