#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "parsers/base/bytes.h"
#include "parsers/formats/nres/nres.h"

// NRes archives in every layout that the format allows (docs/formats/nres.md), not only the canonical one. Sort map and
// directory are made here and not by parsers/, so that the two check each other.
namespace assay::synth {

using NresName = FixedString<nres::kMaxNameBytes + 1>;

// A name field of `text`, its NUL, and `tail` behind it, cut at the field. Requires: text.size() <= 35.
[[nodiscard]] NresName nres_name(std::string_view text, std::string_view tail = {});

// Four characters as a type id.
[[nodiscard]] std::uint32_t type_tag(std::string_view four_characters);

struct NresItem {
  // Type, attributes and name; size, offset and sort index are filled in.
  nres::Entry row{};
  Buffer payload{};
  // Bytes before the payload that belong to no entry; zeros up to a multiple of 8 follow them.
  Buffer gap_before{};
};

struct NresLayout {
  std::vector<NresItem> items{};
  // The items in the order in which their payloads lie in the file; empty: as in the directory.
  std::vector<std::size_t> physical_order{};
  // Bytes behind the last payload that belong to no entry.
  Buffer trailing{};
  // Whether zeros bring the directory to a multiple of 8.
  bool aligns_directory = true;
  // The sort map to write; empty: the right one. Any other is a deviation.
  std::vector<std::uint32_t> sort_map{};
};

// Writes the archive. An empty payload takes the offset that is reached. Requires: physical_order and sort_map are
// empty or as long as items; the result fits 32 bits. Cost: O(size + n log n).
[[nodiscard]] Buffer build_nres(const NresLayout& layout);

}  // namespace assay::synth
