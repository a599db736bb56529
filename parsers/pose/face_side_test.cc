#include "parsers/pose/face_side.h"

#include <limits>
#include <random>

#include "parsers/pose/placement.h"
#include "parsers/pose/pose_test_support.h"

namespace assay::pose {
namespace {

using FaceNumbers = std::vector<std::uint32_t>;

constexpr Face kFace{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
// The same seen from behind, and one without an area.
constexpr Face kTurned{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}};
constexpr Face kDegenerate{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}};
constexpr Vec3 kAbove{0, 0, 5};
constexpr std::uint16_t kBothBits = kBatchSkipsSideTest | kBatchTestsFirstFace;

Face placed(const Face& face, const PlacedFrame& placement) {
  return {placement.point(face[0]), placement.point(face[1]), placement.point(face[2])};
}

// docs/formats/poses.md, P9, "Face side".
TEST(FaceSide, IsAboveZeroOnTheSideThatIsDrawn) {
  EXPECT_EQ(side_of_face(kAbove, kFace), 5.0F);
  EXPECT_EQ(side_of_face({0, 0, -5}, kFace), -5.0F);
  EXPECT_EQ(side_of_face({3, 4, 0}, kFace), 0.0F);
  EXPECT_EQ(side_of_face(kAbove, kDegenerate), 0.0F);
}

// docs/formats/poses.md, P9, "Face side".
TEST(FaceSide, AMirrorInThePlacementIsUndone) {
  struct Row {
    Placement placement;
    Vec3 eye;
    float world_side;
    float side;
  };
  const Row rows[] = {
      {{.position = {10, 0, 0}, .scale = {-1, 1, 1}}, {10, 0, 5}, -5, 5},
      {{.scale = {-1, -1, 1}}, kAbove, 5, 5},
      {{.scale = {-1, -1, -1}}, kAbove, 5, -5},
  };
  for (const Row& row : rows) {
    const PlacedFrame placement(row.placement);
    const Face face = placed(kFace, placement);
    EXPECT_EQ(side_of_face(row.eye, face), row.world_side);
    EXPECT_EQ(side_of_world_face(row.eye, face, placement.determinant_sign()), row.side);
    EXPECT_EQ(drawn_faces(0, {&face, 1}, row.eye, placement.determinant_sign()).size(), row.side > 0 ? 1U : 0U);
  }
}

TEST(BatchFlags, ChooseTheTest) {
  EXPECT_EQ(side_test(0), SideTest::kEveryFace);
  EXPECT_EQ(side_test(0xBFFD), SideTest::kEveryFace);
  EXPECT_EQ(side_test(0x0002), SideTest::kNone);
  EXPECT_EQ(side_test(0x4000), SideTest::kFirstFace);
  EXPECT_EQ(side_test(0x4002), SideTest::kNone);
}

struct DrawnRow {
  const char* name;
  std::uint16_t flags;
  std::array<Face, 2> faces;
  FaceNumbers drawn;
};

// docs/formats/poses.md, P9, "Face side": kFace has d > 0, kTurned d < 0. Three indices a face.
const DrawnRow kDrawn[] = {
    {"every face, first kept", 0, {kFace, kTurned}, {0}},
    {"every face, second kept", 0, {kTurned, kFace}, {1}},
    {"every face, degenerate", 0, {kDegenerate, kFace}, {1}},
    {"first face kept", kBatchTestsFirstFace, {kFace, kTurned}, {0, 1}},
    {"first face refused", kBatchTestsFirstFace, {kTurned, kFace}, {}},
    {"first face degenerate", kBatchTestsFirstFace, {kDegenerate, kFace}, {}},
    {"no test", kBatchSkipsSideTest, {kTurned, kDegenerate}, {0, 1}},
    {"no test, first kept", kBatchSkipsSideTest, {kFace, kTurned}, {0, 1}},
    {"both bits", kBothBits, {kTurned, kFace}, {0, 1}},
};

TEST(DrawnFaces, FollowTheFlagsOfTheBatch) {
  for (const DrawnRow& row : kDrawn) {
    EXPECT_EQ(drawn_faces(row.flags, row.faces, kAbove, 1), row.drawn) << row.name;
  }
}

TEST(DrawnFaces, ARefusedRangeComesBackWhenTheEyeMoves) {
  const Face faces[] = {kTurned, kFace};
  EXPECT_EQ(drawn_faces(kBatchTestsFirstFace, faces, kAbove, 1).size() * 3, 0U);
  EXPECT_EQ(drawn_faces(kBatchTestsFirstFace, faces, {0, 0, -5}, 1).size() * 3, 6U);
}

TEST(DrawnFaces, AreNoneUnderAFlatPlacementOrWithoutFaces) {
  const Face faces[] = {kFace, kTurned};
  for (const std::uint16_t flags : {std::uint16_t{0}, kBatchSkipsSideTest, kBatchTestsFirstFace, kBothBits}) {
    EXPECT_TRUE(drawn_faces(flags, faces, kAbove, 0).empty()) << flags;
    EXPECT_TRUE(drawn_faces(flags, {}, kAbove, 1).empty()) << flags;
  }
}

TEST(DrawnFaces, ASideThatIsNotANumberRefuses) {
  const Face broken{{{std::numeric_limits<float>::quiet_NaN(), 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  EXPECT_TRUE(drawn_faces(0, {&broken, 1}, kAbove, 1).empty());
  EXPECT_TRUE(drawn_faces(0, {&broken, 1}, kAbove, -1).empty());
}

TEST(CullModes, FollowThePlacementAndTheBatch) {
  EXPECT_EQ(cull_mode(0, 1, 1), CullMode::kFront);
  EXPECT_EQ(cull_mode(0, -1, 1), CullMode::kBack);
  EXPECT_EQ(cull_mode(0, 1, -1), CullMode::kBack);
  EXPECT_EQ(cull_mode(0, -1, -1), CullMode::kFront);
  for (const std::uint16_t flags : {kBatchSkipsSideTest, kBatchTestsFirstFace, kBothBits}) {
    EXPECT_EQ(cull_mode(flags, 1, 1), CullMode::kNone) << flags;
    EXPECT_EQ(cull_mode(flags, -1, 1), CullMode::kNone) << flags;
    EXPECT_EQ(cull_mode(flags, 0, 1), std::nullopt) << flags;
  }
  EXPECT_EQ(cull_mode(0, 0, 1), std::nullopt);
  EXPECT_EQ(cull_mode(0, 1, 0), std::nullopt);
}

// The signed area in normalised device coordinates, by the shoelace rule; nothing for a face that reaches behind the
// eye. With y pointing down on the screen a positive area is clockwise.
std::optional<float> clip_area(const Matrix3& view, Vec3 eye, const Face& face) {
  std::array<std::array<float, 2>, 3> corners{};
  for (std::size_t index = 0; index < 3; ++index) {
    const Vec3 clip = view * (face[index] - eye);
    if (clip.z < 0.05F) {
      return std::nullopt;
    }
    corners[index] = {clip.x / clip.z, clip.y / clip.z};
  }
  const auto [a, b, c] = corners;
  return 0.5F * ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]));
}

// docs/formats/poses.md, P9, "Clip". The rows of a view give x, y and w.
TEST(Clip, TheVectorsAreaHasTheSignOfMinusSideTimesDeterminant) {
  const Vec3 eye{0, -5, 0};
  const Face face{{{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}};
  const Matrix3 upright{{{1, 0, 0}, {0, 0, 1}, {0, 1, 0}}};
  const Matrix3 flipped{{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
  const float side = side_of_face(eye, face);
  EXPECT_EQ(side, 20.0F);
  EXPECT_EQ(determinant(upright), -1.0F);
  EXPECT_NEAR(*clip_area(upright, eye, face), 0.08F, 1e-6F);
  EXPECT_TRUE(is_front_face(side, -1));
  EXPECT_EQ(determinant(flipped), 1.0F);
  EXPECT_NEAR(*clip_area(flipped, eye, face), -0.08F, 1e-6F);
  EXPECT_FALSE(is_front_face(side, 1));
}

// Any view, any placement: what the cull mode keeps is what the software test keeps.
TEST(Clip, CullingKeepsExactlyTheFacesThatPassTheTest) {
  // NOLINTNEXTLINE(cert-msc51-cpp): the same cases each run.
  std::mt19937 random(20240607);
  const auto number = [&random] { return static_cast<float>(random() % 20001) / 10000.0F - 1.0F; };
  const auto vector = [&number] { return Vec3{number(), number(), number()}; };
  int compared = 0;
  while (compared < 2000) {
    const Matrix3 view{vector(), vector(), vector()};
    const PlacedFrame placement({.position = vector(), .rotation = vector(), .scale = vector()});
    const Face face = placed({vector(), vector(), vector()}, placement);
    const Vec3 eye = 3.0F * vector();
    const auto area = clip_area(view, eye, face);
    const float side = side_of_world_face(eye, face, placement.determinant_sign());
    if (!area || std::abs(*area) < 1e-4F || std::abs(side) < 1e-4F || std::abs(determinant(view)) < 1e-3F) {
      continue;
    }
    ++compared;
    const int view_sign = sign_of(determinant(view));
    const bool is_front = is_front_face(side_of_face(eye, face), view_sign);
    EXPECT_EQ(is_front, *area > 0.0F);
    const CullMode mode = cull_mode(0, placement.determinant_sign(), view_sign).value();
    EXPECT_EQ(mode == (is_front ? CullMode::kBack : CullMode::kFront), side > 0.0F);
  }
}

}  // namespace
}  // namespace assay::pose
