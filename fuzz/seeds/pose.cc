#include "fuzz/seeds/seed_functions.h"
#include "synth/prng.h"

namespace assay::fuzz {

// Models, and scripts of any bytes: every script says something.
std::vector<TargetSeed> pose_seeds(std::string_view /*target*/) {
  std::vector<TargetSeed> seeds;
  append_format_seeds("msh", seeds);
  synth::Prng prng(1);
  for (int number = 0; number < 16; ++number) {
    Buffer script(700);
    for (std::uint8_t& byte : script) {
      byte = prng.chance(50) ? static_cast<std::uint8_t>(prng.below(6)) : prng.byte();
    }
    seeds.push_back({"script_" + std::to_string(number), std::move(script)});
  }
  return seeds;
}

}  // namespace assay::fuzz
