#include <fmt/format.h>

#include "golden/accept.h"
#include "golden/check.h"
#include "golden/database_files.h"
#include "golden/manifest.h"
#include "golden/scan/corpus.h"
#include "golden/scan/scan.h"
#include "golden/store.h"
#include "parsers/formats/catalogue.h"
#include "reports/render.h"
#include "tools/console.h"
#include "tools/reading.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

struct GoldenOptions {
  std::string manifest;
  std::string database;
  std::string run = "latest";
  std::string reason;
  std::string path_pattern;
  bool json = false;
  bool all = false;
};

golden::Store open_store(const GoldenOptions& options) {
  return golden::Store::open(options.database, golden::Store::Mode::kReadOnly);
}

// The run that was asked for. Of a shard, a manifest would say that most of the corpus is missing.
golden::RunRecord find_whole_run(const GoldenOptions& options, const golden::Store& store) {
  golden::RunRecord run = store.find_run(options.run);
  if (!run.info.shard.is_whole()) {
    throw CannotWork(
        fmt::format("{}: run {} is of shard {}, a manifest is of a whole corpus; put all shards together with "
                    "`assay merge` and use that run",
                    golden::display_path(options.database), run.id, run.info.shard.text()));
  }
  return run;
}

ExitStatus run_new(const GoldenOptions& options) {
  if (std::filesystem::exists(std::filesystem::symlink_status(options.manifest))) {
    throw CannotWork(golden::display_path(options.manifest) + ": exists; `assay golden accept` takes changes over");
  }
  if (golden::belongs_to_database(options.manifest, options.database)) {
    throw CannotWork(golden::display_path(options.manifest) + ": belongs to the database; give another name");
  }
  const golden::Store store = open_store(options);
  const golden::RunRecord run = find_whole_run(options, store);
  if (run.totals.items == 0) {
    throw CannotWork(fmt::format("{}: run {} holds zero items; a manifest of nothing would always fail",
                                 golden::display_path(options.database), run.id));
  }
  const auto files = store.files(run);
  const golden::ManifestHeader header =
      golden::write_manifest(options.manifest, std::filesystem::path(run.info.corpus).filename().string(),
                             run.info.profile, *files, find_record);
  if (run.totals.fail != 0) {
    message(fmt::format("note: the manifest now expects {} to fail", counted(run.totals.fail, "item")));
  }
  if (options.json) {
    print_json({{"manifest", golden::display_path(options.manifest)},
                {"run", run.id},
                {"files", header.files},
                {"items", header.items}});
  } else {
    print(fmt::format("{}: {} of {} from run {}\n", golden::display_path(options.manifest),
                      counted(header.items, "item"), counted(header.files, "file"), run.id));
  }
  return ExitStatus::kFine;
}

ExitStatus run_check(const GoldenOptions& options) {
  golden::ManifestReader manifest(options.manifest);
  const golden::Store store = open_store(options);
  const golden::RunRecord run = find_whole_run(options, store);
  const auto files = store.files(run);
  const golden::CheckResult result = golden::check(manifest, run.info.profile, *files, find_record);
  options.json ? print(reports::check_json(result)) : print_shown(reports::check_text(result, {.all = options.all}));
  return result.passed() ? ExitStatus::kFine : ExitStatus::kFindings;
}

golden::Accepted accept_run(const GoldenOptions& options) {
  const golden::Store store = open_store(options);
  const golden::RunRecord run = find_whole_run(options, store);
  const auto files = store.files(run);
  try {
    return golden::accept(options.manifest,
                          {.profile = run.info.profile,
                           .is_complete = run.is_complete(),
                           .reason = options.reason,
                           .path_pattern = options.path_pattern},
                          *files, find_record);
  } catch (const golden::AcceptError& refused) {
    throw CannotWork(fmt::format("{}, run {}: {}", golden::display_path(options.manifest), run.id, refused.what()));
  }
}

ExitStatus run_accept(const GoldenOptions& options) {
  const golden::Accepted accepted = accept_run(options);
  print(options.json ? reports::accepted_json(accepted) : reports::accepted_text(accepted, {.all = options.all}));
  return ExitStatus::kFine;
}

void add_common(CLI::App& verb, GoldenOptions& options) {
  verb.add_option("--manifest,MANIFEST", options.manifest, "the manifest, a text file to commit")
      ->required()
      ->type_name("FILE");
  verb.add_option("--db", options.database, "the database of a scan")->required()->type_name("FILE");
  verb.add_option("--run", options.run, "the run: a number, a label, latest or previous")->capture_default_str();
  verb.add_flag("--json", options.json, "one JSON object a line");
}

}  // namespace

void add_golden(CLI::App& app, ChosenVerb& chosen) {
  CLI::App* group = app.add_subcommand("golden", "the manifest of what a corpus is expected to be");
  group->require_subcommand(1);
  group->footer(
      "A manifest holds hashes and counts, never content, so it can be committed.\n"
      "  assay scan ~/games/IS --db is.db\n"
      "  assay golden new --manifest is.jsonl --db is.db\n"
      "  assay golden check --manifest is.jsonl --db is.db");
  const auto add = [&](const char* name, const char* text, ExitStatus (*run)(const GoldenOptions&)) {
    auto options = std::make_shared<GoldenOptions>();
    CLI::App* verb = group->add_subcommand(name, text);
    add_common(*verb, *options);
    choose(*verb, chosen, options, run);
    return std::pair(verb, options);
  };
  add("new", "write a manifest from a run; refuses to replace one", run_new);
  const auto [check, check_options] =
      add("check", "compare a run with the manifest; exit status 1 where they differ", run_check);
  check->add_flag("--all", check_options->all, "do not cut long lists");
  const auto [accept, accept_options] = add("accept", "take a run over into the manifest", run_accept);
  accept->add_option("--reason", accept_options->reason, "why; needed where something fails or is worse than before");
  accept->add_option("--path", accept_options->path_pattern, "only files whose path matches, e.g. 'MISSIONS/*'")
      ->type_name("GLOB");
  accept->add_flag("--all", accept_options->all, "do not cut long lists");
}

}  // namespace assay::tools
