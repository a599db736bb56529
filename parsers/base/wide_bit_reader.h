#pragma once

#include <bit>
#include <cstring>

#include "parsers/base/bytes.h"

namespace assay {

// Reads bits most significant first inside each byte like MsbBitReader, but through a window of 64 bits that is filled
// from eight bytes at once, for decoders that take several fields from one look at the input.
//
// It never loads a byte past the end: where fewer than eight bytes are left it cannot be refilled, and the caller goes
// on from used_bits() with MsbBitReader. Holds a view only. Cost: O(1) a call, no allocation.
class WideBitReader {
 public:
  // A refill leaves at least this many bits in the window.
  static constexpr unsigned kRefilledBits = 56;

  explicit WideBitReader(Bytes bytes)
      : begin_(bytes.data()),
        next_(bytes.data()),
        words_end_(bytes.data() + (bytes.size() < kWordBytes ? 0 : bytes.size() - kWordBytes + 1)) {}

  [[nodiscard]] bool can_refill() const { return next_ < words_end_; }

  // Requires: can_refill().
  void refill() {
    std::uint64_t word = 0;
    std::memcpy(&word, next_, sizeof(word));
    if constexpr (std::endian::native == std::endian::little) {
      word = __builtin_bswap64(word);
    }
    // Bits that were loaded before are loaded again with the same values.
    window_ |= word >> bit_count_;
    next_ += (63 - bit_count_) / 8;
    bit_count_ |= kRefilledBits;
  }

  // The next bits, the first of them in the highest place.
  [[nodiscard]] std::uint64_t window() const { return window_; }

  // Requires: count < 64, and no more bits than the last refill left.
  void drop(unsigned count) {
    window_ <<= count;
    bit_count_ -= count;
  }

  [[nodiscard]] std::uint64_t used_bits() const { return static_cast<std::uint64_t>(next_ - begin_) * 8 - bit_count_; }

 private:
  static constexpr std::size_t kWordBytes = sizeof(std::uint64_t);

  const std::uint8_t* begin_;
  const std::uint8_t* next_;
  const std::uint8_t* words_end_;  // behind the last place from which a whole word can be loaded
  std::uint64_t window_ = 0;
  unsigned bit_count_ = 0;
};

}  // namespace assay
