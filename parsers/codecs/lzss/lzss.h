#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "parsers/base/bytes.h"
#include "parsers/base/result.h"
#include "parsers/codecs/codec.h"
#include "parsers/codecs/lzss/token.h"
#include "parsers/codecs/match_finder/match_finder.h"

// LZSS of RsLi methods 0x040 and 0x060 (docs/formats/codecs.md, B8).
//
// A ring of 4096 bytes, filled with spaces, is written from 0xFEE on. A flag byte says for eight items, least
// significant bit first, whether the item is a literal (1) or a reference (0) of two bytes: 12 bits of absolute ring
// index and 4 bits of length less 3.
namespace assay::lzss {

// Memory of the decoder. Opaque to callers; may be reused for any stream, by one thread at a time.
struct Scratch {
  // The preset window, where the output begins, and room for what is decoded in one go past its first 4 KiB.
  static constexpr std::size_t kMarginBytes = 16;
  static constexpr std::size_t kOpeningBytes = 3 * kWindowBytes;
  std::array<std::uint8_t, kMarginBytes + kWindowBytes + kOpeningBytes> window{};
};

// Decodes one LZSS payload.
//
// Reads `packed` until `output` is full, also when that is in the middle of a reference, and reports how many packed
// bytes were used. The window starts as spaces, whatever `scratch` held before. An empty `output` uses nothing.
// Errors: kTruncatedStream (a flag byte, literal or reference byte is missing), local_offset is packed.size(); the
// contents of `output` are unspecified then. Never reads past `packed`, never writes past `output`. Cost: O(packed +
// output) and filling the preset window, no allocation (docs/performance.md).
[[nodiscard]] Result<Decoded> decode(Bytes packed, MutableBytes output, Scratch& scratch);

// The ways of doing the bulk of the work. All of them give the same results; decode() takes the fastest that the
// processor has.
enum class Path : std::uint8_t {
  kScalar,  // portable
  kSimd,    // x86-64-v2: SSE4.2 and POPCNT
};
inline constexpr std::array kPaths = {Path::kScalar, Path::kSimd};

[[nodiscard]] bool is_available(Path path);

// decode() on one path, for tests, fuzz targets and benchmarks.
//
// Requires: is_available(path).
[[nodiscard]] Result<Decoded> decode_with(Path path, Bytes packed, MutableBytes output, Scratch& scratch);

// No stream of `packed_bytes` bytes decodes to more bytes than this.
//
// Proof: an item is one flag bit and either one byte (a literal, 1 byte of output) or two (a reference, at most 18).
// References give the most per byte, so the best use of 17 bytes is a flag byte and 8 references: 144 bytes. Of a rest
// shorter than 17, one byte is a flag byte, each two further ones at most a reference, and a last odd one a literal.
[[nodiscard]] constexpr std::uint64_t max_decoded_bytes(std::uint64_t packed_bytes) {
  constexpr std::uint64_t kGroupPackedBytes = 1 + 8 * 2;
  constexpr std::uint64_t kGroupDecodedBytes = 8 * kMaxMatchBytes;
  const std::uint64_t groups = saturating_product(packed_bytes / kGroupPackedBytes, kGroupDecodedBytes);
  const std::uint64_t rest_bytes = packed_bytes % kGroupPackedBytes;
  const std::uint64_t item_bytes = rest_bytes == 0 ? 0 : rest_bytes - 1;
  const std::uint64_t rest = item_bytes / 2 * kMaxMatchBytes + item_bytes % 2;
  return groups > std::numeric_limits<std::uint64_t>::max() - rest ? groups : groups + rest;
}

// Memory of the encoder. Opaque to callers; may be reused for any data, by one thread at a time.
struct EncodeScratch {
  // What to write at a position; a length of 0 is a literal.
  struct Choice {
    std::uint16_t distance = 0;
    std::uint8_t length_bytes = 0;
  };

  match_finder::MatchFinder finder;
  std::vector<Choice> choices;
};

// From this level on the stream is the shortest there is for the data.
inline constexpr Level kShortestLevel{match_finder::kHighestLevel + 1};

// Appends a stream to `out` that decodes to `plain`. References may reach into the preset window. Level 0 writes
// literals only; levels from kShortestLevel on are alike. Empty data gives an empty stream. Cost: O(plain * search
// depth), and it allocates a copy of `plain` in `scratch`, for the shortest stream four times that again.
//
// Requires: plain.size() <= match_finder::MatchFinder::kMaxPlainBytes.
void encode(Bytes plain, Level level, EncodeScratch& scratch, Buffer& out);

}  // namespace assay::lzss
