#include <algorithm>
#include <bit>
#include <compare>
#include <limits>
#include <map>
#include <numeric>

#include "parsers/formats/msh/checks.h"

// Whether a vertex is drawn under two poses, which no shipped model does (docs/formats/msh.md, M3).
//
// Poses are compared by what they are made of: nodes with the same chain of keys have the same pose, and a key that
// changes nothing leaves a node with its parent's. Rotations that differ only in their length are one, and without
// frames no node is animated. Everything here is linear but for sorting, however slots and batches overlap.
namespace assay::msh {
namespace {

// Nodes with the same number have the same pose; 0 is the frame of the model itself.
using PoseClass = std::uint32_t;

// The least and the greatest class that something is drawn under.
struct ClassRange {
  PoseClass least = std::numeric_limits<PoseClass>::max();
  PoseClass greatest = 0;

  void add(const ClassRange& more) {
    least = std::min(least, more.least);
    greatest = std::max(greatest, more.greatest);
  }
  [[nodiscard]] bool is_empty() const { return least > greatest; }
};

struct LocalPose {
  PoseClass parent = 0;
  // Of an animated node; a node at rest has kNoIndex and 0 here.
  std::uint16_t anim_map_start = kNoIndex;
  std::uint16_t fallback_key = 0;
  // Of a node at rest. The bits of its translation, which have an order even where they are no number.
  std::array<std::uint32_t, 3> translation{};
  std::array<std::int32_t, 4> rotation{};

  friend auto operator<=>(const LocalPose&, const LocalPose&) = default;
};

bool changes_nothing(const Key& key) {
  const auto [w, x, y, z] = key.rotation_wxyz;
  return key.translation == std::array<float, 3>{} && x == 0 && y == 0 && z == 0;
}

// The shortest quaternion of whole numbers that turns in the same way: length and sign mean nothing.
std::array<std::int32_t, 4> shortest_rotation(const std::array<std::int16_t, 4>& rotation) {
  std::array<std::int32_t, 4> shortest{rotation[0], rotation[1], rotation[2], rotation[3]};
  std::int32_t divisor = 0;
  for (const std::int32_t part : shortest) {
    divisor = std::gcd(divisor, part);
  }
  if (divisor == 0) {
    return shortest;
  }
  const auto first = std::ranges::find_if(shortest, [](std::int32_t part) { return part != 0; });
  divisor = first != shortest.end() && *first < 0 ? -divisor : divisor;
  for (std::int32_t& part : shortest) {
    part /= divisor;
  }
  return shortest;
}

bool has_hierarchy(const Streams& streams) {
  for (std::size_t index = 0; index < streams.nodes.size(); ++index) {
    const Node node = streams.nodes[index];
    const bool has_parent = node.parent_or_link == kNoIndex || node.parent_or_link < index;
    if (!has_parent || node.fallback_key >= streams.keys.size()) {
      return false;
    }
  }
  return true;
}

// Requires: has_hierarchy().
std::vector<PoseClass> classes_of_nodes(const Streams& streams) {
  std::vector<PoseClass> classes;
  classes.reserve(streams.nodes.size());
  std::map<LocalPose, PoseClass> known;
  for (std::size_t index = 0; index < streams.nodes.size(); ++index) {
    const Node node = streams.nodes[index];
    const Key key = streams.keys[node.fallback_key];
    LocalPose pose{.parent = node.parent_or_link == kNoIndex ? 0 : classes[node.parent_or_link]};
    if (node.anim_map_start != kNoIndex && streams.frame_count != 0) {
      pose.anim_map_start = node.anim_map_start;
      pose.fallback_key = node.fallback_key;
    } else if (changes_nothing(key)) {
      classes.push_back(pose.parent);
      continue;
    } else {
      pose.translation = std::bit_cast<decltype(pose.translation)>(key.translation);
      pose.rotation = shortest_rotation(key.rotation_wxyz);
    }
    classes.push_back(known.try_emplace(pose, static_cast<PoseClass>(known.size() + 1)).first->second);
  }
  return classes;
}

std::vector<ClassRange> classes_of_slots(const Streams& streams, std::span<const PoseClass> node_classes) {
  std::vector<ClassRange> slots(streams.slots.size());
  for (std::size_t index = 0; index < streams.nodes.size(); ++index) {
    for (const std::uint16_t slot : streams.nodes[index].slot_index) {
      if (slot != kNoIndex) {
        slots[slot].add({node_classes[index], node_classes[index]});
      }
    }
  }
  return slots;
}

// Batches in the order in which slots claim them, each only once.
class UnclaimedBatches {
 public:
  explicit UnclaimedBatches(std::size_t batch_count) : next_(batch_count + 1) {
    std::iota(next_.begin(), next_.end(), std::size_t{0});
  }

  // Calls `claim` for each batch of [start, end) that nobody claimed before.
  template <typename Claim>
  void take(std::size_t start, std::size_t end, Claim claim) {
    for (std::size_t batch = find(start); batch < end; batch = find(batch)) {
      claim(batch);
      next_[batch] = batch + 1;
    }
  }

 private:
  // The first unclaimed batch from `batch` on, or the number of batches. Halves the way for the next time.
  std::size_t find(std::size_t batch) {
    while (next_[batch] != batch) {
      next_[batch] = next_[next_[batch]];
      batch = next_[batch];
    }
    return batch;
  }

  std::vector<std::size_t> next_;
};

// Of all slots over a batch the first in `order` gives its class.
template <typename Order, typename Take>
void claim_batches(const Streams& streams, std::span<const ClassRange> slots, Order order, Take take) {
  std::vector<std::size_t> sorted;
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    if (!slots[slot].is_empty()) {
      sorted.push_back(slot);
    }
  }
  std::ranges::sort(sorted, order);
  UnclaimedBatches unclaimed(streams.batches.size());
  for (const std::size_t slot : sorted) {
    const Slot range = streams.slots[slot];
    unclaimed.take(range.batch_start, std::size_t{range.batch_start} + range.batch_count,
                   [&](std::size_t batch) { take(batch, slots[slot]); });
  }
}

std::vector<ClassRange> classes_of_batches(const Streams& streams, std::span<const ClassRange> slots) {
  std::vector<ClassRange> batches(streams.batches.size());
  claim_batches(
      streams, slots, [&](std::size_t left, std::size_t right) { return slots[left].least < slots[right].least; },
      [&](std::size_t batch, const ClassRange& slot) { batches[batch].least = slot.least; });
  claim_batches(
      streams, slots, [&](std::size_t left, std::size_t right) { return slots[left].greatest > slots[right].greatest; },
      [&](std::size_t batch, const ClassRange& slot) { batches[batch].greatest = slot.greatest; });
  return batches;
}

// Requires: batches_tile_indices().
std::vector<ClassRange> classes_of_vertices(const Streams& streams, std::span<const ClassRange> batches) {
  std::vector<ClassRange> vertices(streams.positions.size());
  for (std::size_t index = 0; index < batches.size(); ++index) {
    const Batch batch = streams.batches[index];
    for (std::size_t place = 0; place < batch.index_count && !batches[index].is_empty(); ++place) {
      vertices[std::size_t{batch.base_vertex} + streams.indices[batch.index_start + place].vertex].add(batches[index]);
    }
  }
  return vertices;
}

}  // namespace

void check_shared_vertices(const Model& model, const Reporter& reporter) {
  const Streams& streams = model.streams();
  const bool has_poses = model.has(StreamType::kKeys) && model.has(StreamType::kFrameMap) && has_hierarchy(streams);
  // Where batches share indices the work could grow beyond the size of the model; that has its own finding.
  if (!has_poses || streams.nodes.size() < 2 || !batches_tile_indices(streams)) {
    return;
  }
  const auto slots = classes_of_slots(streams, classes_of_nodes(streams));
  const auto vertices = classes_of_vertices(streams, classes_of_batches(streams, slots));
  const auto shared =
      std::ranges::find_if(vertices, [](const ClassRange& range) { return range.least < range.greatest; });
  if (shared != vertices.end()) {
    reporter.strict(reporter.at(Code::kSharedVertex, streams.positions,
                                static_cast<std::size_t>(shared - vertices.begin()), &Position::xyz));
  }
}

}  // namespace assay::msh
