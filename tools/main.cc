#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "golden/accept.h"
#include "golden/manifest.h"
#include "golden/scan/corpus.h"
#include "golden/scan/walk.h"
#include "golden/sqlite.h"
#include "tools/console.h"
#include "tools/exit_status.h"
#include "tools/reading.h"
#include "tools/verbs/verbs.h"
#include "tools/version.h"

namespace assay::tools {
namespace {

constexpr const char* kDescription =
    "Iron Assay tests the resource files of the Iron3D engine (Parkan: Iron Strategy) and the programs that read or "
    "write them.\n"
    "\n"
    "  assay verify ~/games/IS                    is every file sound?\n"
    "  assay ls sprites.lib                       what is in an archive?\n"
    "  assay inspect sprites.lib::COCKPIT.TEX     what is every byte?\n"
    "  assay scan ~/games/IS --db is.db           record a run\n"
    "  assay diff previous latest --db is.db      what changed since the run before?\n"
    "\n"
    "Entries are addressed as ARCHIVE::ENTRY, nested ones as ARCHIVE::ENTRY::ENTRY, by index as ARCHIVE::#3. Bytes of "
    "a name that\n"
    "are not printable ASCII are written \\xNN, a backslash \\\\.";

constexpr const char* kFooter =
    "Exit status: 0 fine; 1 findings or a regression; 2 the command itself could not work; 130 interrupted.\n"
    "Results go to stdout, messages to stderr. `assay VERB --help` explains a verb.";

void add_verbs(CLI::App& app, ChosenVerb& chosen) {
  for (const auto add :
       {add_verify, add_ls, add_inspect, add_cat, add_extract, add_edit, add_repack, add_scan, add_golden, add_graph,
        add_runs, add_merge, add_diff, add_report, add_rules, add_formats, add_fuzz, add_perf, add_synth}) {
    add(app, chosen);
  }
}

ExitStatus run(const ChosenVerb& chosen) {
  try {
    const ExitStatus status = chosen();
    flush_output();
    return status;
  } catch (const golden::Interrupted&) {
    message("interrupted");
    return ExitStatus::kInterrupted;
  } catch (const ReadingRefused& refused) {
    message(refused.what());
    return ExitStatus::kFindings;
  } catch (const std::bad_alloc&) {
    message("out of memory");
  } catch (const std::exception& failure) {
    // CannotWork, StoreError, MergeError, ManifestError, AcceptError, CorpusError: each text names its file and what
    // is wrong.
    message(failure.what());
  }
  return ExitStatus::kCannotWork;
}

// CLI11 takes "[a,b]" for a list of two values, and for the empty value of "--option=" the argument that comes next.
// Names may look like the first, so such an argument gets this mark in front, and so does one that begins with it; the
// second gets it for a value, and all that follows "--" gets it. Every option takes one off again.
constexpr char kVerbatim = '\x01';

bool has_empty_value(std::string_view argument) {
  return argument.starts_with("--") && argument.find('=') == argument.size() - 1;
}

std::vector<std::string> mark_verbatim(int argc, char** argv) {
  std::vector<std::string> arguments(argv, argv + argc);
  // What follows "--" is no option; CLI11 would take it only for the positionals that are not begun yet.
  const auto end_of_options = std::ranges::find(arguments, "--");
  for (auto plain = end_of_options; plain != arguments.end(); ++plain) {
    plain->insert(plain->begin(), kVerbatim);
  }
  for (auto option = arguments.begin(); option != end_of_options; ++option) {
    std::string& argument = *option;
    const bool has_list = argument.starts_with('[') && argument.ends_with(']');
    if (has_list || argument.starts_with(kVerbatim)) {
      argument.insert(argument.begin(), kVerbatim);
    } else if (has_empty_value(argument)) {
      argument.push_back(kVerbatim);
    }
  }
  if (end_of_options != arguments.end()) {
    arguments.erase(end_of_options);
  }
  return arguments;
}

std::string without_mark(std::string text) {
  std::erase(text, kVerbatim);
  return text;
}

// Takes the mark off, and refuses values that are empty: a variable that is not set is no name, no number and no run.
// An empty label is none.
void check_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options([](const CLI::Option* any) { return any->get_expected_max() > 0; })) {
    const bool may_be_empty = option->check_lname("label");
    const auto check = [may_be_empty](std::string& value) {
      if (value.starts_with(kVerbatim)) {
        value.erase(0, 1);
      }
      return value.empty() && !may_be_empty ? std::string("the value is empty") : std::string();
    };
    option->transform(CLI::Validator(check, ""));
  }
  for (CLI::App* verb : app.get_subcommands({})) {
    check_values(*verb);
  }
}

// What is wrong with the command line, and where the help is.
std::string usage_text(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* verb = &app;
  std::string name = app.get_name();
  while (!verb->get_subcommands().empty()) {
    verb = verb->get_subcommands().front();
    name += ' ' + verb->get_name();
  }
  std::string text = without_mark(error.what());
  if (verb->get_require_subcommand_min() > 0) {
    const std::vector<std::string> unknown = app.remaining(true);
    text = unknown.empty() ? "a verb is missing"
                           : fmt::format("'{}' is no verb", golden::display_path(without_mark(unknown.front())));
  }
  return fmt::format("{}; see {} --help", text, name);
}

// Keeps memory that was freed for the next file. As it comes, glibc gives large blocks back to the system at once and
// gets cleared ones instead, which takes a tenth of the time of a scan.
void keep_freed_memory() {
#if defined(M_MMAP_THRESHOLD) && defined(M_TRIM_THRESHOLD) && defined(M_TOP_PAD)
  constexpr int kLargestKept = 32 << 20;
  constexpr int kMostKept = 64 << 20;
  constexpr int kStep = 4 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargestKept);
  mallopt(M_TRIM_THRESHOLD, kMostKept);
  mallopt(M_TOP_PAD, kStep);
#endif
}

int main_of(int argc, char** argv) {
  // A full disk or a file size limit is an error to report, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app(kDescription, "assay");
  app.footer(kFooter);
  app.set_version_flag("--version", kToolVersion);
  app.require_subcommand(1);
  app.fallthrough();
  app.get_formatter()->column_width(36);
  std::string color = "auto";
  app.add_option("--color", color, "auto, always or never; auto is a terminal without NO_COLOR")
      ->check(CLI::IsMember(std::vector<std::string>{"auto", "always", "never"}, CLI::ignore_case))
      ->type_name("WHEN");
  keep_freed_memory();
  ChosenVerb chosen;
  add_verbs(app, chosen);
  check_values(app);
  const std::vector<std::string> arguments = mark_verbatim(argc, argv);
  std::vector<const char*> pointers;
  std::ranges::transform(arguments, std::back_inserter(pointers), &std::string::c_str);
  try {
    app.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success)) {
      message(usage_text(app, error));
      return static_cast<int>(ExitStatus::kCannotWork);
    }
    app.exit(error);
    if (!std::cout.flush()) {
      message("standard output cannot be written");
      return static_cast<int>(ExitStatus::kCannotWork);
    }
    return static_cast<int>(ExitStatus::kFine);
  }
  set_color_mode(color == "always" ? ColorMode::kAlways : color == "never" ? ColorMode::kNever : ColorMode::kAuto);
  return static_cast<int>(run(chosen));
}

}  // namespace
}  // namespace assay::tools

int main(int argc, char** argv) {
  try {
    return assay::tools::main_of(argc, argv);
  } catch (...) {
    // Not even the command line could be read, or the message about it printed.
    return static_cast<int>(assay::tools::ExitStatus::kCannotWork);
  }
}
