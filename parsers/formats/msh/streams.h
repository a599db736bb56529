#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "parsers/base/findings.h"

// The streams of a model by type, and what the directory says of each (docs/formats/msh.md, M2).
namespace assay::msh {

enum class StreamType : std::uint32_t {
  kNodes = 1,
  kSlots = 2,
  kPositions = 3,
  kNormals = 4,
  kUv0 = 5,
  kIndices = 6,
  kTriangles = 7,
  kKeys = 8,
  kNodeNames = 9,
  kLabels = 10,
  kBatches = 13,
  kAuxiliary = 15,
  kHall = 17,
  kUv1 = 18,
  kFrameMap = 19,
  kProbes = 20,
};

// The two sizes of a node record. Only the first is understood; one shipped model has the second.
inline constexpr std::uint32_t kNodeBytes = 38;
inline constexpr std::uint32_t kOtherNodeBytes = 24;

// What the directory row of a stream has to say. A severity tells what it means when it does not.
struct StreamRow {
  StreamType type{};
  // What members of that type are called; static storage.
  std::string_view name{};
  bool is_required = false;
  // The record size in attr3; 0 where nothing is known of it or more than one is allowed.
  std::uint32_t stride = 0;
  Severity stride_severity = Severity::kNote;
  // Whether attr1 counts the records, and how sure that is.
  bool attr1_counts = true;
  Severity count_severity = Severity::kNote;
};

// Every known type, ascending.
[[nodiscard]] std::span<const StreamRow> stream_rows();
// The row of a type id, or null.
[[nodiscard]] const StreamRow* find_stream_row(std::uint32_t type_id);
// What a member of that type is called: `msh.positions`, `msh.unknown`. Static storage.
[[nodiscard]] std::string_view stream_name(std::uint32_t type_id);

// Whether the types of a directory, in its order, are one of the two lists that shipped models have. Without the model
// of 24-byte nodes, whose list no source gives.
[[nodiscard]] bool is_known_order(std::span<const std::uint32_t> type_ids);

}  // namespace assay::msh
