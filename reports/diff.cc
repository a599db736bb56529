#include "reports/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "reports/lines.h"

namespace assay::reports {
namespace {

using golden::Change;
using golden::ChangeKind;
using golden::FileChanges;
using golden::ItemChanges;

bool is_good(Verdict verdict) {
  return verdict == Verdict::kOk || verdict == Verdict::kQuirk;
}

bool has_change(const ItemChanges& item, ChangeKind kind) {
  return std::ranges::find(item.changes, kind, &Change::kind) != item.changes.end();
}

// Whether the first error stayed, but its offset did not: the only finding change that has both sides.
bool error_moved(const ItemChanges& item) {
  return std::ranges::any_of(item.changes, [](const Change& change) {
    return change.kind == ChangeKind::kFindingChanged && !change.before.empty() && !change.after.empty() &&
           change.place;
  });
}

std::string error_cause(const std::optional<golden::FirstError>& error) {
  return error ? fmt::format("{} {}", error->code, without_indexes(error->field)) : std::string();
}

std::string rule_cause(const ItemChanges& item, ChangeKind kind) {
  std::string rules;
  for (const Change& change : item.changes) {
    if (change.kind == kind) {
      rules += rules.empty() ? change.subject : "+" + change.subject;
    }
  }
  return rules;
}

std::string cause_of(Category category, const std::string& path, const ItemChanges& item) {
  std::string cause;
  switch (category) {
    case Category::kRegressed:
    case Category::kReasonChanged: cause = error_cause(item.error_after); break;
    case Category::kFixed: cause = error_cause(item.error_before); break;
    case Category::kQuirkGained: cause = rule_cause(item, ChangeKind::kRuleGained); break;
    case Category::kQuirkLost: cause = rule_cause(item, ChangeKind::kRuleLost); break;
    case Category::kNew:
    case Category::kRemoved:
    case Category::kContentChanged: break;
  }
  return cause.empty() ? path : cause;
}

std::string detail_of(const ItemChanges& item) {
  std::string detail;
  for (const Change& change : item.changes) {
    detail += detail.empty() ? "" : "; ";
    detail += change_text(change);
  }
  return detail;
}

// Collects the items of all files by cause.
class DiffBuilder {
 public:
  void add(const FileChanges& file) {
    bool says_moved = !file.moved.has_value();
    for (const ItemChanges& item : file.items) {
      const Category category = category_of(item);
      ++count(category);
      DiffItem line{.path = file.path,
                    .entry = item.entry,
                    .before = item.before,
                    .after = item.after,
                    .detail = detail_of(item),
                    .is_explained = item.is_explained};
      if (!says_moved && item.entry.empty()) {
        // The file itself is what the moved entries are told with, so it is shown even where they explain it.
        line.detail += "; " + moved_text(file);
        line.is_explained = false;
        says_moved = true;
      }
      const ItemChanges& cause = item.is_explained ? explaining(file, category, item) : item;
      group(category, cause_of(category, file.path, cause)).push_back(std::move(line));
    }
    if (!says_moved) {
      group(Category::kContentChanged, file.path)
          .push_back({.path = file.path, .entry = {}, .before = {}, .after = {}, .detail = moved_text(file)});
      ++count(Category::kContentChanged);
    }
  }

  Diff take(const golden::Compared& compared) {
    for (auto& [key, items] : groups_) {
      diff_.groups.push_back({.category = key.first, .cause = key.second, .items = std::move(items)});
    }
    std::ranges::sort(diff_.groups, [](const DiffGroup& left, const DiffGroup& right) {
      return std::tuple(left.category, right.items.size(), std::string_view(left.cause)) <
             std::tuple(right.category, left.items.size(), std::string_view(right.cause));
    });
    diff_.compared = compared;
    return std::move(diff_);
  }

 private:
  // The entry that an archive is grouped with: the first one inside it in the same category.
  static const ItemChanges& explaining(const FileChanges& file, Category category, const ItemChanges& archive) {
    const auto found = std::ranges::find_if(file.items, [&](const ItemChanges& item) {
      return !item.is_explained && golden::is_inside(item.entry, archive.entry) && category_of(item) == category;
    });
    return found == file.items.end() ? archive : *found;
  }

  std::uint64_t& count(Category category) { return diff_.counts[static_cast<std::size_t>(category)]; }
  std::vector<DiffItem>& group(Category category, const std::string& cause) { return groups_[{category, cause}]; }

  Diff diff_;
  std::map<std::pair<Category, std::string>, std::vector<DiffItem>> groups_;
};

}  // namespace

std::string_view category_text(Category category) {
  switch (category) {
    case Category::kRegressed: return "regressed";
    case Category::kFixed: return "fixed";
    case Category::kNew: return "new";
    case Category::kRemoved: return "removed";
    case Category::kReasonChanged: return "reason changed";
    case Category::kQuirkGained: return "quirk gained";
    case Category::kQuirkLost: return "quirk lost";
    case Category::kContentChanged: return "content changed";
  }
  return "changed";
}

Category category_of(const ItemChanges& item) {
  if (!item.after) {
    return Category::kRemoved;
  }
  const Verdict after = *item.after;
  if (!item.before) {
    return after == Verdict::kFail ? Category::kRegressed : Category::kNew;
  }
  const Verdict before = *item.before;
  if ((is_good(before) && !is_good(after)) || (before == Verdict::kUnknown && after == Verdict::kFail)) {
    return Category::kRegressed;
  }
  if ((!is_good(before) && is_good(after)) || (before == Verdict::kFail && after == Verdict::kUnknown)) {
    return Category::kFixed;
  }
  if (after == Verdict::kFail && (item.error_before != item.error_after || error_moved(item))) {
    return Category::kReasonChanged;
  }
  if (has_change(item, ChangeKind::kRuleGained)) {
    return Category::kQuirkGained;
  }
  if (has_change(item, ChangeKind::kRuleLost)) {
    return Category::kQuirkLost;
  }
  return Category::kContentChanged;
}

Diff diff(golden::FileSource& before, golden::FileSource& after, const golden::RecordFinder& find_record) {
  DiffBuilder builder;
  const auto compared =
      golden::compare(before, after, find_record, [&](const FileChanges& file) { builder.add(file); });
  return builder.take(compared);
}

}  // namespace assay::reports
