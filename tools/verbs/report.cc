#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "golden/database_files.h"
#include "golden/display.h"
#include "golden/store.h"
#include "parsers/formats/catalogue.h"
#include "reports/render_html.h"
#include "reports/render_junit.h"
#include "reports/render_sarif.h"
#include "tools/console.h"
#include "tools/files.h"
#include "tools/run_pairs.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

namespace fs = std::filesystem;
using golden::RunRecord;
using golden::Store;

constexpr const char* kNoComparison = "none";

struct ReportOptions {
  std::string run = "latest";
  std::string against;
  std::string database;
  std::string format;
  std::string output;
  bool json = false;
};

std::string format_of(const ReportOptions& options) {
  if (!options.format.empty()) {
    return options.format;
  }
  const std::string ending = fs::path(options.output).extension().string();
  return ending == ".xml" ? "junit" : ending == ".sarif" ? "sarif" : "html";
}

std::optional<RunRecord> other_run(const Store& store, const RunRecord& run, const ReportOptions& options) {
  if (options.against == kNoComparison) {
    return std::nullopt;
  }
  if (options.against.empty()) {
    return store.run_before(run);
  }
  RunRecord against = store.find_run(options.against);
  check_same_shard(options.database, against, run);
  return against;
}

// A report in place of the database, or of what SQLite keeps beside it, would be the end of all its runs.
void refuse_files_of_database(const ReportOptions& options) {
  if (golden::belongs_to_database(options.output, options.database)) {
    throw CannotWork(fmt::format("{}: belongs to the database; give another name for the report",
                                 golden::display_path(options.output)));
  }
}

std::string rendered(const Store& store, const RunRecord& run, const std::optional<RunRecord>& against,
                     const ReportOptions& options) {
  const std::string format = format_of(options);
  if (format == "html") {
    // Only its name, so that the page is the same wherever the database lies.
    const std::string database = fs::path(options.database).filename().native();
    return reports::html_page(reports::gather_report(store, run, against, find_record), database);
  }
  const auto files = store.files(run);
  const auto files_before = against ? store.files(*against) : nullptr;
  std::optional<reports::Comparison> before;
  if (against) {
    before.emplace(*against, *files_before);
  }
  return format == "junit" ? reports::junit_xml(run, *files, before, find_record)
                           : reports::sarif_json(run, *files, before);
}

ExitStatus run_report(const ReportOptions& options) {
  const Store store = Store::open(options.database, Store::Mode::kReadOnly);
  refuse_files_of_database(options);
  const RunRecord run = store.find_run(options.run);
  const std::optional<RunRecord> against = other_run(store, run, options);
  const std::string text = rendered(store, run, against, options);
  replace_file(options.output, as_bytes(text));
  if (options.json) {
    print_json({{"report", golden::display_path(options.output)},
                {"format", format_of(options)},
                {"run", run.id},
                {"against", against ? Json(against->id) : Json()},
                {"bytes", text.size()}});
    return ExitStatus::kFine;
  }
  const std::string compared = against ? fmt::format(" against run {}", against->id) : std::string();
  print(fmt::format("{}: {} of run {}{}, {}\n", golden::display_path(options.output), format_of(options), run.id,
                    compared, counted(text.size(), "byte")));
  return ExitStatus::kFine;
}

}  // namespace

void add_report(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* verb =
      app.add_subcommand("report", "a run as a page for people, or for the programs that CI shows it with");
  verb->footer(
      "A run is named as for `assay diff`. Exit status 0 when the report is written, whatever it says: it is no gate.\n"
      "  assay report --db is.db -o report.html\n"
      "  assay report --db is.db before --against none -o before.sarif");
  verb->add_option("RUN", options->run, "the run")->capture_default_str();
  verb->add_option("--db", options->database, "the database")->required()->type_name("FILE");
  verb->add_option("-o,--output", options->output, "the file to write or replace")->required()->type_name("OUT");
  verb->add_option("--against", options->against,
                   "the run to compare with, or `none`; without it the one before of the same corpus, where there is "
                   "one")
      ->type_name("RUN");
  verb->add_option("--format", options->format,
                   "html, junit or sarif; without it by the ending of OUT: .xml is junit, .sarif is sarif, else html")
      ->check(CLI::IsMember({"html", "junit", "sarif"}));
  verb->add_flag("--json", options->json, "what was written as one JSON object");
  choose(*verb, chosen, options, run_report);
}

}  // namespace assay::tools
