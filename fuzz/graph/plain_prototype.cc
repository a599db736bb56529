// What a prototype of the registry refers to.

#include <algorithm>

#include "fuzz/graph/plain_game.h"
#include "fuzz/graph/plain_names.h"
#include "parsers/formats/reference_array/reference_array.h"

namespace assay::fuzz {
namespace {

using resource::EdgeKind;
using resource::Node;

constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxEntries = 1'024;
constexpr std::size_t kMaxSlots = 8'192;

EdgeKind kind_of(const std::string& archive, std::string_view name) {
  static const std::map<std::string, EdgeKind> kByExtension{
      {"msh", EdgeKind::kPrototypeSpareMesh}, {"wea", EdgeKind::kPrototypeWear},
      {"cpt", EdgeKind::kPrototypePoints},    {"ndp", EdgeKind::kPrototypeDamage},
      {"exp", EdgeKind::kPrototypeResource},  {"ctl", EdgeKind::kPrototypeController},
      {"bas", EdgeKind::kPrototypeBase}};
  if (const auto found = kByExtension.find(extension(name)); found != kByExtension.end()) {
    return found->second;
  }
  const std::string file = lower(archive);
  return file == "behpsp.res"    ? EdgeKind::kPrototypeBehaviour
         : file == "effects.rlb" ? EdgeKind::kPrototypeEffect
                                 : EdgeKind::kPrototypeResource;
}

}  // namespace

bool PlainGame::Parts::is_exhausted() const {
  return entries > kMaxEntries || slots > kMaxSlots;
}

void PlainGame::gather(std::size_t entry, bool is_first, std::vector<std::size_t>& stack, Parts& parts) {
  const Container& registry = *archive_at(kRegistry);
  if (stack.size() > kMaxDepth || std::ranges::find(stack, entry) != stack.end() || ++parts.entries > kMaxEntries) {
    parts.has_failed = true;
    return;
  }
  Findings findings;
  Content content{.context = context_};
  const auto bytes = registry.load(entry, scratch_, findings);
  content.bytes = bytes ? *bytes : Bytes();
  content.context.hints = registry.member(entry).hints();
  const auto array = reference_array::ReferenceArray::parse(content.bytes, content.context, findings);
  parts.has_failed = parts.has_failed || !bytes || !array;
  stack.push_back(entry);
  for (std::size_t slot = 0; bytes && array && slot < array->references().size() && !parts.is_exhausted(); ++slot) {
    if (++parts.slots > kMaxSlots) {
      parts.has_failed = true;
      break;
    }
    const reference_array::Reference stored = array->references()[slot];
    const bool trims = rules_.enabled(RuleId::kRegistryNameTrim);
    const std::string_view archive_text = as_text(stored.archive_name.text());
    const std::string_view resource_text = as_text(stored.resource_name.text());
    const std::string archive = trims ? without_blanks(archive_text) : std::string(archive_text);
    const std::string name = trims ? without_blanks(resource_text) : std::string(resource_text);
    if (archive.empty() || name.empty()) {
      continue;
    }
    if (lower(archive) != kRegistry) {
      parts.references.push_back({archive, name});
      continue;
    }
    const auto parent = find_either(kRegistry, name);
    if (is_first) {
      parts.parents.emplace_back(slot, parent.value_or(name));
    }
    if (parent) {
      gather(*find_member(kRegistry, *parent), false, stack, parts);
    } else {
      parts.has_failed = true;
    }
  }
  stack.pop_back();
}

std::optional<std::pair<std::size_t, std::string>> PlainGame::mesh_of(const Parts& parts) {
  bool names_mesh = false;
  for (std::size_t index = 0; index < parts.references.size(); ++index) {
    const Slot& slot = parts.references[index];
    if (extension(slot.resource) == "msh") {
      names_mesh = true;
      if (const auto found = find_either(slot.archive, slot.resource)) {
        return std::pair(index, *found);
      }
    }
  }
  const auto base =
      std::ranges::find_if(parts.references, [](const Slot& slot) { return extension(slot.resource) == "bas"; });
  if (names_mesh || base == parts.references.end() || !rules_.enabled(RuleId::kBasStemMesh)) {
    return std::nullopt;
  }
  const auto found = find_either(base->archive, stem(base->resource) + ".msh");
  return found ? std::optional(std::pair(static_cast<std::size_t>(base - parts.references.begin()), *found))
               : std::nullopt;
}

std::vector<PlainEdge> PlainGame::edges_of_prototype(const Node& node) {
  Parts parts;
  std::vector<std::size_t> stack;
  gather(*find_member(kRegistry, node.entry), true, stack, parts);
  std::vector<PlainEdge> edges;
  for (const auto& [slot, parent] : parts.parents) {
    edges.push_back(to_prototype(EdgeKind::kPrototypeParent, slot, parent));
  }
  const auto mesh = parts.has_failed ? std::nullopt : mesh_of(parts);
  bool has_mesh = mesh.has_value() || parts.has_failed;
  for (std::size_t index = 0; index < parts.references.size(); ++index) {
    const auto& [archive, name] = parts.references[index];
    const EdgeKind kind = kind_of(archive, name);
    const bool names_mesh = kind == EdgeKind::kPrototypeSpareMesh;
    const bool is_mesh = mesh ? mesh->first == index : names_mesh && !has_mesh;
    if (is_mesh) {
      PlainEdge edge = to_entry(EdgeKind::kPrototypeMesh, index, archive, mesh ? mesh->second : name);
      edge.raw = name;
      edges.push_back(std::move(edge));
      has_mesh = true;
    }
    if (!is_mesh || !names_mesh) {
      edges.push_back(to_entry(kind, index, archive, name));
    }
  }
  return edges;
}

}  // namespace assay::fuzz
