#include "parsers/formats/fxid/fxid.h"

#include "parsers/formats/format_test_support.h"

namespace assay::fxid {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

// A header, and commands that have nothing but their first words.
Buffer effect_of(std::initializer_list<std::uint32_t> opcodes) {
  Buffer image = joined(with_u32(Buffer(4), 0, static_cast<std::uint32_t>(opcodes.size())),
                        hex("01 00 00 00 00 00 00 40 00 00 00 3f 00 01 00 00 05 00 00 00"
                            "00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 40 00 00 00 00 00 00 00 00"
                            "00 00 80 3f 00 00 80 3f 00 00 80 3f"));
  for (const std::uint32_t opcode : opcodes) {
    const std::size_t start = image.size();
    const std::uint32_t type = opcode & 0xFF;
    image.resize(start + (type < kCommandBytes.size() && type != 0 ? kCommandBytes[type] : 4));
    image = with_u32(std::move(image), start, opcode);
  }
  return image;
}

Lines said_of(const Buffer& image, const ParseContext& context = {}) {
  return said_by<Effect>(image, context);
}

TEST(Effect, ReadsTheVectors) {
  EXPECT_EQ(said_of(effect_of({})), Lines{});
  ASSERT_EQ(effect_of({}).size(), 60U);
  const Buffer image = effect_of({5, 0x102, 5});
  EXPECT_EQ(image.size(), 60U + 112 + 148 + 112);
  EXPECT_EQ(said_of(image), Lines{});
  Findings findings;
  const auto effect = Effect::parse(image, {}, findings);
  ASSERT_TRUE(effect);
  EXPECT_EQ(effect->header().command_count, 3U);
  EXPECT_EQ(effect->header().time_mode, 1U);
  EXPECT_EQ(effect->header().duration, 2.0F);
  EXPECT_EQ(effect->header().jitter, 0.5F);
  EXPECT_EQ(effect->header().flags, 0x100U);
  EXPECT_EQ(effect->header().settings_id, 5U);
  EXPECT_EQ(effect->header().random_shift, (std::array{1.0F, 0.0F, 0.0F}));
  EXPECT_EQ(effect->header().pivot, (std::array{2.0F, 0.0F, 0.0F}));
  EXPECT_EQ(effect->header().scale, (std::array{1.0F, 1.0F, 1.0F}));
  const std::vector<DocumentFact> expected{{"commands", "3"}, {"commands_of_type_2", "1"}, {"commands_of_type_5", "2"}};
  EXPECT_EQ(effect->facts(), expected);
}

TEST(Effect, KnowsTheSizeOfEachType) {
  const struct {
    std::uint32_t type;
    std::size_t bytes;
  } rows[] = {{1, 224}, {2, 148}, {3, 200}, {4, 204}, {5, 112}, {7, 208}, {8, 248}, {9, 208}, {10, 208}};
  for (const auto& row : rows) {
    const Buffer image = effect_of({row.type});
    EXPECT_EQ(image.size(), 60 + row.bytes);
    EXPECT_EQ(said_of(image), Lines{}) << row.type;
    EXPECT_EQ(said_of(truncated(image, image.size() - 1)), Lines{"refused input_too_short @64 command[0].body"});
    EXPECT_EQ(said_of(joined(image, hex("00"))),
              Lines{"refused trailing_bytes @" + std::to_string(image.size()) + " file"});
  }
}

TEST(Effect, SaysExactlyWhatIsWrongAndWhere) {
  const Buffer two = effect_of({5, 5});
  const struct {
    const char* name;
    Buffer image;
    const char* said;
  } rows[] = {
      {"empty", {}, "refused input_too_short @0 file"},
      {"59 bytes", truncated(two, 59), "refused input_too_short @0 file"},
      {"all bits", with_u32(two, 0, 0xFFFFFFFF), "refused count_out_of_bounds @0 header.command_count"},
      {"one more than there are words", with_u32(effect_of({6}), 0, 2),
       "refused count_out_of_bounds @0 header.command_count"},
      {"one command more", with_u32(two, 0, 3), "refused input_too_short @284 command[2].opcode"},
      {"one command less", with_u32(two, 0, 1), "refused trailing_bytes @172 file"},
      {"type 0", effect_of({5, 0}), "refused unsupported_variant @172 command[1].opcode"},
      {"type 11", effect_of({5, 11}), "refused unsupported_variant @172 command[1].opcode"},
      {"type 255", effect_of({0x1FF}), "refused unsupported_variant @60 command[0].opcode"},
      {"type 6", effect_of({5, 6}), "note unexpected_value @172 command[1].opcode"},
      {"another bit", effect_of({0x205}), "note unexpected_value @60 command[0].opcode"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(said_of(row.image), Lines{row.said}) << row.name;
  }
}

TEST(Effect, HasCommandsUpToTheLimit) {
  ParseContext context;
  context.limits.entry_count = 2;
  EXPECT_EQ(said_of(effect_of({5, 5}), context), Lines{});
  context.limits.entry_count = 1;
  EXPECT_EQ(said_of(effect_of({5, 5}), context), Lines{"refused limit_exceeded @0 header.command_count"});
}

}  // namespace
}  // namespace assay::fxid
