#include "parsers/codecs/deflate/deflate.h"

#include <zlib.h>

#include <utility>

#include "parsers/codecs/deflate/deflate_test_support.h"
#include "synth/deflate_stream.h"

namespace assay::deflate {
namespace {

using codec_testing::hex;
using codec_testing::joined;
using codec_testing::text_bytes;
using synth::DeflateStream;

void expect_refused(const Outcome& outcome, Code code, std::size_t size) {
  ASSERT_FALSE(outcome.result.has_value());
  const Diagnostic& diagnostic = outcome.result.error();
  EXPECT_EQ(diagnostic.code, code) << "got " << code_text(diagnostic.code);
  EXPECT_EQ(diagnostic.offset, 0U);
  EXPECT_EQ(diagnostic.field.to_text(), "payload");
  EXPECT_EQ(diagnostic.expected.bits, size);
}

// libdeflate accepts, zlib does not.
void expect_disputed(const Buffer& packed, const Buffer& plain) {
  const Outcome outcome = decoded(packed, plain.size());
  ASSERT_TRUE(outcome.result.has_value()) << code_text(outcome.result.error().code);
  EXPECT_EQ(outcome.output, plain);
  EXPECT_TRUE(outcome.result->zlib_refused);
  EXPECT_FALSE(outcome.result->served_by_zlib);
  // Without the confirmation nobody notices.
  const Outcome unconfirmed = decoded(packed, plain.size(), {.confirm = false});
  ASSERT_TRUE(unconfirmed.result.has_value());
  EXPECT_FALSE(unconfirmed.result->zlib_refused);
}

// A final dynamic block whose literal/length code is 'a' = 0 and end of block = 1, one bit each; all other lengths and
// all distance lengths are zero. What follows the lengths is up to the caller.
DeflateStream a_or_end(unsigned literal_count, unsigned distance_count) {
  DeflateStream stream;
  stream.block(true, 2).dynamic_header(literal_count, distance_count);
  stream.zeros('a').length(1).zeros(256 - 'a' - 1).length(1);
  stream.zeros(literal_count - 257).zeros(distance_count);
  return stream;
}

// The same with a third symbol for a match of 3 bytes: 'a' = 0, end = 10, match = 11; one distance code of length
// `distance_bits` for distance 1, or none.
DeflateStream with_match(unsigned distance_bits) {
  DeflateStream stream;
  stream.block(true, 2).dynamic_header(258, 1);
  stream.zeros('a').length(1).zeros(256 - 'a' - 1).length(2).length(2).length(distance_bits);
  return stream;
}

// A stored block that is not the last, of 32,768 bytes "x".
Buffer stored_window() {
  return joined(hex("00 00 80 FF 7F"), Buffer(32768, 'x'));
}

TEST(DeflateDecode, DecodesTheVectors) {
  expect_clean(decoded(hex("4B 4C 4A 06 00"), 3), text_bytes("abc"), 5);
  expect_clean(decoded(hex("01 03 00 FC FF 61 62 63"), 3), text_bytes("abc"), 8);
}

TEST(DeflateDecode, RefusesEveryPrefixOfTheVectors) {
  for (const Buffer& packed : {hex("4B 4C 4A 06 00"), hex("01 03 00 FC FF 61 62 63")}) {
    for (std::size_t kept = 0; kept < packed.size(); ++kept) {
      SCOPED_TRACE(testing::Message() << packed.size() << " bytes, " << kept << " kept");
      for (const bool confirm : {false, true}) {
        const Outcome outcome = decoded(Bytes(packed).first(kept), 3, {.confirm = confirm});
        expect_refused(outcome, Code::kTruncatedStream, 3);
        EXPECT_EQ(outcome.result.error().local_offset, kept);
      }
    }
  }
}

TEST(DeflateDecode, RefusesEveryPrefixOfALongerStream) {
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kWords, 3000, 1);
  EncodeScratch scratch;
  Buffer packed;
  encode(plain, kDefaultLevel, scratch, packed);
  for (std::size_t kept = 0; kept < packed.size(); ++kept) {
    expect_refused(decoded(Bytes(packed).first(kept), plain.size()), Code::kTruncatedStream, plain.size());
  }
}

TEST(DeflateDecode, TheDeclaredSizeIsExact) {
  for (const Buffer& packed : {hex("4B 4C 4A 06 00"), hex("01 03 00 FC FF 61 62 63")}) {
    for (const std::size_t size : {0U, 1U, 2U}) {
      const Outcome less = decoded(packed, size);
      expect_refused(less, Code::kOutputSizeMismatch, size);
      EXPECT_EQ(less.result.error().got.bits, size + 1);
      EXPECT_EQ(less.result.error().got.relation, Datum::Relation::kAtLeast);
    }
    const Outcome more = decoded(packed, 4);
    expect_refused(more, Code::kOutputSizeMismatch, 4);
    EXPECT_EQ(more.result.error().got.bits, 3U);
    EXPECT_EQ(more.result.error().local_offset, packed.size());
  }
}

TEST(DeflateDecode, StopsEarlyWhereThereIsMoreThanDeclared) {
  EncodeScratch scratch;
  Buffer packed;
  encode(Buffer(10'000'000, 0), Level(9), scratch, packed);
  const Outcome outcome = decoded(packed, 100);
  expect_refused(outcome, Code::kOutputSizeMismatch, 100);
  EXPECT_LT(outcome.result.error().local_offset, packed.size() / 2);
}

TEST(DeflateDecode, WritesNothingBehindTheOutput) {
  EncodeScratch encode_scratch;
  Buffer packed;
  encode(Buffer(100000, 'z'), kDefaultLevel, encode_scratch, packed);
  Scratch scratch;
  for (const std::size_t size : {0U, 1U, 1000U, 99999U}) {
    Buffer memory(size + 64, 0xAA);
    EXPECT_FALSE(decode(packed, MutableBytes(memory).first(size), {}, scratch).has_value());
    EXPECT_EQ(Buffer(memory.begin() + static_cast<std::ptrdiff_t>(size), memory.end()), Buffer(64, 0xAA));
  }
}

TEST(DeflateDecode, AnEmptyOutputStillNeedsTheFinalBlock) {
  expect_clean(decoded(hex("03 00"), 0), {}, 2);           // fixed block
  expect_clean(decoded(hex("01 00 00 FF FF"), 0), {}, 5);  // stored block
  expect_clean(decoded(hex("03 00 55 AA"), 0), {}, 2);     // and no more than that
  expect_refused(decoded({}, 0), Code::kTruncatedStream, 0);
  expect_refused(decoded(hex("03"), 0), Code::kTruncatedStream, 0);
}

TEST(DeflateDecode, SurvivesTinyInputs) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const Buffer packed = {static_cast<std::uint8_t>(byte)};
    // The low three bits are the block header; type 3 is invalid at once, the others need more.
    expect_refused(decoded(packed, 1), (byte >> 1 & 3) == 3 ? Code::kInvalidStream : Code::kTruncatedStream, 1);
  }
}

TEST(DeflateDecode, IgnoresWhatFollowsTheFinalBlock) {
  for (const Buffer& junk : {hex("00"), hex("FF FF FF FF FF FF FF FF FF FF"), hex("4B 4C 4A 06 00")}) {
    expect_clean(decoded(joined(hex("4B 4C 4A 06 00"), junk), 3), text_bytes("abc"), 5);
  }
}

TEST(DeflateDecode, TheFinalCodeMayEndOnTheLastBit) {
  // 3 header bits, six literals of 9 bits, 7 bits of end of block: 64 bits.
  DeflateStream stream;
  stream.block(true, 1);
  for (unsigned index = 0; index < 6; ++index) {
    stream.fixed(200 + index);
  }
  stream.fixed(256);
  ASSERT_EQ(stream.bit_count(), 64U);
  expect_clean(decoded(stream.bytes(), 6), hex("C8 C9 CA CB CC CD"), 8);
  expect_clean(decoded(joined(stream.bytes(), hex("FF")), 6), hex("C8 C9 CA CB CC CD"), 8);
  expect_refused(decoded(Bytes(stream.bytes()).first(7), 6), Code::kTruncatedStream, 6);
}

TEST(DeflateDecode, AMissingEndIsAcceptedOnlyWhenAllowed) {
  // 34 bits: without the last byte the three literals are there and the end of block lacks two bits.
  const Buffer packed = hex("4B 4C 4A 06");
  expect_refused(decoded(packed, 3), Code::kTruncatedStream, 3);
  const Outcome outcome = decoded(packed, 3, {.allow_missing_end = true});
  ASSERT_TRUE(outcome.result.has_value());
  EXPECT_EQ(outcome.output, text_bytes("abc"));
  EXPECT_EQ(outcome.result->used_bytes, 4U);
  EXPECT_TRUE(outcome.result->missing_end);
  EXPECT_TRUE(outcome.result->served_by_zlib);
  EXPECT_FALSE(outcome.result->zlib_refused);
}

TEST(DeflateDecode, AMissingEndNeedsEveryDeclaredByte) {
  const Options allow{.allow_missing_end = true};
  expect_refused(decoded(hex("4B 4C 4A"), 3, allow), Code::kTruncatedStream, 3);
  expect_refused(decoded(hex("4B 4C 4A 06"), 4, allow), Code::kTruncatedStream, 4);
  expect_refused(decoded(hex("4B 4C 4A 06"), 2, allow), Code::kOutputSizeMismatch, 2);
  expect_refused(decoded(hex("01 03 00 FC FF 61 62"), 3, allow), Code::kTruncatedStream, 3);
}

TEST(DeflateDecode, ACompleteStreamIsNotMissingItsEnd) {
  expect_clean(decoded(hex("4B 4C 4A 06 00"), 3, {.allow_missing_end = true}), text_bytes("abc"), 5);
}

TEST(DeflateDecode, AllowingAMissingEndExcusesNothingElse) {
  const Options allow{.allow_missing_end = true};
  // After "abc" the length symbol 257 with distance 4, farther back than there is data.
  DeflateStream stream;
  stream.block(true, 1).fixed('a').fixed('b').fixed('c').fixed(257).fixed_distance(3).fixed(256);
  expect_refused(decoded(stream.bytes(), 3, allow), Code::kInvalidStream, 3);
}

struct Rejection {
  const char* name;
  DeflateStream stream;
};

// A final dynamic block of 257 literal/length lengths and one distance length, which are still to come.
DeflateStream lengths() {
  DeflateStream stream;
  return stream.block(true, 2).dynamic_header(257, 1);
}
DeflateStream fixed_block() {
  return DeflateStream().block(true, 1);
}

// A final dynamic block whose code-length code has the lengths given for symbols 16, 17, 18 and 0.
DeflateStream short_header(std::array<unsigned, 4> code_length_bits) {
  DeflateStream stream;
  stream.block(true, 2).number(0, 5).number(0, 5).number(0, 4);
  for (const unsigned bits : code_length_bits) {
    stream.number(bits, 3);
  }
  return stream;
}

TEST(DeflateDecode, RefusesBrokenStreams) {
  constexpr unsigned kBetweenAAndEnd = 256 - 'a' - 1;
  const std::vector<Rejection> rows = {
      {"block type 3", DeflateStream().block(true, 3)},
      {"LEN is not the complement of NLEN",
       DeflateStream().block(true, 0).number(0, 5).number(3, 16).number(0xFEFC, 16)},
      {"distance before the start", fixed_block().fixed('a').fixed(257).fixed_distance(1)},
      {"match as the first symbol", fixed_block().fixed(257).fixed_distance(0)},
      {"no code for the end of block", lengths().zeros('a').length(1).zeros(kBetweenAAndEnd).length(0).length(0)},
      // Three codes of one bit.
      {"over-subscribed code", lengths().length(1).length(1).zeros(254).length(1).length(0)},
      // Two codes of two bits leave half of the code space.
      {"incomplete code", lengths().zeros('a').length(2).zeros(kBetweenAAndEnd).length(2).length(0)},
      {"repeat without a length before it", lengths().length(16).number(0, 2)},
      // One more length is declared, and a run of 138 zeros comes.
      {"repeat past the declared lengths",
       lengths().zeros('a').length(1).zeros(kBetweenAAndEnd).length(1).length(18).number(127, 7)},
      // Every bit is then taken for a length of zero, so the end of block has no code.
      {"empty code-length code", short_header({0, 0, 0, 0})},
      // Only symbol 18: two runs of 138 and 120 zeros.
      {"code-length code of one symbol",
       short_header({0, 0, 1, 0}).code(0, 1).number(127, 7).code(0, 1).number(109, 7)},
  };
  for (const Rejection& row : rows) {
    SCOPED_TRACE(row.name);
    // Enough bytes behind the fault that it is not the end of the input that is refused.
    const Buffer packed = joined(row.stream.bytes(), Buffer(64, 0));
    const Outcome outcome = decoded(packed, 4);
    expect_refused(outcome, Code::kInvalidStream, 4);
    if (!outcome.result.has_value()) {
      EXPECT_LT(outcome.result.error().local_offset, packed.size());
    }
  }
}

TEST(DeflateDecode, RefusesAZlibWrapper) {
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kWords, 500, 2);
  for (const int level : {1, 6, 9}) {
    Buffer wrapped(2000);
    uLongf wrapped_bytes = wrapped.size();
    ASSERT_EQ(compress2(wrapped.data(), &wrapped_bytes, plain.data(), plain.size(), level), Z_OK);
    wrapped.resize(wrapped_bytes);
    EXPECT_FALSE(decoded(wrapped, plain.size()).result.has_value());
    EXPECT_FALSE(decoded(wrapped, plain.size(), {.allow_missing_end = true}).result.has_value());
  }
}

TEST(DeflateDisagreements, CountsOfCodes) {
  const auto finished = [](unsigned literals, unsigned distances) {
    return a_or_end(literals, distances).code(0, 1).code(0, 1).code(1, 1);
  };
  const Buffer plain = text_bytes("aa");
  for (const auto& [literals, distances] : {std::pair{257U, 1U}, {286U, 1U}, {257U, 30U}, {286U, 30U}}) {
    const DeflateStream stream = finished(literals, distances);
    expect_clean(decoded(stream.bytes(), 2), plain, stream.bytes().size());
  }
  for (const auto& [literals, distances] : {std::pair{287U, 1U}, {288U, 1U}, {257U, 31U}, {257U, 32U}, {288U, 32U}}) {
    SCOPED_TRACE(testing::Message() << literals << " literal/length codes, " << distances << " distance codes");
    expect_disputed(finished(literals, distances).bytes(), plain);
  }
}

TEST(DeflateDisagreements, LengthSymbols286And287) {
  for (const unsigned symbol : {286U, 287U}) {
    SCOPED_TRACE(symbol);
    // libdeflate takes both for the longest match.
    DeflateStream stream;
    stream.block(true, 1).fixed('a').fixed(symbol).fixed_distance(0).fixed(256);
    expect_disputed(stream.bytes(), Buffer(259, 'a'));
  }
}

TEST(DeflateDisagreements, DistanceSymbols30And31) {
  for (const unsigned symbol : {30U, 31U}) {
    SCOPED_TRACE(symbol);
    // libdeflate takes both for symbol 29: 24,577 and 13 extra bits.
    DeflateStream stream;
    stream.block(true, 1).fixed(257).fixed_distance(symbol).number(0, 13).fixed(256);
    expect_disputed(joined(stored_window(), stream.bytes()), Buffer(32768 + 3, 'x'));
  }
  DeflateStream legal;
  legal.block(true, 1).fixed(257).fixed_distance(29).number(0, 13).fixed(256);
  const Buffer packed = joined(stored_window(), legal.bytes());
  expect_clean(decoded(packed, 32768 + 3), Buffer(32768 + 3, 'x'), packed.size());
}

TEST(DeflateDisagreements, TheUnusedHalfOfACode) {
  // One distance code of one bit: 0 is distance 1 to both, 1 only to libdeflate.
  const DeflateStream used = with_match(1).code(0, 1).code(3, 2).code(0, 1).code(2, 2);
  expect_clean(decoded(used.bytes(), 4), text_bytes("aaaa"), used.bytes().size());
  expect_disputed(with_match(1).code(0, 1).code(3, 2).code(1, 1).code(2, 2).bytes(), text_bytes("aaaa"));

  // No distance code at all and a match nevertheless.
  expect_disputed(with_match(0).code(0, 1).code(3, 2).code(0, 1).code(2, 2).bytes(), text_bytes("aaaa"));

  // End of block as the only literal/length symbol, 0; 1 is unused.
  DeflateStream only_end;
  only_end.block(true, 2).dynamic_header(257, 1).zeros(256).length(1).length(0);
  DeflateStream unused_end = only_end;
  only_end.code(0, 1);
  unused_end.code(1, 1);
  expect_clean(decoded(only_end.bytes(), 0), {}, only_end.bytes().size());
  expect_disputed(unused_end.bytes(), {});
}

TEST(DeflateDecode, TheResultDoesNotDependOnCallsBefore) {
  const Buffer good = hex("4B 4C 4A 06 00");
  const Buffer damaged = joined(stored_window(), hex("07"));
  Scratch scratch;
  for (const std::size_t size : {0U, 100U, 32768U, 40000U}) {
    Buffer other(size);
    EXPECT_FALSE(decode(damaged, other, {}, scratch).has_value());
    // A match into data that only the call before had.
    DeflateStream reaches_back;
    reaches_back.block(true, 1).fixed(257).fixed_distance(20).number(0, 9).fixed(256);
    Buffer three(3);
    EXPECT_FALSE(decode(reaches_back.bytes(), three, {}, scratch).has_value());
    ASSERT_TRUE(decode(good, three, {}, scratch).has_value());
    EXPECT_EQ(three, text_bytes("abc"));
  }
}

TEST(DeflateDecode, DecodesTheSameIntoAnyMemory) {
  EncodeScratch scratch;
  for (const auto& sample : codec_testing::samples()) {
    Buffer packed;
    encode(sample.bytes, kDefaultLevel, scratch, packed);
    EXPECT_EQ(decoded(packed, sample.bytes.size(), {}, 0x00).output, sample.bytes) << sample.name;
    EXPECT_EQ(decoded(packed, sample.bytes.size(), {}, 0xFF).output, sample.bytes) << sample.name;
  }
}

TEST(DeflateDecode, DamageIsNeverAccidentallyClean) {
  // Whatever a flipped bit does, an accepted result has the declared size and both libraries stand behind it or the
  // result says that they do not.
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kWords, 600, 3);
  EncodeScratch scratch;
  Buffer packed;
  encode(plain, kDefaultLevel, scratch, packed);
  for (std::size_t bit = 0; bit < packed.size() * 8; ++bit) {
    Buffer damaged = packed;
    damaged[bit / 8] = static_cast<std::uint8_t>(damaged[bit / 8] ^ 1U << bit % 8);
    const Outcome outcome = decoded(damaged, plain.size());
    if (outcome.result.has_value() && !outcome.result->zlib_refused) {
      ASSERT_LE(outcome.result->used_bytes, damaged.size());
      Buffer inflated(plain.size() + 1);
      z_stream stream{};
      ASSERT_EQ(inflateInit2(&stream, -15), Z_OK);
      stream.next_in = damaged.data();
      stream.avail_in = static_cast<uInt>(damaged.size());
      stream.next_out = inflated.data();
      stream.avail_out = static_cast<uInt>(inflated.size());
      EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
      EXPECT_EQ(stream.total_in, outcome.result->used_bytes);
      inflateEnd(&stream);
      inflated.pop_back();
      EXPECT_EQ(inflated, outcome.output);
    }
  }
}

TEST(DeflateDecode, TheBoundHoldsForTheBestStream) {
  // Matches of 258 bytes with two bits each: 'a', then length symbol 285 and distance 1 in one bit each.
  DeflateStream stream;
  stream.block(true, 2).dynamic_header(286, 1);
  stream.zeros('a').length(2).zeros(256 - 'a' - 1).length(2).zeros(28).length(1).length(1);
  stream.code(2, 2);
  for (unsigned match = 0; match < 4000; ++match) {
    stream.code(0, 1).code(0, 1);
  }
  stream.code(3, 2);
  const std::size_t size = 1 + 4000 * 258;
  expect_clean(decoded(stream.bytes(), size), Buffer(size, 'a'), stream.bytes().size());
  EXPECT_LE(size, max_decoded_bytes(stream.bytes().size()));
  EXPECT_GT(size * 100, max_decoded_bytes(stream.bytes().size()) * 90);
  EXPECT_EQ(max_decoded_bytes(0xFFFF'FFFF), 1032 * std::uint64_t{0xFFFF'FFFF});
  EXPECT_EQ(max_decoded_bytes(~std::uint64_t{0}), ~std::uint64_t{0});
}

}  // namespace
}  // namespace assay::deflate
