#include "parsers/pose/bindings.h"

#include <gtest/gtest.h>

#include <limits>

namespace assay::pose {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

struct TimeRow {
  float frame_a;
  float frame_b;
  float blend;
  std::uint32_t flags;
  float time;
};

// docs/formats/poses.md, P6, "CTLD rows"; the last two are our own.
constexpr TimeRow kTimes[] = {
    {49, 53, 0.5F, 3, 51},   {49, 53, 0.25F, 3, 52}, {49, 53, 1.25F, 3, 52}, {49, 53, 1.25F, 0, 53},
    {49, 53, -0.25F, 1, 52}, {49, 53, 2.25F, 1, 54}, {0, 10, -0.5F, 0, 0},   {0, 10, -0.5F, 2, 10},
    {10, 0, 1.5F, 2, 10},    {49, 53, 1.0F, 1, 53},  {49, 53, 0.0F, 1, 49},
};

TEST(InitialTimes, GivesTheTimesOfTheRows) {
  for (const TimeRow& row : kTimes) {
    const Channel channel{0, row.frame_a, row.frame_b, row.blend, row.flags};
    const auto times = initial_times({&channel, 1}, 1);
    ASSERT_TRUE(times) << row.blend;
    EXPECT_EQ(times->at(0), row.time) << row.frame_a << ' ' << row.frame_b << ' ' << row.blend << ' ' << row.flags;
  }
}

struct Refusal {
  const char* name;
  Channel channel;
  Code code;
  const char* field;
};

// The first three are of docs/formats/poses.md, P6, "CTLD rows".
constexpr Refusal kRefusals[] = {
    {"a blend that inverts below 0", {0, 0, 4, 2.5F, 3}, Code::kNegativeTime, "channel[1].blend"},
    {"a first frame below 0", {0, -1, 9, 0.05F, 0}, Code::kNegativeTime, "channel[1].frame_a"},
    {"a blend that is no number", {0, 0, 10, kNotANumber, 0}, Code::kNonFinite, "channel[1].blend"},
    {"a last frame below 0", {0, 1, -9, 0.5F, 0}, Code::kNegativeTime, "channel[1].frame_b"},
    {"an infinite blend that wraps", {0, 0, 10, kInfinity, 1}, Code::kNonFinite, "channel[1].blend"},
    {"an infinite first frame", {0, kInfinity, 9, 0.5F, 0}, Code::kNonFinite, "channel[1].frame_a"},
    {"an infinite first frame that does not count", {0, kInfinity, 9, 1, 0}, Code::kNonFinite, "channel[1].frame_a"},
    {"a last frame that is no number", {0, 1, kNotANumber, 0, 0}, Code::kNonFinite, "channel[1].frame_b"},
    {"an overflow", {0, 0, 3e38F, 2.5F, 1}, Code::kNonFinite, "channel[1]"},
    {"a node below 0", {-1, 0, 1, 0, 0}, Code::kIndexOutOfRange, "channel[1].node"},
    {"a node behind the last", {2, 0, 1, 0, 0}, Code::kIndexOutOfRange, "channel[1].node"},
    {"the lowest node",
     {std::numeric_limits<std::int32_t>::min(), 0, 1, 0, 0},
     Code::kIndexOutOfRange,
     "channel[1].node"},
};

TEST(InitialTimes, NamesTheRowThatIsWrong) {
  for (const Refusal& row : kRefusals) {
    // A good row before it, and one behind it that would overrule it.
    const Channel channels[] = {{0, 0, 1, 0, 0}, row.channel, {0, 0, 1, 0, 0}};
    const auto times = initial_times(channels, 2);
    ASSERT_FALSE(times) << row.name;
    EXPECT_EQ(times.error().code, row.code) << row.name;
    EXPECT_EQ(times.error().field.to_text(), row.field) << row.name;
  }
}

TEST(InitialTimes, AnInfiniteBlendThatDoesNotWrapIsClamped) {
  const Channel channels[] = {{0, 2, 9, kInfinity, 0}, {1, 2, 9, -kInfinity, 0}};
  EXPECT_EQ(initial_times(channels, 2), (std::vector<std::optional<float>>{9.0F, 2.0F}));
}

TEST(InitialTimes, TheLastEnabledRowOfANodeWins) {
  const Channel first{1, 7, 7, 0, 0};
  const Channel skipped[] = {first, {1, 9, 9, 0, 4}};
  EXPECT_EQ(initial_times(skipped, 2), (std::vector<std::optional<float>>{0.0F, 7.0F}));
  const Channel enabled[] = {first, {1, 9, 9, 0, 8}};
  EXPECT_EQ(initial_times(enabled, 2), (std::vector<std::optional<float>>{0.0F, 9.0F}));
}

TEST(InitialTimes, DoesNotLookAtUndrivenRows) {
  const Channel channels[] = {{77, kNotANumber, -1, kNotANumber, 4 | 1}};
  EXPECT_EQ(initial_times(channels, 1), (std::vector<std::optional<float>>{0.0F}));
}

TEST(InitialTimes, AreZeroWithoutRows) {
  EXPECT_EQ(initial_times({}, 3), (std::vector<std::optional<float>>{0.0F, 0.0F, 0.0F}));
  EXPECT_EQ(initial_times({}, 0), (std::vector<std::optional<float>>{}));
}

}  // namespace
}  // namespace assay::pose
