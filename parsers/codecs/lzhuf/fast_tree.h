#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "parsers/base/bit_reader.h"
#include "parsers/codecs/lzhuf/adaptive_tree.h"

// The adaptive Huffman tree of LZHUF made for decoding: the same tree as AdaptiveTree after every symbol, with less
// work.
//
// * A table of the first bits of a code leads to the symbol, or to the node from which the last bits are walked. It is
//   kept exact: where two subtrees change places, so do their parts of the table. A wide table pays where exchanges are
//   rare, a narrow one where they are frequent, as in the first kilobytes of a stream; the tree counts and chooses.
// * With the narrow table, last_ tells the end of a run of nodes of equal frequency at once, and the leaf, which moves
//   most often, is exchanged without a branch: where it stays, it changes places with itself. With the wide one, runs
//   are short and scanned sixteen at a time.
// * The nodes at the top are counted late. They are used by every symbol, yet their frequencies lie far apart, so for
//   `credit_` symbols none of them can overtake its neighbour. Until then a use is counted once, at the top node where
//   the path comes in (its `sink`), and refresh() brings the frequencies up to date.
// * A rebuild merges the leaves with the new nodes, in linear time.
//
// docs/performance.md has the figures of the designs that were tried.
namespace assay::lzhuf {

// How the tree works; the results do not differ.
struct TreeDesign {
  enum class RootTable : std::uint8_t { kAdaptive, kNarrow, kWide };
  RootTable root_table = RootTable::kAdaptive;
  // Whether nodes of equal frequency are scanned by SIMD where this build has it.
  bool simd = true;
};

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): reset() fills it.
class FastTree {
 public:
  static constexpr unsigned kNarrowBits = 4;
  static constexpr unsigned kWideBits = 8;

  struct Found {
    std::size_t symbol = 0;
    std::size_t link = 0;  // the node, or the sink of a node at the top
    unsigned bit_count = 0;
  };

  // Sets the tree in which every symbol was used once. Must be called before anything else. Cost: a copy of 7 KiB.
  void reset(TreeDesign design);

  // How many bits the table takes at this moment, kNarrowBits or kWideBits.
  [[nodiscard]] unsigned root_bits() const { return root_bits_; }

  // Whether count() may be called. If not, refresh() or, where rebuild_is_due(), rebuild_and_count() comes first.
  [[nodiscard]] bool has_credit() const { return credit_ != 0; }
  void refresh();
  // Requires: !has_credit() and refresh() was called.
  [[nodiscard]] bool rebuild_is_due() const { return rebuild_is_due_; }
  // Counts a symbol that was found before, as the first one after a rebuild. Afterwards the tree has credit.
  void rebuild_and_count(std::size_t symbol);

  // The symbol at the front of `window`, whose first bit is the highest. Does not count it. Cost: O(1) for codes of up
  // to kRootBits bits, O(code length) for longer ones.
  //
  // Requires: kRootBits == root_bits().
  template <unsigned kRootBits>
  [[nodiscard, gnu::always_inline]] Found find(std::uint64_t window) const;

  // Counts one use of the symbol that was found at the front of `window`. Cost: O(code length) and the moves.
  //
  // Requires: has_credit(), kRootBits == root_bits().
  template <unsigned kRootBits>
  [[gnu::always_inline]] void count(Found found, std::uint64_t window);

  // For the end of a stream, where bits are read one by one: afterwards only read_settled() and count_settled() may be
  // called, which use no table.
  void settle();
  [[nodiscard]] unsigned read_settled(MsbBitReader& bits) const;
  void count_settled(unsigned symbol);

 private:
  friend struct FastTreeStart;

  static constexpr unsigned kNodeCount = 2 * kSymbolCount - 1;
  static constexpr unsigned kRoot = kNodeCount - 1;
  static constexpr std::uint16_t kMaxFrequency = 0x8000;
  // Steps of count() that are done for every symbol, so that few branches depend on the length of a code.
  static constexpr unsigned kPaddedSteps = 6;
  static constexpr unsigned kTopCount = 16;     // the most top nodes
  static constexpr unsigned kMaxCredit = 1024;  // the most symbols between two refreshes

  // One space of numbers for all that a node can lead up to. Behind the nodes come the sinks, where the top nodes count
  // late, two numbers each so that a sentinel can follow; then dummies that pad short paths; then two numbers for each
  // symbol, so that a leaf is linked with the same store as a pair of children.
  static constexpr unsigned kFirstSink = 656;
  static constexpr unsigned kFirstDummy = kFirstSink + 2 * kTopCount;
  static constexpr unsigned kDummyCount = 8;
  static constexpr unsigned kFirstLeaf = kFirstDummy + 2 * kDummyCount;
  static constexpr unsigned kLinkCount = kFirstLeaf + 2 * kSymbolCount;
  static_assert(kDummyCount >= kPaddedSteps);

  // Entries of the table: a symbol with the length of its code, or kInnerMark + the first child of an inner node.
  static constexpr unsigned kInnerMark = 0x8000;
  static constexpr unsigned kLengthBits = 4;

  // A place in the tree as a path from the root.
  struct Place {
    unsigned code = 0;
    unsigned depth = 0;
  };

  static constexpr std::uint16_t narrow(std::size_t value) { return static_cast<std::uint16_t>(value); }
  static constexpr unsigned sink_of(unsigned node) { return kFirstSink + 2 * (kRoot - node); }
  [[nodiscard]] unsigned link_to(unsigned node) const { return node >= first_top_ ? sink_of(node) : node; }
  static constexpr unsigned node_of(unsigned link) {
    return link >= kFirstSink ? kRoot - (link - kFirstSink) / 2 : link;
  }
  static constexpr bool is_leaf(unsigned child) { return child >= kFirstLeaf; }

  // Links a pair of children, or a leaf, with one store.
  void link_pair(std::size_t child, std::size_t link) {
    const auto both = static_cast<std::uint32_t>(link * 0x1'0001);
    std::memcpy(&up_[child], &both, sizeof(both));
  }

  // With the narrow table.
  [[gnu::always_inline]] void count_by_last(std::size_t link);
  [[gnu::always_inline]] void exchange_and_count(std::size_t node, std::size_t leader);
  void count_in_table(std::size_t node);
  void extend_last();
  // With the wide table, or with none.
  template <unsigned kLevel>
  [[gnu::always_inline]] void count_from(std::size_t node, Found found, std::uint64_t window);
  void count_moving(std::size_t node, unsigned code, unsigned depth);
  void count_at_top(unsigned node);
  void count_to_root(unsigned node);
  [[nodiscard]] std::size_t last_of_equals(std::size_t node, unsigned frequency) const;
  void link_children(unsigned node);
  void link_all();
  void exchange(std::size_t left, std::size_t right);
  void exchange_in_table(std::size_t left, Place left_place, std::size_t right, Place right_place);
  void refill_exchanged(std::size_t left, Place left_place, std::size_t right, Place right_place);
  [[nodiscard]] Place place_below_top(std::size_t node) const;
  [[nodiscard]] Place place_of(unsigned node) const;
  void catch_up();
  void choose_top();
  void note_top_places();
  void choose_root_bits();
  void fill_table(unsigned root_bits);
  void fill_subtree(unsigned child, Place place);
  void rebuild();

  // Frequencies of the nodes, those of the top as they were at the last refresh; kNodeCount holds a sentinel above
  // every frequency. At a sink, the uses since the last refresh. At the odd numbers behind sinks and dummies,
  // sentinels.
  std::array<std::uint16_t, kFirstLeaf> frequency_;
  // The even child of an inner node, or the number of a leaf.
  std::array<std::uint16_t, kNodeCount + 1> child_;
  // Where the path goes on towards the root: a node or a sink, from sinks a dummy.
  std::array<std::uint16_t, kLinkCount> up_;
  std::array<std::uint16_t, std::size_t{1} << kWideBits> table_;
  // By distance from the root: the place of a top node.
  std::array<Place, kTopCount> top_places_;
  std::uint16_t first_top_;  // nodes from here on are counted late
  // No node below this one is in the table. It may be lower than necessary.
  std::uint16_t lowest_in_table_;
  std::uint16_t barrier_;  // the lower one of these two
  std::uint32_t credit_;   // symbols until a refresh is necessary
  bool rebuild_is_due_;
  TreeDesign design_;
  unsigned root_bits_;
  // For the choice of the table: since the frequency of the root was `decided_at_`.
  unsigned decided_at_;
  unsigned inner_exchanges_;  // moves of inner nodes
  unsigned fill_work_;        // entries that were written because subtrees moved to another depth
  unsigned narrow_for_;       // decisions for which the table stays narrow after too much of that
  // By frequency: the last node that counts no more than that. When this node is counted, the one before it becomes the
  // last; nothing else changes it. It is exact below `last_known_`, the frequency of the first top node at the last
  // refresh, and names the first top node there. With the wide table nothing is known.
  std::uint32_t last_known_;
  std::array<std::uint16_t, kMaxFrequency + 1U> last_;
};

template <unsigned kRootBits>
inline FastTree::Found FastTree::find(std::uint64_t window) const {
  const std::size_t entry = table_[window >> (64 - kRootBits)];
  if (entry < kInnerMark) [[likely]] {
    const std::size_t symbol = entry >> kLengthBits;
    return {.symbol = symbol,
            .link = up_[kFirstLeaf + 2 * symbol],
            .bit_count = static_cast<unsigned>(entry & ((1U << kLengthBits) - 1))};
  }
  std::size_t child = entry - kInnerMark;
  std::size_t node = 0;
  unsigned bit_count = kRootBits;
  do {
    node = child + (window << bit_count >> 63);
    child = child_[node];
    ++bit_count;
  } while (child < kFirstLeaf);
  // up_ would tell the node as well, but would have to wait for the stores of the exchanges before.
  return {.symbol = (child - kFirstLeaf) / 2, .link = link_to(static_cast<unsigned>(node)), .bit_count = bit_count};
}

// Counts along the path as long as no node has to move. A node may be counted without a look at the order when the one
// behind it counts more; that is the case nearly always, and all these branches lead out of the hot path.
template <unsigned kLevel>
inline void FastTree::count_from(std::size_t node, Found found, std::uint64_t window) {
  unsigned level = kLevel;
  do {
    const unsigned frequency = frequency_[node];
    if (frequency == frequency_[node + 1]) [[unlikely]] {
      count_moving(node, static_cast<unsigned>(window >> (64 - found.bit_count) >> level), found.bit_count - level);
      return;
    }
    frequency_[node] = narrow(frequency + 1);
    node = up_[node];
    if constexpr (kLevel < kPaddedSteps) {
      count_from<kLevel + 1>(node, found, window);
      return;
    }
    ++level;
  } while (node < kFirstDummy);
}

// Exchanges what hangs below two nodes of equal frequency, of which the second is the last, and counts the second. They
// may be one and the same.
inline void FastTree::exchange_and_count(std::size_t node, std::size_t leader) {
  const std::size_t frequency = frequency_[node];
  const std::size_t rising = child_[node];
  const std::size_t falling = child_[leader];
  last_[frequency] = narrow(leader - 1);
  frequency_[leader] = narrow(frequency + 1);
  child_[node] = narrow(falling);
  child_[leader] = narrow(rising);
  link_pair(falling, node);
  link_pair(rising, leader);
}

// Counts along the path. A branch decides for every inner node whether it moves, none for the leaf; short codes, whose
// leaves are in the table and seldom move, take the way of inner nodes.
inline void FastTree::count_by_last(std::size_t link) {
  std::size_t node = link;
  // A sink has no leader, but it lies behind the barrier, and what is read for it is known to be something.
  const std::size_t leaf_leader = last_[frequency_[node]];
  if (std::max(node, leaf_leader) < barrier_) {
    exchange_and_count(node, leaf_leader);
    node = up_[leaf_leader];
  }
  while (node < kFirstSink) {
    const std::size_t frequency = frequency_[node];
    if (frequency == frequency_[node + 1]) [[unlikely]] {
      const std::size_t leader = last_[frequency];
      if (leader >= barrier_) [[unlikely]] {
        count_in_table(node);
        return;
      }
      ++inner_exchanges_;
      exchange_and_count(node, leader);
      node = leader;
    } else {
      last_[frequency] = narrow(node - 1);
      frequency_[node] = narrow(frequency + 1);
    }
    node = up_[node];
  }
  ++frequency_[node];
}

template <unsigned kRootBits>
inline void FastTree::count(Found found, std::uint64_t window) {
  --credit_;
  if constexpr (kRootBits == kNarrowBits) {
    count_by_last(found.link);
  } else {
    count_from<0>(found.link, found, window);
  }
}

}  // namespace assay::lzhuf
