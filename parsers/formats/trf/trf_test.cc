#include "parsers/formats/trf/trf.h"

#include "parsers/formats/decode_scratch.h"
#include "parsers/formats/format_test_support.h"

namespace assay::trf {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

using Lines = std::vector<std::string>;

// What the archive of a tree is made from. The stream of a type stands at the index of that type.
struct Plan {
  std::vector<nres::Entry> rows{};
  std::vector<Buffer> payloads{};

  nres::Entry& row(Stream stream) { return rows[static_cast<std::size_t>(stream)]; }
  Buffer& payload(Stream stream) { return payloads[static_cast<std::size_t>(stream)]; }
  Plan without(Stream stream) const {
    Plan less = *this;
    less.rows.erase(less.rows.begin() + static_cast<std::ptrdiff_t>(stream));
    less.payloads.erase(less.payloads.begin() + static_cast<std::ptrdiff_t>(stream));
    return less;
  }
  Plan with(std::uint32_t type_id, Buffer payload) const {
    Plan more = *this;
    more.rows.push_back({.type_id = type_id, .name = rows[0].name});
    more.payloads.push_back(std::move(payload));
    return more;
  }
};

Buffer archive_of(const Plan& plan) {
  std::vector<nres::NewEntry> entries;
  for (std::size_t index = 0; index < plan.rows.size(); ++index) {
    entries.push_back({plan.rows[index], plan.payloads[index]});
  }
  return *nres::build_canonical(entries);
}

// Two items, the first leading to the second, and two parts.
Plan plan_of_two() {
  Plan plan;
  for (const StreamInfo& info : stream_infos()) {
    plan.rows.push_back({.type_id = info.type_id, .name = decltype(nres::Entry::name)::from_text(as_bytes("ResTree"))});
  }
  plan.payloads.resize(kStreamCount);
  plan.row(Stream::kItems).attr1 = 2;
  plan.row(Stream::kItems).attr2 = 3;
  Buffer& items = plan.payload(Stream::kItems);
  items.resize(80);
  kItemRecord.write({.build_ore = 5, .part = 1, .level = 9}, items);
  kItemRecord.write({.code_offset = 2, .name_offset = 3, .part = 0}, MutableBytes(items).subspan(40));
  plan.payload(Stream::kStates) = {7, 1};
  plan.payload(Stream::kLinkCounts) = hex("01000000 00000000");
  plan.payload(Stream::kLinks) = hex("01000000");
  plan.payload(Stream::kBackLinkCounts) = hex("00000000 01000000");
  plan.payload(Stream::kBackLinks) = hex("00000000");
  plan.payload(Stream::kPartIds) = hex("7031 00 7032 00");
  plan.payload(Stream::kCodes) = hex("41 00 42 00");
  plan.payload(Stream::kNames) = hex("4f6e 00 5477 00");
  plan.payload(Stream::kDescriptions) = hex("00");
  plan.payload(Stream::kTemplates) = hex("00");
  plan.payload(Stream::kParts) = hex("0000 0100 0300 0000");
  return plan;
}

// Where the payload of a stream starts in the archive of that plan.
std::size_t start_of(const Plan& plan, Stream stream) {
  std::size_t offset = 16;
  for (std::size_t index = 0; index < static_cast<std::size_t>(stream); ++index) {
    offset += (plan.payloads[index].size() + 7) / 8 * 8;
  }
  return offset;
}

std::size_t directory_of(const Plan& plan) {
  return start_of(plan, static_cast<Stream>(plan.rows.size()));
}

Lines said_of(const Buffer& image, const ParseContext& context = {}) {
  Findings findings;
  const auto tree = Tree::parse(image, context, findings);
  if (!tree) {
    return {described(tree.error(), "refused")};
  }
  expect_lossless(*tree, image, "tree");
  expect_lookups_agree(*tree, "tree");
  return described(findings);
}

TEST(Trf, ReadsEveryStream) {
  const Buffer image = archive_of(plan_of_two());
  EXPECT_EQ(said_of(image), Lines{});
  Findings findings;
  const auto tree = Tree::parse(image, {}, findings);
  ASSERT_TRUE(tree);
  const Streams& streams = tree->streams();
  ASSERT_EQ(streams.items.size(), 2U);
  EXPECT_EQ(streams.items[0].build_ore, 5);
  EXPECT_EQ(streams.items[0].level, 9);
  EXPECT_EQ(streams.items[1].code_offset, 2);
  EXPECT_EQ(streams.states[0].bits, 7);
  EXPECT_EQ(streams.link_counts[0].count, 1U);
  EXPECT_EQ(streams.links[0].item, 1U);
  EXPECT_EQ(streams.back_link_counts[1].count, 1U);
  EXPECT_EQ(streams.back_links[0].item, 0U);
  EXPECT_EQ(streams.part_ids.starts, (std::vector<std::uint32_t>{0, 3}));
  EXPECT_EQ(streams.codes.starts, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(text_of(until_nul(streams.names.bytes.subspan(3))), "Tw");
  ASSERT_EQ(streams.parts.size(), 2U);
  EXPECT_EQ(streams.parts[1].id_offset, 3);
  EXPECT_EQ(streams.parts[0].item, 1);
}

TEST(Trf, ClaimsItsStreamsAndNothingElse) {
  const Buffer image = archive_of(plan_of_two().with(0x45544F4E, {1, 2}).with(info_of(Stream::kStates).type_id, {3}));
  Findings findings;
  const auto tree = Tree::parse(image, {}, findings);
  ASSERT_TRUE(tree);
  ASSERT_EQ(tree->member_count(), kStreamCount + 2);
  EXPECT_EQ(tree->member(0).claimed_as, "trf.TRF0");
  EXPECT_EQ(tree->member(11).claimed_as, "trf.TRFB");
  EXPECT_EQ(tree->member(12).claimed_as, "") << "of another type";
  EXPECT_EQ(tree->member(13).claimed_as, "") << "of a type that was there before";
  DecodeScratch scratch;
  EXPECT_TRUE(equal_bytes(*tree->load(1, scratch, findings), Buffer{7, 1}));
}

TEST(Trf, AccountsForRecordsWherePayloadsAreTheStreams) {
  const Plan plan = plan_of_two();
  const Buffer image = archive_of(plan);
  Findings findings;
  const auto tree = Tree::parse(image, {}, findings);
  ASSERT_TRUE(tree);
  ByteMap map = tree->account();
  ASSERT_TRUE(map.close(image.size()));
  EXPECT_EQ(map.shares().payload, 0U);
  EXPECT_EQ(map.shares().opaque, 0U);
  const auto level = map.find("item[0].level");
  ASSERT_TRUE(level);
  EXPECT_EQ(level->offset, start_of(plan, Stream::kItems) + 0x27);
  const auto id = map.find("part_id[1].text");
  ASSERT_TRUE(id);
  EXPECT_TRUE(id->info->is_derived());
  EXPECT_EQ(id->offset, start_of(plan, Stream::kPartIds) + 3);
}

TEST(Trf, LeavesPayloadsThatShareBytesAsPayloads) {
  Plan plan = plan_of_two();
  Buffer image = archive_of(plan);
  const std::size_t descriptions = directory_of(plan) + 64 * 9 + 0x38;
  image = with_u32(image, descriptions, static_cast<std::uint32_t>(start_of(plan, Stream::kTemplates)));
  Findings findings;
  const auto tree = Tree::parse(image, {}, findings);
  ASSERT_TRUE(tree);
  expect_lossless(*tree, image, "overlap");
  EXPECT_NE(tree->account().shares().payload, 0U);
}

// One thing that is wrong with a plan, and what is said of it; the offset is filled in.
struct Row {
  const char* name;
  Plan plan;
  const char* severity_and_code;
  std::size_t offset;
  const char* field;
};

void expect_row(const Row& row) {
  const std::string said = std::string(row.severity_and_code) + " @" + std::to_string(row.offset) + ' ' + row.field;
  EXPECT_EQ(said_of(archive_of(row.plan)), Lines{said}) << row.name;
}

template <typename Change>
Plan changed(Change change) {
  Plan plan = plan_of_two();
  change(plan);
  return plan;
}

std::size_t row_field(const Plan& plan, std::size_t entry, std::size_t field_offset) {
  return directory_of(plan) + 64 * entry + field_offset;
}

TEST(Trf, SaysWhichStreamsAreMissing) {
  for (std::size_t index = 0; index < kStreamCount; ++index) {
    const auto stream = static_cast<Stream>(index);
    const Plan plan = plan_of_two().without(stream);
    if (!info_of(stream).is_mandatory) {
      EXPECT_EQ(said_of(archive_of(plan)), Lines{}) << index;
      continue;
    }
    expect_row({"missing", plan, "strict missing_stream", directory_of(plan), info_of(stream).path});
  }
}

TEST(Trf, SaysExactlyWhatIsWrongWithTheListOfStreams) {
  const Plan twice = plan_of_two().with(info_of(Stream::kCodes).type_id, {});
  const Plan other = plan_of_two().with(0x45544F4E, {1});
  expect_row({"twice", twice, "strict duplicate_stream", row_field(twice, 12, 0), "entry[12].type_id"});
  expect_row({"another", other, "note unusual_streams", row_field(other, 12, 0), "entry[12].type_id"});
  EXPECT_EQ(said_of({}), Lines{"refused input_too_short @0 file"});
  EXPECT_EQ(said_of(with_byte(archive_of(other), 0, 'n')), Lines{"refused invalid_magic @0 header.magic"});
}

// Sizes and attributes, all named by a directory row.
TEST(Trf, SaysExactlyWhatIsWrongWithARow) {
  const struct {
    const char* name;
    Plan plan;
    const char* said;
    std::size_t entry;
    std::size_t field_offset;
    const char* field;
  } rows[] = {
      {"items end early", changed([](Plan& plan) { plan.payload(Stream::kItems).resize(81); }), "strict size_mismatch",
       0, 0x0C, "entry[0].size"},
      {"count of items", changed([](Plan& plan) { plan.row(Stream::kItems).attr1 = 3; }), "strict attribute_mismatch",
       0, 0x04, "entry[0].attr1"},
      {"version of items", changed([](Plan& plan) { plan.row(Stream::kItems).attr2 = 2; }), "strict attribute_mismatch",
       0, 0x08, "entry[0].attr2"},
      {"a state more", changed([](Plan& plan) { plan.payload(Stream::kStates).push_back(0); }), "strict count_mismatch",
       1, 0x0C, "entry[1].size"},
      {"a count more", changed([](Plan& plan) { plan.payload(Stream::kLinkCounts).resize(12); }),
       "strict count_mismatch", 2, 0x0C, "entry[2].size"},
      {"counts end early", changed([](Plan& plan) { plan.payload(Stream::kBackLinkCounts).resize(10); }),
       "strict size_mismatch", 4, 0x0C, "entry[4].size"},
      {"a back count more", changed([](Plan& plan) { plan.payload(Stream::kBackLinkCounts).resize(12); }),
       "strict count_mismatch", 4, 0x0C, "entry[4].size"},
      {"a link more", changed([](Plan& plan) { plan.payload(Stream::kLinks).resize(8); }), "strict count_mismatch", 3,
       0x0C, "entry[3].size"},
      {"absurd count", changed([](Plan& plan) { plan.payload(Stream::kLinkCounts)[7] = 0xFF; }),
       "strict count_mismatch", 3, 0x0C, "entry[3].size"},
      {"no back link", changed([](Plan& plan) { plan.payload(Stream::kBackLinks).clear(); }), "strict count_mismatch",
       5, 0x0C, "entry[5].size"},
      {"links end early", changed([](Plan& plan) { plan.payload(Stream::kLinks).resize(7); }), "strict size_mismatch",
       3, 0x0C, "entry[3].size"},
      {"parts end early", changed([](Plan& plan) { plan.payload(Stream::kParts).resize(9); }), "strict size_mismatch",
       11, 0x0C, "entry[11].size"},
  };
  for (const auto& row : rows) {
    expect_row({row.name, row.plan, row.said, row_field(row.plan, row.entry, row.field_offset), row.field});
  }
}

// What is wrong with one record, named by its place in a payload.
TEST(Trf, SaysExactlyWhatIsWrongWithARecord) {
  const struct {
    const char* name;
    Stream stream;
    std::size_t offset;
    std::vector<unsigned> bytes;
    const char* said;
    std::size_t field_offset;
    const char* field;
  } rows[] = {
      {"part past the ids", Stream::kParts, 4, {6}, "strict range_out_of_bounds", 4, "part[1].id_offset"},
      {"part of no item", Stream::kParts, 2, {2}, "strict index_out_of_range", 2, "part[0].item"},
      {"both parts", Stream::kParts, 2, {2, 0, 3, 0, 2}, "strict index_out_of_range", 2, "part[0].item"},
      {"code past the end", Stream::kItems, 0x10, {4}, "strict range_out_of_bounds", 0x10, "item[0].code_offset"},
      {"code inside a text", Stream::kItems, 0x38, {3}, "strict unexpected_value", 0x38, "item[1].code_offset"},
      {"negative name",
       Stream::kItems,
       0x14,
       {0xFF, 0xFF, 0xFF, 0xFF},
       "strict range_out_of_bounds",
       0x14,
       "item[0].name_offset"},
      {"name inside a text", Stream::kItems, 0x14, {1}, "strict unexpected_value", 0x14, "item[0].name_offset"},
      {"description", Stream::kItems, 0x18, {1}, "strict range_out_of_bounds", 0x18, "item[0].description_offset"},
      {"template", Stream::kItems, 0x44, {1}, "strict range_out_of_bounds", 0x44, "item[1].template_offset"},
      {"own part", Stream::kItems, 0x20, {2}, "note index_out_of_range", 0x20, "item[0].part"},
      {"codes without NUL", Stream::kCodes, 3, {'x'}, "strict missing_terminator", 2, "code[1].text"},
      {"link to no item", Stream::kLinks, 0, {2}, "strict index_out_of_range", 0, "link[0].item"},
      {"back link elsewhere", Stream::kBackLinks, 0, {1}, "note unexpected_value", 0, "stream[TRF5]"},
  };
  for (const auto& row : rows) {
    Plan plan = plan_of_two();
    for (std::size_t index = 0; index < row.bytes.size(); ++index) {
      plan.payload(row.stream).at(row.offset + index) = static_cast<std::uint8_t>(row.bytes[index]);
    }
    const std::size_t at = start_of(plan, row.stream) + row.field_offset;
    const Lines said = said_of(archive_of(plan));
    const std::string wanted = std::string(row.said) + " @" + std::to_string(at) + ' ' + row.field;
    EXPECT_TRUE(std::ranges::find(said, wanted) != said.end()) << row.name << ": " << wanted;
    // Links that lead elsewhere are no transpose either.
    EXPECT_LE(said.size(), row.stream == Stream::kLinks ? 2U : 1U) << row.name;
  }
}

TEST(Trf, AcceptsItemsWithoutAPart) {
  Plan plan = plan_of_two();
  plan.payload(Stream::kItems)[0x20] = 0xFF;
  plan.payload(Stream::kItems)[0x21] = 0xFF;
  EXPECT_EQ(said_of(archive_of(plan)), Lines{});
}

// Findings about a stream belong to its member.
TEST(Trf, ChargesAFindingToTheMemberThatItIsAbout) {
  Plan plan = plan_of_two();
  plan.payload(Stream::kParts)[2] = 9;
  const Buffer image = archive_of(plan);
  Findings findings;
  ASSERT_TRUE(Tree::parse(image, {}, findings));
  ASSERT_EQ(findings.list().size(), 1U);
  EXPECT_EQ(findings.list()[0].entry_index, 11);
}

// The archive says what is wrong with the entry; no check asks for what cannot be read.
TEST(Trf, ReadsOnWhereOneEntryIsRefused) {
  const Plan plan = plan_of_two();
  const std::size_t size_field = row_field(plan, 7, 0x0C);
  const Lines said = said_of(with_u32(archive_of(plan), size_field, 0x10000));
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0], "error entry_data_out_of_bounds @" + std::to_string(size_field) + " entry[7].size");
  EXPECT_TRUE(said[1].starts_with("note non_zero_gap")) << said[1];
}

TEST(Trf, RefusesEveryPrefix) {
  const Buffer image = archive_of(plan_of_two());
  for (std::size_t size = 0; size < image.size(); ++size) {
    Findings findings;
    const Buffer prefix = truncated(image, size);
    ASSERT_FALSE(Tree::parse(prefix, {}, findings)) << size;
  }
}

}  // namespace
}  // namespace assay::trf
