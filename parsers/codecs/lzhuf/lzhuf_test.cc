#include "parsers/codecs/lzhuf/lzhuf.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>

#include "parsers/codecs/codec_test_support.h"
#include "parsers/codecs/lzhuf/position_code.h"
#include "parsers/codecs/ring_output.h"
#include "parsers/codecs/xor_stream/xor_stream.h"

namespace assay::lzhuf {
namespace {

using codec_testing::hex;
using codec_testing::text_bytes;

struct Outcome {
  Result<Decoded> result;
  Buffer output;
};

// Decodes with a scratch full of rubbish into memory full of `prefill`. The input is copied to memory of its own
// size, so that the address sanitizer sees a byte read past it.
Outcome decoded(Bytes packed, std::size_t size, std::uint8_t prefill = 0xAA) {
  static Scratch scratch;
  scratch.fill(0xEE);
  Outcome outcome{.result = Decoded{}, .output = Buffer(size, prefill)};
  const Buffer exact(packed.begin(), packed.end());
  outcome.result = decode(exact, outcome.output, scratch);
  return outcome;
}

void expect_truncated(const Outcome& outcome, std::size_t packed_bytes, std::size_t size) {
  ASSERT_FALSE(outcome.result.has_value());
  const Diagnostic& diagnostic = outcome.result.error();
  EXPECT_EQ(diagnostic.code, Code::kTruncatedStream);
  EXPECT_EQ(diagnostic.offset, 0U);
  EXPECT_EQ(diagnostic.local_offset, packed_bytes);
  EXPECT_EQ(diagnostic.field.to_text(), "payload");
  EXPECT_EQ(diagnostic.expected.bits, size);
  EXPECT_LT(diagnostic.got.bits, size);
}

Buffer encoded(Bytes plain, Level level) {
  EncodeScratch scratch;
  Buffer packed;
  encode(plain, level, scratch, packed);
  return packed;
}

std::string code_text(const AdaptiveTree& tree, unsigned symbol) {
  const SymbolCode code = tree.code_of(symbol);
  std::string text;
  for (unsigned bit = code.bit_count; bit-- > 0;) {
    text += (code.bits >> bit & 1) != 0 ? '1' : '0';
  }
  return text;
}

TEST(LzhufTree, StartsWithTheKnownCodes) {
  AdaptiveTree tree;
  tree.reset();
  EXPECT_EQ(code_text(tree, 0x00), "110001100");
  EXPECT_EQ(code_text(tree, 0x41), "111001101");
  EXPECT_EQ(code_text(tree, 0x61), "111101101");
  EXPECT_EQ(code_text(tree, 0x74), "00000000");
  EXPECT_EQ(code_text(tree, 0xFF), "10001011");
  EXPECT_EQ(code_text(tree, 256), "10001100");
  EXPECT_EQ(code_text(tree, 313), "11000101");
}

TEST(LzhufTree, CodesStayAPrefixCodeOverRebuilds) {
  AdaptiveTree tree;
  tree.reset();
  codec_testing::Random random(11);
  for (int round = 0; round < 80000; ++round) {
    // Small symbols are much more frequent, so codes of many lengths come up.
    tree.count(static_cast<unsigned>(random.below(1 + random.below(kSymbolCount))));
    if (round % 2000 != 0) {
      continue;
    }
    std::uint64_t space = 0;
    for (unsigned symbol = 0; symbol < kSymbolCount; ++symbol) {
      space += std::uint64_t{1} << (40 - tree.code_of(symbol).bit_count);
    }
    ASSERT_EQ(space, std::uint64_t{1} << 40) << "after " << round << " symbols";
  }
}

TEST(LzhufTree, ASymbolMayHaveACodeOfOneBit) {
  AdaptiveTree tree;
  tree.reset();
  for (int round = 0; round < 1000; ++round) {
    tree.count(313);
  }
  EXPECT_EQ(tree.code_of(313).bit_count, 1U);
}

TEST(LzhufTree, ADeepCodeFitsItsBound) {
  // The symbols that were used once are a subtree of 305 uses and nine levels. Nine symbols with Fibonacci multiples of
  // 320 put one level each on top of it, without a rebuild.
  AdaptiveTree tree;
  tree.reset();
  unsigned symbol = 0;
  for (const unsigned multiple : {1U, 1U, 2U, 3U, 5U, 8U, 13U, 21U, 34U}) {
    for (unsigned use = 0; use < 320 * multiple; ++use) {
      tree.count(symbol);
    }
    ++symbol;
  }
  unsigned deepest = 0;
  for (unsigned other = 0; other < kSymbolCount; ++other) {
    deepest = std::max(deepest, tree.code_of(other).bit_count);
  }
  EXPECT_GE(deepest, 17U);
  EXPECT_LE(deepest, 23U);
}

TEST(LzhufPosition, HasTheTableOfTheSpecification) {
  struct Row {
    unsigned first, last, upper, width, bit_count;
  };
  const std::array<Row, 6> rows = {{{0x00, 0x1F, 0, 32, 3},
                                    {0x20, 0x4F, 1, 16, 4},
                                    {0x50, 0x8F, 4, 8, 5},
                                    {0x90, 0xBF, 12, 4, 6},
                                    {0xC0, 0xEF, 24, 2, 7},
                                    {0xF0, 0xFF, 48, 1, 8}}};
  for (const Row& row : rows) {
    for (unsigned byte = row.first; byte <= row.last; ++byte) {
      EXPECT_EQ(kPrefixByByte[byte].upper, row.upper + (byte - row.first) / row.width);
      EXPECT_EQ(kPrefixByByte[byte].bit_count, row.bit_count);
    }
  }
}

TEST(LzhufDecode, DecodesTheVectors) {
  for (const auto& vector : codec_testing::lzhuf_vectors()) {
    const Outcome outcome = decoded(vector.packed, vector.plain.size());
    ASSERT_TRUE(outcome.result.has_value()) << vector.shows;
    EXPECT_EQ(outcome.output, vector.plain) << vector.shows;
    EXPECT_EQ(outcome.result->used_bytes, vector.used_bytes) << vector.shows;
  }
}

TEST(LzhufDecode, DecodesTheTransformedVector) {
  Buffer packed = hex("F8 7A 74 06 59 DA D8 85 51");
  xor_stream::apply(1, packed, packed);
  EXPECT_EQ(packed, hex("FA 7C 7F 18 7F BD 64 78 14"));
  EXPECT_EQ(decoded(packed, 12).output, text_bytes("hello hello "));
}

TEST(LzhufDecode, RefusesEveryPrefixOfTheVectors) {
  for (const auto& vector : codec_testing::lzhuf_vectors()) {
    for (std::size_t kept = 0; kept < vector.used_bytes; ++kept) {
      SCOPED_TRACE(testing::Message() << vector.shows << ", " << kept << " bytes kept");
      expect_truncated(decoded(Bytes(vector.packed).first(kept), vector.plain.size()), kept, vector.plain.size());
    }
  }
}

TEST(LzhufDecode, StopsAtTheDeclaredSize) {
  for (const auto& vector : codec_testing::lzhuf_vectors()) {
    for (std::size_t size = 0; size <= vector.plain.size(); ++size) {
      const Outcome outcome = decoded(vector.packed, size);
      ASSERT_TRUE(outcome.result.has_value()) << vector.shows << ", size " << size;
      EXPECT_TRUE(equal_bytes(outcome.output, Bytes(vector.plain).first(size))) << vector.shows << ", size " << size;
      EXPECT_LE(outcome.result->used_bytes, vector.used_bytes);
    }
  }
}

TEST(LzhufDecode, RefusesOneByteMoreThanTheStreamGives) {
  for (const auto& vector : codec_testing::lzhuf_vectors()) {
    // The bits behind the last symbol are too few for another: no code of that state is so short.
    expect_truncated(decoded(vector.packed, vector.plain.size() + 1), vector.packed.size(), vector.plain.size() + 1);
  }
}

TEST(LzhufDecode, CountsBytesWithAtLeastOneUsedBit) {
  // 27 bits for "ABC" and 18 for "AB": the fourth byte is used in the first case only.
  const Buffer packed = hex("E6 F3 B9 E0 FF FF");
  EXPECT_EQ(decoded(packed, 3).result->used_bytes, 4U);
  EXPECT_EQ(decoded(packed, 2).result->used_bytes, 3U);
  EXPECT_EQ(decoded(hex("00 FF"), 1).result->used_bytes, 1U);
}

TEST(LzhufDecode, AnEmptyOutputUsesNothing) {
  for (const char* packed : {"", "00", "FF FF"}) {
    const Outcome outcome = decoded(hex(packed), 0);
    ASSERT_TRUE(outcome.result.has_value());
    EXPECT_EQ(outcome.result->used_bytes, 0U);
  }
}

TEST(LzhufDecode, SurvivesTinyInputs) {
  expect_truncated(decoded({}, 1), 0, 1);
  for (unsigned byte = 0; byte < 256; ++byte) {
    const Buffer packed = {static_cast<std::uint8_t>(byte)};
    const Outcome outcome = decoded(packed, 2);
    expect_truncated(outcome, 1, 2);
  }
}

TEST(LzhufDecode, DecodesAllZeroBitsOverRebuilds) {
  // More than 100,000 symbols, a quarter of them matches.
  const Outcome outcome = decoded(Buffer(200000, 0x00), 800000);
  ASSERT_TRUE(outcome.result.has_value());
  EXPECT_EQ(outcome.output.front(), 't');
  expect_truncated(decoded(Buffer(10, 0x00), 100000), 10, 100000);
}

TEST(LzhufDecode, DecodesAllOneBitsOverRebuilds) {
  const Outcome outcome = decoded(Buffer(200000, 0xFF), 800000);
  ASSERT_TRUE(outcome.result.has_value());
  expect_truncated(decoded(Buffer(10, 0xFF), 100000), 10, 100000);
}

TEST(LzhufDecode, TheWindowStartsAsSpacesAtEveryPosition) {
  EncodeScratch scratch;
  AdaptiveTree tree;
  tree.reset();
  const SymbolCode longest = tree.code_of(kSymbolCount - 1);
  for (unsigned position = 0; position < kRingBytes; ++position) {
    // The match of 60 bytes as the first token: symbol, prefix, low bits.
    const unsigned first_byte = kFirstByteByUpper[position >> kPositionLowBits];
    const unsigned prefix_bits = kPrefixByByte[first_byte].bit_count;
    std::uint64_t bits = longest.bits;
    bits = bits << prefix_bits | first_byte >> (8 - prefix_bits);
    bits = bits << kPositionLowBits | (position & 0x3F);
    const unsigned bit_count = longest.bit_count + prefix_bits + kPositionLowBits;
    bits <<= 32 - bit_count;
    Buffer packed;
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
      packed.push_back(static_cast<std::uint8_t>(bits >> shift & 0xFF));
    }
    const Outcome outcome = decoded(packed, kMaxMatchBytes);
    ASSERT_TRUE(outcome.result.has_value());
    ASSERT_EQ(outcome.output, codec_testing::spaces(kMaxMatchBytes)) << "position " << position;
    ASSERT_EQ(outcome.result->used_bytes, (bit_count + 7) / 8) << "position " << position;
  }
}

TEST(LzhufDecode, WritesNothingBehindTheOutput) {
  Buffer memory(61 + 8, 0xAA);
  Scratch scratch;
  ASSERT_TRUE(decode(hex("04 04 00 00"), MutableBytes(memory).first(30), scratch).has_value());
  EXPECT_EQ(Buffer(memory.begin() + 30, memory.end()), Buffer(memory.size() - 30, 0xAA));
}

TEST(LzhufDecode, TheResultDoesNotDependOnCallsBefore) {
  Scratch scratch;
  const auto vectors = codec_testing::lzhuf_vectors();
  for (const auto& before : vectors) {
    for (const auto& after : vectors) {
      Buffer first(before.plain.size());
      Buffer second(after.plain.size());
      ASSERT_TRUE(decode(before.packed, first, scratch).has_value());
      ASSERT_TRUE(decode(after.packed, second, scratch).has_value());
      EXPECT_EQ(second, after.plain) << after.shows << " after " << before.shows;
    }
  }
}

TEST(LzhufDecode, AnyBytesDecodeTheSameIntoAnyMemory) {
  codec_testing::Random random(6);
  for (int round = 0; round < 500; ++round) {
    const Buffer packed = codec_testing::make_data(codec_testing::Kind::kNoise, random.below(300), random.next());
    const std::size_t size = random.below(3000);
    const Outcome zeros = decoded(packed, size, 0x00);
    const Outcome ones = decoded(packed, size, 0xFF);
    ASSERT_EQ(zeros.result.has_value(), ones.result.has_value());
    if (zeros.result.has_value()) {
      ASSERT_EQ(zeros.output, ones.output);
      ASSERT_LE(size, max_decoded_bytes(zeros.result->used_bytes));
    } else {
      ASSERT_EQ(zeros.result.error().got.bits, ones.result.error().got.bits);
    }
  }
}

TEST(LzhufDecode, TheBoundHoldsForTheBestStream) {
  const Buffer plain(1'000'000, 0x20);
  const Buffer packed = encoded(plain, Level(9));
  EXPECT_LE(plain.size(), max_decoded_bytes(packed.size()));
  EXPECT_GT(plain.size() * 100, max_decoded_bytes(packed.size()) * 90);
  EXPECT_EQ(max_decoded_bytes(10), 480U);
  EXPECT_EQ(max_decoded_bytes(0xFFFF'FFFF), 48 * std::uint64_t{0xFFFF'FFFF});
  EXPECT_EQ(max_decoded_bytes(~std::uint64_t{0}), ~std::uint64_t{0});
}

TEST(LzhufDecode, DecodesStreamsOfOldArchivers) {
  for (const auto& stream : codec_testing::kSharedStreams) {
    if (stream.is_lzss) {
      continue;
    }
    const auto packed = codec_testing::read_shared_stream(stream);
    if (!packed) {
      GTEST_SKIP() << "the shared test data is absent; set ASSAY_SHARED";
    }
    const Outcome outcome = decoded(*packed, stream.size);
    ASSERT_TRUE(outcome.result.has_value()) << stream.file;
    EXPECT_EQ(codec_testing::sha256(outcome.output), stream.sha256) << stream.file;
    EXPECT_LE(packed->size() - outcome.result->used_bytes, 2U) << stream.file;
  }
}

TEST(LzhufEncode, WritesTheRebuildVector) {
  const Buffer plain = codec_testing::rebuild_vector_plain();
  ASSERT_EQ(crc32(0, plain.data(), static_cast<uInt>(plain.size())), 0xF57AED43U);
  // With literals only there is one way to write the data, so the packed bytes are those of the specification.
  const Buffer packed = encoded(plain, kNoMatchesLevel);
  EXPECT_EQ(packed.size(), 52873U);
  EXPECT_TRUE(equal_bytes(Bytes(packed).first(16), hex("D4 64 36 3B 6D 5E E7 53 A6 BE C3 DC 69 F5 58 39")));
  EXPECT_EQ(crc32(0, packed.data(), static_cast<uInt>(packed.size())), 0xBE36B4A8U);
  EXPECT_EQ(codec_testing::sha256(packed), "fd2380ec40f56c72808e57f1749c4e9995c6924640b7b184cc69f942178efd67");
  const Outcome outcome = decoded(packed, plain.size());
  ASSERT_TRUE(outcome.result.has_value());
  EXPECT_EQ(outcome.output, plain);
  EXPECT_EQ(outcome.result->used_bytes, packed.size());
}

TEST(LzhufEncode, DecodesToWhatWasEncoded) {
  EncodeScratch scratch;
  for (const auto& sample : codec_testing::samples()) {
    for (unsigned level = 0; level <= Level::kHighest; ++level) {
      Buffer packed;
      encode(sample.bytes, Level(level), scratch, packed);
      const Outcome outcome = decoded(packed, sample.bytes.size());
      ASSERT_TRUE(outcome.result.has_value()) << sample.name << ", level " << level;
      ASSERT_EQ(outcome.output, sample.bytes) << sample.name << ", level " << level;
      ASSERT_EQ(outcome.result->used_bytes, packed.size()) << sample.name << ", level " << level;
    }
  }
}

TEST(LzhufEncode, AppendsAndIsRepeatable) {
  EncodeScratch scratch;
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kWords, 5000, 9);
  Buffer alone;
  encode(plain, kDefaultLevel, scratch, alone);
  Buffer appended = {1, 2, 3};
  encode(plain, kDefaultLevel, scratch, appended);
  EXPECT_EQ(appended, codec_testing::joined({1, 2, 3}, alone));
}

TEST(LzhufEncode, MatchesAndLevelsMakeStreamsShorter) {
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kWords, 70000, 9);
  std::size_t shorter_than = plain.size();
  for (const unsigned level : {0U, 1U, 6U, 9U, kFirstOptimalLevel}) {
    const Buffer packed = encoded(plain, Level(level));
    EXPECT_LT(packed.size(), shorter_than) << "level " << level;
    shorter_than = packed.size();
  }
}

}  // namespace
}  // namespace assay::lzhuf
