#pragma once

#include <cstdint>
#include <optional>

#include "parsers/base/bytes.h"

// What the pixels of a texture mean: sizes of levels, and every pixel format as red, green, blue and alpha
// (docs/formats/texm.md, TX3). Knows nothing of the file around them.
namespace assay::texm {

// The numbers are those of the header, and their decimal digits the widths of the channels.
enum class PixelFormat : std::uint32_t {
  kIndexed = 0,
  // Indices into a palette that lies elsewhere.
  kIndexedElsewhere = 2,
  kLuminanceAlpha88 = 88,
  kRgb556 = 556,
  kRgb565 = 565,
  kRgb888 = 888,
  kArgb4444 = 4444,
  kArgb8888 = 8888,
};

// 256 colours of 4 bytes, in the order of kRgb888.
inline constexpr std::size_t kPaletteColours = 256;
inline constexpr std::size_t kPaletteBytes = 4 * kPaletteColours;

struct Extent {
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  friend bool operator==(const Extent&, const Extent&) = default;
};

// One pixel, each channel from 0 to 255.
struct Rgba {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  std::uint8_t alpha = 255;

  friend bool operator==(const Rgba&, const Rgba&) = default;
};

// The format that a header's number names, or nothing.
[[nodiscard]] std::optional<PixelFormat> pixel_format_of(std::uint32_t stored);
[[nodiscard]] std::uint32_t bytes_per_pixel(PixelFormat format);
[[nodiscard]] bool is_indexed(PixelFormat format);

// The extent of mip level `index`: halved as often, and at least one pixel. Cost: O(1) for any index.
[[nodiscard]] Extent level_extent(const Extent& base, std::uint64_t index);
// How many levels halving gives, down to the first of one pixel. Requires: an extent that is not empty.
[[nodiscard]] std::uint32_t full_chain_length(const Extent& base);
// The bytes of a level; the largest number where they do not fit 64 bits.
[[nodiscard]] std::uint64_t level_bytes(const Extent& extent, PixelFormat format);

// One pixel. Channels of fewer than 8 bits are widened by repeating their high bits. `palette` is only looked at by the
// indexed formats. Requires: pixel.size() >= bytes_per_pixel(format); palette.size() == kPaletteBytes if is_indexed().
[[nodiscard]] Rgba decode_pixel(PixelFormat format, Bytes pixel, Bytes palette);
// Pixels one after another as bytes red, green, blue, alpha. Requires: pixels.size() is a multiple of the pixel size;
// the palette as above. Cost: O(pixels), one allocation of 4 bytes a pixel.
[[nodiscard]] Buffer decode_to_rgba(PixelFormat format, Bytes pixels, Bytes palette);

}  // namespace assay::texm
