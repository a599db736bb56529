#pragma once

#include "fuzz/seeds/target_seeds.h"

// What all_targets() calls: a function for each file of this folder, which CMake knows by its name.
namespace assay::fuzz {

#define ASSAY_FUZZ_TARGET(name, file) std::vector<TargetSeed> file##_seeds(std::string_view target);
#include "fuzz/fuzz_targets.def"
#undef ASSAY_FUZZ_TARGET

}  // namespace assay::fuzz
