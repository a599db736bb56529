#include "parsers/pose/face_side.h"

#include <numeric>

namespace assay::pose {
namespace {

// 0 and a side that is not a number both fail the comparison.
bool is_kept(float side) {
  return side > 0.0F;
}

std::vector<std::uint32_t> all_faces(std::size_t count) {
  std::vector<std::uint32_t> faces(count);
  std::iota(faces.begin(), faces.end(), 0U);
  return faces;
}

std::vector<std::uint32_t> tested_faces(std::span<const Face> faces, Vec3 eye, int determinant_sign) {
  std::vector<std::uint32_t> kept;
  for (std::size_t index = 0; index < faces.size(); ++index) {
    if (is_kept(side_of_world_face(eye, faces[index], determinant_sign))) {
      kept.push_back(static_cast<std::uint32_t>(index));
    }
  }
  return kept;
}

}  // namespace

SideTest side_test(std::uint16_t batch_flags) {
  if ((batch_flags & kBatchSkipsSideTest) != 0) {
    return SideTest::kNone;
  }
  return (batch_flags & kBatchTestsFirstFace) != 0 ? SideTest::kFirstFace : SideTest::kEveryFace;
}

float side_of_face(Vec3 eye, const Face& face) {
  return dot(eye - face[0], cross(face[1] - face[0], face[2] - face[0]));
}

float side_of_world_face(Vec3 eye, const Face& face, int determinant_sign) {
  return static_cast<float>(determinant_sign) * side_of_face(eye, face);
}

std::vector<std::uint32_t> drawn_faces(std::uint16_t batch_flags, std::span<const Face> faces, Vec3 eye,
                                       int determinant_sign) {
  if (faces.empty() || determinant_sign == 0) {
    return {};
  }
  switch (side_test(batch_flags)) {
    case SideTest::kNone: return all_faces(faces.size());
    case SideTest::kEveryFace: return tested_faces(faces, eye, determinant_sign);
    case SideTest::kFirstFace: break;
  }
  const bool is_drawn = is_kept(side_of_world_face(eye, faces[0], determinant_sign));
  return is_drawn ? all_faces(faces.size()) : std::vector<std::uint32_t>();
}

bool is_front_face(float world_side, int view_sign) {
  return world_side * static_cast<float>(view_sign) < 0.0F;
}

std::optional<CullMode> cull_mode(std::uint16_t batch_flags, int placement_sign, int view_sign) {
  const int sign = placement_sign * view_sign;
  if (sign == 0) {
    return std::nullopt;
  }
  if (side_test(batch_flags) != SideTest::kEveryFace) {
    return CullMode::kNone;
  }
  return sign > 0 ? CullMode::kFront : CullMode::kBack;
}

}  // namespace assay::pose
