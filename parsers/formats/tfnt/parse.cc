#include "parsers/formats/tfnt/tfnt.h"

namespace assay::tfnt {
namespace {

bool starts_with(Bytes bytes, std::uint32_t magic) {
  return bytes.size() >= sizeof magic && load_little_endian<std::uint32_t>(bytes) == magic;
}

}  // namespace

Result<Font> Font::parse(Bytes image, const ParseContext& context, Findings& findings) {
  ASSAY_TRY(check_input_size(image, context));
  ByteMap map;
  RecordCursor cursor(image, context.origin, map);
  if (image.size() < kHeaderRecord.size_bytes) {
    return fail(cursor.diagnostic(Code::kInputTooShort, 0, "file", Datum::at_least(kHeaderRecord.size_bytes),
                                  Datum::number(image.size())));
  }
  ASSAY_TRY_ASSIGN(const Header header, cursor.read<kHeaderRecord>("header"));
  if (header.magic != kMagic) {
    return fail(cursor.diagnostic(Code::kInvalidMagic, kHeaderRecord.place(&Header::magic, 0, "header"),
                                  Datum::bytes4(kMagic), Datum::bytes4(header.magic)));
  }
  ASSAY_TRY_ASSIGN(const auto glyphs, cursor.read_array<kGlyphRecord>("glyph", kGlyphCount));
  if (!starts_with(cursor.rest(), kTextureMagic)) {
    findings.strict(cursor.diagnostic(Code::kInvalidMagic, cursor.offset(), "texture", Datum::bytes4(kTextureMagic)));
  }
  ASSAY_TRY_ASSIGN(const Bytes texture, cursor.read_opaque("texture", cursor.remaining()));
  Font font(image, std::move(map));
  font.glyphs_ = glyphs;
  font.texture_ = texture;
  return font;
}

std::vector<DocumentFact> Font::facts() const {
  return {{"texture_bytes", std::to_string(texture_.size())}};
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kHeaderRecord>, kInfoOf<kGlyphRecord>};
constexpr NamePattern kNamePatterns[] = {{.pattern = "*.tft"}};

bool has_magic(Bytes bytes) {
  return starts_with(bytes, kMagic);
}

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Font font, Font::parse(bytes, context, findings));
  return std::make_unique<Font>(std::move(font));
}

constexpr Format kFormat{.id = "tfnt",
                         .title = "font",
                         .documentation = "docs/formats/tfnt.md",
                         .records = kRecords,
                         .has_magic = has_magic,
                         .name_patterns = kNamePatterns,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::tfnt
