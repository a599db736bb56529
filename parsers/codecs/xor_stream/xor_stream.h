#pragma once

#include <cstdint>

#include "parsers/base/bytes.h"

// The stream transform of RsLi: the entry table and the payload methods with bit 0x020 (docs/formats/codecs.md, B3).
//
// Two bytes of state, started from a 16-bit key, give a key stream that does not depend on the data; so the transform
// is its own inverse. Two keys, 0x0000 and 0x0080, give the all-zero key stream, which changes nothing.
namespace assay::xor_stream {

// Transforms bytes in pieces: applying it to a and then to b is applying it once to a followed by b.
class Stream {
 public:
  explicit Stream(std::uint16_t key) : state_(key) {}

  // Writes the transformed bytes of `in` to `out` and goes on from there at the next call. `in` and `out` may be the
  // same bytes, but may not overlap otherwise. Cost: O(n), no allocation, 5 KiB of stack; a long piece costs little
  // more than copying it (docs/performance.md).
  //
  // Requires: in.size() == out.size().
  void apply(Bytes in, MutableBytes out);

 private:
  // In the lower byte what the formats call low, the last byte of key stream; in the upper byte high.
  std::uint16_t state_;
};

// Transforms one whole run of bytes: a Stream that is used once. Same requirements and cost.
void apply(std::uint16_t key, Bytes in, MutableBytes out);

}  // namespace assay::xor_stream
