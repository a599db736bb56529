#include <algorithm>
#include <functional>

#include "parsers/formats/msh/records.h"
#include "synth/content.h"
#include "synth/nres_builder.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> msh_seeds();

namespace {

using msh::kNoIndex;

// One stream before it becomes a row: its type, its three attributes, its bytes.
struct Stream {
  std::uint32_t type = 0;
  std::array<std::uint32_t, 3> attributes{};
  Buffer payload{};
};

using StreamList = std::vector<Stream>;

template <const auto& Table>
Buffer records(const std::vector<typename std::remove_cvref_t<decltype(Table)>::Value>& values) {
  Buffer bytes(values.size() * Table.size_bytes);
  for (std::size_t index = 0; index < values.size(); ++index) {
    Table.write(values[index], MutableBytes(bytes).subspan(index * Table.size_bytes));
  }
  return bytes;
}

template <const auto& Table>
Stream stream(std::uint32_t type, const std::vector<typename std::remove_cvref_t<decltype(Table)>::Value>& values) {
  return {type, {static_cast<std::uint32_t>(values.size()), 0, Table.size_bytes}, records<Table>(values)};
}

Buffer joined(Buffer first, Bytes second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

msh::Node node(std::uint16_t parent, std::uint16_t map_start, std::uint16_t fallback_key, std::uint16_t slot) {
  msh::Node made{.parent_or_link = parent, .anim_map_start = map_start, .fallback_key = fallback_key};
  made.slot_index.fill(kNoIndex);
  made.slot_index[0] = slot;
  return made;
}

msh::Key key(float x, float time, std::array<std::int16_t, 4> rotation_wxyz) {
  return {.translation = {x, 0, 0}, .time = time, .rotation_wxyz = rotation_wxyz};
}

constexpr std::array<std::int16_t, 4> kUnturned{32767, 0, 0, 0};
constexpr std::array<std::int16_t, 4> kQuarter{23170, 0, 0, 23170};

Stream slot_stream(const std::vector<msh::Slot>& slots) {
  return {2,
          {static_cast<std::uint32_t>(slots.size()), 0, 68},
          joined(records<msh::kSlotHeaderRecord>({{.sphere_radius = 0.75F, .xy_radius = 0.75F}}),
                 records<msh::kSlotRecord>(slots))};
}

msh::Slot slot(std::uint16_t triangles, std::uint16_t number) {
  return {.tri_start = triangles == 0 ? std::uint16_t{0} : number,
          .tri_count = triangles,
          .batch_start = number,
          .batch_count = 1,
          .aabb_max = {1, 1, 0},
          .sphere_center = {0.5F, 0.5F, 0},
          .sphere_radius = 0.75F,
          .extent = {0.5F, 0}};
}

// A triangle for each slot, in vertices of its own.
StreamList required(std::uint32_t slot_count, bool has_triangles) {
  std::vector<msh::Slot> slots;
  std::vector<msh::Position> positions;
  std::vector<msh::Index> indices;
  std::vector<msh::Batch> batches;
  for (std::uint32_t number = 0; number < slot_count; ++number) {
    slots.push_back(slot(has_triangles ? 1 : 0, static_cast<std::uint16_t>(number)));
    positions.insert(positions.end(), {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}});
    indices.insert(indices.end(), {{0}, {1}, {2}});
    batches.push_back({.index_count = 3, .index_start = 3 * number, .vertex_count = 3, .base_vertex = 3 * number});
  }
  return {stream<msh::kNodeRecord>(1, {node(kNoIndex, kNoIndex, 0, 0)}), slot_stream(slots),
          stream<msh::kPositionRecord>(3, positions), stream<msh::kIndexRecord>(6, indices),
          stream<msh::kBatchRecord>(13, batches)};
}

// The fourteen streams in the order of the games, `slot_count` triangles.
StreamList full(std::uint32_t slot_count = 1) {
  const StreamList basis = required(slot_count, true);
  const std::uint32_t vertices = 3 * slot_count;
  const msh::Triangle triangle{.link = {kNoIndex, kNoIndex, kNoIndex}, .normal = {0, 0, 32767}, .sel_packed = 0x3F};
  const Buffer name = [] {
    Buffer bytes(32);
    std::ranges::copy(as_bytes(std::string_view("o01_m1o1\0old", 12)), bytes.begin());
    return bytes;
  }();
  return {basis[0],
          basis[1],
          basis[2],
          stream<msh::kNormalRecord>(4, std::vector<msh::Normal>(vertices, {.xyz = {0, 0, 127}})),
          stream<msh::kUv0Record>(5, std::vector<msh::TextureCoordinate>(vertices, {.u = 1024, .v = 0x8000})),
          stream<msh::kAuxiliaryRecord>(15, std::vector<msh::Auxiliary>(vertices)),
          basis[4],
          basis[3],
          stream<msh::kTriangleRecord>(7, std::vector<msh::Triangle>(slot_count, triangle)),
          stream<msh::kKeyRecord>(8, {key(0, 0, kUnturned)}),
          {19, {0, 0, 2}, {}},
          {9, {1, 0, 32}, name},
          {10, {1, 0, 0}, Buffer(4)},
          {17, {0, 0, 0}, {}}};
}

Stream& find(StreamList& streams, std::uint32_t type) {
  return *std::ranges::find(streams, type, &Stream::type);
}

// A turret on a hull: the hull turns over six frames, the gun rests on the turret.
StreamList animated() {
  StreamList streams = full(3);
  find(streams, 1) =
      stream<msh::kNodeRecord>(1, {node(kNoIndex, 0, 2, 0), node(0, kNoIndex, 3, 1), node(1, kNoIndex, 4, 2)});
  find(streams, 8) =
      stream<msh::kKeyRecord>(8, {key(0, 0, kUnturned), key(10, 4, kQuarter), key(20, 5, {0, 0, 0, 32767}),
                                  key(2, 0, kQuarter), key(0, 0, {0, 0, 0, 0})});
  find(streams, 19) = {19, {6, 6, 2}, records<msh::kFrameMapRecord>({{0}, {0}, {0}, {0}, {1}, {2}})};
  find(streams, 9) = {9, {3, 0, 32}, Buffer(96, 'n')};
  find(streams, 10) = {10, {3, 0, 0}, Buffer{0, 0, 0, 0, 2, 0, 0, 0, 'u', 'l', 0, 0, 0, 0, 0}};
  return streams;
}

// With light maps: second coordinates and the lights around; and a way through the building.
StreamList lightmapped() {
  StreamList streams = full();
  streams.insert(streams.begin() + 5,
                 stream<msh::kUv1Record>(18, std::vector<msh::TextureCoordinate>(3, {.u = 0, .v = 1022})));
  find(streams, 17) = {17,
                       {2, 1, 0},
                       joined(records<msh::kHallNodeRecord>({{.position = {1, 0, 0}}, {.flags = 2}}),
                              records<msh::kHallLinkRecord>(
                                  {{.from = 0, .to = 1, .unused = {~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U}}}))};
  streams.push_back(
      stream<msh::kProbeRecord>(20, {{.node = -1, .direction = {0, 0, -1}, .rgba = {1, 1, 0.5F, 1}, .intensity = 2}}));
  return streams;
}

StreamList with_other_nodes() {
  StreamList streams = full();
  find(streams, 1) = {1, {1, 0, 24}, Buffer(24, 0x5A)};
  return streams;
}

StreamList with_unknown_stream() {
  StreamList streams = full();
  streams.push_back({23, {1, 2, 3}, Buffer{'?', '?', '?'}});
  return streams;
}

Seed seed(std::string name, const StreamList& streams, Verdict verdict = Verdict::kOk) {
  NresLayout layout;
  for (const Stream& one : streams) {
    NresItem item;
    item.row.type_id = one.type;
    item.row.attr1 = one.attributes[0];
    item.row.attr2 = one.attributes[1];
    item.row.attr3 = one.attributes[2];
    item.row.name = nres_name("Res" + std::to_string(one.type));
    item.payload = one.payload;
    layout.items.push_back(std::move(item));
  }
  return {.name = std::move(name),
          .bytes = build_nres(layout),
          .item_name = "model.msh",
          .type_tag = type_tag("MESH"),
          .strict = verdict,
          .compatible = verdict};
}

// The seed with one stream changed in a way that the format does not allow.
Seed broken(std::string name, StreamList streams, const std::function<void(StreamList&)>& damage) {
  damage(streams);
  return seed(std::move(name), streams, Verdict::kFail);
}

}  // namespace

std::vector<Seed> msh_seeds() {
  std::vector<Seed> seeds;
  seeds.push_back(seed("required_streams", required(1, false)));
  seeds.push_back(seed("fourteen_streams", full()));
  seeds.push_back(seed("sixteen_streams", lightmapped()));
  seeds.push_back(seed("animated", animated()));
  seeds.push_back(seed("other_node_records", with_other_nodes()));
  seeds.push_back(seed("unknown_stream", with_unknown_stream()));
  Prng prng(1);
  seeds.push_back({.name = "grid", .bytes = make_model(2, prng), .item_name = "grid.msh", .is_file = true});
  seeds.push_back(broken("without_hierarchy", full(), [](StreamList& streams) {
    find(streams, 1) = stream<msh::kNodeRecord>(1, {node(0, kNoIndex, 0, 0)});
  }));
  seeds.push_back(broken("stream_twice", full(), [](StreamList& streams) { streams.push_back(streams[3]); }));
  seeds.push_back(broken("shared_vertex", animated(), [](StreamList& streams) {
    find(streams, 1) =
        stream<msh::kNodeRecord>(1, {node(kNoIndex, 0, 2, 0), node(0, kNoIndex, 3, 0), node(1, kNoIndex, 4, 2)});
  }));
  seeds.push_back(broken("without_indices", full(), [](StreamList& streams) { streams.erase(streams.begin() + 7); }));
  seeds.push_back(seed("names_out_of_order", full(), Verdict::kFail));
  // The last two positions of the sort map exchanged.
  MutableBytes rows = MutableBytes(seeds.back().bytes).last(2 * nres::kEntryRecord.size_bytes);
  std::ranges::swap_ranges(rows.subspan(0x3C, 4), rows.subspan(0x7C, 4));
  seeds.back().compatible = Verdict::kQuirk;
  return seeds;
}

}  // namespace assay::synth
