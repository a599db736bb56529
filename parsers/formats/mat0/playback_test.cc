#include "parsers/formats/mat0/playback.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace assay::mat0 {
namespace {

std::vector<std::uint32_t> first_steps(PlayMode mode, std::uint32_t phase_count) {
  std::vector<std::uint32_t> picked;
  for (std::uint64_t step = 0; step < 8; ++step) {
    picked.push_back(pick_phase(mode, step, phase_count).value_or(99));
  }
  return picked;
}

using Phases = std::vector<std::uint32_t>;

TEST(PhasePicker, FollowsTheMode) {
  EXPECT_EQ(first_steps(PlayMode::kLoop, 3), (Phases{0, 1, 2, 0, 1, 2, 0, 1}));
  EXPECT_EQ(first_steps(PlayMode::kRandomOffset, 3), (Phases{0, 1, 2, 0, 1, 2, 0, 1}));
  EXPECT_EQ(first_steps(PlayMode::kPingPong, 3), (Phases{0, 1, 2, 1, 0, 1, 2, 1}));
  EXPECT_EQ(first_steps(PlayMode::kPingPong, 2), (Phases{0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(first_steps(PlayMode::kClamp, 3), (Phases{0, 1, 2, 2, 2, 2, 2, 2}));
}

TEST(PhasePicker, StaysOnAnOnlyPhase) {
  for (const PlayMode mode : {PlayMode::kLoop, PlayMode::kPingPong, PlayMode::kClamp, PlayMode::kRandomOffset}) {
    EXPECT_EQ(first_steps(mode, 1), (Phases{0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_FALSE(pick_phase(mode, 0, 0)) << "nothing to pick from";
  }
}

TEST(PhasePicker, TakesTheLargestNumbers) {
  const std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  const std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ(pick_phase(PlayMode::kClamp, last, most), most - 1);
  EXPECT_EQ(pick_phase(PlayMode::kLoop, last, most), 0U) << "2^64 - 1 is a multiple of 2^32 - 1";
  EXPECT_EQ(pick_phase(PlayMode::kPingPong, std::uint64_t{2} * most - 3, most), 1U);
}

TEST(PlayMode, IsTheLowThreeBits) {
  EXPECT_EQ(play_mode_of(0), PlayMode::kLoop);
  EXPECT_EQ(play_mode_of(9), PlayMode::kPingPong);
  EXPECT_EQ(play_mode_of(0xFFFFFFFA), PlayMode::kClamp);
  EXPECT_EQ(play_mode_of(3), PlayMode::kRandomOffset);
  EXPECT_FALSE(play_mode_of(4));
  EXPECT_FALSE(play_mode_of(0xAABBCCDD));
}

}  // namespace
}  // namespace assay::mat0
