#include <algorithm>
#include <deque>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "golden/scan/corpus.h"
#include "golden/scan/disk_store.h"
#include "tools/console.h"
#include "tools/graph_output.h"
#include "tools/reading.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

using resource::Graph;
using resource::NodeKind;

struct GraphVerbOptions {
  std::string corpus;
  std::string mission;
  std::vector<std::string> roots;
  ReadingOptions reading;
  bool json = false;
  bool dot = false;
  bool health = false;
};

// The folders in the order in which they are asked, and what leads through them.
class Folders {
 public:
  explicit Folders(const GraphVerbOptions& options) {
    for (const std::string& root : options.roots) {
      add(root);
    }
    add(options.corpus);
  }

  [[nodiscard]] const resource::FileTree& tree() const { return tree_; }
  // Throws CorpusError: what could not be looked at must not pass for what is not there.
  void check_listed() const {
    for (const golden::DiskStore& store : stores_) {
      store.check_listed();
    }
  }

 private:
  void add(const std::string& folder) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) {
      throw CannotWork(golden::display_path(folder) + ": no folder");
    }
    stores_.emplace_back(folder);
    pointers_.push_back(&stores_.back());
    tree_ = resource::FileTree(pointers_);
  }

  std::deque<golden::DiskStore> stores_;
  std::vector<const resource::FileStore*> pointers_;
  resource::FileTree tree_{{}};
};

Graph build(resource::Archives& archives, const Folders& folders, const std::string& corpus) {
  auto graph = resource::build_graph(archives);
  folders.check_listed();
  if (graph) {
    return *std::move(graph);
  }
  if (graph.error().code == Code::kMissingFile) {
    throw CannotWork(
        fmt::format("{}: there is no objects.rlb, so this is no game folder", golden::display_path(corpus)));
  }
  throw ReadingRefused(diagnostic_text(corpus + "/objects.rlb", "", graph.error()), graph.error());
}

std::string comparable(const std::string& path) {
  std::string text = resource::folded(path);
  std::ranges::replace(text, '\\', '/');
  return text;
}

std::string listed(const Graph& graph, const std::vector<std::size_t>& missions) {
  std::string text;
  for (const std::size_t mission : missions) {
    text += "\n  " + node_address(graph.nodes[mission]);
  }
  return text;
}

// The missions that a part of a path means: the one whose path it is, else all that hold it.
std::vector<std::size_t> matching(const Graph& graph, const std::vector<std::size_t>& missions,
                                  const std::string& wanted) {
  std::vector<std::size_t> found;
  for (const std::size_t mission : missions) {
    const std::string path = comparable(graph.nodes[mission].file);
    if (path == wanted || path == wanted + "/data.tma") {
      return {mission};
    }
    if (path.find(wanted) != std::string::npos) {
      found.push_back(mission);
    }
  }
  return found;
}

std::vector<std::size_t> choose_missions(const Graph& graph, const std::vector<std::size_t>& missions,
                                         const std::string& wanted) {
  if (wanted.empty()) {
    return missions;
  }
  const std::vector<std::size_t> found = matching(graph, missions, comparable(wanted));
  if (found.empty()) {
    throw CannotWork(fmt::format("--mission '{}': no mission has that in its path; there {} {}:{}",
                                 golden::display_path(wanted), missions.size() == 1 ? "is" : "are", missions.size(),
                                 listed(graph, missions)));
  }
  if (found.size() > 1) {
    throw CannotWork(fmt::format("--mission '{}': {} missions have that in their path:{}", golden::display_path(wanted),
                                 found.size(), listed(graph, found)));
  }
  return found;
}

ExitStatus run(const GraphVerbOptions& options) {
  const Folders folders(options);
  const golden::WalkOptions reading = options.reading.walk_options();
  resource::Archives archives(folders.tree(), {.limits = reading.limits,
                                               .rules = reading.rules,
                                               .apply_overlay = reading.apply_overlay,
                                               .confirm_deflate = reading.confirm_deflate});
  Graph graph = build(archives, folders, options.corpus);
  const std::vector<std::size_t> missions = graph.nodes_of(NodeKind::kMission);
  GraphReport report{.corpus = golden::display_path(options.corpus),
                     .graph = &graph,
                     .missions = choose_missions(graph, missions, options.mission),
                     .mission_count = missions.size(),
                     .lists_health = options.health};
  report.reach = resource::reach(graph, report.missions);
  report.health = resource::health_of(graph);
  if (missions.empty()) {
    message("note: there is no mission, so nothing is required");
  }
  if (options.dot) {
    print_graph_dot(report);
  } else if (options.json) {
    print_graph_json(report);
  } else {
    print_graph_text(report);
  }
  return report.reach.succeeded() ? ExitStatus::kFine : ExitStatus::kFindings;
}

}  // namespace

void add_graph(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<GraphVerbOptions>();
  CLI::App* verb = app.add_subcommand("graph", "what missions, units and prototypes refer to, and what is missing");
  verb->footer(
      "Counts every use on the way from the missions to textures and lightmaps, and lists what is missing with the way "
      "to it.\n"
      "Exit status 1 when something is missing that a chosen mission requires; what no mission needs is a matter of "
      "health.\n"
      "docs/graph.md has the table of edges.\n"
      "  assay graph ~/games/IS --mission Single.01\n  assay graph ~/games/IS --dot | dot -Tsvg > is.svg");
  verb->add_option("CORPUS", options->corpus, "the game folder, with objects.rlb in it")->required();
  verb->add_option("--mission", options->mission, "start from this mission alone: its path or a part of it")
      ->type_name("M");
  verb->add_option("--root", options->roots, "look for files here first; may be repeated, the first one wins")
      ->type_name("DIR")
      ->allow_extra_args(false);
  CLI::Option* json = verb->add_flag("--json", options->json, "nodes, edges, failures, totals: one JSON object a line");
  verb->add_flag("--dot", options->dot, "the graph in the language of Graphviz")->excludes(json);
  verb->add_flag("--health", options->health, "also list what fails though no chosen mission needs it");
  add_reading_options(*verb, options->reading, "compatible");
  choose(*verb, chosen, options, run);
}

}  // namespace assay::tools
