#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "parsers/base/bytes.h"
#include "parsers/formats/rsli/rsli.h"

// RsLi archives in every layout that the format allows (docs/formats/rsli.md). The map is made here and not by
// parsers/.
namespace assay::synth {

using RsliName = FixedString<rsli::kMaxNameBytes>;

// A name field of `text` and, behind its NUL, `tail`, cut at the field. Requires: text.size() <= 12.
[[nodiscard]] RsliName rsli_name(std::string_view text, std::string_view tail = {});

struct RsliItem {
  RsliName name{};
  std::array<std::uint8_t, 4> service{};
  rsli::Method method = rsli::Method::kStored;
  // Bits of the flags outside the method.
  std::uint16_t opaque_flags = 0;
  std::uint32_t unpacked_size = 0;
  // Before the key transform.
  Buffer packed{};
  // Declares that many bytes more than `packed` has; they overlap what follows.
  std::uint32_t excess_bytes = 0;
  // Bytes before the payload that belong to no entry.
  Buffer gap_before{};
};

// An item of `plain` packed by pack_stably().
[[nodiscard]] RsliItem make_rsli_item(std::string_view name, rsli::Method method, Bytes plain);

struct RsliLayout {
  std::vector<RsliItem> items{};
  // The items in the order in which their payloads lie in the file; empty: as in the table.
  std::vector<std::size_t> physical_order{};
  std::uint32_t seed = 0;
  // The seed is the sum of the declared packed sizes, as on the two files of the games.
  bool seed_is_packed_total = false;
  // The flag for a map that is used as stored. Without it the stored map is written as values that fit no row.
  bool is_presorted = true;
  // Whether the header's second count and its total are right.
  bool header_in_step = true;
  std::array<std::uint8_t, 6> opaque08{};
  std::array<std::uint8_t, 8> opaque18{};
  // Written as an AO trailer; every stored offset is that much lower. Requires: <= the end of the table.
  std::optional<std::uint32_t> overlay{};
  // Bytes behind the last payload that belong to no entry.
  Buffer trailing{};
  // The map to write, which is also the keys; empty: the right one. Any other is a deviation.
  std::vector<std::uint16_t> sort_map{};
};

// Writes the archive. Where the last six bytes would by chance read as an AO trailer, a zero byte follows them.
// Requires: physical_order and sort_map are empty or as long as items; at most 32,767 items. Cost: O(size + n log n).
[[nodiscard]] Buffer build_rsli(const RsliLayout& layout);

}  // namespace assay::synth
