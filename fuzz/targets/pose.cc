#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "fuzz/byte_script.h"
#include "fuzz/harness.h"
#include "parsers/formats/msh/msh.h"
#include "parsers/pose/bindings.h"
#include "parsers/pose/control_points.h"
#include "parsers/pose/face_side.h"
#include "parsers/pose/hierarchy.h"
#include "parsers/resource/skeleton.h"

// Poses of a skeleton that the input describes, or of a model that it is; placements, control points, times and faces.
namespace assay::fuzz {
namespace {

float number(ByteScript& script) {
  std::uint32_t bits = 0;
  const Bytes bytes = script.take(sizeof bits);
  if (!bytes.empty()) {
    std::memcpy(&bits, bytes.data(), bytes.size());
  }
  // Half of them small and round, since most of all patterns are no sensible number.
  return bits % 2 == 0 ? static_cast<float>(static_cast<std::int8_t>(bits >> 8)) / 4 : std::bit_cast<float>(bits);
}

pose::Vec3 vector(ByteScript& script) {
  pose::Vec3 result;
  result.x = number(script);
  result.y = number(script);
  result.z = number(script);
  return result;
}

std::uint16_t short_number(ByteScript& script) {
  const std::uint16_t low = script.byte();
  return low == 0xFF ? pose::kNoIndex : low;
}

// Compares bits: what is not a number differs from itself.
bool same(const pose::Pose& left, const pose::Pose& right) {
  using Bits = std::array<std::uint32_t, sizeof(pose::Pose) / sizeof(std::uint32_t)>;
  return std::bit_cast<Bits>(left) == std::bit_cast<Bits>(right);
}

bool same(const std::vector<pose::NodePose>& left, const std::vector<pose::NodePose>& right) {
  return std::ranges::equal(left, right, [](const pose::NodePose& one, const pose::NodePose& other) {
    return one.key == other.key && same(one.local, other.local) && same(one.global, other.global);
  });
}

void check_nodes(const pose::Skeleton& skeleton, const std::vector<pose::NodePose>& nodes) {
  require(nodes.size() == skeleton.nodes.size(), "every node has a pose");
  for (std::size_t index = 0; index < nodes.size(); ++index) {
    const pose::NodePose& node = nodes[index];
    const std::uint16_t parent = skeleton.nodes[index].parent;
    require(node.key < skeleton.keys.size(), "a pose comes from a key there is");
    require(parent == pose::kNoIndex || parent < index, "a parent comes before its child");
    const pose::Pose expected = parent == pose::kNoIndex ? node.local : pose::compose(nodes[parent].global, node.local);
    require(same(node.global, expected), "a pose in the model is that of the parent and the node's own");
  }
}

std::vector<pose::NodePose> evaluate(const pose::Hierarchy& hierarchy, const pose::Skeleton& skeleton,
                                     const pose::Request& request, pose::RotationBlend blend) {
  auto nodes = hierarchy.evaluate(request, blend);
  require(nodes.has_value(), "a valid request is answered");
  check_nodes(skeleton, *nodes);
  require(same(*nodes, *hierarchy.evaluate(request, blend)), "the same request gives the same pose");
  return std::move(*nodes);
}

void check_times(const pose::Hierarchy& hierarchy, const pose::Skeleton& skeleton, pose::RotationBlend blend,
                 ByteScript& script) {
  std::vector<std::optional<float>> times(hierarchy.node_count());
  require(same(evaluate(hierarchy, skeleton, pose::AtTimes{times}, blend),
               evaluate(hierarchy, skeleton, pose::AtFallback{}, blend)),
          "no time at all is the fallback");
  bool is_valid = true;
  for (std::optional<float>& time : times) {
    if (script.byte() % 4 != 0) {
      time = number(script);
      is_valid = is_valid && std::isfinite(*time) && *time >= 0;
    }
  }
  const auto nodes = hierarchy.evaluate(pose::AtTimes{times}, blend);
  require(nodes.has_value() == is_valid, "a time is finite and not negative, or refused");
  if (nodes) {
    check_nodes(skeleton, *nodes);
  } else {
    require(nodes.error().field.to_text().starts_with("time["), "the refused time is named");
  }
  times.emplace_back();
  require(!hierarchy.evaluate(pose::AtTimes{times}, blend), "there is one time a node");
}

void check_control_points(std::span<const pose::NodePose> nodes, ByteScript& script) {
  const pose::PlacedFrame placed({.position = vector(script), .rotation = vector(script), .scale = vector(script)});
  const float determinant = placed.determinant();
  require(std::isnan(determinant) || determinant == 0 || placed.determinant_sign() == pose::sign_of(determinant),
          "the sign is that of the determinant");
  for (std::size_t index = 0; index < 4; ++index) {
    pose::ControlPoint point{.node = int{script.byte()} - 2};
    point.position = vector(script);
    point.direction = vector(script);
    const auto placed_point = pose::point_in_world(point, index, nodes, placed);
    const bool has_node = point.node >= 0 && static_cast<std::size_t>(point.node) < nodes.size();
    require(placed_point.has_value() == has_node, "a point has a place when its node has one");
  }
}

void check_channels(std::size_t node_count, ByteScript& script) {
  std::vector<pose::Channel> channels(script.index(6));
  for (pose::Channel& channel : channels) {
    channel.node = int{script.byte()} - 2;
    channel.frame_a = number(script);
    channel.frame_b = number(script);
    channel.blend = number(script);
    channel.flags = script.byte();
  }
  const auto times = pose::initial_times(channels, node_count);
  if (!times) {
    require(times.error().field.to_text().starts_with("channel["), "the refused channel is named");
    return;
  }
  require(times->size() == node_count, "one time a node");
  require(std::ranges::all_of(*times, [](auto time) { return !time || (std::isfinite(*time) && *time >= 0); }),
          "times that channels give can be asked for");
}

// What is drawn, and what a graphics card would draw that is told how to cull.
void check_faces(ByteScript& script) {
  const std::uint16_t flags = static_cast<std::uint16_t>(script.byte() | script.byte() << 8);
  const int sign = static_cast<int>(script.index(3)) - 1;
  const int view_sign = static_cast<int>(script.index(3)) - 1;
  const pose::Vec3 eye = vector(script);
  std::vector<pose::Face> faces(script.index(8));
  for (pose::Face& face : faces) {
    face = {vector(script), vector(script), vector(script)};
  }
  const std::vector<std::uint32_t> drawn = pose::drawn_faces(flags, faces, eye, sign);
  const std::optional<pose::CullMode> culling = pose::cull_mode(flags, sign, view_sign);
  require(culling.has_value() == (sign != 0 && view_sign != 0), "without a side nothing can be culled by it");
  require(sign != 0 || drawn.empty(), "what is flat is not drawn");
  const pose::SideTest test = pose::side_test(flags);
  for (std::uint32_t index = 0; index < faces.size() && sign != 0; ++index) {
    const float side = pose::side_of_face(eye, faces[index]);
    const bool is_drawn = std::ranges::binary_search(drawn, index);
    const bool first_is_drawn = !drawn.empty() && drawn.front() == 0;
    require(test == pose::SideTest::kEveryFace ? is_drawn == (static_cast<float>(sign) * side > 0)
                                               : is_drawn == first_is_drawn,
            "a face is drawn from its own side, or with the first");
    if (culling && test == pose::SideTest::kEveryFace && (side > 0 || side < 0)) {
      const bool is_culled = pose::is_front_face(side, view_sign) == (*culling == pose::CullMode::kFront);
      require(is_drawn != is_culled, "culling leaves what is drawn");
    }
  }
}

void check(const pose::Skeleton& skeleton, ByteScript& script) {
  check_faces(script);
  check_channels(skeleton.nodes.size(), script);
  const auto hierarchy = pose::Hierarchy::from(skeleton);
  if (!hierarchy) {
    require(hierarchy.error().code != Code::kInternal && !hierarchy.error().field.to_text().empty(),
            "what leaves a model without a hierarchy is named");
    return;
  }
  const auto blend = script.byte() % 2 == 0 ? pose::RotationBlend::kNlerp : pose::RotationBlend::kSlerp;
  const auto at_frame = evaluate(*hierarchy, skeleton, pose::AtFrame{short_number(script)}, blend);
  check_control_points(at_frame, script);
  check_times(*hierarchy, skeleton, blend, script);
}

void check_script(ByteScript& script) {
  const std::uint8_t what = script.byte();
  std::vector<pose::Node> nodes(script.index(7));
  for (std::size_t index = 0; index < nodes.size(); ++index) {
    const std::uint16_t parent = short_number(script);
    nodes[index] = {.parent = parent == pose::kNoIndex ? parent : static_cast<std::uint16_t>(parent % (index + 2)),
                    .anim_map_start = short_number(script),
                    .fallback_key = short_number(script)};
  }
  std::vector<pose::Key> keys(script.index(7));
  for (pose::Key& key : keys) {
    key.translation = vector(script);
    key.time = number(script);
    for (std::int16_t& part : key.rotation_wxyz) {
      part = static_cast<std::int16_t>(script.byte() << 8 | script.byte());
    }
  }
  std::vector<std::uint16_t> frame_map(script.index(32));
  std::ranges::generate(frame_map, [&] { return short_number(script); });
  check({.node_record_bytes = what % 16 == 0 ? 24U : pose::kNodeRecordBytes,
         .nodes = nodes,
         .keys = keys,
         .frame_map = frame_map,
         .frame_count = script.byte(),
         .has_keys = what % 32 != 1,
         .has_frame_map = what % 32 != 2},
        script);
}

void check_model(Bytes bytes) {
  ParseContext context = context_for(hash_of(bytes));
  context.rules = RuleSet::compatible();
  Findings findings;
  if (const auto model = msh::Model::parse(bytes, context, findings)) {
    const ModelSkeleton skeleton(*model);
    ByteScript script(bytes.last(bytes.size() / 2));
    check(skeleton.view(), script);
  }
}

int run_pose(Bytes bytes) {
  if (bytes.size() > kMaxInputBytes) {
    return 0;
  }
  if (bytes.size() >= 4 && as_text(bytes.first(4)) == "NRes") {
    check_model(bytes);
  } else {
    ByteScript script(bytes);
    check_script(script);
  }
  return 0;
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return assay::fuzz::run_pose({data, size});
}
