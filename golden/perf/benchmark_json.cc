#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "golden/perf/measurement.h"
#include "golden/strict_json.h"

namespace assay::golden {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;

// Fields of a benchmark that are no figures of it.
constexpr std::string_view kNoFigures[] = {"family_index",     "per_family_instance_index",
                                           "repetitions",      "repetition_index",
                                           "threads",          "iterations",
                                           "real_time",        "cpu_time",
                                           "bytes_per_second", "items_per_second"};

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  Measurement read(std::string_view text) {
    if (text.size() > kMaxFileBytes) {
      fail(fmt::format("is {} bytes long, more than {}", text.size(), kMaxFileBytes));
    }
    const Json document = parsed(text);
    if (!document.is_object() || !document.contains("benchmarks") || !document["benchmarks"].is_array()) {
      fail("is no benchmark result: there is no list `benchmarks`");
    }
    if (document.contains("context")) {
      read_context(document["context"]);
    }
    const Json& rows = document["benchmarks"];
    for (std::size_t index = 0; index < rows.size(); ++index) {
      read_row(rows[index], index);
    }
    if (series_.empty()) {
      fail("holds no repetition of any benchmark");
    }
    check_times();
    for (auto& [key, series] : series_) {
      measurement_.series.push_back(std::move(series));
    }
    return std::move(measurement_);
  }

 private:
  Json parsed(std::string_view text) const {
    try {
      return parse_strict_json(text);
    } catch (const JsonError& wrong) {
      fail(wrong.what());
    }
  }

  [[noreturn]] void fail(const std::string& what) const { throw BenchmarkFileError(file_ + ": " + what); }
  [[noreturn]] void fail_row(std::size_t index, const std::string& what) const {
    fail(fmt::format("benchmarks[{}]: {}", index, what));
  }

  void read_context(const Json& context) {
    if (!context.is_object()) {
      fail("`context` is no object");
    }
    for (const auto& [key, value] : context.items()) {
      measurement_.context[key] = value.is_string() ? value.get<std::string>() : value.dump();
    }
  }

  // Where one repetition was timed, all were: otherwise nobody could tell which time belongs to which count.
  void check_times() const {
    for (const auto& [key, series] : series_) {
      const auto times = series_.find({key.first, "cpu_time"});
      if (times != series_.end() && series.values.size() > times->second.values.size()) {
        fail(fmt::format("{}: {} repetitions of `{}`, but only {} of `cpu_time`", series.name, series.values.size(),
                         series.metric, times->second.values.size()));
      }
    }
  }

  void read_row(const Json& row, std::size_t index) {
    if (!row.is_object() || !row.contains("name") || !row["name"].is_string()) {
      fail_row(index, "has no name");
    }
    if (row.contains("error_occurred") && row["error_occurred"] == Json(true)) {
      fail_row(index, row["name"].get<std::string>() + " reports an error, so nothing of this run counts");
    }
    if (row.contains("run_type") && row["run_type"] != "iteration") {
      return;
    }
    // Repetitions of one benchmark carry one run name.
    const Json& named = row.contains("run_name") && row["run_name"].is_string() ? row["run_name"] : row["name"];
    const auto name = named.get<std::string>();
    bool has_figures = false;
    for (const auto& [key, value] : row.items()) {
      if (value.is_number() && std::ranges::find(kNoFigures, key) == std::end(kNoFigures)) {
        add(name, key, "", figure(row, key.c_str(), index));
        has_figures = true;
      }
    }
    // Where instructions are counted, there is no time (ci/perf).
    if (row.contains("cpu_time") || !has_figures) {
      const double time = checked(figure(row, "cpu_time", index) * unit_of(row, index), "cpu_time", index);
      if (time == 0) {
        fail_row(index, "`cpu_time` is 0, which no work takes");
      }
      add(name, "cpu_time", "ns", time);
    }
  }

  double figure(const Json& row, const char* key, std::size_t index) const {
    if (!row.contains(key) || !row[key].is_number()) {
      fail_row(index, fmt::format("`{}` is no number", key));
    }
    return checked(row[key].get<double>(), key, index);
  }

  double checked(double value, const char* key, std::size_t index) const {
    if (!std::isfinite(value) || value < 0) {
      fail_row(index, fmt::format("`{}` is {}", key, value));
    }
    return value;
  }

  double unit_of(const Json& row, std::size_t index) const {
    const std::string unit = row.contains("time_unit") && row["time_unit"].is_string() ? row["time_unit"] : Json("ns");
    static constexpr std::pair<std::string_view, double> kUnits[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    for (const auto& [name, factor] : kUnits) {
      if (unit == name) {
        return factor;
      }
    }
    fail_row(index, fmt::format("`time_unit` is {}", unit));
  }

  void add(const std::string& name, const std::string& metric, const char* unit, double value) {
    Series& series = series_[{name, metric}];
    series.name = name;
    series.metric = metric;
    series.unit = unit;
    series.values.push_back(value);
  }

  const std::string& file_;
  Measurement measurement_;
  std::map<std::pair<std::string, std::string>, Series> series_;
};

}  // namespace

Measurement parse_benchmark_json(std::string_view json, const std::string& file) {
  return Reader(file).read(json);
}

double median(std::vector<double> values) {
  const std::size_t middle = values.size() / 2;
  std::ranges::sort(values);
  // Not half the sum, which may be out of range where both values are not.
  return values.size() % 2 == 1 ? values[middle] : values[middle - 1] + (values[middle] - values[middle - 1]) / 2;
}

}  // namespace assay::golden
