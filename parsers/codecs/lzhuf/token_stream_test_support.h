#pragma once

#include "parsers/codecs/codec_test_support.h"
#include "parsers/codecs/lzhuf/adaptive_tree.h"
#include "parsers/codecs/lzhuf/position_code.h"

// Streams made symbol by symbol, for tests that need tokens which no encoder would choose.
namespace assay::lzhuf::testing_streams {

class TokenStream {
 public:
  TokenStream() { tree_.reset(); }

  void literal(unsigned byte) { symbol(byte); }
  void match(unsigned length_bytes, unsigned position) {
    symbol(kFirstMatchSymbol + length_bytes - static_cast<unsigned>(kMinMatchBytes));
    const unsigned first_byte = kFirstByteByUpper[position >> kPositionLowBits];
    const unsigned prefix_bits = kPrefixByByte[first_byte].bit_count;
    bits(first_byte >> (kPrefixLookupBits - prefix_bits), prefix_bits);
    bits(position & 0x3F, kPositionLowBits);
    size_bytes_ += length_bytes - 1;
  }
  // A symbol of either kind; a match comes with `position`.
  void token(unsigned symbol, unsigned position) {
    if (symbol < kFirstMatchSymbol) {
      literal(symbol);
    } else {
      match(symbol - kFirstMatchSymbol + static_cast<unsigned>(kMinMatchBytes), position);
    }
  }

  [[nodiscard]] const Buffer& packed() const { return packed_; }
  // Bytes that the stream decodes to.
  [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }
  [[nodiscard]] const AdaptiveTree& tree() const { return tree_; }

 private:
  void symbol(unsigned symbol) {
    const SymbolCode code = tree_.code_of(symbol);
    bits(code.bits, code.bit_count);
    tree_.count(symbol);
    ++size_bytes_;
  }
  void bits(std::uint32_t value, unsigned count) {
    for (unsigned bit = count; bit-- > 0;) {
      if (bit_count_ % 8 == 0) {
        packed_.push_back(0);
      }
      packed_.back() = static_cast<std::uint8_t>(packed_.back() | (value >> bit & 1U) << (7 - bit_count_ % 8));
      ++bit_count_;
    }
  }

  AdaptiveTree tree_;
  Buffer packed_;
  std::uint64_t bit_count_ = 0;
  std::size_t size_bytes_ = 0;
};

struct HostileStream {
  const char* name;
  TokenStream stream;
};

// Streams whose tree has as much to do as possible.
inline std::vector<HostileStream> hostile_streams(unsigned symbol_count) {
  std::vector<HostileStream> all;
  const auto add = [&](const char* name, auto&& symbol_at) {
    HostileStream hostile{.name = name, .stream = {}};
    for (unsigned index = 0; index < symbol_count; ++index) {
      hostile.stream.token(symbol_at(index, hostile.stream), index * 37 % 4096);
    }
    all.push_back(std::move(hostile));
  };
  codec_testing::Random random(5);
  const auto longest_code = [](const TokenStream& stream, unsigned first, unsigned end) {
    unsigned best = first;
    for (unsigned symbol = first; symbol < end; ++symbol) {
      best = stream.tree().code_of(symbol).bit_count > stream.tree().code_of(best).bit_count ? symbol : best;
    }
    return best;
  };
  add("every literal in turn", [](unsigned index, const TokenStream&) { return index % 256; });
  add("every symbol in turn", [](unsigned index, const TokenStream&) { return index % kSymbolCount; });
  add("every symbol, backwards",
      [](unsigned index, const TokenStream&) { return kSymbolCount - 1 - index % kSymbolCount; });
  add("random symbols",
      [&](unsigned, const TokenStream&) { return static_cast<unsigned>(random.below(kSymbolCount)); });
  add("random literals", [&](unsigned, const TokenStream&) { return static_cast<unsigned>(random.below(256)); });
  add("the longest code of the literals",
      [&](unsigned, const TokenStream& stream) { return longest_code(stream, 0, 256); });
  add("the longest code", [&](unsigned, const TokenStream& stream) { return longest_code(stream, 0, kSymbolCount); });
  // One literal counts as much as all others together: half of the tree moves from one depth to another and back.
  add("half of the tree against one literal", [&](unsigned index, const TokenStream&) {
    return index % 2 == 0 ? 0U : 1U + static_cast<unsigned>(random.below(255));
  });
  add("a third of the tree against two literals", [&](unsigned index, const TokenStream&) {
    return index % 3 < 2 ? index % 3 : 2U + static_cast<unsigned>(random.below(254));
  });
  add("a quarter of the tree against three literals", [&](unsigned index, const TokenStream&) {
    return index % 4 < 3 ? index % 4 : 3U + static_cast<unsigned>(random.below(253));
  });
  // Fibonacci frequencies make the deepest codes; the seldom symbols below them are used most.
  add("deep codes", [&](unsigned index, const TokenStream&) {
    std::size_t level = 0;
    while (level < 20 && random.below(8) < 5) {
      ++level;
    }
    return index < 12000 ? static_cast<unsigned>(level) : 20U + static_cast<unsigned>(random.below(40));
  });
  return all;
}

}  // namespace assay::lzhuf::testing_streams
