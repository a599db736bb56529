#include <algorithm>
#include <cmath>

#include "parsers/formats/msh/checks.h"

// Nodes, their names, and what they are animated by.
namespace assay::msh {
namespace {

// A stream that could not be framed has its finding already.
bool is_framed(const Model& model, StreamType type, bool has_records) {
  const std::optional<std::size_t> entry = model.entry_of(type);
  return entry && (has_records || model.archive().entries()[*entry].size == 0);
}

struct CountRule {
  StreamType type{};
  std::size_t record_count = 0;
  std::uint32_t record_bytes = 0;
  std::size_t expected_count = 0;
  Severity severity = Severity::kStrict;
};

Result<void> check_count(const Model& model, const Reporter& reporter, const CountRule& rule) {
  if (!is_framed(model, rule.type, rule.record_count != 0) || rule.record_count == rule.expected_count) {
    return {};
  }
  return reporter.report(rule.severity,
                         reporter.at_row(Code::kCountMismatch, model, rule.type, &nres::Entry::size,
                                         Datum::number(std::uint64_t{rule.expected_count} * rule.record_bytes),
                                         Datum::number(std::uint64_t{rule.record_count} * rule.record_bytes)));
}

Result<void> check_slot_numbers(const Streams& streams, const Reporter& reporter, std::size_t index, const Node& node) {
  for (const std::uint16_t slot : node.slot_index) {
    if (slot != kNoIndex && slot >= streams.slots.size()) {
      return fail(reporter.at(Code::kIndexOutOfRange, streams.nodes, index, &Node::slot_index,
                              Datum::below(streams.slots.size()), Datum::number(slot)));
    }
  }
  return {};
}

// What leaves a model without a pose. Its static geometry stays valid.
void check_parent(const Streams& streams, const Reporter& reporter, std::size_t index, const Node& node) {
  if (node.parent_or_link != kNoIndex && node.parent_or_link >= index) {
    reporter.strict(reporter.at(Code::kInvalidParent, streams.nodes, index, &Node::parent_or_link, Datum::below(index),
                                Datum::number(node.parent_or_link)));
  }
}

void check_animation(const Streams& streams, const Reporter& reporter, std::size_t index, const Node& node) {
  const std::uint64_t block_end = std::uint64_t{node.anim_map_start} + streams.frame_count;
  if (node.anim_map_start != kNoIndex && block_end > streams.frame_map.size()) {
    reporter.strict(reporter.at(Code::kIndexOutOfRange, streams.nodes, index, &Node::anim_map_start,
                                Datum::at_most(streams.frame_map.size()), Datum::number(block_end)));
  }
  if (node.fallback_key >= streams.keys.size()) {
    reporter.strict(reporter.at(Code::kIndexOutOfRange, streams.nodes, index, &Node::fallback_key,
                                Datum::below(streams.keys.size()), Datum::number(node.fallback_key)));
  }
}

// The smallest entry of each run of `width` entries of the frame map, by the start of the run. Cost: O(entries).
std::vector<std::uint16_t> smallest_in_blocks(const Records<kFrameMapRecord>& map, std::size_t width) {
  std::vector<std::uint16_t> smallest;
  if (width == 0 || width > map.size()) {
    return smallest;
  }
  smallest.reserve(map.size() - width + 1);
  // Places whose entries rise; those that a smaller entry follows can no longer be the smallest of any run.
  std::vector<std::size_t> candidates;
  candidates.reserve(map.size());
  std::size_t front = 0;
  for (std::size_t place = 0; place < map.size(); ++place) {
    while (candidates.size() > front && map[candidates.back()].key >= map[place].key) {
      candidates.pop_back();
    }
    candidates.push_back(place);
    if (place + 1 >= width) {
      front += candidates[front] + width <= place ? 1U : 0U;
      smallest.push_back(map[candidates[front]].key);
    }
  }
  return smallest;
}

// For each key, whether a node's run goes on to the next one. A node's run is from the first key that its block in the
// frame map names to its fallback key. Cost: O(nodes + keys + entries), whatever blocks and runs overlap.
std::vector<bool> keys_with_successor(const Streams& streams) {
  const std::vector<std::uint16_t> smallest = smallest_in_blocks(streams.frame_map, streams.frame_count);
  std::vector<std::int64_t> opened(streams.keys.size() + 1);
  for (std::size_t index = 0; index < streams.nodes.size(); ++index) {
    const Node node = streams.nodes[index];
    const bool has_block = node.anim_map_start != kNoIndex && node.anim_map_start < smallest.size();
    if (has_block && node.fallback_key < streams.keys.size() && smallest[node.anim_map_start] < node.fallback_key) {
      ++opened[smallest[node.anim_map_start]];
      --opened[node.fallback_key];
    }
  }
  std::vector<bool> goes_on(streams.keys.size());
  std::int64_t depth = 0;
  for (std::size_t key = 0; key < goes_on.size(); ++key) {
    depth += opened[key];
    goes_on[key] = depth > 0;
  }
  return goes_on;
}

bool all_finite(std::span<const float> numbers) {
  return std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); });
}

}  // namespace

Result<void> check_counts(const Model& model, const Reporter& reporter) {
  const Streams& streams = model.streams();
  const std::size_t vertices = streams.positions.size();
  const CountRule rules[] = {
      {StreamType::kUv1, streams.uv1.size(), 4, vertices, Severity::kError},
      {StreamType::kNormals, streams.normals.size(), 4, vertices},
      {StreamType::kUv0, streams.uv0.size(), 4, vertices},
      {StreamType::kAuxiliary, streams.auxiliary.size(), 8, vertices},
      // A reading that is inferred and never fails a model (docs/formats/decisions.md, 26).
      {StreamType::kNodeNames, streams.node_names.size(), 32, streams.node_count, Severity::kNote},
  };
  for (const CountRule& rule : rules) {
    ASSAY_TRY(check_count(model, reporter, rule));
  }
  return {};
}

Result<void> check_nodes(const Model& model, const Reporter& reporter) {
  const Streams& streams = model.streams();
  for (std::size_t index = 0; index < streams.nodes.size(); ++index) {
    ASSAY_TRY(check_slot_numbers(streams, reporter, index, streams.nodes[index]));
  }
  // Only both streams together are an animation.
  const bool is_animated = model.has(StreamType::kKeys) && model.has(StreamType::kFrameMap);
  for (std::size_t index = 0; index < streams.nodes.size(); ++index) {
    const Node node = streams.nodes[index];
    check_parent(streams, reporter, index, node);
    if (is_animated) {
      check_animation(streams, reporter, index, node);
    }
  }
  return {};
}

Result<void> check_keys(const Model& model, const Reporter& reporter) {
  const Streams& streams = model.streams();
  bool translations_are_finite = true;
  for (std::size_t index = 0; index < streams.keys.size(); ++index) {
    const Key key = streams.keys[index];
    if (!std::isfinite(key.time)) {
      return fail(reporter.at(Code::kNonFinite, streams.keys, index, &Key::time));
    }
    if (translations_are_finite && !all_finite(key.translation)) {
      reporter.strict(reporter.at(Code::kNonFinite, streams.keys, index, &Key::translation));
      translations_are_finite = false;
    }
  }
  const std::vector<bool> goes_on = keys_with_successor(streams);
  for (std::size_t index = 0; index + 1 < streams.keys.size(); ++index) {
    if (goes_on[index] && streams.keys[index + 1].time <= streams.keys[index].time) {
      reporter.strict(reporter.at(Code::kNotIncreasing, streams.keys, index + 1, &Key::time));
      break;
    }
  }
  return {};
}

void check_hall(const Model& model, const Reporter& reporter) {
  const Streams& streams = model.streams();
  const std::size_t places = streams.hall_nodes.size();
  for (std::size_t index = 0; index < streams.hall_links.size(); ++index) {
    const HallLink link = streams.hall_links[index];
    for (const auto& [member, end] : {std::pair(&HallLink::from, link.from), std::pair(&HallLink::to, link.to)}) {
      if (end >= places) {
        reporter.strict(reporter.at(Code::kIndexOutOfRange, streams.hall_links, index, member, Datum::below(places),
                                    Datum::number(end)));
      }
    }
    if (std::ranges::any_of(link.unused, [](std::uint32_t word) { return word != 0xFFFFFFFF; })) {
      reporter.note(
          reporter.at(Code::kUnexpectedValue, streams.hall_links, index, &HallLink::unused, Datum::hex(0xFFFFFFFF)));
    }
  }
}

}  // namespace assay::msh
