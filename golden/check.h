#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "golden/compare.h"

// Does a run still give what the manifest promises?
namespace assay::golden {

struct CheckResult {
  // What is wrong with the whole: another profile, nothing to check.
  std::vector<std::string> problems;
  // The files that differ, by path.
  std::vector<FileChanges> files;
  Compared compared;
  // Changes by kind, and items with any.
  std::array<std::uint64_t, kChangeKinds> changes{};
  std::uint64_t changed_items = 0;

  [[nodiscard]] bool passed() const { return problems.empty() && files.empty(); }
  [[nodiscard]] std::uint64_t count(ChangeKind kind) const { return changes[static_cast<std::size_t>(kind)]; }
};

// Compares all of `actual`, which was scanned under `profile`, with the manifest. Anything that differs fails: an item
// missing or not in the manifest, content, format, verdict, finding, rule, directory row, fact; so do another profile
// and zero items on either side. Throws ManifestError, and what `actual` throws. Memory: the differences.
[[nodiscard]] CheckResult check(ManifestReader& expected, const std::string& profile, FileSource& actual,
                                const RecordFinder& find_record);

}  // namespace assay::golden
