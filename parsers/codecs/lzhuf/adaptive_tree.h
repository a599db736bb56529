#pragma once

#include <array>
#include <cstdint>

#include "parsers/base/bit_reader.h"

// The adaptive Huffman tree of LZHUF (docs/formats/codecs.md, B9), which encoder and decoder move in step.
namespace assay::lzhuf {

inline constexpr std::size_t kMinMatchBytes = 3;
inline constexpr std::size_t kMaxMatchBytes = 60;
// Symbols 0..255 are literals, 256..313 are matches of 3..60 bytes.
inline constexpr unsigned kSymbolCount = 256 + kMaxMatchBytes - kMinMatchBytes + 1;
inline constexpr unsigned kFirstMatchSymbol = 256;

// A path from the root, first step in the highest of `bit_count` bits.
struct SymbolCode {
  std::uint32_t bits = 0;
  unsigned bit_count = 0;
};

// 627 nodes in an order of rising frequency, the root last. The children of a node are neighbours, an even position
// for bit 0 and the odd one after it for bit 1. Every use of a symbol counts along its path to the root and moves nodes
// so that the order holds; when the root has counted to 0x8000, all frequencies are halved and the tree is built anew.
class AdaptiveTree {
 public:
  // Sets the tree in which every symbol was used once. Must be called before anything else; cost: O(nodes).
  void reset();

  // Reads one symbol, 0..313. Reads zero bits past the end of `bits`, which the caller has to look for. Does not
  // count the symbol. Cost: O(code length).
  [[nodiscard]] unsigned read_symbol(MsbBitReader& bits) const;

  // The code of a symbol at this moment. Cost: O(code length).
  //
  // Requires: symbol < kSymbolCount.
  [[nodiscard]] SymbolCode code_of(unsigned symbol) const;

  // How many nodes count() would move for a symbol at this moment; what costs a decoder most. Cost: O(code length) and
  // the nodes that are moved over.
  //
  // Requires: symbol < kSymbolCount.
  [[nodiscard]] unsigned moves_for(unsigned symbol) const;

  // Counts one use of a symbol. Cost: O(code length) and the moves; O(nodes squared) at a rebuild, which comes at most
  // once in 16,000 symbols.
  //
  // Requires: symbol < kSymbolCount.
  void count(unsigned symbol);

 private:
  static constexpr unsigned kNodeCount = 2 * kSymbolCount - 1;
  static constexpr unsigned kRoot = kNodeCount - 1;
  static constexpr std::uint16_t kMaxFrequency = 0x8000;

  void link_children(unsigned node);
  void exchange(unsigned left, unsigned right);
  void rebuild();
  void collect_leaves();
  void insert_inner_nodes();

  // One more than there are nodes: the last is a sentinel above every frequency.
  std::array<std::uint16_t, kNodeCount + 1> frequency_{};
  // The even child of an inner node, or kNodeCount + symbol for a leaf.
  std::array<std::uint16_t, kNodeCount> child_{};
  // The parent of a node; at kNodeCount + symbol, the node of that symbol.
  std::array<std::uint16_t, kNodeCount + kSymbolCount> parent_{};
};

// A move changes nothing at or above the parent that the next step looks at, so looking alone gives the same path.
inline unsigned AdaptiveTree::moves_for(unsigned symbol) const {
  unsigned moves = 0;
  for (unsigned node = parent_[kNodeCount + symbol]; node != 0; node = parent_[node]) {
    const std::uint16_t frequency = frequency_[node];
    if (frequency_[node + 1U] == frequency) {
      ++moves;
      while (frequency_[node + 1U] == frequency) {
        ++node;
      }
    }
  }
  return moves;
}

}  // namespace assay::lzhuf
