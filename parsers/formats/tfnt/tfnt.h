#pragma once

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// Fonts: glyphs and the texture that they lie on (docs/formats/tfnt.md).
namespace assay::tfnt {

inline constexpr std::uint32_t kMagic = 0x746E6654;         // Tfnt
inline constexpr std::uint32_t kTextureMagic = 0x6D786554;  // Texm
inline constexpr std::size_t kGlyphCount = 256;

struct Header {
  std::uint32_t magic = kMagic;
  std::array<std::uint8_t, 16> opaque04{};
};

struct Glyph {
  std::array<std::uint8_t, 16> opaque00{};
};

inline constexpr auto kHeaderRecord =
    record<Header>("header", 20,
                   field(0x00, "magic", &Header::magic, FieldStatus::kConsumerInferred)
                       .shown_as(Display::kTag)
                       .derived("it marks the format"),
                   field(0x04, "opaque04", &Header::opaque04, FieldStatus::kOpaque));

inline constexpr auto kGlyphRecord = record<Glyph>(
    "glyph", 16, field(0x00, "opaque00", &Glyph::opaque00, FieldStatus::kOpaque).noted("one record for each byte"));

// Where the texture starts.
inline constexpr std::size_t kTextureOffset = kHeaderRecord.size_bytes + kGlyphCount * kGlyphRecord.size_bytes;

// A parsed font. Views refer to the bytes it was parsed from.
class Font final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/tfnt.md in their order. Cost: O(1).
  [[nodiscard]] static Result<Font> parse(Bytes image, const ParseContext& context, Findings& findings);

  // kGlyphCount of them.
  [[nodiscard]] const Records<kGlyphRecord>& glyphs() const { return glyphs_; }
  // A whole Texm as it should be.
  [[nodiscard]] Bytes texture() const { return texture_; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  Font(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}

  Records<kGlyphRecord> glyphs_;
  Bytes texture_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::tfnt
