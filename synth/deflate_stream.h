#pragma once

#include <algorithm>
#include <cstdint>

#include "parsers/base/bytes.h"

namespace assay::synth {

// Puts a Deflate stream together bit by bit, also one that no encoder would write.
class DeflateStream {
 public:
  // A number, least significant bit first.
  DeflateStream& number(unsigned value, unsigned bit_count) {
    for (unsigned bit = 0; bit < bit_count; ++bit) {
      push(value >> bit & 1);
    }
    return *this;
  }
  // A Huffman code, most significant bit first.
  DeflateStream& code(unsigned value, unsigned bit_count) {
    while (bit_count-- > 0) {
      push(value >> bit_count & 1);
    }
    return *this;
  }
  // BFINAL and BTYPE.
  DeflateStream& block(bool is_final, unsigned type) { return number(is_final ? 1 : 0, 1).number(type, 2); }

  // A literal/length symbol of the fixed code.
  DeflateStream& fixed(unsigned symbol) {
    if (symbol < 144) {
      return code(0x30 + symbol, 8);
    }
    if (symbol < 256) {
      return code(0x190 + symbol - 144, 9);
    }
    return symbol < 280 ? code(symbol - 256, 7) : code(0xC0 + symbol - 280, 8);
  }
  DeflateStream& fixed_distance(unsigned symbol) { return code(symbol, 5); }

  // HLIT, HDIST, HCLEN and a code-length code in which 0..12 have 4 bits and 13..18 have 5: it is complete.
  DeflateStream& dynamic_header(unsigned literal_count, unsigned distance_count) {
    number(literal_count - 257, 5).number(distance_count - 1, 5).number(15, 4);
    for (const unsigned symbol :
         {16U, 17U, 18U, 0U, 8U, 7U, 9U, 6U, 10U, 5U, 11U, 4U, 12U, 3U, 13U, 2U, 14U, 1U, 15U}) {
      number(symbol <= 12 ? 4 : 5, 3);
    }
    return *this;
  }
  DeflateStream& length(unsigned symbol) { return symbol <= 12 ? code(symbol, 4) : code(26 + symbol - 13, 5); }
  // `count` code lengths of zero, as repeat codes 18 and 17 and single zeros.
  DeflateStream& zeros(unsigned count) {
    for (; count >= 11; count -= std::min(count, 138U)) {
      length(18).number(std::min(count, 138U) - 11, 7);
    }
    if (count >= 3) {
      return length(17).number(count - 3, 3);
    }
    for (; count > 0; --count) {
      length(0);
    }
    return *this;
  }

  [[nodiscard]] Buffer bytes() const { return bytes_; }
  [[nodiscard]] std::size_t bit_count() const { return bit_count_; }

 private:
  void push(unsigned bit) {
    if (bit_count_ % 8 == 0) {
      bytes_.push_back(0);
    }
    bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | bit << bit_count_ % 8);
    ++bit_count_;
  }

  Buffer bytes_;
  std::size_t bit_count_ = 0;
};

}  // namespace assay::synth
