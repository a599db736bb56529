#include <gtest/gtest.h>

#include <set>
#include <string>

#include "parsers/base/accounting.h"
#include "parsers/base/ascii.h"
#include "parsers/base/bit_reader.h"
#include "parsers/base/byte_reader.h"
#include "parsers/base/byte_writer.h"
#include "parsers/base/escape.h"
#include "parsers/base/findings.h"
#include "parsers/base/fixed_string.h"
#include "parsers/base/wide_bit_reader.h"

namespace assay {
namespace {

#define ASSAY_CODE(enumerator, text, category, meaning) Code::enumerator,
constexpr Code kAllCodes[] = {
#include "parsers/base/codes.def"
};
#undef ASSAY_CODE

TEST(Codes, HaveDistinctTextsThatAreFoundAgain) {
  std::set<std::string_view> texts;
  for (const Code code : kAllCodes) {
    EXPECT_TRUE(texts.insert(code_text(code)).second) << code_text(code);
    EXPECT_EQ(find_code(code_text(code)), code);
    EXPECT_FALSE(code_meaning(code).empty());
  }
  EXPECT_EQ(find_code("no_such_code"), std::nullopt);
}

TEST(FieldPath, JoinsStepsWithDotsAndIndexes) {
  EXPECT_EQ(FieldPath("header").then("version").to_text(), "header.version");
  EXPECT_EQ(FieldPath("entry", 2).then("name").to_text(), "entry[2].name");
  EXPECT_EQ(FieldPath().to_text(), "");
  EXPECT_EQ(FieldPath("stream", 3), FieldPath("stream", 3));
  EXPECT_FALSE(FieldPath("stream", 3) == FieldPath("stream", 4));
}

TEST(Diagnostic, MessageNamesBothSides) {
  const Diagnostic diagnostic{
      .code = Code::kTotalSizeMismatch, .expected = Datum::at_most(224), .got = Datum::signed_number(-1)};
  EXPECT_EQ(diagnostic.message(),
            "the stored total size is not the length of the input (expected at most 224, got -1)");
  EXPECT_EQ((Datum::bytes4(0x7365524E)).to_text(), "'NRes'");
  EXPECT_EQ((Datum::hex(0x101)).to_text(), "0x101");
}

TEST(Ascii, FoldsLettersAndNothingElse) {
  for (int byte = 0; byte < 256; ++byte) {
    const auto raw = static_cast<std::uint8_t>(byte);
    EXPECT_EQ(ascii_lower(raw), byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
    EXPECT_EQ(ascii_upper(raw), byte >= 'a' && byte <= 'z' ? byte - 32 : byte);
  }
}

TEST(Ascii, ComparesAsUnsignedBytesWithPrefixFirst) {
  EXPECT_GT(compare_folded(as_bytes("zeda"), as_bytes("ZED_1")), 0) << "'_' sorts below letters in lower case";
  EXPECT_LT(compare_folded(as_bytes("abc"), as_bytes("ABCD")), 0);
  EXPECT_EQ(compare_folded(as_bytes("aBc"), as_bytes("AbC")), 0);
  EXPECT_GT(compare_bytes(as_bytes("\xFF"), as_bytes("a")), 0);
  EXPECT_GT(compare_bytes(as_bytes("a"), as_bytes("B")), 0);
}

TEST(Escape, RoundTripsEveryByte) {
  Buffer all;
  for (int byte = 0; byte < 256; ++byte) {
    all.push_back(static_cast<std::uint8_t>(byte));
  }
  EXPECT_EQ(unescape_bytes(escape_bytes(all)), all);
  EXPECT_EQ(from_hex(to_hex(all)), all);
  EXPECT_EQ(escape_bytes(as_bytes("a\\b\x01")), "a\\\\b\\x01");
}

TEST(Escape, TakesHexDigitsOfBothCasesAndNothingElse) {
  EXPECT_EQ(from_hex("DEADBEEF"), (Buffer{0xDE, 0xAD, 0xBE, 0xEF}));
  EXPECT_EQ(from_hex("0123456789abcdefABCDEF"),
            (Buffer{0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0xAB, 0xCD, 0xEF}));
  EXPECT_EQ(unescape_bytes("\\xAB"), Buffer{0xAB});
  for (const char* text : {"0/", "0:", "0@", "0G", "0`", "0g"}) {
    EXPECT_EQ(from_hex(text), std::nullopt) << text;
  }
}

TEST(Escape, LeavesPrintableCharactersAloneAndNothingElse) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const Buffer one{static_cast<std::uint8_t>(byte)};
    const bool stands_for_itself = byte >= 0x20 && byte <= 0x7E && byte != '\\';
    EXPECT_EQ(escape_bytes(one).size(), stands_for_itself ? 1U : byte == '\\' ? 2U : 4U) << byte;
  }
}

TEST(Escape, RefusesAStrayBackslash) {
  for (const char* text : {"\\", "\\y", "\\x", "\\x1", "\\xg0"}) {
    EXPECT_EQ(unescape_bytes(text), std::nullopt) << text;
  }
  EXPECT_EQ(from_hex("abc"), std::nullopt);
  EXPECT_EQ(from_hex("zz"), std::nullopt);
}

TEST(Ascii, TrimsBlanksAtBothEndsOnly) {
  EXPECT_EQ(as_text(trim_blanks(as_bytes(" \t\r\n\v\fa b\xA0 \n"))), "a b\xA0");
  EXPECT_TRUE(trim_blanks(as_bytes(" \n ")).empty());
  EXPECT_TRUE(trim_blanks({}).empty());
}

TEST(FixedString, KeepsTheTailAfterTheTerminator) {
  FixedString<8> field{{'a', 'b', 0, 'x', 0, 0, 'y', 'z'}};
  EXPECT_EQ(as_text(field.text()), "ab");
  EXPECT_EQ(field.tail().size(), 5U);
  EXPECT_EQ(field.tail()[4], 'z');
  EXPECT_TRUE(field.has_terminator());
}

TEST(FixedString, FilledToTheLastByteHasNoTerminatorAndNoTail) {
  const FixedString<3> field{{'a', 'b', 'c'}};
  EXPECT_FALSE(field.has_terminator());
  EXPECT_EQ(as_text(field.text()), "abc");
  EXPECT_TRUE(field.tail().empty());
}

TEST(ByteReader, RefusesToReadPastTheEndAndStaysWhereItWas) {
  const Buffer bytes{1, 2, 3, 4, 5};
  ByteReader reader(bytes, {.base_offset = 100});
  ASSERT_EQ(reader.read<std::uint32_t>("a").value(), 0x04030201U);
  const auto short_read = reader.read<std::uint16_t>("b");
  ASSERT_FALSE(short_read);
  EXPECT_EQ(short_read.error().code, Code::kInputTooShort);
  EXPECT_EQ(short_read.error().offset, 104U);
  EXPECT_EQ(short_read.error().field, FieldPath("b"));
  EXPECT_EQ(reader.remaining(), 1U);
  EXPECT_FALSE(reader.take(~std::uint64_t{0}, "c"));
}

TEST(Origin, GivesDecodedBytesTheOffsetOfTheirPayload) {
  const Origin file;
  EXPECT_EQ(file.stored_part(64).at(8), 72U);
  EXPECT_EQ(file.decoded_part(64).at(8), 64U);
  EXPECT_EQ(file.decoded_part(64).stored_part(5).at(8), 64U);
}

TEST(Slice, UsesSixtyFourBitArithmetic) {
  const Buffer bytes(10);
  EXPECT_TRUE(slice(bytes, 10, 0));
  EXPECT_TRUE(slice(bytes, 4, 6));
  EXPECT_FALSE(slice(bytes, 4, 7));
  EXPECT_FALSE(slice(bytes, 11, 0));
  EXPECT_FALSE(slice(bytes, 2, ~std::uint64_t{0}));
}

TEST(WideBitReader, GivesTheBitsOfTheOtherReader) {
  Buffer bytes;
  for (unsigned index = 0; index < 200; ++index) {
    bytes.push_back(static_cast<std::uint8_t>(index * 73 + index / 7));
  }
  MsbBitReader expected(bytes);
  WideBitReader bits(bytes);
  for (unsigned step = 0; bits.can_refill(); ++step) {
    bits.refill();
    // Up to all bits that a refill promises, in one or two portions.
    const unsigned first = 1 + step * 5 % 23;
    const unsigned second = step % (WideBitReader::kRefilledBits - 23);
    ASSERT_EQ(bits.window() >> (64 - first), expected.read_bits(first));
    bits.drop(first);
    ASSERT_EQ(second == 0 ? 0 : bits.window() >> (64 - second), expected.read_bits(second));
    bits.drop(second);
    ASSERT_EQ(bits.used_bits(), expected.used_bits());
  }
  EXPECT_GT(bits.used_bits(), (bytes.size() - 8) * 8 - 64);
}

TEST(WideBitReader, NeedsEightBytesToRefill) {
  for (const std::size_t size : {0U, 1U, 7U, 8U, 9U}) {
    const Buffer bytes(size, 0xFF);
    EXPECT_EQ(WideBitReader(bytes).can_refill(), size >= 8) << size;
    EXPECT_EQ(WideBitReader(bytes).used_bits(), 0U);
  }
}

TEST(MsbBitReader, GivesHighBitsFirstAndRemembersTheOverrun) {
  const Buffer bytes{0b1010'0001, 0xFF};
  MsbBitReader bits(bytes);
  EXPECT_EQ(bits.read_bits(4), 0b1010U);
  EXPECT_EQ(bits.used_bytes(), 1U);
  EXPECT_EQ(bits.read_bits(12), 0b0001'1111'1111U);
  EXPECT_FALSE(bits.overrun());
  EXPECT_EQ(bits.read_bit(), 0U);
  EXPECT_TRUE(bits.overrun());
  EXPECT_EQ(bits.used_bits(), 16U);
}

TEST(ByteWriter, AlignsWithZeros) {
  ByteWriter writer;
  writer.write<std::uint8_t>(7);
  writer.align(8);
  writer.align(8);
  writer.write<std::uint16_t>(0x0102);
  EXPECT_EQ(std::move(writer).take(), (Buffer{7, 0, 0, 0, 0, 0, 0, 0, 2, 1}));
}

TEST(Rules, CompatibleIsEveryRuleThatIsNotOptIn) {
  for (const Rule& row : all_rules()) {
    EXPECT_EQ(RuleSet::compatible().enabled(row.id), !row.opt_in) << row.name;
    EXPECT_FALSE(RuleSet::strict().enabled(row.id));
    EXPECT_EQ(find_rule(row.name), row.id);
    EXPECT_EQ(rule(row.id).name, row.name);
  }
}

// docs/formats/decisions.md, 2: the table from findings to verdict.
TEST(Verdict, FollowsTheTable) {
  const Diagnostic any{.code = Code::kSortOrderMismatch};
  const auto verdict_after = [&](auto add) {
    Findings findings;
    add(findings);
    return verdict_of(findings.list());
  };
  EXPECT_EQ(verdict_after([](Findings&) {}), Verdict::kOk);
  EXPECT_EQ(verdict_after([&](Findings& f) { f.note(any); }), Verdict::kOk);
  EXPECT_EQ(verdict_after([&](Findings& f) { f.strict(any); }), Verdict::kFail);
  EXPECT_EQ(verdict_after([&](Findings& f) { f.error(any); }), Verdict::kFail);
  EXPECT_EQ(verdict_after([&](Findings& f) { f.covered(any, RuleId::kNresLinearLookup, true, Severity::kStrict); }),
            Verdict::kQuirk);
  EXPECT_EQ(verdict_after([&](Findings& f) { f.covered(any, RuleId::kNresLinearLookup, false, Severity::kStrict); }),
            Verdict::kFail);
  EXPECT_EQ(verdict_after([&](Findings& f) {
              f.covered(any, RuleId::kNresLinearLookup, true, Severity::kStrict);
              f.strict(any);
            }),
            Verdict::kFail);
}

TEST(ByteMap, ClosesOnlyOverAnExactTiling) {
  const auto close = [](std::initializer_list<std::pair<int, int>> runs, std::uint64_t size) {
    ByteMap map;
    for (const auto& [offset, bytes] : runs) {
      map.add({.offset = static_cast<std::uint64_t>(offset), .size = static_cast<std::uint64_t>(bytes)});
    }
    return map.close(size).has_value();
  };
  EXPECT_TRUE(close({}, 0));
  EXPECT_TRUE(close({{4, 4}, {0, 4}}, 8));
  EXPECT_FALSE(close({{0, 4}}, 8)) << "hole at the end";
  EXPECT_FALSE(close({{0, 3}, {4, 4}}, 8)) << "hole";
  EXPECT_FALSE(close({{0, 5}, {4, 4}}, 8)) << "overlap";
  EXPECT_FALSE(close({{0, 4}, {4, 5}}, 8)) << "past the end";
}

}  // namespace
}  // namespace assay
