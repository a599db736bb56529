#pragma once

#include <string>
#include <utility>
#include <vector>

// What a figure depends on besides the code that is measured.
namespace assay::bench {

// Keys and values in a fixed order: cpu, compiler, flags, preset, commit and the versions of libraries.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> build_facts();

}  // namespace assay::bench
