#include "parsers/pose/transform.h"

#include <limits>

#include "parsers/pose/pose_test_support.h"

namespace assay::pose {
namespace {

constexpr Quat kQuarterAboutX{kHalfRoot, 0, 0, kHalfRoot};
constexpr Quat kQuarterAboutZ{0, 0, kHalfRoot, kHalfRoot};
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

TEST(Quaternion, TheProductAppliesItsRightSideFirst) {
  // y turned about x is z, and z stays under a turn about z.
  expect_near(rotate(kQuarterAboutZ * kQuarterAboutX, {0, 1, 0}), {0, 0, 1});
  // y turned about z is -x, and -x stays under a turn about x.
  expect_near(rotate(kQuarterAboutX * kQuarterAboutZ, {0, 1, 0}), {-1, 0, 0});
}

TEST(Quaternion, TheProductOfUnitsIsHamiltons) {
  const Quat i{1, 0, 0, 0};
  const Quat j{0, 1, 0, 0};
  const Quat k{0, 0, 1, 0};
  EXPECT_EQ(i * j, k);
  EXPECT_EQ(j * k, i);
  EXPECT_EQ(k * i, j);
  EXPECT_EQ(i * i, (Quat{0, 0, 0, -1}));
}

TEST(Quaternion, RotatesCounterClockwiseSeenFromTheTipOfItsAxis) {
  expect_near(rotate(kQuarterAboutZ, {1, 0, 0}), {0, 1, 0});
  expect_near(rotate(conjugate(kQuarterAboutZ), {1, 0, 0}), {0, -1, 0});
}

TEST(Quaternion, NormalisesToTheIdentityWhereThereIsNoDirection) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Quat quaternion : {Quat{0, 0, 0, 0}, Quat{kNotANumber, 0, 0, 1}, Quat{infinity, 0, 0, 1},
                                Quat{1e30F, 0, 0, 1}, Quat{2e-4F, 2e-4F, 0, 0}}) {
    EXPECT_EQ(normalize(quaternion), Quat()) << quaternion.x;
  }
  expect_near(normalize({0, 0, 3, 3}), kQuarterAboutZ);
}

TEST(Pose, ComposesLikePointsGoThroughIt) {
  const Pose parent{{1, 2, 3}, kQuarterAboutZ};
  const Pose child{{4, 5, 6}, kQuarterAboutX};
  expect_near(apply(compose(parent, child), {7, 8, 9}), apply(parent, apply(child, {7, 8, 9})));
}

TEST(Pose, ComposingNormalisesTheRotation) {
  const Pose halved{{}, 0.5F * kQuarterAboutZ};
  expect_near(compose(halved, {}).rotation, kQuarterAboutZ);
  expect_near(compose({}, halved).rotation, kQuarterAboutZ);
}

TEST(Matrix, MultipliesColumnsAndHasASignedDeterminant) {
  const Matrix3 matrix{{{0, -1, 0}, {1, 0, 0}, {0, 0, 2}}};
  EXPECT_EQ(matrix * Vec3(1, 0, 3), (Vec3{0, 1, 6}));
  EXPECT_EQ(determinant(matrix), 2.0F);
  EXPECT_EQ(determinant({matrix[1], matrix[0], matrix[2]}), -2.0F);
}

TEST(SignOf, KnowsOnlyThreeAnswers) {
  EXPECT_EQ(sign_of(1e-40F), 1);
  EXPECT_EQ(sign_of(-5.0F), -1);
  EXPECT_EQ(sign_of(-0.0F), 0);
  EXPECT_EQ(sign_of(kNotANumber), 0);
}

}  // namespace
}  // namespace assay::pose
