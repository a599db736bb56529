#include "golden/check.h"

#include <fmt/format.h>

#include <utility>

namespace assay::golden {
namespace {

void count(const FileChanges& file, CheckResult& result) {
  for (const ItemChanges& item : file.items) {
    ++result.changed_items;
    for (const Change& change : item.changes) {
      ++result.changes[static_cast<std::size_t>(change.kind)];
    }
  }
  result.changes[static_cast<std::size_t>(ChangeKind::kEntriesMoved)] += file.moved_entries;
}

}  // namespace

CheckResult check(ManifestReader& expected, const std::string& profile, FileSource& actual,
                  const RecordFinder& find_record) {
  CheckResult result;
  if (expected.header().profile != profile) {
    result.problems.push_back(
        fmt::format("the manifest is for profile {}, the run used {}", expected.header().profile, profile));
  }
  result.compared = compare(expected, actual, find_record, [&](FileChanges file) {
    count(file, result);
    result.files.push_back(std::move(file));
  });
  if (result.compared.items_before == 0) {
    result.problems.emplace_back("the manifest holds zero items");
  }
  if (result.compared.items_after == 0) {
    result.problems.emplace_back("the run holds zero items");
  }
  return result;
}

}  // namespace assay::golden
