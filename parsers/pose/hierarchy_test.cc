#include "parsers/pose/hierarchy.h"

#include <limits>
#include <string>

#include "parsers/pose/pose_test_support.h"

namespace assay::pose {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

// A skeleton with its own memory.
struct Model {
  std::vector<Node> nodes{};
  std::vector<Key> keys{};
  std::vector<std::uint16_t> frame_map{};
  std::uint32_t frame_count = 0;
  std::uint32_t node_record_bytes = kNodeRecordBytes;
  bool has_keys = true;
  bool has_frame_map = true;

  [[nodiscard]] Skeleton skeleton() const {
    return {node_record_bytes, nodes, keys, frame_map, frame_count, has_keys, has_frame_map};
  }
};

// docs/formats/poses.md, P5, "Hierarchy": three nodes in a chain.
Model chain() {
  return {.nodes = {{kNoIndex, kNoIndex, 0}, {0, kNoIndex, 1}, {1, kNoIndex, 2}},
          .keys = {{{1, 0, 0}, 0, {23170, 0, 0, 23170}},
                   {{0, 2, 0}, 0, {32767, 0, 0, 0}},
                   {{0, 0, 3}, 0, {23170, 23170, 0, 0}}}};
}

// docs/formats/poses.md, P4, "Sampling": one node, three keys, six frames.
Model swing() {
  return {.nodes = {{kNoIndex, 0, 2}},
          .keys = {{{0, 0, 0}, 0, {32767, 0, 0, 0}},
                   {{10, 0, 0}, 4, {23170, 0, 0, 23170}},
                   {{20, 0, 0}, 5, {0, 0, 0, 32767}}},
          .frame_map = {0, 0, 0, 0, 1, 2},
          .frame_count = 6};
}

std::vector<NodePose> evaluated(const Model& model, const Request& request = AtFallback{},
                                RotationBlend blend = RotationBlend::kNlerp) {
  const auto hierarchy = Hierarchy::from(model.skeleton());
  EXPECT_TRUE(hierarchy);
  return hierarchy ? hierarchy->evaluate(request, blend).value() : std::vector<NodePose>();
}

TEST(Hierarchy, ComposesTheChainOfTheVector) {
  const std::vector<NodePose> poses = evaluated(chain());
  ASSERT_EQ(poses.size(), 3U);
  expect_near(poses[0].global.translation, {1, 0, 0});
  expect_near(poses[0].global.rotation, {0, 0, -kHalfRoot, kHalfRoot});
  expect_near(poses[1].global.translation, {3, 0, 0});
  expect_near(poses[1].global.rotation, {0, 0, -kHalfRoot, kHalfRoot});
  expect_near(poses[2].global.translation, {3, 0, 3});
  expect_near(poses[2].global.rotation, {-0.5F, 0.5F, -0.5F, 0.5F});
  expect_near(apply(poses[0].global, {1, 1, 1}), {2, -1, 1});
  expect_near(apply(poses[1].global, {1, 1, 1}), {4, -1, 1});
  expect_near(apply(poses[2].global, {1, 1, 1}), {4, -1, 2});
}

TEST(Hierarchy, KeepsTheLocalPosesBesideTheGlobalOnes) {
  const std::vector<NodePose> poses = evaluated(chain());
  EXPECT_EQ(poses[1].local.translation, (Vec3{0, 2, 0}));
  expect_near(poses[2].local.rotation, {-kHalfRoot, 0, 0, kHalfRoot});
  EXPECT_EQ(poses[0].local, poses[0].global);
  EXPECT_EQ(poses[2].key, 2);
}

TEST(Hierarchy, MayHaveSeveralRoots) {
  Model model = chain();
  model.nodes[1].parent = kNoIndex;
  expect_near(evaluated(model)[1].global.translation, {0, 2, 0});
  expect_near(evaluated(model)[2].global.translation, {0, 2, 3});
}

struct SamplingRow {
  const char* name;
  Request request;
  std::uint16_t key;
  float x;
  float nlerp_degrees;
  float slerp_degrees;
};

// A request for one node at one time. The times live as long as the program.
template <int kHundredths>
AtTimes time() {
  static constexpr std::optional<float> kTime[] = {static_cast<float>(kHundredths) / 100.0F};
  return {kTime};
}
constexpr std::optional<float> kNoTime[] = {std::nullopt};

// docs/formats/poses.md, P4, "Sampling".
const SamplingRow kSamplingRows[] = {
    {"fallback", AtFallback{}, 2, 20, -180, -180},
    {"no time", AtTimes{kNoTime}, 2, 20, -180, -180},
    {"frame 0", AtFrame{0}, 0, 0, 0, 0},
    {"frame 1", AtFrame{1}, 0, 2.5F, -21.5982F, -22.5F},
    {"frame 2", AtFrame{2}, 0, 5, -45, -45},
    {"frame 3", AtFrame{3}, 0, 7.5F, -68.4018F, -67.5F},
    {"frame 4", AtFrame{4}, 1, 10, -90, -90},
    {"frame 5, mapped to the fallback", AtFrame{5}, 2, 20, -180, -180},
    {"frame 6, behind the last", AtFrame{6}, 2, 20, -180, -180},
    {"frame 7, behind the last", AtFrame{7}, 2, 20, -180, -180},
    {"time 0.5", time<50>(), 0, 1.25F, -10.4841F, -11.25F},
    {"time 1", time<100>(), 0, 2.5F, -21.5982F, -22.5F},
    {"time 2.5", time<250>(), 0, 6.25F, -56.8242F, -56.25F},
    {"time 3", time<300>(), 0, 7.5F, -68.4018F, -67.5F},
    {"time 4.25", time<425>(), 1, 12.5F, -111.5982F, -112.5F},
    {"time 4.5", time<450>(), 1, 15, -135, -135},
    {"time 5, the next key is reached", time<500>(), 1, 20, -180, -180},
    {"time 5.25", time<525>(), 2, 20, -180, -180},
    {"time 6", time<600>(), 2, 20, -180, -180},
};

// Half a turn to the left and to the right are the same.
float folded_degrees(float degrees) {
  return degrees > 179.99F ? degrees - 360.0F : degrees;
}

TEST(Sampling, GivesTheTableForBothBlends) {
  for (const SamplingRow& row : kSamplingRows) {
    SCOPED_TRACE(row.name);
    const std::vector<NodePose> linear = evaluated(swing(), row.request);
    const std::vector<NodePose> spherical = evaluated(swing(), row.request, RotationBlend::kSlerp);
    EXPECT_EQ(linear[0].key, row.key);
    EXPECT_NEAR(linear[0].global.translation.x, row.x, 1e-5F);
    EXPECT_NEAR(folded_degrees(degrees_about_z(linear[0].global.rotation)), row.nlerp_degrees, 1e-3F);
    EXPECT_EQ(spherical[0].key, row.key);
    EXPECT_NEAR(spherical[0].global.translation.x, row.x, 1e-5F);
    EXPECT_NEAR(folded_degrees(degrees_about_z(spherical[0].global.rotation)), row.slerp_degrees, 1e-3F);
  }
}

// docs/formats/decisions.md, 27.
TEST(Sampling, AMapEntryAboveTheFallbackSelectsTheFallback) {
  Model model = swing();
  // The run of another node: keys that exist, and are still not this node's.
  model.keys.resize(5);
  model.frame_map[1] = 3;
  model.frame_map[2] = 0xFFFF;
  EXPECT_EQ(evaluated(model, AtFrame{1})[0].key, 2);
  EXPECT_EQ(evaluated(model, AtFrame{2})[0].key, 2);
}

TEST(Sampling, WithoutFramesEveryNodeTakesItsFallback) {
  Model model = swing();
  model.frame_map.clear();
  model.frame_count = 0;
  EXPECT_EQ(evaluated(model, AtFrame{0})[0].key, 2);
  EXPECT_EQ(evaluated(model, time<50>())[0].key, 2);
}

TEST(Sampling, ANodeWithoutAMapTakesItsFallback) {
  Model model = swing();
  model.nodes.push_back({0, kNoIndex, 1});
  const std::vector<NodePose> poses = evaluated(model, AtFrame{0});
  EXPECT_EQ(poses[0].key, 0);
  EXPECT_EQ(poses[1].key, 1);
}

TEST(Sampling, EveryNodeReadsItsOwnBlockAtItsOwnTime) {
  Model model = swing();
  model.nodes.push_back({0, 6, 2});
  model.frame_map.insert(model.frame_map.end(), {1, 1, 1, 1, 1, 1});
  const std::optional<float> times[] = {4.5F, 0.0F};
  const std::vector<NodePose> poses = evaluated(model, AtTimes{times});
  EXPECT_EQ(poses[0].key, 1);
  EXPECT_NEAR(poses[0].local.translation.x, 15, 1e-5F);
  EXPECT_EQ(poses[1].key, 1);
  EXPECT_EQ(poses[1].local.translation.x, 10);
}

struct Refusal {
  const char* name;
  void (*damage)(Model& model);
  Code code;
  const char* field;
};

constexpr Refusal kUnavailable[] = {
    {"records of 24 bytes", [](Model& m) { m.node_record_bytes = 24; }, Code::kPoseUnavailable, "node"},
    {"no node", [](Model& m) { m.nodes.clear(); }, Code::kPoseUnavailable, "node"},
    {"no keys stream", [](Model& m) { m.has_keys = false; }, Code::kPoseUnavailable, "stream[8]"},
    {"no map stream", [](Model& m) { m.has_frame_map = false; }, Code::kPoseUnavailable, "stream[19]"},
    {"its own parent", [](Model& m) { m.nodes[0].parent = 0; }, Code::kInvalidParent, "node[0].parent_or_link"},
    {"a later parent", [](Model& m) { m.nodes[1].parent = 2; }, Code::kInvalidParent, "node[1].parent_or_link"},
    {"a parent outside", [](Model& m) { m.nodes[2].parent = 3; }, Code::kInvalidParent, "node[2].parent_or_link"},
    {"a key too many", [](Model& m) { m.nodes[2].fallback_key = 3; }, Code::kIndexOutOfRange, "node[2].fallback_key"},
    {"no keys", [](Model& m) { m.keys.clear(); }, Code::kIndexOutOfRange, "node[0].fallback_key"},
    {"a block that starts outside", [](Model& m) { m.nodes[2].anim_map_start = 1; }, Code::kIndexOutOfRange,
     "node[2].anim_map_start"},
    {"a block that ends outside",
     [](Model& m) {
       m.frame_map = {0, 0, 0};
       m.frame_count = 3;
       m.nodes[1].anim_map_start = 0;
       m.nodes[2].anim_map_start = 1;
     },
     Code::kIndexOutOfRange, "node[2].anim_map_start"},
    {"a block of 2^32 - 1 entries",
     [](Model& m) {
       m.frame_map = {0, 0, 0};
       m.frame_count = 0xFFFFFFFF;
       m.nodes[1].anim_map_start = 2;
     },
     Code::kIndexOutOfRange, "node[1].anim_map_start"},
};

TEST(Hierarchy, IsUnavailableRatherThanMadeUp) {
  for (const Refusal& row : kUnavailable) {
    Model model = chain();
    row.damage(model);
    const auto hierarchy = Hierarchy::from(model.skeleton());
    ASSERT_FALSE(hierarchy) << row.name;
    EXPECT_EQ(hierarchy.error().code, row.code) << row.name;
    EXPECT_EQ(hierarchy.error().field.to_text(), row.field) << row.name;
    EXPECT_EQ(hierarchy.error().offset, 0U) << row.name;
  }
}

TEST(Hierarchy, NamesTheFirstFaultInTheDocumentedOrder) {
  Model model = chain();
  model.nodes[1] = {1, 0, 9};
  model.frame_count = 1;
  model.nodes[0].fallback_key = 9;
  const auto error_field = [&model] { return Hierarchy::from(model.skeleton()).error().field.to_text(); };
  EXPECT_EQ(error_field(), "node[0].fallback_key");
  model.nodes[0].fallback_key = 0;
  EXPECT_EQ(error_field(), "node[1].parent_or_link");
  model.nodes[1].parent = 0;
  EXPECT_EQ(error_field(), "node[1].anim_map_start");
  model.nodes[1].anim_map_start = kNoIndex;
  EXPECT_EQ(error_field(), "node[1].fallback_key");
}

TEST(Hierarchy, IgnoresFrameCountWhereNoNodeHasABlock) {
  Model model = chain();
  model.frame_count = 0xFFFFFFFF;
  EXPECT_EQ(evaluated(model, AtFrame{7})[2].key, 2);
}

TEST(Request, RefusesTimesThatAreNone) {
  struct Row {
    std::vector<std::optional<float>> times;
    Code code;
    const char* field;
  };
  const Row rows[] = {
      {{}, Code::kCountMismatch, "time"},
      {{0.0F, 0.0F}, Code::kCountMismatch, "time"},
      {{0.0F, 0.0F, 0.0F, 0.0F}, Code::kCountMismatch, "time"},
      {{0.0F, std::nullopt, -0.001F}, Code::kNegativeTime, "time[2]"},
      {{0.0F, kNotANumber, -1.0F}, Code::kNonFinite, "time[1]"},
      {{kInfinity, 0.0F, 0.0F}, Code::kNonFinite, "time[0]"},
      {{-kInfinity, 0.0F, 0.0F}, Code::kNonFinite, "time[0]"},
  };
  const Model model = chain();
  const auto hierarchy = Hierarchy::from(model.skeleton());
  ASSERT_TRUE(hierarchy);
  for (const Row& row : rows) {
    const auto poses = hierarchy->evaluate(AtTimes{row.times});
    ASSERT_FALSE(poses) << row.field;
    EXPECT_EQ(poses.error().code, row.code);
    EXPECT_EQ(poses.error().field.to_text(), row.field);
  }
  const std::optional<float> minus_zero[] = {-0.0F, -0.0F, -0.0F};
  EXPECT_TRUE(hierarchy->evaluate(AtTimes{minus_zero}));
}

}  // namespace
}  // namespace assay::pose
