#include <gmock/gmock.h>

#include "tools/cli_test_support.h"

namespace assay::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class CliPerf : public CliTest {
 protected:
  // A result of Google Benchmark with nine repetitions of one decoder and of its control.
  void write_result(const std::string& name, double decoder_ns) {
    OrderedJson rows = OrderedJson::array();
    for (int repetition = 0; repetition < 9; ++repetition) {
      const double jitter = 1 + 0.002 * repetition;
      rows.push_back({{"name", "BM_LzssDecode/text/16384"}, {"cpu_time", decoder_ns * jitter}, {"time_unit", "ns"}});
      rows.push_back({{"name", "BM_MemoryCopy/text/16384"}, {"cpu_time", 500 * jitter}, {"time_unit", "ns"}});
    }
    write(name, bytes_of(OrderedJson{{"context", {{"cpu", "a CPU"}}}, {"benchmarks", rows}}.dump()));
  }

  // One decoder alone, with a repetition for each time.
  void write_times(const std::string& name, const std::vector<double>& times_ns) {
    OrderedJson rows = OrderedJson::array();
    for (const double time_ns : times_ns) {
      rows.push_back({{"name", "BM_LzssDecode/text/16384"}, {"cpu_time", time_ns}, {"time_unit", "ns"}});
    }
    write(name, bytes_of(OrderedJson{{"context", {{"cpu", "a CPU"}}}, {"benchmarks", rows}}.dump()));
  }

  Outcome record(const std::string& file, const std::string& label) {
    return run({"perf", "record", file, "--db", "perf.db", "--label", label});
  }
};

TEST_F(CliPerf, ExitsWith1WhereADecoderBecameSlower) {
  write_result("before.json", 1'000);
  write_result("same.json", 1'003);
  write_result("slow.json", 1'100);
  EXPECT_EQ(record("before.json", "before").status, 0);
  EXPECT_EQ(record("same.json", "same").status, 0);
  EXPECT_EQ(record("slow.json", "slow").status, 0);
  EXPECT_EQ(run({"perf", "diff", "before", "same", "--db", "perf.db"}).status, 0);
  const Outcome slower = run({"perf", "diff", "before", "slow", "--db", "perf.db"});
  EXPECT_EQ(slower.status, 1);
  EXPECT_THAT(slower.out, HasSubstr("slower"));
  EXPECT_THAT(slower.out, HasSubstr("BM_LzssDecode/text/16384"));
  const Outcome json = run({"perf", "diff", "before", "slow", "--db", "perf.db", "--json"});
  EXPECT_EQ(json_lines(json.out).front()["outcome"], "slower");
  EXPECT_EQ(json_lines(json.out).back()["summary"]["slower"], 1);
  const Outcome lenient = run({"perf", "diff", "before", "slow", "--db", "perf.db", "--min-ratio", "1.5"});
  EXPECT_EQ(lenient.status, 0);
  EXPECT_THAT(lenient.out, HasSubstr("2 benchmarks: 0 slower, 0 faster"));
}

TEST_F(CliPerf, ListsWhatIsTheSameOnlyWhenAskedFor) {
  write_result("before.json", 1'000);
  write_result("slow.json", 1'100);
  record("before.json", "before");
  record("slow.json", "slow");
  const auto benchmarks = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"perf", "diff", "before", "slow", "--db", "perf.db", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<std::string> names;
    for (const OrderedJson& line : json_lines(run(arguments).out)) {
      names.push_back(line.value("benchmark", "summary"));
    }
    return names;
  };
  EXPECT_THAT(benchmarks({}), ElementsAre("BM_LzssDecode/text/16384", "summary"));
  EXPECT_THAT(benchmarks({"--all"}), ElementsAre("BM_LzssDecode/text/16384", "BM_MemoryCopy/text/16384", "summary"));
  EXPECT_THAT(run({"perf", "diff", "before", "slow", "--db", "perf.db"}).out, Not(HasSubstr("BM_MemoryCopy")));
  EXPECT_THAT(run({"perf", "diff", "before", "slow", "--db", "perf.db", "--all"}).out, HasSubstr("BM_MemoryCopy"));
}

TEST_F(CliPerf, AlphaDecidesHowMuchChanceADifferenceMayOwe) {
  // The median rises by 12 %, and yet most times are lower than before.
  write_times("before.json", {100, 100, 100, 130, 130});
  write_times("after.json", {99, 98, 112, 113, 140});
  record("before.json", "before");
  record("after.json", "after");
  const std::vector<std::string> diff{"perf", "diff", "before", "after", "--db", "perf.db", "--alpha"};
  for (const auto& [alpha, status] : {std::pair("0.6", 0), std::pair("0.7", 1)}) {
    std::vector<std::string> arguments = diff;
    arguments.emplace_back(alpha);
    EXPECT_EQ(run(arguments).status, status) << alpha;
  }
  EXPECT_EQ(run({diff.begin(), diff.end() - 1}).status, 0);
}

TEST_F(CliPerf, NoiseOfOneBuildRaisesTheThreshold) {
  write_result("one.json", 1'000);
  write_result("two.json", 1'070);
  record("one.json", "one");
  record("two.json", "two");
  EXPECT_EQ(run({"perf", "diff", "one", "two", "--db", "perf.db"}).status, 1);
  EXPECT_EQ(run({"perf", "noise", "one", "two", "--db", "perf.db"}).status, 0);
  EXPECT_EQ(run({"perf", "diff", "one", "two", "--db", "perf.db"}).status, 0);
}

TEST_F(CliPerf, TakesProcessesOfOneBuildTogether) {
  for (const char* name : {"1.json", "2.json", "3.json", "4.json"}) {
    write_result(name, 1'000);
  }
  const Outcome recorded = run({"perf", "record", "1.json", "2.json", "3.json", "--db", "perf.db", "--label", "three"});
  EXPECT_EQ(recorded.status, 0);
  EXPECT_EQ(recorded.out, "measurement 1  2 series\n");
  write("other.json", bytes_of(R"({"context":{"cpu":"another"},"benchmarks":[{"name":"BM_A","cpu_time":1}]})"));
  const Outcome mixed = run({"perf", "record", "4.json", "other.json", "--db", "perf.db"});
  EXPECT_EQ(mixed.status, 2);
  EXPECT_THAT(mixed.err, HasSubstr("differ in `cpu`"));
}

TEST_F(CliPerf, ListsMeasurementsAndKeepsThemOutOfRuns) {
  write_result("one.json", 1'000);
  record("one.json", "one");
  EXPECT_THAT(run({"perf", "list", "--db", "perf.db"}).out, HasSubstr("a CPU"));
  EXPECT_EQ(run({"runs", "--db", "perf.db"}).out, "");
}

TEST_F(CliPerf, SaysWhatItCannotUse) {
  write("broken.json", bytes_of("{\"benchmarks\": [{\"name\": \"a\"}]}"));
  const Outcome broken = record("broken.json", "broken");
  EXPECT_EQ(broken.status, 2);
  EXPECT_THAT(broken.err, HasSubstr("broken.json: benchmarks[0]: `cpu_time` is no number"));
  write("other.json", bytes_of("{\"benchmarks\": [{\"name\": \"BM_Other\", \"cpu_time\": 1}]}"));
  write_result("one.json", 1'000);
  record("one.json", "one");
  record("other.json", "other");
  const Outcome apart = run({"perf", "diff", "one", "other", "--db", "perf.db"});
  EXPECT_EQ(apart.status, 2);
  EXPECT_THAT(apart.err, HasSubstr("no benchmark in common"));
  EXPECT_EQ(run({"perf", "diff", "one", "nobody", "--db", "perf.db"}).status, 2);
}

}  // namespace
}  // namespace assay::tools
