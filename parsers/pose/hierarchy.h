#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "parsers/base/result.h"
#include "parsers/pose/key.h"
#include "parsers/pose/transform.h"

// The pose of every node of a model (docs/formats/poses.md, P4 and P5).
namespace assay::pose {

// A `parent` or `anim_map_start` that names nothing.
inline constexpr std::uint16_t kNoIndex = 0xFFFF;
// The one size of node record, in bytes, whose fields are known. The other one that occurs, 24, gives no hierarchy.
inline constexpr std::uint32_t kNodeRecordBytes = 38;

// What a node record says about poses.
struct Node {
  std::uint16_t parent = kNoIndex;          // field parent_or_link
  std::uint16_t anim_map_start = kNoIndex;  // where the node's block in the frame map starts
  std::uint16_t fallback_key = 0;
};

// The parts of a model that poses are made from; views into somebody else's memory.
struct Skeleton {
  std::uint32_t node_record_bytes = 0;
  std::span<const Node> nodes{};
  std::span<const Key> keys{};                 // stream type 8
  std::span<const std::uint16_t> frame_map{};  // stream type 19
  std::uint32_t frame_count = 0;               // attr2 of stream type 19
  // An empty stream is there; a missing one is not.
  bool has_keys = false;
  bool has_frame_map = false;
};

// The fallback key of every node, exactly.
struct AtFallback {};
// One frame for all nodes. Frames behind the last give the fallback.
struct AtFrame {
  std::uint16_t frame = 0;
};
// A time in frames for every node; nothing means its fallback.
struct AtTimes {
  std::span<const std::optional<float>> times{};
};
using Request = std::variant<AtFallback, AtFrame, AtTimes>;

struct NodePose {
  // The key that was selected; the pose lies between it and the next one, or is the fallback key.
  std::uint16_t key = 0;
  // In the frame of the parent, and in that of the model. Both with the active rotation, after the conjugation.
  Pose local{};
  Pose global{};
};

// A skeleton whose every reference was checked, so that only a request can be wrong.
//
// Holds the views of its skeleton, whose memory must outlive it.
class Hierarchy {
 public:
  // Errors: each means that the model has no hierarchy ("unavailable") while its static geometry stays valid; none is
  // ever made up. In this order: kPoseUnavailable with field `node` (records of another size, or none), `stream[8]` or
  // `stream[19]` (missing); then node by node kInvalidParent (`node[i].parent_or_link`: not below the node's own
  // index), kIndexOutOfRange (`node[i].anim_map_start`: the block of frame_count entries passes the frame map;
  // `node[i].fallback_key`: no such key). Offsets are 0: a skeleton does not know where it lay. Cost: O(nodes).
  [[nodiscard]] static Result<Hierarchy> from(const Skeleton& skeleton);

  // The pose of every node, in node order. Errors: kCountMismatch (field `time`) unless there is one time a node;
  // kNonFinite and kNegativeTime (field `time[i]`). Allocates one NodePose a node; cost O(nodes).
  [[nodiscard]] Result<std::vector<NodePose>> evaluate(const Request& request,
                                                       RotationBlend blend = RotationBlend::kNlerp) const;

  [[nodiscard]] std::size_t node_count() const { return skeleton_.nodes.size(); }

 private:
  // Where on the time line a node is asked for.
  struct Moment {
    std::uint32_t frame = 0;
    float time = 0;
  };

  explicit Hierarchy(const Skeleton& skeleton) : skeleton_(skeleton) {}

  // Nothing stands for the fallback.
  [[nodiscard]] Result<std::optional<Moment>> moment_of(std::size_t node_index, const Request& request) const;
  [[nodiscard]] std::uint16_t select_key(const Node& node, std::uint32_t frame) const;
  [[nodiscard]] NodePose sample(const Node& node, const std::optional<Moment>& moment, RotationBlend blend) const;

  Skeleton skeleton_;
};

}  // namespace assay::pose
