#include <fmt/format.h>

#include "golden/store.h"
#include "reports/perf.h"
#include "tools/arguments.h"
#include "tools/console.h"
#include "tools/files.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

using golden::Store;
using reports::PerfOutcome;

struct PerfOptions {
  std::string database;
  std::vector<std::string> files;
  std::string label;
  std::vector<std::string> selectors;
  std::string before;
  std::string after;
  reports::PerfRule rule;
  bool json = false;
  bool all = false;
};

ExitStatus run_record(const PerfOptions& options) {
  std::vector<golden::Measurement> processes;
  for (const std::string& file : options.files) {
    const golden::FileBytes text = read_file(file);
    processes.push_back(golden::parse_benchmark_json(as_text(text.bytes()), file));
  }
  golden::Measurement measurement = reports::joined_measurement(processes);
  measurement.label = options.label;
  Store store = Store::open(options.database, Store::Mode::kReadWriteCreate);
  const std::int64_t id = store.perf().record(measurement);
  if (options.json) {
    print_json({{"run_id", id}, {"label", options.label}, {"series", measurement.series.size()}});
  } else {
    print(fmt::format("measurement {}  {}\n", id, counted(measurement.series.size(), "series", "series")));
  }
  return ExitStatus::kFine;
}

ExitStatus run_list(const PerfOptions& options) {
  const Store store = Store::open(options.database, Store::Mode::kReadOnly);
  for (const golden::MeasurementRecord& record : store.perf().list()) {
    if (options.json) {
      print_json({{"run_id", record.id},
                  {"label", record.label},
                  {"recorded_at", record.recorded_at},
                  {"benchmarks", record.benchmarks},
                  {"context", record.context}});
      continue;
    }
    const auto said = [&](const char* key) {
      const auto found = record.context.find(key);
      return found == record.context.end() ? std::string("-") : found->second;
    };
    print_shown(fmt::format("{:>5}  {}  {:<16}  {:>4} benchmarks  {}  {}  {}\n", record.id, record.recorded_at,
                            record.label.empty() ? "-" : record.label, record.benchmarks, said("commit"),
                            said("compiler"), said("cpu")));
  }
  return ExitStatus::kFine;
}

Json row_json(const reports::PerfRow& row) {
  return {{"benchmark", row.name},
          {"outcome", perf_outcome_text(row.outcome)},
          {"before_ns", row.before_ns ? Json(*row.before_ns) : Json()},
          {"after_ns", row.after_ns ? Json(*row.after_ns) : Json()},
          {"ratio", row.ratio},
          {"chance", row.chance},
          {"threshold", row.threshold},
          {"control", row.is_control}};
}

std::string row_text(const reports::PerfRow& row) {
  const auto nanoseconds = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.1f} ns", *value) : std::string("-");
  };
  return fmt::format("{:<20}  {:<44}  {:>14} -> {:>14}  ratio {:.3f}  chance {:.4f}  held to {:.3f}{}\n",
                     perf_outcome_text(row.outcome), row.name, nanoseconds(row.before_ns), nanoseconds(row.after_ns),
                     row.ratio, row.chance, row.threshold, row.is_control ? "  (control)" : "");
}

ExitStatus run_diff(const PerfOptions& options) {
  const Store store = Store::open(options.database, Store::Mode::kReadOnly);
  const golden::PerfStore perf = store.perf();
  const auto before = perf.load(perf.find(options.before));
  const auto after = perf.load(perf.find(options.after));
  const reports::PerfDiff diff = reports::compare_measurements(before, after, perf.noise(), options.rule);
  for (const reports::PerfRow& row : diff.rows) {
    if (options.all || row.outcome != PerfOutcome::kSame) {
      options.json ? print_json(row_json(row)) : print_shown(row_text(row));
    }
  }
  const std::size_t slower = diff.count(PerfOutcome::kSlower);
  if (options.json) {
    Json counts;
    for (const PerfOutcome outcome : {PerfOutcome::kSame, PerfOutcome::kSlower, PerfOutcome::kFaster, PerfOutcome::kNew,
                                      PerfOutcome::kRemoved, PerfOutcome::kTooFewRepetitions, PerfOutcome::kTooNoisy}) {
      counts[std::string(perf_outcome_text(outcome))] = diff.count(outcome);
    }
    print_json({{"summary", counts}, {"machine_ratio", diff.machine_ratio}, {"controls", diff.controls}});
  } else {
    print(fmt::format("{}: {} slower, {} faster; machine ratio {:.3f} from {}\n",
                      counted(diff.rows.size(), "benchmark"), slower, diff.count(PerfOutcome::kFaster),
                      diff.machine_ratio, counted(diff.controls, "control")));
  }
  return slower == 0 ? ExitStatus::kFine : ExitStatus::kFindings;
}

ExitStatus run_noise(const PerfOptions& options) {
  // Noise is that of measurements; where there is no database there are none, and none is made.
  static_cast<void>(Store::open(options.database, Store::Mode::kReadOnly));
  Store store = Store::open(options.database, Store::Mode::kReadWriteCreate);
  golden::PerfStore perf = store.perf();
  std::vector<golden::Measurement> measurements;
  for (const std::string& selector : options.selectors) {
    measurements.push_back(perf.load(perf.find(selector)));
  }
  const golden::NoiseTable noise = reports::noise_of(measurements);
  perf.record_noise(noise);
  for (const auto& [name, spread] : noise) {
    options.json ? print_json({{"benchmark", name}, {"spread", spread}})
                 : print_shown(fmt::format("{:<44}  {:.3f}\n", name, spread));
  }
  return ExitStatus::kFine;
}

using Run = ExitStatus (*)(const PerfOptions&);

CLI::App* add_verb(CLI::App& group, ChosenVerb& chosen, const std::shared_ptr<PerfOptions>& options, const char* name,
                   const char* text, Run run) {
  CLI::App* verb = group.add_subcommand(name, text);
  verb->add_option("--db", options->database, "the database")->required()->type_name("FILE");
  verb->add_flag("--json", options->json, "one JSON object a line");
  choose(*verb, chosen, options, run);
  return verb;
}

}  // namespace

void add_perf(CLI::App& app, ChosenVerb& chosen) {
  CLI::App* group = app.add_subcommand("perf", "benchmark results: record them, and find what became slower");
  group->require_subcommand(1);
  group->footer(
      "  build/bench/bench/assay_bench --benchmark_repetitions=9 --benchmark_format=json > now.json\n"
      "  assay perf record now.json --db perf.db --label now\n  assay perf diff before now --db perf.db");
  auto record = std::make_shared<PerfOptions>();
  CLI::App* record_verb =
      add_verb(*group, chosen, record, "record", "take over a result of Google Benchmark", run_record);
  record_verb->footer(
      "Several files are processes of one build and become one measurement. The memory that a process happens to get\n"
      "makes it a few percent faster or slower as a whole, which its own repetitions do not show; those of nine "
      "processes do.");
  record_verb->add_option("BENCH.json", record->files, "what --benchmark_format=json wrote, one or more")
      ->required()
      ->expected(1, 1000);
  record_verb->add_option("--label", record->label, "a name to find it by")->check(label_text());

  auto list = std::make_shared<PerfOptions>();
  add_verb(*group, chosen, list, "list", "the measurements of a database", run_list);

  auto diff = std::make_shared<PerfOptions>();
  CLI::App* diff_verb = add_verb(*group, chosen, diff, "diff",
                                 "what became slower or faster; exit status 1: something became slower", run_diff);
  diff_verb->footer(
      "Times are compared after the difference of the machine is taken out, which the controls show: memcpy and the "
      "plain\ndecoders, measured in the same run. Slower is what Mann-Whitney's U over the repetitions finds unlikely "
      "by "
      "chance and\nwhat differs by more than --min-ratio and more than the benchmark's own noise (assay perf noise).\n"
      "  assay perf diff previous latest --db perf.db");
  diff_verb->add_option("BEFORE", diff->before, "number, label, `latest` or `previous`")->required();
  diff_verb->add_option("AFTER", diff->after, "the same")->required();
  diff_verb->add_option("--min-ratio", diff->rule.min_ratio, "smaller differences do not count")
      ->check(number_between(1.0, 10.0))
      ->capture_default_str();
  diff_verb->add_option("--alpha", diff->rule.alpha, "how unlikely by chance")
      ->check(number_between(0.0, 1.0))
      ->capture_default_str();
  diff_verb->add_flag("--all", diff->all, "also what is the same");

  auto noise = std::make_shared<PerfOptions>();
  CLI::App* noise_verb = add_verb(*group, chosen, noise, "noise",
                                  "store how much measurements of one build differ, as thresholds", run_noise);
  noise_verb->add_option("MEASUREMENT", noise->selectors, "two or more of one build")->required()->expected(2, 1000);
}

}  // namespace assay::tools
