#include <fmt/format.h>

#include "golden/scan/corpus.h"
#include "golden/store.h"
#include "parsers/formats/catalogue.h"
#include "reports/render.h"
#include "tools/console.h"
#include "tools/items.h"
#include "tools/run_pairs.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

struct RunsOptions {
  std::string database;
  bool json = false;
};

std::string shard_text(const golden::RunRecord& run) {
  return run.info.shard.is_whole() ? "" : fmt::format("  shard {}", run.info.shard.text());
}

void print_run(const golden::RunRecord& run, bool json) {
  if (json) {
    print_json({{"run_id", run.id},
                {"label", run.info.label},
                {"corpus", run.info.corpus},
                {"shard", run.info.shard.is_whole() ? Json() : Json(run.info.shard.text())},
                {"profile", run.info.profile},
                {"rules", run.info.rules},
                {"started_at", run.started_at},
                {"finished_at", run.finished_at ? Json(*run.finished_at) : Json()},
                {"tool_version", run.info.tool_version},
                {"items", run.totals.items},
                {"ok", run.totals.ok},
                {"quirk", run.totals.quirk},
                {"fail", run.totals.fail},
                {"unknown", run.totals.unknown}});
    return;
  }
  const std::string state = run.is_complete() ? totals_line(run.totals) : std::string("incomplete");
  print(fmt::format("{:>5}  {}  {:<12}  {:<10}  {}{}  {}\n", run.id, run.started_at,
                    run.info.label.empty() ? "-" : run.info.label, run.info.profile, run.info.corpus, shard_text(run),
                    state));
}

ExitStatus run_runs(const RunsOptions& options) {
  const golden::Store store = golden::Store::open(options.database, golden::Store::Mode::kReadOnly);
  for (const golden::RunRecord& run : store.runs()) {
    print_run(run, options.json);
  }
  return ExitStatus::kFine;
}

struct DiffOptions {
  std::string before;
  std::string after;
  std::string database;
  bool json = false;
  bool all = false;
};

ExitStatus run_diff(const DiffOptions& options) {
  const golden::Store store = golden::Store::open(options.database, golden::Store::Mode::kReadOnly);
  const golden::RunRecord before = store.find_run(options.before);
  const golden::RunRecord after = store.find_run(options.after);
  check_same_shard(options.database, before, after);
  const auto files_before = store.files(before);
  const auto files_after = store.files(after);
  const reports::Diff diff = reports::diff(*files_before, *files_after, find_record);
  if (!options.json) {
    print(fmt::format("run {} -> run {}: ", before.id, after.id));
  }
  print(options.json ? reports::diff_json(diff) : reports::diff_text(diff, {.all = options.all}));
  return diff.has_regressed() ? ExitStatus::kFindings : ExitStatus::kFine;
}

}  // namespace

void add_runs(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<RunsOptions>();
  CLI::App* verb = app.add_subcommand("runs", "list the runs of a database");
  verb->footer(
      "Incomplete runs, cut off or still being written, are listed as such; with --json their finished_at is null.\n"
      "  assay runs is.db");
  verb->add_option("--db,DB", options->database, "the database")->required()->type_name("FILE");
  verb->add_flag("--json", options->json, "one JSON object a run");
  choose(*verb, chosen, options, run_runs);
}

void add_diff(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* verb = app.add_subcommand("diff", "what changed between two runs");
  verb->footer(
      "A run is a number, a label (its latest complete run), `latest`, or `previous` (the complete run of the same "
      "corpus and\n"
      "shard before the latest). Exit status 1 when something regressed: an item that was readable no longer is, or a "
      "new one fails.\n"
      "A shard is compared with the same shard only; `assay merge` makes a whole run of all of them.\n"
      "  assay diff previous latest --db is.db");
  verb->add_option("A", options->before, "the run before")->required();
  verb->add_option("B", options->after, "the run after")->required();
  verb->add_option("--db", options->database, "the database")->required()->type_name("FILE");
  verb->add_flag("--json", options->json, "one JSON object a line");
  verb->add_flag("--all", options->all, "do not cut long lists");
  choose(*verb, chosen, options, run_diff);
}

}  // namespace assay::tools
