#pragma once

#include <string>

#include "fuzz/seeds/target_seeds.h"

namespace assay::fuzz {

// The dictionary of one target in the engines' format, `"..."` a line. For a format: type tags and names of all formats
// (archives hold any of them), the magics, texts and marked numbers that its seeds hold field by field, the names of
// its fields and numbers at the edges of their types. For what reads text: the field names of all formats and the
// characters that separate. Always the same. Cost: parses the seeds.
[[nodiscard]] std::string dictionary_of(const FuzzTarget& target);

}  // namespace assay::fuzz
