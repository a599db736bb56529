#include "golden/manifest_line.h"
#include "fuzz/harness.h"
#include "golden/strict_json.h"

// A line of a manifest is refused with a JsonError, or it says the same after it was written again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const std::string_view line = as_text(Bytes(data, size));
  try {
    const auto header = golden::parse_header_line(line);
    fuzz::require(golden::parse_header_line(golden::header_line(header)) == header, "a header line keeps what it says");
  } catch (const golden::JsonError&) {
  }
  try {
    const auto [path, item] = golden::parse_item_line(line);
    fuzz::require(golden::parse_item_line(golden::item_line(path, item)) == std::pair(path, item),
                  "an item line keeps what it says");
  } catch (const golden::JsonError&) {
  }
  return 0;
}
