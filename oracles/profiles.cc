#include <algorithm>
#include <ranges>
#include <string>

#include "oracles/oracles.h"
#include "oracles/support.h"

namespace assay::oracles {
namespace {

constexpr const char* kName = "profiles";

// The same deviation, whatever each profile made of it.
bool same_place(const Finding& left, const Finding& right) {
  return left.rule == right.rule && left.entry_index == right.entry_index &&
         same_diagnostic(left.diagnostic, right.diagnostic);
}

// What has to be the same under both. Where a rule was used, the notes are not: an entry that is refused leaves its
// bytes without an owner, which is worth a note under strict only.
auto comparable(const Findings& findings, bool with_notes) {
  return findings.list() | std::views::filter([with_notes](const Finding& finding) {
           return with_notes || finding.rule || finding.severity != Severity::kNote;
         });
}

// What is wrong with one deviation as the two profiles tell it, or null.
const char* contradiction(const Finding& refused, const Finding& relaxed) {
  if (refused.applied) {
    return "strict applied a rule: ";
  }
  if (relaxed.applied && refused.severity == Severity::kNote) {
    return "a rule covers what is a mere note under strict: ";
  }
  if (!relaxed.applied && relaxed.severity != refused.severity) {
    return "another severity without a rule: ";
  }
  return nullptr;
}

Failures compare_findings(const Findings& strict, const Findings& compatible) {
  const bool with_notes = std::ranges::none_of(compatible.list(), &Finding::applied);
  auto refused_list = comparable(strict, with_notes);
  auto relaxed_list = comparable(compatible, with_notes);
  if (!std::ranges::equal(refused_list, relaxed_list, same_place)) {
    return {{kName, "the profiles report different things: " + std::to_string(strict.list().size()) +
                        " findings under strict, " + std::to_string(compatible.list().size()) + " under compatible"}};
  }
  Failures failures;
  auto relaxed = relaxed_list.begin();
  for (const Finding& refused : refused_list) {
    if (const char* wrong = contradiction(refused, *relaxed)) {
      failures.push_back({kName, wrong + describe(refused.diagnostic)});
    }
    ++relaxed;
  }
  if (verdict_of(strict.list()) == Verdict::kOk && verdict_of(compatible.list()) != Verdict::kOk) {
    failures.push_back({kName, "ok under strict and not under compatible"});
  }
  return failures;
}

bool applies_a_rule(const Findings& findings, std::size_t entry_index) {
  return std::ranges::any_of(findings.list(), [&](const Finding& finding) {
    return finding.applied && finding.entry_index == static_cast<std::int64_t>(entry_index);
  });
}

Failures compare_members(const Container& strict, const Container& compatible, const Findings& compatible_findings) {
  if (strict.member_count() != compatible.member_count()) {
    return {{kName, "the profiles see different numbers of members"}};
  }
  Failures failures;
  DecodeScratch& scratch = shared_scratch();
  for (std::size_t index = 0; index < strict.member_count(); ++index) {
    const Loaded refused = load(strict, index, scratch, 0);
    const Loaded relaxed = load(compatible, index, scratch, 0);
    const bool has_rule = applies_a_rule(compatible_findings, index) || applies_a_rule(relaxed.findings, index);
    if (!same_load(refused, relaxed) && !has_rule) {
      failures.push_back({kName, "member " + std::to_string(index) + " loads differently without a rule"});
    }
  }
  return failures;
}

}  // namespace

Failures compare_profiles(const Parsed& strict, const Parsed& compatible, bool with_members) {
  if (!strict.document || !compatible.document) {
    const bool is_same = !strict.document && !compatible.document &&
                         same_diagnostic(strict.document.error(), compatible.document.error());
    return is_same ? Failures{} : Failures{{kName, "the profiles refuse the input differently"}};
  }
  Failures failures = compare_findings(strict.findings, compatible.findings);
  const Container* strict_members = (*strict.document)->container();
  const Container* compatible_members = (*compatible.document)->container();
  if (with_members && strict_members != nullptr && compatible_members != nullptr) {
    append(failures, compare_members(*strict_members, *compatible_members, compatible.findings));
  }
  return failures;
}

Failures profiles(const Format& format, Bytes bytes, const ParseContext& context) {
  ParseContext strict_context = context;
  strict_context.rules = RuleSet::strict();
  ParseContext compatible_context = context;
  compatible_context.rules = RuleSet::compatible();
  return compare_profiles(parse(format, bytes, strict_context), parse(format, bytes, compatible_context), true);
}

}  // namespace assay::oracles
