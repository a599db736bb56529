#include "synth/lzhuf_stream.h"

#include <utility>

#include "parsers/codecs/lzhuf/position_code.h"

namespace assay::synth {

void LzhufStream::match(unsigned length_bytes, unsigned position) {
  symbol(lzhuf::kFirstMatchSymbol + length_bytes - static_cast<unsigned>(lzhuf::kMinMatchBytes));
  const unsigned first_byte = lzhuf::kFirstByteByUpper[position >> lzhuf::kPositionLowBits];
  const unsigned prefix_bits = lzhuf::kPrefixByByte[first_byte].bit_count;
  bits(first_byte >> (lzhuf::kPrefixLookupBits - prefix_bits), prefix_bits);
  bits(position & 0x3F, lzhuf::kPositionLowBits);
  size_bytes_ += length_bytes - 1;
}

void LzhufStream::token(unsigned symbol, unsigned position) {
  if (symbol < lzhuf::kFirstMatchSymbol) {
    literal(symbol);
  } else {
    match(symbol - lzhuf::kFirstMatchSymbol + static_cast<unsigned>(lzhuf::kMinMatchBytes), position);
  }
}

void LzhufStream::symbol(unsigned symbol) {
  const lzhuf::SymbolCode code = tree_.code_of(symbol);
  bits(code.bits, code.bit_count);
  tree_.count(symbol);
  ++size_bytes_;
}

void LzhufStream::bits(std::uint32_t value, unsigned count) {
  for (unsigned bit = count; bit-- > 0;) {
    if (bit_count_ % 8 == 0) {
      packed_.push_back(0);
    }
    packed_.back() = static_cast<std::uint8_t>(packed_.back() | (value >> bit & 1U) << (7 - bit_count_ % 8));
    ++bit_count_;
  }
}

LzhufStream worst_lzhuf_stream(std::size_t size_bytes, Prng& prng) {
  constexpr unsigned kLiterals = 256;
  constexpr unsigned kBitsOfOutput = 8;
  LzhufStream stream;
  while (stream.size_bytes() < size_bytes) {
    // Of equal ones the first behind a random one is taken, so that no branch predictor learns an order.
    const auto first = static_cast<unsigned>(prng.index(kLiterals));
    unsigned best = first;
    double best_share = 0;
    for (unsigned step = 0; step < kLiterals; ++step) {
      const unsigned literal = (first + step) % kLiterals;
      const unsigned moves = stream.tree().moves_for(literal);
      const double share = static_cast<double>(moves) / (kBitsOfOutput + stream.tree().code_of(literal).bit_count);
      if (share > best_share) {
        best = literal;
        best_share = share;
      }
    }
    stream.literal(best);
  }
  return stream;
}

std::vector<HostileLzhufStream> hostile_lzhuf_streams(unsigned symbol_count) {
  std::vector<HostileLzhufStream> all;
  const auto add = [&](const char* name, auto&& symbol_at) {
    HostileLzhufStream hostile{.name = name, .stream = {}};
    for (unsigned index = 0; index < symbol_count; ++index) {
      hostile.stream.token(symbol_at(index, hostile.stream), index * 37 % 4096);
    }
    all.push_back(std::move(hostile));
  };
  Prng prng(5);
  const auto longest_code = [](const LzhufStream& stream, unsigned first, unsigned end) {
    unsigned best = first;
    for (unsigned symbol = first; symbol < end; ++symbol) {
      best = stream.tree().code_of(symbol).bit_count > stream.tree().code_of(best).bit_count ? symbol : best;
    }
    return best;
  };
  add("every literal in turn", [](unsigned index, const LzhufStream&) { return index % 256; });
  add("every symbol in turn", [](unsigned index, const LzhufStream&) { return index % lzhuf::kSymbolCount; });
  add("every symbol, backwards",
      [](unsigned index, const LzhufStream&) { return lzhuf::kSymbolCount - 1 - index % lzhuf::kSymbolCount; });
  add("random symbols",
      [&](unsigned, const LzhufStream&) { return static_cast<unsigned>(prng.below(lzhuf::kSymbolCount)); });
  add("random literals", [&](unsigned, const LzhufStream&) { return static_cast<unsigned>(prng.below(256)); });
  add("the longest code of the literals",
      [&](unsigned, const LzhufStream& stream) { return longest_code(stream, 0, 256); });
  add("the longest code",
      [&](unsigned, const LzhufStream& stream) { return longest_code(stream, 0, lzhuf::kSymbolCount); });
  // One literal counts as much as all others together: half of the tree moves from one depth to another and back.
  add("half of the tree against one literal", [&](unsigned index, const LzhufStream&) {
    return index % 2 == 0 ? 0U : 1U + static_cast<unsigned>(prng.below(255));
  });
  add("a third of the tree against two literals", [&](unsigned index, const LzhufStream&) {
    return index % 3 < 2 ? index % 3 : 2U + static_cast<unsigned>(prng.below(254));
  });
  add("a quarter of the tree against three literals", [&](unsigned index, const LzhufStream&) {
    return index % 4 < 3 ? index % 4 : 3U + static_cast<unsigned>(prng.below(253));
  });
  // Fibonacci frequencies make the deepest codes; the seldom symbols below them are used most.
  add("deep codes", [&](unsigned index, const LzhufStream&) {
    std::size_t level = 0;
    while (level < 20 && prng.below(8) < 5) {
      ++level;
    }
    return index < 12000 ? static_cast<unsigned>(level) : 20U + static_cast<unsigned>(prng.below(40));
  });
  all.push_back({.name = "the literal that moves most", .stream = worst_lzhuf_stream(symbol_count, prng)});
  return all;
}

}  // namespace assay::synth
