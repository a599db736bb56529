#include "synth/random_archives.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> rsli_seeds();

std::vector<Seed> rsli_seeds() {
  std::vector<Seed> seeds;
  constexpr std::uint64_t kRandomSeeds = 48;
  for (std::uint64_t number = 0; number < kRandomSeeds; ++number) {
    Prng prng(number);
    seeds.push_back(
        {.name = "random" + std::to_string(number), .bytes = random_rsli(prng), .item_name = "a.lib", .is_file = true});
  }
  return seeds;
}

}  // namespace assay::synth
