#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsers/resource/graph.h"
#include "parsers/resource/materials.h"

// How a graph is built; only graph_*.cc include this.
namespace assay::resource {

// A finding from what a lookup or a parse refuses.
[[nodiscard]] GraphFinding unreadable(const Diagnostic& why);

// Adds nodes when something refers to them, and looks into each once.
class GraphBuilder {
 public:
  GraphBuilder(Archives& archives, const GraphOptions& options)
      : archives_(archives), prototypes_(archives), options_(options) {}

  [[nodiscard]] Result<Graph> run();

 private:
  // A node that a reference leads to, and what there is to say of the way.
  struct Target {
    std::size_t node = 0;
    std::vector<GraphFinding> findings{};
  };

  // Where the content of a node is. Dropped when it was looked into.
  struct Source {
    std::optional<FoundEntry> entry{};
    std::optional<LegacyPath> path{};
  };

  // What makes two references lead to one node. Apart from each other, because names may hold any byte.
  struct Identity {
    enum class Kind : std::uint8_t { kGame, kFile, kEntry, kMissing };

    Kind kind = Kind::kGame;
    std::string file{};
    std::string entry{};

    friend auto operator<=>(const Identity&, const Identity&) = default;
  };

  // graph_builder.cc
  [[nodiscard]] Result<void> start();
  void expand(std::size_t node);
  std::size_t add_node(const Identity& identity, Node node, Source source);
  std::size_t add_entry(NodeKind expected, const FoundEntry& entry);
  std::size_t add_missing(NodeKind kind, std::string_view file, std::string_view entry);
  void connect(EdgeKind kind, std::size_t from, std::size_t index, Bytes raw, Target target, std::string origin = {});
  [[nodiscard]] Target target_of(NodeKind expected, std::string_view archive, std::string_view entry);
  [[nodiscard]] Target target_of(NodeKind expected, const Result<FoundEntry>& found, std::string_view archive,
                                 std::string_view entry);
  [[nodiscard]] Target file_target(NodeKind kind, Bytes path);
  [[nodiscard]] Result<Payload> load(const Source& source);

  // What the node holds, parsed as a T; a refusal becomes a finding of the node, and so does what a rule covers.
  template <typename T>
  std::shared_ptr<const Parsed<T>> parse(std::size_t node, const Source& source, std::string_view format_id) {
    const auto payload = load(source);
    if (!payload) {
      graph_.nodes[node].findings.push_back(unreadable(payload.error()));
      return nullptr;
    }
    auto parsed = archives_.parse<T>(*payload, format_id);
    if (!parsed) {
      graph_.nodes[node].findings.push_back(unreadable(parsed.error()));
      return nullptr;
    }
    take_findings(node, (*parsed)->findings);
    return *parsed;
  }
  void take_findings(std::size_t node, const Findings& findings);

  // graph_mission.cc
  void expand_mission(std::size_t node, const Source& source);
  void expand_environment(std::size_t node, const LegacyPath& mission, std::string_view land_path);
  void connect_file(EdgeKind kind, std::size_t from, std::size_t index, const std::string& path);
  void expand_unit(std::size_t node, const Source& source);
  [[nodiscard]] Target component_target(std::string_view archive, std::string_view resource);

  // graph_prototype.cc
  [[nodiscard]] Target prototype_target(std::string_view key);
  void expand_prototype(std::size_t node);
  void connect_parents(std::size_t node, const Prototype& prototype);
  void connect_references(std::size_t node, const Prototype& prototype);
  void connect_mesh(std::size_t node, const Prototype& prototype, std::size_t reference);

  // graph_model.cc
  void expand_mesh(std::size_t node, const FoundEntry& mesh);
  [[nodiscard]] std::vector<GraphFinding> check_indices(std::size_t mesh, const FoundEntry& entry,
                                                        const FoundEntry& wear);
  void expand_wear(std::size_t node, const Source& source);
  [[nodiscard]] Target material_target(std::string_view name);
  void expand_material(std::size_t node, const Source& source);

  // graph_aspects.cc
  void expand_damage(std::size_t node, const Source& source);
  void expand_explosion(std::size_t node, const Source& source);
  void expand_controller(std::size_t node, const Source& source);
  // A reference by two fixed names; nothing where no resource is named. An empty archive is that of `source`.
  void connect_named(EdgeKind kind, NodeKind expected, std::size_t from, std::size_t index, const Source& source,
                     Bytes archive, Bytes resource);

  Archives& archives_;
  Prototypes prototypes_;
  GraphOptions options_;
  Graph graph_;
  std::vector<Source> sources_;
  std::map<Identity, std::size_t> ids_;
};

// The kind of node that a reference to such a name leads to.
[[nodiscard]] NodeKind kind_of_name(std::string_view archive, std::string_view resource);

}  // namespace assay::resource
