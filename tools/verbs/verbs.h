#pragma once

#include <functional>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "tools/exit_status.h"

// One function a verb: it adds the subcommand with its options and help. When the command line chooses the verb, it
// puts what is to be done into `chosen`.
namespace assay::tools {

// More threads than any machine has; a number beyond it is a slip.
inline constexpr unsigned kMaxJobs = 1024;

using ChosenVerb = std::function<ExitStatus()>;

void add_verify(CLI::App& app, ChosenVerb& chosen);
void add_ls(CLI::App& app, ChosenVerb& chosen);
void add_inspect(CLI::App& app, ChosenVerb& chosen);
void add_cat(CLI::App& app, ChosenVerb& chosen);
void add_extract(CLI::App& app, ChosenVerb& chosen);
void add_edit(CLI::App& app, ChosenVerb& chosen);
void add_repack(CLI::App& app, ChosenVerb& chosen);
void add_scan(CLI::App& app, ChosenVerb& chosen);
void add_golden(CLI::App& app, ChosenVerb& chosen);
void add_graph(CLI::App& app, ChosenVerb& chosen);
void add_runs(CLI::App& app, ChosenVerb& chosen);
void add_merge(CLI::App& app, ChosenVerb& chosen);
void add_diff(CLI::App& app, ChosenVerb& chosen);
void add_report(CLI::App& app, ChosenVerb& chosen);
void add_rules(CLI::App& app, ChosenVerb& chosen);
void add_formats(CLI::App& app, ChosenVerb& chosen);
void add_fuzz(CLI::App& app, ChosenVerb& chosen);
void add_perf(CLI::App& app, ChosenVerb& chosen);
void add_synth(CLI::App& app, ChosenVerb& chosen);

// Binds a verb's options to its function. The options live as long as the command line.
template <typename Options>
void choose(CLI::App& verb, ChosenVerb& chosen, const std::shared_ptr<Options>& options,
            ExitStatus (*run)(const Options&)) {
  verb.callback([&chosen, options, run] { chosen = [options, run] { return run(*options); }; });
}

}  // namespace assay::tools
