#include <algorithm>

#include "parsers/codecs/lzhuf/fast_tree.h"

namespace assay::lzhuf {

// The state after reset() where it is not the same for all numbers, made by the compiler.
struct FastTreeStart {
  std::array<std::uint16_t, FastTree::kFirstLeaf> frequency;
  std::array<std::uint16_t, FastTree::kNodeCount + 1> child;
  std::array<std::uint16_t, FastTree::kLinkCount> up;
  std::array<std::uint16_t, std::size_t{1} << FastTree::kNarrowBits> table;
  std::array<std::uint16_t, kSymbolCount> last;
  std::uint16_t lowest_in_table;

  static consteval FastTreeStart make() {
    FastTreeStart start{};
    for (unsigned symbol = 0; symbol < kSymbolCount; ++symbol) {
      start.frequency[symbol] = 1;
      start.child[symbol] = FastTree::narrow(FastTree::kFirstLeaf + 2 * symbol);
    }
    for (unsigned node = kSymbolCount, child = 0; node <= FastTree::kRoot; ++node, child += 2) {
      start.frequency[node] = FastTree::narrow(start.frequency[child] + start.frequency[child + 1U]);
      start.child[node] = FastTree::narrow(child);
    }
    start.frequency[FastTree::kNodeCount] = 0xFFFF;
    for (unsigned sink = FastTree::kFirstSink; sink < FastTree::kFirstLeaf; sink += 2) {
      start.frequency[sink + 1] = 0xFFFF;
      const bool is_last = sink + 2 == FastTree::kFirstLeaf;
      start.up[sink] = FastTree::narrow(sink < FastTree::kFirstDummy ? FastTree::kFirstDummy
                                        : is_last                    ? sink
                                                                     : sink + 2);
    }
    for (unsigned node = 0; node <= FastTree::kRoot; ++node) {
      start.up[start.child[node]] = FastTree::narrow(node == FastTree::kRoot ? FastTree::kFirstSink : node);
      start.up[start.child[node] + 1U] = start.up[start.child[node]];
    }
    for (unsigned frequency = 0, end = 1; frequency < start.last.size(); ++frequency) {
      while (start.frequency[end] <= frequency) {
        ++end;
      }
      start.last[frequency] = FastTree::narrow(end - 1);
    }
    start.lowest_in_table = FastTree::narrow(FastTree::kRoot);
    start.fill(start.child[FastTree::kRoot], 0, 0);
    return start;
  }

  // No code of this tree is as short as the narrow table.
  consteval void fill(unsigned first_child, unsigned code, unsigned depth) {
    if (depth == FastTree::kNarrowBits) {
      table[code] = FastTree::narrow(FastTree::kInnerMark | first_child);
      return;
    }
    lowest_in_table = std::min(lowest_in_table, FastTree::narrow(first_child));
    fill(child[first_child], code * 2, depth + 1);
    fill(child[first_child + 1], code * 2 + 1, depth + 1);
  }
};

void FastTree::reset(TreeDesign design) {
  static constexpr FastTreeStart kStart = FastTreeStart::make();
  frequency_ = kStart.frequency;
  child_ = kStart.child;
  up_ = kStart.up;
  std::copy(kStart.table.begin(), kStart.table.end(), table_.begin());
  // Nothing is known yet behind the frequencies of this tree, but the uses of a sink are looked up.
  std::fill(std::copy(kStart.last.begin(), kStart.last.end(), last_.begin()), last_.begin() + kMaxCredit + 1, 0);
  first_top_ = narrow(kRoot);
  lowest_in_table_ = kStart.lowest_in_table;
  last_known_ = kSymbolCount;
  rebuild_is_due_ = false;
  design_ = design;
  root_bits_ = kNarrowBits;
  decided_at_ = kSymbolCount;
  inner_exchanges_ = 0;
  fill_work_ = 0;
  narrow_for_ = 0;
  if (design.root_table == TreeDesign::RootTable::kWide) {
    fill_table(kWideBits);
  }
  choose_top();
}

}  // namespace assay::lzhuf
