#include "parsers/resource/graph.h"

#include <algorithm>

namespace assay::resource {
namespace {

constexpr EdgeKindInfo kEdgeKindInfos[] = {
#define ASSAY_EDGE(enumerator, text, counted, required, from, to, rule) \
  {EdgeKind::enumerator, text, counted, required, from, to, rule},
#include "parsers/resource/edges.def"
#undef ASSAY_EDGE
};

const GraphFinding* first_failure(const std::vector<GraphFinding>& findings) {
  const auto found = std::ranges::find_if(findings, &GraphFinding::fails);
  return found == findings.end() ? nullptr : &*found;
}

}  // namespace

std::span<const EdgeKindInfo> edge_kinds() {
  return kEdgeKindInfos;
}

const EdgeKindInfo& edge_kind(EdgeKind kind) {
  return kEdgeKindInfos[static_cast<std::size_t>(kind)];
}

std::string_view node_kind_text(NodeKind kind) {
  switch (kind) {
    case NodeKind::kGame: return "game";
    case NodeKind::kMission: return "mission";
    case NodeKind::kUnit: return "unit";
    case NodeKind::kPrototype: return "prototype";
    case NodeKind::kMesh: return "mesh";
    case NodeKind::kWear: return "wear";
    case NodeKind::kMaterial: return "material";
    case NodeKind::kTexture: return "texture";
    case NodeKind::kLightmap: return "lightmap";
    case NodeKind::kPoints: return "points";
    case NodeKind::kDamage: return "damage";
    case NodeKind::kExplosion: return "explosion";
    case NodeKind::kController: return "controller";
    case NodeKind::kBase: return "base";
    case NodeKind::kBehaviour: return "behaviour";
    case NodeKind::kEffect: return "effect";
    case NodeKind::kResource: return "resource";
    case NodeKind::kFile: return "file";
  }
  return "resource";
}

const GraphFinding* Graph::failure_of(const Edge& edge) const {
  const GraphFinding* own = first_failure(edge.findings);
  return own != nullptr ? own : first_failure(nodes[edge.to].findings);
}

std::vector<std::size_t> Graph::nodes_of(NodeKind kind) const {
  std::vector<std::size_t> found;
  for (std::size_t index = 0; index < nodes.size(); ++index) {
    if (nodes[index].kind == kind) {
      found.push_back(index);
    }
  }
  return found;
}

}  // namespace assay::resource
