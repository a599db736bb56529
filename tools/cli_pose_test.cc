#include <string>

#include "parsers/formats/msh/msh_test_support.h"
#include "tools/cli_test_support.h"

// inspect --pose: the poses of models, and what has none.
namespace assay::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CliPose : public CliTest {
 protected:
  void SetUp() override {
    write("chain.msh", msh::chain_of_three());
    write("turning.msh", msh::animated_model());
    write("pack.rlb", nres_archive({{"note", bytes_of("text")}, {"model.msh", msh::animated_model(), 0x4853454D}}));
  }
  // The lines of a pose behind the first.
  std::vector<OrderedJson> nodes_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "inspect");
    arguments.insert(arguments.end(), {"--pose", "--json"});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::vector<OrderedJson> lines = json_lines(outcome.out);
    EXPECT_THAT(keys_of(lines.at(0)), ElementsAre("item", "format", "nodes", "pose", "blend"));
    lines.erase(lines.begin());
    return lines;
  }
};

// The hashes that docs/formats/msh.md gives.
TEST_F(CliPose, TheVectorsHaveTheHashesOfTheirPage) {
  EXPECT_EQ(sha256_text(msh::minimal_a()), "47146fc9bf289e01aa9bd051bbfa2eb4e0b1103d292ba81eb0ed86eca088fb87");
  EXPECT_EQ(sha256_text(msh::full_b()), "f620e42461034f67737cab09303d70582c18506293276cc003a93d20a4f1ba5b");
}

TEST_F(CliPose, ShowsEveryNodeInTextAndJson) {
  expect_file("pose_chain.txt", run({"inspect", "chain.msh", "--pose"}).out);
  expect_file("pose_turning.txt", run({"inspect", "turning.msh", "--pose", "--time", "4.25", "--blend", "slerp"}).out);
  const auto nodes = nodes_of({"chain.msh"});
  ASSERT_EQ(nodes.size(), 3U);
  for (const OrderedJson& node : nodes) {
    EXPECT_THAT(keys_of(node), ElementsAre("node", "name", "parent", "key", "local", "global"));
    EXPECT_THAT(keys_of(node["local"]), ElementsAre("translation", "rotation"));
  }
  EXPECT_EQ(nodes[0]["name"], "root");
  EXPECT_TRUE(nodes[0]["parent"].is_null());
  EXPECT_EQ(nodes[2]["parent"], 1);
  EXPECT_EQ(nodes[2]["key"], 2);
  EXPECT_NEAR(nodes[1]["global"]["translation"][0].get<double>(), 3, 1e-5);
  EXPECT_NEAR(nodes[2]["global"]["rotation"][0].get<double>(), -0.5, 1e-5);
}

TEST_F(CliPose, TakesATimeOrAFrame) {
  const struct {
    std::vector<std::string> options;
    int key;
    double x;
  } kCases[] = {
      {{}, 2, 20},
      {{"--frame", "0"}, 0, 0},
      {{"--frame", "1"}, 0, 2.5},
      {{"--frame", "65535"}, 2, 20},
      {{"--time", "0"}, 0, 0},
      {{"--time", "1"}, 0, 2.5},
      {{"--time", "2.5", "--blend", "slerp"}, 0, 6.25},
      {{"--time", "4.25"}, 1, 12.5},
      {{"--time", "1e30"}, 2, 20},
  };
  for (const auto& [options, key, x] : kCases) {
    std::vector<std::string> arguments{"turning.msh"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto nodes = nodes_of(arguments);
    ASSERT_EQ(nodes.size(), 1U);
    EXPECT_EQ(nodes[0]["key"], key) << ::testing::PrintToString(options);
    EXPECT_NEAR(nodes[0]["global"]["translation"][0].get<double>(), x, 1e-5) << ::testing::PrintToString(options);
  }
  const auto nlerp = nodes_of({"turning.msh", "--frame", "1"});
  const auto slerp = nodes_of({"turning.msh", "--frame", "1", "--blend", "slerp"});
  EXPECT_NE(nlerp[0]["local"]["rotation"], slerp[0]["local"]["rotation"]);
}

TEST_F(CliPose, WorksInsideArchives) {
  EXPECT_EQ(nodes_of({"pack.rlb::model.msh", "--frame", "4"}), nodes_of({"turning.msh", "--frame", "4"}));
  EXPECT_EQ(nodes_of({"pack.rlb::#1"}).size(), 1U);
}

TEST_F(CliPose, SaysWhyThereIsNone) {
  write("own.msh", format_testing::with_u16(msh::full_b(), 0x12, 0));
  msh::Parts parts = msh::Parts::of(msh::full_b());
  parts.remove(msh::StreamType::kKeys);
  write("still.msh", parts.build());
  write("own.rlb", nres_archive({{"own.msh", format_testing::with_u16(msh::full_b(), 0x12, 0), 0x4853454D}}));
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } kCases[] = {
      {{"own.msh"}, "assay: own.msh: invalid_parent at offset 0x12, field node[0].parent_or_link: "},
      {{"own.rlb::own.msh"}, "assay: own.rlb: entry own.msh: invalid_parent at offset 0x22, field node[0].parent_or"},
      {{"still.msh"}, "assay: still.msh: pose_unavailable at offset 0x0, field stream[8]: "},
      {{"turning.msh", "--time", "-0.001"}, "assay: turning.msh: negative_time at offset 0x0, field time[0]: "},
  };
  for (auto [arguments, says] : kCases) {
    arguments.insert(arguments.begin(), {"inspect", "--pose"});
    for (int round = 0; round < 2; ++round, arguments.emplace_back("--json")) {
      const Outcome outcome = run(arguments);
      EXPECT_EQ(outcome.status, 1) << says;
      EXPECT_EQ(outcome.out, "") << says;
      EXPECT_THAT(outcome.err, StartsWith(says));
    }
  }
}

// What its format refuses is an archive still: its entries can be had, and it can be mended.
TEST_F(CliPose, ARefusedModelCanBeMended) {
  const Buffer sound = msh::full_b();
  // The record size of the nodes, in the first row of the directory.
  write("bad.msh", format_testing::with_byte(sound, 0x1D8 + 0x10, 37));
  const Outcome refused = run({"inspect", "bad.msh"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, StartsWith("assay: bad.msh: invalid_stride at offset 0x1E8, field entry[0].attr3: "));
  const Outcome positions = run({"cat", "bad.msh::#2"});
  EXPECT_EQ(positions.status, 0) << positions.err;
  EXPECT_EQ(bytes_of(positions.out), Buffer(sound.begin() + 0x108, sound.begin() + 0x108 + 36));
  EXPECT_EQ(run({"edit", "bad.msh", "--set", "@entry[0].attr3=38", "-o", "mended.msh"}).status, 0);
  EXPECT_EQ(read("mended.msh"), sound);
  EXPECT_EQ(run({"edit", "mended.msh", "--set", "@node[0].parent_or_link=7", "-o", "moved.msh"}).status, 0);
  EXPECT_EQ(read("moved.msh"), format_testing::with_u16(sound, 0x12, 7));
}

TEST_F(CliPose, RefusesWhatMakesNoSense) {
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } kCases[] = {
      {{"pack.rlb", "--pose"}, "pack.rlb: not a model, its format is nres"},
      {{"pack.rlb::note", "--pose"}, "pack.rlb::note: not a model, its format is unknown"},
      {{"turning.msh", "--time", "1"}, "--time requires --pose"},
      {{"turning.msh", "--frame", "1"}, "--frame requires --pose"},
      {{"turning.msh", "--blend", "slerp"}, "--blend requires --pose"},
      {{"turning.msh", "--pose", "--frame", "1", "--time", "1"}, "excludes"},
      {{"turning.msh", "--pose", "--frame", "65536"}, "--frame"},
      {{"turning.msh", "--pose", "--frame", "-1"}, "--frame"},
      {{"turning.msh", "--pose", "--frame", "1.5"}, "--frame"},
      {{"turning.msh", "--pose", "--time", "soon"}, "--time"},
      {{"turning.msh", "--pose", "--blend", "squad"}, "--blend: squad not in {nlerp,slerp}"},
  };
  for (auto [arguments, says] : kCases) {
    arguments.insert(arguments.begin(), "inspect");
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << says;
    EXPECT_EQ(outcome.out, "") << says;
    EXPECT_THAT(outcome.err, HasSubstr(says));
  }
}

}  // namespace
}  // namespace assay::tools
