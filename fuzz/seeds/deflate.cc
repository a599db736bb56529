#include "fuzz/seeds/seed_functions.h"
#include "synth/stable_pack.h"

namespace assay::fuzz {

std::vector<TargetSeed> deflate_seeds(std::string_view target) {
  auto seeds = codec_seeds(
      target, [](Bytes plain, Buffer& out) { synth::append_deflate(plain, synth::DeflateBlocks::kMixed, out); });
  if (!target.ends_with("_encode")) {
    // An empty fixed block and an empty stored one: nothing but headers.
    seeds.push_back({"empty_fixed_block", with_size(0, Buffer{0x03, 0x00})});
    seeds.push_back({"empty_stored_block", with_size(0, Buffer{0x01, 0x00, 0x00, 0xFF, 0xFF})});
    // Three literals of fixed code, and the end of the block lacks two of its bits.
    seeds.push_back({"without_its_end", with_size(3, Buffer{0x4B, 0x4C, 0x4A, 0x06})});
    // A literal and a match of length symbol 286, which libdeflate takes for 285 and zlib refuses.
    seeds.push_back({"reserved_length_symbol", with_size(259, Buffer{0x4B, 0x1C, 0x03, 0x00})});
  }
  return seeds;
}

}  // namespace assay::fuzz
