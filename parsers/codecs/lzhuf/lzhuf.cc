#include "parsers/codecs/lzhuf/lzhuf.h"

#include <algorithm>

#include "parsers/codecs/lzhuf/decoder.h"
#include "parsers/codecs/lzhuf/position_code.h"

namespace assay::lzhuf {
namespace {

constexpr unsigned kLowMask = (1U << kPositionLowBits) - 1;

static_assert(match_finder::kMinMatchBytes == kMinMatchBytes);

using match_finder::Match;

// Appends bits, most significant first inside each byte; finish() fills the last byte with zero bits.
class BitWriter {
 public:
  explicit BitWriter(Buffer& out) : out_(out) {}

  // Requires: bit_count <= 32.
  void write(std::uint32_t bits, unsigned bit_count) {
    pending_ = pending_ << bit_count | bits;
    pending_count_ += bit_count;
    while (pending_count_ >= 8) {
      pending_count_ -= 8;
      out_.push_back(static_cast<std::uint8_t>(pending_ >> pending_count_ & 0xFF));
    }
  }
  void finish() {
    if (pending_count_ > 0) {
      write(0, 8 - pending_count_);
    }
  }

 private:
  Buffer& out_;
  std::uint64_t pending_ = 0;
  unsigned pending_count_ = 0;
};

class Encoder {
 public:
  Encoder(AdaptiveTree& tree, Buffer& out) : tree_(tree), bits_(out) { tree_.reset(); }

  void literal(std::uint8_t byte) { write_symbol(byte); }

  void match(match_finder::Match match) {
    write_symbol(kFirstMatchSymbol + static_cast<unsigned>(match.length_bytes - kMinMatchBytes));
    write_position(static_cast<std::uint32_t>(match.distance - 1));
  }

  void finish() { bits_.finish(); }

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

unsigned symbol_of(Bytes plain, std::size_t position, Match token) {
  return token.length_bytes == 1 ? plain[position]
                                 : kFirstMatchSymbol + static_cast<unsigned>(token.length_bytes - kMinMatchBytes);
}

// The costs that hold on the average while `tokens` are written: the mean of before and after.
SymbolCosts costs_during(Bytes plain, std::size_t position, const std::vector<Match>& tokens, AdaptiveTree tree) {
  SymbolCosts costs = costs_of(tree);
  for (const Match& token : tokens) {
    tree.count(symbol_of(plain, position, token));
    position += token.length_bytes;
  }
  const SymbolCosts after = costs_of(tree);
  for (std::size_t symbol = 0; symbol < costs.size(); ++symbol) {
    costs[symbol] = static_cast<std::uint16_t>((costs[symbol] + after[symbol]) / 2);
  }
  return costs;
}

// The first parse of a block knows the tree as it is, every further one also what the parse before makes of it.
void parse_optimally(Bytes plain, Level level, EncodeScratch& scratch, Encoder& encoder) {
  const unsigned further_parses = level.value() - kFirstOptimalLevel;
  const match_finder::Effort effort = match_finder::effort_of(level);
  scratch.finder.begin(plain, kMaxMatchBytes, effort.chain_depth);
  for (std::size_t begin = 0; begin < plain.size(); begin += kParseBlockBytes) {
    scratch.parser.search(plain, begin, std::min(kParseBlockBytes, plain.size() - begin), scratch.finder);
    const std::vector<Match>* tokens = &scratch.parser.parse(costs_of(scratch.tree));
    for (unsigned parse = 0; parse < further_parses; ++parse) {
      tokens = &scratch.parser.parse(costs_during(plain, begin, *tokens, scratch.tree));
    }
    std::size_t position = begin;
    for (const Match& token : *tokens) {
      if (token.length_bytes == 1) {
        encoder.literal(plain[position]);
      } else {
        encoder.match(token);
      }
      position += token.length_bytes;
    }
  }
}

}  // namespace

Result<Decoded> decode(Bytes packed, MutableBytes output, Scratch& scratch) {
  return decode_with({}, packed, output, scratch);
}

void encode(Bytes plain, Level level, EncodeScratch& scratch, Buffer& out) {
  Encoder encoder(scratch.tree, out);
  if (level.value() >= kFirstOptimalLevel) {
    parse_optimally(plain, level, scratch, encoder);
  } else {
    match_finder::parse(plain, kMaxMatchBytes, level, scratch.finder, encoder);
  }
  encoder.finish();
}

}  // namespace assay::lzhuf
