#include "parsers/base/record.h"

#include <gtest/gtest.h>

#include "parsers/base/field_text.h"

namespace assay {
namespace {

struct Sample {
  std::uint32_t tag = 0;
  std::int16_t level = 0;
  std::uint16_t mask = 0;
  FixedString<6> name;
  std::array<std::uint8_t, 2> service{};
  std::array<float, 2> at{};
};

constexpr auto kSample = record<Sample>(
    "sample", 24, field(0x00, "tag", &Sample::tag, FieldStatus::kLayoutConfirmed).shown_as(Display::kTag),
    field(0x04, "level", &Sample::level, FieldStatus::kConsumerInferred),
    field(0x06, "mask", &Sample::mask, FieldStatus::kLayoutConfirmed).shown_as(Display::kHex).derived("for the test"),
    field(0x08, "name", &Sample::name, FieldStatus::kLayoutConfirmed),
    field(0x0E, "service", &Sample::service, FieldStatus::kOpaque),
    field(0x10, "at", &Sample::at, FieldStatus::kLayoutConfirmed));

Buffer sample_bytes() {
  return {'M', 'E', 'S',  'H',  0xFE, 0xFF, 0xE0, 0x01, 'a', 'b', 0, 'x',
          0,   0,   0xDE, 0xAD, 0,    0,    0x80, 0x3F, 0,   0,   0, 0xC0};
}

TEST(Record, ReadsEveryFieldAtItsOffset) {
  const Sample sample = kSample.read(sample_bytes());
  EXPECT_EQ(sample.tag, 0x4853454DU);
  EXPECT_EQ(sample.level, -2);
  EXPECT_EQ(sample.mask, 0x1E0);
  EXPECT_EQ(as_text(sample.name.text()), "ab");
  EXPECT_EQ(sample.at[1], -2.0F);
}

TEST(Record, WritesBackWhatItReadWhateverTheBytes) {
  Buffer bytes = sample_bytes();
  for (std::size_t index = 0; index < bytes.size(); ++index) {
    // NaN payloads and name tails must survive too.
    bytes[index] = static_cast<std::uint8_t>(bytes[index] ^ 0xFF);
    Buffer written(bytes.size());
    kSample.write(kSample.read(bytes), written);
    EXPECT_EQ(written, bytes) << index;
  }
}

TEST(Record, KnowsOffsetAndNameOfAMember) {
  EXPECT_EQ(kSample.info_of(&Sample::service).offset, 0x0EU);
  const FieldPlace place = kSample.place(&Sample::mask, 64, FieldPath("sample", 1));
  EXPECT_EQ(place.offset, 70U);
  EXPECT_EQ(place.path.to_text(), "sample[1].mask");
}

TEST(FieldText, ShowsWhatItTakes) {
  const Buffer bytes = sample_bytes();
  const char* const expected[] = {"MESH", "-2", "0x1e0", "ab\\x00x", "dead", "1,-2"};
  for (std::size_t index = 0; index < kSample.infos.size(); ++index) {
    const FieldInfo& info = kSample.infos[index];
    const Bytes raw = Bytes(bytes).subspan(info.offset, info.size_bytes);
    const std::string text = field_text(info, raw);
    EXPECT_EQ(text, expected[index]);
    if (info.type != FieldType::kText) {
      Buffer parsed(info.size_bytes);
      ASSERT_TRUE(parse_field_text(info, text, parsed)) << info.name;
      EXPECT_TRUE(equal_bytes(parsed, raw)) << info.name;
    }
  }
}

TEST(FieldText, TakesTheLargestAndTheSmallestValue) {
  struct Row {
    const char* field;
    const char* text;
  };
  for (const Row& row :
       {Row{"tag", "4294967295"}, Row{"level", "32767"}, Row{"level", "-32768"}, Row{"name", "sixbyt"}}) {
    const FieldInfo* info = kInfoOf<kSample>.find(row.field);
    Buffer raw(info->size_bytes);
    ASSERT_TRUE(parse_field_text(*info, row.text, raw)) << row.text;
    EXPECT_EQ(field_text(*info, raw), row.text);
  }
}

TEST(FieldText, TakesHexNumbersOfBothCases) {
  const FieldInfo* info = kInfoOf<kSample>.find("level");
  for (const auto& [text, value] : {std::pair("0xfF", "255"), {"0XfF", "255"}, {"-0XaBc", "-2748"}}) {
    Buffer raw(info->size_bytes);
    ASSERT_TRUE(parse_field_text(*info, text, raw)) << text;
    EXPECT_EQ(field_text(*info, raw), value) << text;
  }
}

TEST(FieldText, ATextKeepsWhatStandsBehindItsTerminator) {
  const FieldInfo* info = kInfoOf<kSample>.find("name");
  const Buffer old{'a', 'b', 0, 'x', 'y', 'z'};
  const auto set = [&](std::string_view text) {
    Buffer raw = old;
    EXPECT_TRUE(parse_field_text(*info, text, raw)) << text;
    return raw;
  };
  EXPECT_EQ(set("c"), (Buffer{'c', 0, 0, 'x', 'y', 'z'})) << "of a longer text nothing is left";
  EXPECT_EQ(set("cd"), (Buffer{'c', 'd', 0, 'x', 'y', 'z'}));
  EXPECT_EQ(set("cde"), (Buffer{'c', 'd', 'e', 0, 'y', 'z'})) << "a longer text has a terminator";
  EXPECT_EQ(set("cdefgh"), (Buffer{'c', 'd', 'e', 'f', 'g', 'h'}));
  EXPECT_EQ(set("c\\x00t"), (Buffer{'c', 0, 't', 0, 0, 0})) << "who sets the tail sets all of it";
}

TEST(FieldText, RefusesValuesThatDoNotFit) {
  struct Row {
    const char* field;
    const char* text;
    Code code;
  };
  const Row rows[] = {
      {"tag", "MES", Code::kInvalidValue},        {"tag", "4294967296", Code::kInvalidValue},
      {"tag", "-1", Code::kInvalidValue},         {"level", "32768", Code::kInvalidValue},
      {"level", "-32769", Code::kInvalidValue},   {"level", "", Code::kInvalidValue},
      {"level", "1x", Code::kInvalidValue},       {"level", "1,2", Code::kInvalidValue},
      {"mask", "-1", Code::kInvalidValue},        {"mask", "0x", Code::kInvalidValue},
      {"name", "sevenby", Code::kNameTooLong},    {"name", "a\\x00bcdef", Code::kNameTooLong},
      {"name", "a\\b", Code::kInvalidValue},      {"service", "dea", Code::kInvalidValue},
      {"service", "deadbe", Code::kInvalidValue}, {"at", "1", Code::kInvalidValue},
      {"at", "1,2,3", Code::kInvalidValue},       {"at", "1,y", Code::kInvalidValue},
  };
  for (const Row& row : rows) {
    const FieldInfo* info = kInfoOf<kSample>.find(row.field);
    ASSERT_NE(info, nullptr);
    Buffer raw(info->size_bytes, 0x55);
    const auto parsed = parse_field_text(*info, row.text, raw);
    ASSERT_FALSE(parsed) << row.field << '=' << row.text;
    EXPECT_EQ(parsed.error().code, row.code) << row.field << '=' << row.text;
    EXPECT_EQ(raw, Buffer(info->size_bytes, 0x55)) << "a refused value must not be half written";
  }
}

TEST(Tag, QuotesCharactersThatReadAsANumber) {
  EXPECT_EQ(tag_text(0x31323334), "'4321'");
  EXPECT_EQ(tag_text(3), "3");
  for (const std::uint32_t tag : {0U, 3U, 0x31323334U, 0x4853454DU, 0xFFFFFFFFU, 0x27272727U, 0x30307830U}) {
    EXPECT_EQ(parse_tag(tag_text(tag)), tag);
  }
}

}  // namespace
}  // namespace assay
