#include "parsers/pose/placement.h"

#include <cmath>

namespace assay::pose {
namespace {

// Rz * Ry * Rx.
Matrix3 rotation_matrix(Vec3 angles) {
  const float sx = std::sin(angles.x);
  const float cx = std::cos(angles.x);
  const float sy = std::sin(angles.y);
  const float cy = std::cos(angles.y);
  const float sz = std::sin(angles.z);
  const float cz = std::cos(angles.z);
  return {{{cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx},
           {sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx},
           {-sy, cy * sx, cy * cx}}};
}

}  // namespace

PlacedFrame::PlacedFrame(const Placement& placement)
    : rotation_(rotation_matrix(placement.rotation)), scale_(placement.scale), position_(placement.position) {}

Vec3 PlacedFrame::point(Vec3 model_point) const {
  return position_ + displacement(model_point);
}

Vec3 PlacedFrame::displacement(Vec3 model_displacement) const {
  return rotation_ * scaled(scale_, model_displacement);
}

float PlacedFrame::determinant() const {
  return scale_.x * scale_.y * scale_.z;
}

int PlacedFrame::determinant_sign() const {
  return sign_of(scale_.x) * sign_of(scale_.y) * sign_of(scale_.z);
}

}  // namespace assay::pose
