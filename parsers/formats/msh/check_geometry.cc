#include <algorithm>
#include <cmath>

#include "parsers/formats/msh/checks.h"
#include "parsers/formats/msh/range_maximum.h"

// Slots, batches, vertices and triangles.
namespace assay::msh {
namespace {

bool all_finite(std::span<const float> numbers) {
  return std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); });
}

// A range whose start lies outside blames the start, any other its count (docs/formats/decisions.md, 1).
template <const auto& Table, typename Start, typename Count>
Result<void> check_range(const Reporter& reporter, const Records<Table>& records, std::size_t index, Start start,
                         Count count, std::uint64_t available) {
  const auto record = records[index];
  const std::uint64_t first = record.*start;
  const std::uint64_t end = first + record.*count;
  if (first > available) {
    return fail(
        reporter.at(Code::kRangeOutOfBounds, records, index, start, Datum::at_most(available), Datum::number(first)));
  }
  if (end > available) {
    return fail(reporter.at(Code::kRangeOutOfBounds, records, index, count, Datum::at_most(available - first),
                            Datum::number(end - first)));
  }
  return {};
}

Result<void> check_bounds(const Streams& streams, const Reporter& reporter, std::size_t index) {
  const Slot slot = streams.slots[index];
  const auto refuse = [&](auto member) {
    return fail(reporter.at(Code::kInvalidBounds, streams.slots, index, member));
  };
  bool is_ordered = true;
  for (std::size_t axis = 0; axis < slot.aabb_min.size(); ++axis) {
    is_ordered = is_ordered && slot.aabb_min[axis] <= slot.aabb_max[axis];
  }
  if (!all_finite(slot.aabb_max)) {
    return refuse(&Slot::aabb_max);
  }
  if (!all_finite(slot.aabb_min) || !is_ordered) {
    return refuse(&Slot::aabb_min);
  }
  if (!all_finite(slot.sphere_center)) {
    return refuse(&Slot::sphere_center);
  }
  if (!std::isfinite(slot.sphere_radius) || slot.sphere_radius < 0) {
    return refuse(&Slot::sphere_radius);
  }
  return {};
}

// A slot's triangles are those of its batches. Not measured on shipped files, so a note.
void check_slot_triangles(const Streams& streams, const Reporter& reporter,
                          std::span<const std::uint64_t> indices_before) {
  for (std::size_t index = 0; index < streams.slots.size(); ++index) {
    const Slot slot = streams.slots[index];
    if (slot.batch_count == 0) {
      continue;
    }
    const std::uint64_t first = streams.batches[slot.batch_start].index_start;
    const std::uint64_t count =
        indices_before[std::size_t{slot.batch_start} + slot.batch_count] - indices_before[slot.batch_start];
    if (std::uint64_t{slot.tri_start} * 3 != first) {
      reporter.note(reporter.at(Code::kCountMismatch, streams.slots, index, &Slot::tri_start, Datum::number(first / 3),
                                Datum::number(slot.tri_start)));
    }
    if (std::uint64_t{slot.tri_count} * 3 != count) {
      reporter.note(reporter.at(Code::kCountMismatch, streams.slots, index, &Slot::tri_count, Datum::number(count / 3),
                                Datum::number(slot.tri_count)));
    }
  }
}

// Every vertex that a batch uses exists. Blames the base where that alone lies outside, else the first index.
Result<void> check_vertices(const Streams& streams, const Reporter& reporter, const RangeMaximum& largest,
                            std::size_t index) {
  const Batch batch = streams.batches[index];
  const std::uint64_t vertices = streams.positions.size();
  if (batch.index_count == 0) {
    return {};
  }
  if (batch.base_vertex >= vertices) {
    return fail(reporter.at(Code::kIndexOutOfRange, streams.batches, index, &Batch::base_vertex, Datum::below(vertices),
                            Datum::number(batch.base_vertex)));
  }
  if (std::uint64_t{batch.base_vertex} + largest.of(batch.index_start, batch.index_count) < vertices) {
    return {};
  }
  std::size_t place = batch.index_start;
  while (std::uint64_t{batch.base_vertex} + streams.indices[place].vertex < vertices) {
    ++place;
  }
  return fail(reporter.at(Code::kIndexOutOfRange, streams.indices, place, &Index::vertex,
                          Datum::below(vertices - batch.base_vertex), Datum::number(streams.indices[place].vertex)));
}

void check_batch_habits(const Streams& streams, const Reporter& reporter, const RangeMaximum& largest,
                        std::size_t index, std::uint64_t expected_start) {
  const Batch batch = streams.batches[index];
  if (batch.index_start != expected_start) {
    reporter.strict(reporter.at(Code::kNotContiguous, streams.batches, index, &Batch::index_start,
                                Datum::number(expected_start), Datum::number(batch.index_start)));
  }
  if (batch.index_count % 3 != 0) {
    reporter.strict(reporter.at(Code::kCountOutOfRange, streams.batches, index, &Batch::index_count,
                                Datum::multiple_of(3), Datum::number(batch.index_count)));
  }
  if (batch.index_count == 0) {
    return;
  }
  const std::uint64_t used = std::uint64_t{largest.of(batch.index_start, batch.index_count)} + 1;
  if (batch.vertex_count != used) {
    reporter.strict(reporter.at(Code::kCountMismatch, streams.batches, index, &Batch::vertex_count, Datum::number(used),
                                Datum::number(batch.vertex_count)));
  }
}

// The vertices of all batches together are all there are.
void check_vertex_end(const Streams& streams, const Reporter& reporter) {
  std::uint64_t end = 0;
  std::size_t last = 0;
  for (std::size_t index = 0; index < streams.batches.size(); ++index) {
    const Batch batch = streams.batches[index];
    const std::uint64_t batch_end = std::uint64_t{batch.base_vertex} + batch.vertex_count;
    last = batch_end > end ? index : last;
    end = std::max(end, batch_end);
  }
  if (!streams.batches.empty() && end != streams.positions.size()) {
    reporter.strict(reporter.at(Code::kCountMismatch, streams.batches, last, &Batch::vertex_count,
                                Datum::number(streams.positions.size()), Datum::number(end)));
  }
}

// Indices behind the last batch, and the first vertex that no index names.
void check_reach(const Streams& streams, const Reporter& reporter) {
  std::uint64_t end = 0;
  for (std::size_t index = 0; index < streams.batches.size(); ++index) {
    const Batch batch = streams.batches[index];
    end = std::max(end, std::uint64_t{batch.index_start} + batch.index_count);
  }
  if (end != streams.indices.size()) {
    reporter.strict(reporter.at(Code::kUnreachable, streams.indices, static_cast<std::size_t>(end), &Index::vertex));
  }
  if (!batches_tile_indices(streams)) {
    return;
  }
  std::vector<bool> is_reached(streams.positions.size());
  for (std::size_t index = 0; index < streams.batches.size(); ++index) {
    const Batch batch = streams.batches[index];
    for (std::size_t place = 0; place < batch.index_count; ++place) {
      is_reached[std::size_t{batch.base_vertex} + streams.indices[batch.index_start + place].vertex] = true;
    }
  }
  const auto missed = std::ranges::find(is_reached, false);
  if (missed != is_reached.end()) {
    reporter.strict(reporter.at(Code::kUnreachable, streams.positions,
                                static_cast<std::size_t>(missed - is_reached.begin()), &Position::xyz));
  }
}

}  // namespace

bool batches_tile_indices(const Streams& streams) {
  std::uint64_t end = 0;
  for (std::size_t index = 0; index < streams.batches.size(); ++index) {
    const Batch batch = streams.batches[index];
    if (batch.index_start != end) {
      return false;
    }
    end += batch.index_count;
  }
  return end == streams.indices.size();
}

Result<void> check_slots(const Model& model, const Reporter& reporter) {
  const Streams& streams = model.streams();
  for (std::size_t index = 0; index < streams.slots.size(); ++index) {
    if (model.has(StreamType::kTriangles)) {
      ASSAY_TRY(
          check_range(reporter, streams.slots, index, &Slot::tri_start, &Slot::tri_count, streams.triangles.size()));
    }
    ASSAY_TRY(
        check_range(reporter, streams.slots, index, &Slot::batch_start, &Slot::batch_count, streams.batches.size()));
    ASSAY_TRY(check_bounds(streams, reporter, index));
  }
  return {};
}

Result<void> check_batches(const Model& model, const Reporter& reporter) {
  const Streams& streams = model.streams();
  const RangeMaximum largest(streams.indices);
  for (std::size_t index = 0; index < streams.batches.size(); ++index) {
    ASSAY_TRY(check_range(reporter, streams.batches, index, &Batch::index_start, &Batch::index_count,
                          streams.indices.size()));
    ASSAY_TRY(check_vertices(streams, reporter, largest, index));
  }
  if (streams.indices.size() % 3 != 0) {
    reporter.strict(reporter.at_row(Code::kSizeMismatch, model, StreamType::kIndices, &nres::Entry::size,
                                    Datum::multiple_of(6), Datum::number(streams.indices.bytes().size())));
  }
  std::vector<std::uint64_t> indices_before(streams.batches.size() + 1);
  std::uint64_t expected_start = 0;
  for (std::size_t index = 0; index < streams.batches.size(); ++index) {
    const Batch batch = streams.batches[index];
    check_batch_habits(streams, reporter, largest, index, expected_start);
    expected_start = std::uint64_t{batch.index_start} + batch.index_count;
    indices_before[index + 1] = indices_before[index] + batch.index_count;
  }
  check_vertex_end(streams, reporter);
  check_reach(streams, reporter);
  if (model.has(StreamType::kTriangles)) {
    check_slot_triangles(streams, reporter, indices_before);
  }
  return {};
}

void check_positions(const Model& model, const Reporter& reporter) {
  const Records<kPositionRecord>& positions = model.streams().positions;
  for (std::size_t index = 0; index < positions.size(); ++index) {
    if (!all_finite(positions[index].xyz)) {
      reporter.strict(reporter.at(Code::kNonFinite, positions, index, &Position::xyz));
      return;
    }
  }
}

void check_triangles(const Model& model, const Reporter& reporter) {
  const Records<kTriangleRecord>& triangles = model.streams().triangles;
  const std::size_t expected = model.streams().indices.size() / 3;
  if (model.has(StreamType::kTriangles) && triangles.size() != expected) {
    reporter.strict(reporter.at_row(Code::kCountMismatch, model, StreamType::kTriangles, &nres::Entry::size,
                                    Datum::number(std::uint64_t{expected} * kTriangleRecord.size_bytes),
                                    Datum::number(triangles.bytes().size())));
  }
  for (std::size_t index = 0; index < triangles.size(); ++index) {
    for (const std::uint16_t link : triangles[index].link) {
      if (link != kNoIndex && link >= triangles.size()) {
        reporter.strict(reporter.at(Code::kIndexOutOfRange, triangles, index, &Triangle::link,
                                    Datum::below(triangles.size()), Datum::number(link)));
        return;
      }
    }
  }
}

}  // namespace assay::msh
