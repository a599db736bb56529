#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "parsers/base/bytes.h"
#include "parsers/base/result.h"
#include "parsers/codecs/codec.h"
#include "parsers/codecs/lzhuf/adaptive_tree.h"
#include "parsers/codecs/lzhuf/fast_tree.h"
#include "parsers/codecs/lzhuf/optimal_parse.h"
#include "parsers/codecs/match_finder/match_finder.h"

// Adaptive Huffman coding over LZSS, RsLi methods 0x080 and 0x0A0 (docs/formats/codecs.md, B9).
//
// The window is a ring of 4096 bytes, filled with spaces and written from 0xFC4 on; where writing starts cannot be seen
// from outside, because matches are distances. A symbol is a literal or the length of a match; a position follows
// a match: the distance less 1, 0..4095, all of them legal. There is no end marker and no size in the stream.
//
// No payload of these methods is in any known game archive. The position is decoded in the classic form, where the bits
// after the prefix are shifted into the byte that was looked up. It is not verified against a corpus; it is used
// because it reaches all 4096 positions (the unshifted form reaches 603, so no encoder can have used it) and because
// streams of old archivers with the same coding decode with it.
namespace assay::lzhuf {

// Memory of the decoder. Opaque to callers; may be reused for any stream, by one thread at a time.
struct Scratch {
  FastTree tree;

  // Overwrites all of it, for a check that no decoding depends on what it holds.
  void fill(std::uint8_t value) { std::memset(static_cast<void*>(&tree), value, sizeof(tree)); }
};
static_assert(std::is_trivially_copyable_v<FastTree>);

// Decodes one LZHUF payload.
//
// Reads `packed` until `output` is full, also when that is in the middle of a match, and reports how many packed bytes
// had at least one used bit. Tree and window start anew, whatever `scratch` held before. An empty `output` uses
// nothing. Errors: kTruncatedStream (a symbol or position lacks bits), local_offset is packed.size(). Every bit pattern
// that is long enough decodes to something; after an error `output` holds what the diagnostic says was got, and
// anything behind it. Never reads past `packed`, never writes past `output`. Cost: O(packed bits + output) and a copy
// of 7 KiB, no allocation; docs/performance.md has figures, also of hostile streams.
[[nodiscard]] Result<Decoded> decode(Bytes packed, MutableBytes output, Scratch& scratch);

// No stream of `packed_bytes` bytes decodes to more bytes than this: 48 a byte.
//
// Proof: the root is never a leaf, so a symbol has at least 1 bit. A position has at least 3 + 6 bits. So a literal
// gives at most 1 byte a bit, and a match at most 60 bytes for 10 bits, 6 a bit, which is 48 a byte.
[[nodiscard]] constexpr std::uint64_t max_decoded_bytes(std::uint64_t packed_bytes) {
  return saturating_product(packed_bytes, 8 * kMaxMatchBytes / 10);
}

// The lowest level with an optimal parse.
inline constexpr unsigned kFirstOptimalLevel = 10;

// Memory of the encoder. Opaque to callers; may be reused for any data, by one thread at a time.
struct EncodeScratch {
  match_finder::MatchFinder finder;
  AdaptiveTree tree;
  BlockParser parser;
};

// Appends a stream to `out` that decodes to `plain`; its last byte is filled with zero bits. Matches may reach into the
// preset window. Level 0 writes literals only; up to 9 a match is put off for a longer one that comes next; from
// kFirstOptimalLevel on the parse is the shortest by the costs of the code, which levels above it know better. Empty
// data gives an empty stream. Cost: O(plain * search depth), and it allocates a copy of `plain` in `scratch`.
//
// Requires: plain.size() <= match_finder::MatchFinder::kMaxPlainBytes.
void encode(Bytes plain, Level level, EncodeScratch& scratch, Buffer& out);

}  // namespace assay::lzhuf
