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
      {"\"executions\":50000", "\"executions\":-1", "executions is -1, expected a count"},
      {"\"executions\":50000", "\"executions\":18446744073709551615", "expected a count"},
      {"\"features\":10", "\"features\":1e300", "features is 1e+300, expected a count"},
      {"\"edges\":5", "\"edges\":1.9", "edges is 1.9, expected a count"},
      {"\"seconds\":2.0", "\"seconds\":-5", "seconds is -5, expected a number"},
      {"\"line_percent\":97.5", "\"line_percent\":101", "line_percent is 101, expected a number"},
      {"\"crashes\":[]", "\"crashes\":null", "crashes is no list"},
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
