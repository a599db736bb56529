#include "parsers/base/record_cursor.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

struct Pair {
  std::uint16_t left = 0;
  std::uint16_t right = 0;
};
inline constexpr auto kPair = record<Pair>("pair", 4, field(0, "left", &Pair::left, FieldStatus::kLayoutConfirmed),
                                           field(2, "right", &Pair::right, FieldStatus::kOpaque));
inline constexpr auto kName = text_record("name", "text", FieldType::kString, FieldStatus::kConsumerInferred);
inline constexpr auto kLabel = text_record("label", "text", FieldType::kLabel, FieldStatus::kConsumerInferred);
inline constexpr auto kPooled = text_record("pooled", "text", FieldType::kCString, FieldStatus::kConsumerInferred);

class RecordCursorTest : public testing::Test {
 protected:
  RecordCursor over(const Buffer& bytes) { return RecordCursor(bytes, Origin{100}, map_); }

  ByteMap map_;
};

void expect_refusal(const Diagnostic& refused, Code code, std::uint64_t offset, std::string_view field) {
  EXPECT_EQ(refused.code, code);
  EXPECT_EQ(refused.offset, offset);
  EXPECT_EQ(refused.field.to_text(), field);
}

TEST_F(RecordCursorTest, AccountsForWhatItReads) {
  const Buffer bytes{1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 2, 0, 0, 0, 'h', 'i', 9};
  RecordCursor cursor = over(bytes);
  EXPECT_EQ(cursor.read<kPair>("head")->right, 2);
  const auto pairs = cursor.read_array<kPair>("item", 2);
  ASSERT_TRUE(pairs);
  EXPECT_EQ((*pairs)[1].left, 5);
  EXPECT_EQ(pairs->offset_of(1), 8U);
  EXPECT_EQ(as_text(*cursor.read_text<kName>("name", 10)), "hi");
  EXPECT_EQ(cursor.remaining(), 1U);
  expect_refusal(cursor.expect_end().error(), Code::kTrailingBytes, 118, "file");
  ASSERT_TRUE(cursor.read_opaque("tail", 1));
  EXPECT_TRUE(cursor.expect_end());
  ASSERT_TRUE(map_.close(bytes.size()));
  const ByteShares shares = map_.shares();
  EXPECT_EQ(shares.confirmed, 6U);
  EXPECT_EQ(shares.inferred, 6U);
  EXPECT_EQ(shares.opaque, 7U);
}

TEST_F(RecordCursorTest, CountsDataAsConfirmed) {
  const Buffer bytes{1, 2, 3, 4, 5};
  RecordCursor cursor = over(bytes);
  EXPECT_EQ(cursor.read_data("level", 4)->size(), 4U);
  expect_refusal(cursor.read_data("level", 2).error(), Code::kInputTooShort, 104, "level");
  ASSERT_TRUE(cursor.read_data("level", 1));
  ASSERT_TRUE(map_.close(bytes.size()));
  EXPECT_EQ(map_.shares().confirmed, 5U);
  EXPECT_EQ(byte_kind_text(map_.runs().front().kind), "data");
}

TEST_F(RecordCursorTest, CountsPaddingApart) {
  const Buffer bytes{1, 0, 0};
  RecordCursor cursor = over(bytes);
  ASSERT_TRUE(cursor.read_opaque("body", 1));
  EXPECT_EQ(cursor.read_padding("padding", 2).size(), 2U);
  EXPECT_TRUE(cursor.at_end());
  ASSERT_TRUE(map_.close(bytes.size()));
  EXPECT_EQ(map_.shares().padding, 2U);
}

TEST_F(RecordCursorTest, FindsFieldsByTheirPath) {
  const Buffer bytes{1, 0, 2, 0, 3, 0, 4, 0, 2, 0, 0, 0, 'h', 'i'};
  RecordCursor cursor = over(bytes);
  ASSERT_TRUE(cursor.read_array<kPair>("item", 2));
  ASSERT_TRUE(cursor.read_text<kName>(FieldPath("name", 3), 10));
  const auto right = map_.find("item[1].right");
  ASSERT_TRUE(right);
  EXPECT_EQ(right->offset, 6U);
  EXPECT_EQ(right->path.to_text(), "item[1].right");
  EXPECT_EQ(map_.find("name[3].text")->raw.size(), 6U);
  for (const char* path : {"item[2].right", "item.right", "item[1].middle", "item[1]", "item[1]right", "item[x].right",
                           "item[1.right", "name[2].text", "name.text", ""}) {
    EXPECT_FALSE(map_.find(path)) << path;
  }
}

TEST_F(RecordCursorTest, RefusesAtTheFirstFieldThatDoesNotFit) {
  const Buffer bytes{1, 0, 2, 0, 3, 0};
  RecordCursor cursor = over(bytes);
  expect_refusal(cursor.read_array<kPair>("item", 2).error(), Code::kInputTooShort, 106, "item[1].right");
  expect_refusal(cursor.read_array<kPair>("item", std::uint64_t{1} << 63).error(), Code::kInputTooShort, 106,
                 "item[1].right");
  ASSERT_TRUE(cursor.read<kPair>("head"));
  expect_refusal(cursor.read<kPair>("next").error(), Code::kInputTooShort, 106, "next.right");
  expect_refusal(cursor.read_opaque("rest", 3).error(), Code::kInputTooShort, 104, "rest");
  EXPECT_EQ(cursor.offset(), 4U) << "a refused read reads nothing";
}

TEST_F(RecordCursorTest, ReadsStringsOfEveryKind) {
  const Buffer bytes{2, 0, 0, 0, 'h', 'i', 0, 0, 0, 0, 0, 'a', 'b', 0};
  RecordCursor cursor = over(bytes);
  EXPECT_EQ(as_text(*cursor.read_text<kLabel>("label", 10)), "hi");
  EXPECT_EQ(as_text(*cursor.read_text<kLabel>("label", 10)), "");
  EXPECT_EQ(as_text(*cursor.read_text<kPooled>("pool", 10)), "ab");
  EXPECT_TRUE(cursor.at_end());
  ASSERT_TRUE(map_.close(bytes.size()));
  EXPECT_EQ(map_.runs()[0].size, 7U);
  EXPECT_EQ(map_.runs()[1].size, 4U);
}

TEST_F(RecordCursorTest, RefusesStringsThatDoNotFit) {
  const Buffer long_name{9, 0, 0, 0, 'h', 'i'};
  expect_refusal(over(long_name).read_text<kName>("name", 10).error(), Code::kInputTooShort, 100, "name.text");
  expect_refusal(over(long_name).read_text<kName>("name", 8).error(), Code::kLimitExceeded, 100, "name.text");
  const Buffer no_nul{2, 0, 0, 0, 'h', 'i'};
  expect_refusal(over(no_nul).read_text<kLabel>("label", 10).error(), Code::kInputTooShort, 100, "label.text");
  const Buffer endless{'a', 'b'};
  expect_refusal(over(endless).read_text<kPooled>("pool", 10).error(), Code::kMissingTerminator, 100, "pool.text");
  const Buffer cut{2, 0, 0};
  expect_refusal(over(cut).read_text<kName>("name", 10).error(), Code::kInputTooShort, 100, "name.text");
}

}  // namespace
}  // namespace assay
