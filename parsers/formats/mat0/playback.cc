#include "parsers/formats/mat0/playback.h"

#include <algorithm>

namespace assay::mat0 {
namespace {

constexpr std::uint32_t kModeBits = 7;

// There and back without showing either end twice in a row: 0, 1, 2, 1, 0, 1 for three phases.
std::uint64_t bounce(std::uint64_t step, std::uint64_t phase_count) {
  if (phase_count == 1) {
    return 0;
  }
  const std::uint64_t period = 2 * phase_count - 2;
  const std::uint64_t place = step % period;
  return std::min(place, period - place);
}

}  // namespace

std::optional<PlayMode> play_mode_of(std::uint32_t animation_header) {
  const std::uint32_t mode = animation_header & kModeBits;
  if (mode > static_cast<std::uint32_t>(PlayMode::kRandomOffset)) {
    return std::nullopt;
  }
  return static_cast<PlayMode>(mode);
}

std::optional<std::uint32_t> pick_phase(PlayMode mode, std::uint64_t step, std::uint32_t phase_count) {
  if (phase_count == 0) {
    return std::nullopt;
  }
  switch (mode) {
    case PlayMode::kPingPong: return static_cast<std::uint32_t>(bounce(step, phase_count));
    case PlayMode::kClamp: return static_cast<std::uint32_t>(std::min<std::uint64_t>(step, phase_count - 1));
    case PlayMode::kLoop:
    case PlayMode::kRandomOffset: break;
  }
  return static_cast<std::uint32_t>(step % phase_count);
}

}  // namespace assay::mat0
