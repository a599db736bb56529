#pragma once

#include <array>
#include <cstdint>

#include "parsers/base/bit_reader.h"

// The code of a match position (docs/formats/codecs.md, B9): 12 bits, of which the upper six have a prefix code of 3 to
// 8 bits, shorter for nearer positions, and the lower six follow as they are.
namespace assay::lzhuf {

inline constexpr unsigned kPositionLowBits = 6;
inline constexpr unsigned kUpperCount = 64;
inline constexpr unsigned kPrefixLookupBits = 8;
inline constexpr unsigned kShortestPrefixBits = 3;

struct PositionPrefix {
  std::uint8_t upper = 0;      // the upper six bits of the position
  std::uint8_t bit_count = 0;  // the length of the prefix
};

namespace position_code {

// Consecutive values of the upper bits whose prefixes have one length.
struct Run {
  std::uint8_t upper_count;
  std::uint8_t bit_count;
};
inline constexpr std::array<Run, 6> kRuns = {{{1, 3}, {3, 4}, {8, 5}, {12, 6}, {24, 7}, {16, 8}}};

consteval std::array<PositionPrefix, 1U << kPrefixLookupBits> make_prefix_by_byte() {
  std::array<PositionPrefix, 1U << kPrefixLookupBits> table{};
  std::size_t byte = 0;
  std::uint8_t upper = 0;
  for (const Run& run : kRuns) {
    for (unsigned prefix = 0; prefix < run.upper_count; ++prefix, ++upper) {
      const std::size_t end = byte + (std::size_t{1} << (kPrefixLookupBits - run.bit_count));
      for (; byte < end; ++byte) {
        table[byte] = {upper, run.bit_count};
      }
    }
  }
  return table;
}

}  // namespace position_code

// What the next eight bits of a position start with.
inline constexpr auto kPrefixByByte = position_code::make_prefix_by_byte();

// The smallest byte that starts with the prefix of `upper`: its top bits are that prefix.
consteval std::array<std::uint8_t, kUpperCount> make_first_byte_by_upper() {
  std::array<std::uint8_t, kUpperCount> table{};
  for (std::size_t byte = kPrefixByByte.size(); byte-- > 0;) {
    table[kPrefixByByte[byte].upper] = static_cast<std::uint8_t>(byte);
  }
  return table;
}
inline constexpr auto kFirstByteByUpper = make_first_byte_by_upper();

// Reads a position, 0..4095. Eight bits are looked up, of which the prefix may be only the first three; the bits behind
// the prefix and those that are read after them are the low six. Reads zero bits past the end.
[[nodiscard]] inline unsigned read_position(MsbBitReader& bits) {
  std::uint32_t window = bits.read_bits(kPrefixLookupBits);
  const PositionPrefix prefix = kPrefixByByte[window];
  const unsigned missing_bits = prefix.bit_count + kPositionLowBits - kPrefixLookupBits;
  window = window << missing_bits | bits.read_bits(missing_bits);
  return static_cast<unsigned>(prefix.upper) << kPositionLowBits | (window & ((1U << kPositionLowBits) - 1));
}

static_assert(kPrefixByByte[0xFF].upper == kUpperCount - 1 && kPrefixByByte[0xFF].bit_count == 8);

}  // namespace assay::lzhuf
