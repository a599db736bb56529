#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden/perf/measurement.h"

namespace assay::golden {
namespace {

using testing::HasSubstr;

constexpr std::string_view kResult = R"({
  "context": {"cpu": "a CPU", "num_cpus": 2, "commit": "abc"},
  "benchmarks": [
    {"name": "BM_B/text/16/repeats:2", "run_name": "BM_B/text/16", "run_type": "iteration", "iterations": 5,
     "cpu_time": 2.5, "real_time": 9, "time_unit": "us", "bytes_per_second": 4.0, "items_per_second": 5.0},
    {"name": "BM_B/text/16", "run_name": "BM_B/text/16", "run_type": "iteration", "cpu_time": 3, "time_unit": "us"},
    {"name": "BM_B/text/16_median", "run_name": "BM_B/text/16", "run_type": "aggregate", "cpu_time": 2.7},
    {"name": "BM_A", "cpu_time": 7, "instructions_per_byte": 1.5},
    {"name": "Counted", "run_type": "iteration", "instructions_per_byte": 3.25}
  ]})";

TEST(BenchmarkJson, KeepsRepetitionsAndWhatTheyWereMeasuredOn) {
  const Measurement measurement = parse_benchmark_json(kResult, "b.json");
  EXPECT_EQ(measurement.context.at("cpu"), "a CPU");
  EXPECT_EQ(measurement.context.at("num_cpus"), "2");
  const std::vector<Series> expected{{"BM_A", "cpu_time", "ns", {7}},
                                     {"BM_A", "instructions_per_byte", "", {1.5}},
                                     {"BM_B/text/16", "cpu_time", "ns", {2'500, 3'000}},
                                     {"Counted", "instructions_per_byte", "", {3.25}}};
  EXPECT_EQ(measurement.series, expected);
}

TEST(BenchmarkJson, GivesTimesInNanoseconds) {
  const std::pair<const char*, double> units[] = {{R"(,"time_unit":"ns")", 1},
                                                  {R"(,"time_unit":"us")", 1e3},
                                                  {R"(,"time_unit":"ms")", 1e6},
                                                  {R"(,"time_unit":"s")", 1e9},
                                                  {"", 1}};
  for (const auto& [unit, nanoseconds] : units) {
    const std::string json = R"({"benchmarks":[{"name":"a","cpu_time":2)" + std::string(unit) + "}]}";
    EXPECT_EQ(parse_benchmark_json(json, "b.json").series,
              (std::vector<Series>{{"a", "cpu_time", "ns", {2 * nanoseconds}}}))
        << unit;
  }
}

TEST(BenchmarkJson, SaysWhatIsWrongWithAFile) {
  constexpr std::size_t kLevels = 1'000'000;
  const std::string nested = R"({"context": {"a": )" + std::string(kLevels, '[') + std::string(kLevels, ']') +
                             R"(}, "benchmarks": [{"name": "a", "cpu_time": 1}]})";
  const struct {
    const char* name;
    std::string_view json;
    const char* said;
  } rows[] = {
      {"empty", "", "not JSON from byte 0 on"},
      {"cut off", R"({"benchmarks": [)", "not JSON from byte 16 on"},
      {"another file", R"({"items": 3})", "there is no list `benchmarks`"},
      {"no list", R"({"benchmarks": 3})", "there is no list `benchmarks`"},
      {"context", R"({"context": 1, "benchmarks": []})", "`context` is no object"},
      {"nothing measured", R"({"benchmarks": []})", "holds no repetition"},
      {"only aggregates", R"({"benchmarks": [{"name": "a", "run_type": "aggregate", "cpu_time": 1}]})",
       "holds no repetition"},
      {"no name", R"({"benchmarks": [{"cpu_time": 1}]})", "benchmarks[0]: has no name"},
      {"no time", R"({"benchmarks": [{"name": "a"}]})", "benchmarks[0]: `cpu_time` is no number"},
      {"timed once of twice", R"({"benchmarks": [{"name": "a", "cpu_time": 1, "x": 2}, {"name": "a", "x": 2}]})",
       "a: 2 repetitions of `x`, but only 1 of `cpu_time`"},
      {"text for time beside a figure", R"({"benchmarks": [{"name": "a", "cpu_time": "1", "x": 2}]})",
       "`cpu_time` is no number"},
      {"text for time", R"({"benchmarks": [{"name": "a", "cpu_time": "1"}]})", "`cpu_time` is no number"},
      {"negative", R"({"benchmarks": [{"name": "a", "cpu_time": -1}]})", "`cpu_time` is -1"},
      {"no time at all", R"({"benchmarks": [{"name": "a", "cpu_time": 0}]})", "benchmarks[0]: `cpu_time` is 0"},
      {"out of range", R"({"benchmarks": [{"name": "a", "cpu_time": 1e308, "time_unit": "s"}]})", "`cpu_time` is inf"},
      {"figure twice", R"({"benchmarks": [{"name": "a", "cpu_time": 1, "x": 2, "x": 3}]})",
       R"(the key "x" is there twice)"},
      {"list twice", R"({"benchmarks": [], "benchmarks": [{"name": "a", "cpu_time": 1}]})",
       R"(the key "benchmarks" is there twice)"},
      {"nested", nested, "nests deeper than 64 levels"},
      {"unit", R"({"benchmarks": [{"name": "a", "cpu_time": 1, "time_unit": "fortnight"}]})",
       "`time_unit` is fortnight"},
      {"error", R"({"benchmarks": [{"name": "a", "error_occurred": true, "cpu_time": 0}]})", "reports an error"},
  };
  for (const auto& row : rows) {
    try {
      static_cast<void>(parse_benchmark_json(row.json, "b.json"));
      ADD_FAILURE() << row.name << " was accepted";
    } catch (const BenchmarkFileError& error) {
      EXPECT_THAT(error.what(), HasSubstr(row.said)) << row.name;
      EXPECT_THAT(error.what(), HasSubstr("b.json")) << row.name;
    }
  }
}

TEST(BenchmarkJson, TheMedianIsTheMiddle) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({4, 1, 2, 9}), 3);
  EXPECT_EQ(median({1.6e308, 1.6e308}), 1.6e308);
}

}  // namespace
}  // namespace assay::golden
