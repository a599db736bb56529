#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "golden/manifest.h"

// The lines of a manifest, as text and back. Reading throws JsonError (golden/strict_json.h), and so does writing what
// is not UTF-8.
namespace assay::golden {

[[nodiscard]] std::string header_line(const ManifestHeader& header);
[[nodiscard]] ManifestHeader parse_header_line(std::string_view line);

[[nodiscard]] std::string item_line(const std::string& path, const Expectation& item);
// Path and item.
[[nodiscard]] std::pair<std::string, Expectation> parse_item_line(std::string_view line);

}  // namespace assay::golden
