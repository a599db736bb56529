#include "parsers/resource/skeleton.h"

#include "parsers/formats/msh/msh_test_support.h"
#include "parsers/pose/pose_test_support.h"

namespace assay {
namespace {

using msh::Parts;
using msh::StreamType;
using pose::expect_near;
using pose::Hierarchy;
using pose::kHalfRoot;

struct Skeletal {
  explicit Skeletal(Buffer bytes)
      : image(std::move(bytes)), model(msh::Model::parse(image, {}, findings)), skeleton(model.value()) {}

  Buffer image;
  Findings findings;
  Result<msh::Model> model;
  ModelSkeleton skeleton;
};

TEST(ModelSkeleton, GivesTheHierarchyOfTheVector) {
  const Skeletal chain(msh::chain_of_three());
  const auto nodes = Hierarchy::from(chain.skeleton.view()).value().evaluate(pose::AtFallback{}).value();
  ASSERT_EQ(nodes.size(), 3U);
  expect_near(nodes[0].global.translation, {1, 0, 0});
  expect_near(nodes[0].global.rotation, {0, 0, -kHalfRoot, kHalfRoot});
  expect_near(nodes[1].global.translation, {3, 0, 0});
  expect_near(nodes[2].global.translation, {3, 0, 3});
  expect_near(nodes[2].global.rotation, {-0.5F, 0.5F, -0.5F, 0.5F});
  expect_near(pose::apply(nodes[2].global, {1, 1, 1}), {4, -1, 2});
}

TEST(ModelSkeleton, GivesTheFramesOfTheVector) {
  const Skeletal animated(msh::animated_model());
  const auto hierarchy = Hierarchy::from(animated.skeleton.view()).value();
  const struct {
    std::uint16_t frame;
    std::uint16_t key;
    float x;
  } rows[] = {{0, 0, 0}, {1, 0, 2.5F}, {4, 1, 10}, {5, 2, 20}, {6, 2, 20}};
  for (const auto& row : rows) {
    const auto nodes = hierarchy.evaluate(pose::AtFrame{row.frame}).value();
    EXPECT_EQ(nodes[0].key, row.key) << row.frame;
    EXPECT_FLOAT_EQ(nodes[0].global.translation.x, row.x) << row.frame;
  }
}

void expect_unavailable(const Buffer& image, const char* field) {
  const Skeletal flat(image);
  const auto hierarchy = Hierarchy::from(flat.skeleton.view());
  ASSERT_FALSE(hierarchy) << field;
  EXPECT_EQ(hierarchy.error().field.to_text(), field);
}

TEST(ModelSkeleton, LeavesToTheHierarchyWhatIsMissing) {
  for (const auto& [type, field] : {std::pair(StreamType::kKeys, "stream[8]"), {StreamType::kFrameMap, "stream[19]"}}) {
    Parts parts = Parts::of(msh::full_b());
    parts.remove(type);
    expect_unavailable(parts.build(), field);
  }
  expect_unavailable(format_testing::with_u16(msh::full_b(), 0x12, 0), "node[0].parent_or_link");
  expect_unavailable(format_testing::with_u16(msh::full_b(), 0x16, 1), "node[0].fallback_key");
  expect_unavailable(format_testing::with_u16(msh::full_b(), 0x14, 1), "node[0].anim_map_start");
  Parts parts = Parts::of(msh::full_b());
  parts.set(StreamType::kNodes, Buffer(24), 1);
  parts.at(StreamType::kNodes).row.attr3 = 24;
  expect_unavailable(parts.build(), "node");
}

}  // namespace
}  // namespace assay
