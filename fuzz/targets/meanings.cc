#include <cmath>

#include "fuzz/harness.h"
#include "parsers/formats/mat0/mat0.h"
#include "parsers/formats/mat0/playback.h"
#include "parsers/formats/texm/texm.h"

// What parsed values mean: pixels of textures, phases and blending of materials.
namespace {

using namespace assay;

void check_texture(const texm::Texm& texture) {
  if (texm::is_indexed(texture.format()) && texture.palette().size() != texm::kPaletteBytes) {
    return;
  }
  const std::uint32_t pixel_bytes = texm::bytes_per_pixel(texture.format());
  for (std::uint32_t index = 0; index < texture.level_count() && index < 16; ++index) {
    const texm::Level level = texture.level(index);
    fuzz::require(level.pixels.size() == texm::level_bytes(level.extent, texture.format()),
                  "a level has as many bytes as its extent says");
    const Buffer colours = texm::decode_to_rgba(texture.format(), level.pixels, texture.palette());
    fuzz::require(colours.size() == 4 * (level.pixels.size() / pixel_bytes), "each pixel has four channels");
    for (const std::size_t at : {std::size_t{0}, colours.size() / 8 * 4}) {
      if (at + 4 <= colours.size()) {
        const texm::Rgba one = texm::decode_pixel(
            texture.format(), level.pixels.subspan(at / 4 * pixel_bytes, pixel_bytes), texture.palette());
        fuzz::require(one == texm::Rgba{colours[at], colours[at + 1], colours[at + 2], colours[at + 3]},
                      "a pixel alone is what it is among others");
      }
    }
  }
}

void check_material(const mat0::Mat0& material) {
  const auto count = static_cast<std::uint32_t>(material.phases().size());
  for (std::size_t index = 0; index < count; ++index) {
    fuzz::require(material.texture_name(index).size() <= 16, "a texture's name fits its field");
  }
  for (const mat0::Animation& animation : material.animations()) {
    const auto mode = mat0::play_mode_of(animation.block.header);
    for (std::uint64_t step = 0; mode && step < 40; ++step) {
      const auto phase = mat0::pick_phase(*mode, step, count);
      fuzz::require(phase.has_value() == (count != 0) && (!phase || *phase < count), "a step shows a phase there is");
    }
  }
  if (const auto flags = material.flags()) {
    const auto blend = flags->blend();
    fuzz::require(!blend || (!blend->source.empty() && !blend->destination.empty()), "a blend names both factors");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > fuzz::kMaxInputBytes) {
    return 0;
  }
  const Bytes bytes(data, size);
  ParseContext context = fuzz::context_for(fuzz::hash_of(bytes));
  context.rules = RuleSet::compatible();
  Findings findings;
  if (const auto texture = texm::Texm::parse(bytes, context, findings)) {
    check_texture(*texture);
  }
  if (const auto material = mat0::Mat0::parse(bytes, context, findings)) {
    check_material(*material);
  }
  return 0;
}
