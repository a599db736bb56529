#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "parsers/pose/transform.h"

// What the tests of poses share.
namespace assay::pose {

inline constexpr float kHalfRoot = 0.70710678F;
inline constexpr float kPi = std::numbers::pi_v<float>;

inline void expect_near(Vec3 actual, Vec3 expected, float tolerance = 1e-5F) {
  EXPECT_NEAR(actual.x, expected.x, tolerance);
  EXPECT_NEAR(actual.y, expected.y, tolerance);
  EXPECT_NEAR(actual.z, expected.z, tolerance);
}

// Component by component: the vectors of the specification fix the sign of a quaternion as well.
inline void expect_near(Quat actual, Quat expected, float tolerance = 1e-5F) {
  EXPECT_NEAR(actual.x, expected.x, tolerance);
  EXPECT_NEAR(actual.y, expected.y, tolerance);
  EXPECT_NEAR(actual.z, expected.z, tolerance);
  EXPECT_NEAR(actual.w, expected.w, tolerance);
}

// The angle, in degrees, of a rotation about the z axis.
inline float degrees_about_z(Quat rotation) {
  return 2.0F * std::atan2(rotation.z, rotation.w) * 180.0F / kPi;
}

}  // namespace assay::pose
