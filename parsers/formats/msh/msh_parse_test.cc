#include "parsers/formats/msh/msh_test_support.h"

// What is wrong, where, and how bad it is: every row of the table of checks that no vector shows.
namespace assay::msh {
namespace {

constexpr std::uint32_t kNaN = 0x7FC00000;
constexpr std::uint32_t kInfinity = 0x7F800000;

struct Case {
  const char* name;
  Buffer image;
  Lines said;
};

void expect_said(std::span<const Case> cases) {
  for (const Case& one : cases) {
    EXPECT_EQ(said_of(one.image, Severity::kNote), one.said) << one.name;
  }
}

// In B the directory begins at 0x1D8; a row holds attr1 at 4, attr2 at 8, the size at 0xC and attr3 at 0x10.
std::size_t row_of_b(std::size_t index, std::size_t field_offset) {
  return 0x1D8 + index * 0x40 + field_offset;
}

TEST(MshParse, RefusesWhatIsNoArchive) {
  const Buffer b = full_b();
  const Case cases[] = {
      {"empty", {}, {"refused input_too_short @0 file"}},
      {"15 bytes", truncated(b, 15), {"refused input_too_short @0 file"}},
      {"magic", with_byte(b, 0, 'M'), {"refused invalid_magic @0 header.magic"}},
      {"version", with_byte(b, 4, 1), {"refused unsupported_version @4 header.version"}},
      {"negative count", with_u32(b, 8, 0xFFFFFFFF), {"refused invalid_entry_count @8 header.entry_count"}},
      {"no streams", hex("4e 52 65 73 00 01 00 00 00 00 00 00 10 00 00 00"), {"refused missing_stream @16 stream[1]"}},
  };
  expect_said(cases);
}

// An archive keeps an entry that it cannot read, a model does not: none of its streams may be guessed at.
TEST(MshParse, RefusesAStreamThatLiesOutside) {
  const Buffer b = full_b();
  EXPECT_EQ(said_of(with_u32(b, row_of_b(3, 0x38), 0x1D9)),
            Lines{"refused entry_data_out_of_bounds @720 entry[3].data_offset"});
  EXPECT_EQ(said_of(with_u32(b, row_of_b(9, 0x0C), 1000)),
            Lines{"refused entry_data_out_of_bounds @1060 entry[9].size"});
}

TEST(MshParse, LooksForEveryStreamThatAModelNeeds) {
  for (const std::uint32_t type : {1U, 2U, 3U, 6U, 13U}) {
    Parts parts = Parts::of(full_b());
    parts.remove(StreamType{type});
    const Buffer without = parts.build();
    const std::string offset = std::to_string(without.size() - 13 * 64);
    EXPECT_EQ(said_of(without), Lines{"refused missing_stream @" + offset + " stream[" + std::to_string(type) + "]"});
    parts = Parts::of(full_b());
    parts.parts.push_back(parts.at(StreamType{type}));
    const Buffer twice = parts.build();
    const std::string last_row = std::to_string(twice.size() - 64);
    EXPECT_EQ(said_of(twice), Lines{"refused duplicate_stream @" + last_row + " entry[14].type_id"});
  }
}

TEST(MshParse, OfAStreamThatIsThereThreeTimesTheSecondIsToBlame) {
  Parts parts = Parts::of(full_b());
  parts.parts.push_back(parts.at(StreamType::kPositions));
  parts.parts.push_back(parts.at(StreamType::kPositions));
  const Buffer image = parts.build();
  const std::string second_row = std::to_string(image.size() - 2 * 64);
  EXPECT_EQ(said_of(image), Lines{"refused duplicate_stream @" + second_row + " entry[14].type_id"});
}

TEST(MshParse, AsksForMissingStreamsInTheOrderOfTheirTypes) {
  Parts parts = Parts::of(full_b());
  parts.remove(StreamType::kBatches);
  parts.remove(StreamType::kPositions);
  EXPECT_EQ(said_of(parts.build()), Lines{"refused missing_stream @408 stream[3]"});
}

TEST(MshParse, AskWhatTheRowsSay) {
  const Buffer b = full_b();
  const Case cases[] = {
      {"nodes", with_byte(b, row_of_b(0, 4), 2), {"strict attribute_mismatch @476 entry[0].attr1"}},
      {"slots", with_byte(b, row_of_b(1, 4), 2), {"strict attribute_mismatch @540 entry[1].attr1"}},
      {"positions", with_byte(b, row_of_b(2, 4), 2), {"strict attribute_mismatch @604 entry[2].attr1"}},
      {"normals", with_byte(b, row_of_b(3, 4), 2), {"strict attribute_mismatch @668 entry[3].attr1"}},
      {"coordinates", with_byte(b, row_of_b(4, 4), 2), {"strict attribute_mismatch @732 entry[4].attr1"}},
      {"auxiliary", with_byte(b, row_of_b(5, 4), 2), {"note attribute_mismatch @796 entry[5].attr1"}},
      {"batches", with_byte(b, row_of_b(6, 4), 2), {"strict attribute_mismatch @860 entry[6].attr1"}},
      {"indices", with_byte(b, row_of_b(7, 4), 2), {"note attribute_mismatch @924 entry[7].attr1"}},
      {"triangles", with_byte(b, row_of_b(8, 4), 2), {"note attribute_mismatch @988 entry[8].attr1"}},
      {"keys", with_byte(b, row_of_b(9, 4), 2), {"strict attribute_mismatch @1052 entry[9].attr1"}},
      {"frame map", with_byte(b, row_of_b(10, 4), 2), {"strict attribute_mismatch @1116 entry[10].attr1"}},
      {"node names", with_byte(b, row_of_b(11, 4), 2), {"note attribute_mismatch @1180 entry[11].attr1"}},
      {"labels", with_byte(b, row_of_b(12, 4), 2), {"strict attribute_mismatch @1244 entry[12].attr1"}},
      {"hall", with_byte(b, row_of_b(13, 4), 1), {"strict size_mismatch @1316 entry[13].size"}},
  };
  expect_said(cases);
}

TEST(MshParse, AskForTheRecordSizes) {
  const Buffer b = full_b();
  const Case cases[] = {
      {"nodes", with_byte(b, row_of_b(0, 0x10), 39), {"refused invalid_stride @488 entry[0].attr3"}},
      {"slots", with_byte(b, row_of_b(1, 0x10), 1), {"note invalid_stride @552 entry[1].attr3"}},
      {"positions", with_byte(b, row_of_b(2, 0x10), 1), {"strict invalid_stride @616 entry[2].attr3"}},
      {"normals", with_byte(b, row_of_b(3, 0x10), 1), {"strict invalid_stride @680 entry[3].attr3"}},
      {"coordinates", with_byte(b, row_of_b(4, 0x10), 1), {"strict invalid_stride @744 entry[4].attr3"}},
      {"auxiliary", with_byte(b, row_of_b(5, 0x10), 1), {"strict invalid_stride @808 entry[5].attr3"}},
      {"batches", with_byte(b, row_of_b(6, 0x10), 1), {"strict invalid_stride @872 entry[6].attr3"}},
      {"indices", with_byte(b, row_of_b(7, 0x10), 1), {"strict invalid_stride @936 entry[7].attr3"}},
      {"triangles", with_byte(b, row_of_b(8, 0x10), 1), {"strict invalid_stride @1000 entry[8].attr3"}},
      {"keys", with_byte(b, row_of_b(9, 0x10), 1), {"note invalid_stride @1064 entry[9].attr3"}},
      {"frame map", with_byte(b, row_of_b(10, 0x10), 1), {"strict invalid_stride @1128 entry[10].attr3"}},
      {"node names", with_byte(b, row_of_b(11, 0x10), 1), {"note invalid_stride @1192 entry[11].attr3"}},
      {"labels: none is known", with_byte(b, row_of_b(12, 0x10), 1), {}},
      {"hall: none is known", with_byte(b, row_of_b(13, 0x10), 1), {}},
  };
  expect_said(cases);
}

// B has no probes, and with them alone its streams are not in a usual order.
TEST(MshParse, AsksTheSameOfProbes) {
  const auto said_with = [](std::array<std::uint32_t, 3> attributes, std::size_t size_bytes) {
    Parts parts = Parts::of(full_b());
    parts.add(20, attributes, Buffer(size_bytes));
    Lines lines = said_of(parts.build(), Severity::kNote);
    EXPECT_TRUE(!lines.empty() && lines.front().starts_with("note unusual_streams"));
    lines.erase(lines.begin());
    return lines;
  };
  EXPECT_EQ(said_with({1, 0, 48}, 48), Lines{});
  EXPECT_EQ(said_with({1, 0, 47}, 48), Lines{"strict invalid_stride @1432 entry[14].attr3"});
  EXPECT_EQ(said_with({2, 0, 48}, 48), Lines{"note attribute_mismatch @1420 entry[14].attr1"});
  EXPECT_EQ(said_with({1, 0, 48}, 49), Lines{"strict size_mismatch @1436 entry[14].size"});
}

// B with one stream of another length; what the row says is what it said before.
Buffer resized(StreamType type, std::size_t size_bytes) {
  Parts parts = Parts::of(full_b());
  parts.at(type).payload.resize(size_bytes);
  return parts.build();
}

// Its diagnostics are about the size in row `entry`, whose place depends on what the stream's length did to the layout.
std::string at_size(const Buffer& image, std::size_t entry, const char* what) {
  return what + std::string(" @") + std::to_string(image.size() - (14 - entry) * 64 + 0x0C) + " entry[" +
         std::to_string(entry) + "].size";
}

TEST(MshParse, AsksForWholeRecords) {
  const struct {
    StreamType type;
    std::size_t size_bytes;
    std::size_t entry;
    const char* said;
  } rows[] = {
      {StreamType::kNodes, 39, 0, "refused size_mismatch"},
      {StreamType::kSlots, 0x8B, 1, "refused size_mismatch"},
      {StreamType::kSlots, 0x8C + 67, 1, "refused size_mismatch"},
      {StreamType::kPositions, 37, 2, "refused size_mismatch"},
      {StreamType::kNormals, 13, 3, "strict size_mismatch"},
      {StreamType::kUv0, 11, 4, "strict size_mismatch"},
      {StreamType::kAuxiliary, 25, 5, "strict size_mismatch"},
      {StreamType::kBatches, 21, 6, "refused size_mismatch"},
      {StreamType::kIndices, 7, 7, "refused size_mismatch"},
      {StreamType::kTriangles, 17, 8, "refused size_mismatch"},
      {StreamType::kKeys, 25, 9, "refused size_mismatch"},
      {StreamType::kFrameMap, 3, 10, "refused size_mismatch"},
      {StreamType::kNodeNames, 33, 11, "note size_mismatch"},
      {StreamType::kHall, 1, 13, "strict size_mismatch"},
  };
  for (const auto& row : rows) {
    const Buffer image = resized(row.type, row.size_bytes);
    EXPECT_EQ(said_of(image, Severity::kNote), Lines{at_size(image, row.entry, row.said)})
        << row.said << ", entry " << row.entry << ", " << row.size_bytes << " bytes";
  }
}

// B with `count` zero records of a stream, and a row that says so.
Buffer recounted(StreamType type, std::uint32_t record_bytes, std::uint32_t count) {
  Parts parts = Parts::of(full_b());
  parts.set(type, Buffer(std::size_t{count} * record_bytes), count);
  return parts.build();
}

TEST(MshParse, AsksForAsManyRecordsAsThereAreVertices) {
  const struct {
    StreamType type;
    std::uint32_t record_bytes;
    std::uint32_t count;
    std::size_t entry;
    const char* said;
  } rows[] = {
      {StreamType::kNormals, 4, 2, 3, "strict count_mismatch"},
      {StreamType::kNormals, 4, 0, 3, "strict count_mismatch"},
      {StreamType::kUv0, 4, 4, 4, "strict count_mismatch"},
      {StreamType::kAuxiliary, 8, 2, 5, "strict count_mismatch"},
      {StreamType::kNodeNames, 32, 2, 11, "note count_mismatch"},
      {StreamType::kNodeNames, 32, 0, 11, "note count_mismatch"},
  };
  for (const auto& row : rows) {
    const Buffer image = recounted(row.type, row.record_bytes, row.count);
    EXPECT_EQ(said_of(image, Severity::kNote), Lines{at_size(image, row.entry, row.said)})
        << row.said << ", entry " << row.entry << ", " << row.count;
  }
}

TEST(MshParse, ChecksSlots) {
  const Buffer b = full_b();
  const Case cases[] = {
      {"triangles start outside", with_u16(b, 0xC4, 2), {"refused range_out_of_bounds @196 slot[0].tri_start"}},
      {"triangles end outside", with_u16(b, 0xC6, 2), {"refused range_out_of_bounds @198 slot[0].tri_count"}},
      {"batches start outside", with_u16(b, 0xC8, 2), {"refused range_out_of_bounds @200 slot[0].batch_start"}},
      {"batches end outside", with_u16(b, 0xCA, 0xFFFF), {"refused range_out_of_bounds @202 slot[0].batch_count"}},
      {"box without end", with_u32(b, 0xD8, kInfinity), {"refused invalid_bounds @216 slot[0].aabb_max"}},
      {"box thin and upside down", with_u32(b, 0xE0, 0xBF800000), {"refused invalid_bounds @204 slot[0].aabb_min"}},
      {"centre", with_u32(b, 0xE8, kNaN), {"refused invalid_bounds @228 slot[0].sphere_center"}},
      {"radius", with_u32(b, 0xF0, kInfinity), {"refused invalid_bounds @240 slot[0].sphere_radius"}},
      {"radius of nothing", with_u32(b, 0xF0, 0x80000000), {}},
      {"no triangles", with_u16(b, 0xC6, 0), {"note count_mismatch @198 slot[0].tri_count"}},
      {"other triangles",
       with_u32(b, 0xC4, 1),
       {"note count_mismatch @196 slot[0].tri_start", "note count_mismatch @198 slot[0].tri_count"}},
      {"nothing at all", with_u16(with_u32(b, 0xC4, 0), 0xCA, 0), {}},
  };
  expect_said(cases);
}

TEST(MshParse, ChecksVerticesKeysAndTriangles) {
  const Buffer b = full_b();
  const Case cases[] = {
      {"position", with_u32(b, 0x110, kNaN), {"strict non_finite @264 position[0].xyz"}},
      {"two positions, one finding",
       with_u32(with_u32(b, 0x114, kInfinity), 0x120, kNaN),
       {"strict non_finite @276 position[1].xyz"}},
      {"key time", with_u32(b, 0x1A4, kNaN), {"refused non_finite @420 key[0].time"}},
      {"key translation", with_u32(b, 0x19C, kInfinity), {"strict non_finite @408 key[0].translation"}},
      {"link to itself", with_u16(b, 0x18A, 0), {}},
      {"link outside", with_u16(b, 0x18E, 1), {"strict index_out_of_range @394 triangle[0].link"}},
      {"fallback key", with_u16(b, 0x16, 1), {"strict index_out_of_range @22 node[0].fallback_key"}},
      {"frame map start in an empty map", with_u16(b, 0x14, 0), {}},
      {"frame map start behind it", with_u16(b, 0x14, 1), {"strict index_out_of_range @20 node[0].anim_map_start"}},
      {"frames without a map",
       with_u32(with_u16(b, 0x14, 0), row_of_b(10, 8), 1),
       {"strict index_out_of_range @20 node[0].anim_map_start"}},
      {"all frames there can be",
       with_u32(with_u16(b, 0x14, 0), row_of_b(10, 8), 0xFFFFFFFF),
       {"strict index_out_of_range @20 node[0].anim_map_start"}},
  };
  expect_said(cases);
}

TEST(MshParse, ChecksLabels) {
  const auto labelled = [](Buffer payload) {
    Parts parts = Parts::of(full_b());
    parts.set(StreamType::kLabels, std::move(payload), 1);
    return parts.build();
  };
  const Case cases[] = {
      {"one", labelled(hex("02 00 00 00 68 69 00")), {}},
      {"no NUL", labelled(hex("02 00 00 00 68 69 01")), {"strict missing_terminator @464 label[0].text"}},
      {"another behind it", labelled(hex("00 00 00 00 00 00 00 00")), {"strict trailing_bytes @468 label_tail"}},
      {"half a length", labelled(hex("00 00 00")), {"refused input_too_short @464 label[0].text"}},
      {"none", labelled({}), {"refused input_too_short @464 label[0].text"}},
      {"too long", labelled(hex("ff ff ff ff 68 69 00")), {"refused input_too_short @464 label[0].text"}},
      {"NUL outside", labelled(hex("02 00 00 00 68 69")), {"refused input_too_short @464 label[0].text"}},
  };
  expect_said(cases);
}

TEST(MshParse, ChecksTheHall) {
  const auto with_hall = [](std::uint32_t from, std::uint32_t to, std::uint8_t filler) {
    HallLink link{.from = from, .to = to};
    link.unused.fill(filler == 0 ? 0 : 0xFFFFFFFF);
    Parts parts = Parts::of(full_b());
    parts.set(StreamType::kHall,
              joined(records_of<kHallNodeRecord>({{.position = {1, 2, 3}}, {.flags = 1}}),
                     records_of<kHallLinkRecord>({link})),
              2);
    parts.at(StreamType::kHall).row.attr2 = 1;
    return parts.build();
  };
  const Case cases[] = {
      {"a way", with_hall(0, 1, 0xFF), {}},
      {"from nowhere", with_hall(2, 1, 0xFF), {"strict index_out_of_range @512 hall_link[0].from"}},
      {"to nowhere", with_hall(0, 0xFFFFFFFF, 0xFF), {"strict index_out_of_range @516 hall_link[0].to"}},
      {"filled otherwise", with_hall(0, 1, 0), {"note unexpected_value @520 hall_link[0].unused"}},
  };
  expect_said(cases);
}

// Two triangles over four vertices in two batches.
Parts two_batches() {
  Parts parts = Parts::of(full_b());
  parts.set(StreamType::kPositions, Buffer(6 * 12), 6);
  parts.set(StreamType::kNormals, Buffer(6 * 4), 6);
  parts.set(StreamType::kUv0, Buffer(6 * 4), 6);
  parts.set(StreamType::kAuxiliary, Buffer(6 * 8), 6);
  parts.set(StreamType::kIndices, hex("00 00 01 00 02 00 02 00 01 00 00 00"), 6);
  const Triangle triangle{.link = {kNoIndex, kNoIndex, kNoIndex}};
  parts.set(StreamType::kTriangles, records_of<kTriangleRecord>({triangle, triangle}), 2);
  parts.set(StreamType::kBatches,
            records_of<kBatchRecord>({{.index_count = 3, .vertex_count = 3},
                                      {.index_count = 3, .index_start = 3, .vertex_count = 3, .base_vertex = 3}}),
            2);
  Buffer slots = parts.at(StreamType::kSlots).payload;
  slots = with_u16(with_u16(slots, 0x8C + 2, 2), 0x8C + 6, 2);
  parts.set(StreamType::kSlots, slots, 1);
  return parts;
}

Buffer with_batches(const std::vector<Batch>& batches) {
  Parts parts = two_batches();
  parts.set(StreamType::kBatches, records_of<kBatchRecord>(batches), static_cast<std::uint32_t>(batches.size()));
  return parts.build();
}

// Positions lie at 0x108, batches at 0x1B0, indices at 0x1D8.
TEST(MshParse, ChecksHowBatchesLie) {
  const Batch first{.index_count = 3, .vertex_count = 3};
  const Batch second{.index_count = 3, .index_start = 3, .vertex_count = 3, .base_vertex = 3};
  Batch batch = second;
  const auto second_as = [&](auto change) {
    batch = second;
    change(batch);
    return with_batches({first, batch});
  };
  const Case cases[] = {
      {"sound", two_batches().build(), {}},
      {"vertex count",
       second_as([](Batch& b) { b.vertex_count = 4; }),
       {"strict count_mismatch @466 batch[1].vertex_count", "strict count_mismatch @466 batch[1].vertex_count"}},
      {"the same indices twice",
       second_as([](Batch& b) { b.index_start = 0; }),
       {"strict not_contiguous @462 batch[1].index_start", "strict unreachable @478 index[3].vertex"}},
      {"the same vertices twice",
       second_as([](Batch& b) { b.base_vertex = 0; }),
       {"strict count_mismatch @446 batch[0].vertex_count", "strict unreachable @300 position[3].xyz"}},
      {"a vertex between",
       second_as([](Batch& b) { b.base_vertex = 2; }),
       {"strict count_mismatch @466 batch[1].vertex_count", "strict unreachable @324 position[5].xyz"}},
      {"half a triangle",
       second_as([](Batch& b) { b.index_count = 2; }),
       {"strict count_out_of_range @460 batch[1].index_count", "strict unreachable @482 index[5].vertex",
        "note count_mismatch @198 slot[0].tri_count"}},
      {"starts behind the indices",
       second_as([](Batch& b) { b.index_start = 7; }),
       {"refused range_out_of_bounds @462 batch[1].index_start"}},
      {"starts so far behind that 32 bits wrap",
       second_as([](Batch& b) { b.index_start = 0xFFFFFFFF; }),
       {"refused range_out_of_bounds @462 batch[1].index_start"}},
      {"vertices that 32 bits wrap",
       second_as([](Batch& b) { b.base_vertex = 0xFFFFFFFF; }),
       {"refused index_out_of_range @468 batch[1].base_vertex"}},
  };
  expect_said(cases);
}

TEST(MshParse, ChecksIndicesAndTrianglesTogether) {
  Parts parts = two_batches();
  parts.set(StreamType::kIndices, hex("00 00 01 00 02 00 02 00 01 00 00 00 00 00"), 7);
  EXPECT_EQ(said_of(parts.build()),
            (Lines{"strict size_mismatch @1044 entry[7].size", "strict unreachable @484 index[6].vertex"}));
  parts = two_batches();
  parts.set(StreamType::kTriangles, Buffer(3 * 16), 3);
  EXPECT_EQ(said_of(parts.build()), Lines{"strict count_mismatch @1124 entry[8].size"});
}

// An index range of every length and start finds its largest index.
TEST(MshParse, FindsTheFirstIndexThatIsOutside) {
  for (std::size_t bad = 0; bad < 6; ++bad) {
    Parts parts = two_batches();
    Buffer indices = parts.at(StreamType::kIndices).payload;
    parts.set(StreamType::kIndices, with_u16(indices, bad * 2, 600), 6);
    EXPECT_EQ(said_of(parts.build()), Lines{"refused index_out_of_range @" + std::to_string(0x1D8 + bad * 2) +
                                            " index[" + std::to_string(bad) + "].vertex"});
  }
}

}  // namespace
}  // namespace assay::msh
