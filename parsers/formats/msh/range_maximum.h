#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/msh/records.h"

namespace assay::msh {

// The largest of any run of indices, however many runs there are and however they overlap. Cost: two bytes and O(1) an
// index once, then O(log indices) a run.
class RangeMaximum {
 public:
  explicit RangeMaximum(const Records<kIndexRecord>& indices) : count_(indices.size()), tree_(2 * indices.size()) {
    for (std::size_t leaf = 0; leaf < count_; ++leaf) {
      tree_[count_ + leaf] = indices[leaf].vertex;
    }
    for (std::size_t parent = count_; parent-- > 1;) {
      tree_[parent] = std::max(tree_[2 * parent], tree_[2 * parent + 1]);
    }
  }

  // The largest of indices [start, start + count). Requires: they exist and count > 0.
  [[nodiscard]] std::uint16_t of(std::size_t start, std::size_t count) const {
    std::uint16_t largest = 0;
    std::size_t left = start + count_;
    std::size_t right = left + count;
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 == 1) {
        largest = std::max(largest, tree_[left++]);
      }
      if (right % 2 == 1) {
        largest = std::max(largest, tree_[--right]);
      }
    }
    return largest;
  }

 private:
  std::size_t count_;
  // A binary tree by position, the root at 1: node i is the larger of 2 i and 2 i + 1.
  std::vector<std::uint16_t> tree_;
};

}  // namespace assay::msh
