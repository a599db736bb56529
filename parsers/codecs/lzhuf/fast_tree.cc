#include "parsers/codecs/lzhuf/fast_tree.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#ifdef __SSE2__  // Part of x86-64, so nothing has to be asked at run time.
#include <emmintrin.h>
#endif

namespace assay::lzhuf {
namespace {

constexpr std::uint16_t narrow(std::size_t value) {
  return static_cast<std::uint16_t>(value);
}

// Top nodes lie this far apart. Larger means fewer refreshes and fewer nodes at the top.
constexpr unsigned kTopGap = 96;
// The most symbols between two refreshes, and the fewest between two decisions about the table.
constexpr unsigned kMaxCredit = 1024;
constexpr unsigned kDecisionSymbols = 512;
// From this frequency of the root on, runs of equal nodes are short. A rebuild leaves more.
constexpr unsigned kScanFrom = 1024;
// Exchanges within reach of a wide table, for 256 symbols: below the first it pays, above the second it does not.
constexpr unsigned kWideBelow = 60;
constexpr unsigned kNarrowAbove = 90;
// What may be written into the table between two decisions because subtrees change their depth. Real data stays far
// below; a hostile stream can move half of the tree every second symbol.
constexpr unsigned kFillBudget = 2048;
constexpr unsigned kNarrowDecisions = 8;

#ifdef __SSE2__
// Bit n: whether the n-th of sixteen frequencies is `equal`.
unsigned equals_mask(const std::uint16_t* frequencies, __m128i equal) {
  const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(frequencies));
  const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(frequencies + 8));
  const __m128i same = _mm_packs_epi16(_mm_cmpeq_epi16(low, equal), _mm_cmpeq_epi16(high, equal));
  return static_cast<unsigned>(_mm_movemask_epi8(same));
}
#endif

}  // namespace

// The state after reset(), made by the compiler.
struct FastTreeStart {
  static consteval FastTree make() {
    FastTree tree{};
    for (unsigned symbol = 0; symbol < kSymbolCount; ++symbol) {
      tree.frequency_[symbol] = 1;
      tree.child_[symbol] = narrow(FastTree::kFirstLeaf + 2 * symbol);
    }
    for (unsigned node = kSymbolCount, child = 0; node <= FastTree::kRoot; ++node, child += 2) {
      tree.frequency_[node] = narrow(tree.frequency_[child] + tree.frequency_[child + 1U]);
      tree.child_[node] = narrow(child);
    }
    tree.frequency_[FastTree::kNodeCount] = 0xFFFF;
    for (unsigned sink = FastTree::kFirstSink; sink < FastTree::kFirstLeaf; sink += 2) {
      tree.frequency_[sink + 1] = 0xFFFF;
      const bool is_last = sink + 2 == FastTree::kFirstLeaf;
      tree.up_[sink] = narrow(sink < FastTree::kFirstDummy ? FastTree::kFirstDummy : is_last ? sink : sink + 2);
    }
    tree.first_top_ = FastTree::kRoot;
    for (unsigned node = 0; node <= FastTree::kRoot; ++node) {
      const unsigned link = node == FastTree::kRoot ? FastTree::kFirstSink : node;
      tree.up_[tree.child_[node]] = narrow(link);
      tree.up_[tree.child_[node] + 1U] = narrow(link);
    }
    tree.lowest_in_table_ = narrow(FastTree::kRoot);
    fill(tree, tree.child_[FastTree::kRoot], 0, 0);
    tree.credit_ = 1;
    tree.root_bits_ = FastTree::kNarrowBits;
    tree.decided_at_ = kSymbolCount;
    return tree;
  }

  // No code of this tree is as short as the narrow table.
  static consteval void fill(FastTree& tree, unsigned child, unsigned code, unsigned depth) {
    if (depth == FastTree::kNarrowBits) {
      tree.table_[code] = narrow(FastTree::kInnerMark | child);
      return;
    }
    tree.lowest_in_table_ = std::min(tree.lowest_in_table_, narrow(child));
    fill(tree, tree.child_[child], code * 2, depth + 1);
    fill(tree, tree.child_[child + 1], code * 2 + 1, depth + 1);
  }
};

void FastTree::reset(TreeDesign design) {
  static constexpr FastTree kStart = FastTreeStart::make();
  *this = kStart;
  design_ = design;
  choose_top();
  if (design.root_table == TreeDesign::RootTable::kWide) {
    fill_table(kWideBits);
  }
}

// The last of the nodes that count as much as `node`; the next one is known to.
//
// In the first kilobytes hundreds are equal; as frequencies rise, one look far ahead leaps over all between. Later the
// run is short and its length hard to foretell, and one look at sixteen is better than branches, though such a wide
// load waits for the narrow stores before it. The sentinel ends the search, and what is loaded behind it is part of the
// array.
inline std::size_t FastTree::last_of_equals(std::size_t node, unsigned frequency) const {
  std::size_t other = node + 1;
#ifdef __SSE2__
  if (scans_by_simd_) {
    const __m128i equal = _mm_set1_epi16(static_cast<short>(frequency));
    const unsigned equals = equals_mask(&frequency_[other], equal);
    if (equals != 0xFFFF) {
      return other - 1 + static_cast<unsigned>(std::countr_one(equals));
    }
    other += 15;
  }
#endif
  if (frequency_[other + 1] != frequency) {
    return other;
  }
  for (const std::size_t width : {64U, 8U, 1U}) {
    while (other + width <= kNodeCount && frequency_[other + width] == frequency) {
      other += width;
    }
  }
  return other;
}

// Exchanges what hangs below two nodes of equal frequency, neither of them at the top.
inline void FastTree::exchange(std::size_t left, std::size_t right) {
  const std::size_t left_child = child_[left];
  const std::size_t right_child = child_[right];
  child_[left] = narrow(right_child);
  child_[right] = narrow(left_child);
  up_[left_child] = narrow(right);
  up_[left_child + 1] = narrow(right);
  up_[right_child] = narrow(left);
  up_[right_child + 1] = narrow(left);
}

// Lets the table follow an exchange. Subtrees of one depth, 97 % of all, change places as they are.
inline void FastTree::exchange_in_table(std::size_t left, Place left_place, std::size_t right, Place right_place) {
  if (left_place.depth != right_place.depth) [[unlikely]] {
    refill_exchanged(left, left_place, right, right_place);
    return;
  }
  if (left_place.depth > root_bits_) {
    return;
  }
  const unsigned shift = root_bits_ - left_place.depth;
  std::uint16_t* const left_entries = &table_[std::size_t{left_place.code} << shift];
  std::uint16_t* const right_entries = &table_[std::size_t{right_place.code} << shift];
  if (shift < 2) {
    std::swap(left_entries[0], right_entries[0]);
    if (shift == 1) {
      std::swap(left_entries[1], right_entries[1]);
    }
    return;
  }
  using Four = std::array<std::uint16_t, 4>;
  for (unsigned entry = 0; entry < 1U << shift; entry += 4) {
    Four left_four;
    Four right_four;
    std::memcpy(&left_four, left_entries + entry, sizeof(Four));
    std::memcpy(&right_four, right_entries + entry, sizeof(Four));
    std::memcpy(left_entries + entry, &right_four, sizeof(Four));
    std::memcpy(right_entries + entry, &left_four, sizeof(Four));
  }
}

// Where a node below the top is.
inline FastTree::Place FastTree::place_below_top(std::size_t node) const {
  Place place;
  do {
    place.code |= static_cast<unsigned>(node & 1) << place.depth;
    ++place.depth;
    node = up_[node];
  } while (node < kFirstSink);
  const Place top = top_places_[(node - kFirstSink) / 2];
  return {.code = place.code | top.code << place.depth, .depth = place.depth + top.depth};
}

// Counts a use from a node on whose turn it is to move, or perhaps to move when its neighbour at the top is up to date.
//
// The place of the node is brought up to date only when it is needed: `code` and `depth` are those `levels_up` levels
// lower.
void FastTree::count_moving(std::size_t node, unsigned code, unsigned depth) {
  shallow_exchanges_ += depth <= kWideBits ? 1 : 0;
  bool place_is_known = true;
  unsigned levels_up = 0;
  do {
    const unsigned frequency = frequency_[node];
    if (frequency == frequency_[node + 1]) {
      const std::size_t leader = last_of_equals(node, frequency);
      if (leader >= first_top_) [[unlikely]] {
        count_at_top(static_cast<unsigned>(node));
        return;
      }
      exchange(node, leader);
      // Most exchanges are below what the table covers; then nobody needs to know where in the tree they are.
      if (leader < lowest_in_table_) {
        place_is_known = false;
      } else {
        const Place place =
            place_is_known ? Place{.code = code >> levels_up, .depth = depth - levels_up} : place_below_top(node);
        const Place leader_place = place_below_top(leader);
        exchange_in_table(node, place, leader, leader_place);
        code = leader_place.code;
        depth = leader_place.depth;
        levels_up = 0;
        place_is_known = true;
      }
      node = leader;
    }
    frequency_[node] = narrow(frequency + 1);
    node = up_[node];
    ++levels_up;
  } while (node < kFirstSink);
  ++frequency_[node];
}

// Goes on where a move may reach into the top.
void FastTree::count_at_top(unsigned node) {
  catch_up();
  count_to_root(node);
  choose_top();
}

// Counts with all frequencies up to date, and the root too.
void FastTree::count_to_root(unsigned node) {
  for (;; node = node_of(up_[node])) {
    const unsigned frequency = frequency_[node];
    if (frequency == frequency_[node + 1]) {
      const std::size_t leader = last_of_equals(node, frequency);
      const Place place = place_of(node);
      const Place leader_place = place_of(static_cast<unsigned>(leader));
      std::swap(child_[node], child_[leader]);
      link_children(node);
      link_children(static_cast<unsigned>(leader));
      exchange_in_table(node, place, leader, leader_place);
      node = static_cast<unsigned>(leader);
    }
    frequency_[node] = narrow(frequency + 1);
    if (node == kRoot) {
      return;
    }
  }
}

// A leaf has two links as well, of which the second is not used.
void FastTree::link_children(unsigned node) {
  const unsigned link = link_to(node);
  up_[child_[node]] = narrow(link);
  up_[child_[node] + 1U] = narrow(link);
}

void FastTree::link_all() {
  for (unsigned node = 0; node <= kRoot; ++node) {
    link_children(node);
  }
}

// Subtrees that come from another depth are entered anew.
void FastTree::refill_exchanged(std::size_t left, Place left_place, std::size_t right, Place right_place) {
  for (const auto& [node, place] : {std::pair{left, left_place}, std::pair{right, right_place}}) {
    if (place.depth <= root_bits_) {
      fill_subtree(child_[node], place);
      fill_work_ += 1U << (root_bits_ - place.depth);
    }
  }
  if (fill_work_ > kFillBudget) {
    // The next symbol waits for a refresh, which will find the budget used up.
    credit_ = 0;
  }
}

FastTree::Place FastTree::place_of(unsigned node) const {
  Place place;
  for (; node != kRoot; node = node_of(up_[node])) {
    place.code |= (node & 1U) << place.depth;
    ++place.depth;
  }
  return place;
}

// Brings the frequencies at the top up to date: what came in at a node goes on to its parent, which comes later.
void FastTree::catch_up() {
  for (unsigned node = first_top_; node <= kRoot; ++node) {
    const std::uint16_t uses = frequency_[sink_of(node)];
    frequency_[sink_of(node)] = 0;
    frequency_[node] = narrow(frequency_[node] + uses);
    if (node != kRoot) {
      frequency_[up_[node]] = narrow(frequency_[up_[node]] + uses);
    }
  }
  for (unsigned dummy = kFirstDummy; dummy < kFirstLeaf; dummy += 2) {
    frequency_[dummy] = 0;
  }
}

// Decides which nodes are counted late, and for how long they may be: a node can come one closer to its neighbour with
// each symbol. Also the gap below the lowest of them has to be wide, or it would soon be overtaken.
//
// Requires: all frequencies are up to date, and no rebuild is due.
void FastTree::choose_top() {
  const unsigned previous = first_top_;
  unsigned credit = std::min<unsigned>(kMaxCredit, kMaxFrequency - frequency_[kRoot]);
  unsigned node = kRoot;
  while (kRoot - node < kTopCount) {
    const unsigned gap = frequency_[node] - frequency_[node - 1U];
    if (gap < kTopGap) {
      break;
    }
    credit = std::min(credit, gap);
    --node;
  }
  node = std::min(node + 1, kRoot);
  credit_ = credit;
  first_top_ = narrow(node);
  for (unsigned changed = std::min(previous, node); changed < std::max(previous, node); ++changed) {
    link_children(changed);
  }
  note_top_places();
}

void FastTree::note_top_places() {
  top_places_[0] = {};
  for (unsigned node = kRoot; node >= first_top_; --node) {
    const unsigned child = child_[node];
    if (is_leaf(child)) {
      continue;
    }
    const Place place = top_places_[kRoot - node];
    for (const unsigned bit : {0U, 1U}) {
      if (child + bit >= first_top_) {
        top_places_[kRoot - child - bit] = {.code = place.code << 1 | bit, .depth = place.depth + 1};
      }
    }
  }
}

void FastTree::refresh() {
  catch_up();
  scans_by_simd_ = design_.simd && frequency_[kRoot] >= kScanFrom;
  choose_root_bits();
  rebuild_is_due_ = frequency_[kRoot] == kMaxFrequency;
  if (!rebuild_is_due_) {
    choose_top();
  }
}

void FastTree::choose_root_bits() {
  const bool is_over_budget = fill_work_ > kFillBudget;
  const unsigned symbols = frequency_[kRoot] - decided_at_;
  if (symbols < kDecisionSymbols && !is_over_budget) {
    return;
  }
  unsigned wanted = root_bits_;
  if (is_over_budget) {
    narrow_for_ = kNarrowDecisions;
  }
  if (narrow_for_ > 0) {
    --narrow_for_;
    wanted = kNarrowBits;
  } else if (shallow_exchanges_ * 256 < symbols * kWideBelow) {
    wanted = kWideBits;
  } else if (shallow_exchanges_ * 256 > symbols * kNarrowAbove) {
    wanted = kNarrowBits;
  }
  decided_at_ = frequency_[kRoot];
  shallow_exchanges_ = 0;
  fill_work_ = 0;
  if (design_.root_table == TreeDesign::RootTable::kAdaptive && wanted != root_bits_) {
    fill_table(wanted);
  }
}

void FastTree::fill_table(unsigned root_bits) {
  root_bits_ = root_bits;
  lowest_in_table_ = kRoot;
  fill_subtree(child_[kRoot], {});
}

// Writes the entries of one subtree, given by what its top node leads down to.
void FastTree::fill_subtree(unsigned child, Place place) {
  const unsigned shift = root_bits_ - place.depth;
  const std::size_t first = std::size_t{place.code} << shift;
  if (is_leaf(child)) {
    const std::size_t symbol = (child - kFirstLeaf) / 2;
    std::fill_n(table_.begin() + static_cast<std::ptrdiff_t>(first), std::size_t{1} << shift,
                narrow(symbol << kLengthBits | place.depth));
    return;
  }
  if (shift == 0) {
    table_[first] = narrow(kInnerMark | child);
    return;
  }
  lowest_in_table_ = std::min(lowest_in_table_, narrow(child));
  fill_subtree(child_[child], {.code = place.code << 1, .depth = place.depth + 1});
  fill_subtree(child_[child + 1], {.code = place.code << 1 | 1, .depth = place.depth + 1});
}

void FastTree::rebuild_and_count(std::size_t symbol) {
  rebuild();
  fill_table(root_bits_);
  decided_at_ = frequency_[kRoot];
  shallow_exchanges_ = 0;
  count_to_root(node_of(up_[kFirstLeaf + 2 * symbol]));
  choose_top();
  rebuild_is_due_ = false;
}

// The leaves in their order with halved frequencies, and each new node behind all that do not count more: both
// sequences rise, so this is a merge.
void FastTree::rebuild() {
  struct Leaf {
    std::uint16_t frequency;
    std::uint16_t child;
  };
  std::array<Leaf, kSymbolCount + 1> leaves;
  std::size_t leaf_count = 0;
  for (unsigned node = 0; node <= kRoot; ++node) {
    if (is_leaf(child_[node])) {
      leaves[leaf_count++] = {.frequency = narrow((frequency_[node] + 1U) / 2), .child = child_[node]};
    }
  }
  leaves[leaf_count] = {.frequency = 0xFFFF, .child = 0};
  const Leaf* next_leaf = leaves.data();
  std::size_t end = 0;
  for (unsigned pair = 0; pair < kNodeCount - 1; pair += 2) {
    const auto comes_first = [&] {
      return end < pair + 2 || next_leaf->frequency <= frequency_[pair] + frequency_[pair + 1U];
    };
    for (; comes_first(); ++end, ++next_leaf) {
      frequency_[end] = next_leaf->frequency;
      child_[end] = next_leaf->child;
    }
    frequency_[end] = narrow(frequency_[pair] + frequency_[pair + 1U]);
    child_[end] = narrow(pair);
    ++end;
  }
  link_all();
}

void FastTree::settle() {
  catch_up();
  const unsigned previous = first_top_;
  first_top_ = kRoot;
  for (unsigned node = previous; node < kRoot; ++node) {
    link_children(node);
  }
  lowest_in_table_ = kNodeCount;  // The table is left as it is.
  top_places_[0] = {};
}

unsigned FastTree::read_settled(MsbBitReader& bits) const {
  unsigned child = child_[kRoot];
  while (!is_leaf(child)) {
    child = child_[child + bits.read_bit()];
  }
  return (child - kFirstLeaf) / 2;
}

void FastTree::count_settled(unsigned symbol) {
  if (frequency_[kRoot] == kMaxFrequency) {
    rebuild();
  }
  count_moving(up_[kFirstLeaf + 2U * symbol], 0, 0);
  // The root at once, because nobody looks for a refresh any more.
  frequency_[kRoot] = narrow(frequency_[kRoot] + 1U);
  frequency_[kFirstSink] = 0;
}

}  // namespace assay::lzhuf
