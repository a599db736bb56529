#include "fuzz/seeds/seed_functions.h"
#include "synth/seeds/seeds.h"

namespace assay::fuzz {

std::vector<TargetSeed> meanings_seeds(std::string_view /*target*/) {
  std::vector<TargetSeed> seeds;
  for (const char* const format : {"texm", "mat0"}) {
    for (synth::Seed& seed : synth::seeds_of(format)) {
      seeds.push_back({std::string(format) + '_' + seed.name, std::move(seed.bytes)});
    }
  }
  return seeds;
}

}  // namespace assay::fuzz
