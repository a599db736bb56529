#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parsers/base/bytes.h"

namespace assay::peers {

// How a raw Deflate stream goes beyond RFC 1951 where libdeflate does not look (docs/formats/codecs.md, B10).
//
// These are all the ways in which libdeflate may accept what zlib refuses; anything else is a fault of one of them.
enum class DeflateDeviation : std::uint8_t {
  // The stream keeps to the RFC up to the end of its final block.
  kNone,
  // A block declares more than 286 literal/length or 30 distance codes.
  kTooManyCodes,
  // Length symbol 286 or 287, distance symbol 30 or 31.
  kReservedSymbol,
  // A code of no or one symbol: its unused half is read, or it codes the lengths of other codes.
  kUnusedHalf,
  // The block has no code for its own end.
  kNoEndOfBlock,
  // The stream breaks off, or is broken in a way that everybody refuses.
  kBroken,
};

[[nodiscard]] std::string_view deflate_deviation_text(DeflateDeviation deviation);

// A third decoder, bit by bit and without tables, that says what is odd about a stream.
//
// Reads `packed` up to the end of the final block or the first deviation, and gives at most `max_bytes` of output; more
// is kBroken. Cost: O(packed + output), some fifty times slower than zlib; allocates the output.
struct PlainInflated {
  DeflateDeviation deviation = DeflateDeviation::kNone;
  Buffer output;
  std::size_t used_bytes = 0;
};
[[nodiscard]] PlainInflated plain_inflate(Bytes packed, std::size_t max_bytes);

}  // namespace assay::peers
