#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "golden/item.h"
#include "parsers/base/record.h"

namespace assay::golden {

// Finds the record table that DirectoryRow::record names, e.g. "nres.entry"; null when there is none.
using RecordFinder = std::function<const RecordInfo*(std::string_view)>;

// What is promised about an item: what a manifest holds and what two runs are compared by. Places are left out, because
// an entry that only moved is still the same.
struct Expectation {
  std::string entry;
  std::string format;
  std::uint64_t size = 0;
  std::optional<Sha256> sha256;
  std::optional<Sha256> stored_sha256;
  Verdict verdict = Verdict::kOk;
  // The rules that fired, sorted, each once.
  std::vector<std::string> rules;
  // Every other finding as finding_text(), in the order of the checks.
  std::vector<std::string> findings;
  // The directory row, field by field as text in the order of the record; names here are field names.
  std::vector<Fact> row;
  // Sorted by key.
  std::vector<Fact> facts;
  // Why a failure was accepted; only a manifest knows.
  std::string reason;

  friend bool operator==(const Expectation&, const Expectation&) = default;
};

struct ExpectedFile {
  std::string path;
  // The file's own item first, then its entries sorted by their address as bytes.
  std::vector<Expectation> items;

  friend bool operator==(const ExpectedFile&, const ExpectedFile&) = default;
};

// "severity code field", and the rule as a fourth word when one covers the deviation but was not applied.
[[nodiscard]] std::string finding_text(const ItemFinding& finding);

// Whether the finding stands among Expectation::rules instead of among its findings.
[[nodiscard]] inline bool is_applied_rule(const ItemFinding& finding) {
  return finding.applied && !finding.rule.empty();
}

// Without a record table for its row, the row is one field `bytes` in hex. Cost: O(fields + findings + facts).
[[nodiscard]] Expectation expectation_of(const Item& item, const RecordFinder& find_record);
[[nodiscard]] ExpectedFile expectation_of(const FileResult& file, const RecordFinder& find_record);

}  // namespace assay::golden
