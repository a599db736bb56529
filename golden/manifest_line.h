#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "golden/manifest.h"

// The lines of a manifest, as text and back.
namespace assay::golden {

// What is wrong with a line, without its place.
class LineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[nodiscard]] std::string header_line(const ManifestHeader& header);
[[nodiscard]] ManifestHeader parse_header_line(std::string_view line);

[[nodiscard]] std::string item_line(const std::string& path, const Expectation& item);
// Path and item.
[[nodiscard]] std::pair<std::string, Expectation> parse_item_line(std::string_view line);

}  // namespace assay::golden
