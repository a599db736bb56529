#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "parsers/base/bytes.h"
#include "parsers/codecs/lzhuf/adaptive_tree.h"
#include "parsers/codecs/match_finder/match_finder.h"

// The cheapest way to cut data into literals and matches, when it is known what each symbol costs.
//
// The code adapts while it is used, so a cost holds for a while only: data is parsed in blocks, each with the costs
// that the tree has by then. Within a block the parse is the shortest path over its positions.
namespace assay::lzhuf {

inline constexpr std::size_t kParseBlockBytes = 4096;

// By symbol, in half bits, so that the mean of two codes can be told.
using SymbolCosts = std::array<std::uint16_t, kSymbolCount>;

// The costs at this moment. Cost: O(symbols * code length).
[[nodiscard]] SymbolCosts costs_of(const AdaptiveTree& tree);
// What a match costs beside its symbol, in half bits. Requires: 1 <= distance <= 4096.
[[nodiscard]] unsigned position_cost(std::size_t distance);

// Memory for one block, reused from block to block.
class BlockParser {
 public:
  // Finds all matches of plain[begin, begin + size), cut at its end, and inserts its positions.
  //
  // Requires: `finder` knows all positions before `begin`; size <= kParseBlockBytes.
  void search(Bytes plain, std::size_t begin, std::size_t size, match_finder::MatchFinder& finder);

  // The cheapest parse of the block that was searched last: a match for each token, of length 1 for a literal. Valid
  // until the next call. Cost: O(size * longest match).
  [[nodiscard]] const std::vector<match_finder::Match>& parse(const SymbolCosts& costs);

 private:
  Bytes block_;
  std::vector<match_finder::Match> matches_;  // of all positions, one after the other
  std::vector<std::size_t> first_match_;      // by position, and one more
  std::vector<std::uint32_t> cost_;           // by position: of the cheapest way to it
  std::vector<match_finder::Match> last_;     // by position: the last token on that way
  std::vector<match_finder::Match> tokens_;
};

}  // namespace assay::lzhuf
