#include "golden/fuzz/campaign_line.h"
#include "fuzz/harness.h"
#include "golden/strict_json.h"

// A fuzzing campaign is refused with a JsonError, or it says the same after it was written again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  try {
    const std::string once = golden::campaign_line(golden::parse_campaign_line(as_text(Bytes(data, size))));
    fuzz::require(golden::campaign_line(golden::parse_campaign_line(once)) == once, "a campaign keeps what it says");
  } catch (const golden::JsonError&) {
  }
  return 0;
}
