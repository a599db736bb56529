#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "parsers/formats/nres/nres_test_support.h"

namespace assay::nres {
namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t kSize = 0x0C;
constexpr std::size_t kName = 0x14;
constexpr std::size_t kDataOffset = 0x38;
constexpr std::size_t kSortIndex = 0x3C;

TEST(NresParse, ReadsTheEmptyArchive) {
  const Buffer image = empty_archive();
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  EXPECT_TRUE(findings.empty());
  EXPECT_EQ(archive->member_count(), 0U);
  EXPECT_TRUE(archive->regions().empty());
  EXPECT_EQ(archive->find(as_bytes("any")), std::nullopt);
  EXPECT_TRUE(archive->uses_sort_map());
  expect_lossless(*archive, image, "empty");
}

TEST(NresParse, ReadsTheThreeEntries) {
  const Buffer image = three_entries();
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  EXPECT_EQ(described(findings), Texts{});
  EXPECT_EQ(stored_map(*archive), (std::vector<std::uint32_t>{2, 0, 1}));
  EXPECT_EQ(sort_map(archive->entries()), (std::vector<std::uint32_t>{2, 0, 1}));
  const char* payloads[] = {"ABC", "12345678", ""};
  const char* names[] = {"zed_1.bin", "Zeda.bin", "alpha"};
  DecodeScratch scratch;
  Findings load_findings;
  for (std::size_t index = 0; index < 3; ++index) {
    const Member member = archive->member(index);
    EXPECT_EQ(as_text(member.name), names[index]);
    EXPECT_EQ(member.method, "stored");
    EXPECT_EQ(member.error, nullptr);
    EXPECT_EQ(member.type_id, 0x54534554U);
    EXPECT_EQ(member.size, std::string_view(payloads[index]).size());
    EXPECT_EQ(member.row_offset, 0x20U + index * 64);
    EXPECT_TRUE(equal_bytes(member.row, Bytes(image).subspan(0x20 + index * 64, 64)));
    const auto payload = archive->load(index, scratch, load_findings);
    ASSERT_TRUE(payload.has_value());
    EXPECT_EQ(as_text(*payload), payloads[index]);
    EXPECT_EQ(archive->find(as_bytes(names[index])), index);
  }
  EXPECT_TRUE(load_findings.empty());
  EXPECT_EQ(archive->member(0).attributes, (std::array<std::uint32_t, 3>{1, 2, 3}));
  EXPECT_EQ(as_text(archive->entries()[1].name.tail().first(3)), "old");
  EXPECT_EQ(archive->find(as_bytes("ZEDA.BIN")), 1U);
  EXPECT_EQ(archive->find(as_bytes("Zeda.bi")), std::nullopt);
  EXPECT_EQ(archive->find(as_bytes(std::string_view("alpha\0tail", 10))), 2U);
  EXPECT_EQ(archive->find(as_bytes(std::string(100, 'a'))), std::nullopt);
  expect_lookups_agree(*archive, "three");
  expect_lossless(*archive, image, "three");
}

TEST(NresParse, MapsEveryByteOfTheThreeEntries) {
  const Buffer image = three_entries();
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  ByteMap map = archive->account();
  ASSERT_TRUE(map.close(image.size()));
  struct Run {
    std::uint64_t offset;
    std::uint64_t size;
    ByteKind kind;
    const char* path;
  };
  const Run expected[] = {{0x00, 16, ByteKind::kRecord, "header"},    {0x10, 3, ByteKind::kPayload, "entry[0].payload"},
                          {0x13, 5, ByteKind::kPadding, "region[0]"}, {0x18, 8, ByteKind::kPayload, "entry[1].payload"},
                          {0x20, 64, ByteKind::kRecord, "entry[0]"},  {0x60, 64, ByteKind::kRecord, "entry[1]"},
                          {0xA0, 64, ByteKind::kRecord, "entry[2]"}};
  ASSERT_EQ(map.runs().size(), std::size(expected));
  for (std::size_t index = 0; index < std::size(expected); ++index) {
    const ByteRun& run = map.runs()[index];
    EXPECT_EQ(run.offset, expected[index].offset);
    EXPECT_EQ(run.size, expected[index].size);
    EXPECT_EQ(run.kind, expected[index].kind);
    EXPECT_EQ(run.path.to_text(), expected[index].path);
  }
}

TEST(NresParse, KeepsAnUnindexedPrefixAndNotesIt) {
  const Buffer image = with_prefix();
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  EXPECT_EQ(described(findings), Texts{"note non_zero_gap @16 region[0]"});
  EXPECT_EQ(verdict_of(findings.list()), Verdict::kOk);
  ASSERT_EQ(archive->regions().size(), 2U);
  EXPECT_EQ(archive->regions()[0].kind, ByteKind::kUnindexed);
  EXPECT_EQ(archive->regions()[0].size, 8U);
  EXPECT_FALSE(archive->regions()[0].is_zero);
  EXPECT_EQ(archive->regions()[1].offset, 0x19U);
  EXPECT_EQ(archive->regions()[1].kind, ByteKind::kPadding);
  expect_lossless(*archive, image, "prefix");
}

// One refusal or finding: the damage to the three entries and all that a strict parse says of it. A line that starts
// with "refused" is the error of the whole archive.
struct Damage {
  const char* name;
  Buffer image;
  Texts expected;
};

Texts all_that_is_said(const Parsed& result) {
  Texts texts = described(result.findings);
  if (!result.archive) {
    texts.push_back(described(result.archive.error(), "refused"));
  }
  return texts;
}

std::vector<Damage> damages() {
  const Buffer valid = three_entries();
  const auto row = [&](std::size_t start, std::size_t field, std::uint32_t value) {
    return with_u32(valid, start + field, value);
  };
  const std::string rule = " [nres_linear_lookup-]";
  std::vector<Damage> list{
      {"no bytes", {}, {"refused input_too_short @0 file"}},
      {"a byte less than the header", truncated(valid, 15), {"refused input_too_short @0 file"}},
      {"magic", with_byte(valid, 3, 'S'), {"refused invalid_magic @0 header.magic"}},
      {"version one above", with_u32(valid, 4, 0x101), {"refused unsupported_version @4 header.version"}},
      {"version one below", with_u32(valid, 4, 0xFF), {"refused unsupported_version @4 header.version"}},
      {"version in a high byte", with_byte(valid, 7, 1), {"refused unsupported_version @4 header.version"}},
      {"count -1", with_u32(valid, 8, 0xFFFFFFFF), {"refused invalid_entry_count @8 header.entry_count"}},
      {"count lowest", with_u32(valid, 8, 0x80000000), {"refused invalid_entry_count @8 header.entry_count"}},
      {"count largest", with_u32(valid, 8, 0x7FFFFFFF), {"refused limit_exceeded @8 header.entry_count"}},
      {"count wraps times 64", with_u32(valid, 8, 0x04000001), {"refused limit_exceeded @8 header.entry_count"}},
      {"count one too many", with_u32(valid, 8, 4), {"refused directory_out_of_bounds @8 header.entry_count"}},
      {"total one more", with_u32(valid, 12, 0xE1), {"refused total_size_mismatch @12 header.total_size"}},
      {"total one less", with_u32(valid, 12, 0xDF), {"refused total_size_mismatch @12 header.total_size"}},
      {"a byte appended", joined(valid, Buffer{0}), {"refused total_size_mismatch @12 header.total_size"}},
      {"name without NUL",
       with_text(valid, kThreeRow0 + kName, std::string(36, 'z')),
       {"error missing_name_terminator @52 entry[0].name", "strict sort_order_mismatch @220 entry[2].sort_index" + rule,
        "note non_zero_gap @16 region[0]"}},
      {"offset 15",
       row(kThreeRow1, kDataOffset, 15),
       {"error entry_data_out_of_bounds @152 entry[1].data_offset", "note non_zero_gap @19 region[0]"}},
      {"offset 0",
       row(kThreeRow1, kDataOffset, 0),
       {"error entry_data_out_of_bounds @152 entry[1].data_offset", "note non_zero_gap @19 region[0]"}},
      {"empty entry before the data",
       row(kThreeRow2, kDataOffset, 15),
       {"error entry_data_out_of_bounds @216 entry[2].data_offset"}},
      {"empty entry behind the data",
       row(kThreeRow2, kDataOffset, 0x21),
       {"error entry_data_out_of_bounds @216 entry[2].data_offset"}},
      {"empty entry at the last data byte", row(kThreeRow2, kDataOffset, 0x1F), {}},
      {"empty entry at the start", row(kThreeRow2, kDataOffset, 0x10), {}},
      {"size one past the directory",
       row(kThreeRow1, kSize, 9),
       {"error entry_data_out_of_bounds @108 entry[1].size", "note non_zero_gap @19 region[0]"}},
      {"offset at the directory with a byte",
       row(kThreeRow1, kDataOffset, 0x20),
       {"error entry_data_out_of_bounds @108 entry[1].size", "note non_zero_gap @19 region[0]"}},
      {"size -1",
       row(kThreeRow1, kSize, 0xFFFFFFFF),
       {"error integer_overflow @108 entry[1].size", "note non_zero_gap @19 region[0]"}},
      {"offset plus size is 2^32 - 1",
       row(kThreeRow1, kSize, 0xFFFFFFFF - 0x18),
       {"error entry_data_out_of_bounds @108 entry[1].size", "note non_zero_gap @19 region[0]"}},
      {"offset plus size is 2^32",
       row(kThreeRow1, kSize, 0xFFFFFFFF - 0x17),
       {"error integer_overflow @108 entry[1].size", "note non_zero_gap @19 region[0]"}},
      {"offset 0xFFFFFFFF with size 2",
       with_u32(row(kThreeRow1, kSize, 2), kThreeRow1 + kDataOffset, 0xFFFFFFFF),
       {"error integer_overflow @152 entry[1].data_offset", "note non_zero_gap @19 region[0]"}},
      {"empty name", with_byte(valid, kThreeRow2 + kName, 0), {"note empty_name @180 entry[2].name"}},
      {"misaligned payload",
       with_u32(row(kThreeRow1, kSize, 7), kThreeRow1 + kDataOffset, 0x19),
       {"strict misaligned_payload @152 entry[1].data_offset", "note non_zero_gap @19 region[0]"}},
      {"misaligned but empty", row(kThreeRow2, kDataOffset, 0x1B), {}},
      {"payloads share a byte", row(kThreeRow0, kSize, 9), {"strict entry_data_overlap @152 entry[1].data_offset"}},
      {"payloads touch", row(kThreeRow0, kSize, 8), {}},
      {"payloads are the same",
       row(kThreeRow1, kDataOffset, 0x10),
       {"strict entry_data_overlap @152 entry[1].data_offset", "note non_zero_gap @24 region[0]"}},
      // The last two lie apart, and both inside the first.
      {"two payloads inside one",
       with_u32(with_u32(with_u32(row(kThreeRow0, kSize, 16), kThreeRow1 + kSize, 1), kThreeRow2 + kSize, 1),
                kThreeRow2 + kDataOffset, 0x1A),
       {"strict misaligned_payload @216 entry[2].data_offset", "strict entry_data_overlap @152 entry[1].data_offset",
        "strict entry_data_overlap @216 entry[2].data_offset"}},
      {"map value -1",
       row(kThreeRow0, kSortIndex, 0xFFFFFFFF),
       {"strict sort_index_out_of_range @92 entry[0].sort_index" + rule}},
      {"map value N",
       row(kThreeRow1, kSortIndex, 3),
       {"strict sort_index_out_of_range @156 entry[1].sort_index" + rule}},
      {"map value twice",
       row(kThreeRow2, kSortIndex, 0),
       {"strict sort_index_duplicate @220 entry[2].sort_index" + rule}},
      {"map in upper-case order",
       with_u32(row(kThreeRow1, kSortIndex, 1), kThreeRow2 + kSortIndex, 0),
       {"strict sort_order_mismatch @220 entry[2].sort_index" + rule}},
      {"bytes between payloads", with_byte(valid, 0x15, 1), {"note non_zero_gap @19 region[0]"}},
      {"bytes behind a name's NUL", with_byte(valid, kThreeRow2 + kName + 6, 1), {}},
      {"attributes and type", with_u32(row(kThreeRow0, 4, 0xFFFFFFFF), kThreeRow0, 0), {}},
  };
  return list;
}

TEST(NresParse, SaysExactlyWhatIsWrongAndWhere) {
  for (const Damage& damage : damages()) {
    const Parsed result = parsed(damage.image);
    EXPECT_EQ(all_that_is_said(result), damage.expected) << damage.name;
    if (result.archive) {
      expect_lossless(*result.archive, damage.image, damage.name);
      expect_lookups_agree(*result.archive, damage.name);
    }
  }
}

TEST(NresParse, RefusesOneEntryAndStillReadsTheOthers) {
  const Buffer image = with_u32(three_entries(), kThreeRow0 + kDataOffset, 15);
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  DecodeScratch scratch;
  Findings load_findings;
  const auto refused = archive->load(0, scratch, load_findings);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::kEntryDataOutOfBounds);
  EXPECT_NE(archive->member(0).error, nullptr);
  EXPECT_EQ(as_text(*archive->load(1, scratch, load_findings)), "12345678");
  EXPECT_TRUE(load_findings.empty());
  EXPECT_EQ(findings.list()[0].entry_index, 0);
  EXPECT_EQ(verdict_of(findings.list()), Verdict::kFail);
}

// With two damages the one whose check comes first is the error.
TEST(NresParse, ChecksInTheDocumentedOrder) {
  struct Step {
    std::size_t offset;
    std::uint32_t value;
    Code code;
  };
  const Step steps[] = {{0, 0, Code::kInvalidMagic},
                        {4, 0, Code::kUnsupportedVersion},
                        {8, 0x80000000, Code::kInvalidEntryCount},
                        {8, 2'000'000, Code::kLimitExceeded},
                        {12, 1, Code::kTotalSizeMismatch},
                        {8, 4, Code::kDirectoryOutOfBounds}};
  for (std::size_t first = 0; first < std::size(steps); ++first) {
    for (std::size_t second = first + 1; second < std::size(steps); ++second) {
      if (steps[first].offset == steps[second].offset) {
        continue;
      }
      const Buffer image = with_u32(with_u32(three_entries(), steps[second].offset, steps[second].value),
                                    steps[first].offset, steps[first].value);
      const Parsed result = parsed(image);
      ASSERT_FALSE(result.archive.has_value());
      EXPECT_EQ(result.archive.error().code, steps[first].code) << first << ' ' << second;
    }
  }
}

TEST(NresParse, ChecksARowInTheDocumentedOrder) {
  Buffer image = with_text(three_entries(), kThreeRow1 + kName, std::string(36, 'z'));
  image = with_u32(image, kThreeRow1 + kDataOffset, 0xFFFFFFFF);
  const auto error_of = [](const Buffer& bytes, const ParseContext& context) {
    return parsed(bytes, context).archive->entry_error(1)->code;
  };
  EXPECT_EQ(error_of(image, {}), Code::kMissingNameTerminator);
  image = with_byte(image, kThreeRow1 + kName + 35, 0);
  EXPECT_EQ(error_of(image, {}), Code::kIntegerOverflow);
  ParseContext context;
  context.limits.payload_bytes = 7;
  EXPECT_EQ(error_of(with_u32(three_entries(), kThreeRow1 + kSize, 9), context), Code::kEntryDataOutOfBounds);
  EXPECT_EQ(error_of(three_entries(), context), Code::kLimitExceeded);
}

TEST(NresParse, ReportsOffsetsFromTheOutermostInput) {
  ParseContext context;
  context.origin = {.base_offset = 1000, .is_decoded = false};
  const Parsed stored = parsed(with_u32(three_entries(), 4, 0), context);
  EXPECT_EQ(stored.archive.error().offset, 1004U);
  EXPECT_EQ(stored.archive.error().local_offset, 4U);
  context.origin.is_decoded = true;
  const Parsed decoded = parsed(with_u32(three_entries(), 4, 0), context);
  EXPECT_EQ(decoded.archive.error().offset, 1000U);
  EXPECT_EQ(decoded.archive.error().local_offset, 4U);
}

TEST(NresLimits, HoldExactly) {
  struct Row {
    const char* name;
    std::uint64_t Limits::* limit;
    std::uint64_t needed;
    Buffer image;
    const char* refusal;
  };
  const Row rows[] = {
      {"input", &Limits::input_bytes, 224, three_entries(), "refused limit_exceeded @0 file"},
      {"entries", &Limits::entry_count, 3, three_entries(), "refused limit_exceeded @8 header.entry_count"},
      {"sum", &Limits::payload_total_bytes, 11, three_entries(), "refused limit_exceeded @108 entry[1].size"},
      {"payload", &Limits::payload_bytes, 8, three_entries(), "error limit_exceeded @108 entry[1].size"},
      {"preserved", &Limits::preserved_bytes, 8, with_prefix(), "refused limit_exceeded @16 region[0]"},
      // Five bytes and three, which no entry claims.
      {"preserved in two regions", &Limits::preserved_bytes, 8,
       with_u32(with_byte(three_entries(), 0x15, 1), kThreeRow1 + kSize, 5), "refused limit_exceeded @29 region[1]"},
  };
  for (const Row& row : rows) {
    for (const std::uint64_t allowed : {row.needed - 1, row.needed, row.needed + 1}) {
      ParseContext context;
      context.limits.*row.limit = allowed;
      const Texts said = all_that_is_said(parsed(row.image, context));
      const bool is_refused = std::ranges::find(said, row.refusal) != said.end();
      EXPECT_EQ(is_refused, allowed < row.needed) << row.name << ' ' << allowed;
    }
  }
}

TEST(NresLimits, CountsAreCheckedAgainstTheInputBeforeAnythingIsAllocated) {
  ParseContext context;
  context.limits.entry_count = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint32_t count : {0x7FFFFFFFU, 0x04000001U, 0x03FFFFFFU, 4U}) {
    const Parsed result = parsed(with_u32(three_entries(), 8, count), context);
    ASSERT_FALSE(result.archive.has_value()) << count;
    EXPECT_EQ(result.archive.error().code, Code::kDirectoryOutOfBounds) << count;
  }
}

TEST(NresParse, RefusesEveryPrefix) {
  for (const Buffer& image : {three_entries(), with_prefix(), empty_archive()}) {
    for (std::size_t size = 0; size < image.size(); ++size) {
      const Parsed result = parsed(truncated(image, size));
      ASSERT_FALSE(result.archive.has_value()) << size;
      EXPECT_EQ(result.archive.error().code, size < 16 ? Code::kInputTooShort : Code::kTotalSizeMismatch);
      EXPECT_EQ(result.archive.error().offset, size < 16 ? 0U : 12U);
    }
  }
}

// Whatever one byte becomes: no crash, no internal error, and what is accepted is lossless.
TEST(NresParse, SurvivesEveryChangeOfOneByte) {
  for (std::size_t offset = 0; offset < three_entries().size(); ++offset) {
    for (unsigned value = 0; value < 256; ++value) {
      const Buffer image = with_byte(three_entries(), offset, value);
      const std::string what = std::to_string(offset) + "=" + std::to_string(value);
      for (const ParseContext& context : {ParseContext{}, compatible()}) {
        const auto [archive, findings] = parsed(image, context);
        for (const Finding& finding : findings.list()) {
          expect_sound_diagnostic(finding.diagnostic, image.size(), what);
        }
        if (!archive) {
          expect_sound_diagnostic(archive.error(), image.size(), what);
          continue;
        }
        expect_lossless(*archive, image, what);
        expect_lookups_agree(*archive, what);
      }
      if (HasFailure()) {
        return;
      }
    }
  }
}

// docs/formats/nres.md, names: lower-case folding, unsigned bytes, prefix first, ties in directory order.
TEST(NresNames, SortAsTheEngineSorts) {
  struct Row {
    std::vector<std::string> names;
    std::vector<std::uint32_t> map;
  };
  const Row rows[] = {
      {{"zed_1.bin", "Zeda.bin", "alpha"}, {2, 0, 1}},
      {{"a_b", "aab", "aAB", "a`b"}, {0, 3, 1, 2}},
      {{"a[", "a\\", "a]", "a^", "a_", "a`", "aZ", "a@"}, {7, 0, 1, 2, 3, 4, 5, 6}},
      {{"\x80", "\xFF", "z", "{", "\xC0", "\xE0"}, {2, 3, 0, 4, 5, 1}},
      {{"same", "SAME", "Same", "sam"}, {3, 0, 1, 2}},
      {{"ab", "a", "", "abc"}, {2, 1, 0, 3}},
      {{"b", "a", "B", "A"}, {1, 3, 0, 2}},
  };
  for (const Row& row : rows) {
    const Buffer image = archive_of(row.names);
    const auto [archive, findings] = parsed(image);
    ASSERT_TRUE(archive.has_value());
    EXPECT_EQ(stored_map(*archive), row.map) << row.names[0];
    EXPECT_EQ(described(findings, Severity::kStrict), Texts{});
    expect_lookups_agree(*archive, row.names[0]);
  }
}

// The shipped system.rlb stores 0,5,6,7,8,9,10,11,12,16,1,4,15,13,14,2,3: names of that order parse as sorted.
TEST(NresNames, FollowAMapThatLeadsFromPositionToEntry) {
  const std::vector<std::uint32_t> map{0, 5, 6, 7, 8, 9, 10, 11, 12, 16, 1, 4, 15, 13, 14, 2, 3};
  std::vector<std::string> names(map.size());
  for (std::size_t position = 0; position < map.size(); ++position) {
    names[map[position]] =
        std::string(1, static_cast<char>((position % 2 == 0 ? 'a' : 'A') + static_cast<int>(position)));
  }
  const Buffer image = archive_of(names);
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  EXPECT_EQ(stored_map(*archive), map);
  for (std::size_t index = 0; index < names.size(); ++index) {
    EXPECT_EQ(archive->find(as_bytes(names[index])), index);
  }
}

TEST(NresNames, EqualOnesGiveTheLowestIndexWhateverTheirOrderInTheMap) {
  const Buffer image = archive_of({"x", "Land", "LAND", "land"});
  const Buffer sorted_otherwise = with_u32(with_u32(image, 16 + kSortIndex, 3), 16 + 2 * 64 + kSortIndex, 1);
  for (const Buffer& bytes : {image, sorted_otherwise}) {
    const auto [archive, findings] = parsed(bytes);
    ASSERT_TRUE(archive.has_value());
    EXPECT_TRUE(findings.empty());
    EXPECT_TRUE(archive->uses_sort_map());
    EXPECT_EQ(archive->find(as_bytes("lAnD")), 1U);
    EXPECT_EQ(archive->find_linear(as_bytes("lAnD")), 1U);
  }
}

TEST(NresNames, MayFill35BytesAndNotOneMore) {
  const std::string longest(35, 'n');
  Buffer image = archive_of({longest});
  EXPECT_TRUE(parsed(image).findings.empty());
  EXPECT_EQ(parsed(image).archive->find(as_bytes(longest)), 0U);
  image = with_byte(image, 16 + kName + 35, 'n');
  const Parsed result = parsed(image);
  EXPECT_EQ(described(result.findings), Texts{"error missing_name_terminator @36 entry[0].name"});
  expect_lossless(*result.archive, image, "36 bytes");
}

// Rule nres_linear_lookup: fires on each of its three conditions, alone enabled, and not one step beside.
TEST(NresLinearLookupRule, FiresOnABrokenMapAndOnNothingElse) {
  struct Row {
    const char* name;
    Buffer image;
    bool is_broken;
  };
  const Row rows[] = {
      {"sound", three_entries(), false},
      {"last position", with_u32(three_entries(), kThreeRow0 + kSortIndex, 3), true},
      {"duplicate", with_u32(three_entries(), kThreeRow0 + kSortIndex, 0), true},
      {"unsorted", with_u32(with_u32(three_entries(), kThreeRow0 + kSortIndex, 0), kThreeRow1 + kSortIndex, 2), true},
      {"equal names in another order", archive_of({"a", "A"}), false},
      {"misaligned", with_u32(with_u32(three_entries(), 0x6C, 7), 0x98, 0x19), false},
  };
  RuleSet only_this;
  only_this.enable(RuleId::kNresLinearLookup);
  RuleSet all_but_this = RuleSet::compatible();
  all_but_this.enable(RuleId::kNresLinearLookup, false);
  const std::pair<RuleSet, bool> sets[] = {
      {RuleSet::strict(), false}, {RuleSet::compatible(), true}, {only_this, true}, {all_but_this, false}};
  for (const Row& row : rows) {
    for (const auto& [rules, enabled] : sets) {
      const auto [archive, findings] = parsed(row.image, with_rules(rules));
      ASSERT_TRUE(archive.has_value());
      EXPECT_EQ(archive->uses_sort_map(), !row.is_broken) << row.name;
      std::size_t named = 0;
      for (const Finding& finding : findings.list()) {
        if (finding.rule) {
          ++named;
          EXPECT_EQ(*finding.rule, RuleId::kNresLinearLookup);
          EXPECT_EQ(finding.applied, enabled) << row.name;
          EXPECT_EQ(finding.severity, Severity::kStrict);
        }
      }
      EXPECT_EQ(named, row.is_broken ? 1U : 0U) << row.name;
      if (row.is_broken) {
        EXPECT_EQ(verdict_of(findings.list()), enabled ? Verdict::kQuirk : Verdict::kFail) << row.name;
      }
      expect_lookups_agree(*archive, row.name);
    }
  }
}

TEST(NresParse, AcceptsManyEmptyEntries) {
  const Buffer image = archive_of(std::vector<std::string>(32'767, "Land"));
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  EXPECT_TRUE(findings.empty());
  EXPECT_EQ(archive->find(as_bytes("land")), 0U);
  expect_lossless(*archive, image, "many");
}

}  // namespace
}  // namespace assay::nres
