#include "parsers/formats/wear/wear.h"

#include "parsers/formats/format_test_support.h"

namespace assay::wear {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

using Lines = std::vector<std::string>;

Lines said_of(std::string_view text, const ParseContext& context = {}) {
  // Memory of its own size, so that a sanitizer sees a read beyond it.
  const Buffer image = text_bytes(text);
  Findings findings;
  const auto wear = Wear::parse(image, context, findings);
  if (!wear) {
    return {described(wear.error(), "refused")};
  }
  expect_lossless(*wear, image, std::string(text));
  return described(findings);
}

// Each row as `ID NAME`.
Lines texts_of(std::span<const Row> rows) {
  Lines texts;
  for (const Row& row : rows) {
    texts.push_back(text_of(row.legacy_id) + ' ' + text_of(row.name));
  }
  return texts;
}

TEST(Wear, GoesByThePositionOfARowAndKeepsItsId) {
  Findings findings;
  const Buffer image = text_bytes("2\r\n100 MAT_A\r\n5 MAT_B\r\n");
  const auto wear = Wear::parse(image, {}, findings);
  ASSERT_TRUE(wear);
  EXPECT_EQ(texts_of(wear->materials()), (Lines{"100 MAT_A", "5 MAT_B"}));
  EXPECT_TRUE(wear->lightmaps().empty());
  EXPECT_EQ(described(findings), Lines{"strict unexpected_value @3 material[0].legacy_id"}) << "once a table";
}

TEST(Wear, ReadsTheLightmapsBehindABlankLine) {
  Findings findings;
  const Buffer image = text_bytes("1\n0 MAT\n\nLIGHTMAPS\n1\n0 LM_A\n");
  const auto wear = Wear::parse(image, {}, findings);
  ASSERT_TRUE(wear);
  EXPECT_EQ(texts_of(wear->materials()), Lines{"0 MAT"});
  EXPECT_EQ(texts_of(wear->lightmaps()), Lines{"0 LM_A"});
  EXPECT_EQ(wear->facts(), (std::vector<DocumentFact>{{"materials", "1"}, {"lightmaps", "1"}}));
}

TEST(Wear, TakesEveryShapeOfBlanks) {
  for (const char* text : {"1\n0 M", "1\r\n0 M\r\n\r\n \t\r\n", " 1 \n\t0  \t M \n", "1\n0 M\n\nLIGHTMAPS\n0",
                           "1\r\n0 M\r\n  \r\nLIGHTMAPS\r\n 1\r\n0 L\r\n\r\n\r\n", "1\n0 \xCC\xE0\xF2\n"}) {
    EXPECT_EQ(said_of(text), Lines{}) << text;
  }
}

TEST(Wear, SaysExactlyWhatIsWrongAndWhere) {
  const struct {
    const char* text;
    const char* said;
  } rows[] = {
      {"", "refused input_too_short @0 file"},
      {"\n", "refused not_a_number @0 header.material_count"},
      {"x\n", "refused not_a_number @0 header.material_count"},
      {"  1x\n", "refused not_a_number @2 header.material_count"},
      {"-1\n", "refused not_a_number @0 header.material_count"},
      {"1 2\n0 A\n", "refused not_a_number @0 header.material_count"},
      {"0\n", "refused count_out_of_range @0 header.material_count"},
      {"1000001\n", "refused limit_exceeded @0 header.material_count"},
      {"99999999999999999999999\n", "refused limit_exceeded @0 header.material_count"},
      {"2\n0 A\n", "refused missing_row @6 material[1]"},
      {"1", "refused missing_row @1 material[0]"},
      {"1\nA\n", "refused malformed_row @2 material[0]"},
      {"2\n0 A\n\n1 B\n", "refused malformed_row @6 material[1]"},
      {"1\n0 MAT\nLIGHTMAPS\n1\n0 LM\n", "refused missing_separator @8 lightmaps.marker"},
      {"1\n0 M\nX\n", "refused missing_separator @6 lightmaps.marker"},
      {"1\n0 M\n\nLIGHT\n", "refused missing_marker @7 lightmaps.marker"},
      {"1\n0 M\n\nlightmaps\n0\n", "refused missing_marker @7 lightmaps.marker"},
      {"1\n0 M\n\nLIGHTMAPS \n0\n", "refused missing_marker @7 lightmaps.marker"},
      {"1\n0 M\n\n\nLIGHTMAPS\n0\n", "refused missing_marker @7 lightmaps.marker"},
      {"1\n0 M\n\nLIGHTMAPS", "refused not_a_number @16 lightmaps.count"},
      {"1\n0 M\n\nLIGHTMAPS\nx\n", "refused not_a_number @17 lightmaps.count"},
      {"1\n0 M\n\nLIGHTMAPS\n1000001\n", "refused limit_exceeded @17 lightmaps.count"},
      {"1\n0 M\n\nLIGHTMAPS\n2\n0 A\n", "refused missing_row @23 lightmap[1]"},
      {"1\n0 M\n\nLIGHTMAPS\n1\nA\n", "refused malformed_row @19 lightmap[0]"},
      {"1\n0 M\n\nLIGHTMAPS\n1\n0 A\nX\n", "refused trailing_bytes @23 file"},
      {"1\n0 M\n\nLIGHTMAPS\n0\n\n  X\n", "refused trailing_bytes @22 file"},
      {"1\n0 M  a b \n", "strict ignored_text @7 material[0].ignored"},
      {"2\n0 A\n2 B\n", "strict unexpected_value @6 material[1].legacy_id"},
      {"1\n- A\n", "strict unexpected_value @2 material[0].legacy_id"},
      {"1\n0 M\n\nLIGHTMAPS\n1\n1 A\n", "strict unexpected_value @19 lightmap[0].legacy_id"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(said_of(row.text), Lines{row.said}) << row.text;
  }
}

TEST(Wear, BoundsItsRowsByTheLimit) {
  ParseContext context;
  context.limits.entry_count = 1;
  EXPECT_EQ(said_of("1\n0 A\n", context), Lines{});
  EXPECT_EQ(said_of("2\n0 A\n1 B\n", context), Lines{"refused limit_exceeded @0 header.material_count"});
  context.limits.input_bytes = 5;
  EXPECT_EQ(said_of("1\n0 A\n", context), Lines{"refused limit_exceeded @0 file"});
}

TEST(Wear, NamesEveryWord) {
  Findings findings;
  const Buffer image = text_bytes("1\n0 MAT x\n\nLIGHTMAPS\n1\n0 LM\n");
  const auto wear = Wear::parse(image, {}, findings);
  ASSERT_TRUE(wear);
  const ByteMap map = wear->account();
  for (const auto& [path, offset] :
       {std::pair("header.material_count", 0), std::pair("material[0].legacy_id", 2), std::pair("material[0].name", 4),
        std::pair("lightmaps.marker", 11), std::pair("lightmaps.count", 21), std::pair("lightmap[0].name", 25)}) {
    const auto field = map.find(path);
    ASSERT_TRUE(field) << path;
    EXPECT_EQ(field->offset, static_cast<std::uint64_t>(offset)) << path;
  }
  EXPECT_EQ(map.shares().opaque, 1U) << "the text behind the name";
}

}  // namespace
}  // namespace assay::wear
