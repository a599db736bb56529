#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "parsers/formats/format_test_support.h"
#include "parsers/formats/msh/msh.h"

// The vectors of docs/formats/msh.md, M6, and models made from them.
namespace assay::msh {

// Every test of the format uses these verbs.
using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

// A directory row as the vectors give it; the name is "Res" and the type.
inline Buffer row(std::array<std::uint32_t, 4> type_and_attributes, std::uint32_t size, std::uint32_t offset,
                  std::uint32_t sort) {
  const auto [type, attr1, attr2, attr3] = type_and_attributes;
  Buffer raw(nres::kEntryRecord.size_bytes);
  const std::string name = "Res" + std::to_string(type);
  nres::kEntryRecord.write({.type_id = type,
                            .attr1 = attr1,
                            .attr2 = attr2,
                            .size = size,
                            .attr3 = attr3,
                            .name = FixedString<nres::kMaxNameBytes + 1>::from_text(as_bytes(name)),
                            .data_offset = offset,
                            .sort_index = sort},
                           raw);
  return raw;
}

inline Buffer all_of(std::initializer_list<Buffer> parts) {
  Buffer whole;
  for (const Buffer& part : parts) {
    whole.insert(whole.end(), part.begin(), part.end());
  }
  return whole;
}

// Stream 1 of both vectors: a root without animation that draws slot 0 when intact, level 0.
inline Buffer vector_nodes() {
  return hex(
      "00 00"                            // flags
      "ff ff"                            // parent_or_link: root
      "ff ff"                            // anim_map_start: none
      "00 00"                            // fallback_key
      "00 00 ff ff ff ff ff ff ff ff"    // slots of state 0
      "ff ff ff ff ff ff ff ff ff ff"    // state 1
      "ff ff ff ff ff ff ff ff ff ff");  // state 2
}

inline Buffer vector_positions() {
  return hex(
      "00 00 00 00 00 00 00 00 00 00 00 00"    // 0, 0, 0
      "00 00 80 3f 00 00 00 00 00 00 00 00"    // 1, 0, 0
      "00 00 00 00 00 00 80 3f 00 00 00 00");  // 0, 1, 0
}

inline Buffer vector_batch() {
  return hex(
      "00 00 00 00"          // flags, material_index_hi
      "00 ff"                // material_index, lightmap_index: none
      "ff ff"                // local_batch_index
      "03 00 00 00 00 00"    // index_count, index_start
      "03 00 00 00 00 00");  // vertex_count, base_vertex
}

// A: required streams only; 656 bytes, SHA-256 47146fc9bf289e01aa9bd051bbfa2eb4e0b1103d292ba81eb0ed86eca088fb87.
inline Buffer minimal_a() {
  return all_of({
      hex("4e 52 65 73 00 01 00 00 05 00 00 00 90 02 00 00"),
      // 0x10: nodes, padding; 0x38: bounds of the whole, none.
      vector_nodes(),
      Buffer(2),
      Buffer(0x8C),
      // 0xC4: slot 0.
      hex("00 00 00 00 00 00 01 00"              // no triangles, batch 0 alone
          "00 00 00 00 00 00 00 00 00 00 00 00"  // aabb_min 0, 0, 0
          "00 00 80 3f 00 00 80 3f 00 00 00 00"  // aabb_max 1, 1, 0
          "00 00 00 3f 00 00 00 3f 00 00 00 00"  // centre .5, .5, 0
          "00 00 40 3f"                          // radius .75
          "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
      // 0x108: positions; 0x130: indices; 0x138: the batch.
      vector_positions(),
      Buffer(4),
      hex("00 00 01 00 02 00 00 00"),
      vector_batch(),
      Buffer(4),
      // 0x150: directory.
      row({1, 1, 0, 38}, 38, 0x10, 0),
      row({2, 1, 0, 68}, 208, 0x38, 4),
      row({3, 3, 0, 12}, 36, 0x108, 1),
      row({6, 3, 0, 2}, 6, 0x130, 2),
      row({13, 1, 0, 20}, 20, 0x138, 3),
  });
}

// B: the fourteen streams of a model without light maps; 1368 bytes, SHA-256
// f620e42461034f67737cab09303d70582c18506293276cc003a93d20a4f1ba5b.
inline Buffer full_b() {
  const Buffer square =
      hex("00 00 00 00 00 00 00 00 00 00 00 00"    // 0, 0, 0
          "00 00 80 3f 00 00 00 00 00 00 00 00"    // 1, 0, 0
          "00 00 80 3f 00 00 80 3f 00 00 00 00"    // 1, 1, 0
          "00 00 00 00 00 00 80 3f 00 00 00 00");  // 0, 1, 0
  const Buffer middle = hex("00 00 00 3f 00 00 00 3f 00 00 00 00");
  const Buffer radius = hex("00 00 40 3f");
  return all_of({
      hex("4e 52 65 73 00 01 00 00 0e 00 00 00 58 05 00 00"),
      // 0x10: nodes, padding.
      vector_nodes(),
      Buffer(2),
      // 0x38: bounds of the whole: corners of a flat box, sphere, axis of a cylinder and its radius.
      square,
      square,
      middle,
      radius,
      middle,
      middle,
      radius,
      // 0xC4: slot 0.
      hex("00 00 01 00 00 00 01 00"                // triangle 0, batch 0
          "00 00 00 00 00 00 00 00 00 00 00 00"    // aabb_min
          "00 00 80 3f 00 00 80 3f 00 00 00 00"),  // aabb_max
      middle,
      radius,
      hex("00 00 00 3f 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
      // 0x108: positions; 0x130: normals 0, 0, 1; 0x140: coordinates 0 0, 1 0, 0 1; 0x150: auxiliary.
      vector_positions(),
      Buffer(4),
      hex("00 00 7f 00 00 00 7f 00 00 00 7f 00 00 00 00 00"),
      hex("00 00 00 00 00 04 00 00 00 00 00 04 00 00 00 00"),
      Buffer(24),
      // 0x168: the batch; 0x180: indices.
      vector_batch(),
      Buffer(4),
      hex("00 00 01 00 02 00 00 00"),
      // 0x188: a triangle without neighbours, its normal 0, 0, 1, no selectors.
      hex("00 00 ff ff ff ff ff ff 00 00 00 00 ff 7f 3f 00"),
      // 0x198: a key at time 0 that changes nothing.
      Buffer(16),
      hex("ff 7f 00 00 00 00 00 00"),
      // 0x1B0: node name; 0x1D0: an empty label, padding.
      text_bytes("o01_m1o1"),
      Buffer(24),
      Buffer(8),
      // 0x1D8: directory.
      row({1, 1, 0, 38}, 38, 0x10, 0),
      row({2, 1, 0, 68}, 208, 0x38, 12),
      row({3, 3, 0, 12}, 36, 0x108, 6),
      row({4, 3, 0, 4}, 12, 0x130, 5),
      row({5, 3, 0, 4}, 12, 0x140, 13),
      row({15, 3, 0, 8}, 24, 0x150, 10),
      row({13, 1, 0, 20}, 20, 0x168, 1),
      row({6, 3, 0, 2}, 6, 0x180, 2),
      row({7, 1, 0, 16}, 16, 0x188, 3),
      row({8, 1, 0, 24}, 24, 0x198, 4),
      row({19, 0, 0, 2}, 0, 0x1B0, 7),
      row({9, 1, 0, 32}, 32, 0x1B0, 8),
      row({10, 1, 0, 0}, 4, 0x1D0, 9),
      row({17, 0, 0, 0}, 0, 0x1D8, 11),
  });
}

// A model taken apart, to be put together again with other streams.
struct Parts {
  struct Part {
    nres::Entry row{};
    Buffer payload{};
  };
  std::vector<Part> parts;

  static Parts of(Bytes image) {
    Findings findings;
    const auto archive = nres::Archive::parse(image, {}, findings);
    Parts result;
    for (std::size_t index = 0; index < archive->entries().size(); ++index) {
      const Bytes payload = archive->payload(index);
      result.parts.push_back({archive->entries()[index], Buffer(payload.begin(), payload.end())});
    }
    return result;
  }

  Part& at(StreamType type) {
    return *std::ranges::find(parts, static_cast<std::uint32_t>(type),
                              [](const Part& part) { return part.row.type_id; });
  }
  // Gives a stream other bytes, and the count and record size that fit them.
  void set(StreamType type, Buffer payload, std::uint32_t attr1) {
    at(type).payload = std::move(payload);
    at(type).row.attr1 = attr1;
  }
  void remove(StreamType type) {
    std::erase_if(parts, [&](const Part& part) { return part.row.type_id == static_cast<std::uint32_t>(type); });
  }
  void add(std::uint32_t type, std::array<std::uint32_t, 3> attributes, Buffer payload) {
    Part part;
    part.row.type_id = type;
    part.row.attr1 = attributes[0];
    part.row.attr2 = attributes[1];
    part.row.attr3 = attributes[2];
    part.row.name = FixedString<nres::kMaxNameBytes + 1>::from_text(as_bytes("added"));
    part.payload = std::move(payload);
    parts.push_back(std::move(part));
  }
  [[nodiscard]] Buffer build() const {
    std::vector<nres::NewEntry> rows;
    for (const Part& part : parts) {
      rows.push_back({part.row, part.payload});
    }
    return nres::build_canonical(rows).value();
  }
};

template <const auto& Table>
Buffer records_of(const std::vector<typename std::remove_cvref_t<decltype(Table)>::Value>& values) {
  Buffer bytes(values.size() * Table.size_bytes);
  for (std::size_t index = 0; index < values.size(); ++index) {
    Table.write(values[index], MutableBytes(bytes).subspan(index * Table.size_bytes));
  }
  return bytes;
}

// A node that draws the given slot, or nothing.
inline Node node_of(std::uint16_t parent, std::uint16_t anim_map_start, std::uint16_t fallback_key,
                    std::uint16_t slot = kNoIndex) {
  Node node{.parent_or_link = parent, .anim_map_start = anim_map_start, .fallback_key = fallback_key};
  node.slot_index.fill(kNoIndex);
  node.slot_index[0] = slot;
  return node;
}

// The hierarchy of docs/formats/poses.md, as a model: three nodes in a row, no animation.
inline Buffer chain_of_three() {
  Parts parts = Parts::of(full_b());
  parts.set(
      StreamType::kNodes,
      records_of<kNodeRecord>({node_of(kNoIndex, kNoIndex, 0, 0), node_of(0, kNoIndex, 1), node_of(1, kNoIndex, 2)}),
      3);
  parts.set(StreamType::kKeys,
            records_of<kKeyRecord>({{.translation = {1, 0, 0}, .rotation_wxyz = {23170, 0, 0, 23170}},
                                    {.translation = {0, 2, 0}, .rotation_wxyz = {32767, 0, 0, 0}},
                                    {.translation = {0, 0, 3}, .rotation_wxyz = {23170, 23170, 0, 0}}}),
            3);
  parts.set(StreamType::kNodeNames, joined(text_bytes("root"), Buffer(92)), 3);
  parts.set(StreamType::kLabels, Buffer(12), 3);
  return parts.build();
}

// The sampled node of docs/formats/poses.md: six frames between three keys.
inline Buffer animated_model() {
  Parts parts = Parts::of(full_b());
  parts.set(StreamType::kNodes, records_of<kNodeRecord>({node_of(kNoIndex, 0, 2, 0)}), 1);
  parts.set(StreamType::kKeys,
            records_of<kKeyRecord>({{.translation = {0, 0, 0}, .time = 0, .rotation_wxyz = {32767, 0, 0, 0}},
                                    {.translation = {10, 0, 0}, .time = 4, .rotation_wxyz = {23170, 0, 0, 23170}},
                                    {.translation = {20, 0, 0}, .time = 5, .rotation_wxyz = {0, 0, 0, 32767}}}),
            3);
  parts.set(StreamType::kFrameMap, hex("00 00 00 00 00 00 00 00 01 00 02 00"), 6);
  parts.at(StreamType::kFrameMap).row.attr2 = 6;
  return parts.build();
}

// What a parse says, and that what it accepts is kept byte for byte.
inline std::vector<std::string> said_of(const Buffer& image, Severity least = Severity::kStrict,
                                        const ParseContext& context = {}) {
  Findings findings;
  const auto model = Model::parse(image, context, findings);
  if (!model) {
    return {described(model.error(), "refused")};
  }
  expect_lossless(*model, image, "model");
  expect_lookups_agree(*model, "model");
  return described(findings, least);
}

using Lines = std::vector<std::string>;

// The bytes of a vector in the shared test data, or nothing where that is not at hand.
inline Buffer shared_vector(const std::string& name) {
  const char* shared = std::getenv("ASSAY_SHARED");
  const char* source = std::getenv("ASSAY_SOURCE_DIR");
  const std::filesystem::path folder = shared != nullptr
                                           ? std::filesystem::path(shared)
                                           : std::filesystem::path(source == nullptr ? "." : source) / "../shared";
  std::ifstream stream(folder / "vectors" / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace assay::msh
