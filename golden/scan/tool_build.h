#pragma once

#include <string>

namespace assay::golden {

// A text that stands for the code of this process: a hash over its program file and the build ids of the shared
// libraries that are loaded, some of which decode; of a library without a build id the file is hashed too. Two builds
// that differ in one byte have different ones, whatever version they call themselves; a copy of the same build has the
// same. Empty where this cannot be told. Cost: hashing the program, about 5 MB, the first time; nothing after.
[[nodiscard]] const std::string& tool_build();

}  // namespace assay::golden
