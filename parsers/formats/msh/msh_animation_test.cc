#include "parsers/formats/msh/msh_test_support.h"

// The checks that follow animation through nodes, keys, slots and batches, against plain searches.
namespace assay::msh {
namespace {

// Key times of three keys, of which a node at frame map entry 0 uses those from `first` on.
Lines said_of_times(std::array<float, 3> times, std::uint16_t first, std::uint16_t fallback) {
  Parts parts = Parts::of(animated_model());
  std::vector<Key> keys;
  for (const float time : times) {
    keys.push_back({.time = time, .rotation_wxyz = {32767, 0, 0, 0}});
  }
  parts.set(StreamType::kKeys, records_of<kKeyRecord>(keys), 3);
  parts.set(StreamType::kNodes, records_of<kNodeRecord>({node_of(kNoIndex, 1, fallback, 0)}), 1);
  // Entry 0 belongs to nobody; the block starts behind it.
  Buffer map = records_of<kFrameMapRecord>({{0}, {first}, {2}, {2}, {2}, {2}, {2}});
  parts.set(StreamType::kFrameMap, map, 7);
  return said_of(parts.build());
}

TEST(MshAnimation, ChecksThatTimesRiseWithinTheRunOfANode) {
  EXPECT_EQ(said_of_times({0, 1, 2}, 0, 2), Lines{});
  EXPECT_EQ(said_of_times({0, 0, 2}, 0, 2), Lines{"strict not_increasing @444 key[1].time"});
  EXPECT_EQ(said_of_times({0, 3, 2}, 0, 2), Lines{"strict not_increasing @468 key[2].time"});
  EXPECT_EQ(said_of_times({5, 1, 2}, 1, 2), Lines{}) << "the first key is another node's";
  EXPECT_EQ(said_of_times({0, 1, 1}, 0, 1), Lines{}) << "the run ends at the fallback key";
  EXPECT_EQ(said_of_times({2, 1, 0}, 2, 2), Lines{}) << "the run is the fallback key alone";
}

// The blocks of several nodes overlap in any way; each run counts.
TEST(MshAnimation, FindsTheRunsOfOverlappingBlocks) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    Parts parts = Parts::of(animated_model());
    constexpr std::size_t kKeys = 12;
    std::vector<Key> keys(kKeys, Key{.rotation_wxyz = {32767, 0, 0, 0}});
    for (Key& key : keys) {
      key.time = static_cast<float>(random.below(20));
    }
    std::vector<FrameMapEntry> map(5 + random.below(20));
    for (FrameMapEntry& entry : map) {
      entry.key = static_cast<std::uint16_t>(random.below(kKeys));
    }
    const std::size_t frames = 1 + random.below(5);
    std::vector<Node> nodes;
    std::size_t first_fault = kKeys;
    for (std::size_t count = 1 + random.below(4); count > 0; --count) {
      const std::size_t start = random.below(map.size() - frames + 1);
      const std::size_t fallback = random.below(kKeys);
      nodes.push_back(node_of(kNoIndex, static_cast<std::uint16_t>(start), static_cast<std::uint16_t>(fallback)));
      for (std::size_t frame = 0; frame < frames; ++frame) {
        for (std::size_t key = map[start + frame].key; key < fallback; ++key) {
          first_fault = keys[key + 1].time <= keys[key].time ? std::min(first_fault, key + 1) : first_fault;
        }
      }
    }
    const auto node_count = static_cast<std::uint32_t>(nodes.size());
    parts.set(StreamType::kNodes, records_of<kNodeRecord>(nodes), node_count);
    parts.set(StreamType::kKeys, records_of<kKeyRecord>(keys), kKeys);
    parts.set(StreamType::kFrameMap, records_of<kFrameMapRecord>(map), static_cast<std::uint32_t>(map.size()));
    parts.at(StreamType::kFrameMap).row.attr2 = static_cast<std::uint32_t>(frames);
    parts.set(StreamType::kNodeNames, Buffer(std::size_t{node_count} * 32), node_count);
    parts.set(StreamType::kLabels, Buffer(std::size_t{node_count} * 4), node_count);
    const Lines said = said_of(parts.build());
    ASSERT_EQ(said.size(), first_fault == kKeys ? 0U : 1U) << round;
    if (!said.empty()) {
      EXPECT_TRUE(said.front().ends_with(" key[" + std::to_string(first_fault) + "].time")) << said.front();
    }
  }
}

// Nodes of the chain that draw slots: all draw slot 0 here, or what is given.
Lines said_of_drawing(std::array<std::uint16_t, 3> slots, const std::vector<Key>& keys) {
  Parts parts = Parts::of(chain_of_three());
  parts.set(StreamType::kNodes,
            records_of<kNodeRecord>({node_of(kNoIndex, kNoIndex, 0, slots[0]), node_of(0, kNoIndex, 1, slots[1]),
                                     node_of(1, kNoIndex, 2, slots[2])}),
            3);
  if (!keys.empty()) {
    parts.set(StreamType::kKeys, records_of<kKeyRecord>(keys), 3);
  }
  return said_of(parts.build());
}

TEST(MshAnimation, FindsVerticesThatAreDrawnUnderTwoPoses) {
  const Key still{.rotation_wxyz = {32767, 0, 0, 0}};
  const Key moved{.translation = {1, 0, 0}, .rotation_wxyz = {32767, 0, 0, 0}};
  const Lines shared{"strict shared_vertex @344 position[0].xyz"};
  EXPECT_EQ(said_of_drawing({0, 0, kNoIndex}, {}), shared);
  EXPECT_EQ(said_of_drawing({0, kNoIndex, kNoIndex}, {}), Lines{});
  EXPECT_EQ(said_of_drawing({0, 0, 0}, {moved, still, still}), Lines{}) << "children that stay with their parent";
  EXPECT_EQ(said_of_drawing({0, kNoIndex, 0}, {still, still, moved}), shared);
  EXPECT_EQ(said_of_drawing({kNoIndex, kNoIndex, 0}, {still, still, moved}), Lines{});
}

TEST(MshAnimation, TakesAChildThatOnlyTurnsForOneWithAnotherPose) {
  const Key still{.rotation_wxyz = {32767, 0, 0, 0}};
  for (std::size_t axis = 1; axis < 4; ++axis) {
    Key turn;
    turn.rotation_wxyz[0] = 0;
    turn.rotation_wxyz[axis] = 32767;
    EXPECT_EQ(said_of_drawing({0, 0, kNoIndex}, {still, turn, still}),
              Lines{"strict shared_vertex @344 position[0].xyz"})
        << axis;
  }
}

// Two roots that draw the same, each with its block of two frames and its fallback key.
TEST(MshAnimation, TellsAnimatedNodesApartByTheirBlockAndTheirFallbackKey) {
  const auto two_roots = [](std::uint16_t first_start, std::uint16_t second_start, std::uint16_t second_fallback) {
    Parts parts = Parts::of(chain_of_three());
    parts.set(StreamType::kNodes,
              records_of<kNodeRecord>({node_of(kNoIndex, first_start, 0, 0),
                                       node_of(kNoIndex, second_start, second_fallback, 0), node_of(1, kNoIndex, 0)}),
              3);
    parts.set(StreamType::kKeys,
              records_of<kKeyRecord>({{.time = 0, .rotation_wxyz = {32767, 0, 0, 0}},
                                      {.time = 1, .rotation_wxyz = {32767, 0, 0, 0}},
                                      {.time = 2, .rotation_wxyz = {32767, 0, 0, 0}}}),
              3);
    parts.set(StreamType::kFrameMap, Buffer(6), 3);
    parts.at(StreamType::kFrameMap).row.attr2 = 2;
    return said_of(parts.build());
  };
  const Lines shared{"strict shared_vertex @344 position[0].xyz"};
  EXPECT_EQ(two_roots(0, 0, 0), Lines{});
  EXPECT_EQ(two_roots(0, 1, 0), shared) << "another block";
  EXPECT_EQ(two_roots(0, 0, 1), shared) << "another fallback key";
}

// A pose is what a key gives, not how it is written.
TEST(MshAnimation, KnowsEqualPosesThatAreWrittenDifferently) {
  const auto two_roots = [](Key first, Key second, std::uint16_t map_start, std::uint32_t frames) {
    Parts parts = Parts::of(chain_of_three());
    parts.set(StreamType::kNodes,
              records_of<kNodeRecord>({node_of(kNoIndex, kNoIndex, 0, 0), node_of(kNoIndex, map_start, 1, 0),
                                       node_of(1, kNoIndex, 2, kNoIndex)}),
              3);
    parts.set(StreamType::kKeys, records_of<kKeyRecord>({first, second, first}), 3);
    parts.set(StreamType::kFrameMap, Buffer(std::size_t{frames} * 2), frames);
    parts.at(StreamType::kFrameMap).row.attr2 = frames;
    return said_of(parts.build());
  };
  const Key turned{.translation = {1, 0, 0}, .rotation_wxyz = {200, 0, 0, 100}};
  const Lines shared{"strict shared_vertex @344 position[0].xyz"};
  Key other = turned;
  EXPECT_EQ(two_roots(turned, other, kNoIndex, 0), Lines{});
  other.rotation_wxyz = {20000, 0, 0, 10000};
  EXPECT_EQ(two_roots(turned, other, kNoIndex, 0), Lines{}) << "another length";
  other.rotation_wxyz = {-2, 0, 0, -1};
  EXPECT_EQ(two_roots(turned, other, kNoIndex, 0), Lines{}) << "the other sign";
  other.rotation_wxyz = {200, 0, 0, -100};
  EXPECT_EQ(two_roots(turned, other, kNoIndex, 0), shared) << "turned back";
  other.rotation_wxyz = {200, 0, 0, 101};
  EXPECT_EQ(two_roots(turned, other, kNoIndex, 0), shared) << "nearly";
  EXPECT_EQ(two_roots(turned, turned, 0, 0), Lines{}) << "without frames no node is animated";
}

// Roots with keys of their own draw slots over batches, all of it at random.
TEST(MshAnimation, FindsSharedVerticesHoweverSlotsOverlap) {
  constexpr std::size_t kBatches = 6;
  constexpr std::size_t kNodes = 4;
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    const std::size_t vertex_count = 9;
    std::vector<Batch> batches;
    std::vector<Index> indices;
    for (std::size_t batch = 0; batch < kBatches; ++batch) {
      batches.push_back({.index_count = 3,
                         .index_start = static_cast<std::uint32_t>(3 * batch),
                         .base_vertex = static_cast<std::uint32_t>(random.below(vertex_count - 2))});
      for (int corner = 0; corner < 3; ++corner) {
        indices.push_back({static_cast<std::uint16_t>(random.below(3))});
      }
    }
    std::vector<Slot> slots;
    std::vector<Node> nodes;
    std::vector<Key> keys;
    std::vector<std::optional<float>> drawn_by(vertex_count);
    std::size_t first_shared = vertex_count;
    for (std::uint16_t node = 0; node < kNodes; ++node) {
      const std::size_t start = random.below(kBatches);
      const std::size_t count = random.below(kBatches - start) / 2 + 1;
      slots.push_back(
          {.batch_start = static_cast<std::uint16_t>(start), .batch_count = static_cast<std::uint16_t>(count)});
      nodes.push_back(node_of(kNoIndex, kNoIndex, node, node));
      keys.push_back({.translation = {static_cast<float>(random.below(3)), 0, 0}, .rotation_wxyz = {1, 0, 0, 0}});
      for (std::size_t place = 3 * start; place < 3 * (start + count); ++place) {
        const std::size_t vertex = batches[place / 3].base_vertex + indices[place].vertex;
        if (drawn_by[vertex].value_or(keys.back().translation[0]) != keys.back().translation[0]) {
          first_shared = std::min(first_shared, vertex);
        }
        drawn_by[vertex] = keys.back().translation[0];
      }
    }
    Parts parts = Parts::of(chain_of_three());
    parts.set(StreamType::kPositions, Buffer(vertex_count * 12), vertex_count);
    parts.set(StreamType::kIndices, records_of<kIndexRecord>(indices), 3 * kBatches);
    parts.set(StreamType::kBatches, records_of<kBatchRecord>(batches), kBatches);
    parts.set(StreamType::kSlots, joined(Buffer(0x8C), records_of<kSlotRecord>(slots)), kNodes);
    parts.set(StreamType::kNodes, records_of<kNodeRecord>(nodes), kNodes);
    parts.set(StreamType::kKeys, records_of<kKeyRecord>(keys), kNodes);
    parts.set(StreamType::kLabels, Buffer(4 * kNodes), kNodes);
    const Lines said = said_of(parts.build());
    const auto shared =
        std::ranges::find_if(said, [](const std::string& line) { return line.contains("shared_vertex"); });
    ASSERT_EQ(shared != said.end(), first_shared != vertex_count) << round;
    if (shared != said.end()) {
      EXPECT_TRUE(shared->ends_with(" position[" + std::to_string(first_shared) + "].xyz")) << *shared;
    }
  }
}

TEST(MshAnimation, KnowsNoPosesWithoutAnimationStreams) {
  Parts parts = Parts::of(chain_of_three());
  parts.set(StreamType::kNodes,
            records_of<kNodeRecord>({node_of(kNoIndex, kNoIndex, 0, 0), node_of(0, kNoIndex, 1, 0), node_of(9, 9, 9)}),
            3);
  parts.remove(StreamType::kFrameMap);
  EXPECT_EQ(said_of(parts.build()), Lines{"strict invalid_parent @94 node[2].parent_or_link"});
}

}  // namespace
}  // namespace assay::msh
