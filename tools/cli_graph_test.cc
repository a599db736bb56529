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

  // How DOT text has the line from one node to another, both named by their labels: from "[" to the end.
  static std::string dot_line(const std::string& dot, const std::string& from, const std::string& to) {
    const auto name_of = [&](const std::string& label) {
      const std::size_t end = dot.find(" [label=\"" + label + "\"");
      const std::size_t start = dot.rfind('\n', end) + 1;
      return end == std::string::npos ? "no node " + label : dot.substr(start, end - start);
    };
    const std::string ends = name_of(from) + " ->" + name_of(to).substr(1) + " [";
    const std::size_t start = dot.find(ends);
    return start == std::string::npos
               ? "no line " + ends
               : dot.substr(start + ends.size() - 1, dot.find('\n', start) - start - ends.size() + 1);
  }
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

TEST_F(CliGraph, DotShowsWhatFailsInRed) {
  // The first of two equal references is where inheritance fails, the second is not told again.
  const std::string parent = run({"cat", "game/objects.rlb::x_cycle_a"}).out;
  write("twice", parent + parent);
  EXPECT_EQ(run({"edit", "game/objects.rlb", "--replace", "x_cycle_a=twice"}).status, 0);
  const std::string dot = run({"graph", "game", "--dot"}).out;
  const std::string mission = "MISSIONS/Single.02/data.tma";
  EXPECT_EQ(dot_line(dot, mission, "UNITS/x_gone.dat"), "[label=\"mission_unit\", style=solid, color=red];");
  EXPECT_EQ(dot_line(dot, mission, "UNITS/UNITS/x_bad.dat"), "[label=\"mission_unit\", style=solid, color=black];");
  EXPECT_EQ(dot_line(dot, mission, "DATA/MAPS/Map_2/land.msh"),
            "[label=\"mission_terrain\", style=dashed, color=red];");
  EXPECT_EQ(dot_line(dot, "objects.rlb::x_cycle_a", "objects.rlb::x_cycle_b"),
            "[label=\"prototype_parent x2\", style=solid, color=red];");
}

TEST_F(CliGraph, DotEscapesWhatEndsAString) {
  EXPECT_EQ(run({"edit", "game/objects.rlb", "--rename", R"(x_lost=a"b\\c)"}).status, 0);
  EXPECT_THAT(run({"graph", "game", "--dot"}).out,
              HasSubstr(R"([label="objects.rlb::a\"b\\\\c", tooltip="prototype",)"));
}

TEST_F(CliGraph, WhatMayNotBeListedIsNotTakenForEmpty) {
  for (const char* folder : {"game/MISSIONS", "game/MISSIONS/Single.02"}) {
    fs::permissions(at(folder), fs::perms::none);
    const Outcome outcome = run({"graph", "game"}, {.as_nobody = true});
    fs::permissions(at(folder), fs::perms::owner_all | fs::perms::others_all);
    EXPECT_EQ(outcome.status, 2) << folder;
    EXPECT_EQ(outcome.out, "") << folder;
    EXPECT_THAT(outcome.err, HasSubstr(std::string(folder) + ": Permission denied"));
  }
}

TEST_F(CliGraph, DotAndJsonExcludeEachOther) {
  const Outcome outcome = run({"graph", "game", "--dot", "--json"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "assay: --json excludes --dot; see assay graph --help\n");
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

TEST_F(CliGraph, ThePlaceOfWhatIsRefusedInAnEntryCountsFromTheStartOfTheFile) {
  const std::size_t place = read_text("game/bases.rlb").find("0 M_HULL");
  Buffer archive = read("game/bases.rlb");
  archive[place + 1] = '!';
  write("game/bases.rlb", archive);
  const Outcome outcome = run({"graph", "game", "--mission", "Single.01", "--json"});
  EXPECT_EQ(outcome.status, 1);
  OrderedJson cause;
  for (const OrderedJson& line : json_lines(outcome.out)) {
    if (line.contains("failure") && line["failure"]["name"] == "r_h_01.wea") {
      cause = line["failure"]["finding"]["cause"];
    }
  }
  EXPECT_EQ(cause["field"], "material[0]");
  EXPECT_EQ(cause["offset"], place);
}

TEST_F(CliGraph, TheOverlayOptionDecidesHowAnArchiveIsRead) {
  write("small/objects.rlb", with_trailer(rsli_archive({}), 0x7FFFFFFF));
  const Outcome on = run({"graph", "small", "--overlay", "on"});
  EXPECT_EQ(on.status, 1);
  EXPECT_THAT(on.err, HasSubstr("objects.rlb: media_overlay_out_of_bounds at offset 0x22"));
  EXPECT_EQ(run({"graph", "small"}).err, on.err);
  const Outcome off = run({"graph", "small", "--overlay", "off"});
  EXPECT_EQ(off.status, 0) << off.err;
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
