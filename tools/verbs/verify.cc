#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "golden/scan/corpus.h"
#include "golden/scan/scan.h"
#include "tools/console.h"
#include "tools/items.h"
#include "tools/reading.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

struct VerifyOptions {
  std::vector<std::string> paths;
  ReadingOptions reading;
  unsigned jobs = 0;
  bool json = false;
  bool verbose = false;
};

void print_item(const golden::FileResult& file, const golden::Item& item, const std::vector<std::string>& rules,
                const VerifyOptions& options) {
  if (options.json) {
    print_json(verify_json(file.path, item, rules));
    return;
  }
  const bool is_calm = item.verdict == Verdict::kOk || item.verdict == Verdict::kUnknown;
  if (is_calm && !options.verbose) {
    return;
  }
  print(fmt::format("{}  {}  {}, {}\n", colored(item.verdict), item_address(file.path, item.entry), item.format,
                    counted(item.size, "byte")));
  for (const golden::ItemFinding& finding : item.findings) {
    if (finding.severity != Severity::kNote || options.verbose) {
      print("    " + finding_line(finding) + "\n");
    }
  }
}

void print_summary(const golden::Totals& totals, const VerifyOptions& options) {
  if (options.json) {
    print_json({{"summary",
                 {{"items", totals.items},
                  {"ok", totals.ok},
                  {"quirk", totals.quirk},
                  {"fail", totals.fail},
                  {"unknown", totals.unknown},
                  {"bytes", totals.bytes}}}});
    return;
  }
  print(totals_line(totals) + "\n");
}

// A path below the one that was given reads as the user would open it.
std::string shown_path(const std::string& given, const std::string& relative) {
  if (!std::filesystem::is_directory(given)) {
    return golden::display_path(given);
  }
  return golden::display_path(given) + (given.ends_with('/') ? "" : "/") + relative;
}

ExitStatus run(const VerifyOptions& options) {
  golden::ScanOptions scan{.walk = options.reading.walk_options(), .jobs = options.jobs, .shard = {}, .progress = {}};
  scan.walk.stop = &stop_on_signal();
  scan.progress = [](std::uint64_t done, std::uint64_t all) { progress(fmt::format("{} of {} files", done, all)); };
  golden::Totals totals;
  for (const std::string& path : options.paths) {
    const auto summary = golden::scan_corpus(golden::list_corpus(path), scan, [&](golden::FileResult&& file) {
      file.path = shown_path(path, file.path);
      progress({});
      for (std::size_t index = 0; index < file.items.size(); ++index) {
        print_item(file, file.items[index], applied_rules(file, index), options);
      }
    });
    for (const std::string& skipped : summary.skipped) {
      message(shown_path(path, skipped) + ": skipped, neither a file nor a folder, or a link to a folder");
    }
    add_totals(totals, summary.totals);
  }
  progress({});
  if (totals.items == 0) {
    message("note: there was no file to verify");
  }
  print_summary(totals, options);
  return totals.fail == 0 ? ExitStatus::kFine : ExitStatus::kFindings;
}

}  // namespace

void add_verify(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* verb = app.add_subcommand("verify", "validate files or folders, down into archives and decoded payloads");
  verb->footer(
      "Every file is parsed strictly, written again and compared; every entry is decoded and looked into. The text "
      "lists what\n"
      "fails and what is readable only through a rule; -v lists everything. With --json there is a line for each item "
      "and a\n"
      "last line {\"summary\":...}. Exit status 1 when something fails; `unknown` alone does not fail.\n"
      "  assay verify sprites.lib --rule deflate_eof_plus_one");
  verb->add_option("PATH", options->paths, "files or folders")->required();
  add_reading_options(*verb, options->reading, "strict");
  verb->add_option("--jobs", options->jobs, "threads; 0 is one for each core")
      ->check(CLI::Range(0U, kMaxJobs))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "one JSON object a line");
  verb->add_flag("-v,--verbose", options->verbose, "also list what is fine, and notes");
  choose(*verb, chosen, options, run);
}

}  // namespace assay::tools
