#pragma once

#include <string>

namespace assay::golden {

// A text that stands for the code of this process: a hash over its program file and over every shared library that is
// loaded, some of which decode. Two builds that differ in one byte of code have different ones, whatever version they
// call themselves; a copy of the same build has the same. Empty where this cannot be told. Cost: hashing about 15 MB
// the first time, nothing after.
[[nodiscard]] const std::string& tool_build();

}  // namespace assay::golden
