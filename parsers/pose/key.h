#pragma once

#include <array>
#include <cstdint>

#include "parsers/base/result.h"
#include "parsers/pose/transform.h"

// Animation keys: decoding one, blending two, and which frame a time falls into (docs/formats/poses.md, P2 and P3).
namespace assay::pose {

// An animation key as a model stores it.
struct Key {
  Vec3 translation{};
  // In frames.
  float time = 0;
  // Rotation in stored order w, x, y, z; 32767 is 1.
  std::array<std::int16_t, 4> rotation_wxyz{};
};

// How the rotation between two keys is found; the translation is always linear. Both take the shorter way, and are the
// same at the ends and in the middle. Sources disagree on which one the engine uses.
enum class RotationBlend : std::uint8_t {
  kNlerp,  // linear, then normalised
  kSlerp,  // constant angular speed
};

// What a key stands for by itself, in the source's sense of rotation: not yet conjugated. A rotation too short to have
// a direction is the identity.
[[nodiscard]] Pose sampling_pose(const Key& key);

// The pose between two keys at `time`: `key` itself up to its own time or where `next` is not later, and `next` from
// its own time on; time outside the interval is never extrapolated. Not yet conjugated.
[[nodiscard]] Pose blend_keys(const Key& key, const Key& next, float time, RotationBlend blend);

// The frame whose map entry rules at `time` (in frames): time - 0.5 rounded to the nearest integer, ties to even, all
// in binary32. So 1.0 and 3.0 pick frames 0 and 2. Times beyond 2^32 give the largest number. -0.0 is a valid time.
// Errors, with field `time`: kNonFinite, kNegativeTime.
[[nodiscard]] Result<std::uint32_t> frame_of_time(float time);

}  // namespace assay::pose
