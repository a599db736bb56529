#pragma once

#include <string>
#include <string_view>

#include "golden/fuzz/campaign.h"

// A campaign as a line of JSON: what ci/nightly reports and `assay fuzz list --json` prints.
namespace assay::golden {

// What follows from the rest (the number in the database, the rate, what was new) is read over: each database gives its
// own. Throws JsonError (golden/strict_json.h) where a key is missing, unknown or there twice, or a value cannot be.
[[nodiscard]] FuzzCampaign parse_campaign_line(std::string_view line);

// Without the line's end. Bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string campaign_line(const FuzzCampaign& campaign);

}  // namespace assay::golden
