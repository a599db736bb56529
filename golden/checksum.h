#pragma once

#include <cstdint>

#include "golden/item.h"

namespace assay::golden {

// 64 bits that stand for everything a run records about a file but its path: the same for equal items, and another
// number with near certainty when anything about one was changed by accident. Against intent it protects nothing. Part
// of the database: what it gives may change with the build only, since results of other builds are never reused, and a
// merge takes a change for damage. Cost: O(bytes of the values), about 60 ns an item.
[[nodiscard]] std::int64_t checksum_of(const FileResult& file);

}  // namespace assay::golden
