#pragma once

#include <array>
#include <cstdint>

#include "parsers/base/record.h"

// The records of a model's streams, one table each (docs/formats/msh.md).
namespace assay::msh {

// An index that names nothing: no parent, no frame map, no slot, no neighbour.
inline constexpr std::uint16_t kNoIndex = 0xFFFF;
inline constexpr std::size_t kStateCount = 3;
inline constexpr std::size_t kLodCount = 5;

// Stream 1.
struct Node {
  std::uint16_t flags = 0;
  std::uint16_t parent_or_link = kNoIndex;
  std::uint16_t anim_map_start = kNoIndex;
  std::uint16_t fallback_key = 0;
  // By state * kLodCount + lod.
  std::array<std::uint16_t, kStateCount * kLodCount> slot_index{};
};

inline constexpr auto kNodeRecord =
    record<Node>("node", 38,
                 field(0x00, "flags", &Node::flags, FieldStatus::kConsumerInferred)
                     .shown_as(Display::kHex)
                     .noted("0x1 interior part, 0x20 collision hull that is never drawn, others on the page"),
                 field(0x02, "parent_or_link", &Node::parent_or_link, FieldStatus::kLayoutConfirmed)
                     .noted("65535 on a root, else a node before this one"),
                 field(0x04, "anim_map_start", &Node::anim_map_start, FieldStatus::kLayoutConfirmed)
                     .noted("where the node's block in the frame map starts, 65535 without one"),
                 field(0x06, "fallback_key", &Node::fallback_key, FieldStatus::kLayoutConfirmed),
                 field(0x08, "slot_index", &Node::slot_index, FieldStatus::kLayoutConfirmed)
                     .noted("by state * 5 + lod; 65535 draws nothing"));

// Stream 2, at its start.
struct SlotHeader {
  std::array<float, 24> corners{};
  std::array<float, 3> sphere_center{};
  float sphere_radius = 0;
  std::array<float, 3> axis_low{};
  std::array<float, 3> axis_high{};
  float xy_radius = 0;
};

inline constexpr auto kSlotHeaderRecord = record<SlotHeader>(
    "slot_header", 0x8C,
    field(0x00, "corners", &SlotHeader::corners, FieldStatus::kConsumerInferred)
        .noted("eight corners of a box around the posed model"),
    field(0x60, "sphere_center", &SlotHeader::sphere_center, FieldStatus::kConsumerInferred),
    field(0x6C, "sphere_radius", &SlotHeader::sphere_radius, FieldStatus::kConsumerInferred),
    field(0x70, "axis_low", &SlotHeader::axis_low, FieldStatus::kConsumerInferred).noted("the axis of a cylinder"),
    field(0x7C, "axis_high", &SlotHeader::axis_high, FieldStatus::kConsumerInferred),
    field(0x88, "xy_radius", &SlotHeader::xy_radius, FieldStatus::kConsumerInferred));

// Stream 2, behind its header. Bounds are in the frame of the node.
struct Slot {
  std::uint16_t tri_start = 0;
  std::uint16_t tri_count = 0;
  std::uint16_t batch_start = 0;
  std::uint16_t batch_count = 0;
  std::array<float, 3> aabb_min{};
  std::array<float, 3> aabb_max{};
  std::array<float, 3> sphere_center{};
  float sphere_radius = 0;
  std::array<float, 2> extent{};
  std::array<std::uint32_t, 3> opaque38{};
};

inline constexpr auto kSlotRecord = record<Slot>(
    "slot", 68, field(0x00, "tri_start", &Slot::tri_start, FieldStatus::kLayoutConfirmed),
    field(0x02, "tri_count", &Slot::tri_count, FieldStatus::kLayoutConfirmed),
    field(0x04, "batch_start", &Slot::batch_start, FieldStatus::kLayoutConfirmed),
    field(0x06, "batch_count", &Slot::batch_count, FieldStatus::kLayoutConfirmed),
    field(0x08, "aabb_min", &Slot::aabb_min, FieldStatus::kLayoutConfirmed),
    field(0x14, "aabb_max", &Slot::aabb_max, FieldStatus::kLayoutConfirmed),
    field(0x20, "sphere_center", &Slot::sphere_center, FieldStatus::kLayoutConfirmed),
    field(0x2C, "sphere_radius", &Slot::sphere_radius, FieldStatus::kLayoutConfirmed),
    field(0x30, "extent", &Slot::extent, FieldStatus::kConsumerInferred).noted("an area and the volume of the box"),
    field(0x38, "opaque38", &Slot::opaque38, FieldStatus::kOpaque).shown_as(Display::kHex));

// Stream 3. In the frame of the node that draws the vertex; z is up.
struct Position {
  std::array<float, 3> xyz{};
};

inline constexpr auto kPositionRecord =
    record<Position>("position", 12, field(0x00, "xyz", &Position::xyz, FieldStatus::kLayoutConfirmed));

// Stream 4.
struct Normal {
  std::array<std::int8_t, 3> xyz{};
  std::int8_t w = 0;
};

inline constexpr auto kNormalRecord = record<Normal>(
    "normal", 4, field(0x00, "xyz", &Normal::xyz, FieldStatus::kLayoutConfirmed).noted("127 is 1, -128 counts as -127"),
    field(0x03, "w", &Normal::w, FieldStatus::kLayoutConfirmed).noted("not used for shading"));

// Streams 5 and 18.
struct TextureCoordinate {
  std::uint16_t u = 0;
  std::uint16_t v = 0;
};

inline constexpr auto kUv0Record = record<TextureCoordinate>(
    "uv0", 4, field(0x00, "u", &TextureCoordinate::u, FieldStatus::kLayoutConfirmed).noted("1024 is 1"),
    field(0x02, "v", &TextureCoordinate::v, FieldStatus::kLayoutConfirmed));

inline constexpr auto kUv1Record = record<TextureCoordinate>(
    "uv1", 4, field(0x00, "u", &TextureCoordinate::u, FieldStatus::kLayoutConfirmed).noted("1024 is 1"),
    field(0x02, "v", &TextureCoordinate::v, FieldStatus::kLayoutConfirmed));

// Stream 6.
struct Index {
  std::uint16_t vertex = 0;
};

inline constexpr auto kIndexRecord = record<Index>(
    "index", 2,
    field(0x00, "vertex", &Index::vertex, FieldStatus::kLayoutConfirmed).noted("counts from the batch's base_vertex"));

// Stream 7.
struct Triangle {
  std::uint16_t flags = 0;
  std::array<std::uint16_t, 3> link{};
  std::array<std::int16_t, 3> normal{};
  std::uint16_t sel_packed = 0;
};

inline constexpr auto kTriangleRecord =
    record<Triangle>("triangle", 16,
                     field(0x00, "flags", &Triangle::flags, FieldStatus::kConsumerInferred)
                         .shown_as(Display::kHex)
                         .noted("rounds pass through faces with a bit of 0x24"),
                     field(0x02, "link", &Triangle::link, FieldStatus::kLayoutConfirmed)
                         .noted("the triangle across each edge, 65535 for none"),
                     field(0x08, "normal", &Triangle::normal, FieldStatus::kLayoutConfirmed).noted("32767 is 1"),
                     field(0x0E, "sel_packed", &Triangle::sel_packed, FieldStatus::kLayoutConfirmed)
                         .shown_as(Display::kHex)
                         .noted("three selectors of two bits, 3 for none; the upper ten bits are opaque"));

// Stream 8.
struct Key {
  std::array<float, 3> translation{};
  // In frames.
  float time = 0;
  std::array<std::int16_t, 4> rotation_wxyz{};
};

inline constexpr auto kKeyRecord =
    record<Key>("key", 24, field(0x00, "translation", &Key::translation, FieldStatus::kLayoutConfirmed),
                field(0x0C, "time", &Key::time, FieldStatus::kLayoutConfirmed).noted("in frames"),
                field(0x10, "rotation_wxyz", &Key::rotation_wxyz, FieldStatus::kLayoutConfirmed).noted("32767 is 1"));

// Stream 9.
struct NodeName {
  FixedString<32> name{};
};

inline constexpr auto kNodeNameRecord = record<NodeName>(
    "node_name", 32,
    field(0x00, "name", &NodeName::name, FieldStatus::kConsumerInferred).noted("bytes after the NUL are kept"));

// Stream 10, one a node.
inline constexpr auto kLabelRecord = text_record("label", "text", FieldType::kLabel, FieldStatus::kLayoutConfirmed)
                                         .noted("what the node is a socket for, in code page 1251");

// Stream 13. Two fields are not aligned.
struct Batch {
  std::uint16_t flags = 0;
  std::uint16_t material_index_hi = 0;
  std::uint8_t material_index = 0;
  std::uint8_t lightmap_index = 0xFF;
  std::uint16_t local_batch_index = kNoIndex;
  std::uint16_t index_count = 0;
  std::uint32_t index_start = 0;
  std::uint16_t vertex_count = 0;
  std::uint32_t base_vertex = 0;
};

inline constexpr auto kBatchRecord = record<Batch>(
    "batch", 20,
    field(0x00, "flags", &Batch::flags, FieldStatus::kLayoutConfirmed)
        .shown_as(Display::kHex)
        .noted("0x2 draws both sides, 0x4000 tests the first face alone, others on the page"),
    field(0x02, "material_index_hi", &Batch::material_index_hi, FieldStatus::kLayoutConfirmed)
        .noted("meaning unknown; 0 in the shipped files"),
    field(0x04, "material_index", &Batch::material_index, FieldStatus::kLayoutConfirmed)
        .noted("a row of the WEAR table"),
    field(0x05, "lightmap_index", &Batch::lightmap_index, FieldStatus::kLayoutConfirmed)
        .noted("a light map row of the WEAR table, 255 for none"),
    field(0x06, "local_batch_index", &Batch::local_batch_index, FieldStatus::kConsumerInferred),
    field(0x08, "index_count", &Batch::index_count, FieldStatus::kLayoutConfirmed),
    field(0x0A, "index_start", &Batch::index_start, FieldStatus::kLayoutConfirmed),
    field(0x0E, "vertex_count", &Batch::vertex_count, FieldStatus::kLayoutConfirmed).noted("the largest index and one"),
    field(0x10, "base_vertex", &Batch::base_vertex, FieldStatus::kLayoutConfirmed));

// Stream 15, one a vertex.
struct Auxiliary {
  std::array<std::uint8_t, 8> opaque{};
};

inline constexpr auto kAuxiliaryRecord =
    record<Auxiliary>("auxiliary", 8, field(0x00, "opaque", &Auxiliary::opaque, FieldStatus::kOpaque));

// Stream 17: the ways inside a building, first the places, then what joins them.
struct HallNode {
  std::array<float, 3> position{};
  std::uint32_t flags = 0;
  std::uint32_t opaque10 = 0;
};

inline constexpr auto kHallNodeRecord =
    record<HallNode>("hall_node", 20, field(0x00, "position", &HallNode::position, FieldStatus::kConsumerInferred),
                     field(0x0C, "flags", &HallNode::flags, FieldStatus::kConsumerInferred).shown_as(Display::kHex),
                     field(0x10, "opaque10", &HallNode::opaque10, FieldStatus::kOpaque).shown_as(Display::kHex));

struct HallLink {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::array<std::uint32_t, 8> unused{};
};

inline constexpr auto kHallLinkRecord = record<HallLink>(
    "hall_link", 40, field(0x00, "from", &HallLink::from, FieldStatus::kConsumerInferred).noted("a hall node"),
    field(0x04, "to", &HallLink::to, FieldStatus::kConsumerInferred).noted("a hall node"),
    field(0x08, "unused", &HallLink::unused, FieldStatus::kConsumerInferred)
        .shown_as(Display::kHex)
        .noted("all bits set"));

// Stream 19.
struct FrameMapEntry {
  std::uint16_t key = 0;
};

inline constexpr auto kFrameMapRecord =
    record<FrameMapEntry>("frame_map", 2,
                          field(0x00, "key", &FrameMapEntry::key, FieldStatus::kLayoutConfirmed)
                              .noted("one not below the node's fallback_key selects that"));

// Stream 20.
struct Probe {
  std::int32_t node = 0;
  std::array<float, 3> position{};
  std::array<float, 3> direction{};
  std::array<float, 4> rgba{};
  float intensity = 0;
};

inline constexpr auto kProbeRecord =
    record<Probe>("probe", 48, field(0x00, "node", &Probe::node, FieldStatus::kConsumerInferred),
                  field(0x04, "position", &Probe::position, FieldStatus::kConsumerInferred),
                  field(0x10, "direction", &Probe::direction, FieldStatus::kConsumerInferred),
                  field(0x1C, "rgba", &Probe::rgba, FieldStatus::kConsumerInferred),
                  field(0x2C, "intensity", &Probe::intensity, FieldStatus::kConsumerInferred));

}  // namespace assay::msh
