#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "parsers/base/diagnostic.h"

// Sort maps: position i holds the row that is i-th by name. Both archive kinds have one; they differ in how names
// compare (docs/formats/nres.md, A3; docs/formats/rsli.md, B5).
namespace assay {

// The rows 0 .. count - 1 in order of their names, ties in row order. `compare(a, b)` compares the names of two rows
// three-way. Requires: count fits Index. Cost: O(n log n).
template <typename Index, typename Compare>
[[nodiscard]] std::vector<Index> make_sort_map(std::size_t count, Compare compare) {
  std::vector<Index> map(count);
  std::iota(map.begin(), map.end(), Index{0});
  std::sort(map.begin(), map.end(), [&](Index left, Index right) {
    const int names = compare(left, right);
    return names != 0 ? names < 0 : left < right;
  });
  return map;
}

// What is wrong with a stored map: which check, and at which position.
struct SortMapViolation {
  Code code = Code::kInternal;
  std::size_t position = 0;
  Datum expected{};
};

// The first violation in the documented order: a row that does not exist, a row twice, names out of order.
// `target_of(i)` gives what is stored at position i, `compare(a, b)` compares the names of two rows three-way. Cost:
// O(n).
template <typename TargetOf, typename Compare>
[[nodiscard]] std::optional<SortMapViolation> find_violation(std::size_t count, TargetOf target_of, Compare compare) {
  for (std::size_t position = 0; position < count; ++position) {
    const std::int64_t target = target_of(position);
    if (target < 0 || target >= static_cast<std::int64_t>(count)) {
      return SortMapViolation{Code::kSortIndexOutOfRange, position, Datum::below(count)};
    }
  }
  const auto row_at = [&](std::size_t position) { return static_cast<std::size_t>(target_of(position)); };
  std::vector<bool> seen(count);
  for (std::size_t position = 0; position < count; ++position) {
    if (seen[row_at(position)]) {
      return SortMapViolation{Code::kSortIndexDuplicate, position, Datum::words("a row not named before")};
    }
    seen[row_at(position)] = true;
  }
  for (std::size_t position = 1; position < count; ++position) {
    if (compare(row_at(position - 1), row_at(position)) > 0) {
      return SortMapViolation{Code::kSortOrderMismatch, position,
                              Datum::words("a name not before that of the position before")};
    }
  }
  return std::nullopt;
}

// The lowest row whose name equals what is looked for, by a sound map: `row_at(i)` gives the row at position i,
// `compare_to_wanted(row)` compares its name with the wanted one three-way. Cost: O(log n + equal names).
template <typename RowAt, typename CompareToWanted>
[[nodiscard]] std::optional<std::size_t> find_by_map(std::size_t count, RowAt row_at,
                                                     CompareToWanted compare_to_wanted) {
  std::size_t low = 0;
  std::size_t high = count;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (compare_to_wanted(row_at(middle)) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  // Equal names lie together, but in row order only when the writer sorted stably.
  std::optional<std::size_t> lowest;
  for (; low < count && compare_to_wanted(row_at(low)) == 0; ++low) {
    lowest = std::min(lowest.value_or(row_at(low)), std::size_t{row_at(low)});
  }
  return lowest;
}

}  // namespace assay
