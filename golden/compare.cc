#include "golden/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "golden/compare_item.h"

namespace assay::golden {
namespace {

// From how many moved entries on they are told in one line.
constexpr std::uint64_t kMovedTogether = 2;

// An entry of one side that is looked at more closely.
struct Candidate {
  const std::string* entry = nullptr;
  const Item* item = nullptr;
  Expectation expected;

  [[nodiscard]] Side side() const { return {&expected, item}; }
};

using Candidates = std::vector<Candidate>;

Candidates candidates_of(const FileResult* file, const RecordFinder& find_record) {
  Candidates candidates;
  if (file != nullptr) {
    candidates.reserve(file->items.size());
    for (const Item& item : file->items) {
      candidates.push_back({&item.entry, &item, expectation_of(item, find_record)});
    }
    std::ranges::sort(candidates, {}, [](const Candidate& one) -> const std::string& { return *one.entry; });
  }
  return candidates;
}

Candidates candidates_of(const ExpectedFile* file, const RecordFinder& /*find_record*/) {
  Candidates candidates;
  if (file != nullptr) {
    candidates.reserve(file->items.size());
    for (const Expectation& item : file->items) {
      candidates.push_back({&item.entry, nullptr, item});
    }
  }
  return candidates;
}

// Whether two results of one file agree item by item, which is how nearly all of them do.
bool is_same_file(const FileResult* before, const FileResult* after) {
  return before != nullptr && after != nullptr &&
         std::ranges::equal(before->items, after->items, [](const Item& left, const Item& right) {
           return left.entry == right.entry && is_same(left, right);
         });
}

bool is_same_file(const ExpectedFile* /*before*/, const FileResult* /*after*/) {
  return false;
}

ItemChanges missing_item(const Candidate& before) {
  return {.entry = *before.entry,
          .before = before.expected.verdict,
          .after = {},
          .error_before = first_error(before.expected),
          .error_after = {},
          .changes = {{.kind = ChangeKind::kItemMissing}}};
}

ItemChanges new_item(const Candidate& after, const FileResult& file) {
  ItemChanges item{.entry = *after.entry,
                   .before = {},
                   .after = after.expected.verdict,
                   .error_before = {},
                   .error_after = first_error(after.expected),
                   .changes = {{.kind = ChangeKind::kItemNew, .place = place_of(*after.item, file)}}};
  for (const ItemFinding& finding : after.item->findings) {
    if (finding.severity == Severity::kError) {
      item.changes.push_back({.kind = ChangeKind::kFindingChanged,
                              .subject = finding.field,
                              .after = finding_text(finding),
                              .message = finding.message,
                              .place = Place{finding.offset, 0}});
    }
  }
  return item;
}

// Compares what two candidate lists hold, both sorted by entry.
class FileComparison {
 public:
  FileComparison(const FileResult* after, const RecordFinder& find_record) : after_(after), find_record_(find_record) {}

  std::vector<ItemChanges> run(const Candidates& before, const Candidates& after) {
    auto left = before.begin();
    auto right = after.begin();
    while (left != before.end() || right != after.end()) {
      if (right == after.end() || (left != before.end() && *left->entry < *right->entry)) {
        missing_.push_back(&*left);
        items_.push_back(missing_item(*left++));
      } else if (left == before.end() || *right->entry < *left->entry) {
        new_.push_back({&*right, items_.size()});
        items_.push_back(new_item(*right++, *after_));
      } else {
        compare_pair(*left++, *right++);
      }
    }
    explain_renamed();
    return std::move(items_);
  }

 private:
  struct New {
    const Candidate* candidate;
    std::size_t index;
  };

  void compare_pair(const Candidate& before, const Candidate& after) {
    if (before.item != nullptr && is_same(*before.item, *after.item)) {
      return;
    }
    ItemChanges item = compare_items(before.side(), after.side(), *after_, find_record_);
    if (!item.changes.empty()) {
      items_.push_back(std::move(item));
    }
  }

  // A changed name makes an entry go and another one come. Where the bytes are the same, say which field did it.
  void explain_renamed() {
    // Of entries with the same bytes each new one takes the first that is left.
    std::map<Sha256, std::deque<const Candidate*>> missing;
    for (const Candidate* old : missing_) {
      if (!old->expected.row.empty() && old->expected.stored_sha256) {
        missing[*old->expected.stored_sha256].push_back(old);
      }
    }
    for (const New& fresh : new_) {
      const auto& hash = fresh.candidate->expected.stored_sha256;
      const auto same = hash ? missing.find(*hash) : missing.end();
      if (same != missing.end() && !same->second.empty()) {
        auto rows = compare_rows(same->second.front()->side(), fresh.candidate->side(), *after_, find_record_);
        same->second.pop_front();
        std::erase_if(rows, is_layout_change);
        std::ranges::move(rows, std::back_inserter(items_[fresh.index].changes));
      }
    }
  }

  const FileResult* after_;
  const RecordFinder& find_record_;
  std::vector<ItemChanges> items_;
  std::vector<const Candidate*> missing_;
  std::vector<New> new_;
};

bool has_layout_change(const ItemChanges& item) {
  return std::ranges::any_of(item.changes, is_layout_change);
}

// Tells entries that moved in one line, since one insertion moves all that follow.
void collapse_moved(FileChanges& file) {
  const auto moved = static_cast<std::uint64_t>(std::ranges::count_if(file.items, has_layout_change));
  if (moved < kMovedTogether) {
    return;
  }
  file.moved_entries = moved;
  for (ItemChanges& item : file.items) {
    const auto first = std::ranges::find_if(item.changes, is_layout_change);
    if (first == item.changes.end()) {
      continue;
    }
    if (!file.moved) {
      file.moved = *first;
      file.moved->kind = ChangeKind::kEntriesMoved;
      file.moved->message = item.entry;
    }
    std::erase_if(item.changes, is_layout_change);
  }
  std::erase_if(file.items, [](const ItemChanges& item) { return item.changes.empty(); });
}

// Whether everything about an archive follows from its entries.
bool can_be_explained(const ItemChanges& item) {
  return item.before && item.after && std::ranges::all_of(item.changes, [](const Change& change) {
           return change.kind == ChangeKind::kContentChanged || change.kind == ChangeKind::kVerdictChanged;
         });
}

// An entry's verdict explains its archive's only when it changed too.
void mark_explained(FileChanges& file) {
  std::set<std::string_view> with_changes;
  std::set<std::string_view> with_verdicts;
  if (file.moved) {
    with_changes.insert("");
  }
  for (const ItemChanges& item : file.items) {
    const std::string_view entry = item.entry;
    if (entry.empty()) {
      continue;
    }
    // The file itself, then every archive on the way to the entry.
    for (std::size_t end = 0, from = 0; end != std::string_view::npos; from = end + kAddressSeparator.size()) {
      const std::string_view ancestor = entry.substr(0, end);
      with_changes.insert(ancestor);
      if (item.before != item.after) {
        with_verdicts.insert(ancestor);
      }
      end = entry.find(kAddressSeparator, from);
    }
  }
  for (ItemChanges& item : file.items) {
    item.is_explained = can_be_explained(item) && with_changes.contains(item.entry) &&
                        (item.before == item.after || with_verdicts.contains(item.entry));
  }
}

template <typename Before>
FileChanges compare_any(const Before* before, const FileResult* after, const RecordFinder& find_record) {
  assert(before != nullptr || after != nullptr);
  FileChanges file;
  file.in_before = before != nullptr;
  file.in_after = after != nullptr;
  if (is_same_file(before, after)) {
    return file;
  }
  file.path = before == nullptr ? after->path : before->path;
  const Candidates left = candidates_of(before, find_record);
  const Candidates right = candidates_of(after, find_record);
  file.items = FileComparison(after, find_record).run(left, right);
  collapse_moved(file);
  mark_explained(file);
  return file;
}

template <typename Before>
Compared compare_all(Before& before, FileSource& after, const RecordFinder& find_record,
                     const std::function<void(FileChanges)>& visit) {
  Compared compared;
  merge_files(before, after, [&](const auto* left, const FileResult* right) {
    compared.items_before += left == nullptr ? 0 : left->items.size();
    compared.items_after += right == nullptr ? 0 : right->items.size();
    FileChanges changes = compare_file(left, right, find_record);
    if (!changes.empty()) {
      visit(std::move(changes));
    }
  });
  return compared;
}

}  // namespace

std::string_view change_kind_text(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kItemMissing: return "item_missing";
    case ChangeKind::kItemNew: return "item_new";
    case ChangeKind::kContentChanged: return "content_changed";
    case ChangeKind::kFormatChanged: return "format_changed";
    case ChangeKind::kVerdictChanged: return "verdict_changed";
    case ChangeKind::kFindingChanged: return "finding_changed";
    case ChangeKind::kRuleLost: return "rule_no_longer_fires";
    case ChangeKind::kRuleGained: return "rule_not_expected";
    case ChangeKind::kRowFieldChanged: return "row_field_changed";
    case ChangeKind::kFactChanged: return "fact_changed";
    case ChangeKind::kEntriesMoved: return "entries_moved";
  }
  return "changed";
}

FileChanges compare_file(const FileResult* before, const FileResult* after, const RecordFinder& find_record) {
  return compare_any(before, after, find_record);
}

FileChanges compare_file(const ExpectedFile* before, const FileResult* after, const RecordFinder& find_record) {
  return compare_any(before, after, find_record);
}

Compared compare(FileSource& before, FileSource& after, const RecordFinder& find_record,
                 const std::function<void(FileChanges)>& visit) {
  return compare_all(before, after, find_record, visit);
}

Compared compare(ManifestReader& before, FileSource& after, const RecordFinder& find_record,
                 const std::function<void(FileChanges)>& visit) {
  return compare_all(before, after, find_record, visit);
}

}  // namespace assay::golden
