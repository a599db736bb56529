#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "parsers/base/result.h"

// What the codecs have in common: the report of a decoder, its refusals, and the level of an encoder.
//
// Every decoder reads `packed` until `output` is full; `output.size()` is the declared unpacked size. It never reads
// past `packed`, never writes past `output`, does not allocate, and its scratch holds memory but no state, so the
// result of a call never depends on the calls before it.
namespace assay {

// What a decoder reports on success.
struct Decoded {
  // The packed bytes that were needed; what follows them in `packed` was not looked at.
  std::size_t used_bytes = 0;
};

// The refusal of a packed stream: `packed_offset` is where in the packed bytes it was noticed, `expected` and `got`
// are sizes of the output. Diagnostic.offset stays 0 because only the caller knows where the payload is stored.
[[nodiscard]] inline Failure stream_failure(Code code, std::size_t packed_offset, Datum expected, Datum got) {
  return fail(Diagnostic{
      .code = code, .offset = 0, .field = "payload", .expected = expected, .got = got, .local_offset = packed_offset});
}

// The refusal of a stream that ends before `expected_bytes` of output are there.
[[nodiscard]] inline Failure truncated_stream(std::size_t packed_offset, std::size_t expected_bytes,
                                              std::size_t got_bytes) {
  return stream_failure(Code::kTruncatedStream, packed_offset, Datum::number(expected_bytes), Datum::number(got_bytes));
}

// How hard an encoder looks for a short stream: 0 does not look for matches at all (LZSS and LZHUF write literals only,
// Deflate writes stored blocks), 1 is fast, 12 is thorough. A codec whose highest level is below 12 treats a higher one
// as its highest. The level never changes what a stream decodes to.
class Level {
 public:
  static constexpr unsigned kHighest = 12;

  // Requires: value <= kHighest.
  constexpr explicit Level(unsigned value) : value_(value) { assert(value <= kHighest); }

  [[nodiscard]] constexpr unsigned value() const { return value_; }

 private:
  unsigned value_;
};

inline constexpr Level kNoMatchesLevel{0};
inline constexpr Level kDefaultLevel{6};

// `packed_bytes * factor`, or the largest number where the product does not fit.
[[nodiscard]] constexpr std::uint64_t saturating_product(std::uint64_t packed_bytes, std::uint64_t factor) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  return packed_bytes > kLargest / factor ? kLargest : packed_bytes * factor;
}

}  // namespace assay
