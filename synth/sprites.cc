#include <array>
#include <string>
#include <string_view>

#include "synth/content.h"
#include "synth/corpus.h"
#include "synth/rsli_builder.h"
#include "synth/stable_pack.h"

// The two RsLi archives that the games have.
namespace assay::synth {
namespace {

// 1,024 bytes of palette, a tag, and 65,536 bytes of a table of mixed colours.
Buffer make_palette(Prng& prng) {
  Buffer palette = make_content(ContentKind::kMesh, 1024, prng);
  const Bytes tag = as_bytes("Ipol");
  palette.insert(palette.end(), tag.begin(), tag.end());
  const Buffer table = make_content(ContentKind::kRuns, 65'536, prng);
  palette.insert(palette.end(), table.begin(), table.end());
  return palette;
}

// A header of 20 bytes, 256 glyphs of 16, and the texture that they are cut from at 4,116.
Buffer make_font(Prng& prng) {
  Buffer font(20);
  std::memcpy(font.data(), "Tfnt", 4);
  const Buffer glyphs = make_content(ContentKind::kMesh, std::size_t{256} * 16, prng);
  font.insert(font.end(), glyphs.begin(), glyphs.end());
  const Buffer texture = make_texture(128, 64, prng);
  font.insert(font.end(), texture.begin(), texture.end());
  return font;
}

// INTERF8 comes last, because the rule for its missing byte is about the last row.
std::vector<std::string> sprite_names() {
  std::vector<std::string> names{"COCKPIT", "LOGO", "SPRITES", "SELECTS"};
  for (const auto& [stem, count] : {std::pair("GEIZER", 6), std::pair("2GEIZER", 6), std::pair("INTERF", 8)}) {
    for (int number = 1; number <= count; ++number) {
      names.push_back(stem + std::to_string(number));
    }
  }
  for (std::string& name : names) {
    name += ".TEX";
  }
  return names;
}

}  // namespace

CorpusFile make_gamefont(std::uint64_t seed) {
  Prng prng(seed);
  RsliLayout layout;
  layout.seed_is_packed_total = true;
  layout.items.push_back(make_rsli_item("PAL.PAL", rsli::Method::kLzss, make_palette(prng)));
  layout.items.push_back(make_rsli_item("ARIALTEX.TFT", rsli::Method::kLzss, make_font(prng)));
  return {"gamefont.rlb", build_rsli(layout), layout.items.size()};
}

CorpusFile make_sprites(std::uint64_t seed) {
  constexpr std::array kBlocks{DeflateBlocks::kDynamic, DeflateBlocks::kFixed, DeflateBlocks::kMixed};
  Prng prng(seed);
  RsliLayout layout;
  layout.seed_is_packed_total = true;
  for (const std::string& name : sprite_names()) {
    const Buffer texture = make_texture(256, 128, prng);
    const DeflateBlocks blocks = kBlocks[layout.items.size() % kBlocks.size()];
    layout.items.push_back({.name = rsli_name(name),
                            .method = rsli::Method::kDeflate,
                            .unpacked_size = static_cast<std::uint32_t>(texture.size()),
                            .packed = pack_stably(rsli::Method::kDeflate, texture, blocks),
                            .excess_bytes = 1});
  }
  return {"sprites.lib", build_rsli(layout), layout.items.size()};
}

}  // namespace assay::synth
