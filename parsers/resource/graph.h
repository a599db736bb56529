#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/resource/prototypes.h"

// What refers to what in a game folder (docs/graph.md).
namespace assay::resource {

enum class EdgeKind : std::uint8_t {
#define ASSAY_EDGE(enumerator, text, counted, required, from, to, rule) enumerator,
#include "parsers/resource/edges.def"
#undef ASSAY_EDGE
  kCount,
};
inline constexpr std::size_t kEdgeKinds = static_cast<std::size_t>(EdgeKind::kCount);

struct EdgeKindInfo {
  EdgeKind kind;
  std::string_view text;
  // Whether it belongs to the chain whose totals are published.
  bool counted;
  // Whether a mission that reaches it fails when it fails.
  bool required;
  std::string_view from;
  std::string_view to;
  // How the target is found.
  std::string_view rule;
};
[[nodiscard]] std::span<const EdgeKindInfo> edge_kinds();
[[nodiscard]] const EdgeKindInfo& edge_kind(EdgeKind kind);

enum class NodeKind : std::uint8_t {
  kGame,
  kMission,
  kUnit,
  kPrototype,
  kMesh,
  kWear,
  kMaterial,
  kTexture,
  kLightmap,
  kPoints,
  kDamage,
  kExplosion,
  kController,
  kBase,
  kBehaviour,
  kEffect,
  // An entry of no other kind, or a file of the environment.
  kResource,
  kFile,
};
[[nodiscard]] std::string_view node_kind_text(NodeKind kind);

// Something to say about a node or an edge. One that is strict or an error, and not applied, makes it fail.
struct GraphFinding {
  Severity severity = Severity::kError;
  Code code = Code::kInternal;
  std::optional<RuleId> rule{};
  bool applied = false;
  // A sentence, or empty where the code's meaning says all.
  std::string detail{};
  // Of kUnreadableResource: what was refused, in the file or entry that the node stands for.
  std::optional<Diagnostic> cause{};

  [[nodiscard]] bool fails() const { return severity != Severity::kNote && !applied; }
};

// A file, an entry of one, or a key.
struct Node {
  NodeKind kind = NodeKind::kResource;
  // As they are spelled where they exist, else as they were asked for; raw bytes. `entry` is empty for files.
  std::string file;
  std::string entry;
  bool exists = false;
  // Of prototypes.
  std::optional<PrototypeState> state{};
  bool may_lack_mesh = false;
  std::vector<GraphFinding> findings{};
  // Outgoing edges in the order of the references.
  std::vector<std::size_t> edges{};
  // Whether a chosen mission reaches it by any edges, and whether it needs it: what it leads to is then part of the
  // totals.
  bool is_reached = false;
  bool is_needed = false;
};

// One use of something: two rows that name one material are two edges.
struct Edge {
  EdgeKind kind = EdgeKind::kCount;
  std::size_t from = 0;
  std::size_t to = 0;
  // Which placed object, component, slot, row, phase, record ... of `from` this is.
  std::size_t index = 0;
  // The name as it stands there.
  std::string raw{};
  // Where a reference of a prototype is inherited from or stands, e.g. "fr_m_base[0]"; else empty.
  std::string origin{};
  std::vector<GraphFinding> findings{};
};

struct Graph {
  // The game folder itself is node 0.
  std::vector<Node> nodes;
  std::vector<Edge> edges;

  static constexpr std::size_t kGameNode = 0;

  // What makes the edge fail: its own finding or one of its target, or null.
  [[nodiscard]] const GraphFinding* failure_of(const Edge& edge) const;
  // The nodes of a kind in the order they were found.
  [[nodiscard]] std::vector<std::size_t> nodes_of(NodeKind kind) const;
};

struct GraphOptions {
  // Nodes and edges beyond which no further node is looked into: the graph is refused as kLimitExceeded.
  std::size_t max_nodes = 1'000'000;
  std::size_t max_edges = 10'000'000;
};

// Reads everything that the missions, the units and the registry of a game folder lead to. A failure anywhere is a
// finding of an edge or a node and stops nothing else. Error: kMissingFile where there is no objects.rlb, what its
// archive refuses, and kLimitExceeded. Cost: each file and entry on the way is read once, caches permitting.
[[nodiscard]] Result<Graph> build_graph(Archives& archives, const GraphOptions& options = {});

}  // namespace assay::resource
