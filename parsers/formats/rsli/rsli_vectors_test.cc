#include <gtest/gtest.h>

#include "parsers/formats/rsli/rsli_test_support.h"

namespace assay::rsli {
namespace {

struct Vector {
  const char* name;
  Buffer image;
  const char* entry;
  const char* method;
  const char* payload;
  std::uint16_t key;
};

std::vector<Vector> vectors() {
  return {
      {"stored", stored_vector(), "RAW.BIN", "stored", "abc", 0},
      {"lzss", lzss_vector(), "LZ.BIN", "lzss", "ababab", 0},
      {"lzhuf", lzhuf_vector(), "HF.BIN", "lzhuf", "hello hello ", 0},
      {"deflate", deflate_vector(), "DF.BIN", "deflate", "abc", 0},
      {"xor", xor_vector(), "B.BIN", "xor", "secret", 1},
      {"xor+lzss", xor_lzss_vector(), "B.BIN", "xor+lzss", "ababab", 1},
      {"xor+lzhuf", xor_lzhuf_vector(), "B.BIN", "xor+lzhuf", "hello hello ", 1},
      {"overlay", overlay_vector(), "A", "stored", "media", 0},
  };
}

TEST(RsliVectors, ParseDecodeAndWriteInTheStrictProfile) {
  for (const Vector& vector : vectors()) {
    const auto [archive, findings] = parsed(vector.image);
    ASSERT_TRUE(archive.has_value()) << vector.name;
    EXPECT_EQ(described(findings), Texts{}) << vector.name;
    const Member member = archive->member(0);
    EXPECT_EQ(as_text(member.name), vector.entry);
    EXPECT_EQ(member.method, vector.method);
    EXPECT_EQ(member.size, std::string_view(vector.payload).size());
    EXPECT_EQ(archive->key(0), vector.key) << vector.name;
    EXPECT_EQ(loaded(*archive, 0), vector.payload) << vector.name;
    EXPECT_TRUE(archive->uses_sort_map());
    expect_lossless(*archive, vector.image, vector.name);
    expect_lookups_agree(*archive, vector.name);
    EXPECT_EQ(archive->find(as_bytes(vector.entry)), 0U);
  }
}

TEST(RsliVectors, TheNeighbourOfATransformedRowIsFoundThroughTheMap) {
  const Buffer image = xor_vector();
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  EXPECT_EQ(archive->member(0).sort, 1);
  EXPECT_EQ(archive->member(1).sort, 0);
  EXPECT_EQ(archive->find(as_bytes("a.bin")), 1U);
  EXPECT_EQ(archive->find(as_bytes("B.bin")), 0U);
  EXPECT_EQ(loaded(*archive, 1), "x");
}

TEST(RsliVectors, OverlayIsAddedAndRecorded) {
  const Buffer image = overlay_vector();
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  EXPECT_EQ(archive->overlay(), 4U);
  EXPECT_EQ(archive->entries()[0].data_offset_raw, 0x3CU);
  EXPECT_EQ(archive->member(0).offset, 0x40U);
  const auto facts = archive->facts();
  EXPECT_NE(std::ranges::find(facts, DocumentFact{"ao_overlay", "4"}), facts.end());
}

TEST(RsliVectors, TheEofVectorNeedsItsRule) {
  const Buffer image = eof_vector();
  const auto [strict, strict_findings] = parsed(image, in_file("sprites.lib", RuleSet::strict()));
  ASSERT_TRUE(strict.has_value());
  EXPECT_EQ(described(strict_findings),
            (Texts{"error packed_size_past_eof @60 entry[0].packed_size [deflate_eof_plus_one-]",
                   "note non_zero_gap @64 region[0]"}));
  EXPECT_EQ(loaded(*strict, 0), "refused packed_size_past_eof @60 entry[0].packed_size");
  expect_lossless(*strict, image, "strict");

  const auto [relaxed, findings] = parsed(image, in_file("sprites.lib", RuleSet::compatible()));
  ASSERT_TRUE(relaxed.has_value());
  EXPECT_EQ(described(findings), Texts{"strict packed_size_past_eof @60 entry[0].packed_size [deflate_eof_plus_one+]"});
  EXPECT_EQ(verdict_of(findings.list()), Verdict::kQuirk);
  EXPECT_EQ(loaded(*relaxed, 0), "abc");
  EXPECT_EQ(relaxed->member(0).packed_size, 8U);
  expect_lossless(*relaxed, image, "relaxed");
}

// The worked table row of docs/formats/rsli.md, transform: name "A", unpacked 3, offset 64, packed 3, seed 0x1234.
TEST(RsliTable, MatchesTheWorkedRow) {
  Header header;
  header.xor_seed = 0x1234;
  header.entry_count = 1;
  Entry row;
  row.name = FixedString<kMaxNameBytes>::from_text(as_bytes("A"));
  row.unpacked_size = 3;
  row.data_offset_raw = 64;
  row.packed_size = 3;
  ByteWriter writer;
  write_table(header, std::span(&row, 1), writer);
  const Buffer written = std::move(writer).take();
  const Buffer disk =
      hex("3B 87 B0 8F E6 56 B7 D4 21 27 5B E7 01 64 9F 8A C4 24 3A 77 9B 93 E4 4D D5 B8 81 FB 72 D0 69 DF");
  EXPECT_TRUE(equal_bytes(Bytes(written).subspan(32), disk));
  const Buffer image = joined(written, text_bytes("abc"));
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  const Buffer plain =
      hex("41 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03 00 00 00 40 00 00 00 03 00 00 00");
  EXPECT_TRUE(equal_bytes(archive->member(0).row, plain));
}

TEST(RsliTable, UsesTheLow16BitsOfTheSeedAndKeepsTheOthers) {
  const Buffer image = with_u32(stored_vector(), 0x14, 0xABCD1234);
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  EXPECT_EQ(loaded(*archive, 0), "abc");
  expect_lossless(*archive, image, "seed");
}

TEST(RsliMethods, EveryValueOfTheMaskIsKnownOrRefused) {
  const std::pair<unsigned, const char*> known[] = {{0x000, "stored"},   {0x020, "xor"},   {0x040, "lzss"},
                                                    {0x060, "xor+lzss"}, {0x080, "lzhuf"}, {0x0A0, "xor+lzhuf"},
                                                    {0x100, "deflate"}};
  for (unsigned value = 0; value <= 0x1E0; value += 0x20) {
    const auto* row = std::ranges::find(known, value, &std::pair<unsigned, const char*>::first);
    const auto method = method_of(static_cast<std::uint16_t>(value));
    ASSERT_EQ(method.has_value(), row != std::end(known)) << value;
    // Bits outside the mask say nothing about the method.
    EXPECT_EQ(method_of(static_cast<std::uint16_t>(value | 0xFE1F)), method);
    if (method) {
      EXPECT_EQ(method_text(*method), row->second);
      EXPECT_EQ(find_method(row->second), method);
      continue;
    }
    const Buffer image = with_row_u16(stored_vector(), 0, kRowFlags, static_cast<std::uint16_t>(value));
    for (const RuleSet& rules : {RuleSet::strict(), RuleSet::compatible()}) {
      const auto [archive, findings] = parsed(image, with_rules(rules));
      ASSERT_TRUE(archive.has_value());
      EXPECT_EQ(described(findings), Texts{"error unsupported_method @48 entry[0].flags"}) << value;
      EXPECT_EQ(code_category(findings.list()[0].diagnostic.code), Category::kUnsupported);
      EXPECT_EQ(loaded(*archive, 0), "refused unsupported_method @48 entry[0].flags");
      EXPECT_EQ(archive->member(0).method, "");
      expect_lossless(*archive, image, "unknown method");
    }
  }
  EXPECT_EQ(find_method("unknown"), std::nullopt);
}

TEST(RsliMethods, PackAndDecodeAgree) {
  Random random(7);
  for (const Method method : {Method::kStored, Method::kXor, Method::kLzss, Method::kXorLzss, Method::kLzhuf,
                              Method::kXorLzhuf, Method::kDeflate}) {
    for (const std::size_t size : {0U, 1U, 17U, 300U, 5000U}) {
      const std::string plain = text_of(random.payload(size));
      const Buffer image = archive_of({{"B", plain, method}, {"A", plain, method}});
      const auto [archive, findings] = parsed(image);
      ASSERT_TRUE(archive.has_value());
      EXPECT_EQ(described(findings), Texts{}) << method_text(method) << size;
      // In both orders, and twice: no state goes from one payload to the next.
      DecodeScratch scratch;
      Findings ignored;
      for (const std::size_t index : {0U, 1U, 0U, 1U, 1U}) {
        const auto payload = archive->load(index, scratch, ignored);
        ASSERT_TRUE(payload.has_value()) << method_text(method) << size;
        EXPECT_EQ(as_text(*payload), plain);
      }
      EXPECT_TRUE(ignored.empty());
    }
  }
}

TEST(RsliLookup, CutsAndFoldsTheQueryOnly) {
  const Buffer image = archive_of({{"TWELVEBYTES!", "1"}, {"lower", "2"}, {"DUP", "3"}, {"DUP", "4"}, {"A", "5"}});
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  EXPECT_TRUE(findings.empty());
  const std::pair<std::string_view, std::optional<std::size_t>> queries[] = {
      {"TWELVEBYTES!", 0},
      {"twelvebytes!", 0},
      {"TWELVEBYTES!X", std::nullopt},
      {std::string_view("TWELVEBYTES!\0X", 14), 0},
      {std::string_view("a\0ignored and far too long", 26), 4},
      {"lower", std::nullopt},
      {"LOWER", std::nullopt},
      {"dup", 2},
      {"", std::nullopt},
      {"B", std::nullopt},
      {"\xE4", std::nullopt},
  };
  for (const auto& [query, expected] : queries) {
    EXPECT_EQ(archive->find(as_bytes(query)), expected) << query;
    EXPECT_EQ(archive->find_linear(as_bytes(query)), expected) << query;
  }
}

TEST(RsliLookup, ComparesUnsignedBytesWithoutFolding) {
  const Buffer image = archive_of({{"\xFF", "1"}, {"a", "2"}, {"_", "3"}, {"B", "4"}, {"", "5"}, {"BA", "6"}});
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  std::vector<std::int16_t> map;
  for (const Entry& entry : archive->entries()) {
    map.push_back(entry.sort_to_original);
  }
  EXPECT_EQ(map, (std::vector<std::int16_t>{4, 3, 5, 2, 1, 0}));
  EXPECT_EQ(described(findings), Texts{"note empty_name @160 entry[4].name"});
  expect_lookups_agree(*archive, "bytes");
}

}  // namespace
}  // namespace assay::rsli
