#include "fuzz/seeds/seed_functions.h"

namespace assay::fuzz {

std::vector<TargetSeed> meanings_seeds(std::string_view /*target*/) {
  std::vector<TargetSeed> seeds;
  for (const char* const format : {"texm", "mat0"}) {
    append_format_seeds(format, seeds);
  }
  return seeds;
}

}  // namespace assay::fuzz
