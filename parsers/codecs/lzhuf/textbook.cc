#include "parsers/codecs/lzhuf/textbook.h"

#include "parsers/base/bit_reader.h"
#include "parsers/codecs/lzhuf/position_code.h"

namespace assay::lzhuf::textbook {
namespace {

constexpr std::size_t kFirstWrite = 0xFC4;

}  // namespace

Result<Decoded> decode(Bytes packed, MutableBytes output, Scratch& scratch) {
  MsbBitReader bits(packed);
  RingOutput sink(output, scratch.ring, kFirstWrite);
  scratch.tree.reset();
  while (!sink.full()) {
    const unsigned symbol = scratch.tree.read_symbol(bits);
    const bool is_match = symbol >= kFirstMatchSymbol;
    const unsigned position = is_match ? read_position(bits) : 0;
    if (bits.overrun()) {
      return truncated_stream(packed.size(), output.size(), sink.produced_bytes());
    }
    scratch.tree.count(symbol);
    if (is_match) {
      sink.copy_from_distance(position + 1, symbol - kFirstMatchSymbol + kMinMatchBytes);
    } else {
      sink.put(static_cast<std::uint8_t>(symbol));
    }
  }
  return Decoded{.used_bytes = bits.used_bytes()};
}

}  // namespace assay::lzhuf::textbook
