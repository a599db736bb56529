#include <gtest/gtest.h>

#include "parsers/formats/rsli/rsli_test_support.h"

namespace assay::rsli {
namespace {

RuleSet only(RuleId id) {
  RuleSet rules;
  rules.enable(id);
  return rules;
}

RuleSet all_but(RuleId id) {
  RuleSet rules = RuleSet::compatible();
  rules.enable(id, false);
  return rules;
}

// Rule invalid_presorted_fallback: for each way in which a map is broken, with the flag and never without.
TEST(InvalidPresortedFallbackRule, FiresOnABrokenMapAndOnNothingElse) {
  constexpr RuleId kRule = RuleId::kInvalidPresortedFallback;
  const Buffer valid = two_rows();
  const std::pair<const char*, Buffer> broken[] = {
      {"-1", with_row_u16(valid, 0, kRowMap, 0xFFFF)},
      {"N", with_row_u16(valid, 0, kRowMap, 2)},
      {"duplicate", with_row_u16(valid, 0, kRowMap, 0)},
      {"unsorted", with_row_u16(with_row_u16(valid, 0, kRowMap, 0), 1, kRowMap, 1)},
  };
  const std::pair<RuleSet, bool> sets[] = {
      {RuleSet::strict(), false}, {RuleSet::compatible(), true}, {only(kRule), true}, {all_but(kRule), false}};
  for (const auto& [rules, enabled] : sets) {
    for (const auto& [name, image] : broken) {
      const auto [archive, findings] = parsed(image, with_rules(rules));
      ASSERT_TRUE(archive.has_value());
      ASSERT_EQ(findings.list().size(), 1U) << name;
      EXPECT_EQ(findings.list()[0].rule, kRule);
      EXPECT_EQ(findings.list()[0].applied, enabled);
      EXPECT_EQ(verdict_of(findings.list()), enabled ? Verdict::kQuirk : Verdict::kFail);
      EXPECT_FALSE(archive->uses_sort_map());
      // The stored value stays the key, and lookup works in table order.
      EXPECT_EQ(archive->key(0), static_cast<std::uint16_t>(archive->entries()[0].sort_to_original)) << name;
      EXPECT_EQ(archive->find(as_bytes("a")), 1U);
      EXPECT_TRUE(parsed(with_u16(image, kFlag, 0xBBAA), with_rules(rules)).findings.empty()) << name;
    }
    EXPECT_TRUE(parsed(valid, with_rules(rules)).findings.empty());
  }
}

TEST(InvalidPresortedFallbackRule, KeepsTheStoredKey) {
  // 0x0007 is no row; the payload was encrypted with it.
  Buffer image = with_row_u16(xor_vector(), 0, kRowMap, 7);
  const MutableBytes payload = MutableBytes(image).subspan(0x60, 6);
  xor_stream::apply(1, payload, payload);
  xor_stream::apply(7, payload, payload);
  const auto [archive, findings] = parsed(image, compatible());
  EXPECT_EQ(verdict_of(findings.list()), Verdict::kQuirk);
  EXPECT_EQ(archive->key(0), 7U);
  EXPECT_EQ(loaded(*archive, 0), "secret");
}

// The EOF+1 file with a row before the one that sticks out.
Buffer eof_archive(const std::string& name = "INTERF8.TEX", Method method = Method::kDeflate, std::uint32_t extra = 1) {
  Buffer image = archive_of({{"A", "first", Method::kDeflate}, {name, "last one", method}});
  const auto packed = parsed(image).archive->entries()[1].packed_size;
  return with_row_u32(image, 1, kRowPacked, packed + extra);
}

// Rule deflate_eof_plus_one: every condition, and one step beside each of them.
TEST(DeflateEofPlusOneRule, FiresExactlyWhereEveryConditionHolds) {
  constexpr RuleId kRule = RuleId::kDeflateEofPlusOne;
  const Buffer exact = eof_archive();
  Buffer not_last = archive_of({{"INTERF8.TEX", "last one", Method::kDeflate}, {"Z", "first", Method::kDeflate}});
  const auto last_offset = parsed(not_last).archive->entries()[0].data_offset_raw;
  not_last = with_row_u32(not_last, 0, kRowPacked, static_cast<std::uint32_t>(not_last.size()) + 1 - last_offset);
  struct Row {
    const char* what;
    Buffer image;
    std::string_view file;
    bool fires;
  };
  const Row rows[] = {
      {"exactly", exact, "sprites.lib", true},
      {"the file name in any case", exact, "SpRiTeS.LIB", true},
      {"no file name", exact, "", false},
      {"another file name", exact, "sprites.rlb", false},
      {"a longer file name", exact, "xsprites.lib", false},
      {"a path", exact, "data/sprites.lib", false},
      {"not the last row", not_last, "sprites.lib", false},
      {"another name", eof_archive("INTERF7.TEX"), "sprites.lib", false},
      {"a shorter name", eof_archive("INTERF8.TE"), "sprites.lib", false},
      {"a longer name", eof_archive("INTERF8.TEXX"), "sprites.lib", false},
      {"a lower-case name", eof_archive("interf8.tex"), "sprites.lib", false},
      {"stored", eof_archive("INTERF8.TEX", Method::kStored), "sprites.lib", false},
      {"lzss", eof_archive("INTERF8.TEX", Method::kLzss), "sprites.lib", false},
      {"lzhuf", eof_archive("INTERF8.TEX", Method::kLzhuf), "sprites.lib", false},
      {"unknown method 0x120", with_row_u16(exact, 1, kRowFlags, 0x120), "sprites.lib", false},
      {"end + 2", eof_archive("INTERF8.TEX", Method::kDeflate, 2), "sprites.lib", false},
  };
  const std::pair<RuleSet, bool> sets[] = {
      {RuleSet::strict(), false}, {RuleSet::compatible(), true}, {only(kRule), true}, {all_but(kRule), false}};
  for (const Row& row : rows) {
    const std::size_t index = std::string_view(row.what) == "not the last row" ? 0 : 1;
    for (const auto& [rules, enabled] : sets) {
      const auto [archive, findings] = parsed(row.image, in_file(row.file, rules));
      ASSERT_TRUE(archive.has_value());
      const auto finding = std::ranges::find_if(
          findings.list(), [](const Finding& one) { return one.diagnostic.code == Code::kPackedSizePastEof; });
      ASSERT_NE(finding, findings.list().end()) << row.what;
      EXPECT_EQ(finding->entry_index, static_cast<std::int64_t>(index));
      EXPECT_EQ(finding->rule.has_value(), row.fires) << row.what;
      EXPECT_EQ(finding->applied, row.fires && enabled) << row.what;
      EXPECT_EQ(finding->severity, row.fires && enabled ? Severity::kStrict : Severity::kError) << row.what;
      EXPECT_EQ(archive->entry_error(index) == nullptr, row.fires && enabled) << row.what;
      EXPECT_EQ(verdict_of(findings.list()), row.fires && enabled ? Verdict::kQuirk : Verdict::kFail) << row.what;
      if (row.fires && enabled) {
        EXPECT_EQ(loaded(*archive, index), "last one") << row.what;
      }
      expect_lossless(*archive, row.image, row.what);
    }
  }
  // end + 0 is an ordinary row.
  const Buffer whole = eof_archive("INTERF8.TEX", Method::kDeflate, 0);
  EXPECT_TRUE(parsed(whole, in_file("sprites.lib", RuleSet::compatible())).findings.empty());
}

TEST(DeflateEofPlusOneRule, DecodesAStreamWhoseLastByteIsMissing) {
  // Fixed block "abc" whose end of block lies in the last byte: without it all three bytes are there and no end.
  Buffer image = archive_of({{"A", "first"}, {"INTERF8.TEX", "abc", Method::kStored}});
  image = joined(truncated(image, image.size() - 3), hex("4B 4C 4A 06"));
  image = with_row_u16(with_row_u32(image, 1, kRowPacked, 5), 1, kRowFlags, 0x100);
  const auto [archive, findings] = parsed(image, in_file("sprites.lib", RuleSet::compatible()));
  ASSERT_TRUE(archive.has_value());
  DecodeScratch scratch;
  Findings load_findings;
  const auto payload = archive->load(1, scratch, load_findings);
  ASSERT_TRUE(payload.has_value());
  EXPECT_EQ(as_text(*payload), "abc");
  EXPECT_EQ(described(load_findings), Texts{"note truncated_stream @101 entry[1].payload"});
  EXPECT_TRUE(archive->lacks_end(1));
  // The same bytes in a row of their own are refused: only the rule excuses the end.
  const Buffer plain = with_row_u32(image, 1, kRowPacked, 4);
  EXPECT_EQ(loaded(*parsed(plain).archive, 1), "refused truncated_stream @101 entry[1].payload");
}

}  // namespace
}  // namespace assay::rsli
