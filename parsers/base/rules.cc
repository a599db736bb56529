#include "parsers/base/rules.h"

namespace assay {
namespace {

constexpr Rule kRules[] = {
#define ASSAY_RULE(enumerator, id, scope, opt_in, predicate, reason, evidence) \
  {RuleId::enumerator, id, scope, opt_in, predicate, reason, evidence},
#include "parsers/base/rules.def"
#undef ASSAY_RULE
};

}  // namespace

std::span<const Rule> all_rules() {
  return kRules;
}

const Rule& rule(RuleId id) {
  return kRules[static_cast<std::size_t>(id)];
}

std::optional<RuleId> find_rule(std::string_view name) {
  for (const Rule& candidate : kRules) {
    if (candidate.name == name) {
      return candidate.id;
    }
  }
  return std::nullopt;
}

RuleSet RuleSet::compatible() {
  RuleSet set;
  for (const Rule& candidate : kRules) {
    set.enable(candidate.id, !candidate.opt_in);
  }
  return set;
}

}  // namespace assay
