#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

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
std::vector<Finding> comparable(const Findings& findings, bool with_notes) {
  std::vector<Finding> list;
  std::ranges::copy_if(findings.list(), std::back_inserter(list), [&](const Finding& finding) {
    return with_notes || finding.rule || finding.severity != Severity::kNote;
  });
  return list;
}

Failures compare_findings(const Findings& strict, const Findings& compatible) {
  Failures failures;
  const bool with_notes = std::ranges::none_of(compatible.list(), &Finding::applied);
  const std::vector<Finding> refused_list = comparable(strict, with_notes);
  const std::vector<Finding> relaxed_list = comparable(compatible, with_notes);
  if (!std::ranges::equal(refused_list, relaxed_list, same_place)) {
    failures.push_back({kName, "the profiles report different things: " + std::to_string(refused_list.size()) +
                                   " findings under strict, " + std::to_string(relaxed_list.size()) +
                                   " under compatible"});
    return failures;
  }
  for (std::size_t index = 0; index < refused_list.size(); ++index) {
    const Finding& refused = refused_list[index];
    const Finding& relaxed = relaxed_list[index];
    const std::string place = describe(refused.diagnostic);
    if (refused.applied) {
      failures.push_back({kName, "strict applied a rule: " + place});
    }
    if (relaxed.applied && refused.severity == Severity::kNote) {
      failures.push_back({kName, "a rule covers what is a mere note under strict: " + place});
    }
    if (!relaxed.applied && relaxed.severity != refused.severity) {
      failures.push_back({kName, "another severity without a rule: " + place});
    }
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
  const auto scratch = std::make_unique<DecodeScratch>();
  for (std::size_t index = 0; index < strict.member_count(); ++index) {
    const Loaded refused = load(strict, index, *scratch, 0);
    const Loaded relaxed = load(compatible, index, *scratch, 0);
    const bool has_rule = applies_a_rule(compatible_findings, index) || applies_a_rule(relaxed.findings, index);
    if (!same_load(refused, relaxed) && !has_rule) {
      failures.push_back({kName, "member " + std::to_string(index) + " loads differently without a rule"});
    }
  }
  return failures;
}

}  // namespace

Failures profiles(const Format& format, Bytes bytes, const ParseContext& context) {
  ParseContext strict_context = context;
  strict_context.rules = RuleSet::strict();
  ParseContext compatible_context = context;
  compatible_context.rules = RuleSet::compatible();
  const Parsed strict = parse(format, bytes, strict_context);
  const Parsed compatible = parse(format, bytes, compatible_context);
  if (!strict.document || !compatible.document) {
    const bool is_same = !strict.document && !compatible.document &&
                         same_diagnostic(strict.document.error(), compatible.document.error());
    return is_same ? Failures{} : Failures{{kName, "the profiles refuse the input differently"}};
  }
  Failures failures = compare_findings(strict.findings, compatible.findings);
  const Container* strict_members = (*strict.document)->container();
  const Container* compatible_members = (*compatible.document)->container();
  if (strict_members != nullptr && compatible_members != nullptr) {
    append(failures, compare_members(*strict_members, *compatible_members, compatible.findings));
  }
  return failures;
}

}  // namespace assay::oracles
