#pragma once

#include <string_view>

namespace assay::golden {

// Whether `path` matches `pattern`: `?` is one character and `*` any number, neither of them '/'; `**` also crosses
// '/'; everything else stands for itself, case included. Cost: O(pattern * path), no allocation.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view path);

}  // namespace assay::golden
