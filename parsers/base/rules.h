#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// Named relaxations. Nothing irregular is accepted without one of these.
namespace assay {

enum class RuleId : std::uint8_t {
#define ASSAY_RULE(enumerator, id, scope, opt_in, predicate, reason, evidence) enumerator,
#include "parsers/base/rules.def"
#undef ASSAY_RULE
  kCount,
};

struct Rule {
  RuleId id;
  std::string_view name;
  std::string_view scope;
  bool opt_in;
  std::string_view predicate;
  std::string_view reason;
  std::string_view evidence;
};

// The catalogue, in the order of rules.def.
[[nodiscard]] std::span<const Rule> all_rules();
[[nodiscard]] const Rule& rule(RuleId id);
[[nodiscard]] std::optional<RuleId> find_rule(std::string_view name);

// The rules that are enabled. The strict profile is the empty set; the compatible profile is every rule that is not
// opt-in.
class RuleSet {
 public:
  [[nodiscard]] static RuleSet strict() { return {}; }
  [[nodiscard]] static RuleSet compatible();

  [[nodiscard]] bool enabled(RuleId id) const { return bits_.test(static_cast<std::size_t>(id)); }
  RuleSet& enable(RuleId id, bool on = true) {
    bits_.set(static_cast<std::size_t>(id), on);
    return *this;
  }
  friend bool operator==(const RuleSet&, const RuleSet&) = default;

 private:
  std::bitset<static_cast<std::size_t>(RuleId::kCount)> bits_;
};

}  // namespace assay
