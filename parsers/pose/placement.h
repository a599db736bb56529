#pragma once

#include "parsers/pose/transform.h"

// Where a mission puts a model (docs/formats/poses.md, P7).
namespace assay::pose {

// As a mission stores it.
struct Placement {
  Vec3 position{};
  // Angles about x, y and z, in radians.
  Vec3 rotation{};
  Vec3 scale{1, 1, 1};
};

// A placement with its sines and cosines taken: p_world = T + Rz * Ry * Rx * (S o p_model).
//
// On a column vector the scale acts first, then the rotation about x, y and z in this order, then the translation
// (docs/formats/decisions.md, 28). Whether the scale of a given object counts at all is for the caller to say.
class PlacedFrame {
 public:
  explicit PlacedFrame(const Placement& placement);

  // A point of model space in the world.
  [[nodiscard]] Vec3 point(Vec3 model_point) const;
  // A difference of two points: scaled and rotated, not moved.
  [[nodiscard]] Vec3 displacement(Vec3 model_displacement) const;
  // A vertex, given in the frame of its node, in the world.
  [[nodiscard]] Vec3 vertex(const Pose& node, Vec3 node_point) const { return point(apply(node, node_point)); }

  // The determinant of the linear part. Rotations have 1, so it is the product of the scales.
  [[nodiscard]] float determinant() const;
  // Its sign, -1, 0 or +1, from the signs of the scales: small scales do not underflow to 0. 0 also where a scale is
  // not a number.
  [[nodiscard]] int determinant_sign() const;

 private:
  Matrix3 rotation_;
  Vec3 scale_;
  Vec3 position_;
};

}  // namespace assay::pose
