#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "golden/perf/measurement.h"
#include "golden/perf/perf_store.h"

// Whether a build became slower: the decision, apart from where the figures come from (docs/performance.md).
namespace assay::reports {

struct PerfRule {
  // The one-sided chance, under "no difference", of repetitions that lie so far apart (Mann-Whitney U).
  double alpha = 0.05;
  // Ratios of medians up to this are no difference, whatever the test says; a benchmark whose own noise is larger
  // is held to that instead.
  double min_ratio = 1.05;
  // Noise counts up to this; what varies more by itself is reported as too noisy to decide.
  double max_noise = 1.08;
};

enum class PerfOutcome : std::uint8_t { kSame, kSlower, kFaster, kNew, kRemoved, kTooFewRepetitions, kTooNoisy };

[[nodiscard]] std::string_view perf_outcome_text(PerfOutcome outcome);

struct PerfRow {
  std::string name;
  PerfOutcome outcome = PerfOutcome::kSame;
  // Medians as measured, in nanoseconds an iteration; nothing where a side lacks the benchmark.
  std::optional<double> before_ns;
  std::optional<double> after_ns;
  // After against before, with the difference of the machine taken out; above 1 is slower.
  double ratio = 1;
  // The chance named in PerfRule::alpha, for the direction that the ratio has.
  double chance = 1;
  // What the ratio was held to.
  double threshold = 1;
  // A control: it measures the machine and is never reported.
  bool is_control = false;
};

struct PerfDiff {
  std::vector<PerfRow> rows;
  // How much faster or slower the machine itself was: the middle of the ratios of the controls; 1 without controls.
  double machine_ratio = 1;
  std::size_t controls = 0;

  [[nodiscard]] std::size_t count(PerfOutcome outcome) const;
};

// Whether a benchmark is a control: memcpy, or a decoder that is kept plain on purpose.
[[nodiscard]] bool is_control(std::string_view benchmark);

// The one-sided chance that values of one kind fall so that those of `high` lie as far above those of `low` as they do:
// Mann-Whitney U, exact for up to 20 values a side where none is on both, else by the normal approximation with
// correction for ties and continuity. 1 when a side is empty.
[[nodiscard]] double chance_of_being_higher(const std::vector<double>& low, const std::vector<double>& high);

// Compares the times of two measurements, benchmark by benchmark, sorted by name. Every value is divided by the
// machine's ratio first. Throws golden::BenchmarkFileError when the two have no benchmark in common.
[[nodiscard]] PerfDiff compare_measurements(const golden::Measurement& before, const golden::Measurement& after,
                                            const golden::NoiseTable& noise, const PerfRule& rule = {});

// Results of several processes of one build as one measurement: all repetitions of each benchmark, the context of the
// first. Throws golden::BenchmarkFileError when two contexts differ in more than the moment and the machine's load.
// Requires: one or more.
[[nodiscard]] golden::Measurement joined_measurement(const std::vector<golden::Measurement>& processes);

// The spread of one build: for each benchmark the largest ratio of medians between any two of the measurements,
// machine taken out. Requires: two or more.
[[nodiscard]] golden::NoiseTable noise_of(const std::vector<golden::Measurement>& measurements);

}  // namespace assay::reports
