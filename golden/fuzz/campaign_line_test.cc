#include "golden/fuzz/campaign_line.h"

#include <gtest/gtest.h>

#include "golden/strict_json.h"

namespace assay::golden {
namespace {

constexpr std::string_view kLine =
    R"({"target":"nres","engine":"libfuzzer","started_at":"2026-01-02T03:04:05.000Z","seconds":2.5,"executions":50000,)"
    R"("features":10,"edges":5,"corpus_units":3,"new_units":1,"line_percent":97.5,)"
    R"("crashes":[{"kind":"k","frames":"a < b","reproducer":"r"}]})";

std::string with(std::string_view from, std::string_view to) {
  std::string line(kLine);
  return line.replace(line.find(from), from.size(), to);
}

std::string refusal(const std::string& line) {
  try {
    static_cast<void>(parse_campaign_line(line));
  } catch (const JsonError& wrong) {
    return wrong.what();
  }
  return "accepted";
}

TEST(CampaignLine, EachKeyHasItsPlace) {
  const FuzzCampaign campaign = parse_campaign_line(kLine);
  EXPECT_EQ(campaign.target, "nres");
  EXPECT_EQ(campaign.engine, "libfuzzer");
  EXPECT_EQ(campaign.started_at, "2026-01-02T03:04:05.000Z");
  EXPECT_EQ(campaign.seconds, 2.5);
  EXPECT_EQ(campaign.executions, 50'000U);
  EXPECT_EQ(campaign.features, 10U);
  EXPECT_EQ(campaign.edges, 5U);
  EXPECT_EQ(campaign.corpus_units, 3U);
  EXPECT_EQ(campaign.new_units, 1U);
  EXPECT_EQ(campaign.line_percent, 97.5);
  ASSERT_EQ(campaign.crashes.size(), 1U);
  EXPECT_EQ(campaign.crashes[0].kind, "k");
  EXPECT_EQ(campaign.crashes[0].frames, "a < b");
  EXPECT_EQ(campaign.crashes[0].reproducer, "r");
  EXPECT_EQ(parse_campaign_line(with("97.5", "null")).line_percent, std::nullopt);
}

TEST(CampaignLine, WhatIsWrittenIsReadAgain) {
  FuzzCampaign campaign = parse_campaign_line(kLine);
  campaign.id = 4;
  campaign.crashes[0].is_new = true;
  EXPECT_EQ(campaign_line(campaign),
            R"({"campaign_id":4,"target":"nres","engine":"libfuzzer","started_at":"2026-01-02T03:04:05.000Z",)"
            R"("seconds":2.5,"executions":50000,"per_second":20000,"features":10,"edges":5,"corpus_units":3,)"
            R"("new_units":1,"line_percent":97.5,)"
            R"("crashes":[{"kind":"k","frames":"a < b","reproducer":"r","new":true}]})");
  FuzzCampaign again = parse_campaign_line(campaign_line(campaign));
  EXPECT_EQ(again.id, 0) << "each database numbers its own";
  EXPECT_FALSE(again.crashes[0].is_new) << "each database knows what is new to it";
  again.id = 4;
  again.crashes[0].is_new = true;
  EXPECT_EQ(campaign_line(again), campaign_line(campaign));
  campaign.crashes[0].frames = "a\xff";
  EXPECT_EQ(parse_campaign_line(campaign_line(campaign)).crashes[0].frames, "a\xEF\xBF\xBD");
}

TEST(CampaignLine, SaysWhatIsWrong) {
  const std::string deep(1'000'000, '[');
  const struct {
    std::string line;
    const char* says;
  } rows[] = {
      {"", "not JSON from byte 0 on"},
      {"[]", "not a JSON object"},
      {with("2.5", deep + std::string(deep.size(), ']')), "nests deeper than 64 levels"},
      {with("\"edges\":5", "\"edges\":5,\"edges\":6"), R"(the key "edges" is there twice)"},
      {with("\"edges\":5", "\"edges\":5,\"egdes\":6"), R"(the key "egdes" is unknown)"},
      {with("\"edges\":5,", ""), R"(the key "edges" is missing)"},
      {with("\"nres\"", "1"), R"("target" must be a text)"},
      {with("50000", "-1"), R"("executions" must be a whole number from 0 to 9223372036854775807)"},
      {with("50000", "9223372036854775808"), R"("executions" must be a whole number from 0 to 9223372036854775807)"},
      {with("\"features\":10", "\"features\":1.5"),
       R"("features" must be a whole number from 0 to 9223372036854775807)"},
      {with("2.5", "-0.5"), R"("seconds" must be a number from 0 to 1000000000)"},
      {with("2.5", "1000000001"), R"("seconds" must be a number from 0 to 1000000000)"},
      {with("97.5", "100.5"), R"("line_percent" must be a number from 0 to 100)"},
      {with(R"([{"kind":"k","frames":"a < b","reproducer":"r"}])", "null"), R"("crashes" must be a list of objects)"},
      {with(R"({"kind":"k","frames":"a < b","reproducer":"r"})", "7"), R"("crashes" must be a list of objects)"},
      {with(R"("kind":"k",)", ""), R"(the key "kind" is missing)"},
      {with(R"("kind":"k")", R"("kind":"k","x":1)"), R"(the key "x" is unknown)"},
  };
  for (const auto& row : rows) {
    EXPECT_TRUE(refusal(row.line).starts_with(row.says)) << refusal(row.line) << " instead of " << row.says;
  }
}

TEST(CampaignLine, ATimeIsOneInUtc) {
  for (const char* time : {"2026-01-02T03:04:05Z", "2026-01-02T03:04:05.1Z"}) {
    EXPECT_EQ(refusal(with("2026-01-02T03:04:05.000Z", time)), "accepted") << time;
  }
  for (const char* time :
       {"", "Z", "yesterday", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02 03:04:05Z", "2026-01-02T03:04:05.Z",
        "2026-01-02T03:04:05,0Z", "2026-01-02T03:04:05.0x0Z", "2026-01-0xT03:04:05Z", "2026-01-02T03:04:05+01:00"}) {
    EXPECT_EQ(refusal(with("2026-01-02T03:04:05.000Z", time)), R"("started_at" must be a time as 2026-01-02T03:04:05Z)")
        << time;
  }
}

}  // namespace
}  // namespace assay::golden
