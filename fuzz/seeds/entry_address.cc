#include "fuzz/seeds/seed_functions.h"

namespace assay::fuzz {

std::vector<TargetSeed> entry_address_seeds(std::string_view /*target*/) {
  return {text_seed("name", "A.TEX"),           text_seed("nested", "outer.lib::INNER::\\x41b"),
          text_seed("index", "#0::#3"),         text_seed("number", "18446744073709551615"),
          text_seed("escape", "\\\\back\\xff"), text_seed("colons", ":::::")};
}

}  // namespace assay::fuzz
