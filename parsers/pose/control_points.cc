#include "parsers/pose/control_points.h"

namespace assay::pose {

Result<WorldPoint> point_in_world(const ControlPoint& point, std::size_t index, std::span<const NodePose> nodes,
                                  const PlacedFrame& placement) {
  if (point.node < 0 || static_cast<std::size_t>(point.node) >= nodes.size()) {
    return fail({.code = Code::kIndexOutOfRange,
                 .field = FieldPath("point", index).then("node"),
                 .expected = Datum::below(nodes.size()),
                 .got = Datum::signed_number(point.node)});
  }
  const Pose& node = nodes[static_cast<std::size_t>(point.node)].global;
  return WorldPoint{.position = placement.vertex(node, point.position),
                    .direction = placement.displacement(rotate(node.rotation, point.direction))};
}

}  // namespace assay::pose
