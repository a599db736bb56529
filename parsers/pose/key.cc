#include "parsers/pose/key.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::pose {
namespace {

// One in the fixed-point numbers of a stored rotation. -32768 is let through, a little below -1.
constexpr float kRotationUnit = 32767.0F;
// Above this cosine the division by the sine of the angle loses more than a straight line does.
constexpr float kNearlyParallel = 0.9995F;
// The first float that no 32-bit frame number reaches.
constexpr float kFrameNumberEnd = 4294967296.0F;

// By hand, because std::nearbyint follows the rounding mode that somebody else may have set.
float round_half_to_even(float value) {
  const float below = std::floor(value);
  const float rest = value - below;
  const bool is_below_even = std::fmod(below, 2.0F) == 0.0F;
  return rest < 0.5F || (rest == 0.5F && is_below_even) ? below : below + 1.0F;
}

Quat nlerp(Quat from, Quat to, float share) {
  return normalize((1.0F - share) * from + share * to);
}

Quat slerp(Quat from, Quat to, float share) {
  const float cosine = dot(from, to);
  if (cosine > kNearlyParallel) {
    return nlerp(from, to, share);
  }
  const float angle = std::acos(std::clamp(cosine, -1.0F, 1.0F));
  return normalize(std::sin((1.0F - share) * angle) * from + std::sin(share * angle) * to);
}

}  // namespace

Pose sampling_pose(const Key& key) {
  const auto [w, x, y, z] = key.rotation_wxyz;
  const Quat stored{static_cast<float>(x) / kRotationUnit, static_cast<float>(y) / kRotationUnit,
                    static_cast<float>(z) / kRotationUnit, static_cast<float>(w) / kRotationUnit};
  return {key.translation, normalize(stored)};
}

Pose blend_keys(const Key& key, const Key& next, float time, RotationBlend blend) {
  // Written so that a time that is not a number stays on the first key.
  const bool is_interval = next.time > key.time;
  if (!is_interval || !(time > key.time)) {
    return sampling_pose(key);
  }
  if (time >= next.time) {
    return sampling_pose(next);
  }
  const float share = (time - key.time) / (next.time - key.time);
  const Pose from = sampling_pose(key);
  Pose to = sampling_pose(next);
  if (dot(from.rotation, to.rotation) < 0.0F) {
    // q and -q are one rotation; of the two the nearer gives the shorter way.
    to.rotation = -1.0F * to.rotation;
  }
  const Quat rotation = blend == RotationBlend::kSlerp ? slerp(from.rotation, to.rotation, share)
                                                       : nlerp(from.rotation, to.rotation, share);
  return {from.translation + share * (to.translation - from.translation), rotation};
}

Result<std::uint32_t> frame_of_time(float time) {
  if (!std::isfinite(time)) {
    return fail({.code = Code::kNonFinite, .field = "time"});
  }
  if (time < 0.0F) {
    return fail({.code = Code::kNegativeTime, .field = "time"});
  }
  const float frame = round_half_to_even(time - 0.5F);
  return frame < kFrameNumberEnd ? static_cast<std::uint32_t>(frame) : std::numeric_limits<std::uint32_t>::max();
}

}  // namespace assay::pose
