#include "parsers/resource/graph_builder.h"

#include <set>

#include "parsers/formats/mat0/mat0.h"
#include "parsers/formats/wear/wear.h"

namespace assay::resource {
namespace {

constexpr std::string_view kMissionFile = "data.tma";
constexpr std::string_view kUnitExtension = ".dat";

struct TagKind {
  std::string_view tag;
  NodeKind kind;
};
constexpr TagKind kTagKinds[] = {
    {"MESH", NodeKind::kMesh},   {"WEAR", NodeKind::kWear},       {"MAT0", NodeKind::kMaterial},
    {"CTPT", NodeKind::kPoints}, {"NDPR", NodeKind::kDamage},     {"EXPL", NodeKind::kExplosion},
    {"BASE", NodeKind::kBase},   {"CTLD", NodeKind::kController}, {"FXID", NodeKind::kEffect},
};

// The row's type tag decides where it is one of those above; a reference only expects.
NodeKind kind_of(const Member& member, NodeKind expected) {
  for (const TagKind& known : kTagKinds) {
    if (member.type_id == load_little_endian<std::uint32_t>(as_bytes(known.tag))) {
      return known.kind;
    }
  }
  return expected;
}

std::string with_slashes(std::string_view path) {
  std::string text(path);
  for (char& letter : text) {
    letter = letter == '\\' ? '/' : letter;
  }
  return text;
}

GraphFinding missing(const Diagnostic& why) {
  // What kind of refusal it is says enough, except where a file is there and cannot be read.
  const bool is_plain = why.code == Code::kMissingFile || why.code == Code::kMissingEntry ||
                        why.code == Code::kMissingTexture || why.code == Code::kMissingLightmap ||
                        why.code == Code::kAmbiguousPath || why.code == Code::kInvalidPath;
  return is_plain ? GraphFinding{.code = why.code} : unreadable(why);
}

}  // namespace

GraphFinding unreadable(const Diagnostic& why) {
  return {.code = Code::kUnreadableResource, .cause = why};
}

Result<Graph> build_graph(Archives& archives, const GraphOptions& options) {
  return GraphBuilder(archives, options).run();
}

Result<Graph> GraphBuilder::run() {
  ASSAY_TRY(start());
  // Nodes are looked into in the order in which they were found, so that the graph depends on nothing else.
  for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
    if (graph_.nodes.size() > options_.max_nodes || graph_.edges.size() > options_.max_edges) {
      return fail({.code = Code::kLimitExceeded, .field = "graph"});
    }
    expand(node);
  }
  return std::move(graph_);
}

Result<void> GraphBuilder::start() {
  const std::size_t game = add_node({}, {.kind = NodeKind::kGame, .file = {}, .entry = {}, .exists = true}, {});
  ASSAY_TRY_ASSIGN(const std::vector<std::string> keys, prototypes_.keys());
  std::size_t index = 0;
  for (const LegacyPath& path : archives_.tree().files_below("missions", kMissionFile)) {
    connect(EdgeKind::kGameMission, game, index++, as_bytes(path.raw()),
            file_target(NodeKind::kMission, as_bytes(path.raw())));
  }
  index = 0;
  std::set<std::string> known;
  for (const std::string& key : keys) {
    Target target = prototype_target(key);
    if (!known.insert(folded(key)).second) {
      graph_.nodes[target.node].findings.push_back(
          {.severity = Severity::kNote,
           .code = Code::kUnexpectedValue,
           .detail = "the key is there twice, and only the entry in front is ever found"});
    }
    connect(EdgeKind::kGamePrototype, game, index++, as_bytes(key), std::move(target));
  }
  index = 0;
  for (const LegacyPath& path : archives_.tree().files_below("units", kUnitExtension)) {
    connect(EdgeKind::kGameUnit, game, index++, as_bytes(path.raw()),
            file_target(NodeKind::kUnit, as_bytes(path.raw())));
  }
  return {};
}

void GraphBuilder::expand(std::size_t node) {
  const Source source = std::exchange(sources_[node], {});
  if (!graph_.nodes[node].exists) {
    return;
  }
  switch (graph_.nodes[node].kind) {
    case NodeKind::kMission: expand_mission(node, source); break;
    case NodeKind::kUnit: expand_unit(node, source); break;
    case NodeKind::kPrototype: expand_prototype(node); break;
    case NodeKind::kMesh: expand_mesh(node, *source.entry); break;
    case NodeKind::kWear: expand_wear(node, source); break;
    case NodeKind::kMaterial: expand_material(node, source); break;
    case NodeKind::kDamage: expand_damage(node, source); break;
    case NodeKind::kExplosion: expand_explosion(node, source); break;
    case NodeKind::kController: expand_controller(node, source); break;
    default: break;
  }
}

std::size_t GraphBuilder::add_node(const Identity& identity, Node node, Source source) {
  const auto [found, is_new] = ids_.try_emplace(identity, graph_.nodes.size());
  if (is_new) {
    graph_.nodes.push_back(std::move(node));
    sources_.push_back(std::move(source));
  }
  return found->second;
}

std::size_t GraphBuilder::add_entry(NodeKind expected, const FoundEntry& entry) {
  const std::string& key = entry.archive->path().key();
  const Member member = entry.member();
  const NodeKind kind = key == kRegistryFile ? NodeKind::kPrototype : kind_of(member, expected);
  return add_node(
      {.kind = Identity::Kind::kEntry, .file = key, .entry = std::to_string(entry.index)},
      {.kind = kind, .file = entry.archive->place().path, .entry = std::string(as_text(member.name)), .exists = true},
      {.entry = entry});
}

std::size_t GraphBuilder::add_missing(NodeKind kind, std::string_view file, std::string_view entry) {
  const std::string path = with_slashes(file);
  return add_node({.kind = Identity::Kind::kMissing, .file = folded(path), .entry = folded(entry)},
                  {.kind = kind, .file = path, .entry = std::string(entry)}, {});
}

void GraphBuilder::connect(EdgeKind kind, std::size_t from, std::size_t index, Bytes raw, Target target,
                           std::string origin) {
  graph_.nodes[from].edges.push_back(graph_.edges.size());
  graph_.edges.push_back({.kind = kind,
                          .from = from,
                          .to = target.node,
                          .index = index,
                          .raw = std::string(as_text(raw)),
                          .origin = std::move(origin),
                          .findings = std::move(target.findings)});
}

GraphBuilder::Target GraphBuilder::target_of(NodeKind expected, const Result<FoundEntry>& found,
                                             std::string_view archive, std::string_view entry) {
  if (found) {
    return {.node = add_entry(expected, *found)};
  }
  return {.node = add_missing(expected, archive, entry), .findings = {missing(found.error())}};
}

GraphBuilder::Target GraphBuilder::target_of(NodeKind expected, std::string_view archive, std::string_view entry) {
  return folded(archive) == kRegistryFile ? prototype_target(entry)
                                          : target_of(expected, find_entry(archives_, archive, entry), archive, entry);
}

GraphBuilder::Target GraphBuilder::file_target(NodeKind kind, Bytes path) {
  const auto legacy = LegacyPath::parse(path);
  if (!legacy) {
    return {.node = add_missing(kind, as_text(path), ""), .findings = {missing(legacy.error())}};
  }
  const Identity identity{.kind = Identity::Kind::kFile, .file = legacy->key()};
  if (const auto known = ids_.find(identity); known != ids_.end()) {
    return {.node = known->second};
  }
  const auto place = archives_.tree().find(*legacy);
  if (!place) {
    return {.node = add_missing(kind, as_text(path), ""), .findings = {missing(place.error())}};
  }
  return {.node =
              add_node(identity, {.kind = kind, .file = place->path, .entry = {}, .exists = true}, {.path = *legacy})};
}

Result<Payload> GraphBuilder::load(const Source& source) {
  return source.entry ? archives_.load(source.entry->archive, source.entry->index) : archives_.load_file(*source.path);
}

void GraphBuilder::take_findings(std::size_t node, const Findings& findings) {
  for (const Finding& finding : findings.list()) {
    if (finding.rule || finding.severity == Severity::kError) {
      graph_.nodes[node].findings.push_back({.severity = finding.severity,
                                             .code = finding.diagnostic.code,
                                             .rule = finding.rule,
                                             .applied = finding.applied,
                                             .detail = finding.diagnostic.message()});
    }
  }
}

NodeKind kind_of_name(std::string_view archive, std::string_view resource) {
  struct ExtensionKind {
    std::string_view extension;
    NodeKind kind;
  };
  static constexpr ExtensionKind kExtensionKinds[] = {
      {"msh", NodeKind::kMesh},   {"wea", NodeKind::kWear},      {"cpt", NodeKind::kPoints},
      {"ndp", NodeKind::kDamage}, {"exp", NodeKind::kExplosion}, {"ctl", NodeKind::kController},
      {"bas", NodeKind::kBase},
  };
  const std::string extension = extension_of(resource);
  for (const ExtensionKind& known : kExtensionKinds) {
    if (known.extension == extension) {
      return known.kind;
    }
  }
  const std::string file = folded(archive);
  if (file == "behpsp.res") {
    return NodeKind::kBehaviour;
  }
  return file == "effects.rlb" ? NodeKind::kEffect : NodeKind::kResource;
}

}  // namespace assay::resource
