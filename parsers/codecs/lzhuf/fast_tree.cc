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

// From this frequency of the root on, more than the root may be counted late and the table may be wide.
constexpr unsigned kOldFrom = 4096;
// Top nodes lie this far apart. Larger means fewer refreshes and fewer nodes at the top.
constexpr unsigned kTopGap = 96;
// The fewest symbols between two decisions about the table.
constexpr unsigned kDecisionSymbols = 2048;
// Moves of inner nodes for 256 symbols: below the first a wide table pays, above the second it does not.
constexpr unsigned kWideBelow = 40;
constexpr unsigned kNarrowAbove = 60;
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

// The last of the nodes that count as much as `node`; the next one is known to.
//
// Mostly the run is short and its length hard to foretell, and one look at sixteen is better than branches, though such
// a wide load waits for the narrow stores before it. In a young tree hundreds are equal, and one look far ahead leaps
// over all between. The sentinel ends the search, and what is loaded behind it is part of the array.
inline std::size_t FastTree::last_of_equals(std::size_t node, unsigned frequency) const {
  std::size_t other = node + 1;
#ifdef __SSE2__
  if (design_.simd) {
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
  link_pair(left_child, right);
  link_pair(right_child, left);
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

// Goes on counting by last_ from a node whose move reaches into the table or the top.
void FastTree::count_in_table(std::size_t node) {
  do {
    const std::size_t leader = last_[frequency_[node]];
    if (leader >= first_top_) {
      count_at_top(static_cast<unsigned>(node));
      return;
    }
    exchange_and_count(node, leader);
    if (leader != node && leader >= lowest_in_table_) {
      ++inner_exchanges_;
      exchange_in_table(node, place_below_top(node), leader, place_below_top(leader));
      barrier_ = std::min(first_top_, lowest_in_table_);
    }
    node = up_[leader];
  } while (node < kFirstSink);
  ++frequency_[node];
}

// Counts a use from a node on whose turn it is to move, or perhaps to move when its neighbour at the top is up to date.
//
// The place of the node is brought up to date only when it is needed: `code` and `depth` are those `levels_up` levels
// lower.
void FastTree::count_moving(std::size_t node, unsigned code, unsigned depth) {
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
      inner_exchanges_ += is_leaf(child_[node]) ? 0U : 1U;
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
    if (frequency < last_known_) {
      last_[frequency] = narrow(node - 1);
    }
    frequency_[node] = narrow(frequency + 1);
    if (node == kRoot) {
      return;
    }
  }
}

void FastTree::link_children(unsigned node) {
  link_pair(child_[node], link_to(node));
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
      std::uint16_t& parent = frequency_[up_[node]];
      parent = narrow(parent + uses);
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
  while (kRoot - node < kTopCount && frequency_[kRoot] >= kOldFrom) {
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
  barrier_ = std::min(first_top_, lowest_in_table_);
  extend_last();
  note_top_places();
}

// Makes last_ exact below the frequency of the first top node, and lets it name that node there.
//
// Requires: the frequencies are up to date.
void FastTree::extend_last() {
  if (root_bits_ != kNarrowBits) {
    last_known_ = 0;
    return;
  }
  const unsigned end = frequency_[first_top_];
  unsigned node = first_top_ - 1U;
  while (node > 0 && frequency_[node] > last_known_) {
    --node;
  }
  for (; last_known_ < end; ++node) {
    const unsigned next = frequency_[node + 1U];
    if (next > last_known_) {
      std::fill(last_.begin() + last_known_, last_.begin() + next, narrow(node));
      last_known_ = next;
    }
  }
  last_known_ = end;
  last_[end] = first_top_;
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
  } else if (frequency_[kRoot] >= kOldFrom && inner_exchanges_ * 256 < symbols * kWideBelow) {
    wanted = kWideBits;
  } else if (inner_exchanges_ * 256 > symbols * kNarrowAbove) {
    wanted = kNarrowBits;
  }
  decided_at_ = frequency_[kRoot];
  inner_exchanges_ = 0;
  fill_work_ = 0;
  if (design_.root_table == TreeDesign::RootTable::kAdaptive && wanted != root_bits_) {
    fill_table(wanted);
  }
}

void FastTree::fill_table(unsigned root_bits) {
  root_bits_ = root_bits;
  lowest_in_table_ = kRoot;
  fill_subtree(child_[kRoot], {});
  barrier_ = std::min(first_top_, lowest_in_table_);
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
  inner_exchanges_ = 0;
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
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled as far as it is read.
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
  last_known_ = 0;
  extend_last();
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
  count_moving(up_[kFirstLeaf + 2 * symbol], 0, 0);
  // The root at once, because nobody looks for a refresh any more.
  frequency_[kRoot] = narrow(frequency_[kRoot] + 1U);
  frequency_[kFirstSink] = 0;
}

}  // namespace assay::lzhuf
