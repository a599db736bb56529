#include "parsers/formats/mat0/mat0.h"
#include "parsers/formats/msh/msh.h"
#include "parsers/formats/wear/wear.h"
#include "parsers/resource/graph_builder.h"

// From a mesh to its pictures.
namespace assay::resource {
namespace {

constexpr std::uint8_t kNoLightmap = 0xFF;

std::string index_text(std::string_view field, std::size_t batch, std::size_t value, std::size_t rows) {
  return "batch[" + std::to_string(batch) + "]." + std::string(field) + " is " + std::to_string(value) +
         ", the table has " + std::to_string(rows) + " rows";
}

}  // namespace

void GraphBuilder::expand_mesh(std::size_t node, const FoundEntry& mesh) {
  const auto wear = find_wear(mesh);
  const std::string name = wear_name(graph_.nodes[node].entry);
  Target target = target_of(NodeKind::kWear, wear, mesh.archive->path().raw(), name);
  if (wear) {
    target.findings = check_indices(node, mesh, *wear);
  }
  connect(EdgeKind::kMeshWear, node, 0, as_bytes(name), std::move(target));
}

// Every batch selects a row of either list of the table (docs/formats/wear.md); one finding for each list.
std::vector<GraphFinding> GraphBuilder::check_indices(std::size_t mesh, const FoundEntry& entry,
                                                      const FoundEntry& wear) {
  const auto model = parse<msh::Model>(mesh, {.entry = entry}, "msh");
  const auto payload = archives_.load(wear.archive, wear.index);
  const auto table = payload ? archives_.parse<wear::Wear>(*payload, "wear") : fail(payload.error());
  if (model == nullptr || !table) {
    return {};
  }
  const std::size_t materials = (*table)->value.materials().size();
  const std::size_t lightmaps = (*table)->value.lightmaps().size();
  std::optional<GraphFinding> material;
  std::optional<GraphFinding> lightmap;
  const auto& batches = model->value.streams().batches;
  for (std::size_t index = 0; index < batches.size(); ++index) {
    const msh::Batch batch = batches[index];
    if (batch.material_index >= materials && !material) {
      material = {.severity = Severity::kStrict,
                  .code = Code::kIndexOutOfRange,
                  .detail = index_text("material_index", index, batch.material_index, materials)};
    }
    if (batch.lightmap_index != kNoLightmap && batch.lightmap_index >= lightmaps && !lightmap) {
      lightmap = {.severity = Severity::kStrict,
                  .code = Code::kIndexOutOfRange,
                  .detail = index_text("lightmap_index", index, batch.lightmap_index, lightmaps)};
    }
  }
  std::vector<GraphFinding> findings;
  for (auto* found : {&material, &lightmap}) {
    if (*found) {
      findings.push_back(**std::move(found));
    }
  }
  return findings;
}

void GraphBuilder::expand_wear(std::size_t node, const Source& source) {
  const auto parsed = parse<wear::Wear>(node, source, "wear");
  if (parsed == nullptr) {
    return;
  }
  const auto materials = parsed->value.materials();
  for (std::size_t row = 0; row < materials.size(); ++row) {
    connect(EdgeKind::kWearMaterial, node, row, materials[row].name, material_target(as_text(materials[row].name)));
  }
  const auto lightmaps = parsed->value.lightmaps();
  for (std::size_t row = 0; row < lightmaps.size(); ++row) {
    const std::string_view name = as_text(lightmaps[row].name);
    connect(EdgeKind::kWearLightmap, node, row, lightmaps[row].name,
            target_of(NodeKind::kLightmap, find_lightmap(archives_, name), kLightmapArchive, name));
  }
}

GraphBuilder::Target GraphBuilder::material_target(std::string_view name) {
  bool would_help = false;
  const auto found = find_material(archives_, name, would_help);
  if (!found) {
    Target target{.node = add_missing(NodeKind::kMaterial, kMaterialArchive, name)};
    if (would_help) {
      target.findings = {
          {.severity = Severity::kStrict, .code = Code::kMissingMaterial, .rule = RuleId::kMaterialFallback}};
    } else {
      target.findings = {found.error().code == Code::kMissingMaterial || found.error().code == Code::kMissingFile
                             ? GraphFinding{.code = found.error().code}
                             : unreadable(found.error())};
    }
    return target;
  }
  Target target{.node = add_entry(NodeKind::kMaterial, found->entry)};
  if (found->step != MaterialStep::kNamed) {
    target.findings = {{.severity = Severity::kStrict,
                        .code = Code::kFallbackUsed,
                        .rule = RuleId::kMaterialFallback,
                        .applied = true,
                        .detail = std::string(material_step_text(found->step))}};
  }
  return target;
}

void GraphBuilder::expand_material(std::size_t node, const Source& source) {
  const auto parsed = parse<mat0::Mat0>(node, source, "mat0");
  if (parsed == nullptr) {
    return;
  }
  for (std::size_t phase = 0; phase < parsed->value.phases().size(); ++phase) {
    const Bytes name = parsed->value.texture_name(phase);
    if (!name.empty()) {
      connect(EdgeKind::kMaterialTexture, node, phase, name,
              target_of(NodeKind::kTexture, find_texture(archives_, as_text(name)), kTextureArchive, as_text(name)));
    }
  }
}

}  // namespace assay::resource
