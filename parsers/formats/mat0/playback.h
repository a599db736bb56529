#pragma once

#include <cstdint>
#include <optional>

// Which phase of a material shows at a time: arithmetic on plain numbers (docs/formats/mat0.md, MA4).
namespace assay::mat0 {

// The low three bits of an animation block's first word. The numbers are inferred from what reads them.
enum class PlayMode : std::uint8_t { kLoop = 0, kPingPong = 1, kClamp = 2, kRandomOffset = 3 };

// The mode that those bits name; nothing for 4 to 7.
[[nodiscard]] std::optional<PlayMode> play_mode_of(std::uint32_t animation_header);

// The phase that step `step` of a sequence of `phase_count` phases shows. A random offset is the caller's to add to
// `step`; the mode of that name then loops. Nothing when there are no phases. Cost: O(1).
[[nodiscard]] std::optional<std::uint32_t> pick_phase(PlayMode mode, std::uint64_t step, std::uint32_t phase_count);

}  // namespace assay::mat0
