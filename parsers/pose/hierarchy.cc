#include "parsers/pose/hierarchy.h"

namespace assay::pose {
namespace {

Result<void> check_streams(const Skeleton& skeleton) {
  if (skeleton.node_record_bytes != kNodeRecordBytes) {
    return fail({.code = Code::kPoseUnavailable,
                 .field = "node",
                 .expected = Datum::words("records of 38 bytes"),
                 .got = Datum::number(skeleton.node_record_bytes)});
  }
  if (skeleton.nodes.empty()) {
    return fail(
        {.code = Code::kPoseUnavailable, .field = "node", .expected = Datum::at_least(1), .got = Datum::number(0)});
  }
  if (!skeleton.has_keys) {
    return fail({.code = Code::kPoseUnavailable, .field = FieldPath("stream", 8), .got = Datum::words("no stream")});
  }
  if (!skeleton.has_frame_map) {
    return fail({.code = Code::kPoseUnavailable, .field = FieldPath("stream", 19), .got = Datum::words("no stream")});
  }
  return {};
}

Result<void> check_node(const Skeleton& skeleton, std::size_t index) {
  const Node& node = skeleton.nodes[index];
  const FieldPath path("node", index);
  if (node.parent != kNoIndex && node.parent >= index) {
    return fail({.code = Code::kInvalidParent,
                 .field = path.then("parent_or_link"),
                 .expected = Datum::below(index),
                 .got = Datum::number(node.parent)});
  }
  const std::uint64_t block_end = std::uint64_t{node.anim_map_start} + skeleton.frame_count;
  if (node.anim_map_start != kNoIndex && block_end > skeleton.frame_map.size()) {
    return fail({.code = Code::kIndexOutOfRange,
                 .field = path.then("anim_map_start"),
                 .expected = Datum::at_most(skeleton.frame_map.size()),
                 .got = Datum::number(block_end)});
  }
  if (node.fallback_key >= skeleton.keys.size()) {
    return fail({.code = Code::kIndexOutOfRange,
                 .field = path.then("fallback_key"),
                 .expected = Datum::below(skeleton.keys.size()),
                 .got = Datum::number(node.fallback_key)});
  }
  return {};
}

// The sense of rotation of this family's keys is the transpose of the usual active one, so every sampled rotation, a
// fallback's too, is conjugated exactly once: after sampling, before composition. Other animation formats are not.
Pose with_active_rotation(const Pose& sampled) {
  return {sampled.translation, conjugate(sampled.rotation)};
}

}  // namespace

Result<Hierarchy> Hierarchy::from(const Skeleton& skeleton) {
  ASSAY_TRY(check_streams(skeleton));
  for (std::size_t index = 0; index < skeleton.nodes.size(); ++index) {
    ASSAY_TRY(check_node(skeleton, index));
  }
  return Hierarchy(skeleton);
}

Result<std::vector<NodePose>> Hierarchy::evaluate(const Request& request, RotationBlend blend) const {
  const auto* timed = std::get_if<AtTimes>(&request);
  if (timed != nullptr && timed->times.size() != node_count()) {
    return fail({.code = Code::kCountMismatch,
                 .field = "time",
                 .expected = Datum::number(node_count()),
                 .got = Datum::number(timed->times.size())});
  }
  std::vector<NodePose> poses;
  poses.reserve(node_count());
  for (std::size_t index = 0; index < node_count(); ++index) {
    std::optional<Moment> moment;
    ASSAY_TRY_ASSIGN(moment, moment_of(index, request));
    const Node& node = skeleton_.nodes[index];
    NodePose pose = sample(node, moment, blend);
    pose.global = node.parent == kNoIndex ? pose.local : compose(poses[node.parent].global, pose.local);
    poses.push_back(pose);
  }
  return poses;
}

Result<std::optional<Hierarchy::Moment>> Hierarchy::moment_of(std::size_t node_index, const Request& request) const {
  if (const auto* framed = std::get_if<AtFrame>(&request)) {
    return Moment{framed->frame, static_cast<float>(framed->frame)};
  }
  const auto* timed = std::get_if<AtTimes>(&request);
  if (timed == nullptr || !timed->times[node_index].has_value()) {
    return std::nullopt;
  }
  const float time = *timed->times[node_index];
  const auto frame = frame_of_time(time);
  if (!frame) {
    Diagnostic diagnostic = frame.error();
    diagnostic.field = FieldPath("time", node_index);
    return fail(diagnostic);
  }
  return Moment{*frame, time};
}

std::uint16_t Hierarchy::select_key(const Node& node, std::uint32_t frame) const {
  if (node.anim_map_start == kNoIndex || frame >= skeleton_.frame_count) {
    return node.fallback_key;
  }
  const std::uint16_t mapped = skeleton_.frame_map[std::size_t{node.anim_map_start} + frame];
  // An entry that is not below the fallback key selects the fallback key (docs/formats/decisions.md, 27). So a selected
  // key that is not the fallback has a successor.
  return mapped < node.fallback_key ? mapped : node.fallback_key;
}

NodePose Hierarchy::sample(const Node& node, const std::optional<Moment>& moment, RotationBlend blend) const {
  const std::uint16_t key = moment ? select_key(node, moment->frame) : node.fallback_key;
  const std::span<const Key> keys = skeleton_.keys;
  const Pose sampled = key == node.fallback_key
                           ? sampling_pose(keys[key])
                           : blend_keys(keys[key], keys[std::size_t{key} + 1], moment->time, blend);
  return {.key = key, .local = with_active_rotation(sampled), .global = {}};
}

}  // namespace assay::pose
