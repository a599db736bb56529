#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parsers/formats/rsli/rsli.h"

// Laying out an edited RsLi archive again. Packed ranges may overlap, so the old data region is cut into pieces at
// every start and end, and each piece knows whether somebody still needs it.
namespace assay::rsli {

// A row after the edits.
struct LayoutRow {
  Entry entry;
  // The row it was in the original archive, or kNotInOriginal.
  std::size_t original = kNotInOriginal;
  // Whether its stored bytes are those of the original range. Otherwise they are `stored`.
  bool keeps_bytes = true;
  Bytes stored{};

  static constexpr std::size_t kNotInOriginal = static_cast<std::size_t>(-1);
};

// By original row: whether another row shares bytes of its range. Cost: O(n log n).
[[nodiscard]] std::vector<bool> rows_that_share(const Archive& archive);

// Writes the archive again. Bytes that a row which keeps its bytes needs, and bytes that no row ever claimed, stay
// verbatim and in order; bytes that only changed or removed rows owned go, and a changed row's new bytes take their
// place; where there is no such place they go to the end. Offsets, sizes of changed rows, the entry count and the table
// are written; maps and names are the caller's. A row that rule deflate_eof_plus_one reads keeps its declared size
// unless it would pass the end without meeting the rule; then it declares the bytes there are. Errors: kNotEditable (a
// row's range is refused, reaches into the table, or into the trailer; a payload needs the rule and would lose it),
// kIntegerOverflow. Cost: O(n log n + bytes).
[[nodiscard]] Result<Buffer> lay_out(const Archive& archive, const Header& header, std::span<const LayoutRow> rows);

}  // namespace assay::rsli
