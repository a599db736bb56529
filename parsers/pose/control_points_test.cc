#include "parsers/pose/control_points.h"

#include "parsers/pose/pose_test_support.h"

namespace assay::pose {
namespace {

// A node that does nothing, and one that turns x to -y and moves by one along x.
std::vector<NodePose> two_nodes() {
  return {{}, {.key = 0, .local = {}, .global = {{1, 0, 0}, {0, 0, -kHalfRoot, kHalfRoot}}}};
}

float length(Vec3 vector) {
  return std::sqrt(dot(vector, vector));
}

TEST(ControlPoint, GoesThroughItsNodeAndThePlacement) {
  const PlacedFrame placed({.position = {10, 20, 30}, .rotation = {kPi / 2, 0, 0}});
  const auto point = point_in_world({1, {1, 1, 1}, {5, 0, 0}}, 0, two_nodes(), placed);
  ASSERT_TRUE(point);
  // Under the node (2, -1, 1) and (0, -5, 0); the placement turns y to z and z to -y.
  expect_near(point->position, {12, 19, 29});
  expect_near(point->direction, {0, 0, -5});
}

TEST(ControlPoint, RotationKeepsTheMagnitudeOfTheDirection) {
  const PlacedFrame placed({.position = {100, 0, 0}, .rotation = {0.1F, 0.2F, 0.3F}});
  const auto point = point_in_world({1, {}, {3, 4, 12}}, 0, two_nodes(), placed);
  EXPECT_NEAR(length(point->direction), 13, 1e-5F);
}

TEST(ControlPoint, ScaleActsOnTheDirectionAsOnTheGeometry) {
  const auto direction_under = [](Vec3 scale) {
    return point_in_world({0, {}, {3, 4, 0}}, 0, two_nodes(), PlacedFrame({.scale = scale}))->direction;
  };
  EXPECT_NEAR(length(direction_under({2, 2, 2})), 10, 1e-5F);
  expect_near(direction_under({2, 1, 1}), {6, 4, 0});
  expect_near(direction_under({-1, 1, 1}), {-3, 4, 0});
}

TEST(ControlPoint, RefusesANodeThatTheModelDoesNotHave) {
  for (const std::int32_t node : {-1, 2, 0x7FFFFFFF, -0x7FFFFFFF - 1}) {
    const auto point = point_in_world({node, {}, {}}, 7, two_nodes(), PlacedFrame({}));
    ASSERT_FALSE(point) << node;
    EXPECT_EQ(point.error().code, Code::kIndexOutOfRange);
    EXPECT_EQ(point.error().field.to_text(), "point[7].node");
  }
}

}  // namespace
}  // namespace assay::pose
