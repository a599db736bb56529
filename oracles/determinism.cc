#include <algorithm>
#include <string>
#include <vector>

#include "oracles/oracles.h"
#include "oracles/support.h"

namespace assay::oracles {
namespace {

constexpr const char* kName = "determinism";

Failures compare_parses(const Parsed& first, const Parsed& second) {
  if (first.document.has_value() != second.document.has_value()) {
    return {{kName, "accepted once and refused once"}};
  }
  if (!first.document) {
    return same_diagnostic(first.document.error(), second.document.error())
               ? Failures{}
               : Failures{{kName, "refused for two reasons: " + describe(first.document.error()) + " and " +
                                      describe(second.document.error())}};
  }
  Failures failures;
  if (!std::ranges::equal(first.findings.list(), second.findings.list(), same_finding)) {
    failures.push_back({kName, "other findings the second time"});
  }
  if ((*first.document)->facts() != (*second.document)->facts()) {
    failures.push_back({kName, "other facts the second time"});
  }
  if ((*first.document)->write() != (*second.document)->write()) {
    failures.push_back({kName, "other bytes written the second time"});
  }
  return failures;
}

// Loads every member by itself, then all with one scratch backwards, and each twice in a row there.
Failures compare_orders(const Container& container) {
  Failures failures;
  DecodeScratch& shared = shared_scratch();
  const std::size_t count = container.member_count();
  std::vector<Loaded> forwards;
  forwards.reserve(count);
  for (std::size_t index = 0; index < count; ++index) {
    forwards.push_back(load(container, index, shared, 0x00));
  }
  for (std::size_t index = count; index-- > 0;) {
    const Loaded backwards = load(container, index, shared, 0xFF);
    const Loaded again = load(container, index, shared, 0xA5);
    if (!same_load(forwards[index], backwards) || !same_load(backwards, again)) {
      failures.push_back({kName, "member " + std::to_string(index) + " depends on what was decoded before it"});
    }
  }
  return failures;
}

// Without any memory of earlier members; a few of them, because a new scratch is costly.
Failures compare_alone(const Container& container) {
  constexpr std::size_t kAlone = 8;
  Failures failures;
  DecodeScratch& shared = shared_scratch();
  const std::size_t step = std::max<std::size_t>(1, container.member_count() / kAlone);
  for (std::size_t index = 0; index < container.member_count(); index += step) {
    const Loaded beside = load(container, index, shared, 0x20);
    const auto own = std::make_unique<DecodeScratch>();
    if (!same_load(beside, load(container, index, *own, 0x00))) {
      failures.push_back({kName, "member " + std::to_string(index) + " decodes differently alone"});
    }
  }
  return failures;
}

}  // namespace

Failures determinism(const Format& format, Bytes bytes, const ParseContext& context) {
  const Parsed first = parse(format, bytes, context);
  Failures failures = compare_parses(first, parse(format, bytes, context));
  const Container* container = first.document ? (*first.document)->container() : nullptr;
  if (container != nullptr) {
    append(failures, compare_orders(*container));
    append(failures, compare_alone(*container));
  }
  return failures;
}

}  // namespace assay::oracles
