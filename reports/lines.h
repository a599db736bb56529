#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "golden/compare.h"

// Single changes as text.
namespace assay::reports {

// "1 item", "2 items".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

// `path` or `path::ENTRY`, as the command takes it.
[[nodiscard]] std::string address_text(std::string_view path, std::string_view entry);

// "bytes [0x40,0x52)", or "at 0x8" where only the start is known.
[[nodiscard]] std::string place_text(const golden::Place& place);

// A field path with every index as `*`: `entry[17].packed_size` is the same cause as `entry[3].packed_size`.
[[nodiscard]] std::string without_indexes(std::string_view field);

// What changed and where, without the item, e.g. "entry[2].attr1 at 0x1c8: 7 -> 9".
[[nodiscard]] std::string change_text(const golden::Change& change);

// The line for entries that moved together.
[[nodiscard]] std::string moved_text(const golden::FileChanges& file);

}  // namespace assay::reports
