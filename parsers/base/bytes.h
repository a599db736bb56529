#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

// Byte views and little-endian loads and stores: the one place that knows the byte order of the formats.
namespace assay {

// A read-only view of bytes that somebody else owns and keeps alive while the view is in use.
using Bytes = std::span<const std::uint8_t>;
// A writable view, same ownership rule.
using MutableBytes = std::span<std::uint8_t>;
// Owned bytes.
using Buffer = std::vector<std::uint8_t>;

template <typename T>
concept Scalar = std::integral<T> || std::floating_point<T>;

// Loads one little-endian scalar from the front of `bytes`.
//
// Requires: bytes.size() >= sizeof(T). Cost: O(1).
template <Scalar T>
[[nodiscard]] constexpr T load_little_endian(Bytes bytes) {
  using Raw = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                 std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                                    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
  Raw raw = 0;
  for (std::size_t index = 0; index < sizeof(T); ++index) {
    raw = static_cast<Raw>(raw | static_cast<Raw>(static_cast<Raw>(bytes[index]) << (8 * index)));
  }
  return std::bit_cast<T>(raw);
}

// Stores one scalar little-endian at the front of `bytes`.
//
// Requires: bytes.size() >= sizeof(T). Cost: O(1).
template <Scalar T>
constexpr void store_little_endian(T value, MutableBytes bytes) {
  using Raw = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                 std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                                    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
  const auto raw = std::bit_cast<Raw>(value);
  for (std::size_t index = 0; index < sizeof(T); ++index) {
    bytes[index] = static_cast<std::uint8_t>((raw >> (8 * index)) & 0xFF);
  }
}

// Views the characters of a text as bytes. The text must outlive the view.
[[nodiscard]] inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Views bytes as characters, without any decoding. The bytes must outlive the view.
[[nodiscard]] inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The same bytes in memory of their own. Cost: O(n), one allocation.
[[nodiscard]] inline Buffer copy_of(Bytes bytes) {
  return {bytes.begin(), bytes.end()};
}

[[nodiscard]] inline bool equal_bytes(Bytes left, Bytes right) {
  return left.size() == right.size() && (left.empty() || std::memcmp(left.data(), right.data(), left.size()) == 0);
}

// Whether every byte is zero. Cost: O(n), stops at the first other byte's block.
[[nodiscard]] inline bool all_zero(Bytes bytes) {
  return bytes.empty() || (bytes.front() == 0 && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace assay
