#include "parsers/codecs/lzss/lzss.h"

namespace assay::lzss {
namespace {

constexpr std::size_t kFirstWrite = 0xFEE;
constexpr unsigned kItemsPerFlagByte = 8;
constexpr std::size_t kMinMatchBytes = match_finder::kMinMatchBytes;

static_assert(match_finder::kWindowBytes == kRingBytes && match_finder::kWindowFill == kRingFill);

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

// A reference as it is stored: the low eight bits of the ring index, then its high four and the length less 3.
struct Reference {
  std::size_t ring_index;
  std::size_t length_bytes;
};

Reference unpack(std::uint8_t first, std::uint8_t second) {
  return {.ring_index = static_cast<std::size_t>(first | (second & 0xF0) << 4),
          .length_bytes = (second & 0x0FU) + kMinMatchBytes};
}

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

// Collects eight items behind one flag byte.
class Encoder {
 public:
  explicit Encoder(Buffer& out) : out_(out) {}

  void literal(std::uint8_t byte) {
    begin_item(true);
    out_.push_back(byte);
    produced_ += 1;
  }

  void match(match_finder::Match match) {
    begin_item(false);
    const std::size_t ring_index = (kFirstWrite + produced_ - match.distance) & RingOutput::kMask;
    out_.push_back(static_cast<std::uint8_t>(ring_index & 0xFF));
    out_.push_back(static_cast<std::uint8_t>((ring_index >> 4 & 0xF0) | (match.length_bytes - kMinMatchBytes)));
    produced_ += match.length_bytes;
  }

 private:
  void begin_item(bool is_literal) {
    if (items_ % kItemsPerFlagByte == 0) {
      flag_index_ = out_.size();
      out_.push_back(0);
    }
    if (is_literal) {
      out_[flag_index_] = static_cast<std::uint8_t>(out_[flag_index_] | 1U << items_ % kItemsPerFlagByte);
    }
    ++items_;
  }

  Buffer& out_;
  std::size_t items_ = 0;
  std::size_t flag_index_ = 0;
  std::size_t produced_ = 0;
};

}  // namespace

Result<Decoded> decode(Bytes packed, MutableBytes output, Scratch& scratch) {
  Input input(packed);
  RingOutput sink(output, scratch.ring, kFirstWrite);
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

void encode(Bytes plain, Level level, EncodeScratch& scratch, Buffer& out) {
  Encoder encoder(out);
  match_finder::parse(plain, kMaxMatchBytes, level, scratch.finder, encoder);
}

}  // namespace assay::lzss
