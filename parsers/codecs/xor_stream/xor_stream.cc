#include "parsers/codecs/xor_stream/xor_stream.h"

#include <cassert>

namespace assay::xor_stream {

std::uint8_t Stream::next_key_byte() {
  low_ = static_cast<std::uint8_t>(high_ ^ (low_ << 1));
  high_ = static_cast<std::uint8_t>(low_ ^ (high_ >> 1));
  return low_;
}

void Stream::apply(Bytes in, MutableBytes out) {
  assert(in.size() == out.size());
  for (std::size_t index = 0; index < in.size(); ++index) {
    out[index] = in[index] ^ next_key_byte();
  }
}

void apply(std::uint16_t key, Bytes in, MutableBytes out) {
  Stream(key).apply(in, out);
}

}  // namespace assay::xor_stream
