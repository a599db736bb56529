#include "golden/fuzz/campaign_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "golden/strict_json.h"

namespace assay::golden {
namespace {

using Json = nlohmann::json;

constexpr double kMostSeconds = 1e9;

std::uint64_t count_of(const Json& campaign, const char* key) {
  return count_member(campaign, key, std::numeric_limits<std::int64_t>::max());
}

// 2026-01-02T03:04:05.678Z, with or without the fraction.
bool is_utc_time(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00";
  if (text.size() <= kShape.size() || !text.ends_with('Z')) {
    return false;
  }
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = 0; at < kShape.size(); ++at) {
    if (kShape[at] == '0' ? !is_digit(text[at]) : text[at] != kShape[at]) {
      return false;
    }
  }
  const std::string_view fraction = text.substr(kShape.size(), text.size() - kShape.size() - 1);
  return fraction.empty() ||
         (fraction.size() > 1 && fraction[0] == '.' && std::ranges::all_of(fraction.substr(1), is_digit));
}

std::string time_member(const Json& campaign, const char* key) {
  std::string text = text_member(campaign, key);
  if (!is_utc_time(text)) {
    throw JsonError(fmt::format("\"{}\" must be a time as 2026-01-02T03:04:05Z", key));
  }
  return text;
}

FuzzCrash parse_crash(const Json& crash) {
  if (!crash.is_object()) {
    throw JsonError("\"crashes\" must be a list of objects");
  }
  constexpr std::string_view kKnown[] = {"kind", "frames", "reproducer", "new"};
  refuse_unknown_keys(crash, kKnown);
  return {.kind = text_member(crash, "kind"),
          .frames = text_member(crash, "frames"),
          .reproducer = text_member(crash, "reproducer")};
}

}  // namespace

FuzzCampaign parse_campaign_line(std::string_view line) {
  const Json json = parse_strict_object(line);
  constexpr std::string_view kKnown[] = {"campaign_id", "target",       "engine",   "started_at", "seconds",
                                         "executions",  "per_second",   "features", "edges",      "corpus_units",
                                         "new_units",   "line_percent", "crashes"};
  refuse_unknown_keys(json, kKnown);
  FuzzCampaign campaign{.target = text_member(json, "target"),
                        .engine = text_member(json, "engine"),
                        .started_at = time_member(json, "started_at"),
                        .seconds = number_member(json, "seconds", kMostSeconds),
                        .executions = count_of(json, "executions"),
                        .features = count_of(json, "features"),
                        .edges = count_of(json, "edges"),
                        .corpus_units = count_of(json, "corpus_units"),
                        .new_units = count_of(json, "new_units")};
  if (!member(json, "line_percent").is_null()) {
    campaign.line_percent = number_member(json, "line_percent", 100);
  }
  if (!member(json, "crashes").is_array()) {
    throw JsonError("\"crashes\" must be a list of objects");
  }
  for (const Json& crash : member(json, "crashes")) {
    campaign.crashes.push_back(parse_crash(crash));
  }
  return campaign;
}

std::string campaign_line(const FuzzCampaign& campaign) {
  using OrderedJson = nlohmann::ordered_json;
  OrderedJson crashes = OrderedJson::array();
  for (const FuzzCrash& crash : campaign.crashes) {
    crashes.push_back(
        {{"kind", crash.kind}, {"frames", crash.frames}, {"reproducer", crash.reproducer}, {"new", crash.is_new}});
  }
  const OrderedJson line = {
      {"campaign_id", campaign.id},
      {"target", campaign.target},
      {"engine", campaign.engine},
      {"started_at", campaign.started_at},
      {"seconds", campaign.seconds},
      {"executions", campaign.executions},
      {"per_second", campaign.per_second()},
      {"features", campaign.features},
      {"edges", campaign.edges},
      {"corpus_units", campaign.corpus_units},
      {"new_units", campaign.new_units},
      {"line_percent", campaign.line_percent ? OrderedJson(*campaign.line_percent) : OrderedJson()},
      {"crashes", std::move(crashes)}};
  return line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace assay::golden
