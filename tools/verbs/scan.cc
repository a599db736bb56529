#include <algorithm>
#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include "golden/database_files.h"
#include "golden/scan/corpus.h"
#include "golden/scan/scan.h"
#include "golden/scan/scan_key.h"
#include "golden/scan/tool_build.h"
#include "golden/store.h"
#include "tools/arguments.h"
#include "tools/console.h"
#include "tools/items.h"
#include "tools/reading.h"
#include "tools/verbs/verbs.h"
#include "tools/version.h"

namespace assay::tools {
namespace {

struct ScanVerbOptions {
  std::string corpus;
  std::string database;
  std::string label;
  std::string shard = "0/1";
  ReadingOptions reading;
  unsigned jobs = 0;
  unsigned lock_seconds = 60;
  bool no_reuse = false;
  bool json = false;
};

// Far more than there are machines for; a number beyond it is a slip.
constexpr std::uint64_t kMostShards = 1'000'000;

std::optional<golden::Shard> parse_shard(const std::string& text) {
  golden::Shard shard;
  const char* const end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, shard.index);
  if (index.ec != std::errc() || index.ptr == end || *index.ptr != '/') {
    return std::nullopt;
  }
  const auto count = std::from_chars(index.ptr + 1, end, shard.count);
  if (count.ec != std::errc() || count.ptr != end || shard.index >= shard.count || shard.count > kMostShards) {
    return std::nullopt;
  }
  return shard;
}

// The corpus as the run is filed under: where it is, whatever folder the command was started in.
std::string corpus_name(const std::string& corpus) {
  std::error_code error;
  const auto real = std::filesystem::canonical(corpus, error);
  return golden::display_path(error ? corpus : real.native());
}

// What stands for all that the results depend on; nothing where the build cannot be told, and nothing is reused then.
std::optional<golden::Sha256> key_of(const golden::WalkOptions& walk, const golden::CorpusListing& corpus) {
  const std::string& build = golden::tool_build();
  return build.empty() ? std::nullopt : std::optional(golden::scan_key(walk, build, corpus));
}

void print_notes(const ScanVerbOptions& options, const golden::ScanSummary& summary, std::uint64_t damaged) {
  for (const std::string& skipped : summary.skipped) {
    message(skipped + ": skipped, neither a file nor a folder, or a link to a folder");
  }
  for (const std::string& excluded : summary.excluded) {
    message(excluded + ": not scanned, it belongs to the database of this scan");
  }
  if (damaged != 0) {
    message(fmt::format("note: {}: {} of earlier runs changed since it was recorded and was not reused",
                        options.database, counted(damaged, "result")));
  }
  if (summary.totals.items == 0) {
    message("note: there was no file to scan; `golden check` fails on a run without items");
  }
}

void print_result(const ScanVerbOptions& options, std::int64_t run_id, const golden::ScanSummary& summary) {
  const golden::Totals& totals = summary.totals;
  if (options.json) {
    print_json({{"run", run_id},
                {"corpus", golden::display_path(options.corpus)},
                {"profile", options.reading.profile},
                {"items", totals.items},
                {"ok", totals.ok},
                {"quirk", totals.quirk},
                {"fail", totals.fail},
                {"unknown", totals.unknown},
                {"bytes", totals.bytes},
                {"reused_files", summary.reused.files},
                {"reused_items", summary.reused.items}});
    return;
  }
  print(fmt::format("run {}  {}\n", run_id, totals_line(totals)));
  if (summary.reused.files != 0) {
    print(fmt::format("reused {} with {} from earlier runs\n", counted(summary.reused.files, "unchanged file"),
                      counted(summary.reused.items, "item")));
  }
}

ExitStatus run(const ScanVerbOptions& options) {
  const auto shard = parse_shard(options.shard);
  if (!shard) {
    throw CannotWork(fmt::format("--shard '{}': expected i/n with i below n, e.g. 0/4", options.shard));
  }
  golden::ScanOptions scan{
      .walk = options.reading.walk_options(), .jobs = options.jobs, .shard = *shard, .progress = {}};
  scan.walk.stop = &stop_on_signal();
  scan.progress = [](std::uint64_t done, std::uint64_t all) { progress(fmt::format("{} of {} files", done, all)); };
  // A corpus that cannot be listed must leave nothing behind, so it is listed before there is a database, and again
  // when there is one, so that the database is seen and left out by name. Costs a few microseconds a file.
  static_cast<void>(golden::list_corpus(options.corpus));
  golden::Store store = golden::Store::open(options.database, golden::Store::Mode::kReadWriteCreate,
                                            std::chrono::seconds(options.lock_seconds));
  // Where they lie in the corpus they are no part of it: each scan would find what the one before wrote.
  scan.exclude = golden::files_of_database(options.database);
  golden::CorpusListing corpus = golden::list_corpus(options.corpus);
  const std::optional<golden::Sha256> key = key_of(scan.walk, corpus);
  const golden::Store reading =
      golden::Store::open(options.database, golden::Store::Mode::kReadOnly, std::chrono::seconds(options.lock_seconds));
  std::optional<golden::EarlierResults> earlier;
  if (key && !options.no_reuse) {
    scan.earlier = &earlier.emplace(reading, *key);
  }
  golden::RunWriter writer = store.begin_run({.label = options.label,
                                              .corpus = corpus_name(options.corpus),
                                              .profile = options.reading.profile,
                                              .tool_version = kToolVersion,
                                              .rules = options.reading.rules_text(),
                                              .scan_key = key,
                                              .shard = *shard});
  const auto started = std::chrono::steady_clock::now();
  const auto summary =
      golden::scan_corpus(std::move(corpus), scan, [&](golden::FileResult&& file) { writer.add(std::move(file)); });
  const std::chrono::duration<double> wall_time = std::chrono::steady_clock::now() - started;
  writer.add_metric({"scan", "wall_time", wall_time.count(), "s"});
  writer.add_metric({"scan", "bytes", static_cast<double>(summary.totals.bytes), "bytes"});
  writer.add_metric({"scan", "reused_files", static_cast<double>(summary.reused.files), "files"});
  writer.add_metric({"scan", "reused_items", static_cast<double>(summary.reused.items), "items"});
  writer.finish(summary.totals, summary.corpus_files);
  progress({});
  print_notes(options, summary, earlier ? earlier->damaged() : 0);
  print_result(options, writer.run_id(), summary);
  return summary.totals.fail == 0 ? ExitStatus::kFine : ExitStatus::kFindings;
}

}  // namespace

void add_scan(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<ScanVerbOptions>();
  CLI::App* verb = app.add_subcommand("scan", "record one run over a corpus in a database");
  verb->footer(
      "Every file and entry becomes an item with hash, verdict, findings and facts. A run that is cut off stays "
      "visible as incomplete\n"
      "and harms no other; several scans may write to one database at once. docs/database.md explains the views.\n"
      "A file with the same bytes and path as in an earlier run of the same build and options is not looked into "
      "again; "
      "what is\nrecorded is the same.\n"
      "  assay scan ~/games/IS --db is.db --label before\n  assay scan ~/games/IS --db 0.db --shard 0/4      see "
      "`assay merge`\n  sqlite3 is.db 'select * from v_quirk'");
  verb->add_option("CORPUS", options->corpus, "a folder or a file")->required();
  verb->add_option("--db", options->database, "the database; made when missing")->required()->type_name("FILE");
  verb->add_option("--label", options->label, "a name to find the run by")->check(label_text());
  verb->add_option("--jobs", options->jobs, "threads; 0 is one for each core")
      ->check(CLI::Range(0U, kMaxJobs))
      ->capture_default_str();
  verb->add_option("--shard", options->shard, "scan only part i of n, counted from 0")
      ->type_name("i/n")
      ->capture_default_str();
  verb->add_option("--lock-timeout", options->lock_seconds,
                   "how long to wait while another process writes the database")
      ->check(CLI::Range(0U, 86'400U))
      ->type_name("SECONDS")
      ->capture_default_str();
  verb->add_flag("--no-reuse", options->no_reuse, "look into every file, also into those that an earlier run knows");
  verb->add_flag("--json", options->json, "the summary as one JSON object");
  add_reading_options(*verb, options->reading, "compatible");
  choose(*verb, chosen, options, run);
}

}  // namespace assay::tools
