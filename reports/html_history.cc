#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/html_parts.h"
#include "reports/lines.h"

// What else the database knows: fuzzing and benchmarks.
namespace assay::reports {
namespace {

void add_target(Markup& page, const FuzzTarget& target) {
  const golden::FuzzCampaign& latest = target.latest;
  page.open("tr").open("th", {{"scope", "row"}}).element("code", latest.target).close();
  page.element("td", latest.engine).element("td", latest.started_at);
  add_number_cell(page, fmt::format("{:.0f}", latest.seconds));
  add_number_cell(page, latest.executions);
  add_number_cell(page, latest.per_second());
  add_number_cell(page, latest.features);
  add_number_cell(page, latest.edges);
  add_number_cell(page, latest.corpus_units);
  add_number_cell(page, latest.new_units);
  add_number_cell(page, latest.line_percent ? fmt::format("{:.1f} %", *latest.line_percent) : std::string("-"));
  add_number_cell(page, target.crashes.size());
  page.close();
}

void add_targets(Markup& page, const Report& report, const Commands& commands) {
  const std::size_t shown = std::min(report.fuzzing.size(), report.limits.rows);
  open_table(page, {"Target", "Engine", "Started", "Seconds", "Runs", "A second", "Features", "Edges", "Units",
                    "New units", "Lines", "Crashes"});
  page.open("tbody");
  for (std::size_t index = 0; index < shown; ++index) {
    add_target(page, report.fuzzing[index]);
  }
  page.close();
  close_table(page);
  add_more(page, report.fuzzing.size() - shown, commands.campaigns());
}

void add_crash(Markup& page, const FuzzTarget& target, const SeenCrash& seen) {
  page.open("tr").open("th", {{"scope", "row"}}).element("code", target.latest.target).close();
  page.element("td", seen.crash.kind);
  add_code_cell(page, seen.crash.frames);
  add_code_cell(page, seen.crash.reproducer);
  add_number_cell(page, fmt::format("{}{}", seen.campaign, seen.crash.is_new ? ", the first" : ""));
  page.close();
}

void add_crashes(Markup& page, const Report& report, const Commands& commands) {
  std::size_t all = 0;
  for (const FuzzTarget& target : report.fuzzing) {
    all += target.crashes.size();
  }
  if (all == 0) {
    page.element("p", "No campaign crashed.");
    return;
  }
  page.element("h3", "Crashes");
  open_table(page, {"Target", "Kind", "Functions", "Reproducer", "Last campaign"});
  page.open("tbody");
  std::size_t shown = 0;
  for (const FuzzTarget& target : report.fuzzing) {
    for (const SeenCrash& seen : target.crashes) {
      if (shown < report.limits.rows) {
        add_crash(page, target, seen);
        ++shown;
      }
    }
  }
  page.close();
  close_table(page);
  add_more(page, all - shown, commands.campaigns());
}

// What became slower is what a reader looks for.
int rank_of(const PerfRow& row) {
  switch (row.outcome) {
    case PerfOutcome::kSlower: return 0;
    case PerfOutcome::kFaster: return 1;
    case PerfOutcome::kNew: return 2;
    case PerfOutcome::kRemoved: return 3;
    case PerfOutcome::kTooNoisy: return 4;
    case PerfOutcome::kTooFewRepetitions: return 5;
    case PerfOutcome::kSame: return 6;
  }
  return 7;
}

std::string nanoseconds(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f}", *value) : std::string("-");
}

void add_benchmark(Markup& page, const PerfRow& row, bool is_compared) {
  page.open("tr").open("th", {{"scope", "row"}}).element("code", row.name).close();
  if (is_compared) {
    page.element("td", fmt::format("{}{}", perf_outcome_text(row.outcome), row.is_control ? " (control)" : ""));
    add_number_cell(page, nanoseconds(row.before_ns));
    add_number_cell(page, nanoseconds(row.after_ns));
    add_number_cell(page, fmt::format("{:.3f}", row.ratio));
    add_number_cell(page, fmt::format("{:.3f}", row.threshold));
  } else {
    add_number_cell(page, nanoseconds(row.after_ns));
  }
  page.close();
}

void add_benchmark_rows(Markup& page, const Report& report, const Commands& commands) {
  const bool is_compared = report.benchmarks.is_compared;
  std::vector<PerfRow> rows = report.benchmarks.latest.rows;
  std::ranges::sort(rows, {}, [](const PerfRow& row) { return std::pair(rank_of(row), std::string_view(row.name)); });
  const std::size_t shown = std::min(rows.size(), report.limits.rows);
  if (is_compared) {
    open_table(page, {"Benchmark", "Outcome", "Before, ns", "After, ns", "Ratio", "Held to"});
  } else {
    open_table(page, {"Benchmark", "Median, ns"});
  }
  page.open("tbody");
  for (std::size_t index = 0; index < shown; ++index) {
    add_benchmark(page, rows[index], is_compared);
  }
  page.close();
  close_table(page);
  add_more(page, rows.size() - shown, commands.benchmarks());
}

std::string context_text(const golden::MeasurementRecord& record) {
  std::string text;
  for (const auto& [key, value] : record.context) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", key, value);
  }
  return text;
}

void add_measurements(Markup& page, const Report& report, const Commands& commands) {
  const auto& measurements = report.benchmarks.measurements;
  const std::size_t shown = std::min(measurements.size(), report.limits.rows);
  open_details(page, false, counted(measurements.size(), "measurement"), "");
  open_table(page, {"Number", "Recorded", "Label", "Benchmarks", "Measured on"});
  page.open("tbody");
  for (std::size_t index = 0; index < shown; ++index) {
    const golden::MeasurementRecord& record = measurements[measurements.size() - 1 - index];
    page.open("tr");
    add_number_cell(page, std::to_string(record.id));
    page.element("td", record.recorded_at).element("td", record.label);
    add_number_cell(page, record.benchmarks);
    page.element("td", context_text(record)).close();
  }
  page.close();
  close_table(page);
  add_more(page, measurements.size() - shown, commands.measurements());
  page.close();
}

std::string named(const golden::MeasurementRecord& record) {
  return record.label.empty() ? fmt::format("{}", record.id) : fmt::format("{} ({})", record.id, record.label);
}

std::string benchmarks_sentence(const PerfSummary& summary) {
  const auto& measurements = summary.measurements;
  if (!summary.is_compared) {
    return fmt::format("Measurement {}.", named(measurements.back()));
  }
  return fmt::format(
      "Measurement {} against {}: {} slower, {} faster. Ratios have the difference of the machine taken out, {:.3f} "
      "from {}.",
      named(measurements.back()), named(measurements[measurements.size() - 2]),
      summary.latest.count(PerfOutcome::kSlower), summary.latest.count(PerfOutcome::kFaster),
      summary.latest.machine_ratio, counted(summary.latest.controls, "control"));
}

}  // namespace

void add_fuzzing(Markup& page, const Report& report, const Commands& commands) {
  if (report.fuzzing.empty()) {
    return;
  }
  open_section(page, "fuzzing", "Fuzzing");
  page.element("p", "The latest campaign of each target.");
  add_targets(page, report, commands);
  add_crashes(page, report, commands);
  page.close();
}

void add_benchmarks(Markup& page, const Report& report, const Commands& commands) {
  if (report.benchmarks.measurements.empty()) {
    return;
  }
  open_section(page, "benchmarks", "Benchmarks");
  page.element("p", benchmarks_sentence(report.benchmarks));
  add_benchmark_rows(page, report, commands);
  add_measurements(page, report, commands);
  page.close();
}

}  // namespace assay::reports
