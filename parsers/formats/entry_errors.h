#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "parsers/base/result.h"

// The entries of an archive that are refused while the others are not (docs/formats/decisions.md, 2).
namespace assay {

// Most archives have none, so they are kept beside the entries. Cost of find(): O(log errors).
class EntryErrors {
 public:
  // Requires: indexes rise, each at most once.
  void add(std::size_t index, const Diagnostic& error) { errors_.emplace_back(index, error); }

  // The error of an entry, or null. Valid until the next add().
  [[nodiscard]] const Diagnostic* find(std::size_t index) const {
    const auto found = std::ranges::lower_bound(errors_, index, {}, &std::pair<std::size_t, Diagnostic>::first);
    return found != errors_.end() && found->first == index ? &found->second : nullptr;
  }

  // Refuses with kNotEditable at the first error, for what has to know every entry. Nothing when there is none.
  [[nodiscard]] Result<void> require_none() const {
    if (errors_.empty()) {
      return {};
    }
    Diagnostic refused = errors_.front().second;
    refused.code = Code::kNotEditable;
    return fail(refused);
  }

 private:
  std::vector<std::pair<std::size_t, Diagnostic>> errors_;
};

}  // namespace assay
