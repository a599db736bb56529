#include "parsers/pose/transform.h"

#include <cfloat>
#include <cmath>

namespace assay::pose {

static_assert(FLT_EVAL_METHOD == 0, "results are defined as binary32, one rounding an operation");

namespace {

// 2^-23. A shorter quaternion says nothing about a direction.
constexpr float kLeastSquaredLength = 1.1920929e-7F;

}  // namespace

int sign_of(float value) {
  return static_cast<int>(value > 0.0F) - static_cast<int>(value < 0.0F);
}

Vec3 operator+(Vec3 left, Vec3 right) {
  return {left.x + right.x, left.y + right.y, left.z + right.z};
}
Vec3 operator-(Vec3 left, Vec3 right) {
  return {left.x - right.x, left.y - right.y, left.z - right.z};
}
Vec3 operator*(float factor, Vec3 vector) {
  return {factor * vector.x, factor * vector.y, factor * vector.z};
}
Vec3 scaled(Vec3 scale, Vec3 vector) {
  return {scale.x * vector.x, scale.y * vector.y, scale.z * vector.z};
}
float dot(Vec3 left, Vec3 right) {
  return left.x * right.x + left.y * right.y + left.z * right.z;
}
Vec3 cross(Vec3 left, Vec3 right) {
  return {left.y * right.z - left.z * right.y, left.z * right.x - left.x * right.z,
          left.x * right.y - left.y * right.x};
}

Vec3 operator*(const Matrix3& matrix, Vec3 vector) {
  return {dot(matrix[0], vector), dot(matrix[1], vector), dot(matrix[2], vector)};
}
float determinant(const Matrix3& matrix) {
  return dot(matrix[0], cross(matrix[1], matrix[2]));
}

Quat operator*(Quat left, Quat right) {
  return {left.w * right.x + left.x * right.w + left.y * right.z - left.z * right.y,
          left.w * right.y - left.x * right.z + left.y * right.w + left.z * right.x,
          left.w * right.z + left.x * right.y - left.y * right.x + left.z * right.w,
          left.w * right.w - left.x * right.x - left.y * right.y - left.z * right.z};
}
Quat operator*(float factor, Quat quaternion) {
  return {factor * quaternion.x, factor * quaternion.y, factor * quaternion.z, factor * quaternion.w};
}
Quat operator+(Quat left, Quat right) {
  return {left.x + right.x, left.y + right.y, left.z + right.z, left.w + right.w};
}
float dot(Quat left, Quat right) {
  return left.x * right.x + left.y * right.y + left.z * right.z + left.w * right.w;
}
Quat conjugate(Quat quaternion) {
  return {-quaternion.x, -quaternion.y, -quaternion.z, quaternion.w};
}

Quat normalize(Quat quaternion) {
  const float squared_length = dot(quaternion, quaternion);
  if (!std::isfinite(squared_length) || squared_length <= kLeastSquaredLength) {
    return {};
  }
  const float length = std::sqrt(squared_length);
  return {quaternion.x / length, quaternion.y / length, quaternion.z / length, quaternion.w / length};
}

Vec3 rotate(Quat rotation, Vec3 vector) {
  const Vec3 axis{rotation.x, rotation.y, rotation.z};
  const Vec3 turned = cross(axis, vector);
  return vector + (2.0F * rotation.w) * turned + 2.0F * cross(axis, turned);
}

Vec3 apply(const Pose& pose, Vec3 point) {
  return pose.translation + rotate(pose.rotation, point);
}

Pose compose(const Pose& parent, const Pose& child) {
  return {apply(parent, child.translation), normalize(parent.rotation * child.rotation)};
}

}  // namespace assay::pose
