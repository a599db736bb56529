#pragma once

#include <optional>

#include "golden/compare.h"

// One item against one item; compare.cc pairs them up.
namespace assay::golden {

// One side of a pair. `item` is null for a manifest, which knows no places.
struct Side {
  const Expectation* expected = nullptr;
  const Item* item = nullptr;
};

// Whether two items of runs agree in everything that is compared. Cheap, and exact in one direction: false may still
// turn out as no change.
[[nodiscard]] bool is_same(const Item& before, const Item& after);

// The changes from one side to the other. `file` is the one that holds `after.item`. Requires: `after.item`.
[[nodiscard]] ItemChanges compare_items(const Side& before, const Side& after, const FileResult& file,
                                        const RecordFinder& find_record);

// The fields in which two directory rows differ, with their places in `file`. Requires: `after.item`.
[[nodiscard]] std::vector<Change> compare_rows(const Side& before, const Side& after, const FileResult& file,
                                               const RecordFinder& find_record);

[[nodiscard]] std::optional<FirstError> first_error(const Expectation& expected);

// The bytes of the file that hold an item: its own, or those of the packed payload that it was decoded from.
[[nodiscard]] Place place_of(const Item& item, const FileResult& file);

// Whether the change is of a field that only says where an entry lies or where it stands in the lookup order.
[[nodiscard]] bool is_layout_change(const Change& change);

}  // namespace assay::golden
