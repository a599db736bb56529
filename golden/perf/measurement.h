#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Benchmark results as they are recorded and compared: repetitions by name, and what they were measured on.
namespace assay::golden {

inline constexpr std::string_view kTimeMetric = "cpu_time";

// All repetitions of one figure of one benchmark, in the order in which they were measured.
struct Series {
  std::string name;
  // kTimeMetric in nanoseconds an iteration, or a counter such as "instructions_per_byte".
  std::string metric;
  std::string unit;
  std::vector<double> values;

  friend bool operator==(const Series&, const Series&) = default;
};

struct Measurement {
  std::string label;
  // CPU, compiler, preset, commit, library versions ... as the benchmark program says them.
  std::map<std::string, std::string> context;
  // Sorted by (name, metric), each once.
  std::vector<Series> series;
};

// The file is no benchmark result, or a damaged one. The text says where.
struct BenchmarkFileError final : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads what Google Benchmark writes with --benchmark_format=json: repetitions, not their aggregates. Times become
// nanoseconds. `file` names the input in errors. Throws BenchmarkFileError: no JSON; no list of benchmarks; a benchmark
// without name or time, with a time that is negative, no number or out of range in nanoseconds, or that reports an
// error; nothing measured at all; more than 64 levels. Cost: O(size); at most 64 MiB are read.
[[nodiscard]] Measurement parse_benchmark_json(std::string_view json, const std::string& file);

// The middle value; the mean of the two in the middle for an even number. Requires: !values.empty().
[[nodiscard]] double median(std::vector<double> values);

}  // namespace assay::golden
