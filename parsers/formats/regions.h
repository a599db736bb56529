#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parsers/base/accounting.h"
#include "parsers/base/bytes.h"

// The parts of an archive's data that belong to no entry (docs/formats/nres.md, data region).
namespace assay {

// A half-open range of local offsets.
struct ByteRange {
  std::uint64_t start = 0;
  std::uint64_t end = 0;

  friend auto operator<=>(const ByteRange&, const ByteRange&) = default;
};

// Bytes that no entry claims: padding, gap or unindexed.
struct Region {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  ByteKind kind = ByteKind::kUnindexed;
  bool is_zero = false;
};

// Finds what `active` leaves uncovered of [data.start, data.end).
//
// `active` are the non-empty payload ranges sorted by (start, end); they may overlap. A run is padding when it is all
// zero and exactly as long as aligns what follows it to `alignment`; any other run between two active ranges is a gap;
// any other run is unindexed. alignment 1 knows no padding. Requires: data lies inside `image`. Cost: O(active + bytes
// uncovered).
[[nodiscard]] std::vector<Region> find_regions(Bytes image, ByteRange data, std::span<const ByteRange> active,
                                               std::uint64_t alignment);

// Adds active ranges as payload runs to `map`, each byte once: an overlap belongs to the range that starts first.
// `paths[i]` names range i.
void add_payloads(ByteMap& map, std::span<const ByteRange> active, std::span<const FieldPath> paths);

// Adds the regions to `map`.
void add_regions(ByteMap& map, std::span<const Region> regions);

}  // namespace assay
