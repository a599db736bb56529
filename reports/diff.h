#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "golden/compare.h"

// What changed between two runs, sorted by what it means. Run numbers and times never matter.
namespace assay::reports {

// Each changed item is in exactly one category, the first of these that fits (`bad` is fail or unknown, `good` ok or
// quirk):
//   kRegressed       good became bad, unknown became fail, or an item that was not there before fails
//   kFixed           bad became good, or fail became unknown
//   kNew             only in the second run, and does not fail
//   kRemoved         only in the first run
//   kReasonChanged   fails in both, and the first error has another code, field or offset
//   kQuirkGained     a rule fires that did not, also when ok became quirk
//   kQuirkLost       a rule no longer fires, also when quirk became ok
//   kContentChanged  the rest: bytes, format, directory row, facts, other findings
// Only kRegressed makes the command end with status 1. That a rule fires is no regression here, because the item can be
// used either way; the manifest is what forbids unexpected rules.
enum class Category : std::uint8_t {
  kRegressed,
  kFixed,
  kNew,
  kRemoved,
  kReasonChanged,
  kQuirkGained,
  kQuirkLost,
  kContentChanged,
};
inline constexpr std::size_t kCategories = static_cast<std::size_t>(Category::kContentChanged) + 1;

// "regressed" ... "content changed", for people; JSON has '_' for the blank.
[[nodiscard]] std::string_view category_text(Category category);

[[nodiscard]] Category category_of(const golden::ItemChanges& item);

struct DiffItem {
  std::string path;
  std::string entry;
  std::optional<Verdict> before;
  std::optional<Verdict> after;
  // What changed, in one line.
  std::string detail;
  // An archive whose entries are the cause; it counts, but need not be shown.
  bool is_explained = false;
};

// Items with one cause: the same error in one format of field for failures, the rule for quirks, else the file.
struct DiffGroup {
  Category category = Category::kContentChanged;
  std::string cause;
  // By path and entry.
  std::vector<DiffItem> items;
};

struct Diff {
  // By category, then largest first, then by cause.
  std::vector<DiffGroup> groups;
  // Items in each category.
  std::array<std::uint64_t, kCategories> counts{};
  golden::Compared compared;

  [[nodiscard]] bool empty() const { return groups.empty(); }
  [[nodiscard]] bool has_regressed() const { return count(Category::kRegressed) != 0; }
  [[nodiscard]] std::uint64_t count(Category category) const { return counts[static_cast<std::size_t>(category)]; }
};

// Compares two runs, each by path. Throws what the sources throw. Memory: the differences and one file of each side.
[[nodiscard]] Diff diff(golden::FileSource& before, golden::FileSource& after, const golden::RecordFinder& find_record);

}  // namespace assay::reports
