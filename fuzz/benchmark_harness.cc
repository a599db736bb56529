#include "fuzz/benchmark_harness.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/harness.h"
#include "golden/perf/measurement.h"
#include "golden/store.h"

namespace assay::fuzz {
namespace {

constexpr std::string_view kFile = "b.json";

bool is_figure(double value) {
  return std::isfinite(value) && value >= 0;
}

void check_figures(const golden::Measurement& measurement) {
  require(!measurement.series.empty(), "what is accepted holds a repetition");
  const auto name_of = [](const golden::Series& series) { return std::pair(series.name, series.metric); };
  const auto& list = measurement.series;
  for (std::size_t index = 0; index < list.size(); ++index) {
    const golden::Series& series = list[index];
    require(index == 0 || name_of(list[index - 1]) < name_of(series), "each figure stands once, in order");
    require(!series.values.empty() && std::ranges::all_of(series.values, is_figure), "repetitions are finite");
    const double middle = golden::median(series.values);
    require(middle >= std::ranges::min(series.values) && middle <= std::ranges::max(series.values),
            "the median lies between the repetitions");
  }
}

// Where there are times, every figure was measured with one, as often or less often: a counter may be left out.
void check_repetitions(const golden::Measurement& measurement) {
  std::map<std::string, std::size_t> times;
  for (const golden::Series& series : measurement.series) {
    if (series.metric == "cpu_time") {
      times[series.name] = series.values.size();
    }
  }
  for (const golden::Series& series : measurement.series) {
    require(!times.contains(series.name) || series.values.size() <= times[series.name],
            "a figure has a repetition for each time at most");
  }
}

// A database in memory, which is made anew before it grows large.
golden::Store& shared_store() {
  constexpr std::size_t kMaxUses = 32;
  static std::optional<golden::Store> store;
  static std::size_t uses = 0;
  if (uses++ % kMaxUses == 0) {
    store = golden::Store::open_in_memory();
  }
  return *store;
}

void check_store(const golden::Measurement& measurement) {
  const golden::Store& store = shared_store();
  const std::int64_t id = store.perf().record(measurement);
  const golden::MeasurementRecord found = store.perf().find(std::to_string(id));
  require(store.perf().load(found).series == measurement.series, "the database gives back what was recorded");
  require(found.context == measurement.context, "the database gives back what it was measured on");
}

}  // namespace

int run_benchmark_json(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 16;
  if (size > kMaxBytes) {
    return 0;
  }
  const Bytes bytes(data, size);
  try {
    const golden::Measurement measurement = golden::parse_benchmark_json(as_text(bytes), std::string(kFile));
    check_figures(measurement);
    check_repetitions(measurement);
    if (asks_everything() || hash_of(bytes) % 64 == 0) {
      check_store(measurement);
    }
  } catch (const golden::BenchmarkFileError& refused) {
    require(std::string_view(refused.what()).starts_with(kFile), "a refusal names the file");
  }
  return 0;
}

}  // namespace assay::fuzz
