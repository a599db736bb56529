#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "parsers/resource/reach.h"
#include "parsers/resource/resource_test_support.h"
#include "synth/corpus.h"
#include "synth/game_parts.h"
#include "synth/memory_store.h"

// What a mission refers to besides what is placed in it, and how files are found.
namespace assay::resource {
namespace {

using ::testing::IsEmpty;

constexpr const char* kMission = "MISSIONS/Single.01/data.tma";

// The synthetic game folder in memory, whose first mission is looked at.
class GraphMissionTest : public ::testing::Test {
 protected:
  GraphMissionTest() {
    for (const synth::CorpusFile& file : synth::make_game_corpus(1)) {
      store_.put(file.path, file.bytes);
    }
  }

  Graph build() {
    Archives archives(tree_, {.rules = RuleSet::compatible()});
    auto graph = build_graph(archives);
    EXPECT_TRUE(graph) << graph.error().message();
    return graph ? *std::move(graph) : Graph{};
  }
  static std::size_t find_mission(const Graph& graph) {
    const auto node = std::ranges::find(graph.nodes, kMission, &Node::file);
    EXPECT_NE(node, graph.nodes.end());
    return node == graph.nodes.end() ? Graph::kGameNode : static_cast<std::size_t>(node - graph.nodes.begin());
  }

  synth::MemoryStore store_;
  FileTree tree_{{&store_}};
};

TEST_F(GraphMissionTest, AClanWithoutScriptsAsksForNone) {
  store_.put(kMission, synth::make_mission({.land_path = "DATA\\MAPS\\Map_1\\land", .objects = {"s_tree_04"}}));
  Graph graph = build();
  const std::vector<std::size_t> missions{find_mission(graph)};
  const Reach found = reach(graph, missions);
  const auto requests = [&](EdgeKind kind) { return found.totals[static_cast<std::size_t>(kind)].requests; };
  EXPECT_EQ(requests(EdgeKind::kMissionPrototype), 1U);
  EXPECT_EQ(requests(EdgeKind::kMissionScript), 0U);
  EXPECT_EQ(requests(EdgeKind::kMissionTree), 0U);
  EXPECT_THAT(found.failures, IsEmpty());
  EXPECT_THAT(found.notes, IsEmpty());
}

TEST_F(GraphMissionTest, AFileWithTwoSpellingsIsAmbiguousAndNotUnreadable) {
  store_.put("UNITS/BUILDS/FORT.DAT", synth::make_unit(1, {"s_tree_04"}));
  const Graph graph = build();
  const auto& edges = graph.nodes[find_mission(graph)].edges;
  const auto edge = std::ranges::find_if(
      edges, [&](std::size_t index) { return folded(graph.edges[index].raw) == "units\\builds\\fort.dat"; });
  ASSERT_NE(edge, edges.end());
  const GraphFinding* failure = graph.failure_of(graph.edges[*edge]);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(code_text(failure->code), "ambiguous_path");
  EXPECT_FALSE(failure->cause.has_value());
}

}  // namespace
}  // namespace assay::resource
