#include "parsers/codecs/lzhuf/optimal_parse.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "parsers/codecs/codec_test_support.h"

namespace assay::lzhuf {
namespace {

using match_finder::Match;
using match_finder::MatchFinder;

SymbolCosts random_costs(codec_testing::Random& random) {
  SymbolCosts costs{};
  std::generate(costs.begin(), costs.end(), [&] { return static_cast<std::uint16_t>(1 + random.below(40)); });
  return costs;
}

std::size_t cost_of(Bytes plain, std::size_t position, Match token, const SymbolCosts& costs) {
  return token.length_bytes == 1
             ? costs[plain[position]]
             : costs[kFirstMatchSymbol + token.length_bytes - kMinMatchBytes] + position_cost(token.distance);
}

// The cost of the cheapest parse, found by looking at every distance of every match at every position.
std::size_t cheapest(Bytes plain, const SymbolCosts& costs) {
  Buffer text = codec_testing::spaces(match_finder::kWindowBytes);
  text.insert(text.end(), plain.begin(), plain.end());
  std::vector<std::size_t> to_end(plain.size() + 1, 0);
  for (std::size_t position = plain.size(); position-- > 0;) {
    to_end[position] = cost_of(plain, position, {.distance = 0, .length_bytes = 1}, costs) + to_end[position + 1];
    for (std::size_t distance = 1; distance <= match_finder::kWindowBytes; ++distance) {
      const std::uint8_t* const here = &text[position + match_finder::kWindowBytes];
      const std::size_t longest = std::min(kMaxMatchBytes, plain.size() - position);
      for (std::size_t length = 1; length <= longest && here[length - 1] == *(here + length - 1 - distance); ++length) {
        if (length >= kMinMatchBytes) {
          const Match token{.distance = distance, .length_bytes = length};
          to_end[position] =
              std::min(to_end[position], cost_of(plain, position, token, costs) + to_end[position + length]);
        }
      }
    }
  }
  return to_end[0];
}

TEST(LzhufOptimalParse, IsTheCheapestOfAll) {
  codec_testing::Random random(31);
  MatchFinder finder;
  BlockParser parser;
  for (unsigned kind = 0; kind < static_cast<unsigned>(codec_testing::Kind::kCount); ++kind) {
    const Buffer plain = codec_testing::make_data(static_cast<codec_testing::Kind>(kind), 300, kind);
    finder.begin(plain, kMaxMatchBytes, match_finder::kWindowBytes);
    parser.search(plain, 0, plain.size(), finder);
    for (unsigned round = 0; round < 3; ++round) {
      const SymbolCosts costs = random_costs(random);
      std::size_t position = 0;
      std::size_t cost = 0;
      for (const Match& token : parser.parse(costs)) {
        cost += cost_of(plain, position, token, costs);
        position += token.length_bytes;
      }
      ASSERT_EQ(position, plain.size());
      EXPECT_EQ(cost, cheapest(plain, costs)) << "kind " << kind << ", round " << round;
    }
  }
}

TEST(LzhufOptimalParse, KnowsWhatAPositionCosts) {
  EXPECT_EQ(position_cost(1), 2 * 9U);
  EXPECT_EQ(position_cost(64), 2 * 9U);
  EXPECT_EQ(position_cost(65), 2 * 10U);
  EXPECT_EQ(position_cost(4096), 2 * 14U);
}

TEST(LzhufOptimalParse, AnEmptyBlockHasNoTokens) {
  MatchFinder finder;
  BlockParser parser;
  finder.begin({}, kMaxMatchBytes, 1);
  parser.search({}, 0, 0, finder);
  EXPECT_TRUE(parser.parse(SymbolCosts{}).empty());
}

}  // namespace
}  // namespace assay::lzhuf
