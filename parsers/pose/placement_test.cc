#include "parsers/pose/placement.h"

#include <limits>

#include "parsers/pose/pose_test_support.h"

namespace assay::pose {
namespace {

// docs/formats/poses.md, P7, "Placement".
TEST(Placement, ScalesThenRotatesThenMoves) {
  const PlacedFrame placed({.position = {10, 20, 30}, .rotation = {0, 0, kPi / 2}, .scale = {2, 1, 0.5F}});
  expect_near(placed.point({2, 3, 4}), {7, 24, 32});
}

TEST(Placement, TurnsAboutXThenYThenZ) {
  const PlacedFrame small({.rotation = {0.1F, 0.2F, 0.3F}});
  expect_near(small.point({1, 2, 3}), {1.041154F, 2.091609F, 2.922528F}, 1e-6F);
  const PlacedFrame quarters({.rotation = {kPi / 2, 0, kPi / 2}});
  expect_near(quarters.point({1, 0, 0}), {0, 1, 0});
  expect_near(quarters.point({0, 1, 0}), {0, 0, 1});
}

TEST(Placement, DoesNotMoveDisplacements) {
  const PlacedFrame placed({.position = {10, 20, 30}, .rotation = {0, 0, kPi / 2}, .scale = {2, 1, 0.5F}});
  expect_near(placed.displacement({2, 3, 4}), {-3, 4, 2});
}

TEST(Placement, TakesAVertexThroughItsNodeFirst) {
  const PlacedFrame placed({.position = {10, 20, 30}, .rotation = {0, 0, kPi / 2}, .scale = {2, 1, 0.5F}});
  const Pose node{{1, 0, 0}, {0, 0, -kHalfRoot, kHalfRoot}};
  // (1, 1, 1) under the node is (2, -1, 1), scaled (4, -1, 0.5), turned (1, 4, 0.5).
  expect_near(placed.vertex(node, {1, 1, 1}), {11, 24, 30.5F});
}

TEST(Placement, HasTheDeterminantOfItsScale) {
  const PlacedFrame mirrored({.rotation = {1, 2, 3}, .scale = {-2, 3, 0.5F}});
  EXPECT_EQ(mirrored.determinant(), -3.0F);
  EXPECT_EQ(mirrored.determinant_sign(), -1);
  const Matrix3 columns{mirrored.displacement({1, 0, 0}), mirrored.displacement({0, 1, 0}),
                        mirrored.displacement({0, 0, 1})};
  EXPECT_NEAR(determinant(columns), -3.0F, 1e-5F) << "a matrix and its transpose have one determinant";
}

TEST(Placement, ItsSignDoesNotUnderflow) {
  const PlacedFrame tiny({.scale = {-1e-20F, 1e-20F, 1e-20F}});
  EXPECT_EQ(tiny.determinant(), 0.0F);
  EXPECT_EQ(tiny.determinant_sign(), -1);
  EXPECT_EQ(PlacedFrame({.scale = {-1, -1, -1}}).determinant_sign(), -1);
  EXPECT_EQ(PlacedFrame({.scale = {-1, -1, 1}}).determinant_sign(), 1);
  EXPECT_EQ(PlacedFrame({.scale = {1, 0, 1}}).determinant_sign(), 0);
  EXPECT_EQ(PlacedFrame({.scale = {1, std::numeric_limits<float>::quiet_NaN(), 1}}).determinant_sign(), 0);
}

}  // namespace
}  // namespace assay::pose
