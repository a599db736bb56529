#pragma once

#include <cstddef>
#include <cstdint>

// The constants and the two kinds of items of an LZSS stream (docs/formats/codecs.md, B8).
namespace assay::lzss {

inline constexpr std::size_t kWindowBytes = 4096;
inline constexpr std::uint8_t kWindowFill = 0x20;
// The ring index of the first byte of output.
inline constexpr std::size_t kFirstWrite = 0xFEE;
inline constexpr unsigned kItemsPerFlagByte = 8;
inline constexpr std::size_t kMinMatchBytes = 3;
inline constexpr std::size_t kMaxMatchBytes = 18;

// A reference as it is stored: the low eight bits of the ring index, then its high four and the length less 3.
struct Reference {
  std::size_t ring_index;
  std::size_t length_bytes;
};

[[nodiscard]] constexpr Reference unpack(std::uint8_t first, std::uint8_t second) {
  return {.ring_index = static_cast<std::size_t>(first | (second & 0xF0) << 4),
          .length_bytes = (second & 0x0FU) + kMinMatchBytes};
}

// How far back from the byte at `position` of the output a ring index lies: 1..4096.
[[nodiscard]] constexpr std::size_t distance_of(std::size_t ring_index, std::size_t position) {
  return (position + kFirstWrite - ring_index - 1) % kWindowBytes + 1;
}

}  // namespace assay::lzss
