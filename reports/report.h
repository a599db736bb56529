#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "golden/store.h"
#include "reports/diff.h"
#include "reports/perf.h"

// What a page about a run needs, collected as plain values in one pass.
namespace assay::reports {

// Lists are cut at these numbers, here and on the page, which says how many more there are.
struct ReportLimits {
  // Places of one cause, rule, code or kind.
  std::size_t places = 25;
  // Causes in one list; the largest stay.
  std::size_t groups = 100;
  // Benchmarks, measurements, campaigns and crashes.
  std::size_t rows = 200;
};

// Where something is. `message` is empty where the group says it all.
struct Place {
  std::string path{};
  std::string entry{};
  std::uint64_t offset = 0;
  std::string field{};
  std::string message{};
};

// All that has one name: a cause, a rule, a code or a kind.
struct PlaceGroup {
  std::string name;
  std::uint64_t count = 0;
  // The first of them, by path and in the order of the run.
  std::vector<Place> places;
};

struct PlaceGroups {
  // Largest first, then by name.
  std::vector<PlaceGroup> groups;
  // In all groups, also in those that were cut.
  std::uint64_t count = 0;
  // How many groups were cut, and how many lie in them.
  std::uint64_t more_groups = 0;
  std::uint64_t more_count = 0;

  [[nodiscard]] bool empty() const { return count == 0; }
};

// Counts by name and keeps the first places. Memory: the first 10,000 names with their places, whatever is added.
class PlaceCounter {
 public:
  explicit PlaceCounter(const ReportLimits& limits) : limits_(limits) {}

  void add(const std::string& name, Place place);
  [[nodiscard]] PlaceGroups take();

 private:
  ReportLimits limits_;
  std::map<std::string, PlaceGroup> groups_;
  std::uint64_t count_ = 0;
  std::uint64_t beyond_ = 0;
};

struct FormatCount {
  std::string format;
  std::uint64_t items = 0;
  // By Verdict.
  std::array<std::uint64_t, 4> verdicts{};
  // Decoded sizes; what is nested counts in each archive around it.
  std::uint64_t bytes = 0;
};

struct ItemSummary {
  // By name, `unknown` last.
  std::vector<FormatCount> formats;
  // Findings that make their item fail, by `CODE FIELD` with the indexes of the field left out.
  PlaceGroups failures;
  // Archives without such a finding, which fail through their entries alone.
  std::uint64_t failing_archives = 0;
  // Findings by rule: where it was used, and where it would have been, had it been enabled.
  PlaceGroups applied_rules;
  PlaceGroups refused_rules;
  // Notes by code.
  PlaceGroups notes;
  // Unknown items by kind: the type of their directory row and the ending of their name.
  PlaceGroups unknown;
};

// Looks at each file of a run, in order of path. Memory: counts and cut lists.
class ItemCollector {
 public:
  ItemCollector(const golden::RecordFinder& find_record, const ReportLimits& limits);

  void add(const golden::FileResult& file);
  [[nodiscard]] ItemSummary take();

 private:
  void add_item(const std::string& path, const golden::Item& item);
  // Whether the finding makes the item fail.
  bool add_finding(const std::string& path, const golden::Item& item, const golden::ItemFinding& finding);
  [[nodiscard]] std::string kind_of(const std::string& path, const golden::Item& item) const;

  golden::RecordFinder find_record_;
  std::map<std::string, FormatCount> formats_;
  std::uint64_t failing_archives_ = 0;
  PlaceCounter failures_;
  PlaceCounter applied_rules_;
  PlaceCounter refused_rules_;
  PlaceCounter notes_;
  PlaceCounter unknown_;
};

struct SeenCrash {
  golden::FuzzCrash crash;
  // The last campaign that showed it.
  std::int64_t campaign = 0;
};

// A target under one engine: its latest campaign, and every crash that is known of it.
struct FuzzTarget {
  golden::FuzzCampaign latest;
  std::vector<SeenCrash> crashes;
};

// By target and engine.
[[nodiscard]] std::vector<FuzzTarget> latest_campaigns(std::vector<golden::FuzzCampaign> campaigns);

struct PerfSummary {
  // All measurements, the latest last.
  std::vector<golden::MeasurementRecord> measurements;
  // Of the latest; against the one before, where both have a benchmark in common.
  PerfDiff latest;
  bool is_compared = false;
};

[[nodiscard]] PerfSummary summarize_measurements(const golden::PerfStore& perf);

struct Report {
  golden::RunRecord run;
  ItemSummary items;
  // The other run and what changed since.
  std::optional<golden::RunRecord> against;
  Diff changes;
  std::vector<FuzzTarget> fuzzing;
  PerfSummary benchmarks;
  ReportLimits limits;
};

// Reads the run once, together with `against`. Throws StoreError. Memory: the differences, and what is shown.
[[nodiscard]] Report gather_report(const golden::Store& store, const golden::RunRecord& run,
                                   const std::optional<golden::RunRecord>& against,
                                   const golden::RecordFinder& find_record, const ReportLimits& limits = {});

// A finding that makes its item fail: an error, or a rule of the format broken with no enabled rule to allow it.
[[nodiscard]] bool is_failing(const golden::ItemFinding& finding);

}  // namespace assay::reports
