#include "fuzz/seeds/seed_functions.h"
#include "synth/stable_pack.h"

namespace assay::fuzz {

std::vector<TargetSeed> lzss_seeds(std::string_view target) {
  return codec_seeds(target, synth::append_lzss);
}

}  // namespace assay::fuzz
