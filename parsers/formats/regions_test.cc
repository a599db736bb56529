#include "parsers/formats/regions.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

struct Expected {
  std::uint64_t offset;
  std::uint64_t size;
  ByteKind kind;
};

void expect_regions(const Buffer& image, ByteRange data, std::vector<ByteRange> active, std::uint64_t alignment,
                    const std::vector<Expected>& expected) {
  const auto regions = find_regions(image, data, active, alignment);
  ASSERT_EQ(regions.size(), expected.size());
  for (std::size_t index = 0; index < regions.size(); ++index) {
    EXPECT_EQ(regions[index].offset, expected[index].offset);
    EXPECT_EQ(regions[index].size, expected[index].size);
    EXPECT_EQ(regions[index].kind, expected[index].kind) << index;
  }
}

// docs/formats/decisions.md, 6.
TEST(Regions, PaddingIsZeroAndExactlyAligns) {
  const Buffer zeros(64);
  expect_regions(zeros, {16, 32}, {{16, 19}, {24, 32}}, 8, {{19, 5, ByteKind::kPadding}});
  expect_regions(zeros, {16, 40}, {{16, 19}, {32, 40}}, 8, {{19, 13, ByteKind::kGap}});
  expect_regions(zeros, {16, 32}, {{16, 19}, {23, 32}}, 8, {{19, 4, ByteKind::kGap}});
  expect_regions(zeros, {16, 24}, {{16, 19}}, 8, {{19, 5, ByteKind::kPadding}});
  expect_regions(zeros, {16, 32}, {{16, 19}}, 8, {{19, 13, ByteKind::kUnindexed}});
  Buffer dirty = zeros;
  dirty[20] = 1;
  expect_regions(dirty, {16, 32}, {{16, 19}, {24, 32}}, 8, {{19, 5, ByteKind::kGap}});
  expect_regions(dirty, {16, 24}, {{16, 19}}, 8, {{19, 5, ByteKind::kUnindexed}});
}

TEST(Regions, LeadingRunIsUnindexed) {
  const Buffer zeros(64);
  expect_regions(zeros, {16, 32}, {{24, 32}}, 8, {{16, 8, ByteKind::kUnindexed}});
  expect_regions(zeros, {16, 32}, {}, 8, {{16, 16, ByteKind::kUnindexed}});
  expect_regions(zeros, {16, 16}, {}, 8, {});
}

TEST(Regions, OverlappingRangesLeaveNoRunBetween) {
  const Buffer zeros(64);
  expect_regions(zeros, {16, 48}, {{16, 40}, {20, 24}, {40, 48}}, 8, {});
}

TEST(Payloads, GiveEachByteToTheRangeThatStartsFirst) {
  const std::vector<ByteRange> active{{0, 10}, {4, 6}, {8, 12}};
  const std::vector<FieldPath> paths{FieldPath("entry", 0), FieldPath("entry", 1), FieldPath("entry", 2)};
  ByteMap map;
  add_payloads(map, active, paths);
  ASSERT_TRUE(map.close(12));
  ASSERT_EQ(map.runs().size(), 2U);
  EXPECT_EQ(map.runs()[1].path, FieldPath("entry", 2));
  EXPECT_EQ(map.runs()[1].offset, 10U);
}

}  // namespace
}  // namespace assay
