#include <cassert>

#include "parsers/base/byte_writer.h"
#include "parsers/formats/texm/texm.h"
#include "synth/content.h"

namespace assay::synth {
namespace {

constexpr std::uint32_t kMostPixels = 32'767;
// What textures with mip levels have in the first word of flags.
constexpr std::uint32_t kFlagsOfMips = 0x20;

template <const auto& Table, typename Value>
void append(ByteWriter& writer, const Value& value) {
  Table.write(value, writer.grow(Table.size_bytes));
}

void append_levels(ByteWriter& writer, const TextureLayout& layout, Prng& prng) {
  for (std::uint32_t index = 0; index < layout.mip_count; ++index) {
    const std::uint64_t size_bytes = texm::level_bytes(texm::level_extent(layout.extent, index), layout.format);
    writer.write_bytes(make_content(ContentKind::kTexture, static_cast<std::size_t>(size_bytes), prng));
  }
}

// Strips that touch each other, as wide as the texture in all.
void append_page(ByteWriter& writer, const TextureLayout& layout) {
  append<texm::kPageRecord>(writer, texm::Page{.rect_count = layout.rect_count});
  for (std::uint32_t index = 0; index < layout.rect_count; ++index) {
    const auto edge = [&](std::uint32_t strip) { return layout.extent.width * strip / layout.rect_count; };
    append<texm::kRectRecord>(writer, texm::PageRect{.x = static_cast<std::int16_t>(edge(index)),
                                                     .width = static_cast<std::int16_t>(edge(index + 1) - edge(index)),
                                                     .height = static_cast<std::int16_t>(layout.extent.height)});
  }
}

}  // namespace

Buffer make_texture(const TextureLayout& layout, Prng& prng) {
  assert(layout.extent.width >= 1 && layout.extent.width <= kMostPixels);
  assert(layout.extent.height >= 1 && layout.extent.height <= kMostPixels);
  assert(layout.mip_count >= 1 && layout.mip_count <= texm::full_chain_length(layout.extent));
  assert(layout.rect_count <= layout.extent.width);
  ByteWriter writer;
  append<texm::kHeaderRecord>(writer, texm::Header{.width = layout.extent.width,
                                                   .height = layout.extent.height,
                                                   .mip_count = layout.mip_count,
                                                   .flags4 = layout.mip_count > 1 ? kFlagsOfMips : 0,
                                                   .format = static_cast<std::uint32_t>(layout.format)});
  if (layout.format == texm::PixelFormat::kIndexed) {
    writer.write_bytes(make_content(ContentKind::kNoise, texm::kPaletteBytes, prng));
  }
  append_levels(writer, layout, prng);
  if (layout.rect_count > 0) {
    append_page(writer, layout);
  }
  return std::move(writer).take();
}

Buffer make_texture(std::uint32_t width, std::uint32_t height, Prng& prng) {
  return make_texture({.extent = {width, height}}, prng);
}

}  // namespace assay::synth
