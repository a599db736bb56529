#include <limits>

#include <fmt/format.h>

#include "golden/display.h"
#include "synth/corpus.h"
#include "tools/arguments.h"
#include "tools/console.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

struct SynthOptions {
  synth::CorpusProfile profile = synth::CorpusProfile::kContainers;
  std::string folder;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> entries;
  std::optional<std::uint64_t> size_bytes;
  bool force = false;
  bool json = false;
};

// More than fit on any disk; a number beyond it is a slip.
constexpr std::uint64_t kMostEntries = 100'000'000;

// CLI::AsSizeValue takes "-1" for the largest number there is.
CLI::Validator starts_with_a_digit() {
  const auto check = [](const std::string& text) {
    const bool is_digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
    return is_digit ? std::string() : fmt::format("'{}' is no size", text);
  };
  return {check, ""};
}

ExitStatus run_synth(const SynthOptions& options) {
  const synth::CorpusSummary summary = synth::write_corpus({.folder = options.folder,
                                                            .profile = options.profile,
                                                            .seed = options.seed,
                                                            .entries = options.entries,
                                                            .size_bytes = options.size_bytes,
                                                            .overwrite = options.force});
  if (options.size_bytes && summary.bytes < *options.size_bytes / 2) {
    message(fmt::format("note: {} do not fill {}; ask for more of them",
                        counted(summary.archive_entries, "entry", "entries"), counted(*options.size_bytes, "byte")));
  }
  if (options.json) {
    print_json({{"folder", golden::display_path(options.folder)},
                {"seed", options.seed},
                {"files", summary.files},
                {"entries", summary.archive_entries},
                {"bytes", summary.bytes}});
  } else {
    print(fmt::format("{}: {}, {}, {}\n", golden::display_path(options.folder), counted(summary.files, "file"),
                      counted(summary.archive_entries, "archive entry", "archive entries"),
                      counted(summary.bytes, "byte")));
  }
  return ExitStatus::kFine;
}

CLI::App* add_profile(CLI::App& group, ChosenVerb& chosen, synth::CorpusProfile profile, const char* name,
                      const char* text) {
  auto options = std::make_shared<SynthOptions>();
  options->profile = profile;
  CLI::App* verb = group.add_subcommand(name, text);
  verb->add_option("-o,--output", options->folder, "the folder to write into")->required()->type_name("DIR");
  verb->add_option("--seed", options->seed, "a number that everything follows from")
      ->check(whole_number(std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  if (profile != synth::CorpusProfile::kGame) {
    verb->add_option("--entries", options->entries, "a corpus of that many archive entries for measuring instead")
        ->check(whole_number(kMostEntries))
        ->type_name("N");
  }
  if (profile == synth::CorpusProfile::kResources) {
    verb->add_option("--size", options->size_bytes,
                     "about how large, e.g. 200MB: textures grow to fill it, and a twentieth is in packed archives")
        ->transform(CLI::AsSizeValue(true))
        ->transform(starts_with_a_digit())
        ->needs("--entries")
        ->type_name("BYTES");
  }
  verb->add_flag("--force", options->force, "write into a folder that is not empty");
  verb->add_flag("--json", options->json, "the summary as one JSON object");
  choose(*verb, chosen, options, run_synth);
  return verb;
}

}  // namespace

void add_synth(CLI::App& app, ChosenVerb& chosen) {
  CLI::App* group = app.add_subcommand("synth", "write a synthetic corpus; no game file is needed or used");
  group->require_subcommand(1);
  group->footer("  assay synth containers -o corpus --seed 1");
  add_profile(*group, chosen, synth::CorpusProfile::kContainers, "containers",
              "archives of both kinds: every method, every named quirk, nested ones")
      ->footer(
          "The same seed gives the same bytes on every machine.\n"
          "  assay synth containers -o corpus --seed 1\n  assay synth containers -o load --seed 1 --entries 100000");
  add_profile(*group, chosen, synth::CorpusProfile::kResources, "resources",
              "items of every format, in archives and as files of their own")
      ->footer(
          "  assay synth resources -o corpus\n  assay synth resources -o load --entries 16000\n"
          "  assay synth resources -o large --entries 8000 --size 200MB");
  add_profile(*group, chosen, synth::CorpusProfile::kGame, "game",
              "a small game folder: missions, units, a registry and what they refer to, with faults")
      ->footer(
          "The first mission leads only to what is sound; the faults are reached from the second one or from none.\n"
          "  assay synth game -o game\n  assay graph game --mission Single.01");
}

}  // namespace assay::tools
