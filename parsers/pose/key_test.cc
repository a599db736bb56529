#include "parsers/pose/key.h"

#include <limits>

#include "parsers/base/bytes.h"
#include "parsers/base/escape.h"
#include "parsers/pose/pose_test_support.h"

namespace assay::pose {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

Key turned(std::int16_t w, std::int16_t x, std::int16_t y, std::int16_t z) {
  return {.rotation_wxyz = {w, x, y, z}};
}

// docs/formats/poses.md, P3, "Frame from time". The frames that floor(t) and rounding away from zero would give stand
// beside the right one, so that the table tells which mistake was made.
TEST(FrameOfTime, RoundsHalvesToEvenInBinary32) {
  struct Row {
    float time;
    std::uint32_t frame;
    int by_floor;
    int away_from_zero;
  };
  constexpr Row kRows[] = {
      {0.0F, 0, 0, -1}, {0.5F, 0, 0, 0}, {0.99999994F, 0, 0, 0}, {1.0F, 0, 1, 1}, {1.0000001F, 1, 1, 1},
      {1.5F, 1, 1, 1},  {2.0F, 2, 2, 2}, {2.5F, 2, 2, 2},        {3.0F, 2, 3, 3}, {3.0000002F, 3, 3, 3},
      {4.0F, 4, 4, 4},  {5.0F, 4, 5, 5}, {6.0F, 6, 6, 6},        {7.0F, 6, 7, 7},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(frame_of_time(row.time), row.frame)
        << row.time << "; floor gives " << row.by_floor << ", away from zero " << row.away_from_zero;
  }
}

TEST(FrameOfTime, TakesMinusZeroAndTimesThatNoFrameReaches) {
  EXPECT_EQ(frame_of_time(-0.0F), 0U);
  EXPECT_EQ(frame_of_time(65535.0F), 65534U);
  // From 2^24 on a half is lost in the subtraction, as it is in binary32.
  EXPECT_EQ(frame_of_time(16777218.0F), 16777218U);
  EXPECT_EQ(frame_of_time(4294967040.0F), 4294967040U);
  EXPECT_EQ(frame_of_time(4294967296.0F), 0xFFFFFFFFU);
  EXPECT_EQ(frame_of_time(std::numeric_limits<float>::max()), 0xFFFFFFFFU);
}

TEST(FrameOfTime, RefusesWhatIsNoTime) {
  struct Row {
    float time;
    Code code;
  };
  for (const Row& row :
       {Row{-0.001F, Code::kNegativeTime}, Row{-1e-40F, Code::kNegativeTime}, Row{kNotANumber, Code::kNonFinite},
        Row{kInfinity, Code::kNonFinite}, Row{-kInfinity, Code::kNonFinite}}) {
    const auto frame = frame_of_time(row.time);
    ASSERT_FALSE(frame) << row.time;
    EXPECT_EQ(frame.error().code, row.code) << row.time;
    EXPECT_EQ(frame.error().field, FieldPath("time")) << row.time;
  }
}

// docs/formats/poses.md, P2, "Key decode": the first row, from its stored bytes.
TEST(SamplingPose, DecodesAKeyAndIsConjugatedOnce) {
  const Buffer raw = *from_hex("000080bf000000400000003f00004841825a00000000825a");
  const auto number = [&raw](std::size_t at) { return load_little_endian<float>(Bytes(raw).subspan(at).first<4>()); };
  const auto fixed = [&raw](std::size_t at) {
    return load_little_endian<std::int16_t>(Bytes(raw).subspan(at).first<2>());
  };
  const Key key{.translation = {number(0), number(4), number(8)},
                .time = number(12),
                .rotation_wxyz = {fixed(16), fixed(18), fixed(20), fixed(22)}};
  EXPECT_EQ(key.time, 12.5F);
  const Pose pose = sampling_pose(key);
  EXPECT_EQ(pose.translation, (Vec3{-1, 2, 0.5F}));
  expect_near(pose.rotation, {0, 0, kHalfRoot, kHalfRoot});
  expect_near(conjugate(pose.rotation), {0, 0, -kHalfRoot, kHalfRoot});
  expect_near(rotate(conjugate(pose.rotation), {1, 0, 0}), {0, -1, 0});
  expect_near(rotate(pose.rotation, {1, 0, 0}), {0, 1, 0});
}

// docs/formats/poses.md, P2, "Key decode": the bound 2^-23 lies between 5 and 8 in two components.
TEST(SamplingPose, NormalisesAndTakesShortRotationsForTheIdentity) {
  EXPECT_EQ(sampling_pose(turned(0, 0, 0, 0)).rotation, Quat());
  EXPECT_EQ(sampling_pose(turned(16384, 0, 0, 0)).rotation, Quat());
  EXPECT_EQ(sampling_pose(turned(5, 5, 0, 0)).rotation, Quat());
  expect_near(sampling_pose(turned(8, 8, 0, 0)).rotation, {kHalfRoot, 0, 0, kHalfRoot});
  expect_near(sampling_pose(turned(-32768, 0, 0, 0)).rotation, {0, 0, 0, -1});
}

TEST(SamplingPose, ReadsTheComponentsInTheOrderWxyz) {
  const Quat rotation = sampling_pose(turned(4000, 1000, 2000, 3000)).rotation;
  EXPECT_LT(rotation.x, rotation.y);
  EXPECT_LT(rotation.y, rotation.z);
  EXPECT_LT(rotation.z, rotation.w);
}

TEST(BlendKeys, NeverLeavesTheInterval) {
  const Key first{.translation = {1, 0, 0}, .time = 2, .rotation_wxyz = {32767, 0, 0, 0}};
  const Key second{.translation = {3, 0, 0}, .time = 4, .rotation_wxyz = {23170, 0, 0, 23170}};
  const auto x_at = [&](float time) { return blend_keys(first, second, time, RotationBlend::kNlerp).translation.x; };
  EXPECT_EQ(x_at(0), 1.0F);
  EXPECT_EQ(x_at(2), 1.0F);
  EXPECT_EQ(x_at(3), 2.0F);
  EXPECT_EQ(x_at(4), 3.0F);
  EXPECT_EQ(x_at(9), 3.0F);
  EXPECT_EQ(x_at(kNotANumber), 1.0F);
}

TEST(BlendKeys, StaysOnTheFirstWhereTheNextIsNotLater) {
  const Key first{.translation = {1, 0, 0}, .time = 2, .rotation_wxyz = {32767, 0, 0, 0}};
  for (const float time : {2.0F, 1.0F, kNotANumber}) {
    const Key second{.translation = {3, 0, 0}, .time = time, .rotation_wxyz = {23170, 0, 0, 23170}};
    EXPECT_EQ(blend_keys(first, second, 3, RotationBlend::kNlerp), sampling_pose(first)) << time;
  }
}

TEST(BlendKeys, GoesTheShorterWay) {
  const Key first{.time = 0, .rotation_wxyz = {32767, 0, 0, 0}};
  // A quarter turn about z, stored as its negative.
  const Key second{.time = 1, .rotation_wxyz = {-23170, 0, 0, -23170}};
  for (const RotationBlend blend : {RotationBlend::kNlerp, RotationBlend::kSlerp}) {
    EXPECT_NEAR(degrees_about_z(blend_keys(first, second, 0.5F, blend).rotation), 45.0F, 1e-3F);
  }
}

// Turns about z just beyond and just within the cosine 0.9995, a quarter of the way. There the two formulas differ by
// 6.5e-7 and 4.2e-7.
TEST(BlendKeys, SlerpGoesStraightOnlyBetweenNearlyEqualRotations) {
  const auto z_at_a_quarter = [](Key second, RotationBlend blend) {
    second.time = 1;
    return blend_keys(turned(32767, 0, 0, 0), second, 0.25F, blend).rotation.z;
  };
  const Key beyond = turned(32748, 0, 0, 1134);
  EXPECT_NEAR(z_at_a_quarter(beyond, RotationBlend::kSlerp), 0.00865345149F, 1e-7F);
  EXPECT_NEAR(z_at_a_quarter(beyond, RotationBlend::kNlerp), 0.00865280345F, 1e-7F);
  const Key within = turned(32752, 0, 0, 983);
  EXPECT_NEAR(z_at_a_quarter(within, RotationBlend::kSlerp), 0.00750061435F, 1e-7F);
  EXPECT_NEAR(z_at_a_quarter(within, RotationBlend::kNlerp), 0.00750061435F, 1e-7F);
}

TEST(BlendKeys, SlerpOfNearlyEqualRotationsIsFinite) {
  const Key first{.time = 0, .rotation_wxyz = {32767, 0, 0, 0}};
  const Key second{.time = 1, .rotation_wxyz = {32767, 0, 0, 1}};
  const Quat between = blend_keys(first, second, 0.5F, RotationBlend::kSlerp).rotation;
  expect_near(between, {0, 0, 0.5F / 32767.0F, 1}, 1e-7F);
  EXPECT_EQ(blend_keys(first, {.time = 1, .rotation_wxyz = {32767, 0, 0, 0}}, 0.5F, RotationBlend::kSlerp).rotation,
            Quat());
}

}  // namespace
}  // namespace assay::pose
