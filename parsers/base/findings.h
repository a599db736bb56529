#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "parsers/base/diagnostic.h"
#include "parsers/base/rules.h"

namespace assay {

// error: the thing is refused. strict: a rule of the format is broken but the thing can be read. note: odd, allowed.
enum class Severity : std::uint8_t { kNote, kStrict, kError };

enum class Verdict : std::uint8_t { kOk, kQuirk, kFail, kUnknown };

[[nodiscard]] std::string_view severity_text(Severity severity);
[[nodiscard]] std::string_view verdict_text(Verdict verdict);
[[nodiscard]] std::optional<Verdict> find_verdict(std::string_view text);
[[nodiscard]] std::optional<Severity> find_severity(std::string_view text);

// One thing that a parser saw. Where a rule covers the deviation it is named whether or not it was enabled; `applied`
// says whether it was enabled and used (docs/formats/decisions.md, 3).
struct Finding {
  Severity severity = Severity::kNote;
  Diagnostic diagnostic{};
  std::optional<RuleId> rule{};
  bool applied = false;
  // The directory index of the entry that this is about, or kWholeItem.
  std::int64_t entry_index = kWholeItem;

  static constexpr std::int64_t kWholeItem = -1;
};

// What parsers append to. Grows with what the parsed input really holds: at most a few findings an entry.
class Findings {
 public:
  void add(Finding finding) { list_.push_back(finding); }
  void note(const Diagnostic& diagnostic, std::int64_t entry_index = Finding::kWholeItem);
  void strict(const Diagnostic& diagnostic, std::int64_t entry_index = Finding::kWholeItem);
  void error(const Diagnostic& diagnostic, std::int64_t entry_index = Finding::kWholeItem);
  // A deviation that `rule` covers: `strict` when the rule was applied, else `refused_severity`.
  void covered(const Diagnostic& diagnostic, RuleId rule, bool applied, Severity refused_severity,
               std::int64_t entry_index = Finding::kWholeItem);

  [[nodiscard]] std::span<const Finding> list() const { return list_; }
  [[nodiscard]] bool empty() const { return list_.empty(); }

 private:
  std::vector<Finding> list_;
};

// The verdict that a list of findings amounts to (docs/formats/decisions.md, 2). Never kUnknown.
[[nodiscard]] Verdict verdict_of(std::span<const Finding> findings);

}  // namespace assay
