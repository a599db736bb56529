#pragma once

#include <cstdint>

#include "parsers/base/bytes.h"
#include "synth/prng.h"

// What goes into synthetic payloads. Nothing here comes from a game.
namespace assay::synth {

// Kinds of bytes, each with its own meaning for a packer.
enum class ContentKind : std::uint8_t {
  kText,     // words and line ends: short matches
  kTexture,  // 16-bit pixels in tiles with some noise: long matches at fixed distances
  kMesh,     // binary32 numbers on a grid: matches with small changes
  kNoise,    // nothing matches
  kZeros,
  kSpaces,  // equal to the preset windows of LZSS and LZHUF
  kRuns,    // matches that overlap themselves
  kCount
};

// `size_bytes` bytes of that kind. Cost: O(size).
[[nodiscard]] Buffer make_content(ContentKind kind, std::size_t size_bytes, Prng& prng);
// The same, of a kind that is drawn first.
[[nodiscard]] Buffer make_any_content(std::size_t size_bytes, Prng& prng);
// Bytes of which none is zero, for gaps that must show. Cost: O(size).
[[nodiscard]] Buffer make_non_zero(std::size_t size_bytes, Prng& prng);

// A complete texture: 32 bytes of header and 16-bit pixels in the format 4444, one level. Requires: both > 0.
[[nodiscard]] Buffer make_texture(std::uint32_t width, std::uint32_t height, Prng& prng);

// A complete model: an NRes container whose entries are its streams, one node, one slot, one batch, `cells` times
// `cells` squares of a terrain-like grid. Requires: 0 < cells < 100.
[[nodiscard]] Buffer make_model(std::uint32_t cells, Prng& prng);

}  // namespace assay::synth
