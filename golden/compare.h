#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "golden/expectation.h"
#include "golden/item.h"
#include "golden/manifest.h"

// What changed between two lots of results, file by file, and which bytes it is about.
namespace assay::golden {

enum class ChangeKind : std::uint8_t {
  kItemMissing,
  kItemNew,
  kContentChanged,
  kFormatChanged,
  kVerdictChanged,
  kFindingChanged,
  kRuleLost,
  kRuleGained,
  kRowFieldChanged,
  kFactChanged,
  // Of a whole file: entries that differ in nothing but where they lie.
  kEntriesMoved,
};
inline constexpr std::size_t kChangeKinds = static_cast<std::size_t>(ChangeKind::kEntriesMoved) + 1;

// E.g. "content_changed", as JSON output names it.
[[nodiscard]] std::string_view change_kind_text(ChangeKind kind);

// Bytes of the file that a change is about. `size` 0: only where it starts is known.
struct Place {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

struct Change {
  ChangeKind kind = ChangeKind::kContentChanged;
  // The field path, e.g. `entry[2].attr1`; the key of a fact; the rule; empty for others.
  std::string subject{};
  // Values, or findings, of both sides; empty where a side has none.
  std::string before{};
  std::string after{};
  // What the finding behind the change says.
  std::string message{};
  std::optional<Place> place{};
  // Of a row field: whether its record table says that it only follows from the layout.
  bool follows_layout = false;
};

// The error that comes first in the order of the checks.
struct FirstError {
  std::string code;
  std::string field;

  friend bool operator==(const FirstError&, const FirstError&) = default;
};

struct ItemChanges {
  std::string entry;
  // Nothing: the item is not there on that side.
  std::optional<Verdict> before;
  std::optional<Verdict> after;
  std::optional<FirstError> error_before;
  std::optional<FirstError> error_after;
  std::vector<Change> changes;
  // An archive that differs only because of what is inside: its entries, which are listed too, are the cause.
  bool is_explained = false;
};

struct FileChanges {
  std::string path;
  // Whether the file is there on each side.
  bool in_before = true;
  bool in_after = true;
  // Sorted by entry, so the file itself is first. Only items with changes.
  std::vector<ItemChanges> items;
  // kEntriesMoved, when two or more entries moved: `subject`, values and place are of the first one, `message` names
  // it.
  std::optional<Change> moved;
  std::uint64_t moved_entries = 0;

  [[nodiscard]] bool empty() const { return items.empty() && !moved; }
};

// Compares one file; a null pointer says that it is not there. Both sides hold the same path. Offsets of findings count
// only for errors of runs, and only where the entry did not move. Cost: O(items), without conversion while items are
// equal; O(items log items) otherwise.
[[nodiscard]] FileChanges compare_file(const FileResult* before, const FileResult* after,
                                       const RecordFinder& find_record);
[[nodiscard]] FileChanges compare_file(const ExpectedFile* before, const FileResult* after,
                                       const RecordFinder& find_record);

// Merges two sides that are sorted by path and calls `visit(before, after)` once for each path, with null where a side
// lacks it. A side is anything with next(). Memory: one file of each side.
template <typename Before, typename After, typename Visit>
void merge_files(Before& before, After& after, Visit visit) {
  auto left = before.next();
  auto right = after.next();
  while (left || right) {
    const bool takes_left = left && (!right || left->path <= right->path);
    const bool takes_right = right && (!left || right->path <= left->path);
    visit(takes_left ? &*left : nullptr, takes_right ? &*right : nullptr);
    if (takes_left) {
      left = before.next();
    }
    if (takes_right) {
      right = after.next();
    }
  }
}

// What a comparison counts of each side.
struct Compared {
  std::uint64_t items_before = 0;
  std::uint64_t items_after = 0;
};

// Merges two sides and visits the files that differ, in order of path.
Compared compare(FileSource& before, FileSource& after, const RecordFinder& find_record,
                 const std::function<void(FileChanges)>& visit);
Compared compare(ManifestReader& before, FileSource& after, const RecordFinder& find_record,
                 const std::function<void(FileChanges)>& visit);

}  // namespace assay::golden
