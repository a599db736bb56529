#pragma once

#include <expected>
#include <utility>

#include "parsers/base/diagnostic.h"

// The only failure channel of parsers/.
namespace assay {

template <typename T>
using Result = std::expected<T, Diagnostic>;

using Failure = std::unexpected<Diagnostic>;

[[nodiscard]] inline Failure fail(const Diagnostic& diagnostic) {
  return Failure(diagnostic);
}

}  // namespace assay

#define ASSAY_CONCAT_INNER(left, right) left##right
#define ASSAY_CONCAT(left, right) ASSAY_CONCAT_INNER(left, right)

// Returns the error of `expression` from the enclosing function, or goes on.
#define ASSAY_TRY(expression)                                       \
  do {                                                              \
    if (auto assay_try_result = (expression); !assay_try_result) {  \
      return ::assay::Failure(std::move(assay_try_result).error()); \
    }                                                               \
  } while (false)

// Declares or assigns `target` from the value of `expression`, or returns its error.
#define ASSAY_TRY_ASSIGN(target, expression) \
  ASSAY_TRY_ASSIGN_INNER(ASSAY_CONCAT(assay_try_value_, __LINE__), target, expression)
#define ASSAY_TRY_ASSIGN_INNER(holder, target, expression) \
  auto holder = (expression);                              \
  if (!holder) {                                           \
    return ::assay::Failure(std::move(holder).error());    \
  }                                                        \
  target = std::move(*holder)
