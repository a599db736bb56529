#pragma once

#include <cstdint>

#include "parsers/base/bytes.h"
#include "parsers/formats/texm/pixels.h"
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

// What a synthetic texture is like.
struct TextureLayout {
  texm::Extent extent{};
  std::uint32_t mip_count = 1;
  texm::PixelFormat format = texm::PixelFormat::kArgb4444;
  // Rectangles of a page that cuts the texture into upright strips; none: no page.
  std::uint32_t rect_count = 0;
};

// A complete texture that a strict reader accepts: header, palette where the format has one, levels, page. Requires: an
// extent of 1 to 32767 both ways, 1 <= mip_count <= texm::full_chain_length(extent), rect_count <= width. Cost:
// O(bytes).
[[nodiscard]] Buffer make_texture(const TextureLayout& layout, Prng& prng);
// The same of 16-bit pixels in the format 4444, one level.
[[nodiscard]] Buffer make_texture(std::uint32_t width, std::uint32_t height, Prng& prng);

// A complete model: an NRes container whose entries are its streams, one node, one slot, one batch, `cells` times
// `cells` squares of a terrain-like grid. Requires: 0 < cells < 100.
[[nodiscard]] Buffer make_model(std::uint32_t cells, Prng& prng);

}  // namespace assay::synth
