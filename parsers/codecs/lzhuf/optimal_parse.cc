#include "parsers/codecs/lzhuf/optimal_parse.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "parsers/codecs/lzhuf/position_code.h"

namespace assay::lzhuf {

using match_finder::Match;

SymbolCosts costs_of(const AdaptiveTree& tree) {
  SymbolCosts costs{};
  for (unsigned symbol = 0; symbol < kSymbolCount; ++symbol) {
    costs[symbol] = static_cast<std::uint16_t>(2 * tree.code_of(symbol).bit_count);
  }
  return costs;
}

unsigned position_cost(std::size_t distance) {
  const unsigned first_byte = kFirstByteByUpper[(distance - 1) >> kPositionLowBits];
  return 2 * (kPrefixByByte[first_byte].bit_count + kPositionLowBits);
}

void BlockParser::search(Bytes plain, std::size_t begin, std::size_t size, match_finder::MatchFinder& finder) {
  assert(size <= kParseBlockBytes);
  block_ = plain.subspan(begin, size);
  matches_.clear();
  first_match_.clear();
  std::array<Match, kMaxMatchBytes> found{};
  for (std::size_t position = 0; position < size; ++position) {
    first_match_.push_back(matches_.size());
    const std::size_t count = finder.find_all(begin + position, found);
    for (Match match : std::span(found).first(count)) {
      match.length_bytes = std::min(match.length_bytes, size - position);
      matches_.push_back(match);
    }
    finder.insert(begin + position);
  }
  first_match_.push_back(matches_.size());
}

const std::vector<Match>& BlockParser::parse(const SymbolCosts& costs) {
  const std::size_t size = block_.size();
  cost_.assign(size + 1, std::numeric_limits<std::uint32_t>::max());
  last_.assign(size + 1, {});
  cost_[0] = 0;
  const auto offer = [&](std::size_t end, std::uint32_t cost, Match token) {
    if (cost < cost_[end]) {
      cost_[end] = cost;
      last_[end] = token;
    }
  };
  for (std::size_t position = 0; position < size; ++position) {
    const std::uint32_t here = cost_[position];
    offer(position + 1, here + costs[block_[position]], {.distance = 0, .length_bytes = 1});
    // A match may be used shorter than it is; then the nearest that is long enough is the cheapest.
    std::size_t length_bytes = kMinMatchBytes;
    for (std::size_t index = first_match_[position]; index < first_match_[position + 1]; ++index) {
      const Match match = matches_[index];
      const std::uint32_t with_position = here + position_cost(match.distance);
      for (; length_bytes <= match.length_bytes; ++length_bytes) {
        offer(position + length_bytes, with_position + costs[kFirstMatchSymbol + length_bytes - kMinMatchBytes],
              {.distance = match.distance, .length_bytes = length_bytes});
      }
    }
  }
  tokens_.clear();
  for (std::size_t end = size; end > 0; end -= last_[end].length_bytes) {
    tokens_.push_back(last_[end]);
  }
  std::reverse(tokens_.begin(), tokens_.end());
  return tokens_;
}

}  // namespace assay::lzhuf
