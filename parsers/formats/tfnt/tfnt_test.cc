#include "parsers/formats/tfnt/tfnt.h"

#include "parsers/formats/format_test_support.h"

namespace assay::tfnt {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

// A font whose texture is nothing but its magic and four bytes.
Buffer font() {
  return joined(with_text(Buffer(kTextureOffset), 0, "Tfnt"), text_bytes("Texm1234"));
}

Lines said_of(const Buffer& image) {
  return said_by<Font>(image);
}

TEST(Font, ReadsGlyphsAndTexture) {
  EXPECT_EQ(kTextureOffset, 4116U);
  const Buffer image = with_byte(font(), 20 + 16 * 65, 7);
  EXPECT_EQ(said_of(image), Lines{});
  Findings findings;
  const auto parsed = Font::parse(image, {}, findings);
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->glyphs().size(), 256U);
  EXPECT_EQ(parsed->glyphs()[65].opaque00[0], 7);
  EXPECT_EQ(text_of(parsed->texture()), "Texm1234");
  EXPECT_EQ(parsed->facts(), (std::vector<DocumentFact>{{"texture_bytes", "8"}}));
}

TEST(Font, SaysExactlyWhatIsWrongAndWhere) {
  const struct {
    const char* name;
    Buffer image;
    const char* said;
  } rows[] = {
      {"empty", {}, "refused input_too_short @0 file"},
      {"19 bytes", truncated(font(), 19), "refused input_too_short @0 file"},
      {"magic", with_byte(font(), 0, 't'), "refused invalid_magic @0 header.magic"},
      {"no glyph", truncated(font(), 20), "refused input_too_short @20 glyph[0].opaque00"},
      {"the last glyph is cut", truncated(font(), 4115), "refused input_too_short @4100 glyph[255].opaque00"},
      {"no texture", truncated(font(), 4116), "strict invalid_magic @4116 texture"},
      {"three bytes of texture", truncated(font(), 4119), "strict invalid_magic @4116 texture"},
      {"another texture", with_byte(font(), 4116, 't'), "strict invalid_magic @4116 texture"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(said_of(row.image), Lines{row.said}) << row.name;
  }
}

}  // namespace
}  // namespace assay::tfnt
