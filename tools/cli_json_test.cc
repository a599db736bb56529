#include <string>

#include "tools/cli_test_support.h"

// The objects of --json: their keys, in their order, and that each value stands under the right one. Those of ls,
// inspect, verify, scan, runs and edit are in the tests of these verbs.
namespace assay::tools {
namespace {

using ::testing::ElementsAre;

class CliJson : public CliTest {
 protected:
  std::vector<OrderedJson> lines(const std::vector<std::string>& arguments, int status = 0) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, status) << arguments.front() << ": " << outcome.err;
    return json_lines(outcome.out);
  }

  // Two runs of a folder: between them an entry is damaged and a file is new.
  void make_runs() {
    Buffer archive = nres_archive({{"x", bytes_of("1")}, {"y", bytes_of("2")}});
    write("c/a.lib", archive);
    EXPECT_EQ(run({"scan", "c", "--db", "db", "--label", "one"}).status, 0);
    // The size of entry y, so that it reaches into the directory.
    archive[archive.size() - 64 + 0x0C] = 0x70;
    write("c/a.lib", archive);
    write("c/b.txt", "text");
    EXPECT_EQ(run({"scan", "c", "--db", "db", "--label", "two"}).status, 1);
  }

  void write_result(const std::string& name, double nanoseconds) {
    OrderedJson rows = OrderedJson::array();
    for (int repetition = 0; repetition < 9; ++repetition) {
      const double jitter = 1 + 0.002 * repetition;
      rows.push_back({{"name", "BM_A"}, {"cpu_time", nanoseconds * jitter}, {"time_unit", "ns"}});
      rows.push_back({{"name", "BM_MemoryCopy/text/16384"}, {"cpu_time", 500 * jitter}, {"time_unit", "ns"}});
    }
    write(name, bytes_of(OrderedJson{{"context", {{"cpu", "a CPU"}}}, {"benchmarks", rows}}.dump()));
  }
};

TEST_F(CliJson, OfVerify) {
  Buffer archive = nres_archive({{"x", bytes_of("1")}, {"y", bytes_of("2")}});
  // Row y: its payload begins one byte late and is as long as before.
  archive[archive.size() - 8] = 25;
  write("a.lib", archive);
  const auto found = lines({"verify", "a.lib", "--json"}, 1);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0]["verdict"], "fail");
  EXPECT_EQ(found[0]["format"], "nres");
  EXPECT_EQ(found[0]["size"], archive.size());
  const OrderedJson& note = found[0]["findings"].at(0);
  EXPECT_EQ(note["code"], "non_zero_gap");
  EXPECT_EQ(note["severity"], "note");
  EXPECT_TRUE(note["rule"].is_null());
  EXPECT_EQ(note["applied"], false);
  EXPECT_EQ(note["offset"], 17);
  EXPECT_EQ(note["field"], "region[0]");
  EXPECT_EQ(note["message"], "bytes that belong to no entry are not zero (got 8)");
  EXPECT_EQ(found[1]["findings"], OrderedJson::array());
  EXPECT_EQ(found[1]["verdict"], "unknown");
  EXPECT_EQ(found[2]["entry"], "y");
  EXPECT_EQ(found[2]["verdict"], "fail");
  ASSERT_EQ(found[2]["findings"].size(), 1U);
  const OrderedJson& finding = found[2]["findings"][0];
  EXPECT_THAT(keys_of(finding), ElementsAre("code", "severity", "rule", "applied", "offset", "field", "message"));
  EXPECT_EQ(finding["code"], "misaligned_payload");
  EXPECT_EQ(finding["severity"], "strict");
  EXPECT_EQ(finding["offset"], archive.size() - 8);
  EXPECT_EQ(finding["field"], "entry[1].data_offset");
  EXPECT_EQ(found[3]["summary"],
            OrderedJson::parse(R"({"items":3,"ok":0,"quirk":0,"fail":2,"unknown":1,"bytes":160})"));
}

TEST_F(CliJson, OfDiff) {
  make_runs();
  const auto found = lines({"diff", "one", "two", "--db", "db", "--json"}, 1);
  ASSERT_EQ(found.size(), 4U);
  for (std::size_t index = 0; index < 3; ++index) {
    EXPECT_THAT(keys_of(found[index]),
                ElementsAre("category", "cause", "path", "entry", "before", "after", "detail", "explained"));
  }
  const OrderedJson& archive = found[0];
  EXPECT_EQ(archive["category"], "regressed");
  EXPECT_EQ(archive["path"], "a.lib");
  EXPECT_EQ(archive["entry"], "");
  EXPECT_EQ(archive["before"], "ok");
  EXPECT_EQ(archive["after"], "fail");
  EXPECT_EQ(archive["cause"], "a.lib") << "its facts changed as well, so the entry does not explain it";
  EXPECT_EQ(archive["explained"], false);
  EXPECT_EQ(found[1]["entry"], "y");
  EXPECT_EQ(found[1]["cause"], "entry_data_out_of_bounds entry[*].size");
  EXPECT_EQ(found[1]["before"], "unknown");
  EXPECT_EQ(found[2]["category"], "new");
  EXPECT_EQ(found[2]["path"], "b.txt");
  EXPECT_TRUE(found[2]["before"].is_null());
  EXPECT_EQ(found[2]["after"], "unknown");
  EXPECT_EQ(found[3]["summary"],
            OrderedJson::parse(R"({"regressed":2,"fixed":0,"new":1,"removed":0,"reason_changed":0,"quirk_gained":0,)"
                               R"("quirk_lost":0,"content_changed":0,"items_before":3,"items_after":4})"));
}

TEST_F(CliJson, OfGolden) {
  make_runs();
  const auto made = lines({"golden", "new", "m", "--db", "db", "--run", "one", "--json"});
  EXPECT_EQ(made.front(), OrderedJson::parse(R"({"manifest":"m","run":1,"files":1,"items":3})"));
  const auto checked = lines({"golden", "check", "m", "--db", "db", "--json"}, 1);
  for (std::size_t index = 0; index + 1 < checked.size(); ++index) {
    EXPECT_THAT(keys_of(checked[index]), ElementsAre("kind", "path", "entry", "subject", "before", "after", "message",
                                                     "offset", "size", "explained"));
  }
  const OrderedJson& summary = checked.back()["summary"];
  EXPECT_THAT(keys_of(summary),
              ElementsAre("passed", "expected", "items", "changed", "item_missing", "item_new", "content_changed",
                          "format_changed", "verdict_changed", "finding_changed", "rule_no_longer_fires",
                          "rule_not_expected", "row_field_changed", "fact_changed", "entries_moved", "problems"));
  EXPECT_EQ(summary["passed"], false);
  EXPECT_EQ(summary["expected"], 3);
  EXPECT_EQ(summary["items"], 4);
  EXPECT_EQ(summary["changed"], 3);
  EXPECT_EQ(summary["item_new"], 1);
  EXPECT_EQ(summary["verdict_changed"], 2);
  const auto accepted = lines({"golden", "accept", "m", "--db", "db", "--reason", "so be it", "--json"});
  EXPECT_EQ(accepted.size(), checked.size());
  EXPECT_EQ(accepted.back(), OrderedJson::parse(R"({"summary":{"items":3,"files":2}})"));
}

TEST_F(CliJson, OfPerf) {
  write_result("before.json", 1'000);
  write_result("after.json", 2'000);
  const auto recorded = lines({"perf", "record", "before.json", "--db", "db", "--label", "before", "--json"});
  EXPECT_EQ(recorded.front(), OrderedJson::parse(R"({"run_id":1,"label":"before","series":2})"));
  lines({"perf", "record", "after.json", "--db", "db", "--label", "after", "--json"});
  const auto listed = lines({"perf", "list", "--db", "db", "--json"});
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_THAT(keys_of(listed[1]), ElementsAre("run_id", "label", "recorded_at", "benchmarks", "context"));
  EXPECT_EQ(listed[1]["label"], "after");
  EXPECT_EQ(listed[1]["benchmarks"], 2);
  EXPECT_EQ(listed[1]["context"], OrderedJson::parse(R"({"cpu":"a CPU"})"));
  const auto compared = lines({"perf", "diff", "before", "after", "--db", "db", "--json", "--all"}, 1);
  ASSERT_EQ(compared.size(), 3U);
  for (const std::size_t index : {std::size_t{0}, std::size_t{1}}) {
    EXPECT_THAT(keys_of(compared[index]), ElementsAre("benchmark", "outcome", "before_ns", "after_ns", "ratio",
                                                      "chance", "threshold", "control"));
  }
  EXPECT_EQ(compared[0]["outcome"], "slower");
  EXPECT_DOUBLE_EQ(compared[0]["before_ns"], 1'008);
  EXPECT_DOUBLE_EQ(compared[0]["after_ns"], 2'016);
  EXPECT_DOUBLE_EQ(compared[0]["ratio"], 2);
  EXPECT_LT(compared[0]["chance"].get<double>(), 0.001);
  EXPECT_EQ(compared[0]["control"], false);
  EXPECT_EQ(compared[1]["control"], true);
  EXPECT_THAT(keys_of(compared[2]), ElementsAre("summary", "machine_ratio", "controls"));
  EXPECT_EQ(compared[2]["summary"],
            OrderedJson::parse(R"({"same":1,"slower":1,"faster":0,"new":0,"removed":0,"too_few_repetitions":0,)"
                               R"("too_noisy":0})"));
  EXPECT_DOUBLE_EQ(compared[2]["machine_ratio"], 1);
  EXPECT_EQ(compared[2]["controls"], 1);
  const auto noise = lines({"perf", "noise", "before", "after", "--db", "db", "--json"});
  EXPECT_THAT(keys_of(noise.front()), ElementsAre("benchmark", "spread"));
  EXPECT_DOUBLE_EQ(noise.front()["spread"], 2);
}

TEST_F(CliJson, OfFuzz) {
  OrderedJson campaign = OrderedJson::parse(
      R"({"target":"nres","engine":"libfuzzer","started_at":"2026-01-02T03:04:05.000Z","seconds":2.0,)"
      R"("executions":50000,"features":10,"edges":5,"corpus_units":3,"new_units":1,"line_percent":97.5,)"
      R"("crashes":[{"kind":"abort","frames":"a < b","reproducer":"crash-1"}]})");
  write("c", campaign.dump() + "\n");
  const auto recorded = lines({"fuzz", "record", "c", "--db", "db", "--json"}, 1);
  ASSERT_EQ(recorded.size(), 1U);
  EXPECT_THAT(keys_of(recorded.front()),
              ElementsAre("campaign_id", "target", "engine", "started_at", "seconds", "executions", "per_second",
                          "features", "edges", "corpus_units", "new_units", "line_percent", "crashes"));
  EXPECT_EQ(recorded.front()["campaign_id"], 1);
  EXPECT_EQ(recorded.front()["per_second"], 25000);
  campaign["crashes"][0]["new"] = true;
  for (const auto& [key, value] : campaign.items()) {
    EXPECT_EQ(recorded.front()[key], value) << key;
  }
  EXPECT_EQ(lines({"fuzz", "list", "db", "--json"}), recorded);
}

}  // namespace
}  // namespace assay::tools
