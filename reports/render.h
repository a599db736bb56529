#pragma once

#include <cstddef>
#include <string>

#include "golden/accept.h"
#include "golden/check.h"
#include "reports/diff.h"

// Results as text for people and as JSON, one object a line, for programs. Only tools/ prints what these give.
namespace assay::reports {

struct TextOptions {
  // Lists longer than `list_limit` end in "and N more", unless everything is wanted.
  bool all = false;
  std::size_t list_limit = 20;
};

// A summary line, then a line a change with file, entry and place; a deleted file is one line.
[[nodiscard]] std::string check_text(const golden::CheckResult& result, const TextOptions& options);
// A line for each problem and change, then {"summary":{...}}.
[[nodiscard]] std::string check_json(const golden::CheckResult& result);

// A summary line, then what was or would be taken over.
[[nodiscard]] std::string accepted_text(const golden::Accepted& accepted, const TextOptions& options);
[[nodiscard]] std::string accepted_json(const golden::Accepted& accepted);

// A summary line, then category by category and cause by cause. Nothing changed: the summary line says so.
[[nodiscard]] std::string diff_text(const Diff& diff, const TextOptions& options);
// A line for each item, then {"summary":{...}}.
[[nodiscard]] std::string diff_json(const Diff& diff);

}  // namespace assay::reports
