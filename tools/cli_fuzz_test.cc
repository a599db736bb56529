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

}  // namespace
}  // namespace assay::tools
