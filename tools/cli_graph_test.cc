#include <map>
#include <string>

#include "synth/corpus.h"
#include "tools/cli_test_support.h"

// graph: the real binary over the synthetic game folder.
namespace assay::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class CliGraph : public CliTest {
 protected:
  void SetUp() override { synth::write_corpus({.folder = at("game"), .profile = synth::CorpusProfile::kGame}); }

  // The last object of `--json` output.
  static OrderedJson summary_of(const Outcome& outcome) { return json_lines(outcome.out).back()["summary"]; }
};

TEST_F(CliGraph, TheFirstMissionHasEverything) {
  const Outcome outcome = run({"graph", "game", "--mission", "Single.01"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  expect_file("graph_single_01.txt", outcome.out);
}

TEST_F(CliGraph, TheSecondMissionNamesWhatIsMissing) {
  const Outcome outcome = run({"graph", "game", "--mission", "missions\\SINGLE.02\\data.tma", "--health"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  expect_file("graph_single_02.txt", outcome.out);
}

TEST_F(CliGraph, JsonHoldsTheWholeGraph) {
  const Outcome outcome = run({"graph", "game", "--json"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  expect_file("graph_game.jsonl", outcome.out);
  std::map<std::string, std::size_t> counts;
  for (const OrderedJson& line : json_lines(outcome.out)) {
    ++counts[line.begin().key()];
  }
  const OrderedJson summary = summary_of(outcome);
  EXPECT_EQ(counts["node"], summary["nodes"]);
  EXPECT_EQ(counts["edge"], summary["edges"]);
  EXPECT_EQ(counts["failure"], summary["failures"].get<std::size_t>() + summary["notes"].get<std::size_t>());
  EXPECT_EQ(counts["summary"], 1U);
  EXPECT_EQ(summary["missions"].size(), 2U);
}

TEST_F(CliGraph, DotIsOneGraph) {
  const Outcome outcome = run({"graph", "game", "--dot", "--mission", "Single.01"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.out.starts_with("digraph resources {\n"));
  EXPECT_TRUE(outcome.out.ends_with("}\n"));
  EXPECT_THAT(outcome.out, HasSubstr("[label=\"unit_component x2\", style=solid, color=black];"));
  EXPECT_THAT(outcome.out, HasSubstr("label=\"static.rlb::x_gone.ctl\", tooltip=\"controller\", color=red"));
  EXPECT_THAT(outcome.out, HasSubstr("label=\"objects.rlb::x_lost\", tooltip=\"prototype\", color=grey60"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("n0 ")));
}

TEST_F(CliGraph, AMissionIsNamedByAPartOfItsPathThatIsOnlyIts) {
  const Outcome several = run({"graph", "game", "--mission", "single"});
  EXPECT_EQ(several.status, 2);
  EXPECT_EQ(several.out, "");
  EXPECT_EQ(several.err,
            "assay: --mission 'single': 2 missions have that in their path:\n"
            "  MISSIONS/Single.01/data.tma\n  MISSIONS/Single.02/data.tma\n");
  const Outcome none = run({"graph", "game", "--mission", "Multi"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("no mission has that in its path; there are 2:\n  MISSIONS/Single.01/data.tma"));
  write("game/MISSIONS/Single.01b/data.tma", read("game/MISSIONS/Single.01/data.tma"));
  EXPECT_EQ(run({"graph", "game", "--mission", "single.0"}).status, 2);
  EXPECT_EQ(run({"graph", "game", "--mission", "missions/single.01"}).status, 0);
}

TEST_F(CliGraph, WhatCannotBeReadSaysWhatWasRefusedAndWhere) {
  Buffer unit = read("game/UNITS/BUILDS/fort.dat");
  unit[0] = '!';
  write("game/UNITS/BUILDS/fort.dat", unit);
  const Outcome text = run({"graph", "game", "--mission", "Single.01"});
  EXPECT_EQ(text.status, 1);
  EXPECT_THAT(text.out,
              HasSubstr("unreadable_resource: a resource that is referred to cannot be read: invalid_magic at "
                        "offset 0x0, field header.magic: "));
  const Outcome json = run({"graph", "game", "--mission", "Single.01", "--json"});
  std::size_t causes = 0;
  for (const OrderedJson& line : json_lines(json.out)) {
    if (line.contains("failure") && line["failure"]["finding"]["code"] == "unreadable_resource") {
      const OrderedJson& cause = line["failure"]["finding"]["cause"];
      EXPECT_EQ(cause["code"], "invalid_magic");
      EXPECT_EQ(cause["offset"], 0);
      EXPECT_EQ(cause["field"], "header.magic");
      EXPECT_THAT(cause["message"].get<std::string>(), HasSubstr("expected"));
      ++causes;
    }
  }
  EXPECT_EQ(causes, 1U);
}

TEST_F(CliGraph, NeedsAGameFolder) {
  fs::create_directories(at("empty"));
  const Outcome empty = run({"graph", "empty"});
  EXPECT_EQ(empty.status, 2);
  EXPECT_EQ(empty.err, "assay: empty: there is no objects.rlb, so this is no game folder\n");
  const Outcome missing = run({"graph", "nowhere"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_EQ(missing.err, "assay: nowhere: no folder\n");
  write("game/objects.rlb", "text");
  const Outcome damaged = run({"graph", "game"});
  EXPECT_EQ(damaged.status, 1);
  EXPECT_THAT(damaged.err, HasSubstr("objects.rlb: not_a_container"));
}

TEST_F(CliGraph, WithoutMissionsNothingIsRequired) {
  fs::remove_all(at("game/MISSIONS"));
  const Outcome outcome = run({"graph", "game"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "assay: note: there is no mission, so nothing is required\n");
  EXPECT_THAT(outcome.out, HasSubstr("registry health: 16 prototypes"));
}

TEST_F(CliGraph, RootsAreAskedBeforeTheFolderInTheirOrder) {
  fs::create_directories(at("mod"));
  fs::rename(at("game/effects.rlb"), at("mod/EFFECTS.RLB"));
  fs::create_directories(at("other"));
  write("other/Effects.rlb", nres_archive({}));
  const auto notes = [&](const std::vector<std::string>& roots) {
    std::vector<std::string> arguments{"graph", "game", "--mission", "Single.01", "--json"};
    arguments.insert(arguments.end(), roots.begin(), roots.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return summary_of(outcome)["notes"].get<int>();
  };
  EXPECT_EQ(notes({}), 5);
  EXPECT_EQ(notes({"--root", "mod"}), 0);
  EXPECT_EQ(notes({"--root", "mod", "--root", "other"}), 0);
  EXPECT_EQ(notes({"--root", "other", "--root", "mod"}), 5);
}

TEST_F(CliGraph, RulesDecideWhetherADeviationFails) {
  const auto failures = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"graph", "game", "--mission", "Single.02", "--json"});
    return summary_of(run(more))["failures"].get<int>();
  };
  EXPECT_EQ(failures({}), 12);
  EXPECT_EQ(failures({"--no-rule", "material_fallback"}), 13);
  EXPECT_EQ(failures({"--profile", "strict"}), 15);
  EXPECT_EQ(failures({"--profile", "strict", "--rule", "bas_stem_mesh"}), 14);
}

TEST_F(CliGraph, TheFolderItselfIsSound) {
  const Outcome outcome = run({"verify", "game"});
  EXPECT_EQ(outcome.status, 0) << outcome.out;
}

TEST_F(CliGraph, SaysTheSameEachTime) {
  EXPECT_EQ(run({"graph", "game", "--json"}).out, run({"graph", "game", "--json"}).out);
}

}  // namespace
}  // namespace assay::tools
