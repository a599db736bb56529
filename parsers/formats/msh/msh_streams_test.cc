#include <chrono>

#include "parsers/formats/catalogue.h"
#include "parsers/formats/msh/msh_test_support.h"

// A model as an archive of streams: what it is recognised by, what its members are, what is kept, and edits.
namespace assay::msh {
namespace {

struct Parsed {
  explicit Parsed(Buffer bytes) : image(std::move(bytes)), model(Model::parse(image, {}, findings)) {}

  Buffer image;
  Findings findings;
  Result<Model> model;
};

std::string_view format_of(const Buffer& image, const ItemHints& hints) {
  const Format* format = identify(image, hints).format;
  return format == nullptr ? std::string_view() : format->id;
}

TEST(MshDetection, KnowsModelsByTagNameAndStreams) {
  const Buffer model = full_b();
  EXPECT_EQ(format_of(model, {.type_tag = 0x4853454D}), "msh");
  EXPECT_EQ(format_of(model, {.name = as_bytes("A.MSH")}), "msh");
  EXPECT_EQ(format_of(minimal_a(), {}), "msh");
  EXPECT_EQ(format_of(minimal_a(), {.name = as_bytes("a.bin"), .is_file = true}), "msh");
}

TEST(MshDetection, KnowsNoModelOfMoreThanSixtyFourRows) {
  Parts parts = Parts::of(full_b());
  for (std::uint32_t type = 100; parts.parts.size() < 64; ++type) {
    parts.add(type, {}, {});
  }
  EXPECT_EQ(format_of(parts.build(), {}), "msh");
  parts.add(99, {}, {});
  EXPECT_EQ(format_of(parts.build(), {}), "nres");
}

TEST(MshDetection, LeavesOtherArchivesAlone) {
  const Buffer model = full_b();
  EXPECT_EQ(format_of(model, {.name = as_bytes("DATA.RLB"), .is_file = true}), "nres") << "the name of an archive";
  EXPECT_EQ(format_of(model, {.name = as_bytes("Land.msh"), .is_file = true}), "nres") << "the name of terrain";
  Parts terrain = Parts::of(model);
  terrain.at(StreamType::kIndices).row.type_id = 21;
  EXPECT_EQ(format_of(terrain.build(), {}), "nres");
  for (const std::uint32_t type : {1U, 2U, 3U, 6U, 13U}) {
    Parts parts = Parts::of(model);
    parts.remove(StreamType{type});
    EXPECT_EQ(format_of(parts.build(), {}), "nres") << type;
  }
  EXPECT_EQ(format_of(hex("4e 52 65 73 00 01 00 00 ff ff ff 7f 10 00 00 00"), {}), "nres") << "no room for the rows";
  EXPECT_EQ(format_of(with_u32(model, 8, 0xFFFFFFFF), {}), "nres");
}

TEST(MshMembers, AreTheStreamsByName) {
  const Parsed parsed(full_b());
  ASSERT_TRUE(parsed.model);
  std::string names;
  for (std::size_t index = 0; index < parsed.model->member_count(); ++index) {
    names += std::string(parsed.model->member(index).claimed_as) + ' ';
  }
  EXPECT_EQ(names,
            "msh.nodes msh.slots msh.positions msh.normals msh.uv0 msh.auxiliary msh.batches msh.indices msh.triangles "
            "msh.keys msh.frame_map msh.node_names msh.labels msh.hall ");
  EXPECT_EQ(parsed.model->entry_of(StreamType::kBatches), 6U);
  EXPECT_FALSE(parsed.model->has(StreamType::kUv1));
  for (const std::uint32_t type : {0U, 11U, 12U, 14U, 16U, 21U, 0x4853454DU}) {
    EXPECT_EQ(stream_name(type), "msh.unknown");
  }
}

// The runs of a model's map that hold the bytes of its streams, each with its size.
std::string runs_of(const Model& model) {
  std::string text;
  const ByteMap map = model.account();
  for (const ByteRun& run : map.runs()) {
    if (run.offset >= 16 && run.offset < model.archive().directory_offset() && run.kind != ByteKind::kPadding) {
      text +=
          run.path.to_text() + ' ' + std::to_string(run.size) + (run.kind == ByteKind::kOpaque ? " opaque; " : "; ");
    }
  }
  return text;
}

TEST(MshAccount, NamesTheRecordsOfEveryStream) {
  const Parsed parsed(full_b());
  ASSERT_TRUE(parsed.model);
  EXPECT_EQ(runs_of(*parsed.model),
            "node 38; slot_header 140; slot 68; position 36; normal 12; uv0 12; index 6; triangle 16; key 24; "
            "node_name 32; label[0] 4; batch 20; auxiliary 24; ");
  ByteMap map = parsed.model->account();
  ASSERT_TRUE(map.close(parsed.image.size()));
  for (const char* path : {"node[0].parent_or_link", "slot[0].aabb_min", "batch[0].base_vertex", "label[0].text",
                           "triangle[0].sel_packed", "key[0].rotation_wxyz", "entry[13].attr2", "header.magic"}) {
    EXPECT_TRUE(map.find(path)) << path;
  }
  // Rows, header, and everything in the streams but the 24 auxiliary bytes and 12 of the slot.
  EXPECT_EQ(map.shares().opaque, 36U);
  EXPECT_EQ(map.shares().payload, 0U);
}

TEST(MshAccount, KeepsStreamsThatAreNotKnown) {
  Parts parts = Parts::of(full_b());
  parts.add(11, {1, 2, 3}, text_bytes("of terrain"));
  parts.add(0x31313131, {0, 0, 0}, {});
  const Parsed parsed(parts.build());
  ASSERT_TRUE(parsed.model);
  EXPECT_EQ(described(parsed.findings), Lines{"note unusual_streams @488 stream"});
  EXPECT_TRUE(runs_of(*parsed.model).ends_with("entry[14].payload 10 opaque; ")) << runs_of(*parsed.model);
  EXPECT_EQ(parsed.model->member(14).claimed_as, "msh.unknown");
  expect_lossless(*parsed.model, parsed.image, "unknown streams");
}

TEST(MshAccount, KeepsTheOtherNodeRecords) {
  Parts parts = Parts::of(full_b());
  parts.set(StreamType::kNodes, Buffer(48, 0xAB), 2);
  parts.at(StreamType::kNodes).row.attr3 = 24;
  parts.set(StreamType::kNodeNames, Buffer(64), 2);
  parts.set(StreamType::kLabels, Buffer(8), 2);
  const Parsed parsed(parts.build());
  ASSERT_TRUE(parsed.model);
  EXPECT_EQ(described(parsed.findings), Lines{"note unsupported_variant @528 entry[0].attr3"});
  EXPECT_TRUE(runs_of(*parsed.model).starts_with("node 48 opaque; ")) << runs_of(*parsed.model);
  EXPECT_EQ(parsed.model->streams().node_record_bytes, 24U);
  EXPECT_EQ(parsed.model->streams().node_count, 2U);
  EXPECT_TRUE(parsed.model->streams().nodes.empty());
  expect_lossless(*parsed.model, parsed.image, "24 bytes");
  parts.set(StreamType::kNodes, Buffer(47), 2);
  EXPECT_EQ(said_of(parts.build()), Lines{"refused size_mismatch @524 entry[0].size"});
}

TEST(MshAccount, UsesTheFirstOfTwoStreamsAndKeepsTheOther) {
  for (const StreamRow& row : stream_rows()) {
    if (row.is_required || row.type == StreamType::kUv1 || row.type == StreamType::kProbes) {
      continue;
    }
    Parts parts = Parts::of(full_b());
    parts.add(static_cast<std::uint32_t>(row.type), {9, 9, 9}, text_bytes("whatever"));
    const Parsed parsed(parts.build());
    const std::string offset = std::to_string(parsed.image.size() - 64);
    EXPECT_EQ(described(parsed.findings, Severity::kStrict),
              Lines{"strict duplicate_stream @" + offset + " entry[14].type_id"});
    ASSERT_TRUE(parsed.model) << row.name;
    EXPECT_NE(parsed.model->entry_of(row.type), 14U) << row.name;
    expect_lossless(*parsed.model, parsed.image, std::string(row.name));
  }
}

// Whose byte it is cannot be said, so payloads stay payloads; nothing is lost either way.
TEST(MshAccount, DoesNotSplitPayloadsThatShareBytes) {
  // Auxiliary bytes and coordinates begin at one offset.
  const Parsed parsed(with_u32(full_b(), 0x1D8 + 5 * 64 + 0x38, 0x140));
  ASSERT_TRUE(parsed.model);
  EXPECT_EQ(described(parsed.findings, Severity::kStrict),
            Lines{"strict entry_data_overlap @848 entry[5].data_offset"});
  EXPECT_TRUE(runs_of(*parsed.model).starts_with("entry[0].payload 38; ")) << runs_of(*parsed.model);
  expect_lossless(*parsed.model, parsed.image, "overlap");
}

TEST(MshAccount, ReadsHallAndProbes) {
  Parts parts = Parts::of(full_b());
  parts.set(StreamType::kHall, Buffer(60), 1);
  parts.at(StreamType::kHall).row.attr2 = 1;
  parts.add(20, {1, 0, 48}, Buffer(48));
  const Parsed parsed(parts.build());
  ASSERT_TRUE(parsed.model);
  EXPECT_EQ(parsed.model->streams().hall_nodes.size(), 1U);
  EXPECT_EQ(parsed.model->streams().hall_links.size(), 1U);
  EXPECT_EQ(parsed.model->streams().probes.size(), 1U);
  EXPECT_TRUE(runs_of(*parsed.model).ends_with("hall_node 20; hall_link 40; probe 48; ")) << runs_of(*parsed.model);
}

TEST(MshOrder, HasTwoUsualLists) {
  Parts parts = Parts::of(full_b());
  const auto notes = [&] { return said_of(parts.build(), Severity::kNote); };
  EXPECT_EQ(notes(), Lines{});
  parts.add(18, {3, 0, 4}, Buffer(12));
  parts.add(20, {0, 0, 48}, {});
  EXPECT_EQ(notes(), Lines{"note unusual_streams @488 stream"});
  std::rotate(parts.parts.begin() + 5, parts.parts.end() - 2, parts.parts.end() - 1);
  EXPECT_EQ(notes(), Lines{});
  std::swap(parts.parts[0], parts.parts[1]);
  EXPECT_EQ(notes(), Lines{"note unusual_streams @488 stream"});
}

TEST(MshEdit, StreamsAreEditedAsEntries) {
  const Parsed parsed(full_b());
  ASSERT_TRUE(parsed.model);
  const auto editor = format().edit(*parsed.model);
  ASSERT_TRUE(editor);
  const Buffer labels = hex("02 00 00 00 68 69 00");
  ASSERT_TRUE((*editor)->replace(12, labels));
  ASSERT_TRUE((*editor)->rename(0, as_bytes("Nodes")));
  ASSERT_TRUE((*editor)->add(as_bytes("more"), labels, {}));
  const auto built = (*editor)->build();
  ASSERT_TRUE(built);
  const Parsed edited(*built);
  ASSERT_TRUE(edited.model);
  EXPECT_EQ(edited.model->member_count(), 15U);
  EXPECT_EQ(text_of(edited.model->streams().labels.at(0)), "hi");
  EXPECT_EQ(text_of(edited.model->member(0).name), "Nodes");
}

TEST(MshCanonical, DropsWhatBelongsToNoStream) {
  Parts parts = Parts::of(full_b());
  const Buffer canonical = parts.build();
  EXPECT_EQ(canonical, full_b()) << "the vector is canonical";
  const Parsed parsed(full_b());
  EXPECT_EQ(parsed.model->canonical().value(), canonical);
}

// A grid with more vertices than any shipped model, one batch a row of cells.
Buffer large_model(std::uint32_t side) {
  Parts parts = Parts::of(full_b());
  std::vector<Position> positions(std::size_t{side} * side);
  for (std::size_t vertex = 0; vertex < positions.size(); ++vertex) {
    positions[vertex].xyz = {static_cast<float>(vertex % side), static_cast<float>(vertex / side), 0};
  }
  const auto vertex_count = static_cast<std::uint32_t>(positions.size());
  std::vector<Index> indices;
  std::vector<Batch> batches;
  for (std::uint32_t line = 0; line + 1 < side; ++line) {
    batches.push_back({.index_count = static_cast<std::uint16_t>((side - 1) * 6),
                       .index_start = static_cast<std::uint32_t>(indices.size()),
                       .vertex_count = static_cast<std::uint16_t>(2 * side),
                       .base_vertex = line * side});
    for (std::uint32_t cell = 0; cell + 1 < side; ++cell) {
      for (const std::uint32_t corner : {cell, cell + 1, cell + side, cell + 1, cell + side + 1, cell + side}) {
        indices.push_back({static_cast<std::uint16_t>(corner)});
      }
    }
  }
  const auto index_count = static_cast<std::uint32_t>(indices.size());
  parts.set(StreamType::kPositions, records_of<kPositionRecord>(positions), vertex_count);
  parts.set(StreamType::kNormals, Buffer(std::size_t{vertex_count} * 4), vertex_count);
  parts.set(StreamType::kUv0, Buffer(std::size_t{vertex_count} * 4), vertex_count);
  parts.set(StreamType::kAuxiliary, Buffer(std::size_t{vertex_count} * 8), vertex_count);
  parts.set(StreamType::kIndices, records_of<kIndexRecord>(indices), index_count);
  parts.set(StreamType::kTriangles, Buffer(std::size_t{index_count} / 3 * 16), index_count / 3);
  parts.set(StreamType::kBatches, records_of<kBatchRecord>(batches), static_cast<std::uint32_t>(batches.size()));
  Buffer slots = parts.at(StreamType::kSlots).payload;
  slots = with_u16(slots, 0x8C + 2, static_cast<std::uint16_t>(index_count / 3));
  parts.set(StreamType::kSlots, with_u16(slots, 0x8C + 6, static_cast<std::uint16_t>(batches.size())), 1);
  return parts.build();
}

TEST(MshLimits, ReadsALargeModel) {
  EXPECT_EQ(said_of(large_model(101), Severity::kNote), Lines{});
}

// Base and index have 32 and 16 bits, and their sum is not cut to either.
TEST(MshLimits, VertexNumbersPastSixteenBitsAreAddedWhole) {
  constexpr std::uint32_t kVertices = 70'000;
  const auto refusals = [](std::uint32_t base, std::uint16_t last) {
    Parts parts = Parts::of(full_b());
    parts.set(StreamType::kPositions, Buffer(std::size_t{kVertices} * 12), kVertices);
    parts.set(StreamType::kIndices, records_of<kIndexRecord>({{0}, {1}, {last}}), 3);
    parts.set(StreamType::kBatches,
              records_of<kBatchRecord>(
                  {{.index_count = 3, .vertex_count = static_cast<std::uint16_t>(last + 1), .base_vertex = base}}),
              1);
    Lines fields;
    for (const std::string& line : said_of(parts.build(), Severity::kError)) {
      fields.push_back(line.substr(line.rfind(' ') + 1));
    }
    return fields;
  };
  EXPECT_EQ(refusals(60'000, 9'999), Lines{}) << "the last vertex";
  EXPECT_EQ(refusals(60'000, 10'000), Lines{"index[2].vertex"}) << "one behind it";
  EXPECT_EQ(refusals(69'990, 65'534), Lines{"index[2].vertex"});
  EXPECT_EQ(refusals(kVertices, 2), Lines{"batch[0].base_vertex"});
  EXPECT_EQ(refusals(0xFFFF'FFFF, 2), Lines{"batch[0].base_vertex"});
}

// Many batches over the same indices, many nodes and slots over the same batches: the work stays that of reading them.
TEST(MshLimits, OverlappingRangesCostNoMoreThanTheirRecords) {
  constexpr std::uint32_t kMany = 20'000;
  Parts parts = Parts::of(full_b());
  parts.set(StreamType::kIndices, Buffer(60'000 * 2), 60'000);
  parts.set(StreamType::kTriangles, Buffer(20'000 * 16), 20'000);
  const Batch all{.index_count = 60'000, .vertex_count = 1};
  parts.set(StreamType::kBatches, records_of<kBatchRecord>(std::vector<Batch>(kMany, all)), kMany);
  const Buffer old_slots = parts.at(StreamType::kSlots).payload;
  Slot slot = kSlotRecord.read(Bytes(old_slots).subspan(0x8C));
  slot.batch_count = kMany;
  parts.set(StreamType::kSlots, joined(Buffer(0x8C), records_of<kSlotRecord>(std::vector<Slot>(kMany, slot))), kMany);
  std::vector<Node> nodes(kMany, node_of(kNoIndex, 0, 1, 7));
  parts.set(StreamType::kNodes, records_of<kNodeRecord>(nodes), kMany);
  parts.set(StreamType::kNodeNames, Buffer(std::size_t{kMany} * 32), kMany);
  parts.set(StreamType::kLabels, Buffer(std::size_t{kMany} * 4), kMany);
  parts.set(StreamType::kKeys, Buffer(2 * 24), 2);
  parts.set(StreamType::kFrameMap, Buffer(60'000 * 2), 60'000);
  parts.at(StreamType::kFrameMap).row.attr2 = 60'000;
  const Buffer image = parts.build();
  Findings findings;
  const auto before = std::chrono::steady_clock::now();
  EXPECT_TRUE(Model::parse(image, {}, findings));
  // Without care it would be a thousand million steps a node, a slot or a batch.
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20));
}

}  // namespace
}  // namespace assay::msh
