#include "parsers/codecs/lzss/textbook.h"

#include "parsers/codecs/lzss/token.h"
#include "parsers/codecs/ring_output.h"

namespace assay::lzss::textbook {
namespace {

// The packed bytes that are still to be read.
class Input {
 public:
  explicit Input(Bytes packed) : rest_(packed) {}

  [[nodiscard]] std::size_t remaining() const { return rest_.size(); }

  // Requires: remaining() > 0.
  std::uint8_t take() {
    const std::uint8_t byte = rest_.front();
    rest_ = rest_.subspan(1);
    return byte;
  }

 private:
  Bytes rest_;
};

// Decodes one item; false when the input ends inside it.
bool decode_item(bool is_literal, Input& input, RingOutput& sink) {
  if (input.remaining() < (is_literal ? 1U : 2U)) {
    return false;
  }
  const std::uint8_t first = input.take();
  if (is_literal) {
    sink.put(first);
    return true;
  }
  const std::uint8_t second = input.take();
  const Reference reference = unpack(first, second);
  sink.copy_from_index(reference.ring_index, reference.length_bytes);
  return true;
}

}  // namespace

Result<Decoded> decode(Bytes packed, MutableBytes output) {
  Input input(packed);
  Ring ring;
  RingOutput sink(output, ring, kFirstWrite);
  const auto truncated = [&] { return truncated_stream(packed.size(), output.size(), sink.produced_bytes()); };
  while (!sink.full()) {
    if (input.remaining() == 0) {
      return truncated();
    }
    const std::uint8_t flags = input.take();
    for (unsigned item = 0; item < kItemsPerFlagByte && !sink.full(); ++item) {
      if (!decode_item((flags >> item & 1) != 0, input, sink)) {
        return truncated();
      }
    }
  }
  return Decoded{.used_bytes = packed.size() - input.remaining()};
}

}  // namespace assay::lzss::textbook
