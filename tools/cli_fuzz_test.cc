#include <string>

#include "tools/cli_test_support.h"

namespace assay::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kCampaign =
    R"({"target":"nres","engine":"libfuzzer","started_at":"2026-01-02T03:04:05.000Z","seconds":2.0,"executions":50000,)"
    R"("features":10,"edges":5,"corpus_units":3,"new_units":1,"line_percent":97.5,"crashes":[)";
constexpr const char* kCrash = R"({"kind":"heap-buffer-overflow","frames":"a < b","reproducer":"crash-1"})";

class CliFuzz : public CliTest {
 protected:
  void write_campaign(const std::string& crashes) { write("c", std::string(kCampaign) + crashes + "]}\n"); }
};

TEST_F(CliFuzz, RecordsAndListsACampaign) {
  write_campaign("");
  EXPECT_EQ(run({"fuzz", "record", "c", "--db", "db"}).status, 0);
  const Outcome listed = run({"fuzz", "list", "db"});
  EXPECT_EQ(listed.status, 0);
  EXPECT_THAT(listed.out, HasSubstr("nres"));
  EXPECT_THAT(listed.out, HasSubstr("25000/s"));
  EXPECT_THAT(listed.out, HasSubstr("97.5 % of lines"));
}

TEST_F(CliFuzz, AFaultIsNewOnce) {
  write_campaign(kCrash);
  const Outcome first = run({"fuzz", "record", "c", "--db", "db"});
  EXPECT_EQ(first.status, 1);
  EXPECT_THAT(first.out, HasSubstr("new crash  heap-buffer-overflow  in a < b: crash-1"));
  std::string other = kCrash;
  other.replace(other.find("crash-1"), 7, "crash-2");
  write_campaign(other);
  const Outcome second = run({"fuzz", "record", "c", "--db", "db"});
  EXPECT_EQ(second.status, 1);
  EXPECT_THAT(second.out, HasSubstr("known crash  heap-buffer-overflow  in a < b: crash-1"));
  EXPECT_THAT(second.out, Not(HasSubstr("new crash")));
}

TEST_F(CliFuzz, TheSameFaultTwiceInACampaignIsOne) {
  write_campaign(std::string(kCrash) + "," + kCrash);
  const std::string out = run({"fuzz", "record", "c", "--db", "db"}).out;
  EXPECT_EQ(out.find("new crash"), out.rfind("new crash")) << out;
  EXPECT_NE(out.find("new crash"), std::string::npos);
}

TEST_F(CliFuzz, AFaultIsListedUnderTheLastCampaignThatShowedIt) {
  write_campaign(kCrash);
  EXPECT_EQ(run({"fuzz", "record", "c", "--db", "db"}).status, 1);
  EXPECT_EQ(run({"fuzz", "record", "c", "--db", "db"}).status, 1);
  const auto listed = json_lines(run({"fuzz", "list", "db", "--json"}).out);
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_TRUE(listed[0]["crashes"].empty());
  ASSERT_EQ(listed[1]["crashes"].size(), 1U);
  EXPECT_EQ(listed[1]["crashes"][0]["new"], false);
}

TEST_F(CliFuzz, ABrokenFileRecordsNothing) {
  write("c", std::string(kCampaign) + "]}\n{\"target\":1}\n");
  const Outcome outcome = run({"fuzz", "record", "c", "--db", "db"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("c:2: is no campaign"));
  EXPECT_FALSE(fs::exists(at("db")));
}

TEST_F(CliFuzz, AValueThatCannotBeRecordsNothing) {
  const struct {
    const char* from;
    const char* to;
    const char* says;
  } kCases[] = {
      {"\"executions\":50000", "\"executions\":-1", "\"executions\" must be a whole number"},
      {"\"seconds\":2.0", "\"seconds\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
       "nests deeper than 64 levels"},
      {"\"line_percent\":97.5", "\"line_percent\":101", "\"line_percent\" must be a number from 0 to 100"},
      {"\"crashes\":[]", "\"crashes\":null", "\"crashes\" must be a list of objects"},
      {"\"target\"", "\"goal\"", "the key \"goal\" is unknown"},
  };
  const std::string good = std::string(kCampaign) + "]}\n";
  for (const auto& [from, to, says] : kCases) {
    std::string bad = good;
    bad.replace(bad.find(from), std::string_view(from).size(), to);
    write("c", good + bad);
    const Outcome outcome = run({"fuzz", "record", "c", "--db", "db"});
    EXPECT_EQ(outcome.status, 2) << says;
    EXPECT_EQ(outcome.out, "") << says;
    EXPECT_THAT(outcome.err, HasSubstr("c:2: is no campaign: "));
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_FALSE(fs::exists(at("db"))) << says;
  }
}

TEST_F(CliFuzz, WhatIsNoFileOfCampaignsIsRefused) {
  write("empty", "");
  for (const char* file : {"empty", "none", ".", "/dev/zero"}) {
    const Outcome outcome = run({"fuzz", "record", file, "--db", "db"});
    EXPECT_EQ(outcome.status, 2) << file;
    EXPECT_THAT(outcome.err, HasSubstr(std::string(file) + ": "));
    EXPECT_FALSE(fs::exists(at("db"))) << file;
  }
}

TEST_F(CliFuzz, WhatIsListedCanBeRecordedElsewhere) {
  write_campaign(kCrash);
  EXPECT_EQ(run({"fuzz", "record", "c", "--db", "db"}).status, 1);
  const Outcome listed = run({"fuzz", "list", "db", "--json"});
  write("l", listed.out);
  EXPECT_EQ(run({"fuzz", "record", "l", "--db", "other"}).status, 1);
  EXPECT_EQ(run({"fuzz", "list", "other", "--json"}).out, listed.out);
}

TEST_F(CliFuzz, NoTerminalIsAddressedByWhatAFileSays) {
  std::string line = std::string(kCampaign) + "]}";
  line.replace(line.find("nres"), 4, R"(\u001b[31mred)");
  write("c", line);
  EXPECT_THAT(run({"fuzz", "record", "c", "--db", "db"}).out, HasSubstr(R"(\x1b[31mred)"));
}

TEST_F(CliFuzz, AllOfAFileIsRecordedWhateverBecomesOfTheOutput) {
  constexpr int kCampaigns = 300;
  std::string all;
  for (int count = 0; count < kCampaigns; ++count) {
    all += std::string(kCampaign) + "]}\n";
  }
  write("c", all);
  EXPECT_EQ(run({"fuzz", "record", "c", "--db", "db"}, {.stdout_path = "/dev/full"}).status, 2);
  EXPECT_EQ(json_lines(run({"fuzz", "list", "db", "--json"}).out).size(), kCampaigns);
}

}  // namespace
}  // namespace assay::tools
