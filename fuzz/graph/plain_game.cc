#include "fuzz/graph/plain_game.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "fuzz/graph/plain_names.h"
#include "parsers/base/ascii.h"
#include "parsers/formats/ctld/ctld.h"
#include "parsers/formats/expl/expl.h"
#include "parsers/formats/mat0/mat0.h"
#include "parsers/formats/ndpr/ndpr.h"
#include "parsers/formats/nres/nres.h"
#include "parsers/formats/rsli/rsli.h"
#include "parsers/formats/tma/tma.h"
#include "parsers/formats/unit_dat/unit_dat.h"
#include "parsers/formats/wear/wear.h"

namespace assay::fuzz {
namespace {

using resource::EdgeKind;
using resource::Node;
using resource::NodeKind;

constexpr std::string_view kMaterials = "Material.lib";

template <typename T, typename Content>
std::optional<T> parse(const Content& content) {
  Findings findings;
  auto parsed = T::parse(content.bytes, content.context, findings);
  return parsed ? std::optional<T>(*std::move(parsed)) : std::nullopt;
}

}  // namespace

PlainEdge plain_of(const resource::Graph& graph, const resource::Edge& edge) {
  const Node& target = graph.nodes[edge.to];
  return {.kind = edge.kind,
          .index = edge.index,
          .raw = edge.raw,
          .file = path_key(target.file),
          .entry = lower(target.entry),
          .exists = target.exists};
}

PlainGame::PlainGame(const synth::MemoryStore::Files& files, const synth::MemoryStore::Files& made,
                     const RuleSet& rules)
    : files_(files), made_(made), rules_(rules), context_{.rules = rules} {
  for (const auto& [path, file] : files) {
    names_.push_back({parts_of(path, "/"), parts_of(lower(path), "/")});
  }
}

bool PlainGame::is_as_made(const std::string& file) const {
  const auto now = files_.find(file);
  const auto before = made_.find(file);
  return now != files_.end() && before != made_.end() && now->second.fingerprint == before->second.fingerprint;
}

Result<std::string> PlainGame::find_file(std::string_view path) const {
  if (!is_path(path)) {
    return fail({.code = Code::kInvalidPath, .field = "path"});
  }
  const auto wanted = parts_of(lower(path), "/\\");
  std::vector<std::string> reached;
  for (std::size_t level = 0; level < wanted.size(); ++level) {
    // The names of this level that answer, as far as they are of the right kind.
    std::set<std::string> names;
    const bool is_last = level + 1 == wanted.size();
    for (const Name& name : names_) {
      if ((is_last ? name.parts.size() == level + 1 : name.parts.size() > level + 1) &&
          name.folded[level] == wanted[level] && std::equal(reached.begin(), reached.end(), name.parts.begin())) {
        names.insert(name.parts[level]);
      }
    }
    if (names.size() != 1) {
      return fail({.code = names.empty() ? Code::kMissingFile : Code::kAmbiguousPath, .field = "path"});
    }
    reached.push_back(*names.begin());
  }
  std::string found;
  for (const std::string& part : reached) {
    found += (found.empty() ? "" : "/") + part;
  }
  return found;
}

std::shared_ptr<const oracles::Parsed> PlainGame::parsed(const std::string& file) const {
  static std::map<std::tuple<std::string, const void*, bool>, std::shared_ptr<const oracles::Parsed>> as_made;
  const auto parse_now = [&]() -> std::shared_ptr<const oracles::Parsed> {
    const Bytes bytes = files_.at(file).content.bytes;
    ParseContext context = context_;
    // The name lives as long as what was parsed.
    context.hints = ItemHints::of_file(as_bytes((is_as_made(file) ? made_ : files_).find(file)->first));
    for (const Format* format : {&nres::format(), &rsli::format()}) {
      if (format->has_magic(bytes)) {
        return std::make_shared<const oracles::Parsed>(oracles::parse(*format, bytes, context));
      }
    }
    return nullptr;
  };
  if (!is_as_made(file)) {
    return parse_now();
  }
  auto& known = as_made[{file, files_.at(file).content.owner.get(), rules_ == RuleSet::strict()}];
  return known != nullptr ? known : known = parse_now();
}

const Container* PlainGame::archive_at(std::string_view path) {
  const auto known_place = places_.find(path);
  const auto place = known_place != places_.end() ? known_place : places_.emplace(path, find_file(path)).first;
  if (!place->second) {
    return nullptr;
  }
  const auto known = archives_.find(*place->second);
  const auto archive =
      known != archives_.end() ? known : archives_.emplace(*place->second, parsed(*place->second)).first;
  const auto& found = archive->second;
  return found == nullptr || !found->document ? nullptr : (*found->document)->container();
}

std::optional<std::size_t> PlainGame::find_member(std::string_view archive, std::string_view name) {
  const Container* container = archive_at(archive);
  return container == nullptr ? std::nullopt : container->find_linear(as_bytes(name));
}

std::optional<std::string> PlainGame::find_either(std::string_view archive, const std::string& name) {
  auto found = find_member(archive, name);
  if (!found && rules_.enabled(RuleId::kRegistryKeySuffix)) {
    found = find_member(archive, extension(name) == "msh" ? stem(name) : name + ".msh");
  }
  return found ? std::optional(std::string(as_text(archive_at(archive)->member(*found).name))) : std::nullopt;
}

bool PlainGame::has_tag(std::string_view archive, std::string_view name, std::string_view tag) {
  const auto found = find_member(archive, name);
  return found && archive_at(archive)->member(*found).type_id == load_little_endian<std::uint32_t>(as_bytes(tag));
}

std::optional<PlainGame::Content> PlainGame::content_of(const Node& node) {
  Content content{.context = context_};
  // A member may have no name, so that the node alone does not tell it from the file.
  const auto index = find_member(node.file, node.entry);
  if (!index) {
    content.bytes = files_.at(node.file).content.bytes;
    content.context.hints = {.is_file = true};
    return content;
  }
  Findings findings;
  const auto bytes = archive_at(node.file)->load(*index, scratch_, findings);
  if (!bytes) {
    return std::nullopt;
  }
  content.bytes = *bytes;
  content.context.hints = archive_at(node.file)->member(*index).hints();
  return content;
}

PlainEdge PlainGame::to_file(EdgeKind kind, std::size_t index, std::string_view path) const {
  return {.kind = kind,
          .index = index,
          .raw = std::string(path),
          .file = path_key(path),
          .exists = find_file(path).has_value()};
}

PlainEdge PlainGame::to_entry(EdgeKind kind, std::size_t index, std::string_view archive, std::string_view name) {
  if (lower(archive) == kRegistry) {
    return to_prototype(kind, index, std::string(name));
  }
  return {.kind = kind,
          .index = index,
          .raw = std::string(name),
          .file = path_key(archive),
          .entry = lower(name),
          .exists = has(archive, name)};
}

PlainEdge PlainGame::to_prototype(EdgeKind kind, std::size_t index, const std::string& key) {
  const auto found = find_either(kRegistry, key);
  return {.kind = kind,
          .index = index,
          .raw = key,
          .file = std::string(kRegistry),
          .entry = lower(found.value_or(key)),
          .exists = found.has_value()};
}

PlainEdge PlainGame::to_material(std::size_t row, std::string_view name) {
  std::string found(name);
  bool exists = has_tag(kMaterials, name, "MAT0");
  if (!exists && rules_.enabled(RuleId::kMaterialFallback) && archive_at(kMaterials) != nullptr) {
    const Container& archive = *archive_at(kMaterials);
    exists = has_tag(kMaterials, "DEFAULT", "MAT0");
    found = exists ? "DEFAULT" : found;
    for (std::size_t index = 0; index < archive.member_count() && !exists; ++index) {
      exists = archive.member(index).type_id == mat0::kTypeTag;
      found = exists ? std::string(as_text(archive.member(index).name)) : found;
    }
  }
  return {.kind = EdgeKind::kWearMaterial,
          .index = row,
          .raw = std::string(name),
          .file = lower(kMaterials),
          .entry = lower(found),
          .exists = exists};
}

PlainEdge PlainGame::to_picture(EdgeKind kind, std::size_t index, std::string_view archive, std::string_view name) {
  PlainEdge edge = to_entry(kind, index, archive, name);
  edge.exists = has_tag(archive, name, "Texm");
  return edge;
}

std::vector<PlainEdge> PlainGame::edges_of(const Node& node) {
  if (node.kind == NodeKind::kGame) {
    return edges_of_game();
  }
  if (node.kind == NodeKind::kPrototype) {
    return edges_of_prototype(node);
  }
  if (node.kind == NodeKind::kMesh) {
    return {to_entry(EdgeKind::kMeshWear, 0, node.file, stem(node.entry) + ".wea")};
  }
  const auto content = content_of(node);
  if (!content) {
    return {};
  }
  switch (node.kind) {
    case NodeKind::kMission: return edges_of_mission(node, *content);
    case NodeKind::kUnit: return edges_of_unit(*content);
    case NodeKind::kWear: return edges_of_wear(*content);
    case NodeKind::kMaterial: return edges_of_material(*content);
    default: return edges_of_named(node, *content);
  }
}

std::vector<PlainEdge> PlainGame::edges_of_game() {
  std::map<std::string, std::string> missions;
  std::map<std::string, std::string> units;
  for (const auto& [path, file] : files_) {
    const auto parts = parts_of(path, "/");
    if (parts.size() < 2 || !is_path(path)) {
      continue;
    }
    if (lower(parts.front()) == "missions" && lower(parts.back()) == "data.tma") {
      missions.try_emplace(path_key(path), path);
    }
    if (lower(parts.front()) == "units" && extension(parts.back()) == "dat") {
      units.try_emplace(path_key(path), path);
    }
  }
  std::vector<PlainEdge> edges;
  const auto add = [&](EdgeKind kind, const std::map<std::string, std::string>& paths) {
    std::size_t index = 0;
    for (const auto& [key, path] : paths) {
      edges.push_back(to_file(kind, index++, path));
    }
  };
  add(EdgeKind::kGameMission, missions);
  const Container& registry = *archive_at(kRegistry);
  for (std::size_t index = 0; index < registry.member_count(); ++index) {
    edges.push_back(to_prototype(EdgeKind::kGamePrototype, index, std::string(as_text(registry.member(index).name))));
  }
  add(EdgeKind::kGameUnit, units);
  return edges;
}

std::vector<PlainEdge> PlainGame::edges_of_mission(const Node& node, const Content& content) {
  const auto mission = parse<tma::Mission>(content);
  std::vector<PlainEdge> edges;
  if (!mission) {
    return edges;
  }
  for (std::size_t index = 0; index < mission->objects().size(); ++index) {
    const std::string name(as_text(mission->objects()[index].resource_name));
    edges.push_back(extension(name) == "dat" ? to_file(EdgeKind::kMissionUnit, index, name)
                                             : to_prototype(EdgeKind::kMissionPrototype, index, name));
  }
  for (std::size_t index = 0; index < mission->clans().size(); ++index) {
    const tma::Clan& clan = mission->clans()[index];
    if (!clan.script_base.empty()) {
      edges.push_back(to_file(EdgeKind::kMissionScript, index, std::string(as_text(clan.script_base)) + ".scr"));
    }
    if (!clan.tree_path.empty()) {
      edges.push_back(to_file(EdgeKind::kMissionTree, index, as_text(clan.tree_path)));
    }
  }
  const std::string land(as_text(mission->land_path()));
  const std::string folder = node.file.substr(0, node.file.rfind('/') + 1);
  for (const auto& [kind, index, path] :
       {std::tuple(EdgeKind::kMissionTerrain, 0U, land + ".msh"), std::tuple(EdgeKind::kMissionMap, 0U, land + ".map"),
        std::tuple(EdgeKind::kMissionWear, 0U, land + "1.wea"), std::tuple(EdgeKind::kMissionWear, 1U, land + "2.wea"),
        std::tuple(EdgeKind::kMissionWear, 2U, folder + "sky.wea"),
        std::tuple(EdgeKind::kMissionSky, 0U, folder + "sky.ske"),
        std::tuple(EdgeKind::kMissionText, 0U, folder + "mission.cfg"),
        std::tuple(EdgeKind::kMissionText, 1U, folder + "descr"),
        std::tuple(EdgeKind::kMissionText, 2U, folder + "Mistips.mis")}) {
    edges.push_back(to_file(kind, index, path));
  }
  return edges;
}

std::vector<PlainEdge> PlainGame::edges_of_unit(const Content& content) {
  const auto unit = parse<unit_dat::UnitDat>(content);
  std::vector<PlainEdge> edges;
  for (std::size_t index = 0; unit && index < unit->components().size(); ++index) {
    const unit_dat::Component component = unit->components()[index];
    edges.push_back(to_entry(EdgeKind::kUnitComponent, index, as_text(component.archive_name.text()),
                             as_text(component.resource_name.text())));
  }
  if (unit && unit->binding()) {
    edges.push_back(to_entry(EdgeKind::kUnitComponent, 0, as_text(unit->binding()->archive_name.text()),
                             as_text(unit->binding()->model_name.text())));
  }
  return edges;
}

std::vector<PlainEdge> PlainGame::edges_of_wear(const Content& content) {
  const auto wear = parse<wear::Wear>(content);
  std::vector<PlainEdge> edges;
  for (std::size_t row = 0; wear && row < wear->materials().size(); ++row) {
    edges.push_back(to_material(row, as_text(wear->materials()[row].name)));
  }
  for (std::size_t row = 0; wear && row < wear->lightmaps().size(); ++row) {
    edges.push_back(to_picture(EdgeKind::kWearLightmap, row, "LightMap.lib", as_text(wear->lightmaps()[row].name)));
  }
  return edges;
}

std::vector<PlainEdge> PlainGame::edges_of_material(const Content& content) {
  const auto material = parse<mat0::Mat0>(content);
  std::vector<PlainEdge> edges;
  for (std::size_t phase = 0; material && phase < material->phases().size(); ++phase) {
    if (const Bytes name = material->texture_name(phase); !name.empty()) {
      edges.push_back(to_picture(EdgeKind::kMaterialTexture, phase, "Textures.lib", as_text(name)));
    }
  }
  return edges;
}

void PlainGame::add_named(const Node& node, EdgeKind kind, std::size_t index, Bytes archive, Bytes name,
                          std::vector<PlainEdge>& edges) {
  if (!name.empty()) {
    edges.push_back(
        to_entry(kind, index, archive.empty() ? std::string_view(node.file) : as_text(archive), as_text(name)));
  }
}

std::vector<PlainEdge> PlainGame::edges_of_named(const Node& node, const Content& content) {
  std::vector<PlainEdge> edges;
  if (node.kind == NodeKind::kDamage) {
    const auto table = parse<ndpr::NodeDamages>(content);
    for (std::size_t index = 0; table && index < table->records().size(); ++index) {
      const ndpr::NodeDamage record = table->records()[index];
      add_named(node, EdgeKind::kDamageExplosion, index, record.archive_name.text(), record.resource_name.text(),
                edges);
    }
  }
  if (node.kind == NodeKind::kExplosion) {
    const auto explosion = parse<expl::Explosion>(content);
    for (std::size_t index = 0; explosion && index < explosion->slots().size(); ++index) {
      const expl::Slot slot = explosion->slots()[index];
      add_named(node, EdgeKind::kExplosionEffect, index, slot.archive_name.text(), slot.resource_name.text(), edges);
    }
  }
  if (node.kind == NodeKind::kController) {
    const auto controller = parse<ctld::Controller>(content);
    for (std::size_t index = 0; controller && index < controller->components().size(); ++index) {
      const ctld::ComponentHead& head = controller->components()[index].head;
      add_named(node, EdgeKind::kControllerComponent, index, head.archive_name.text(), head.resource_name.text(),
                edges);
    }
    std::size_t action = 0;
    for (std::size_t group = 0; controller && group < controller->groups().size(); ++group) {
      for (std::size_t index = 0; index < controller->groups()[group].size(); ++index, ++action) {
        const ctld::Action named = controller->groups()[group][index];
        add_named(node, EdgeKind::kControllerGroup, action, named.archive_name.text(), named.resource_name.text(),
                  edges);
      }
    }
  }
  return edges;
}

}  // namespace assay::fuzz
