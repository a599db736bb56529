#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::oracles {

// A broken promise: which oracle (its name in docs/architecture.md) and what it saw.
struct Failure {
  std::string oracle;
  std::string detail;
};

using Failures = std::vector<Failure>;

// Appends `more` to `failures`.
inline void append(Failures& failures, Failures more) {
  for (Failure& failure : more) {
    failures.push_back(std::move(failure));
  }
}

// One line a failure, for test output.
[[nodiscard]] inline std::string to_text(const Failures& failures) {
  std::string text;
  for (const Failure& failure : failures) {
    text += failure.oracle + ": " + failure.detail + "\n";
  }
  return text;
}

}  // namespace assay::oracles
