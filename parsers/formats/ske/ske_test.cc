#include "parsers/formats/ske/ske.h"

#include "parsers/base/byte_writer.h"
#include "parsers/formats/format_test_support.h"

namespace assay::ske {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

template <const auto& Table>
void append(ByteWriter& writer, const typename std::remove_cvref_t<decltype(Table)>::Value& value) {
  Table.write(value, writer.grow(Table.size_bytes));
}

void append_text(ByteWriter& writer, std::string_view text) {
  writer.write(static_cast<std::uint32_t>(text.size()));
  writer.write_bytes(as_bytes(text));
}

void append_keyframe(ByteWriter& writer, std::uint32_t version) {
  append<kKeyframeRecord>(writer, {version});
  append<kTimeRecord>(writer, {.hour = 6, .minute = 15});
  append<kEventRecord>(writer, {9});
  const std::size_t slots = version == 1 ? 20 : 22;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    writer.write(static_cast<std::uint32_t>(slot + 1));
  }
  for (const char* text : {"a", "", "", "", "", "last"}) {
    append_text(writer, text);
  }
  append<kValuesRecord>(writer, {{1, 2, 3, 4}});
  if (version == 3) {
    writer.write(std::uint32_t{2});
    append_text(writer, "x");
    append_text(writer, "yz");
  }
}

// Where the parts of sky() start.
constexpr std::size_t kSection = 12;
constexpr std::size_t kKeyframe = kSection + 72;
constexpr std::size_t kEvent = kKeyframe + 36;
constexpr std::size_t kTexts = kEvent + 4 + 88;
constexpr std::size_t kExtras = kTexts + 5 + 16 + 8 + 16;
constexpr std::size_t kSecond = kExtras + 4 + 5 + 6;
constexpr std::size_t kSecondBytes = 40 + 80 + 29 + 16;
constexpr std::size_t kTrailer = kSecond + 8 + 64 + kSecondBytes;
constexpr std::size_t kEnd = kTrailer + 40;

// Two sections of one keyframe each, of version 3 and of version 1.
Buffer sky() {
  ByteWriter writer;
  append<kHeaderRecord>(writer, {.section_count = 2});
  for (const std::uint32_t version : {3U, 1U}) {
    append<kSectionRecord>(writer, {.keyframe_count = 1});
    append<kTimeRecord>(writer, {.hour = 23, .minute = 59});
    append<kTimeRecord>(writer, {.hour = 20});
    append_keyframe(writer, version);
  }
  append<kTimeRecord>(writer, {.hour = 12});
  append<kTrailerRecord>(writer, {});
  return std::move(writer).take();
}

Lines said_of(const Buffer& image, const ParseContext& context = {}) {
  return said_by<Sky>(image, context);
}

TEST(Ske, ReadsEveryPart) {
  const Buffer image = sky();
  ASSERT_EQ(image.size(), kEnd);
  EXPECT_EQ(said_of(image), Lines{});
  Findings findings;
  const auto parsed = Sky::parse(image, {}, findings);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->clock_start().hour, 12U);
  ASSERT_EQ(parsed->sections().size(), 2U);
  const Section& section = parsed->sections()[0];
  EXPECT_EQ(section.unused_end.minute, 59U);
  EXPECT_EQ(section.day_length.hour, 20U);
  ASSERT_EQ(section.keyframes.size(), 1U);
  const Keyframe& keyframe = section.keyframes[0];
  EXPECT_EQ(keyframe.time.minute, 15U);
  EXPECT_EQ(keyframe.event, 9U);
  EXPECT_EQ(keyframe.slots[21], 22U);
  EXPECT_EQ(text_of(keyframe.texts[0]), "a");
  EXPECT_EQ(text_of(keyframe.texts[5]), "last");
  EXPECT_EQ(keyframe.values[3], 4);
  ASSERT_EQ(keyframe.extra_texts.size(), 2U);
  EXPECT_EQ(text_of(keyframe.extra_texts[1]), "yz");
}

TEST(Ske, ReadsWhatTheFirstVersionHas) {
  const Buffer image = sky();
  Findings findings;
  const auto parsed = Sky::parse(image, {}, findings);
  ASSERT_TRUE(parsed);
  const Keyframe& keyframe = parsed->sections()[1].keyframes[0];
  EXPECT_EQ(keyframe.version, 1U);
  EXPECT_EQ(keyframe.slots[19], 20U);
  EXPECT_EQ(keyframe.slots[20], 0U);
  EXPECT_EQ(text_of(keyframe.texts[5]), "last");
  EXPECT_TRUE(keyframe.extra_texts.empty());
}

// The second version has all slots and no extra texts.
TEST(Ske, ReadsWhatTheSecondVersionHas) {
  ByteWriter writer;
  append<kHeaderRecord>(writer, {.section_count = 1});
  append<kSectionRecord>(writer, {.keyframe_count = 1});
  append<kTimeRecord>(writer, {});
  append<kTimeRecord>(writer, {});
  append_keyframe(writer, 2);
  append<kTimeRecord>(writer, {});
  append<kTrailerRecord>(writer, {});
  const Buffer image = std::move(writer).take();
  EXPECT_EQ(said_of(image), Lines{});
}

struct Row {
  const char* name;
  Buffer image;
  const char* said;
};

TEST(Ske, SaysExactlyWhatIsWrongAndWhere) {
  const Buffer image = sky();
  const Row rows[] = {
      {"empty", {}, "refused input_too_short @0 file"},
      {"eleven bytes", truncated(image, 11), "refused input_too_short @0 file"},
      {"marker", with_u32(image, 0, 0xFFFFFFFE), "refused invalid_magic @0 header.marker"},
      {"version", with_u32(image, 4, 4), "refused unsupported_version @4 header.version"},
      {"17 sections", with_u32(image, 8, 17), "refused limit_exceeded @8 header.section_count"},
      {"16 sections", with_u32(image, 8, 16), "refused count_out_of_bounds @8 header.section_count"},
      {"sections past the end", with_u32(image, 8, 10), "refused count_out_of_bounds @8 header.section_count"},
      {"version of a section", with_u32(image, kSection, 2), "refused unsupported_version @12 section[0].version"},
      {"keyframes past the end", with_u32(image, kSection + 4, 4),
       "refused count_out_of_bounds @16 section[0].keyframe_count"},
      {"absurd keyframes", with_u32(image, kSection + 4, 0xFFFFFFFF),
       "refused count_out_of_bounds @16 section[0].keyframe_count"},
      {"keyframe version 0", with_u32(image, kKeyframe, 0),
       "refused unsupported_version @84 section[0].keyframe[0].version"},
      {"keyframe version 4", with_u32(image, kKeyframe, 4),
       "refused unsupported_version @84 section[0].keyframe[0].version"},
      {"event", with_u32(image, kEvent, 10), "strict unexpected_value @120 section[0].keyframe[0].event"},
      {"text over the limit", with_u32(image, kTexts, 4097),
       "refused limit_exceeded @212 section[0].keyframe[0].string[0].text"},
      {"text past the end", with_u32(image, kTexts, 4096),
       "refused input_too_short @212 section[0].keyframe[0].string[0].text"},
      {"65 extra texts", with_u32(image, kExtras, 65),
       "refused limit_exceeded @257 section[0].keyframe[0].extra_count"},
      {"extra text past the end", with_u32(image, kExtras + 4, 4096),
       "refused input_too_short @261 section[0].keyframe[0].extra[0].text"},
      {"cut trailer", truncated(image, kEnd - 1), "refused input_too_short @545 trailer.opaque04"},
      {"cut clock", truncated(image, kTrailer + 14), "refused input_too_short @521 trailer.clock_start.hour"},
      {"a byte more", joined(image, Buffer{0}), "refused trailing_bytes @549 file"},
      {"a keyframe less", with_u32(image, kSecond + 4, 0), "refused trailing_bytes @384 file"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(said_of(row.image), Lines{row.said}) << row.name;
  }
}

// The extra count can only pass what is left where nearly nothing is.
TEST(Ske, RefusesExtraTextsThatCannotFit) {
  const Buffer image = truncated(with_u32(sky(), kExtras, 64), kExtras + 4 + 255);
  EXPECT_EQ(said_of(image), Lines{"refused count_out_of_bounds @257 section[0].keyframe[0].extra_count"});
}

TEST(Ske, WantsOneOrTwoSections) {
  ByteWriter writer;
  append<kHeaderRecord>(writer, {.section_count = 0});
  writer.write_zeros(40);
  EXPECT_EQ(said_of(std::move(writer).take()), Lines{"strict count_out_of_range @8 header.section_count"});
}

TEST(Ske, RefusesEveryPrefix) {
  const Buffer image = sky();
  for (std::size_t size = 0; size < image.size(); ++size) {
    Findings findings;
    const Buffer prefix = truncated(image, size);
    const auto parsed = Sky::parse(prefix, {}, findings);
    ASSERT_FALSE(parsed) << size;
    expect_sound_diagnostic(parsed.error(), size, std::to_string(size));
  }
}

TEST(Ske, RefusesInputsOverTheLimit) {
  ParseContext context;
  context.limits.input_bytes = kEnd - 1;
  EXPECT_EQ(said_of(sky(), context), Lines{"refused limit_exceeded @0 file"});
}

}  // namespace
}  // namespace assay::ske
