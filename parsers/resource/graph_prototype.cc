#include <algorithm>

#include "parsers/resource/graph_builder.h"

// Prototypes and the references of their effective lists.
namespace assay::resource {
namespace {

Code code_of(RuleId rule) {
  switch (rule) {
    case RuleId::kRegistryKeySuffix: return Code::kUnresolvedPrototype;
    case RuleId::kBasStemMesh: return Code::kNonGeometric;
    default: return Code::kUnexpectedValue;
  }
}

GraphFinding finding_of(const RuleUse& use) {
  return {.severity = Severity::kStrict,
          .code = code_of(use.rule),
          .rule = use.rule,
          .applied = use.applied,
          .detail = use.subject};
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : std::string(separator)) + part;
  }
  return text;
}

EdgeKind edge_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::kMesh: return EdgeKind::kPrototypeSpareMesh;
    case NodeKind::kWear: return EdgeKind::kPrototypeWear;
    case NodeKind::kPoints: return EdgeKind::kPrototypePoints;
    case NodeKind::kDamage: return EdgeKind::kPrototypeDamage;
    case NodeKind::kController: return EdgeKind::kPrototypeController;
    case NodeKind::kBase: return EdgeKind::kPrototypeBase;
    case NodeKind::kBehaviour: return EdgeKind::kPrototypeBehaviour;
    case NodeKind::kEffect: return EdgeKind::kPrototypeEffect;
    default: return EdgeKind::kPrototypeResource;
  }
}

// Why inheritance failed, with the way to the cause.
GraphFinding inheritance_finding(const Prototype& prototype) {
  GraphFinding finding = prototype.state == PrototypeState::kUnreadable
                             ? unreadable(prototype.diagnostic)
                             : GraphFinding{.code = prototype.diagnostic.code};
  finding.detail = joined(prototype.trail, " -> ");
  return finding;
}

GraphFinding broken_finding(const Prototype& prototype) {
  std::vector<std::string> tried;
  for (const TriedMesh& mesh : prototype.tried) {
    tried.push_back(mesh.archive + "::" + mesh.resource + " (" + std::string(code_text(mesh.why)) + ')');
  }
  return {.code = Code::kBrokenReference, .detail = joined(tried, ", ")};
}

std::string origin_of(const EffectiveReference& reference) {
  return reference.origin_key + '[' + std::to_string(reference.origin_index) + ']';
}

}  // namespace

// The key suffix is a matter of who asks, every other rule one of the prototype.
GraphBuilder::Target GraphBuilder::prototype_target(std::string_view key) {
  const auto prototype = prototypes_.resolve(key);
  const bool is_other_spelling = folded(prototype->key) != folded(key);
  Target target;
  for (const RuleUse& use : prototype->rules) {
    // Kept from whoever asked first, perhaps in another case.
    if (use.rule == RuleId::kRegistryKeySuffix && folded(use.subject) == folded(key)) {
      target.findings.push_back(finding_of({.rule = use.rule, .applied = use.applied, .subject = std::string(key)}));
    }
  }
  const auto found = find_entry(archives_, kRegistryFile, prototype->key);
  if (prototype->state == PrototypeState::kNotFound || !found) {
    target.node = add_missing(NodeKind::kPrototype, kRegistryFile, key);
    graph_.nodes[target.node].state = PrototypeState::kNotFound;
    if (target.findings.empty()) {
      target.findings.push_back({.code = Code::kUnresolvedPrototype});
    }
    return target;
  }
  if (!is_other_spelling) {
    target.findings.clear();
  }
  target.node = add_entry(NodeKind::kPrototype, *found);
  return target;
}

void GraphBuilder::expand_prototype(std::size_t node) {
  const auto prototype = prototypes_.resolve(graph_.nodes[node].entry);
  graph_.nodes[node].state = prototype->state;
  graph_.nodes[node].may_lack_mesh = prototype->state == PrototypeState::kNonGeometric && prototype->may_lack_mesh();
  for (const RuleUse& use : prototype->rules) {
    graph_.nodes[node].findings.push_back(finding_of(use));
  }
  if (prototype->state == PrototypeState::kNonGeometric && !prototype->may_lack_mesh()) {
    graph_.nodes[node].findings.push_back({.severity = Severity::kNote, .code = Code::kNonGeometric});
  }
  connect_parents(node, *prototype);
  connect_references(node, *prototype);
}

// Parents of parents belong to the nodes of those. Where inheritance failed, it did so below the parent that the way
// leads through, or, where it leads nowhere, at the entry itself.
void GraphBuilder::connect_parents(std::size_t node, const Prototype& prototype) {
  std::optional<std::size_t> failed;
  for (const ParentLink& link : prototype.parents) {
    if (link.child != prototype.key) {
      continue;
    }
    if (!failed && prototype.trail.size() > 1 && prototype.trail[1] == link.parent) {
      failed = graph_.edges.size();
    }
    connect(EdgeKind::kPrototypeParent, node, link.index, as_bytes(link.parent), prototype_target(link.parent));
  }
  if (!prototype.trail.empty()) {
    auto& findings = failed ? graph_.edges[*failed].findings : graph_.nodes[node].findings;
    findings.insert(findings.begin(), inheritance_finding(prototype));
  }
}

void GraphBuilder::connect_references(std::size_t node, const Prototype& prototype) {
  bool has_mesh = false;
  for (std::size_t index = 0; index < prototype.references.size(); ++index) {
    const EffectiveReference& reference = prototype.references[index];
    const NodeKind kind = kind_of_name(reference.archive, reference.resource);
    const bool is_chosen = prototype.mesh && prototype.mesh->reference == index;
    const bool is_broken = prototype.state == PrototypeState::kBrokenReference && kind == NodeKind::kMesh && !has_mesh;
    if (is_chosen || is_broken) {
      has_mesh = true;
      connect_mesh(node, prototype, index);
    }
    if (kind != NodeKind::kMesh || !(is_chosen || is_broken)) {
      connect(edge_of(kind), node, index, as_bytes(reference.resource),
              target_of(kind, reference.archive, reference.resource), origin_of(reference));
    }
  }
}

void GraphBuilder::connect_mesh(std::size_t node, const Prototype& prototype, std::size_t reference) {
  const EffectiveReference& named = prototype.references[reference];
  Target target;
  if (prototype.mesh) {
    target = target_of(NodeKind::kMesh, prototype.mesh->archive, prototype.mesh->entry);
  } else {
    target = {.node = add_missing(NodeKind::kMesh, named.archive, named.resource),
              .findings = {broken_finding(prototype)}};
  }
  connect(EdgeKind::kPrototypeMesh, node, reference, as_bytes(named.resource), std::move(target), origin_of(named));
}

}  // namespace assay::resource
