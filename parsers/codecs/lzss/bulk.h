#pragma once

#include <cstddef>
#include <cstdint>

#include "parsers/codecs/lzss/token.h"

// The inner loops of lzss::decode(): whole groups of a flag byte and its eight items, far enough from every end that
// nothing in the loops has to be checked byte by byte. What is left goes through the careful loop in lzss.cc.
namespace assay::lzss {

// No group is longer than this, packed or decoded.
inline constexpr std::size_t kMaxGroupPackedBytes = 1 + kItemsPerFlagByte * 2;
inline constexpr std::size_t kMaxGroupDecodedBytes = kItemsPerFlagByte * kMaxMatchBytes;
// The most groups that a path takes in one go.
inline constexpr std::size_t kMaxBlockGroups = 32;
// Copies are made in wide pieces, which may write this far past what they are for. Later copies write it again.
inline constexpr std::size_t kOverhangBytes = 32;
// Masked loads of the SIMD path begin this far in front of a source.
inline constexpr std::size_t kUnderhangBytes = 16;

// Where decoding stands. The output is the window: the kWindowBytes + kUnderhangBytes bytes in front of `out` are
// readable and hold what the window holds.
struct Bulk {
  const std::uint8_t* packed = nullptr;
  const std::uint8_t* packed_end = nullptr;
  std::uint8_t* out = nullptr;
  // Nothing is written from here on, not even for a moment.
  std::uint8_t* out_end = nullptr;
  // No group starts at or behind this.
  std::uint8_t* stop = nullptr;
  // How many bytes of output are in front of `out`, from the start of the stream.
  std::size_t position = 0;
};

// Decode whole groups as long as they fit, and leave `bulk` behind the last one. Never read past packed_end.
void decode_groups_scalar(Bulk& bulk);
// Requires: is_available(Path::kSimd).
void decode_groups_simd(Bulk& bulk);

}  // namespace assay::lzss
