#include "parsers/pose/bindings.h"

#include <algorithm>
#include <cmath>

namespace assay::pose {
namespace {

// One unit once, even where the result still lies outside: a row of 2.25 means 1.25, not 0.25.
float wrapped_once(float blend) {
  if (blend < 0.0F) {
    return blend + 1.0F;
  }
  return blend > 1.0F ? blend - 1.0F : blend;
}

float effective_blend(const Channel& channel) {
  const bool wraps = (channel.flags & kChannelWraps) != 0;
  const float blend = wraps ? wrapped_once(channel.blend) : std::clamp(channel.blend, 0.0F, 1.0F);
  return (channel.flags & kChannelIsInverted) != 0 ? 1.0F - blend : blend;
}

FieldPath non_finite_field(const Channel& channel, const FieldPath& row) {
  if (!std::isfinite(channel.blend)) {
    return row.then("blend");
  }
  if (!std::isfinite(channel.frame_a)) {
    return row.then("frame_a");
  }
  return std::isfinite(channel.frame_b) ? row : row.then("frame_b");
}

// Between two times that are not negative only a blend outside 0..1 leads below 0.
FieldPath negative_field(const Channel& channel, float blend, const FieldPath& row) {
  if (blend < 0.0F || blend > 1.0F) {
    return row.then("blend");
  }
  return row.then(channel.frame_a < 0.0F ? "frame_a" : "frame_b");
}

Result<float> time_of(const Channel& channel, const FieldPath& row) {
  const float blend = effective_blend(channel);
  const float time = (1.0F - blend) * channel.frame_a + blend * channel.frame_b;
  if (!std::isfinite(time)) {
    return fail({.code = Code::kNonFinite, .field = non_finite_field(channel, row)});
  }
  if (time < 0.0F) {
    return fail({.code = Code::kNegativeTime, .field = negative_field(channel, blend, row)});
  }
  return time;
}

}  // namespace

Result<std::vector<std::optional<float>>> initial_times(std::span<const Channel> channels, std::size_t node_count) {
  std::vector<std::optional<float>> times(node_count, 0.0F);
  for (std::size_t index = 0; index < channels.size(); ++index) {
    const Channel& channel = channels[index];
    const FieldPath row("channel", index);
    if ((channel.flags & kChannelIsUndriven) != 0) {
      continue;
    }
    if (channel.node < 0 || static_cast<std::size_t>(channel.node) >= node_count) {
      return fail({.code = Code::kIndexOutOfRange,
                   .field = row.then("node"),
                   .expected = Datum::below(node_count),
                   .got = Datum::signed_number(channel.node)});
    }
    ASSAY_TRY_ASSIGN(times[static_cast<std::size_t>(channel.node)], time_of(channel, row));
  }
  return times;
}

}  // namespace assay::pose
