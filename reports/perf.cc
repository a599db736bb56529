#include "reports/perf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace assay::reports {
namespace {

constexpr std::string_view kTime = "cpu_time";
// With three values a side no order of them is less likely than 5 %.
constexpr std::size_t kFewestRepetitions = 5;
constexpr std::size_t kMostForExact = 20;

// What Google Benchmark says of the moment; all else in a context is machine and build.
constexpr std::array<std::string_view, 3> kMomentary = {"date", "load_avg", "mhz_per_cpu"};

using Times = std::map<std::string, std::vector<double>>;

Times times_of(const golden::Measurement& measurement) {
  Times times;
  for (const golden::Series& series : measurement.series) {
    if (series.metric == kTime) {
      times.emplace(series.name, series.values);
    }
  }
  return times;
}

// Before against after of the controls that both have.
std::vector<double> control_ratios(const Times& before, const Times& after) {
  std::vector<double> ratios;
  for (const auto& [name, values] : before) {
    const auto found = after.find(name);
    if (found != after.end() && is_control(name) && golden::median(values) > 0) {
      ratios.push_back(golden::median(found->second) / golden::median(values));
    }
  }
  return ratios;
}

double machine_ratio_of(const std::vector<double>& ratios) {
  return ratios.empty() ? 1 : golden::median(ratios);
}

// How many ways of drawing `low_count` of low_count + high_count values give each U, by the recurrence over the largest
// value.
double exact_chance(std::size_t low_count, std::size_t high_count, std::size_t u) {
  const std::size_t most = low_count * high_count;
  // ways[j][u] for i lows so far and j highs.
  std::vector<std::vector<double>> ways(high_count + 1, std::vector<double>(most + 1));
  for (auto& row : ways) {
    row[0] = 1;
  }
  for (std::size_t lows = 1; lows <= low_count; ++lows) {
    std::vector<std::vector<double>> next(high_count + 1, std::vector<double>(most + 1));
    next[0][0] = 1;
    for (std::size_t highs = 1; highs <= high_count; ++highs) {
      for (std::size_t value = 0; value <= lows * highs; ++value) {
        next[highs][value] = (value >= lows ? next[highs - 1][value - lows] : 0) + ways[highs][value];
      }
    }
    ways = std::move(next);
  }
  double all = 0;
  double at_least = 0;
  for (std::size_t value = 0; value <= most; ++value) {
    all += ways[high_count][value];
    at_least += value >= u ? ways[high_count][value] : 0;
  }
  return at_least / all;
}

// Of `values` sorted: the sum over ties of t^3 - t.
double tie_term(const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t begin = 0; begin < values.size();) {
    std::size_t end = begin;
    while (end < values.size() && values[end] == values[begin]) {
      ++end;
    }
    const auto tied = static_cast<double>(end - begin);
    sum += tied * tied * tied - tied;
    begin = end;
  }
  return sum;
}

double approximate_chance(const std::vector<double>& low, const std::vector<double>& high, double u, double ties) {
  const auto low_count = static_cast<double>(low.size());
  const auto high_count = static_cast<double>(high.size());
  const double all = low_count + high_count;
  const double variance = low_count * high_count / 12 * (all + 1 - ties / (all * (all - 1)));
  if (variance <= 0) {
    return 1;
  }
  const double z = (u - low_count * high_count / 2 - 0.5) / std::sqrt(variance);
  return std::erfc(z / std::sqrt(2.0)) / 2;
}

PerfOutcome outcome_of(double ratio, double slower_chance, double faster_chance, double threshold,
                       const PerfRule& rule) {
  if (ratio > threshold && slower_chance < rule.alpha) {
    return PerfOutcome::kSlower;
  }
  return ratio < 1 / threshold && faster_chance < rule.alpha ? PerfOutcome::kFaster : PerfOutcome::kSame;
}

PerfRow compare_one(const std::string& name, const std::vector<double>& before, std::vector<double> after,
                    double machine_ratio, double noise, const PerfRule& rule) {
  PerfRow row{.name = name,
              .before_ns = golden::median(before),
              .after_ns = golden::median(after),
              .is_control = is_control(name)};
  for (double& value : after) {
    value /= machine_ratio;
  }
  row.ratio = *row.before_ns > 0 ? golden::median(after) / *row.before_ns : 1;
  row.threshold = std::max(rule.min_ratio, std::min(noise, rule.max_noise));
  if (std::min(before.size(), after.size()) < kFewestRepetitions) {
    row.outcome = PerfOutcome::kTooFewRepetitions;
    return row;
  }
  const double slower = chance_of_being_higher(before, after);
  const double faster = chance_of_being_higher(after, before);
  row.chance = row.ratio >= 1 ? slower : faster;
  row.outcome = row.is_control ? PerfOutcome::kSame : outcome_of(row.ratio, slower, faster, row.threshold, rule);
  const bool within_noise = row.ratio < noise && row.ratio > 1 / noise;
  if (row.outcome != PerfOutcome::kSame && noise > rule.max_noise && within_noise) {
    row.outcome = PerfOutcome::kTooNoisy;
  }
  return row;
}

using Context = std::map<std::string, std::string>;

void require_same_build(Context first, Context other) {
  for (const std::string_view key : kMomentary) {
    first.erase(std::string(key));
    other.erase(std::string(key));
  }
  if (first == other) {
    return;
  }
  const auto places = std::ranges::mismatch(first, other);
  const std::string& key = places.in1 != first.end() ? places.in1->first : places.in2->first;
  throw golden::BenchmarkFileError("the results are of different builds or machines: their contexts differ in `" + key +
                                   "`");
}

}  // namespace

std::string_view perf_outcome_text(PerfOutcome outcome) {
  switch (outcome) {
    case PerfOutcome::kSame: return "same";
    case PerfOutcome::kSlower: return "slower";
    case PerfOutcome::kFaster: return "faster";
    case PerfOutcome::kNew: return "new";
    case PerfOutcome::kRemoved: return "removed";
    case PerfOutcome::kTooFewRepetitions: return "too_few_repetitions";
    case PerfOutcome::kTooNoisy: return "too_noisy";
  }
  return "same";
}

std::size_t PerfDiff::count(PerfOutcome outcome) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [&](const PerfRow& row) { return row.outcome == outcome; }));
}

bool is_control(std::string_view benchmark) {
  return benchmark.starts_with("BM_MemoryCopy/") || benchmark.find("Textbook") != std::string_view::npos;
}

double chance_of_being_higher(const std::vector<double>& low, const std::vector<double>& high) {
  if (low.empty() || high.empty()) {
    return 1;
  }
  double u = 0;
  bool has_ties = false;
  for (const double above : high) {
    for (const double below : low) {
      u += above > below ? 1 : above == below ? 0.5 : 0;
      has_ties = has_ties || above == below;
    }
  }
  if (!has_ties && std::max(low.size(), high.size()) <= kMostForExact) {
    return exact_chance(low.size(), high.size(), static_cast<std::size_t>(u));
  }
  std::vector<double> all = low;
  all.insert(all.end(), high.begin(), high.end());
  std::ranges::sort(all);
  return approximate_chance(low, high, u, tie_term(all));
}

PerfDiff compare_measurements(const golden::Measurement& before, const golden::Measurement& after,
                              const golden::NoiseTable& noise, const PerfRule& rule) {
  const Times old_times = times_of(before);
  const Times new_times = times_of(after);
  const std::vector<double> ratios = control_ratios(old_times, new_times);
  PerfDiff diff{.rows = {}, .machine_ratio = machine_ratio_of(ratios), .controls = ratios.size()};
  std::size_t in_common = 0;
  for (const auto& [name, values] : old_times) {
    const auto found = new_times.find(name);
    if (found == new_times.end()) {
      diff.rows.push_back(
          {.name = name, .outcome = PerfOutcome::kRemoved, .before_ns = golden::median(values), .after_ns = {}});
      continue;
    }
    const auto known = noise.find(name);
    diff.rows.push_back(
        compare_one(name, values, found->second, diff.machine_ratio, known == noise.end() ? 1 : known->second, rule));
    ++in_common;
  }
  for (const auto& [name, values] : new_times) {
    if (!old_times.contains(name)) {
      diff.rows.push_back(
          {.name = name, .outcome = PerfOutcome::kNew, .before_ns = {}, .after_ns = golden::median(values)});
    }
  }
  if (in_common == 0) {
    throw golden::BenchmarkFileError("the two measurements have no benchmark in common");
  }
  std::ranges::sort(diff.rows, {}, &PerfRow::name);
  return diff;
}

golden::Measurement joined_measurement(const std::vector<golden::Measurement>& processes) {
  golden::Measurement joined{.label = {}, .context = processes.front().context, .series = {}};
  std::map<std::pair<std::string, std::string>, golden::Series> all;
  for (const golden::Measurement& process : processes) {
    require_same_build(joined.context, process.context);
    for (const golden::Series& series : process.series) {
      std::vector<double>& values =
          all.try_emplace({series.name, series.metric}, golden::Series{series.name, series.metric, series.unit, {}})
              .first->second.values;
      values.insert(values.end(), series.values.begin(), series.values.end());
    }
  }
  for (auto& [key, series] : all) {
    joined.series.push_back(std::move(series));
  }
  return joined;
}

golden::NoiseTable noise_of(const std::vector<golden::Measurement>& measurements) {
  golden::NoiseTable noise;
  for (std::size_t first = 0; first < measurements.size(); ++first) {
    for (std::size_t second = first + 1; second < measurements.size(); ++second) {
      for (const PerfRow& row : compare_measurements(measurements[first], measurements[second], {}).rows) {
        if (row.before_ns && row.after_ns) {
          double& spread = noise.try_emplace(row.name, 1).first->second;
          spread = std::max({spread, row.ratio, 1 / row.ratio});
        }
      }
    }
  }
  return noise;
}

}  // namespace assay::reports
