#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "parsers/base/result.h"

// The times at which a static picture shows the nodes of one component, from its controller (docs/formats/poses.md,
// P6).
namespace assay::pose {

inline constexpr std::uint32_t kChannelWraps = 0x1;
inline constexpr std::uint32_t kChannelIsInverted = 0x2;
inline constexpr std::uint32_t kChannelIsUndriven = 0x4;

// What a channel row of a controller (CTLD) says about its node's first pose.
struct Channel {
  std::int32_t node = 0;
  // The times, in frames, at blend 0 and at blend 1.
  float frame_a = 0;
  float frame_b = 0;
  float blend = 0;
  // Bits other than the three above do not matter here.
  std::uint32_t flags = 0;
};

// One time a node, ready for AtTimes: 0, or what the last row says that names the node and is not undriven.
//
// Rows are read in source order and computed in binary32 (docs/formats/decisions.md, 29): a blend that wraps moves by
// one unit once, any other is clamped to 0..1; then it is inverted; the time is (1 - blend) * frame_a + blend *
// frame_b. A time behind the last frame is no error, since the sampler then takes the fallback. The times belong to one
// component: instances that share a model do not share times. Undriven rows are not looked at.
// Errors, also for rows that a later one would overrule: kIndexOutOfRange (`channel[i].node`), kNonFinite
// (`channel[i].blend`, `.frame_a` or `.frame_b`, else `channel[i]` where finite values overflow), kNegativeTime (the
// field that made it so). Offsets are 0. Cost: O(rows + nodes), one allocation of `node_count` times.
[[nodiscard]] Result<std::vector<std::optional<float>>> initial_times(std::span<const Channel> channels,
                                                                      std::size_t node_count);

}  // namespace assay::pose
