#include "parsers/resource/skeleton.h"

namespace assay {
namespace {

static_assert(pose::kNoIndex == msh::kNoIndex);
static_assert(pose::kNodeRecordBytes == msh::kNodeBytes);

template <const auto& Table, typename Convert>
auto converted(const Records<Table>& records, Convert convert) {
  std::vector<decltype(convert(records[0]))> result;
  result.reserve(records.size());
  for (std::size_t index = 0; index < records.size(); ++index) {
    result.push_back(convert(records[index]));
  }
  return result;
}

}  // namespace

ModelSkeleton::ModelSkeleton(const msh::Model& model)
    : node_record_bytes_(model.streams().node_record_bytes),
      nodes_(converted(model.streams().nodes,
                       [](const msh::Node& node) {
                         return pose::Node{.parent = node.parent_or_link,
                                           .anim_map_start = node.anim_map_start,
                                           .fallback_key = node.fallback_key};
                       })),
      keys_(converted(model.streams().keys,
                      [](const msh::Key& key) {
                        const auto [x, y, z] = key.translation;
                        return pose::Key{
                            .translation = {x, y, z}, .time = key.time, .rotation_wxyz = key.rotation_wxyz};
                      })),
      frame_map_(converted(model.streams().frame_map, [](const msh::FrameMapEntry& entry) { return entry.key; })),
      frame_count_(model.streams().frame_count),
      has_keys_(model.has(msh::StreamType::kKeys)),
      has_frame_map_(model.has(msh::StreamType::kFrameMap)) {}

pose::Skeleton ModelSkeleton::view() const {
  return {.node_record_bytes = node_record_bytes_,
          .nodes = nodes_,
          .keys = keys_,
          .frame_map = frame_map_,
          .frame_count = frame_count_,
          .has_keys = has_keys_,
          .has_frame_map = has_frame_map_};
}

}  // namespace assay
