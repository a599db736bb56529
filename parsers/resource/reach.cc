#include "parsers/resource/reach.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <set>

namespace assay::resource {
namespace {

std::uint64_t saturating_sum(std::uint64_t left, std::uint64_t right) {
  return left > std::numeric_limits<std::uint64_t>::max() - right ? std::numeric_limits<std::uint64_t>::max()
                                                                  : left + right;
}

void add(EdgeTotals& sum, const EdgeTotals& more) {
  for (std::size_t kind = 0; kind < kEdgeKinds; ++kind) {
    sum[kind].requests = saturating_sum(sum[kind].requests, more[kind].requests);
    sum[kind].failed = saturating_sum(sum[kind].failed, more[kind].failed);
  }
}

// How a node is walked: whole, or, where it is the parent of what asked for it, only for its own parents, since all its
// references are in the list of the child.
enum class Mode : std::uint8_t { kWhole, kParents };

struct Visit {
  std::size_t node = 0;
  Mode mode = Mode::kWhole;
};

// Whether an edge beside the chain leads to something that belongs into it. What lies there is counted where the chain
// itself leads to it: a prototype names the table of its mesh a second time. The tables of the environment are the
// exception (docs/formats/decisions.md, 20).
bool leaves_chain(const Graph& graph, const Edge& edge) {
  const NodeKind target = graph.nodes[edge.to].kind;
  const bool is_in_chain = target == NodeKind::kUnit || target == NodeKind::kPrototype || target == NodeKind::kMesh ||
                           target == NodeKind::kWear || target == NodeKind::kMaterial;
  return is_in_chain && !edge_kind(edge.kind).counted && edge.kind != EdgeKind::kMissionWear;
}

bool may_follow(const Graph& graph, const Edge& edge) {
  return !leaves_chain(graph, edge) && graph.nodes[edge.to].exists &&
         // Inheritance that failed here is told here, with the way to its cause.
         (edge.kind != EdgeKind::kPrototypeParent || graph.failure_of(edge) == nullptr);
}

// Numbers the nodes so that two have one number where each can be reached from the other (Tarjan's algorithm, with a
// stack of its own because graphs are deep).
class Cycles {
 public:
  explicit Cycles(const Graph& graph) : graph_(graph), order_(graph.nodes.size()), number_(graph.nodes.size()) {}

  std::vector<std::size_t> run() {
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      if (order_[node] == 0) {
        open(node);
      }
      while (!frames_.empty()) {
        step();
      }
    }
    return std::move(number_);
  }

 private:
  struct Frame {
    std::size_t node = 0;
    std::size_t next = 0;
    // The first in order that is reached from here and still open.
    std::size_t lowest = 0;
  };

  void open(std::size_t node) {
    order_[node] = ++count_;
    open_.push_back(node);
    frames_.push_back({.node = node, .lowest = count_});
  }

  void step() {
    Frame& frame = frames_.back();
    const auto& edges = graph_.nodes[frame.node].edges;
    if (frame.next == edges.size()) {
      return close();
    }
    const Edge& edge = graph_.edges[edges[frame.next++]];
    if (!may_follow(graph_, edge)) {
      return;
    }
    if (order_[edge.to] == 0) {
      open(edge.to);
    } else if (number_[edge.to] == 0) {
      frame.lowest = std::min(frame.lowest, order_[edge.to]);
    }
  }

  void close() {
    const Frame closed = frames_.back();
    frames_.pop_back();
    if (!frames_.empty()) {
      frames_.back().lowest = std::min(frames_.back().lowest, closed.lowest);
    }
    if (closed.lowest != order_[closed.node]) {
      return;
    }
    // Everything that was opened since then is in one cycle with it. Numbers count from 1.
    for (bool is_last = false; !is_last;) {
      is_last = open_.back() == closed.node;
      number_[open_.back()] = order_[closed.node];
      open_.pop_back();
    }
  }

  const Graph& graph_;
  // Where in the order of finding a node stands; 0: not found yet. And its number; 0: still open.
  std::vector<std::size_t> order_;
  std::vector<std::size_t> number_;
  std::size_t count_ = 0;
  std::vector<std::size_t> open_;
  std::vector<Frame> frames_;
};

std::vector<std::size_t> cycles_of(const Graph& graph) {
  return Cycles(graph).run();
}

// Walks the edges of a graph below nodes, once a node and mode.
class Walker {
 public:
  explicit Walker(const Graph& graph)
      : graph_(graph), cycles_(cycles_of(graph)), state_(graph.nodes.size() * 2), totals_(graph.nodes.size() * 2) {}

  // What lies below `start`, each use counted. Edges inside a cycle count but are not followed, so that what lies below
  // a node does not depend on where a walk came from.
  EdgeTotals totals_below(Visit start) {
    push(start);
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      const auto& edges = graph_.nodes[frame.visit.node].edges;
      if (frame.next == edges.size()) {
        state_[slot(frame.visit)] = State::kDone;
        stack_.pop_back();
        continue;
      }
      walk_edge(frame, graph_.edges[edges[frame.next]]);
    }
    return known_totals(start);
  }

  // The visit that an edge leads to, or nothing where it is not followed.
  std::optional<Visit> next(const Visit& from, const Edge& edge) const {
    const bool is_parent = edge.kind == EdgeKind::kPrototypeParent;
    if (!may_follow(graph_, edge) || (from.mode == Mode::kParents && !is_parent) ||
        cycles_[edge.from] == cycles_[edge.to]) {
      return std::nullopt;
    }
    return Visit{edge.to, is_parent ? Mode::kParents : Mode::kWhole};
  }
  // Whether the node was walked whole, so that each of its edges was counted.
  bool has_walked(std::size_t node) const { return state_[slot({node, Mode::kWhole})] != State::kNew; }
  bool counts(const Visit& from, const Edge& edge) const {
    return from.mode == Mode::kWhole || edge.kind == EdgeKind::kPrototypeParent;
  }
  // Of a visit that was walked.
  EdgeTotals known_totals(const Visit& visit) const {
    const auto& totals = totals_[slot(visit)];
    return totals == nullptr ? EdgeTotals{} : *totals;
  }

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  struct Frame {
    Visit visit;
    std::size_t next = 0;
  };

  static std::size_t slot(const Visit& visit) { return visit.node * 2 + (visit.mode == Mode::kParents ? 1 : 0); }

  void push(const Visit& visit) {
    if (state_[slot(visit)] == State::kNew) {
      state_[slot(visit)] = State::kOpen;
      stack_.push_back({visit});
      if (!graph_.nodes[visit.node].edges.empty()) {
        totals_[slot(visit)] = std::make_unique<EdgeTotals>();
      }
    }
  }

  // Counts the edge if what it leads to is known, else walks that first.
  void walk_edge(Frame& frame, const Edge& edge) {
    const Visit from = frame.visit;
    const auto target = next(from, edge);
    if (target && state_[slot(*target)] == State::kNew) {
      push(*target);
      return;
    }
    ++frame.next;
    EdgeTotals& totals = *totals_[slot(from)];
    if (counts(from, edge)) {
      EdgeTotal& total = totals[static_cast<std::size_t>(edge.kind)];
      total.requests = saturating_sum(total.requests, 1);
      total.failed = saturating_sum(total.failed, graph_.failure_of(edge) != nullptr ? 1 : 0);
    }
    if (target && state_[slot(*target)] == State::kDone) {
      add(totals, known_totals(*target));
    }
  }

  const Graph& graph_;
  std::vector<std::size_t> cycles_;
  std::vector<State> state_;
  // Most nodes are leaves, which have none.
  std::vector<std::unique_ptr<EdgeTotals>> totals_;
  std::vector<Frame> stack_;
};

// Lists the failures below one mission, use by use, and goes only where there are some that a list has room for: since
// no walk goes round a cycle, each way it takes ends in a record.
class Collector {
 public:
  Collector(const Graph& graph, const Walker& walker, const ReachOptions& options, Reach& result)
      : graph_(graph), walker_(walker), options_(options), result_(result) {}

  void collect(std::size_t mission) {
    mission_ = mission;
    push({mission, Mode::kWhole});
    while (!stack_.empty() && !is_full()) {
      Frame& frame = stack_.back();
      const auto& edges = graph_.nodes[frame.visit.node].edges;
      if (frame.next == edges.size()) {
        pop();
      } else {
        follow(frame.visit, edges[frame.next++]);
      }
    }
    while (!stack_.empty()) {
      pop();
    }
  }

 private:
  struct Frame {
    Visit visit;
    std::size_t next = 0;
  };

  bool has_room(bool required) const {
    return (required ? result_.failures : result_.notes).size() < options_.max_records;
  }
  bool is_full() const { return !has_room(true) && !has_room(false); }
  bool has_failures_to_list(const EdgeTotals& totals) const {
    return std::ranges::any_of(edge_kinds(), [&](const EdgeKindInfo& info) {
      return totals[static_cast<std::size_t>(info.kind)].failed != 0 && has_room(info.required);
    });
  }

  void push(const Visit& visit) { stack_.push_back({visit}); }
  void pop() {
    stack_.pop_back();
    if (!chain_.empty()) {
      chain_.pop_back();
    }
  }

  void follow(Visit from, std::size_t index) {
    const Edge& edge = graph_.edges[index];
    const GraphFinding* failure = graph_.failure_of(edge);
    if (failure != nullptr && walker_.counts(from, edge)) {
      record(index, edge, *failure);
    }
    const auto target = walker_.next(from, edge);
    if (target && has_failures_to_list(walker_.known_totals(*target))) {
      chain_.push_back(index);
      push(*target);
    }
  }

  void record(std::size_t index, const Edge& edge, const GraphFinding& failure) {
    const bool required = edge_kind(edge.kind).required;
    if (!has_room(required)) {
      return;
    }
    FailureRecord found{.mission = mission_, .chain = chain_, .finding = failure, .required = required};
    found.chain.push_back(index);
    found.root = graph_.edges[found.chain.front()].index;
    (required ? result_.failures : result_.notes).push_back(std::move(found));
  }

  const Graph& graph_;
  const Walker& walker_;
  const ReachOptions& options_;
  Reach& result_;
  std::vector<Frame> stack_;
  std::vector<std::size_t> chain_;
  std::size_t mission_ = 0;
};

void count_rules(const std::vector<GraphFinding>& findings, Reach& result) {
  for (const GraphFinding& finding : findings) {
    if (finding.rule) {
      auto& [applied, refused] = result.rules[*finding.rule];
      ++(finding.applied ? applied : refused);
    }
  }
}

void mark(Graph& graph, std::span<const std::size_t> missions, Reach& result) {
  std::vector<std::size_t> waiting;
  const auto arrive = [&](std::size_t index) {
    if (!graph.nodes[index].is_reached) {
      graph.nodes[index].is_reached = true;
      ++result.reached_nodes;
      count_rules(graph.nodes[index].findings, result);
      waiting.push_back(index);
    }
  };
  std::ranges::for_each(missions, arrive);
  while (!waiting.empty()) {
    const std::size_t node = waiting.back();
    waiting.pop_back();
    for (const std::size_t index : graph.nodes[node].edges) {
      ++result.reached_edges;
      count_rules(graph.edges[index].findings, result);
      arrive(graph.edges[index].to);
    }
  }
}

// A mission that cannot be read fails by itself.
void check_mission(const Graph& graph, std::size_t mission, const ReachOptions& options, Reach& result) {
  for (const GraphFinding& finding : graph.nodes[mission].findings) {
    if (finding.fails()) {
      if (result.failures.size() < options.max_records) {
        result.failures.push_back({.mission = mission, .finding = finding, .required = true});
      }
      ++result.failure_count;
      return;
    }
  }
}

void count_failures(Reach& result) {
  for (const EdgeKindInfo& info : edge_kinds()) {
    std::uint64_t& count = info.required ? result.failure_count : result.note_count;
    count = saturating_sum(count, result.totals[static_cast<std::size_t>(info.kind)].failed);
  }
}

// References that stand in the prototype itself; what it inherits is counted where it stands. One that leads to a mesh
// beside an outline counts once.
void count_references(const Graph& graph, const Node& node, Health& health) {
  std::set<std::string_view> counted;
  for (const std::size_t index : node.edges) {
    const Edge& edge = graph.edges[index];
    const bool is_own = edge.kind == EdgeKind::kPrototypeParent || edge.origin.starts_with(node.entry + '[');
    if (is_own && (edge.origin.empty() || counted.insert(edge.origin).second)) {
      ++health.references;
      health.missing_references += graph.nodes[edge.to].exists ? 0U : 1U;
    }
  }
}

void count_prototype(const Graph& graph, const Node& node, Health& health) {
  ++health.prototypes;
  ++health.states[static_cast<std::size_t>(*node.state)];
  health.may_lack_mesh += node.may_lack_mesh ? 1U : 0U;
  count_references(graph, node, health);
}

}  // namespace

std::uint64_t Reach::prototype_requests() const {
  return saturating_sum(totals[static_cast<std::size_t>(EdgeKind::kMissionPrototype)].requests,
                        totals[static_cast<std::size_t>(EdgeKind::kUnitComponent)].requests);
}

Reach reach(Graph& graph, std::span<const std::size_t> missions, const ReachOptions& options) {
  Reach result;
  mark(graph, missions, result);
  Walker walker(graph);
  Collector collector(graph, walker, options, result);
  for (const std::size_t mission : missions) {
    check_mission(graph, mission, options, result);
    add(result.totals, walker.totals_below({mission, Mode::kWhole}));
    collector.collect(mission);
  }
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    graph.nodes[node].is_needed = walker.has_walked(node);
  }
  count_failures(result);
  return result;
}

Health health_of(const Graph& graph) {
  Health health;
  for (const Node& node : graph.nodes) {
    if (node.state && node.exists) {
      count_prototype(graph, node, health);
    }
  }
  for (std::size_t index = 0; index < graph.edges.size(); ++index) {
    const Edge& edge = graph.edges[index];
    // What leads from the folder itself to a chosen mission is told with that.
    const bool is_told =
        graph.nodes[edge.from].is_needed || (edge.from == Graph::kGameNode && graph.nodes[edge.to].is_reached);
    if (!is_told && graph.failure_of(edge) != nullptr) {
      health.unneeded_failures.push_back(index);
    }
  }
  return health;
}

}  // namespace assay::resource
