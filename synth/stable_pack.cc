#include "synth/stable_pack.h"

#include <array>
#include <memory>

#include "parsers/codecs/lzhuf/adaptive_tree.h"
#include "parsers/codecs/lzhuf/position_code.h"
#include "synth/greedy_parse.h"

namespace assay::synth {
namespace {

// Flag bytes and tokens of docs/formats/codecs.md, B8.
class LzssSink {
 public:
  explicit LzssSink(Buffer& out) : out_(out) {}

  void literal(std::uint8_t byte) {
    begin_item(1);
    out_.push_back(byte);
    ++written_;
  }
  void match(std::size_t distance, std::size_t length) {
    constexpr std::size_t kRingStart = 0xFEE;
    begin_item(0);
    const std::size_t ring_index = (kRingStart + written_ - distance) & 0xFFF;
    out_.push_back(static_cast<std::uint8_t>(ring_index & 0xFF));
    out_.push_back(static_cast<std::uint8_t>((ring_index >> 4 & 0xF0) | (length - 3)));
    written_ += length;
  }

 private:
  void begin_item(unsigned flag) {
    if (items_ % 8 == 0) {
      flag_position_ = out_.size();
      out_.push_back(0);
    }
    out_[flag_position_] = static_cast<std::uint8_t>(out_[flag_position_] | flag << items_ % 8);
    ++items_;
  }

  Buffer& out_;
  std::size_t written_ = 0;
  unsigned items_ = 0;
  std::size_t flag_position_ = 0;
};

// Symbols and positions of docs/formats/codecs.md, B9, most significant bit first.
class LzhufSink {
 public:
  explicit LzhufSink(Buffer& out) : out_(out) { tree_->reset(); }

  void literal(std::uint8_t byte) { symbol(byte); }
  void match(std::size_t distance, std::size_t length) {
    symbol(lzhuf::kFirstMatchSymbol + static_cast<unsigned>(length - lzhuf::kMinMatchBytes));
    const auto position = static_cast<std::uint32_t>(distance - 1);
    const unsigned first_byte = lzhuf::kFirstByteByUpper[position >> lzhuf::kPositionLowBits];
    const unsigned prefix_bits = lzhuf::kPrefixByByte[first_byte].bit_count;
    bits(first_byte >> (lzhuf::kPrefixLookupBits - prefix_bits), prefix_bits);
    bits(position & ((1U << lzhuf::kPositionLowBits) - 1), lzhuf::kPositionLowBits);
  }

 private:
  void symbol(unsigned symbol) {
    const lzhuf::SymbolCode code = tree_->code_of(symbol);
    bits(code.bits, code.bit_count);
    tree_->count(symbol);
  }
  void bits(std::uint32_t value, unsigned count) {
    while (count-- > 0) {
      if (bit_index_ % 8 == 0) {
        out_.push_back(0);
      }
      out_.back() = static_cast<std::uint8_t>(out_.back() | (value >> count & 1U) << (7 - bit_index_ % 8));
      ++bit_index_;
    }
  }

  std::unique_ptr<lzhuf::AdaptiveTree> tree_ = std::make_unique<lzhuf::AdaptiveTree>();
  Buffer& out_;
  std::size_t bit_index_ = 0;
};

}  // namespace

void append_lzss(Bytes plain, Buffer& out) {
  LzssSink sink(out);
  // One less than the ring: the slot at the full distance is the one that is written next.
  greedy_parse(plain, {.window_bytes = 4095, .longest_bytes = 18}, sink);
}

void append_lzhuf(Bytes plain, Buffer& out) {
  LzhufSink sink(out);
  greedy_parse(plain, {.window_bytes = 4096, .longest_bytes = lzhuf::kMaxMatchBytes}, sink);
}

Buffer pack_stably(rsli::Method method, Bytes plain, DeflateBlocks blocks) {
  Buffer packed;
  switch (method) {
    case rsli::Method::kLzss:
    case rsli::Method::kXorLzss: append_lzss(plain, packed); break;
    case rsli::Method::kLzhuf:
    case rsli::Method::kXorLzhuf: append_lzhuf(plain, packed); break;
    case rsli::Method::kDeflate: append_deflate(plain, blocks, packed); break;
    case rsli::Method::kStored:
    case rsli::Method::kXor: packed.assign(plain.begin(), plain.end()); break;
  }
  return packed;
}

}  // namespace assay::synth
