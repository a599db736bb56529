#include "tools/graph_output.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "golden/scan/corpus.h"
#include "parsers/base/escape.h"
#include "tools/console.h"
#include "tools/reading.h"

namespace assay::tools {
namespace {

using resource::Edge;
using resource::EdgeKind;
using resource::EdgeKindInfo;
using resource::FailureRecord;
using resource::Graph;
using resource::GraphFinding;
using resource::Node;
using resource::NodeKind;
using resource::PrototypeState;

std::string shown(std::string_view raw) {
  return escape_bytes(as_bytes(raw));
}

std::string finding_text(const GraphFinding& finding) {
  std::string text = fmt::format("{}: {}", code_text(finding.code), code_meaning(finding.code));
  if (!finding.detail.empty()) {
    text += fmt::format(" ({})", shown(finding.detail));
  }
  if (finding.cause) {
    text += ": " + diagnostic_text(*finding.cause);
  }
  if (finding.rule) {
    text += fmt::format(" [rule {}, {}]", rule(*finding.rule).name, finding.applied ? "applied" : "not enabled");
  }
  return text;
}

// One step on the way to a failure: "mission_unit[3] UNITS/a.dat".
std::string step_text(const Edge& edge) {
  std::string text = fmt::format("{}[{}] {}", resource::edge_kind(edge.kind).text, edge.index, shown(edge.raw));
  return edge.origin.empty() ? text : text + fmt::format(" (from {})", shown(edge.origin));
}

void print_failure(const GraphReport& report, const FailureRecord& record) {
  const Graph& graph = *report.graph;
  print(fmt::format("  {}\n", node_address(graph.nodes[record.mission])));
  for (std::size_t step = 0; step < record.chain.size(); ++step) {
    print(fmt::format("    {:{}}{}\n", "", step * 2, step_text(graph.edges[record.chain[step]])));
  }
  print(fmt::format("    {:{}}{}\n", "", record.chain.size() * 2, finding_text(record.finding)));
}

void print_failures(const GraphReport& report, std::string_view title, const std::vector<FailureRecord>& records,
                    std::uint64_t count) {
  if (count == 0) {
    return;
  }
  print(fmt::format("\n{}: {}\n", title, count));
  for (const FailureRecord& record : records) {
    print_failure(report, record);
  }
  if (records.size() < count) {
    print(fmt::format("  ... and {} more\n", count - records.size()));
  }
}

void print_totals(const GraphReport& report) {
  print(fmt::format("{:<22}{:<9}{:>10}{:>10}{:>8}\n", "edge", "counted", "requests", "resolved", "failed"));
  for (const EdgeKindInfo& info : resource::edge_kinds()) {
    const resource::EdgeTotal& total = report.reach.totals[static_cast<std::size_t>(info.kind)];
    if (info.counted || total.requests != 0) {
      print(fmt::format("{:<22}{:<9}{:>10}{:>10}{:>8}\n", info.text, info.counted ? "yes" : "no", total.requests,
                        total.resolved(), total.failed));
    }
  }
  print(fmt::format("prototype requests: {}\n", report.reach.prototype_requests()));
  for (const auto& [id, uses] : report.reach.rules) {
    print(fmt::format("rule {}: applied at {}, refused at {}\n", rule(id).name, uses.first, uses.second));
  }
}

std::string state_counts(const resource::Health& health) {
  std::string text;
  for (std::size_t state = 0; state < health.states.size(); ++state) {
    if (health.states[state] != 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", health.states[state],
                          resource::prototype_state_text(static_cast<PrototypeState>(state)));
    }
  }
  return text;
}

void print_health(const GraphReport& report) {
  const resource::Health& health = report.health;
  print(fmt::format("\nregistry health: {}: {}\n", counted(health.prototypes, "prototype"), state_counts(health)));
  print(fmt::format("  of {}, {} to what does not exist\n", counted(health.references, "reference"),
                    health.missing_references));
  print(fmt::format("  {} that no chosen mission needs{}\n", counted(health.unneeded_failures.size(), "failure"),
                    report.lists_health || health.unneeded_failures.empty() ? "" : "; --health lists them"));
  if (!report.lists_health) {
    return;
  }
  for (const std::size_t index : health.unneeded_failures) {
    const Edge& edge = report.graph->edges[index];
    print(fmt::format("    {} {}\n        {}\n", node_address(report.graph->nodes[edge.from]), step_text(edge),
                      finding_text(*report.graph->failure_of(edge))));
  }
}

Json findings_json(const std::vector<GraphFinding>& findings) {
  Json list = Json::array();
  for (const GraphFinding& finding : findings) {
    list.push_back({{"code", code_text(finding.code)},
                    {"severity", severity_text(finding.severity)},
                    {"rule", finding.rule ? Json(rule(*finding.rule).name) : Json()},
                    {"applied", finding.applied},
                    {"message", code_meaning(finding.code)},
                    {"detail", shown(finding.detail)},
                    {"cause", diagnostic_json(finding.cause)}});
  }
  return list;
}

Json node_json(const Node& node, std::size_t index) {
  return {{"node", index},
          {"kind", resource::node_kind_text(node.kind)},
          {"file", golden::display_path(node.file)},
          {"entry", shown(node.entry)},
          {"exists", node.exists},
          {"reached", node.is_reached},
          {"state", node.state ? Json(resource::prototype_state_text(*node.state)) : Json()},
          {"findings", findings_json(node.findings)}};
}

Json edge_json(const Graph& graph, std::size_t index) {
  const Edge& edge = graph.edges[index];
  const EdgeKindInfo& info = resource::edge_kind(edge.kind);
  return {{"edge", index},
          {"kind", info.text},
          {"from", edge.from},
          {"to", edge.to},
          {"index", edge.index},
          {"name", shown(edge.raw)},
          {"origin", shown(edge.origin)},
          {"counted", info.counted},
          {"required", info.required},
          {"ok", graph.failure_of(edge) == nullptr},
          {"findings", findings_json(edge.findings)}};
}

Json failure_json(const Graph& graph, const FailureRecord& record) {
  const Edge* last = record.chain.empty() ? nullptr : &graph.edges[record.chain.back()];
  return {{"failure",
           {{"mission", node_address(graph.nodes[record.mission])},
            {"root", record.root ? Json(*record.root) : Json()},
            {"kind", last != nullptr ? Json(resource::edge_kind(last->kind).text) : Json()},
            {"name", last != nullptr ? Json(shown(last->raw)) : Json()},
            {"name_hex", last != nullptr ? Json(to_hex(as_bytes(last->raw))) : Json()},
            {"required", record.required},
            {"finding", findings_json({record.finding}).front()},
            {"chain", record.chain}}}};
}

Json totals_json(const resource::EdgeTotals& totals, const EdgeKindInfo& info) {
  const resource::EdgeTotal& total = totals[static_cast<std::size_t>(info.kind)];
  return {{"totals",
           {{"kind", info.text},
            {"counted", info.counted},
            {"required", info.required},
            {"requests", total.requests},
            {"resolved", total.resolved()},
            {"failed", total.failed}}}};
}

Json health_json(const resource::Health& health) {
  Json states = Json::object();
  for (std::size_t state = 0; state < health.states.size(); ++state) {
    states[std::string(resource::prototype_state_text(static_cast<PrototypeState>(state)))] = health.states[state];
  }
  return {{"health",
           {{"prototypes", health.prototypes},
            {"states", states},
            {"references", health.references},
            {"missing_references", health.missing_references},
            {"unneeded_failures", health.unneeded_failures}}}};
}

Json summary_json(const GraphReport& report) {
  Json missions = Json::array();
  for (const std::size_t mission : report.missions) {
    missions.push_back(node_address(report.graph->nodes[mission]));
  }
  return {{"summary",
           {{"corpus", report.corpus},
            {"missions", missions},
            {"nodes", report.graph->nodes.size()},
            {"edges", report.graph->edges.size()},
            {"reached_nodes", report.reach.reached_nodes},
            {"prototype_requests", report.reach.prototype_requests()},
            {"failures", report.reach.failure_count},
            {"notes", report.reach.note_count},
            {"ok", report.reach.succeeded()}}}};
}

// Text inside a DOT string.
std::string dot_text(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    result += letter == '"' || letter == '\\' ? std::string{'\\', letter} : std::string(1, letter);
  }
  return '"' + result + '"';
}

void print_dot_node(const Node& node, std::size_t index) {
  const std::string_view color = !node.exists ? "red" : (node.is_reached ? "black" : "grey60");
  print(fmt::format("  n{} [label={}, tooltip={}, color={}, fontcolor={}, style={}];\n", index,
                    dot_text(node_address(node)), dot_text(resource::node_kind_text(node.kind)), color, color,
                    node.exists ? "solid" : "dashed"));
}

}  // namespace

std::string node_address(const Node& node) {
  const std::string file = golden::display_path(node.file);
  return node.entry.empty() ? file : file + "::" + shown(node.entry);
}

void print_graph_text(const GraphReport& report) {
  print(fmt::format("{}: {}, {}\n", report.corpus, counted(report.graph->nodes.size(), "node"),
                    counted(report.graph->edges.size(), "edge")));
  print(fmt::format("missions: {} of {}, {} reached\n\n", report.missions.size(), report.mission_count,
                    counted(report.reach.reached_nodes, "node")));
  print_totals(report);
  print_failures(report, "failures", report.reach.failures, report.reach.failure_count);
  print_failures(report, "missing, but not required", report.reach.notes, report.reach.note_count);
  print_health(report);
  print(fmt::format("\nresult: {}\n", report.reach.succeeded() ? "everything that is required is there"
                                                               : counted(report.reach.failure_count, "failure")));
}

void print_graph_json(const GraphReport& report) {
  const Graph& graph = *report.graph;
  for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
    print_json(node_json(graph.nodes[index], index));
  }
  for (std::size_t index = 0; index < graph.edges.size(); ++index) {
    print_json(edge_json(graph, index));
  }
  for (const auto* list : {&report.reach.failures, &report.reach.notes}) {
    for (const FailureRecord& record : *list) {
      print_json(failure_json(graph, record));
    }
  }
  for (const EdgeKindInfo& info : resource::edge_kinds()) {
    print_json(totals_json(report.reach.totals, info));
  }
  for (const auto& [id, uses] : report.reach.rules) {
    print_json({{"rule", {{"id", rule(id).name}, {"applied", uses.first}, {"refused", uses.second}}}});
  }
  print_json(health_json(report.health));
  print_json(summary_json(report));
}

// The folder itself is left out: it leads everywhere. Uses of one thing by another are one line with their number.
void print_graph_dot(const GraphReport& report) {
  const Graph& graph = *report.graph;
  print("digraph resources {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
  std::map<std::tuple<std::size_t, std::size_t, EdgeKind>, std::pair<std::uint64_t, bool>> lines;
  for (std::size_t index = Graph::kGameNode + 1; index < graph.nodes.size(); ++index) {
    print_dot_node(graph.nodes[index], index);
  }
  for (const Edge& edge : graph.edges) {
    if (edge.from != Graph::kGameNode) {
      auto& [count, has_failed] = lines[{edge.from, edge.to, edge.kind}];
      ++count;
      has_failed = has_failed || graph.failure_of(edge) != nullptr;
    }
  }
  for (const auto& [key, line] : lines) {
    const auto& [from, to, kind] = key;
    const EdgeKindInfo& info = resource::edge_kind(kind);
    const std::string label = line.first == 1 ? std::string(info.text) : fmt::format("{} x{}", info.text, line.first);
    print(fmt::format("  n{} -> n{} [label={}, style={}, color={}];\n", from, to, dot_text(label),
                      info.counted ? "solid" : "dashed", line.second ? "red" : "black"));
  }
  print("}\n");
}

}  // namespace assay::tools
