#pragma once

#include <cstdint>
#include <span>

#include "parsers/base/result.h"
#include "parsers/pose/hierarchy.h"
#include "parsers/pose/placement.h"

// Control points of a model (CTPT) in the world (docs/formats/poses.md, P8; docs/formats/decisions.md, 25).
namespace assay::pose {

// A point as its file stores it.
struct ControlPoint {
  // The node that it sits on.
  std::int32_t node = 0;
  // Both in the frame of that node. The length of the direction carries a magnitude.
  Vec3 position{};
  Vec3 direction{};
};

struct WorldPoint {
  Vec3 position{};
  Vec3 direction{};
};

// The control point with number `index` of its file in the world, `nodes` being the pose of the model.
//
// The direction is a displacement: the node and the placement rotate it, which keeps its length, so the magnitude
// survives; neither moves it. The placement's scale acts on it as on the geometry: one scale for all axes multiplies
// the magnitude by it, different ones also turn the direction, and a negative one mirrors it.
// Errors: kIndexOutOfRange (`point[index].node`; -1, "no node", as well: such a point has no place that is known).
[[nodiscard]] Result<WorldPoint> point_in_world(const ControlPoint& point, std::size_t index,
                                                std::span<const NodePose> nodes, const PlacedFrame& placement);

}  // namespace assay::pose
