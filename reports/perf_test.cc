#include "reports/perf.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace assay::reports {
namespace {

using golden::Measurement;
using golden::Series;

Measurement measured(std::vector<Series> series) {
  return {.label = "", .context = {}, .series = std::move(series)};
}

Series times(const std::string& name, std::vector<double> values) {
  return {name, "cpu_time", "ns", std::move(values)};
}

// Published tables of U: 4 against 4 with no overlap is 1/70, 3 against 3 is 1/20.
TEST(MannWhitney, GivesTheExactChances) {
  EXPECT_DOUBLE_EQ(chance_of_being_higher({1, 2, 3, 4}, {5, 6, 7, 8}), 1.0 / 70);
  EXPECT_DOUBLE_EQ(chance_of_being_higher({1, 2, 3}, {4, 5, 6}), 1.0 / 20);
  EXPECT_DOUBLE_EQ(chance_of_being_higher({1, 2, 4}, {3, 5, 6}), 2.0 / 20);
  EXPECT_DOUBLE_EQ(chance_of_being_higher({4, 5, 6}, {1, 2, 3}), 1);
  EXPECT_DOUBLE_EQ(chance_of_being_higher({}, {1}), 1);
}

TEST(MannWhitney, TiesMakeNothingCertain) {
  EXPECT_DOUBLE_EQ(chance_of_being_higher({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}), 1);
  // U is 16 of 25, so that z is 0.693 with the variance that ties leave.
  EXPECT_NEAR(chance_of_being_higher({1, 2, 2, 3, 3}, {2, 2, 3, 3, 3}), 0.244, 0.001);
  EXPECT_LT(chance_of_being_higher({1, 1, 1, 2, 2, 1, 1}, {5, 5, 6, 6, 5, 5, 5}), 0.01);
}

TEST(PerfDiff, NamesNewAndRemovedBenchmarks) {
  const auto diff = compare_measurements(measured({times("BM_A", {1}), times("BM_B", {1})}),
                                         measured({times("BM_B", {1}), times("BM_C", {1})}), {});
  ASSERT_EQ(diff.rows.size(), 3U);
  EXPECT_EQ(diff.rows[0].outcome, PerfOutcome::kRemoved);
  EXPECT_EQ(diff.rows[1].outcome, PerfOutcome::kTooFewRepetitions);
  EXPECT_EQ(diff.rows[2].outcome, PerfOutcome::kNew);
}

TEST(PerfDiff, RefusesMeasurementsWithNothingInCommon) {
  EXPECT_THROW(
      static_cast<void>(compare_measurements(measured({times("BM_A", {1})}), measured({times("BM_B", {1})}), {})),
      golden::BenchmarkFileError);
}

// Repetitions as this kind of machine gives them: a few percent apart, now and then one far off, and the whole machine
// slower in one run than in the other.
class Machine {
 public:
  explicit Machine(unsigned seed) : random_(seed), speed_(std::uniform_real_distribution(0.8, 1.25)(random_)) {}

  std::vector<double> repetitions(double true_ns) {
    std::normal_distribution jitter(1.0, 0.015);
    std::vector<double> values;
    for (int repetition = 0; repetition < 9; ++repetition) {
      const bool is_disturbed = std::uniform_real_distribution(0.0, 1.0)(random_) < 0.04;
      values.push_back(true_ns * speed_ * jitter(random_) * (is_disturbed ? 1.3 : 1));
    }
    return values;
  }

 private:
  std::mt19937 random_;
  double speed_;
};

Measurement run_of(unsigned seed, double slow_down) {
  Machine machine(seed);
  std::vector<Series> series;
  for (const char* corpus : {"text", "texture", "mesh"}) {
    const std::string suffix = std::string("/") + corpus + "/131072";
    series.push_back(times("BM_MemoryCopy" + suffix, machine.repetitions(4'000)));
    series.push_back(times("BM_LzssTextbookDecode" + suffix, machine.repetitions(220'000)));
    series.push_back(times("BM_LzssDecode" + suffix, machine.repetitions(30'000 * slow_down)));
    series.push_back(times("BM_LzhufDecode" + suffix, machine.repetitions(430'000)));
  }
  return measured(std::move(series));
}

TEST(PerfDiff, ReportsNothingOnTwentyPairsOfOneBuild) {
  for (unsigned pair = 0; pair < 20; ++pair) {
    const auto diff = compare_measurements(run_of(2 * pair, 1), run_of(2 * pair + 1, 1), {});
    EXPECT_EQ(diff.count(PerfOutcome::kSlower), 0U) << "pair " << pair;
    EXPECT_EQ(diff.count(PerfOutcome::kFaster), 0U) << "pair " << pair;
    EXPECT_EQ(diff.controls, 6U) << "memcpy and the textbook decoder on three corpora";
  }
}

TEST(PerfDiff, ReportsADecoderSlowedByATenthOnTwentyPairs) {
  for (unsigned pair = 0; pair < 20; ++pair) {
    const auto diff = compare_measurements(run_of(2 * pair, 1), run_of(2 * pair + 1, 1.1), {});
    EXPECT_EQ(diff.count(PerfOutcome::kSlower), 3U) << "pair " << pair;
    for (const PerfRow& row : diff.rows) {
      EXPECT_EQ(row.outcome == PerfOutcome::kSlower, row.name.starts_with("BM_LzssDecode")) << row.name;
    }
  }
}

TEST(PerfDiff, TakesTheMachineOut) {
  const auto before =
      measured({times("BM_MemoryCopy/text/16384", {10, 10, 10, 10, 10}), times("BM_A", {1, 1.01, 1.02, 1, 1})});
  const auto after =
      measured({times("BM_MemoryCopy/text/16384", {20, 20, 20, 20, 20}), times("BM_A", {2, 2.01, 2.02, 2, 2})});
  const auto diff = compare_measurements(before, after, {});
  EXPECT_DOUBLE_EQ(diff.machine_ratio, 2);
  EXPECT_EQ(diff.count(PerfOutcome::kSame), 2U);
}

TEST(PerfDiff, HoldsANoisyBenchmarkToItsNoise) {
  const auto before = measured({times("BM_A", {100, 101, 102, 103, 104, 105})});
  const auto after = measured({times("BM_A", {107, 108, 109, 110, 111, 112})});
  EXPECT_EQ(compare_measurements(before, after, {}).rows[0].outcome, PerfOutcome::kSlower);
  EXPECT_EQ(compare_measurements(before, after, {{"BM_A", 1.075}}).rows[0].outcome, PerfOutcome::kSame);
  EXPECT_EQ(compare_measurements(before, after, {{"BM_A", 1.3}}).rows[0].outcome, PerfOutcome::kSame);
}

// One benchmark whose repetitions lie apart by `ratio`.
PerfOutcome outcome_of(double ratio, std::size_t repetitions = 9, const golden::NoiseTable& noise = {},
                       const std::string& name = "BM_A") {
  std::vector<double> before;
  std::vector<double> after;
  for (std::size_t index = 0; index < repetitions; ++index) {
    before.push_back(1'000 + static_cast<double>(index) / 10);
    after.push_back(ratio * before.back());
  }
  return compare_measurements(measured({times(name, before)}), measured({times(name, after)}), noise).rows[0].outcome;
}

TEST(PerfDiff, TellsSlowerFromFasterAtTheThresholdOfTheRule) {
  const double threshold = PerfRule().min_ratio;
  EXPECT_EQ(outcome_of(threshold + 0.01), PerfOutcome::kSlower);
  EXPECT_EQ(outcome_of(threshold - 0.01), PerfOutcome::kSame);
  EXPECT_EQ(outcome_of(1), PerfOutcome::kSame);
  EXPECT_EQ(outcome_of(1 / (threshold - 0.01)), PerfOutcome::kSame);
  EXPECT_EQ(outcome_of(1 / (threshold + 0.01)), PerfOutcome::kFaster);
}

// The medians are 12 % apart, but the higher side is above the other in only 11 of 25 pairs.
TEST(PerfDiff, MediansFarApartAreTheSameWhereTheRepetitionsMix) {
  const auto low = measured({times("BM_A", {100, 100, 100, 130, 130})});
  const auto high = measured({times("BM_A", {99, 98, 112, 113, 140})});
  EXPECT_EQ(compare_measurements(low, high, {}).rows[0].outcome, PerfOutcome::kSame);
  EXPECT_EQ(compare_measurements(high, low, {}).rows[0].outcome, PerfOutcome::kSame);
  const PerfRule credulous{.alpha = 1};
  EXPECT_EQ(compare_measurements(low, high, {}, credulous).rows[0].outcome, PerfOutcome::kSlower);
  EXPECT_EQ(compare_measurements(high, low, {}, credulous).rows[0].outcome, PerfOutcome::kFaster);
}

TEST(PerfDiff, GivesTheChanceOfTheDirectionThatTheRatioHas) {
  const auto low = measured({times("BM_A", {100, 101, 102, 103, 104})});
  const auto high = measured({times("BM_A", {200, 201, 202, 203, 204})});
  EXPECT_DOUBLE_EQ(compare_measurements(low, high, {}).rows[0].chance, 1.0 / 252);
  EXPECT_DOUBLE_EQ(compare_measurements(high, low, {}).rows[0].chance, 1.0 / 252);
}

TEST(PerfDiff, LooksAtTimesAlone) {
  const auto both =
      measured({{"BM_A", "bytes_per_second", "", {9}}, times("BM_A", {1}), {"BM_B", "instructions", "", {9}}});
  const auto diff = compare_measurements(both, both, {});
  ASSERT_EQ(diff.rows.size(), 1U);
  EXPECT_EQ(diff.rows[0].name, "BM_A");
  EXPECT_EQ(diff.rows[0].before_ns, 1);
  EXPECT_EQ(diff.rows[0].after_ns, 1);
}

TEST(PerfDiff, NeedsFiveRepetitionsOnBothSides) {
  EXPECT_EQ(outcome_of(2, 4), PerfOutcome::kTooFewRepetitions);
  EXPECT_EQ(outcome_of(2, 5), PerfOutcome::kSlower);
}

TEST(PerfDiff, CallsWhatVariesTooMuchTooNoisyUnlessItDiffersByMore) {
  const double noise = PerfRule().max_noise + 0.5;
  EXPECT_EQ(outcome_of(noise - 0.05, 9, {{"BM_A", noise}}), PerfOutcome::kTooNoisy);
  EXPECT_EQ(outcome_of(1 / (noise - 0.05), 9, {{"BM_A", noise}}), PerfOutcome::kTooNoisy);
  EXPECT_EQ(outcome_of(noise + 0.05, 9, {{"BM_A", noise}}), PerfOutcome::kSlower);
}

TEST(PerfControl, IsMemcpyOrATextbookDecoder) {
  EXPECT_TRUE(is_control("BM_MemoryCopy/text/131072"));
  EXPECT_TRUE(is_control("BM_LzssTextbookDecode/text/131072"));
  EXPECT_FALSE(is_control("BM_LzssDecode/text/131072"));
}

TEST(PerfDiff, AControlIsNeverSlower) {
  const auto before = measured(
      {times("BM_MemoryCopy/text/1", {1, 1.01, 1.02, 1.03, 1.04}), times("BM_MemoryCopy/text/2", {1, 1, 1, 1, 1})});
  const auto after = measured(
      {times("BM_MemoryCopy/text/1", {9, 9.01, 9.02, 9.03, 9.04}), times("BM_MemoryCopy/text/2", {1, 1, 1, 1, 1})});
  const auto diff = compare_measurements(before, after, {});
  EXPECT_EQ(diff.count(PerfOutcome::kSame), 2U);
  EXPECT_EQ(diff.controls, 2U);
  EXPECT_TRUE(diff.rows[0].is_control);
}

TEST(PerfJoin, PutsTheRepetitionsOfProcessesTogether) {
  auto first = measured({times("BM_A", {1, 2}), times("BM_B", {5})});
  auto second = measured({times("BM_B", {6}), times("BM_C", {7})});
  first.context = {{"commit", "c"}, {"date", "monday"}, {"mhz_per_cpu", "2100"}};
  second.context = {{"commit", "c"}, {"date", "tuesday"}, {"load_avg", "[1]"}, {"mhz_per_cpu", "2500"}};
  const auto joined = joined_measurement({first, second});
  EXPECT_EQ(joined.context, first.context);
  EXPECT_EQ(joined.series, (std::vector{times("BM_A", {1, 2}), times("BM_B", {5, 6}), times("BM_C", {7})}));
}

TEST(PerfJoin, KeepsTheFiguresOfOneBenchmarkApart) {
  const auto process = measured({times("BM_A", {1}), {"BM_A", "instructions", "", {9}}});
  EXPECT_EQ(joined_measurement({process, process}).series,
            (std::vector<Series>{times("BM_A", {1, 1}), {"BM_A", "instructions", "", {9, 9}}}));
}

TEST(PerfJoin, RefusesProcessesOfDifferentBuilds) {
  const auto plain = measured({times("BM_A", {1})});
  auto slowed = plain;
  slowed.context = {{"slowed", "LzssDecode by 10 %"}};
  EXPECT_THROW(static_cast<void>(joined_measurement({plain, slowed})), golden::BenchmarkFileError);
  EXPECT_THROW(static_cast<void>(joined_measurement({slowed, plain})), golden::BenchmarkFileError);
}

TEST(PerfNoise, IsTheLargestRatioBetweenTwoMeasurements) {
  for (const std::array<double, 3>& order : {std::array{100.0, 104.0, 98.0}, std::array{98.0, 104.0, 100.0}}) {
    std::vector<Measurement> measurements;
    for (const double value : order) {
      measurements.push_back(measured({times("BM_A", {value})}));
    }
    EXPECT_NEAR(noise_of(measurements).at("BM_A"), 104.0 / 98, 1e-12) << "from " << order.front();
  }
}

}  // namespace
}  // namespace assay::reports
