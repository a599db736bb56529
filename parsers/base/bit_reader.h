#pragma once

#include "parsers/base/bytes.h"

namespace assay {

// Reads bits most significant first inside each byte, bytes in order (docs/formats/codecs.md, B9).
//
// Holds a view only. Past the end it gives zero bits and remembers that it did, so that a decoder can test once per
// symbol instead of once per bit. Cost: O(1) a call, no allocation.
class MsbBitReader {
 public:
  explicit MsbBitReader(Bytes bytes) : bytes_(bytes) {}

  [[nodiscard]] unsigned read_bit() {
    const std::size_t byte_index = bit_position_ >> 3;
    if (byte_index >= bytes_.size()) {
      overrun_ = true;
      return 0;
    }
    const unsigned shift = 7U - static_cast<unsigned>(bit_position_ & 7U);
    ++bit_position_;
    return (bytes_[byte_index] >> shift) & 1U;
  }

  // Requires: count <= 32.
  [[nodiscard]] std::uint32_t read_bits(unsigned count) {
    std::uint32_t value = 0;
    for (unsigned index = 0; index < count; ++index) {
      value = value << 1 | read_bit();
    }
    return value;
  }

  // Whether a bit past the end was asked for.
  [[nodiscard]] bool overrun() const { return overrun_; }
  [[nodiscard]] std::uint64_t used_bits() const { return bit_position_; }
  // Bytes of which at least one bit was used.
  [[nodiscard]] std::size_t used_bytes() const { return static_cast<std::size_t>((bit_position_ + 7) / 8); }

 private:
  Bytes bytes_;
  std::uint64_t bit_position_ = 0;
  bool overrun_ = false;
};

}  // namespace assay
