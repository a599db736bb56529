#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "parsers/codecs/lzss/token.h"

// The shuffles of the SIMD path, computed by the compiler.
namespace assay::lzss {

inline constexpr std::size_t kVectorBytes = 16;
// A shuffle index with its highest bit set gives zero, and marks the byte for a blend to fill in.
inline constexpr std::uint8_t kFromElsewhere = 0x80;

// What is in the 8 to 16 bytes behind a flag byte.
//
// Items become units: some literals, then a reference. Literals behind the last reference wait for the first unit of
// the next group. A group of eight literals has no reference; it gives one unit without one, of one literal
// more than are waiting, so that never more than seven wait and no unit has more than 14.
struct FlagTables {
  static constexpr std::size_t kFlagValues = 256;
  // In the count of literals of a unit: the unit has no reference.
  static constexpr std::uint8_t kNoReference = 0x80;

  template <typename Value>
  using PerFlag = std::array<Value, kFlagValues>;

  alignas(kVectorBytes) PerFlag<std::array<std::uint8_t, kVectorBytes>> literals{};
  alignas(kVectorBytes) PerFlag<std::array<std::uint8_t, kVectorBytes>> references{};
  alignas(kItemsPerFlagByte) PerFlag<std::array<std::uint8_t, kItemsPerFlagByte>> literal_counts{};
  PerFlag<std::uint8_t> unit_counts{};
  PerFlag<std::uint8_t> waiting_counts{};
};

consteval FlagTables make_flag_tables() {
  FlagTables tables;
  for (std::size_t flags = 0; flags < FlagTables::kFlagValues; ++flags) {
    tables.literals[flags].fill(kFromElsewhere);
    tables.references[flags].fill(kFromElsewhere);
    std::uint8_t offset = 0;
    std::uint8_t units = 0;
    std::uint8_t literals = 0;
    std::uint8_t waiting = 0;
    for (unsigned item = 0; item < kItemsPerFlagByte; ++item) {
      if ((flags >> item & 1U) != 0) {
        tables.literals[flags][literals++] = offset++;
        ++waiting;
        continue;
      }
      tables.references[flags][std::size_t{2} * units] = offset++;
      tables.references[flags][std::size_t{2} * units + 1] = offset++;
      tables.literal_counts[flags][units++] = waiting;
      waiting = 0;
    }
    tables.unit_counts[flags] = units;
    tables.waiting_counts[flags] = waiting;
  }
  constexpr std::size_t kAllLiterals = FlagTables::kFlagValues - 1;
  tables.literal_counts[kAllLiterals][0] = FlagTables::kNoReference | 1U;
  tables.unit_counts[kAllLiterals] = 1;
  tables.waiting_counts[kAllLiterals] = kItemsPerFlagByte - 1;
  return tables;
}

inline constexpr FlagTables kFlagTables = make_flag_tables();

// References from a register that holds the last 16 bytes of output.
//
// A distance of up to 16 stays inside the register; kFar stands for all others, whose bytes come from memory.
struct HistoryTables {
  static constexpr std::size_t kFar = kVectorBytes + 1;
  static constexpr std::size_t kRowBytes = 256;
  // Rows are closer together than the longest length needs, because the shortest lengths do not occur.
  static_assert(kRowBytes >= (kMaxMatchBytes - kMinMatchBytes + 1) * kVectorBytes);
  static constexpr std::size_t kSize = (kFar + 1) * kRowBytes + (kMinMatchBytes + 1) * kVectorBytes;

  // Where the shuffle for a distance and a length begins; 0 for distance and length 0, which changes nothing.
  static constexpr std::size_t index(std::size_t distance, std::size_t length_bytes) {
    return distance * kRowBytes + length_bytes * kVectorBytes;
  }

  // The register after a reference of that distance and length.
  alignas(kVectorBytes) std::array<std::uint8_t, kSize> last{};
  // The first 16 bytes of what the reference gives, whatever its length.
  alignas(kVectorBytes) std::array<std::uint8_t, kSize> first{};
  // The register after that many bytes from elsewhere.
  alignas(kVectorBytes) std::array<std::array<std::uint8_t, kVectorBytes>, kVectorBytes + 1> shift{};
  // Byte i of a repetition of the last `distance` bytes of which the register holds the first 16: [distance][i].
  alignas(kVectorBytes) std::array<std::array<std::uint8_t, 2 * kVectorBytes>, kVectorBytes> repeat{};
};

// Which byte of the history the byte at `offset` behind its end is a copy of; in front of its end it is itself.
consteval std::uint8_t history_index(std::ptrdiff_t offset, std::size_t distance) {
  if (offset < 0) {
    return static_cast<std::uint8_t>(static_cast<std::ptrdiff_t>(kVectorBytes) + offset);
  }
  if (distance >= HistoryTables::kFar) {
    return kFromElsewhere;
  }
  return static_cast<std::uint8_t>(kVectorBytes - distance + static_cast<std::size_t>(offset) % distance);
}

consteval HistoryTables make_history_tables() {
  HistoryTables tables;
  for (std::size_t byte = 0; byte < kVectorBytes; ++byte) {
    const auto offset = static_cast<std::ptrdiff_t>(byte);
    tables.last[byte] = static_cast<std::uint8_t>(byte);
    for (std::size_t distance = 1; distance <= HistoryTables::kFar; ++distance) {
      for (std::size_t length = kMinMatchBytes; length <= kMaxMatchBytes; ++length) {
        const std::size_t index = HistoryTables::index(distance, length) + byte;
        const auto end = static_cast<std::ptrdiff_t>(length) - static_cast<std::ptrdiff_t>(kVectorBytes);
        tables.last[index] = history_index(end + offset, distance);
        tables.first[index] = history_index(offset, distance);
      }
    }
    for (std::size_t count = 0; count <= kVectorBytes; ++count) {
      const auto end = static_cast<std::ptrdiff_t>(count) - static_cast<std::ptrdiff_t>(kVectorBytes);
      tables.shift[count][byte] = history_index(end + offset, HistoryTables::kFar);
    }
    for (std::size_t distance = 1; distance < kVectorBytes; ++distance) {
      tables.repeat[distance][byte] = static_cast<std::uint8_t>(byte % distance);
      tables.repeat[distance][kVectorBytes + byte] = static_cast<std::uint8_t>((kVectorBytes + byte) % distance);
    }
  }
  return tables;
}

inline constexpr HistoryTables kHistoryTables = make_history_tables();

}  // namespace assay::lzss
