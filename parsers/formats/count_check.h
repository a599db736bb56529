#pragma once

#include "parsers/base/limits.h"
#include "parsers/base/record_cursor.h"

namespace assay {

// Checks a count, stored at `place`, of things of at least `least_bytes` each that lie where `cursor` stands. Errors:
// kCountOutOfBounds where they do not fit into what is left; kLimitExceeded above `limits.entry_count`. Requires:
// least_bytes > 0.
[[nodiscard]] inline Result<void> check_count(const RecordCursor& cursor, const FieldPlace& place, std::uint64_t count,
                                              std::uint64_t least_bytes, const Limits& limits) {
  const std::uint64_t most = cursor.remaining() / least_bytes;
  if (count > most) {
    return fail(cursor.diagnostic(Code::kCountOutOfBounds, place, Datum::at_most(most), Datum::number(count)));
  }
  if (count > limits.entry_count) {
    return fail(
        cursor.diagnostic(Code::kLimitExceeded, place, Datum::at_most(limits.entry_count), Datum::number(count)));
  }
  return {};
}

}  // namespace assay
