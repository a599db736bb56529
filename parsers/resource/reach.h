#pragma once

#include "parsers/resource/graph.h"

// What a mission needs, and what of the registry is sound (docs/graph.md, "Totals" and "Health").
namespace assay::resource {

// How often edges of one kind were asked for, each use counted, and how many of the requests failed.
struct EdgeTotal {
  std::uint64_t requests = 0;
  std::uint64_t failed = 0;

  [[nodiscard]] std::uint64_t resolved() const { return requests - failed; }
  friend bool operator==(const EdgeTotal&, const EdgeTotal&) = default;
};
// By EdgeKind. Sums stop at the largest number instead of wrapping.
using EdgeTotals = std::array<EdgeTotal, kEdgeKinds>;

// One request that failed.
struct FailureRecord {
  // The mission, and which of its edges led here: the placed object's index where its kind is mission_unit or
  // mission_prototype. Without a root: the mission itself cannot be read.
  std::size_t mission = 0;
  std::optional<std::size_t> root{};
  // The edges from the mission to what failed; the last one is the one that failed.
  std::vector<std::size_t> chain{};
  GraphFinding finding{};
  bool required = false;
};

// What the chosen missions lead to.
struct Reach {
  EdgeTotals totals{};
  // In the order of the missions and their references. Required ones and others apart; each list is cut at
  // ReachOptions::max_records.
  std::vector<FailureRecord> failures{};
  std::vector<FailureRecord> notes{};
  std::uint64_t failure_count = 0;
  std::uint64_t note_count = 0;
  std::size_t reached_nodes = 0;
  std::size_t reached_edges = 0;
  // How often each rule was applied and refused on the way, each reached node and edge counted once.
  std::map<RuleId, std::pair<std::uint64_t, std::uint64_t>> rules{};

  [[nodiscard]] bool succeeded() const { return failure_count == 0; }
  // Requests for prototypes, of missions and of units.
  [[nodiscard]] std::uint64_t prototype_requests() const;
};

struct ReachOptions {
  std::size_t max_records = 10'000;
};

// Walks from `missions`, marks what they reach in `graph`, counts and collects. Cost: O(nodes + edges) for marks and
// totals, and O(length) a record.
[[nodiscard]] Reach reach(Graph& graph, std::span<const std::size_t> missions, const ReachOptions& options = {});

// The state of the registry as a whole, whatever reaches it.
struct Health {
  // Prototypes by PrototypeState.
  std::array<std::uint64_t, 8> states{};
  std::uint64_t prototypes = 0;
  // Those without a mesh whose class needs none.
  std::uint64_t may_lack_mesh = 0;
  // Edges that fail and that no chosen mission needs.
  std::vector<std::size_t> unneeded_failures{};
  // References that stand in the registry, and those whose target does not exist.
  std::uint64_t references = 0;
  std::uint64_t missing_references = 0;

  [[nodiscard]] std::uint64_t count(PrototypeState state) const { return states[static_cast<std::size_t>(state)]; }
};

// Requires: reach() has marked the graph. Cost: O(nodes + edges).
[[nodiscard]] Health health_of(const Graph& graph);

}  // namespace assay::resource
