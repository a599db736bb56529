#include <algorithm>
#include <array>
#include <string>

#include "oracles/oracles.h"
#include "oracles/support.h"
#include "parsers/base/ascii.h"

namespace assay::oracles {
namespace {

constexpr const char* kName = "lookup";

Buffer folded(Bytes name, std::uint8_t (*fold)(std::uint8_t)) {
  Buffer result(name.begin(), name.end());
  std::ranges::transform(result, result.begin(), fold);
  return result;
}

// The name, its variants in case, and what lies right beside it.
std::vector<Buffer> queries_for(Bytes name) {
  static constexpr std::array<std::uint8_t, 4> kExtras{0, '!', '_', 0xFF};
  const Buffer exact(name.begin(), name.end());
  std::vector<Buffer> queries{exact, folded(name, ascii_upper), folded(name, ascii_lower)};
  for (const std::uint8_t extra : kExtras) {
    Buffer longer = exact;
    longer.push_back(extra);
    queries.push_back(std::move(longer));
  }
  if (!exact.empty()) {
    queries.emplace_back(exact.begin(), exact.end() - 1);
    for (const int step : {1, -1, 0x20}) {
      Buffer beside = exact;
      beside.back() = static_cast<std::uint8_t>(beside.back() + step);
      queries.push_back(std::move(beside));
    }
  }
  return queries;
}

std::string index_text(std::optional<std::size_t> index) {
  return index ? std::to_string(*index) : "nothing";
}

// What the stored name itself has to give. Where lookup folds the query but not the names, a name in lower case may
// give another member, the one that has the name in upper case.
void check_own_name(const Container& container, std::size_t index, Failures& failures) {
  const Bytes name = container.member(index).name;
  const auto found = container.find(name);
  if (found && *found >= container.member_count()) {
    failures.push_back({kName, describe(name) + " is found at a member that does not exist"});
  } else if (found && !equal_folded(container.member(*found).name, name)) {
    failures.push_back({kName, describe(name) + " finds member " + index_text(found) + " of another name"});
  } else if (!found && equal_bytes(folded(name, ascii_upper), name)) {
    failures.push_back({kName, describe(name) + " is stored and not found"});
  } else if (found && *found > index && equal_bytes(container.member(*found).name, name)) {
    failures.push_back(
        {kName, describe(name) + " finds member " + index_text(found) + " behind its own, " + std::to_string(index)});
  }
}

}  // namespace

Failures lookup(const Container& container) {
  Failures failures;
  const std::size_t count = container.member_count();
  const std::size_t step = std::max<std::size_t>(1, count / kLookupNames);
  for (std::size_t index = 0; index < count; index += step) {
    check_own_name(container, index, failures);
    for (const Buffer& query : queries_for(container.member(index).name)) {
      const auto by_map = container.find(query);
      const auto linear = container.find_linear(query);
      if (by_map != linear) {
        failures.push_back({kName, describe(query) + " gives " + index_text(by_map) + " by the sort map and " +
                                       index_text(linear) + " by a linear search"});
      }
    }
  }
  for (const Buffer& query : {Buffer{}, Buffer(64, 'x')}) {
    if (container.find(query) != container.find_linear(query)) {
      failures.push_back({kName, "the two searches disagree on " + describe(query)});
    }
  }
  return failures;
}

}  // namespace assay::oracles
