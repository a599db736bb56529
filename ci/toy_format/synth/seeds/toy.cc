#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> toy_seeds();

std::vector<Seed> toy_seeds() {
  return {{.name = "one_pair", .bytes = {'T', 'O', 'Y', '!', 1, 0, 0, 0, 7, 0, 9, 0}}};
}

}  // namespace assay::synth
