#include "golden/compare_item.h"

#include <fmt/format.h>

#include <algorithm>

#include "parsers/base/escape.h"

namespace assay::golden {
namespace {

// Enough to tell hashes apart by eye.
constexpr std::size_t kShownHashDigits = 12;

bool is_same_finding(const ItemFinding& before, const ItemFinding& after) {
  return before.code == after.code && before.severity == after.severity && before.rule == after.rule &&
         before.applied == after.applied && before.field == after.field;
}

// Whether both items lie at the same place, so that offsets of their findings can be compared.
bool is_at_same_place(const Item& before, const Item& after) {
  return before.offset == after.offset && before.stored_size == after.stored_size &&
         before.row.offset == after.row.offset && before.row.index == after.row.index;
}

const ItemFinding* first_error_of(const Item& item) {
  const auto found = std::ranges::find(item.findings, Severity::kError, &ItemFinding::severity);
  return found == item.findings.end() ? nullptr : &*found;
}

// Whether the first errors of two unmoved items are the same but stand at different offsets.
bool error_moved(const Item& before, const Item& after) {
  const ItemFinding* left = first_error_of(before);
  const ItemFinding* right = first_error_of(after);
  return left != nullptr && right != nullptr && is_same_finding(*left, *right) && left->offset != right->offset &&
         is_at_same_place(before, after);
}

const Item* find_item(const FileResult& file, std::string_view entry) {
  const auto found =
      std::ranges::find(file.items, entry, [](const Item& item) { return std::string_view(item.entry); });
  return found == file.items.end() ? nullptr : &*found;
}

// The outermost packed payload that `item` was decoded from, or null when its bytes lie in the file as they are.
const Item* packed_ancestor(const Item& item, const FileResult& file) {
  for (std::size_t end = item.entry.find(kAddressSeparator); end != std::string::npos;
       end = item.entry.find(kAddressSeparator, end + kAddressSeparator.size())) {
    const Item* ancestor = find_item(file, std::string_view(item.entry).substr(0, end));
    if (ancestor != nullptr && ancestor->stored_sha256 != ancestor->sha256) {
      return ancestor;
    }
  }
  return nullptr;
}

std::string hash_text(const std::optional<Sha256>& hash) {
  return hash ? to_hex(*hash).substr(0, kShownHashDigits) : "none";
}

std::string content_text(const Expectation& expected) {
  std::string text = fmt::format("size {}, sha256 {}", expected.size, hash_text(expected.sha256));
  if (expected.stored_sha256 != expected.sha256) {
    text += fmt::format(", stored sha256 {}", hash_text(expected.stored_sha256));
  }
  return text;
}

// The part of a record's name that begins a field path: "entry" of "nres.entry".
std::string_view record_label(std::string_view record) {
  return record.substr(record.rfind('.') + 1);
}

const Fact* find_fact(const std::vector<Fact>& facts, std::string_view key) {
  const auto found = std::ranges::find(facts, key, [](const Fact& fact) { return std::string_view(fact.key); });
  return found == facts.end() ? nullptr : &*found;
}

// Calls `visit(key, before, after)` for what differs; a side that lacks the key is an empty text.
template <typename Visit>
void for_each_difference(const std::vector<Fact>& before, const std::vector<Fact>& after, Visit visit) {
  for (const Fact& fact : before) {
    const Fact* other = find_fact(after, fact.key);
    if (other == nullptr || other->value != fact.value) {
      visit(fact.key, fact.value, other == nullptr ? std::string() : other->value);
    }
  }
  for (const Fact& fact : after) {
    if (find_fact(before, fact.key) == nullptr) {
      visit(fact.key, std::string(), fact.value);
    }
  }
}

// What `left` has more of than `right`, in the order of `left`.
std::vector<std::string> surplus(const std::vector<std::string>& left, std::vector<std::string> right) {
  std::vector<std::string> more;
  for (const std::string& text : left) {
    const auto found = std::ranges::find(right, text);
    if (found == right.end()) {
      more.push_back(text);
    } else {
      right.erase(found);
    }
  }
  return more;
}

Change finding_change(ChangeKind kind, const ItemFinding& finding) {
  return {.kind = kind, .subject = finding.field, .message = finding.message, .place = Place{finding.offset, 0}};
}

// Collects the changes of one pair.
class Comparison {
 public:
  Comparison(const Side& before, const Side& after, const FileResult& file)
      : before_(before), after_(after), file_(file) {}

  void run(const RecordFinder& find_record) {
    compare_verdict();
    compare_rules();
    compare_findings();
    compare_content();
    compare_format();
    std::ranges::move(compare_rows(before_, after_, file_, find_record), std::back_inserter(changes_));
    for_each_difference(before_.expected->facts, after_.expected->facts,
                        [&](const std::string& key, const std::string& old_value, const std::string& new_value) {
                          add(ChangeKind::kFactChanged, key, old_value, new_value);
                        });
  }

  [[nodiscard]] std::vector<Change> take() { return std::move(changes_); }

 private:
  Change& add(ChangeKind kind, std::string subject, std::string before, std::string after) {
    changes_.push_back(
        {.kind = kind, .subject = std::move(subject), .before = std::move(before), .after = std::move(after)});
    return changes_.back();
  }

  void compare_verdict() {
    const Verdict before = before_.expected->verdict;
    const Verdict after = after_.expected->verdict;
    if (before != after) {
      add(ChangeKind::kVerdictChanged, {}, std::string(verdict_text(before)), std::string(verdict_text(after)));
    }
  }

  void compare_rules() {
    for (const std::string& rule : surplus(before_.expected->rules, after_.expected->rules)) {
      add(ChangeKind::kRuleLost, rule, rule, {});
    }
    for (const std::string& rule : surplus(after_.expected->rules, before_.expected->rules)) {
      Change& change = add(ChangeKind::kRuleGained, rule, {}, rule);
      const auto finding = std::ranges::find_if(
          after_.item->findings, [&](const ItemFinding& one) { return is_applied_rule(one) && one.rule == rule; });
      change.message = fmt::format("{}: {}", finding->field, finding->message);
      change.place = Place{finding->offset, 0};
    }
  }

  void compare_findings() {
    const auto gone = surplus(before_.expected->findings, after_.expected->findings);
    const auto added = surplus(after_.expected->findings, before_.expected->findings);
    for (const std::string& text : gone) {
      add(ChangeKind::kFindingChanged, {}, text, {});
    }
    for (const std::string& text : added) {
      const auto finding = std::ranges::find_if(after_.item->findings, [&](const ItemFinding& one) {
        return !is_applied_rule(one) && finding_text(one) == text;
      });
      changes_.push_back(finding_change(ChangeKind::kFindingChanged, *finding));
      changes_.back().after = text;
    }
    if (gone.empty() && added.empty() && before_.expected->findings != after_.expected->findings) {
      add(ChangeKind::kFindingChanged, {}, "findings in one order", "the same findings in another order");
    }
    if (before_.item != nullptr && gone.empty() && added.empty() && error_moved(*before_.item, *after_.item)) {
      changes_.push_back(finding_change(ChangeKind::kFindingChanged, *first_error_of(*after_.item)));
      changes_.back().before = fmt::format("offset {:#x}", first_error_of(*before_.item)->offset);
      changes_.back().after = finding_text(*first_error_of(*after_.item));
    }
  }

  void compare_content() {
    const Expectation& before = *before_.expected;
    const Expectation& after = *after_.expected;
    if (before.sha256 != after.sha256 || before.stored_sha256 != after.stored_sha256 || before.size != after.size) {
      add(ChangeKind::kContentChanged, {}, content_text(before), content_text(after)).place =
          place_of(*after_.item, file_);
    }
  }

  void compare_format() {
    if (before_.expected->format != after_.expected->format) {
      add(ChangeKind::kFormatChanged, {}, before_.expected->format, after_.expected->format);
    }
  }

  Side before_;
  Side after_;
  const FileResult& file_;
  std::vector<Change> changes_;
};

}  // namespace

bool is_same(const Item& before, const Item& after) {
  return before.verdict == after.verdict && before.size == after.size && before.stored_sha256 == after.stored_sha256 &&
         before.sha256 == after.sha256 && before.format == after.format && before.row.record == after.row.record &&
         before.row.bytes == after.row.bytes && before.facts == after.facts &&
         std::ranges::equal(before.findings, after.findings, is_same_finding) && !error_moved(before, after);
}

Place place_of(const Item& item, const FileResult& file) {
  const Item* packed = packed_ancestor(item, file);
  const Item& stored = packed == nullptr ? item : *packed;
  return {stored.offset, stored.stored_size};
}

std::optional<FirstError> first_error(const Expectation& expected) {
  constexpr std::string_view kError = "error ";
  for (const std::string& text : expected.findings) {
    if (text.starts_with(kError)) {
      const std::string_view rest = std::string_view(text).substr(kError.size());
      const std::size_t blank = std::min(rest.find(' '), rest.size() - 1);
      return FirstError{std::string(rest.substr(0, blank)), std::string(rest.substr(blank + 1))};
    }
  }
  return std::nullopt;
}

bool is_layout_change(const Change& change) {
  return change.kind == ChangeKind::kRowFieldChanged && change.follows_layout;
}

std::vector<Change> compare_rows(const Side& before, const Side& after, const FileResult& file,
                                 const RecordFinder& find_record) {
  std::vector<Change> changes;
  const DirectoryRow& row = after.item->row;
  const RecordInfo* record = row.record.empty() ? nullptr : find_record(row.record);
  const Item* packed = packed_ancestor(*after.item, file);
  for_each_difference(
      before.expected->row, after.expected->row,
      [&](const std::string& name, const std::string& old_value, const std::string& new_value) {
        Change change{.kind = ChangeKind::kRowFieldChanged, .subject = name, .before = old_value, .after = new_value};
        if (!row.record.empty()) {
          change.subject = fmt::format("{}[{}].{}", record_label(row.record), row.index, name);
          const FieldInfo* field = record == nullptr ? nullptr : record->find(name);
          const bool is_known = field != nullptr && packed == nullptr;
          change.follows_layout = field != nullptr && field->follows_layout;
          change.place = is_known ? Place{row.offset + field->offset, field->size_bytes}
                                  : Place{row.offset, packed == nullptr ? row.bytes.size() : 0};
        }
        changes.push_back(std::move(change));
      });
  return changes;
}

ItemChanges compare_items(const Side& before, const Side& after, const FileResult& file,
                          const RecordFinder& find_record) {
  Comparison comparison(before, after, file);
  comparison.run(find_record);
  return {.entry = after.expected->entry,
          .before = before.expected->verdict,
          .after = after.expected->verdict,
          .error_before = first_error(*before.expected),
          .error_after = first_error(*after.expected),
          .changes = comparison.take()};
}

}  // namespace assay::golden
