#include "parsers/resource/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "parsers/base/byte_writer.h"
#include "parsers/formats/nres/nres.h"
#include "parsers/formats/unit_dat/unit_dat.h"
#include "parsers/resource/edit_script.h"
#include "parsers/resource/reach.h"
#include "parsers/resource/resource_test_support.h"
#include "synth/corpus.h"
#include "synth/game_parts.h"
#include "synth/memory_store.h"

namespace assay::resource {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kFirst = "MISSIONS/Single.01/data.tma";
constexpr const char* kSecond = "MISSIONS/Single.02/data.tma";

// The synthetic game folder in memory, and what becomes of changes to it.
class GraphTest : public ::testing::Test {
 protected:
  GraphTest() {
    for (const synth::CorpusFile& file : files_) {
      store_.put(file.path, file.bytes);
    }
  }

  Graph build(const RuleSet& rules = RuleSet::compatible()) {
    Archives archives(tree_, {.rules = rules});
    auto graph = build_graph(archives);
    EXPECT_TRUE(graph) << graph.error().message();
    return graph ? *std::move(graph) : Graph{};
  }
  static std::size_t find(const Graph& graph, std::string_view file, std::string_view entry = "") {
    for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
      if (graph.nodes[index].file == file && graph.nodes[index].entry == entry) {
        return index;
      }
    }
    ADD_FAILURE() << "no node " << file << "::" << entry;
    return Graph::kGameNode;
  }
  static Reach reach_from(Graph& graph, const std::string& mission, const ReachOptions& options = {}) {
    const std::vector<std::size_t> missions{find(graph, mission)};
    return reach(graph, missions, options);
  }
  static std::vector<std::string> edges_of(const Graph& graph, std::size_t node) {
    std::vector<std::string> texts;
    for (const std::size_t index : graph.nodes[node].edges) {
      const Edge& edge = graph.edges[index];
      texts.push_back(std::string(edge_kind(edge.kind).text) + '[' + std::to_string(edge.index) + "] " +
                      graph.nodes[edge.to].file + "::" + graph.nodes[edge.to].entry);
    }
    return texts;
  }
  // "KIND REQUESTS" or "KIND REQUESTS FAILED", as far as anything was asked for.
  static std::vector<std::string> totals_of(const Reach& reach, bool counted) {
    std::vector<std::string> texts;
    for (const EdgeKindInfo& info : edge_kinds()) {
      const EdgeTotal& total = reach.totals[static_cast<std::size_t>(info.kind)];
      if (info.counted == counted && total.requests != 0) {
        texts.push_back(std::string(info.text) + ' ' + std::to_string(total.requests) +
                        (total.failed == 0 ? "" : ' ' + std::to_string(total.failed)));
      }
    }
    return texts;
  }
  // "CODE: RAW > RAW (DETAIL)".
  static std::vector<std::string> texts_of(const Graph& graph, const std::vector<FailureRecord>& records) {
    std::vector<std::string> texts;
    for (const FailureRecord& record : records) {
      std::string text = std::string(code_text(record.finding.code)) + ':';
      for (const std::size_t index : record.chain) {
        text += ' ' + graph.edges[index].raw;
      }
      texts.push_back(record.finding.detail.empty() ? text : text + " (" + record.finding.detail + ')');
    }
    return texts;
  }
  static const Edge& edge_between(const Graph& graph, EdgeKind kind, std::size_t from, std::size_t index = 0) {
    for (const std::size_t edge : graph.nodes[from].edges) {
      if (graph.edges[edge].kind == kind && graph.edges[edge].index == index) {
        return graph.edges[edge];
      }
    }
    ADD_FAILURE() << "no such edge";
    return graph.edges.front();
  }

  const std::vector<synth::CorpusFile> files_ = synth::make_game_corpus(1);
  synth::MemoryStore store_;
  FileTree tree_{{&store_}};
};

TEST_F(GraphTest, EveryReferenceIsAnEdge) {
  const Graph graph = build();
  EXPECT_THAT(
      edges_of(graph, find(graph, "objects.rlb", "r_h_01")),
      ElementsAre("prototype_mesh[0] bases.rlb::r_h_01.msh", "prototype_wear[1] bases.rlb::r_h_01.wea",
                  "prototype_points[2] bases.rlb::r_h_01.cpt", "prototype_damage[3] bases.rlb::r_h_01.ndp",
                  "prototype_controller[4] bases.rlb::r_h_01.ctl", "prototype_behaviour[5] behpsp.res::r_h_01.var"));
  EXPECT_THAT(edges_of(graph, find(graph, "objects.rlb", "fr_l_01")),
              ElementsAre("prototype_parent[0] objects.rlb::fr_base", "prototype_mesh[0] fortif.rlb::fr_base.msh",
                          "prototype_wear[1] fortif.rlb::fr_base.wea", "prototype_base[2] fortif.rlb::fr_l_01.bas"));
  EXPECT_THAT(edges_of(graph, find(graph, "bases.rlb", "r_h_01.ndp")),
              ElementsAre("damage_explosion[0] bases.rlb::boom.exp", "damage_explosion[1] system.rlb::bang.exp"));
  EXPECT_THAT(edges_of(graph, find(graph, "bases.rlb", "boom.exp")),
              ElementsAre("explosion_effect[0] effects.rlb::fx_boom"));
  EXPECT_THAT(
      edges_of(graph, find(graph, "bases.rlb", "r_h_01.ctl")),
      ElementsAre("controller_component[0] effects.rlb::fx_engine", "controller_group[0] effects.rlb::fx_step"));
  EXPECT_THAT(edges_of(graph, find(graph, "Material.lib", "M_HULL")),
              ElementsAre("material_texture[0] Textures.lib::hull.0", "material_texture[2] Textures.lib::hull_lit.0"));
  EXPECT_THAT(
      edges_of(graph, find(graph, kFirst)),
      ElementsAre("mission_unit[0] UNITS/UNITS/HERO/hero.dat::", "mission_unit[1] UNITS/BUILDS/fort.dat::",
                  "mission_prototype[2] objects.rlb::s_tree_04", "mission_prototype[3] objects.rlb::s_tree_04",
                  "mission_prototype[4] objects.rlb::sun_01", "mission_script[0] MISSIONS/SCRIPTS/player.scr::",
                  "mission_tree[0] MISSIONS/SCRIPTS/auto.trf::", "mission_terrain[0] DATA/MAPS/Map_1/Land.msh::",
                  "mission_map[0] DATA/MAPS/Map_1/Land.map::", "mission_wear[0] DATA/MAPS/Map_1/Land1.wea::",
                  "mission_wear[1] DATA/MAPS/Map_1/Land2.wea::", "mission_wear[2] MISSIONS/Single.01/sky.wea::",
                  "mission_sky[0] MISSIONS/Single.01/sky.ske::", "mission_text[0] MISSIONS/Single.01/mission.cfg::",
                  "mission_text[1] MISSIONS/Single.01/descr::", "mission_text[2] MISSIONS/Single.01/Mistips.mis::"));
}

TEST_F(GraphTest, SaysWhereAReferenceIsInheritedFrom) {
  const Graph graph = build();
  const std::size_t fort = find(graph, "objects.rlb", "fr_l_01");
  EXPECT_EQ(edge_between(graph, EdgeKind::kPrototypeMesh, fort, 0).origin, "fr_base[0]");
  EXPECT_EQ(edge_between(graph, EdgeKind::kPrototypeBase, fort, 2).origin, "fr_l_01[1]");
}

TEST_F(GraphTest, CountsEveryUse) {
  Graph graph = build();
  const Reach first = reach_from(graph, kFirst);
  // Rows of the tables: r_h_01 2, two engines 1 each, two trees 1 each, the fort 1; the environment 2, 1 and 1.
  EXPECT_THAT(totals_of(first, true), ElementsAre("mission_unit 2", "mission_prototype 3", "unit_component 4",
                                                  "prototype_parent 1", "prototype_mesh 6", "mesh_wear 6",
                                                  "wear_material 11", "material_texture 13", "wear_lightmap 1"));
  EXPECT_EQ(first.prototype_requests(), 7U);
  EXPECT_THAT(totals_of(first, false),
              ElementsAre("mission_terrain 1", "mission_map 1", "mission_wear 3", "mission_sky 1", "mission_script 1",
                          "mission_tree 1", "mission_text 3", "prototype_wear 6", "prototype_points 1",
                          "prototype_damage 1", "prototype_controller 1", "prototype_base 1", "prototype_behaviour 1",
                          "prototype_effect 1", "prototype_resource 1", "damage_explosion 2", "explosion_effect 2",
                          "controller_component 1", "controller_group 1"));
  EXPECT_TRUE(first.succeeded());
  EXPECT_THAT(first.failures, IsEmpty());
  EXPECT_THAT(first.notes, IsEmpty());
  EXPECT_THAT(first.rules, IsEmpty());
}

TEST_F(GraphTest, NamesEachFailureWithTheWayToIt) {
  Graph graph = build();
  const Reach second = reach_from(graph, kSecond);
  EXPECT_THAT(totals_of(second, true), ElementsAre("mission_unit 4 2", "mission_prototype 9 1", "unit_component 5 1",
                                                   "prototype_parent 2 2", "prototype_mesh 10 1", "mesh_wear 9 1",
                                                   "wear_material 12", "material_texture 12 1", "wear_lightmap 2 1"));
  EXPECT_FALSE(second.succeeded());
  EXPECT_EQ(second.failure_count, 12U);
  EXPECT_THAT(
      texts_of(graph, second.failures),
      ElementsAre(
          "unresolved_prototype: UNITS\\UNITS\\x_bad.dat x_unknown", "missing_file: UNITS\\x_gone.dat",
          "invalid_path: ..\\x_out.dat", "inheritance_cycle: x_cycle_a x_cycle_b (x_cycle_a -> x_cycle_b -> x_cycle_a)",
          "missing_parent: x_orphan x_nobody (x_orphan -> x_nobody)",
          "broken_reference: x_broken x_gone.msh (static.rlb::x_gone.msh (missing_entry), nowhere.rlb::x_gone.msh "
          "(missing_file))",
          "missing_texture: x_bare x_bare.msh x_bare.wea M_TORN torn.0",
          "missing_lightmap: x_bare x_bare.msh x_bare.wea lm_gone", "missing_entry: x_worn x_worn.msh x_worn.wea",
          "unresolved_prototype: x_unknown", "missing_file: DATA\\MAPS\\Map_2\\land.msh",
          "missing_file: DATA\\MAPS\\Map_2\\land.map"));
  EXPECT_EQ(second.failures[3].root, 7U);
  EXPECT_THAT(texts_of(graph, second.notes),
              ElementsAre("missing_entry: x_spare x_gone.msh", "missing_file: x_broken x_gone.msh",
                          "missing_entry: x_bare x_gone.ctl", "missing_file: DATA\\MAPS\\Map_2\\land1.wea",
                          "missing_file: DATA\\MAPS\\Map_2\\land2.wea"));
  using Uses = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_THAT(second.rules, ElementsAre(std::pair(RuleId::kRegistryKeySuffix, Uses(1, 0)),
                                        std::pair(RuleId::kBasStemMesh, Uses(1, 0)),
                                        std::pair(RuleId::kMaterialFallback, Uses(1, 0))));
}

TEST_F(GraphTest, MarksWhatTheMissionReaches) {
  Graph graph = build();
  const Reach first = reach_from(graph, kFirst);
  EXPECT_TRUE(graph.nodes[find(graph, "Textures.lib", "hull.0")].is_reached);
  EXPECT_TRUE(graph.nodes[find(graph, "objects.rlb", "fr_base")].is_reached);
  EXPECT_FALSE(graph.nodes[find(graph, kSecond)].is_reached);
  EXPECT_FALSE(graph.nodes[find(graph, "objects.rlb", "x_lost")].is_reached);
  EXPECT_FALSE(graph.nodes[find(graph, "static.rlb", "x_bare.msh")].is_reached);
  const auto marked = std::ranges::count_if(graph.nodes, [](const Node& node) { return node.is_reached; });
  EXPECT_EQ(static_cast<std::size_t>(marked), first.reached_nodes);
}

TEST_F(GraphTest, HealthIsApartFromWhatAMissionNeeds) {
  Graph graph = build();
  static_cast<void>(reach_from(graph, kSecond));
  const Health health = health_of(graph);
  EXPECT_EQ(health.prototypes, 16U);
  EXPECT_EQ(health.count(PrototypeState::kMesh), 9U);
  EXPECT_EQ(health.count(PrototypeState::kNonGeometric), 2U);
  EXPECT_EQ(health.count(PrototypeState::kBrokenReference), 2U);
  EXPECT_EQ(health.count(PrototypeState::kCycle), 2U);
  EXPECT_EQ(health.count(PrototypeState::kMissingParent), 1U);
  EXPECT_EQ(health.may_lack_mesh, 1U);
  EXPECT_EQ(health.references, 30U);
  EXPECT_EQ(health.missing_references, 6U);
  std::vector<std::string> unneeded;
  for (const std::size_t index : health.unneeded_failures) {
    unneeded.push_back(graph.edges[index].raw);
  }
  // The second cycle starts at a prototype that the mission does not ask for.
  EXPECT_THAT(unneeded, ElementsAre("x_cycle_a", "x_lost.msh", "x_nothing"));
  static_cast<void>(reach_from(graph, kFirst));
  EXPECT_GT(health_of(graph).unneeded_failures.size(), unneeded.size());
}

// Equal keys are legal, and a lookup finds the first.
TEST_F(GraphTest, SaysOfAKeyThatIsThereTwiceThatOneIsNeverFound) {
  const auto registry = std::ranges::find(files_, "objects.rlb", &synth::CorpusFile::path);
  ASSERT_NE(registry, files_.end());
  const EditStep add{.kind = EditStep::Kind::kAdd, .target = {}, .name = "FR_Base"};
  std::size_t failed = 0;
  store_.put("objects.rlb", apply_edits(registry->bytes, {.rules = {}}, std::span(&add, 1), false, failed)->bytes);
  const Graph graph = build();
  std::vector<std::string> shadowing;
  for (const Node& node : graph.nodes) {
    for (const GraphFinding& finding : node.findings) {
      if (finding.detail.contains("twice")) {
        EXPECT_EQ(finding.severity, Severity::kNote);
        shadowing.push_back(node.file + "::" + node.entry);
      }
    }
  }
  EXPECT_THAT(shadowing, ElementsAre("objects.rlb::fr_base"));
}

TEST_F(GraphTest, InStrictWhatARuleCoversFailsAndNamesTheRule) {
  Graph graph = build(RuleSet::strict());
  EXPECT_TRUE(reach_from(graph, kFirst).succeeded());
  const Reach second = reach_from(graph, kSecond);
  std::vector<std::string> refused;
  for (const FailureRecord& record : second.failures) {
    if (record.finding.rule) {
      refused.push_back(std::string(rule(*record.finding.rule).name) + ": " + graph.edges[record.chain.back()].raw);
    }
  }
  EXPECT_THAT(refused,
              ElementsAre("registry_key_suffix: s_tree_04.msh", "bas_stem_mesh: fr_old", "material_fallback: M_NONE"));
}

// Writes over one byte of a model's only batch.
Buffer with_batch_byte(Bytes archive, std::string_view model, std::size_t offset, std::uint8_t value) {
  Findings findings;
  const auto outer = *nres::Archive::parse(archive, {}, findings);
  const Bytes payload = outer.payload(*outer.find(as_bytes(model)));
  const auto inner = *nres::Archive::parse(payload, {}, findings);
  for (std::size_t index = 0; index < inner.entries().size(); ++index) {
    if (inner.entries()[index].type_id == 13) {
      Buffer changed(archive.begin(), archive.end());
      changed[static_cast<std::size_t>(inner.payload(index).data() - archive.data()) + offset] = value;
      return changed;
    }
  }
  ADD_FAILURE() << "no batches";
  return {};
}

TEST_F(GraphTest, BatchesSelectRowsOfTheTable) {
  struct Case {
    std::size_t offset;
    std::uint8_t value;
    const char* detail;
  };
  const Buffer sound(store_.read("fortif.rlb")->bytes.begin(), store_.read("fortif.rlb")->bytes.end());
  for (const Case& row :
       {Case{4, 0, nullptr}, Case{4, 1, "batch[0].material_index is 1, the table has 1 rows"}, Case{5, 0, nullptr},
        Case{5, 1, "batch[0].lightmap_index is 1, the table has 1 rows"}, Case{5, 255, nullptr}}) {
    store_.put("fortif.rlb", with_batch_byte(sound, "fr_base.msh", row.offset, row.value));
    Graph graph = build();
    const Edge& edge = edge_between(graph, EdgeKind::kMeshWear, find(graph, "fortif.rlb", "fr_base.msh"));
    const GraphFinding* failure = graph.failure_of(edge);
    ASSERT_EQ(failure == nullptr, row.detail == nullptr) << row.offset << ' ' << int{row.value};
    if (failure != nullptr) {
      EXPECT_EQ(failure->code, Code::kIndexOutOfRange);
      EXPECT_EQ(failure->detail, row.detail);
    }
    EXPECT_EQ(reach_from(graph, kFirst).failure_count, row.detail == nullptr ? 0U : 1U);
  }
}

TEST_F(GraphTest, AMissionThatCannotBeReadFailsAloneAndOthersGoOn) {
  store_.put(kSecond, bytes_of("no mission"));
  Graph graph = build();
  const Reach both = reach(graph, graph.nodes_of(NodeKind::kMission));
  EXPECT_EQ(both.prototype_requests(), 7U);
  ASSERT_EQ(both.failures.size(), 1U);
  EXPECT_EQ(both.failure_count, 1U);
  EXPECT_EQ(both.failures[0].finding.code, Code::kUnreadableResource);
  EXPECT_THAT(both.failures[0].chain, IsEmpty());
  EXPECT_TRUE(reach_from(graph, kFirst).succeeded());
}

TEST_F(GraphTest, WhatCannotBeReadFailsWhereItIsAskedFor) {
  store_.put("UNITS/BUILDS/fort.dat", bytes_of("no unit at all"));
  store_.put("DATA/MAPS/Map_1/Land2.wea", bytes_of("x"));
  Graph graph = build();
  const Reach first = reach_from(graph, kFirst);
  ASSERT_EQ(first.failures.size(), 1U);
  EXPECT_EQ(graph.edges[first.failures[0].chain.back()].kind, EdgeKind::kMissionUnit);
  const GraphFinding& finding = first.failures[0].finding;
  ASSERT_TRUE(finding.cause);
  EXPECT_EQ(code_text(finding.cause->code), "invalid_magic");
  EXPECT_EQ(finding.cause->field.to_text(), "header.magic");
  EXPECT_EQ(finding.cause->offset, 0U);
  ASSERT_EQ(first.notes.size(), 1U);
  EXPECT_EQ(first.notes[0].finding.code, Code::kUnreadableResource);
}

TEST_F(GraphTest, AnArchiveThatIsNotTheRegistryIsAskedForTheMesh) {
  ByteWriter writer;
  unit_dat::kHeaderRecord.write({}, writer.grow(unit_dat::kHeaderRecord.size_bytes));
  unit_dat::kComponentRecord.write({.archive_name = FixedString<32>::from_text(as_bytes("bases.rlb")),
                                    .resource_name = FixedString<32>::from_text(as_bytes("i_engine.msh"))},
                                   writer.grow(unit_dat::kComponentRecord.size_bytes));
  store_.put("UNITS/BUILDS/fort.dat", std::move(writer).take());
  Graph graph = build();
  EXPECT_THAT(edges_of(graph, find(graph, "UNITS/BUILDS/fort.dat")),
              ElementsAre("unit_component[0] bases.rlb::i_engine.msh"));
  EXPECT_TRUE(reach_from(graph, kFirst).succeeded());
}

TEST_F(GraphTest, TheLegacyBindingIsReadUnderItsRule) {
  ByteWriter writer;
  unit_dat::kBindingRecord.write({.archive_name = FixedString<32>::from_text(as_bytes("bases.rlb")),
                                  .model_name = FixedString<32>::from_text(as_bytes("i_engine.msh"))},
                                 writer.grow(unit_dat::kBindingRecord.size_bytes));
  store_.put("UNITS/BUILDS/fort.dat", std::move(writer).take());
  Graph refused = build();
  const Reach without = reach_from(refused, kFirst);
  ASSERT_EQ(without.failures.size(), 1U);
  EXPECT_EQ(without.failures[0].finding.rule, RuleId::kLegacyUnitBinding);
  Graph read = build(RuleSet::compatible().enable(RuleId::kLegacyUnitBinding));
  const Reach with = reach_from(read, kFirst);
  EXPECT_TRUE(with.succeeded());
  EXPECT_EQ(with.rules.at(RuleId::kLegacyUnitBinding).first, 1U);
  const auto binds = [](const Edge& edge) {
    return edge.kind == EdgeKind::kUnitComponent && edge.raw == "i_engine.msh";
  };
  EXPECT_TRUE(std::ranges::none_of(refused.edges, binds));
  const auto edge = std::ranges::find_if(read.edges, binds);
  ASSERT_NE(edge, read.edges.end()) << "what the binding names is part of the graph";
  EXPECT_EQ(read.nodes[edge->to].entry, "i_engine.msh");
  EXPECT_EQ(read.nodes[edge->to].kind, NodeKind::kMesh);
  EXPECT_TRUE(read.nodes[edge->to].exists);
}

TEST_F(GraphTest, ListsNoMoreFailuresThanAskedForButCountsAll) {
  Graph graph = build();
  const Reach second = reach_from(graph, kSecond, {.max_records = 2});
  EXPECT_EQ(second.failures.size(), 2U);
  EXPECT_EQ(second.notes.size(), 2U);
  EXPECT_EQ(second.failure_count, 12U);
  EXPECT_EQ(second.note_count, 5U);
}

TEST_F(GraphTest, ControllersThatNameOneAnotherEnd) {
  store_.put("effects.rlb",
             synth::make_archive({{"fx_engine", "CTLD", synth::make_controller({"effects.rlb", "fx_step"}, {})},
                                  {"fx_step", "CTLD", synth::make_controller({"effects.rlb", "fx_engine"}, {"", ""})},
                                  {"fx_boom", "FXID", synth::make_effect()},
                                  {"fx_bang", "FXID", synth::make_effect()},
                                  {"fx_sun", "FXID", synth::make_effect()}}));
  Graph graph = build();
  const Reach first = reach_from(graph, kFirst);
  EXPECT_TRUE(first.succeeded());
  EXPECT_GE(first.totals[static_cast<std::size_t>(EdgeKind::kControllerComponent)].requests, 3U);
}

TEST_F(GraphTest, InheritanceFailsAtTheParentThatItFailedThrough) {
  store_.put("objects.rlb",
             registry_of({{"sound", {}},
                          {"bad", {{"objects.rlb", "nobody"}}},
                          {"child", {{"objects.rlb", "sound"}, {"objects.rlb", "bad"}, {"objects.rlb", "sound"}}}}));
  const Graph graph = build();
  const std::size_t child = find(graph, "objects.rlb", "child");
  EXPECT_EQ(graph.failure_of(edge_between(graph, EdgeKind::kPrototypeParent, child, 0)), nullptr);
  EXPECT_EQ(graph.failure_of(edge_between(graph, EdgeKind::kPrototypeParent, child, 1))->detail,
            "child -> bad -> nobody");
  EXPECT_EQ(graph.failure_of(edge_between(graph, EdgeKind::kPrototypeParent, child, 2)), nullptr);
}

TEST_F(GraphTest, AKeyFindsTheSameInEveryCase) {
  store_.put(kFirst, synth::make_mission({.objects = {"s_tree_04.msh", "S_TREE_04.MSH"}}));
  for (const bool is_strict : {false, true}) {
    const Graph graph = build(is_strict ? RuleSet::strict() : RuleSet::compatible());
    const std::size_t mission = find(graph, kFirst);
    for (const std::size_t index : {0U, 1U}) {
      const Edge& edge = edge_between(graph, EdgeKind::kMissionPrototype, mission, index);
      ASSERT_EQ(edge.findings.size(), 1U) << index;
      EXPECT_EQ(edge.findings[0].rule, RuleId::kRegistryKeySuffix);
      EXPECT_EQ(edge.findings[0].applied, !is_strict);
      EXPECT_EQ(edge.findings[0].detail, edge.raw);
    }
  }
}

TEST_F(GraphTest, NamesMayHoldAnyByte) {
  store_.put("objects.rlb", registry_of({{"odd", {{"gone\nx", "y"}, {"gone", "x\ny"}}}}));
  const Graph graph = build();
  const std::size_t odd = find(graph, "objects.rlb", "odd");
  EXPECT_THAT(edges_of(graph, odd),
              ElementsAre("prototype_resource[0] gone\nx::y", "prototype_resource[1] gone::x\ny"));
}

// Whether a mission needs something does not depend on which cycle was walked from where before.
TEST_F(GraphTest, AMissionAsksForTheSameWhateverOthersAskFor) {
  store_.put("objects.rlb", registry_of({{"to_a", {{"ring.rlb", "a.ctl"}}}, {"to_b", {{"ring.rlb", "b.ctl"}}}}));
  store_.put("ring.rlb", synth::make_archive({{"a.ctl", "CTLD", synth::make_controller({"", "b.ctl"}, {"", "gone"})},
                                              {"b.ctl", "CTLD", synth::make_controller({"", "a.ctl"}, {})}}));
  store_.put(kFirst, synth::make_mission({.objects = {"to_a"}}));
  store_.put(kSecond, synth::make_mission({.objects = {"to_b"}}));
  Graph graph = build();
  const std::vector<std::size_t> both{find(graph, kFirst), find(graph, kSecond)};
  const Reach together = reach(graph, both);
  const EdgeTotals first = reach_from(graph, kFirst).totals;
  const EdgeTotals second = reach_from(graph, kSecond).totals;
  for (std::size_t kind = 0; kind < kEdgeKinds; ++kind) {
    EXPECT_EQ(together.totals[kind].requests, first[kind].requests + second[kind].requests) << kind;
    EXPECT_EQ(together.totals[kind].failed, first[kind].failed + second[kind].failed) << kind;
  }
  EXPECT_EQ(together.notes.size(), together.note_count);
}

// Each of them names the next one twice, so that there are 2^70 ways to what is missing, more than a count holds.
TEST_F(GraphTest, ListsFailuresWithoutWalkingEveryWay) {
  constexpr int kLevels = 70;
  std::vector<std::string> names;
  for (int level = 0; level <= kLevels; ++level) {
    names.push_back("c" + std::to_string(level) + ".ctl");
  }
  std::vector<synth::GameMember> members;
  for (std::size_t level = 0; level < kLevels; ++level) {
    const synth::GameReference next{"", names[level + 1]};
    members.push_back({names[level], "CTLD", synth::make_controller(next, next)});
  }
  store_.put("objects.rlb", registry_of({{"top", {{"fan.rlb", "c0.ctl"}}}}));
  store_.put("fan.rlb", synth::make_archive(std::move(members)));
  store_.put(kFirst, synth::make_mission({.objects = {"top"}}));
  Graph graph = build();
  const Reach found = reach_from(graph, kFirst, {.max_records = 20});
  EXPECT_EQ(found.notes.size(), 20U);
  EXPECT_EQ(found.note_count, ~std::uint64_t{0});
}

TEST_F(GraphTest, WithoutARegistryThereIsNoGraph) {
  store_.remove("objects.rlb");
  Archives archives(tree_, {});
  EXPECT_EQ(build_graph(archives).error().code, Code::kMissingFile);
}

TEST_F(GraphTest, RefusesToGrowPastItsLimits) {
  Archives archives(tree_, {});
  EXPECT_EQ(build_graph(archives, {.max_nodes = 10}).error().code, Code::kLimitExceeded);
  EXPECT_EQ(build_graph(archives, {.max_edges = 10}).error().code, Code::kLimitExceeded);
}

TEST(EdgeKinds, AreThoseOfTheDocumentation) {
  const char* source = std::getenv("ASSAY_SOURCE_DIR");
  ASSERT_NE(source, nullptr) << "run by ctest, or set ASSAY_SOURCE_DIR";
  std::ifstream page(std::string(source) + "/docs/graph.md");
  std::vector<std::string> rows;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| `") && std::ranges::count(line, '|') == 7) {
      rows.push_back(line);
    }
  }
  std::vector<std::string> wanted;
  for (const EdgeKindInfo& info : edge_kinds()) {
    std::string row = "| `";
    row.append(info.text).append(info.counted ? "` | yes" : "` | no").append(info.required ? " | yes | " : " | no | ");
    row.append(info.from).append(" | ").append(info.to).append(" | ").append(info.rule).append(" |");
    wanted.push_back(row);
  }
  EXPECT_EQ(rows, wanted);
}

}  // namespace
}  // namespace assay::resource
