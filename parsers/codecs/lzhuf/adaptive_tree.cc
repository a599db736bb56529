#include "parsers/codecs/lzhuf/adaptive_tree.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace assay::lzhuf {
namespace {

std::uint16_t narrow(unsigned value) {
  return static_cast<std::uint16_t>(value);
}

}  // namespace

void AdaptiveTree::reset() {
  for (unsigned symbol = 0; symbol < kSymbolCount; ++symbol) {
    frequency_[symbol] = 1;
    child_[symbol] = narrow(kNodeCount + symbol);
    parent_[kNodeCount + symbol] = narrow(symbol);
  }
  for (unsigned node = kSymbolCount, first_child = 0; node <= kRoot; ++node, first_child += 2) {
    frequency_[node] = narrow(frequency_[first_child] + frequency_[first_child + 1U]);
    child_[node] = narrow(first_child);
    link_children(node);
  }
  frequency_[kNodeCount] = 0xFFFF;
  parent_[kRoot] = 0;
}

unsigned AdaptiveTree::read_symbol(MsbBitReader& bits) const {
  unsigned node = child_[kRoot];
  while (node < kNodeCount) {
    node = child_[node + bits.read_bit()];
  }
  return node - kNodeCount;
}

SymbolCode AdaptiveTree::code_of(unsigned symbol) const {
  assert(symbol < kSymbolCount);
  SymbolCode code;
  for (unsigned node = parent_[kNodeCount + symbol]; node != kRoot; node = parent_[node]) {
    // In a Huffman tree of depth n the root counts at least the n-th Fibonacci number, and the root stays below 2^16:
    // a code has at most 23 bits.
    assert(code.bit_count < 32);
    code.bits |= (node & 1U) << code.bit_count;
    ++code.bit_count;
  }
  return code;
}

void AdaptiveTree::count(unsigned symbol) {
  assert(symbol < kSymbolCount);
  if (frequency_[kRoot] == kMaxFrequency) {
    rebuild();
  }
  unsigned node = parent_[kNodeCount + symbol];
  do {
    ++frequency_[node];
    const std::uint16_t frequency = frequency_[node];
    if (frequency > frequency_[node + 1U]) {
      unsigned leader = node + 1;
      while (frequency > frequency_[leader + 1U]) {
        ++leader;
      }
      exchange(node, leader);
      node = leader;
    }
    node = parent_[node];
  } while (node != 0);  // The parent of the root is 0.
}

// Makes the nodes below `node` know where they hang; for a leaf, makes its symbol know.
void AdaptiveTree::link_children(unsigned node) {
  const unsigned child = child_[node];
  parent_[child] = narrow(node);
  if (child < kNodeCount) {
    parent_[child + 1U] = narrow(node);
  }
}

// Exchanges two nodes with all that hangs below them.
void AdaptiveTree::exchange(unsigned left, unsigned right) {
  std::swap(frequency_[left], frequency_[right]);
  std::swap(child_[left], child_[right]);
  link_children(left);
  link_children(right);
}

void AdaptiveTree::rebuild() {
  collect_leaves();
  insert_inner_nodes();
  for (unsigned node = 0; node <= kRoot; ++node) {
    link_children(node);
  }
}

// Moves the leaves to the front in their order and halves their frequencies, rounding up.
void AdaptiveTree::collect_leaves() {
  unsigned leaf_count = 0;
  for (unsigned node = 0; node <= kRoot; ++node) {
    if (child_[node] >= kNodeCount) {
      frequency_[leaf_count] = narrow((frequency_[node] + 1U) / 2);
      child_[leaf_count] = child_[node];
      ++leaf_count;
    }
  }
}

// Pairs neighbours from the front; a new inner node goes behind every node that does not count more.
void AdaptiveTree::insert_inner_nodes() {
  for (unsigned end = kSymbolCount, first_child = 0; end <= kRoot; ++end, first_child += 2) {
    const unsigned frequency = frequency_[first_child] + frequency_[first_child + 1U];
    unsigned place = end;
    while (frequency < frequency_[place - 1U]) {
      --place;
    }
    std::copy_backward(frequency_.begin() + place, frequency_.begin() + end, frequency_.begin() + end + 1);
    std::copy_backward(child_.begin() + place, child_.begin() + end, child_.begin() + end + 1);
    frequency_[place] = narrow(frequency);
    child_[place] = narrow(first_child);
  }
}

}  // namespace assay::lzhuf
