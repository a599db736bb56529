#include "parsers/codecs/lzhuf/lzhuf.h"

#include "parsers/codecs/lzhuf/decoder.h"
#include "parsers/codecs/lzhuf/position_code.h"

namespace assay::lzhuf {
namespace {

constexpr unsigned kLowMask = (1U << kPositionLowBits) - 1;

static_assert(match_finder::kMinMatchBytes == kMinMatchBytes);

// Appends bits, most significant first inside each byte; the last byte ends in zero bits.
class BitWriter {
 public:
  explicit BitWriter(Buffer& out) : out_(out) {}

  void write(std::uint32_t bits, unsigned bit_count) {
    while (bit_count > 0) {
      --bit_count;
      if (free_bits_ == 0) {
        out_.push_back(0);
        free_bits_ = 8;
      }
      --free_bits_;
      out_.back() = static_cast<std::uint8_t>(out_.back() | (bits >> bit_count & 1U) << free_bits_);
    }
  }

 private:
  Buffer& out_;
  unsigned free_bits_ = 0;
};

class Encoder {
 public:
  Encoder(AdaptiveTree& tree, Buffer& out) : tree_(tree), bits_(out) { tree_.reset(); }

  void literal(std::uint8_t byte) { write_symbol(byte); }

  void match(match_finder::Match match) {
    write_symbol(kFirstMatchSymbol + static_cast<unsigned>(match.length_bytes - kMinMatchBytes));
    write_position(static_cast<std::uint32_t>(match.distance - 1));
  }

 private:
  void write_symbol(unsigned symbol) {
    const SymbolCode code = tree_.code_of(symbol);
    bits_.write(code.bits, code.bit_count);
    tree_.count(symbol);
  }

  void write_position(std::uint32_t position) {
    const unsigned first_byte = kFirstByteByUpper[position >> kPositionLowBits];
    const unsigned prefix_bits = kPrefixByByte[first_byte].bit_count;
    bits_.write(first_byte >> (kPrefixLookupBits - prefix_bits), prefix_bits);
    bits_.write(position & kLowMask, kPositionLowBits);
  }

  AdaptiveTree& tree_;
  BitWriter bits_;
};

}  // namespace

Result<Decoded> decode(Bytes packed, MutableBytes output, Scratch& scratch) {
  return decode_with({}, packed, output, scratch);
}

void encode(Bytes plain, Level level, EncodeScratch& scratch, Buffer& out) {
  Encoder encoder(scratch.tree, out);
  match_finder::parse(plain, kMaxMatchBytes, level, scratch.finder, encoder);
}

}  // namespace assay::lzhuf
