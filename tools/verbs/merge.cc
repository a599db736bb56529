#include "golden/merge.h"

#include <fmt/format.h>

#include "tools/arguments.h"
#include "tools/console.h"
#include "tools/items.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

struct MergeOptions {
  std::vector<std::string> inputs;
  std::string database;
  std::string label;
  bool any_build = false;
  bool json = false;
};

void print_result(const MergeOptions& options, const golden::MergeSummary& summary) {
  const golden::Totals& totals = summary.totals;
  if (options.json) {
    print_json({{"run", summary.run_id},
                {"corpus", summary.info.corpus},
                {"profile", summary.info.profile},
                {"shards", options.inputs.size()},
                {"files", summary.files},
                {"items", totals.items},
                {"ok", totals.ok},
                {"quirk", totals.quirk},
                {"fail", totals.fail},
                {"unknown", totals.unknown},
                {"bytes", totals.bytes}});
    return;
  }
  print(fmt::format("run {}  {}\n", summary.run_id, totals_line(totals)));
  print(fmt::format("merged {} of {} from {}\n", counted(summary.files, "file"), summary.info.corpus,
                    counted(options.inputs.size(), "shard")));
}

ExitStatus run(const MergeOptions& options) {
  const golden::MergeSummary summary = golden::merge_shards({.inputs = {options.inputs.begin(), options.inputs.end()},
                                                             .output = options.database,
                                                             .label = options.label,
                                                             .any_build = options.any_build});
  print_result(options, summary);
  return summary.totals.fail == 0 ? ExitStatus::kFine : ExitStatus::kFindings;
}

}  // namespace

void add_merge(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* verb = app.add_subcommand("merge", "make one run of the runs of all shards");
  verb->footer(
      "Takes the latest run of a shard from each database DB and records one complete run, the same as a scan of the "
      "whole corpus.\n"
      "The shards must be 0 to n-1 of one n, each once, of corpus folders of one name with the same files, by one "
      "build "
      "and with\n"
      "the same options. What is merged is never changed; where something is refused, nothing is recorded. Exit status "
      "1 when\n"
      "something fails, as with scan.\n"
      "  assay scan ~/games/IS --db 0.db --shard 0/2      on one machine\n"
      "  assay scan ~/games/IS --db 1.db --shard 1/2      on another\n"
      "  assay merge --db is.db 0.db 1.db");
  verb->add_option("DB", options->inputs, "the databases of the shards, in any order")->required();
  verb->add_option("--db", options->database, "the database that gets the run; made when missing")
      ->required()
      ->type_name("FILE");
  verb->add_option("--label", options->label, "a name to find the run by")->check(label_text());
  verb->add_flag("--any-build", options->any_build,
                 "take shards of different builds of one version or of different options, too");
  verb->add_flag("--json", options->json, "the summary as one JSON object");
  choose(*verb, chosen, options, run);
}

}  // namespace assay::tools
