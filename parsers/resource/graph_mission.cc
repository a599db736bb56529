#include "parsers/formats/tma/tma.h"
#include "parsers/formats/unit_dat/unit_dat.h"
#include "parsers/resource/graph_builder.h"

// Missions and units.
namespace assay::resource {

void GraphBuilder::expand_mission(std::size_t node, const Source& source) {
  const auto parsed = parse<tma::Mission>(node, source, "tma");
  if (parsed == nullptr) {
    return;
  }
  const tma::Mission& mission = parsed->value;
  for (std::size_t index = 0; index < mission.objects().size(); ++index) {
    const Bytes name = mission.objects()[index].resource_name;
    if (tma::is_unit_path(name)) {
      connect(EdgeKind::kMissionUnit, node, index, name, file_target(NodeKind::kUnit, name));
    } else {
      connect(EdgeKind::kMissionPrototype, node, index, name, prototype_target(as_text(name)));
    }
  }
  for (std::size_t index = 0; index < mission.clans().size(); ++index) {
    const tma::Clan& clan = mission.clans()[index];
    if (!clan.script_base.empty()) {
      connect_file(EdgeKind::kMissionScript, node, index, std::string(as_text(clan.script_base)) + ".scr");
    }
    if (!clan.tree_path.empty()) {
      connect_file(EdgeKind::kMissionTree, node, index, std::string(as_text(clan.tree_path)));
    }
  }
  expand_environment(node, *source.path, as_text(mission.land_path()));
}

// The landscape goes by the mission's land path, the sky and the texts lie beside the mission (docs/formats/tma.md,
// TM4).
void GraphBuilder::expand_environment(std::size_t node, const LegacyPath& mission, std::string_view land_path) {
  const std::string land(land_path);
  const std::string& path = mission.raw();
  const std::string folder = path.substr(0, path.find_last_of("\\/") + 1);
  connect_file(EdgeKind::kMissionTerrain, node, 0, land + ".msh");
  connect_file(EdgeKind::kMissionMap, node, 0, land + ".map");
  connect_file(EdgeKind::kMissionWear, node, 0, land + "1.wea");
  connect_file(EdgeKind::kMissionWear, node, 1, land + "2.wea");
  connect_file(EdgeKind::kMissionWear, node, 2, folder + "sky.wea");
  connect_file(EdgeKind::kMissionSky, node, 0, folder + "sky.ske");
  connect_file(EdgeKind::kMissionText, node, 0, folder + "mission.cfg");
  connect_file(EdgeKind::kMissionText, node, 1, folder + "descr");
  connect_file(EdgeKind::kMissionText, node, 2, folder + "Mistips.mis");
}

void GraphBuilder::connect_file(EdgeKind kind, std::size_t from, std::size_t index, const std::string& path) {
  const NodeKind expected = kind == EdgeKind::kMissionWear ? NodeKind::kWear : NodeKind::kFile;
  connect(kind, from, index, as_bytes(path), file_target(expected, as_bytes(path)));
}

void GraphBuilder::expand_unit(std::size_t node, const Source& source) {
  const auto parsed = parse<unit_dat::UnitDat>(node, source, "unit_dat");
  if (parsed == nullptr) {
    return;
  }
  const auto connect_component = [&](std::size_t index, Bytes archive, Bytes resource) {
    connect(EdgeKind::kUnitComponent, node, index, resource, component_target(as_text(archive), as_text(resource)));
  };
  const auto& components = parsed->value.components();
  for (std::size_t index = 0; index < components.size(); ++index) {
    const unit_dat::Component component = components[index];
    connect_component(index, component.archive_name.text(), component.resource_name.text());
  }
  if (const auto& binding = parsed->value.binding()) {
    connect_component(0, binding->archive_name.text(), binding->model_name.text());
  }
}

GraphBuilder::Target GraphBuilder::component_target(std::string_view archive, std::string_view resource) {
  if (folded(archive) == kRegistryFile) {
    return prototype_target(resource);
  }
  return target_of(NodeKind::kMesh, archive, resource);
}

}  // namespace assay::resource
