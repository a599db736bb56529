#pragma once

#include <array>

// Vectors, quaternions and rigid transforms in binary32 (docs/formats/poses.md, P1).
//
// Every operation is one rounding after another in the order written in transform.cc, without fused multiply-add, so
// that a hash of results is the same on every machine. Nothing here fails: what is not finite goes through as it is,
// except that normalize() answers it with the identity.
namespace assay::pose {

// -1, 0 or +1; 0 for what is not a number.
[[nodiscard]] int sign_of(float value);

struct Vec3 {
  float x = 0;
  float y = 0;
  float z = 0;

  friend bool operator==(const Vec3&, const Vec3&) = default;
};

[[nodiscard]] Vec3 operator+(Vec3 left, Vec3 right);
[[nodiscard]] Vec3 operator-(Vec3 left, Vec3 right);
[[nodiscard]] Vec3 operator*(float factor, Vec3 vector);
// The product of each pair of components; how a scale acts on a point.
[[nodiscard]] Vec3 scaled(Vec3 scale, Vec3 vector);
[[nodiscard]] float dot(Vec3 left, Vec3 right);
[[nodiscard]] Vec3 cross(Vec3 left, Vec3 right);

// Rows; acts on column vectors.
using Matrix3 = std::array<Vec3, 3>;
[[nodiscard]] Vec3 operator*(const Matrix3& matrix, Vec3 vector);
[[nodiscard]] float determinant(const Matrix3& matrix);

// A rotation, when it has length 1. Keys store w first; in memory it is last.
struct Quat {
  float x = 0;
  float y = 0;
  float z = 0;
  float w = 1;

  friend bool operator==(const Quat&, const Quat&) = default;
};

// The Hamilton product: as rotations, `right` is applied first.
[[nodiscard]] Quat operator*(Quat left, Quat right);
[[nodiscard]] Quat operator*(float factor, Quat quaternion);
[[nodiscard]] Quat operator+(Quat left, Quat right);
[[nodiscard]] float dot(Quat left, Quat right);
[[nodiscard]] Quat conjugate(Quat quaternion);
// The quaternion divided by its length; the identity where the sum of squares is not finite or at most 2^-23.
[[nodiscard]] Quat normalize(Quat quaternion);
// v + 2w(u x v) + 2u x (u x v) with u = (x, y, z). A rotation only where `rotation` has length 1.
[[nodiscard]] Vec3 rotate(Quat rotation, Vec3 vector);

// Rotation, then translation.
struct Pose {
  Vec3 translation{};
  Quat rotation{};

  friend bool operator==(const Pose&, const Pose&) = default;
};

// A point of the posed frame in the frame around it.
[[nodiscard]] Vec3 apply(const Pose& pose, Vec3 point);
// `child`, given in the frame of `parent`, in the frame around the parent; the rotation is normalised again.
[[nodiscard]] Pose compose(const Pose& parent, const Pose& child);

}  // namespace assay::pose
