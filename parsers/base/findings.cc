#include "parsers/base/findings.h"

#include <algorithm>
#include <array>
#include <utility>

namespace assay {
namespace {

constexpr std::array<std::pair<Severity, std::string_view>, 3> kSeverities{{
    {Severity::kNote, "note"},
    {Severity::kStrict, "strict"},
    {Severity::kError, "error"},
}};

constexpr std::array<std::pair<Verdict, std::string_view>, 4> kVerdicts{{
    {Verdict::kOk, "ok"},
    {Verdict::kQuirk, "quirk"},
    {Verdict::kFail, "fail"},
    {Verdict::kUnknown, "unknown"},
}};

template <typename Table, typename Value>
std::string_view text_in(const Table& table, Value value) {
  return table[static_cast<std::size_t>(value)].second;
}

template <typename Value, std::size_t Count>
std::optional<Value> value_in(const std::array<std::pair<Value, std::string_view>, Count>& table,
                              std::string_view text) {
  for (const auto& [value, name] : table) {
    if (name == text) {
      return value;
    }
  }
  return std::nullopt;
}

// What one finding alone makes of an item.
Verdict verdict_of_one(const Finding& finding) {
  if (finding.severity == Severity::kNote) {
    return Verdict::kOk;
  }
  return finding.severity == Severity::kStrict && finding.applied ? Verdict::kQuirk : Verdict::kFail;
}

}  // namespace

std::string_view severity_text(Severity severity) {
  return text_in(kSeverities, severity);
}
std::string_view verdict_text(Verdict verdict) {
  return text_in(kVerdicts, verdict);
}
std::optional<Verdict> find_verdict(std::string_view text) {
  return value_in(kVerdicts, text);
}
std::optional<Severity> find_severity(std::string_view text) {
  return value_in(kSeverities, text);
}

void Findings::note(const Diagnostic& diagnostic, std::int64_t entry_index) {
  add({.severity = Severity::kNote, .diagnostic = diagnostic, .entry_index = entry_index});
}

void Findings::strict(const Diagnostic& diagnostic, std::int64_t entry_index) {
  add({.severity = Severity::kStrict, .diagnostic = diagnostic, .entry_index = entry_index});
}

void Findings::error(const Diagnostic& diagnostic, std::int64_t entry_index) {
  add({.severity = Severity::kError, .diagnostic = diagnostic, .entry_index = entry_index});
}

void Findings::covered(const Diagnostic& diagnostic, RuleId rule, bool applied, Severity refused_severity,
                       std::int64_t entry_index) {
  add({.severity = applied ? Severity::kStrict : refused_severity,
       .diagnostic = diagnostic,
       .rule = rule,
       .applied = applied,
       .entry_index = entry_index});
}

Verdict verdict_of(std::span<const Finding> findings) {
  Verdict worst = Verdict::kOk;
  for (const Finding& finding : findings) {
    worst = std::max(worst, verdict_of_one(finding));
  }
  return worst;
}

}  // namespace assay
