#include "parsers/formats/msh/views.h"

#include <algorithm>

#include "parsers/base/ascii.h"

namespace assay::msh {
namespace {

constexpr float kNormalUnit = 127.0F;
constexpr float kCoordinateUnit = 1024.0F;
constexpr float kTriangleNormalUnit = 32767.0F;
constexpr unsigned kNoSelector = 3;

}  // namespace

std::array<float, 3> decoded(const Normal& normal) {
  std::array<float, 3> result{};
  std::ranges::transform(normal.xyz, result.begin(), [](std::int8_t component) {
    return std::max(static_cast<float>(component) / kNormalUnit, -1.0F);
  });
  return result;
}

std::array<float, 2> decoded(const TextureCoordinate& coordinate) {
  return {static_cast<float>(coordinate.u) / kCoordinateUnit, static_cast<float>(coordinate.v) / kCoordinateUnit};
}

std::array<float, 3> normal_of(const Triangle& triangle) {
  std::array<float, 3> result{};
  std::ranges::transform(triangle.normal, result.begin(),
                         [](std::int16_t component) { return static_cast<float>(component) / kTriangleNormalUnit; });
  return result;
}

std::array<std::uint16_t, 3> selectors_of(const Triangle& triangle) {
  std::array<std::uint16_t, 3> selectors{};
  unsigned bits = triangle.sel_packed;
  for (std::uint16_t& selector : selectors) {
    selector = (bits & 3U) == kNoSelector ? kNoIndex : static_cast<std::uint16_t>(bits & 3U);
    bits >>= 2U;
  }
  return selectors;
}

std::optional<std::size_t> slot_of(const Model& model, std::size_t node, std::size_t state, std::size_t lod) {
  const Streams& streams = model.streams();
  if (node >= streams.nodes.size() || state >= kStateCount || lod >= kLodCount) {
    return std::nullopt;
  }
  const std::size_t slot = streams.nodes[node].slot_index[state * kLodCount + lod];
  return slot < streams.slots.size() ? std::optional(slot) : std::nullopt;
}

std::optional<std::size_t> vertex_of(const Model& model, std::size_t batch, std::size_t place) {
  const Streams& streams = model.streams();
  if (batch >= streams.batches.size() || place >= streams.batches[batch].index_count) {
    return std::nullopt;
  }
  const Batch range = streams.batches[batch];
  return std::size_t{range.base_vertex} + streams.indices[range.index_start + place].vertex;
}

Bytes name_of_node(const Model& model, std::size_t node) {
  const Records<kNodeNameRecord>& names = model.streams().node_names;
  if (node >= names.size()) {
    return {};
  }
  return until_nul(names.bytes().subspan(node * kNodeNameRecord.size_bytes, kNodeNameRecord.size_bytes));
}

Bytes label_of_node(const Model& model, std::size_t node) {
  return node < model.streams().labels.size() ? model.streams().labels[node] : Bytes{};
}

}  // namespace assay::msh
