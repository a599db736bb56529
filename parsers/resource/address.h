#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/formats/format.h"

// How entries are named from outside: `ENTRY`, `ENTRY::ENTRY`, or `#INDEX` where a name does not identify one.
namespace assay {

// The address of every member, in directory order: its escaped name, or `#INDEX` where the name is empty, starts with
// '#', holds
// "::", or was used by an earlier member. Unique. Cost: O(n).
[[nodiscard]] std::vector<std::string> member_addresses(const Container& container);

// A whole decimal number, e.g. the index in `#3` and `entry[3]`; nothing when it is none or does not fit.
[[nodiscard]] std::optional<std::size_t> parse_index(std::string_view text);

// The member that one step of an address names: `#INDEX`, else the first member with exactly that (escaped) name, else
// what the engine's lookup finds. Nothing when there is none.
[[nodiscard]] std::optional<std::size_t> find_member(const Container& container, std::string_view step);

// Splits `FILE::ENTRY::ENTRY` at each "::".
[[nodiscard]] std::vector<std::string> split_address(std::string_view address);

}  // namespace assay
