#include "parsers/formats/texm/pixels.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

#include "parsers/base/byte_writer.h"

namespace assay::texm {
namespace {

constexpr std::uint32_t kExtentBits = 32;

// The `bits` bits of `value` from `low` on, widened to 8 by repeating the high ones. Requires: 4 <= bits <= 8.
constexpr std::uint8_t channel(std::uint32_t value, unsigned low, unsigned bits) {
  const std::uint32_t raw = (value >> low) & ((1U << bits) - 1);
  return static_cast<std::uint8_t>((raw << (8 - bits)) | (raw >> (2 * bits - 8)));
}

// 0x..RRGGBB; the byte on top is no alpha but kept for something unknown.
constexpr Rgba opaque_colour(std::uint32_t value) {
  return {channel(value, 16, 8), channel(value, 8, 8), channel(value, 0, 8), 255};
}

std::uint32_t load_pixel(PixelFormat format, Bytes pixel) {
  switch (bytes_per_pixel(format)) {
    case 1: return load_little_endian<std::uint8_t>(pixel);
    case 2: return load_little_endian<std::uint16_t>(pixel);
    default: return load_little_endian<std::uint32_t>(pixel);
  }
}

}  // namespace

std::optional<PixelFormat> pixel_format_of(std::uint32_t stored) {
  const auto format = static_cast<PixelFormat>(stored);
  switch (format) {
    case PixelFormat::kIndexed:
    case PixelFormat::kIndexedElsewhere:
    case PixelFormat::kLuminanceAlpha88:
    case PixelFormat::kRgb556:
    case PixelFormat::kRgb565:
    case PixelFormat::kRgb888:
    case PixelFormat::kArgb4444:
    case PixelFormat::kArgb8888: return format;
  }
  return std::nullopt;
}

std::uint32_t bytes_per_pixel(PixelFormat format) {
  switch (format) {
    case PixelFormat::kIndexed:
    case PixelFormat::kIndexedElsewhere: return 1;
    case PixelFormat::kRgb888:
    case PixelFormat::kArgb8888: return 4;
    default: return 2;
  }
}

bool is_indexed(PixelFormat format) {
  return format == PixelFormat::kIndexed || format == PixelFormat::kIndexedElsewhere;
}

Extent level_extent(const Extent& base, std::uint64_t index) {
  if (index >= kExtentBits) {
    return {1, 1};
  }
  return {std::max(1U, base.width >> index), std::max(1U, base.height >> index)};
}

std::uint32_t full_chain_length(const Extent& base) {
  assert(base.width > 0 && base.height > 0);
  return static_cast<std::uint32_t>(std::bit_width(std::max(base.width, base.height)));
}

std::uint64_t level_bytes(const Extent& extent, PixelFormat format) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t row_bytes = std::uint64_t{extent.width} * bytes_per_pixel(format);
  if (row_bytes != 0 && extent.height > kMost / row_bytes) {
    return kMost;
  }
  return row_bytes * extent.height;
}

Rgba decode_pixel(PixelFormat format, Bytes pixel, Bytes palette) {
  assert(pixel.size() >= bytes_per_pixel(format));
  assert(!is_indexed(format) || palette.size() == kPaletteBytes);
  const std::uint32_t value = load_pixel(format, pixel);
  switch (format) {
    case PixelFormat::kIndexed:
    case PixelFormat::kIndexedElsewhere:
      return opaque_colour(load_little_endian<std::uint32_t>(palette.subspan(std::size_t{4} * value)));
    // Which byte is the alpha is open, and nothing shipped would tell (docs/formats/texm.md, TX7).
    case PixelFormat::kLuminanceAlpha88: {
      const std::uint8_t luminance = channel(value, 0, 8);
      return {luminance, luminance, luminance, channel(value, 8, 8)};
    }
    case PixelFormat::kRgb556: return {channel(value, 11, 5), channel(value, 6, 5), channel(value, 0, 6), 255};
    case PixelFormat::kRgb565: return {channel(value, 11, 5), channel(value, 5, 6), channel(value, 0, 5), 255};
    case PixelFormat::kRgb888: return opaque_colour(value);
    case PixelFormat::kArgb4444:
      return {channel(value, 8, 4), channel(value, 4, 4), channel(value, 0, 4), channel(value, 12, 4)};
    case PixelFormat::kArgb8888:
      return {channel(value, 16, 8), channel(value, 8, 8), channel(value, 0, 8), channel(value, 24, 8)};
  }
  return {};
}

Buffer decode_to_rgba(PixelFormat format, Bytes pixels, Bytes palette) {
  const std::size_t pixel_bytes = bytes_per_pixel(format);
  assert(pixels.size() % pixel_bytes == 0);
  ByteWriter writer(pixels.size() / pixel_bytes * 4);
  for (std::size_t at = 0; at < pixels.size(); at += pixel_bytes) {
    const Rgba pixel = decode_pixel(format, pixels.subspan(at, pixel_bytes), palette);
    for (const std::uint8_t value : {pixel.red, pixel.green, pixel.blue, pixel.alpha}) {
      writer.write(value);
    }
  }
  return std::move(writer).take();
}

}  // namespace assay::texm
