#include "fuzz/seeds/seed_functions.h"

namespace assay::fuzz {

std::vector<TargetSeed> xor_stream_seeds(std::string_view /*target*/) {
  return {{"key_without_effect", {0x80, 0x00, 1, 2, 3, 4, 5, 6, 7}},
          {"key_1234", {0x34, 0x12, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}},
          {"empty", {0xFF, 0xFF}}};
}

}  // namespace assay::fuzz
