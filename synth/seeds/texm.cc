#include "parsers/formats/texm/texm.h"

#include "parsers/base/byte_writer.h"
#include "synth/content.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> texm_seeds();

namespace {

using texm::PixelFormat;

Seed seed(std::string name, Buffer bytes) {
  return {.name = std::move(name), .bytes = std::move(bytes), .item_name = "HULL.0", .type_tag = texm::kMagic};
}

Seed odd(std::string name, Buffer bytes) {
  Seed made = seed(std::move(name), std::move(bytes));
  made.strict = made.compatible = Verdict::kFail;
  return made;
}

Buffer texture(std::uint32_t width, std::uint32_t height, std::uint32_t mip_count, PixelFormat format,
               std::uint32_t rect_count) {
  Prng prng(width * 1000 + height);
  return make_texture({{width, height}, mip_count, format, rect_count}, prng);
}

Buffer with_header(Buffer image, void (*change)(texm::Header&)) {
  texm::Header header = texm::kHeaderRecord.read(image);
  change(header);
  texm::kHeaderRecord.write(header, image);
  return image;
}

// Six levels of which halving gives three.
Buffer spare_levels() {
  Buffer image = texture(4, 4, 3, PixelFormat::kRgb565, 0);
  image.resize(image.size() + std::size_t{3} * 2, 0x5A);
  return with_header(std::move(image), [](texm::Header& header) { header.mip_count = 6; });
}

// A page whose second strip ends a pixel too far to the right.
Buffer wide_rect() {
  Buffer image = texture(4, 2, 1, PixelFormat::kRgb565, 2);
  const MutableBytes last = MutableBytes(image).last(texm::kRectRecord.size_bytes);
  texm::PageRect rect = texm::kRectRecord.read(last);
  ++rect.width;
  texm::kRectRecord.write(rect, last);
  return image;
}

Buffer with_tail(Buffer image, std::string_view tail) {
  const Bytes bytes = as_bytes(tail);
  image.insert(image.end(), bytes.begin(), bytes.end());
  return image;
}

}  // namespace

std::vector<Seed> texm_seeds() {
  std::vector<Seed> seeds;
  seeds.push_back(seed("argb_8888", texture(5, 3, 3, PixelFormat::kArgb8888, 0)));
  seeds.push_back(seed("rgb_888_page", texture(4, 4, 3, PixelFormat::kRgb888, 2)));
  seeds.push_back(seed("argb_4444", texture(8, 2, 4, PixelFormat::kArgb4444, 0)));
  seeds.push_back(seed("rgb_565_page", texture(16, 4, 1, PixelFormat::kRgb565, 4)));
  seeds.push_back(seed("rgb_556", texture(2, 2, 2, PixelFormat::kRgb556, 0)));
  seeds.push_back(seed("luminance_alpha_88", texture(3, 1, 1, PixelFormat::kLuminanceAlpha88, 0)));
  seeds.push_back(seed("indexed_page", texture(8, 8, 4, PixelFormat::kIndexed, 2)));
  seeds.push_back(seed("palette_elsewhere", texture(8, 8, 1, PixelFormat::kIndexedElsewhere, 0)));
  seeds.push_back(seed("page_of_nothing", with_tail(texture(1, 1, 1, PixelFormat::kRgb565, 0), {"Page\0\0\0\0", 8})));
  seeds.push_back(seed("spare_levels", spare_levels()));
  seeds.push_back(odd("rect_outside", wide_rect()));
  seeds.push_back(odd("another_format", with_header(texture(2, 1, 1, PixelFormat::kRgb888, 0),
                                                    [](texm::Header& header) { header.format = 889; })));
  seeds.push_back(odd("tail", with_tail(texture(2, 1, 1, PixelFormat::kRgb888, 0), "tail")));
  return seeds;
}

}  // namespace assay::synth
