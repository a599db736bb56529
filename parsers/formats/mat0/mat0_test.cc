#include "parsers/formats/mat0/mat0.h"

#include "parsers/formats/format_test_support.h"

namespace assay::mat0 {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

ParseContext of_version(std::uint32_t version, std::uint32_t flags = 0) {
  ParseContext context;
  context.hints.attributes = {flags, version, 0};
  return context;
}

// The vectors of docs/formats/mat0.md: one phase with a texture that stands still, version 6.
Buffer still() {
  return hex(
      "01 00 01 00 ff ff 00 00 80 3f 00 00 00 00 ff ff ff 64 ff ff ff 64 00 00 00 64 00 00 00 64 00 ff "
      "42 5f 50 47 33 2e 30 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00");
}

// No phases, one block of one key, version 0.
Buffer block_alone() {
  return hex("00 00 01 00 dd cc bb aa 01 00 07 00 08 00 09 00");
}

// Where the parts of still() start.
constexpr std::size_t kPhase = 14;
constexpr std::size_t kName = kPhase + 18;
constexpr std::size_t kBlock = 48;

Result<Mat0> parsed(const Buffer& image, const ParseContext& context) {
  Findings findings;
  return Mat0::parse(image, context, findings);
}

Lines said_of(const Buffer& image, const ParseContext& context) {
  return said_by<Mat0>(image, context);
}

TEST(Mat0, ReadsOneTexturedPhase) {
  const Buffer image = still();
  ASSERT_EQ(image.size(), 60U);
  EXPECT_EQ(said_of(image, of_version(6)), Lines{});
  const auto material = parsed(image, of_version(6, 8));
  ASSERT_TRUE(material);
  ASSERT_EQ(material->phases().size(), 1U);
  EXPECT_EQ(text_of(material->texture_name(0)), "B_PG3.0");
  EXPECT_EQ(material->phases()[0].cell, -1);
  EXPECT_EQ(material->phases()[0].ambient_alpha, 100);
  EXPECT_EQ(material->metadata().a, 0xFF);
  EXPECT_EQ(material->metadata().c, 1.0F);
  ASSERT_EQ(material->animations().size(), 1U);
  EXPECT_EQ(material->animations()[0].block.header, 0U);
  EXPECT_EQ(material->animations()[0].interpolation_mask(), 0);
  ASSERT_EQ(material->animations()[0].keys.size(), 1U);
  EXPECT_EQ(material->animations()[0].keys[0].time, 0);
}

TEST(Mat0, ReadsABlockWithoutPhases) {
  const Buffer image = block_alone();
  const auto material = parsed(image, of_version(0));
  ASSERT_TRUE(material);
  const Animation& animation = material->animations()[0];
  EXPECT_EQ(animation.block.header, 0xAABBCCDDU);
  EXPECT_EQ(animation.interpolation_mask(), static_cast<std::int32_t>(0xAABBCCDDU) >> 3);
  EXPECT_LT(animation.interpolation_mask(), 0) << "the shift keeps the sign";
  EXPECT_EQ(animation.keys[0].phase, 7);
  EXPECT_EQ(animation.keys[0].time, 8);
  EXPECT_EQ(animation.keys[0].reserved, 9);
  EXPECT_EQ(said_of(image, of_version(0)), (Lines{"note unexpected_value @4 animation[0].header",
                                                  "strict index_out_of_range @10 animation[0].key[0].phase",
                                                  "note unexpected_value @14 animation[0].key[0].reserved"}));
}

TEST(Mat0, SplitsTheFirstWordOfABlock) {
  const Buffer image = with_u32(still(), kBlock, 9);
  const auto material = parsed(image, of_version(6));
  ASSERT_TRUE(material);
  EXPECT_EQ(material->animations()[0].interpolation_mask(), 1);
  EXPECT_EQ(said_of(image, of_version(6)), Lines{});
}

TEST(Mat0, TakesTheSizeOfItsMetadataFromTheVersion) {
  const Buffer nothing = hex("00 00 00 00");
  for (const std::uint32_t version : {0U, 1U}) {
    EXPECT_EQ(said_of(nothing, of_version(version)), Lines{}) << version;
  }
  const Buffer rest = hex("05 06 00 00 00 40 00 00 80 40");
  const struct {
    std::uint32_t version;
    std::size_t bytes;
    Metadata expected;
  } rows[] = {{2, 2, {5, 6, 1.0F, 0.0F}},
              {3, 6, {5, 6, 2.0F, 0.0F}},
              {4, 10, {5, 6, 2.0F, 4.0F}},
              {6, 10, {5, 6, 2.0F, 4.0F}},
              {0xFFFFFFFF, 10, {5, 6, 2.0F, 4.0F}}};
  for (const auto& row : rows) {
    const Buffer image = joined(nothing, Bytes(rest).first(row.bytes));
    EXPECT_EQ(said_of(image, of_version(row.version)), Lines{}) << row.version;
    const auto material = parsed(image, of_version(row.version));
    ASSERT_TRUE(material) << row.version;
    EXPECT_EQ(material->metadata().a, row.expected.a) << row.version;
    EXPECT_EQ(material->metadata().b, row.expected.b) << row.version;
    EXPECT_EQ(material->metadata().c, row.expected.c) << row.version;
    EXPECT_EQ(material->metadata().d, row.expected.d) << row.version;
  }
}

TEST(Mat0, SaysExactlyWhatIsWrongAndWhere) {
  const Buffer still_image = still();
  const struct {
    const char* name;
    Buffer image;
    std::uint32_t version;
    const char* said;
  } rows[] = {
      {"empty", {}, 6, "refused input_too_short @0 file"},
      {"three bytes", hex("00 00 00"), 0, "refused input_too_short @0 file"},
      {"twenty blocks", hex("00 00 14 00"), 0, "refused count_out_of_range @2 header.animation_block_count"},
      {"nineteen blocks", hex("00 00 13 00"), 0, "refused input_too_short @4 animation[0].header"},
      {"no metadata", hex("00 00 00 00"), 6, "refused input_too_short @4 metadata.a"},
      {"half of the metadata", truncated(still_image, 9), 6, "refused input_too_short @6 metadata.c"},
      {"no last metadata", truncated(still_image, 12), 6, "refused input_too_short @10 metadata.d"},
      {"short of a phase", truncated(still_image, kBlock - 1), 6, "refused count_out_of_bounds @0 header.phase_count"},
      {"another phase", with_u16(still_image, 0, 2), 6, "refused count_out_of_bounds @0 header.phase_count"},
      {"most phases", with_u16(still_image, 0, 0xFFFF), 6, "refused count_out_of_bounds @0 header.phase_count"},
      {"no block", truncated(still_image, kBlock), 6, "refused input_too_short @48 animation[0].header"},
      {"half of a block", truncated(still_image, kBlock + 5), 6, "refused input_too_short @52 animation[0].key_count"},
      {"another block", with_u16(still_image, 2, 2), 6, "refused input_too_short @60 animation[1].header"},
      {"another key", with_u16(still_image, kBlock + 4, 2), 6,
       "refused count_out_of_bounds @52 animation[0].key_count"},
      {"short of a key", truncated(still_image, 59), 6, "refused count_out_of_bounds @52 animation[0].key_count"},
      {"a byte too many", hex("00 00 00 00 01"), 0, "refused trailing_bytes @4 file"},
      {"fewer blocks", with_u16(still_image, 2, 0), 6, "refused trailing_bytes @48 file"},
      {"of another version", still_image, 3, "refused trailing_bytes @50 file"},
      {"mode 4", with_u32(still_image, kBlock, 4), 6, "note unexpected_value @48 animation[0].header"},
      {"phase 1 of 1", with_u16(still_image, 54, 1), 6, "strict index_out_of_range @54 animation[0].key[0].phase"},
      {"reserved", with_u16(still_image, 58, 1), 6, "note unexpected_value @58 animation[0].key[0].reserved"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(said_of(row.image, of_version(row.version)), Lines{row.said}) << row.name;
  }
}

TEST(Mat0, NamesTheFirstBadKeyOfEachBlockOnly) {
  const Buffer image =
      hex("00 00 02 00 00 00 00 00 02 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 00 01 00 02 00 00 00 00 00");
  EXPECT_EQ(said_of(image, of_version(0)), (Lines{"strict index_out_of_range @10 animation[0].key[0].phase",
                                                  "strict index_out_of_range @28 animation[1].key[0].phase"}));
}

TEST(Mat0, SaysThatItAssumesAVersion) {
  EXPECT_EQ(said_of(still(), {}), Lines{"note missing_attributes @0 file"});
  const Buffer image = still();
  const auto material = parsed(image, {});
  ASSERT_TRUE(material);
  EXPECT_EQ(material->version(), 6U);
  EXPECT_FALSE(material->flags());
}

TEST(Mat0, TrimsWhatATextureIsLookedUpBy) {
  using std::string_view_literals::operator""sv;
  const struct {
    std::string_view stored;
    const char* looked_up;
  } rows[] = {{"B_PG3.0 \t\0tail12"sv, "B_PG3.0"},
              {" SIXTEEN_BYTES.0"sv, "SIXTEEN_BYTES.0"},
              {"\0hidden_________"sv, ""},
              {"    \0___________"sv, ""}};
  for (const auto& row : rows) {
    const Buffer image = with_text(still(), kName, row.stored);
    const auto material = parsed(image, of_version(6));
    ASSERT_TRUE(material) << row.looked_up;
    EXPECT_EQ(text_of(material->texture_name(0)), row.looked_up);
    EXPECT_EQ(said_of(image, of_version(6)), Lines{}) << row.looked_up;
  }
}

TEST(MaterialFlags, SelectABlend) {
  const struct {
    std::uint32_t flags;
    std::uint8_t mode;
    const char* source;
    const char* destination;
    bool alpha_test;
  } rows[] = {{0, 0, "ONE", "ZERO", false},
              {2, 0, "ONE", "ZERO", false},
              {4, 4, "SRCALPHA", "INVSRCALPHA", true},
              {5, 4, "SRCALPHA", "INVSRCALPHA", true},
              {8, 2, "SRCALPHA", "ONE", true},
              {12, 3, "ZERO", "SRCCOLOR", true},
              {16, 5, "DESTCOLOR", "SRCCOLOR", true},
              {0xFFFFFFC0, 0, "ONE", "ZERO", false}};
  for (const auto& row : rows) {
    const auto blend = MaterialFlags{row.flags}.blend();
    ASSERT_TRUE(blend) << row.flags;
    EXPECT_EQ(blend->mode, row.mode) << row.flags;
    EXPECT_EQ(blend->source, row.source) << row.flags;
    EXPECT_EQ(blend->destination, row.destination) << row.flags;
    EXPECT_EQ(blend->alpha_test, row.alpha_test) << row.flags;
  }
  EXPECT_FALSE(MaterialFlags{20}.blend()) << "the table has five rows";
  EXPECT_TRUE(MaterialFlags{2}.is_lit());
  EXPECT_FALSE(MaterialFlags{5}.is_lit());
  EXPECT_TRUE(MaterialFlags{5}.has_texture_flag());
}

TEST(Mat0, CountsWhatItHolds) {
  const Buffer image = still();
  EXPECT_EQ(parsed(image, of_version(6, 10))->facts(), (std::vector<DocumentFact>{{"version", "6"},
                                                                                  {"phases", "1"},
                                                                                  {"textured_phases", "1"},
                                                                                  {"animations", "1"},
                                                                                  {"flags", "10"},
                                                                                  {"blend", "SRCALPHA/ONE"},
                                                                                  {"lit", "yes"}}));
}

}  // namespace
}  // namespace assay::mat0
