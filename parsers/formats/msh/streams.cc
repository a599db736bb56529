#include "parsers/formats/msh/streams.h"

#include <algorithm>

namespace assay::msh {
namespace {

constexpr Severity kNote = Severity::kNote;
constexpr Severity kStrict = Severity::kStrict;
constexpr Severity kError = Severity::kError;

// Strict where a reader asks for the value, a note where it was only seen, an error where the specification says so.
constexpr std::array kRows{
    StreamRow{StreamType::kNodes, "msh.nodes", true, 0, kError, true, kStrict},
    StreamRow{StreamType::kSlots, "msh.slots", true, 68, kNote, true, kStrict},
    StreamRow{StreamType::kPositions, "msh.positions", true, 12, kStrict, true, kStrict},
    StreamRow{StreamType::kNormals, "msh.normals", false, 4, kStrict, true, kStrict},
    StreamRow{StreamType::kUv0, "msh.uv0", false, 4, kStrict, true, kStrict},
    StreamRow{StreamType::kIndices, "msh.indices", true, 2, kStrict, true, kNote},
    StreamRow{StreamType::kTriangles, "msh.triangles", false, 16, kStrict, true, kNote},
    StreamRow{StreamType::kKeys, "msh.keys", false, 24, kNote, true, kStrict},
    StreamRow{StreamType::kNodeNames, "msh.node_names", false, 32, kNote, true, kNote},
    StreamRow{StreamType::kLabels, "msh.labels", false, 0, kNote, true, kStrict},
    StreamRow{StreamType::kBatches, "msh.batches", true, 20, kStrict, true, kStrict},
    StreamRow{StreamType::kAuxiliary, "msh.auxiliary", false, 8, kStrict, true, kNote},
    StreamRow{StreamType::kHall, "msh.hall", false, 0, kNote, false, kNote},
    StreamRow{StreamType::kUv1, "msh.uv1", false, 4, kError, true, kError},
    StreamRow{StreamType::kFrameMap, "msh.frame_map", false, 2, kStrict, true, kStrict},
    StreamRow{StreamType::kProbes, "msh.probes", false, 48, kStrict, true, kNote},
};

constexpr std::array<std::uint32_t, 14> kPlainOrder{1, 2, 3, 4, 5, 15, 13, 6, 7, 8, 19, 9, 10, 17};
constexpr std::array<std::uint32_t, 16> kLightmappedOrder{1, 2, 3, 4, 5, 18, 15, 13, 6, 7, 8, 19, 9, 10, 17, 20};

}  // namespace

std::span<const StreamRow> stream_rows() {
  return kRows;
}

const StreamRow* find_stream_row(std::uint32_t type_id) {
  const auto found = std::ranges::find(kRows, StreamType{type_id}, &StreamRow::type);
  return found == kRows.end() ? nullptr : &*found;
}

std::string_view stream_name(std::uint32_t type_id) {
  const StreamRow* row = find_stream_row(type_id);
  return row == nullptr ? std::string_view("msh.unknown") : row->name;
}

bool is_known_order(std::span<const std::uint32_t> type_ids) {
  return std::ranges::equal(type_ids, kPlainOrder) || std::ranges::equal(type_ids, kLightmappedOrder);
}

}  // namespace assay::msh
