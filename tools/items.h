#pragma once

#include <string>
#include <vector>

#include "golden/item.h"
#include "tools/console.h"

// How items and findings are shown by several verbs.
namespace assay::tools {

// "FILE" or "FILE::ENTRY".
[[nodiscard]] std::string item_address(const std::string& path, const std::string& entry);

// "error  packed_size_past_eof at 0x310, field entry[23].packed_size: MESSAGE [rule deflate_eof_plus_one, applied]".
[[nodiscard]] std::string finding_line(const golden::ItemFinding& finding);

// The same as an object of `verify --json` and `inspect --json`.
[[nodiscard]] Json finding_json(const golden::ItemFinding& finding);

// The rules that made item `index` of `file` readable: its own, and for an archive those of its direct entries, each
// once.
[[nodiscard]] std::vector<std::string> applied_rules(const golden::FileResult& file, std::size_t index);

// The line of `verify --json` for one item.
[[nodiscard]] Json verify_json(const std::string& path, const golden::Item& item,
                               const std::vector<std::string>& rules);

// "5 items, 3 ok, 1 quirk, 1 fail, 0 unknown, 1234 bytes".
[[nodiscard]] std::string totals_line(const golden::Totals& totals);

void add_totals(golden::Totals& sum, const golden::Totals& more);

}  // namespace assay::tools
