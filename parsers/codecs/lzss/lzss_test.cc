#include "parsers/codecs/lzss/lzss.h"

#include <gtest/gtest.h>

#include "parsers/codecs/codec_test_support.h"
#include "parsers/codecs/xor_stream/xor_stream.h"

namespace assay::lzss {
namespace {

using codec_testing::hex;
using codec_testing::joined;
using codec_testing::text_bytes;

struct Outcome {
  Result<Decoded> result;
  Buffer output;
};

// Decodes with a fresh scratch full of rubbish into memory full of `prefill`. The input is copied to memory of its own
// size, so that the address sanitizer sees a byte read past it.
Outcome decoded(Bytes packed, std::size_t size, std::uint8_t prefill = 0xAA) {
  Scratch scratch;
  scratch.window.fill(0xEE);
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

TEST(LzssDecode, DecodesTheVectors) {
  for (const auto& vector : codec_testing::lzss_vectors()) {
    const Outcome outcome = decoded(vector.packed, vector.plain.size());
    ASSERT_TRUE(outcome.result.has_value()) << vector.shows;
    EXPECT_EQ(outcome.output, vector.plain) << vector.shows;
    EXPECT_EQ(outcome.result->used_bytes, vector.used_bytes) << vector.shows;
  }
}

TEST(LzssDecode, DecodesTheTransformedVector) {
  Buffer packed = hex("01 67 69 F0 D7");
  xor_stream::apply(1, packed, packed);
  EXPECT_EQ(packed, hex("03 61 62 EE F1"));
  EXPECT_EQ(decoded(packed, 6).output, text_bytes("ababab"));
}

TEST(LzssDecode, RefusesEveryPrefixOfTheVectors) {
  for (const auto& vector : codec_testing::lzss_vectors()) {
    for (std::size_t kept = 0; kept < vector.used_bytes; ++kept) {
      SCOPED_TRACE(testing::Message() << vector.shows << ", " << kept << " bytes kept");
      expect_truncated(decoded(Bytes(vector.packed).first(kept), vector.plain.size()), kept, vector.plain.size());
    }
  }
}

TEST(LzssDecode, StopsAtTheDeclaredSize) {
  for (const auto& vector : codec_testing::lzss_vectors()) {
    for (std::size_t size = 0; size <= vector.plain.size(); ++size) {
      const Outcome outcome = decoded(vector.packed, size);
      ASSERT_TRUE(outcome.result.has_value()) << vector.shows << ", size " << size;
      EXPECT_TRUE(equal_bytes(outcome.output, Bytes(vector.plain).first(size))) << vector.shows << ", size " << size;
      EXPECT_LE(outcome.result->used_bytes, vector.used_bytes);
    }
  }
}

TEST(LzssDecode, RefusesOneByteMoreThanTheStreamGives) {
  expect_truncated(decoded(hex("07 41 42 43"), 4), 4, 4);
  expect_truncated(decoded(hex("01 78 EE FF"), 20), 4, 20);
}

TEST(LzssDecode, IgnoresWhatFollows) {
  const Outcome outcome = decoded(hex("07 41 42 43 FF FF FF"), 3);
  ASSERT_TRUE(outcome.result.has_value());
  EXPECT_EQ(outcome.result->used_bytes, 4U);
}

TEST(LzssDecode, AnEmptyOutputUsesNothing) {
  for (const char* packed : {"", "00", "FF", "00 00 00"}) {
    const Outcome outcome = decoded(hex(packed), 0);
    ASSERT_TRUE(outcome.result.has_value());
    EXPECT_EQ(outcome.result->used_bytes, 0U);
  }
}

TEST(LzssDecode, RefusesTinyInputs) {
  expect_truncated(decoded({}, 1), 0, 1);
  for (unsigned byte = 0; byte < 256; ++byte) {
    expect_truncated(decoded(Buffer{static_cast<std::uint8_t>(byte)}, 1), 1, 1);
  }
}

TEST(LzssDecode, TheWindowStartsAsSpaces) {
  // One reference of the greatest length to each ring index, as the first token.
  for (unsigned index = 0; index < kWindowBytes; ++index) {
    const Buffer packed = {0, static_cast<std::uint8_t>(index & 0xFF),
                           static_cast<std::uint8_t>((index >> 4 & 0xF0) | 15)};
    const Outcome outcome = decoded(packed, kMaxMatchBytes);
    ASSERT_TRUE(outcome.result.has_value());
    ASSERT_EQ(outcome.output, codec_testing::spaces(kMaxMatchBytes)) << "ring index " << index;
  }
}

TEST(LzssDecode, WritesNothingBehindTheOutput) {
  Buffer memory(19 + 8, 0xAA);
  Scratch scratch;
  ASSERT_TRUE(decode(hex("01 78 EE FF"), MutableBytes(memory).first(5), scratch).has_value());
  EXPECT_EQ(Buffer(memory.begin() + 5, memory.end()), Buffer(memory.size() - 5, 0xAA));
}

TEST(LzssDecode, TheResultDoesNotDependOnCallsBefore) {
  Scratch scratch;
  const auto vectors = codec_testing::lzss_vectors();
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

TEST(LzssDecode, AnyBytesDecodeTheSameIntoAnyMemory) {
  codec_testing::Random random(5);
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

TEST(LzssDecode, TheBoundIsReachedAndHolds) {
  // Only references of the greatest length: no stream gives more.
  for (std::size_t packed_bytes = 0; packed_bytes <= 100; ++packed_bytes) {
    Buffer packed(packed_bytes, 0xFF);
    for (std::size_t index = 0; index < packed_bytes; index += 17) {
      packed[index] = 0;
    }
    if (packed_bytes % 17 % 2 == 0 && packed_bytes % 17 != 0) {
      // The odd byte at the end is of use only as a literal.
      packed[packed_bytes / 17 * 17] = static_cast<std::uint8_t>(1U << (packed_bytes % 17 - 2) / 2);
    }
    const auto bound = static_cast<std::size_t>(max_decoded_bytes(packed_bytes));
    EXPECT_TRUE(decoded(packed, bound).result.has_value()) << packed_bytes;
    EXPECT_FALSE(decoded(packed, bound + 1).result.has_value()) << packed_bytes;
  }
  EXPECT_EQ(max_decoded_bytes(17), 144U);
  EXPECT_EQ(max_decoded_bytes(0xFFFF'FFFF), 36'380'899'440U);
  EXPECT_EQ(max_decoded_bytes(~std::uint64_t{0}), ~std::uint64_t{0});
}

TEST(LzssDecode, DecodesStreamsOfOldArchivers) {
  for (const auto& stream : codec_testing::kSharedStreams) {
    if (!stream.is_lzss) {
      continue;
    }
    const auto packed = codec_testing::read_shared_stream(stream);
    if (!packed) {
      GTEST_SKIP() << "the shared test data is absent; set ASSAY_SHARED";
    }
    const Outcome outcome = decoded(*packed, stream.size);
    ASSERT_TRUE(outcome.result.has_value()) << stream.file;
    EXPECT_EQ(codec_testing::sha256(outcome.output), stream.sha256) << stream.file;
    EXPECT_EQ(outcome.result->used_bytes, packed->size()) << stream.file;
  }
}

TEST(LzssEncode, DecodesToWhatWasEncoded) {
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

TEST(LzssEncode, LevelZeroWritesLiteralsOnly) {
  EncodeScratch scratch;
  Buffer packed;
  encode(Buffer(16, 0x20), kNoMatchesLevel, scratch, packed);
  EXPECT_EQ(packed, joined(joined(hex("FF"), Buffer(8, 0x20)), joined(hex("FF"), Buffer(8, 0x20))));
}

TEST(LzssEncode, AppendsAndIsRepeatable) {
  EncodeScratch scratch;
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kWords, 5000, 9);
  Buffer alone;
  encode(plain, kDefaultLevel, scratch, alone);
  Buffer appended = {1, 2, 3};
  encode(plain, kDefaultLevel, scratch, appended);
  EXPECT_EQ(appended, joined({1, 2, 3}, alone));
}

TEST(LzssEncode, MatchesAndLevelsMakeStreamsShorter) {
  EncodeScratch scratch;
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kWords, 70000, 9);
  std::size_t shorter_than = plain.size();
  for (const unsigned level : {1U, 6U, 9U, 10U}) {
    Buffer packed;
    encode(plain, Level(level), scratch, packed);
    EXPECT_LT(packed.size(), shorter_than) << "level " << level;
    shorter_than = packed.size();
  }
}

// The size of the shortest stream for `plain`, found by trying every length at every distance.
std::size_t shortest_stream_bytes(const Buffer& plain) {
  const Buffer text = joined(codec_testing::spaces(kWindowBytes), plain);
  std::vector<std::size_t> bits(plain.size() + 1, 0);
  for (std::size_t position = plain.size(); position-- > 0;) {
    bits[position] = 9 + bits[position + 1];
    const std::size_t here = kWindowBytes + position;
    for (std::size_t distance = 1; distance <= kWindowBytes; ++distance) {
      for (std::size_t length = 1; length <= kMaxMatchBytes && position + length <= plain.size(); ++length) {
        if (text[here + length - 1] != text[here + length - 1 - distance]) {
          break;
        }
        if (length >= kMinMatchBytes) {
          bits[position] = std::min(bits[position], 17 + bits[position + length]);
        }
      }
    }
  }
  return (bits[0] + 7) / 8;
}

TEST(LzssEncode, TheHighestLevelsGiveTheShortestStream) {
  EncodeScratch scratch;
  for (unsigned kind = 0; kind < static_cast<unsigned>(codec_testing::Kind::kCount); ++kind) {
    for (const std::size_t size : {1U, 10U, 100U, 700U}) {
      const Buffer plain = codec_testing::make_data(static_cast<codec_testing::Kind>(kind), size, kind + size);
      for (const unsigned level : {kShortestLevel.value(), Level::kHighest}) {
        Buffer packed;
        encode(plain, Level(level), scratch, packed);
        EXPECT_EQ(packed.size(), shortest_stream_bytes(plain)) << "kind " << kind << ", " << size << " bytes";
      }
    }
  }
}

TEST(LzssEncode, NoLevelIsShorterThanTheShortest) {
  EncodeScratch scratch;
  for (const auto& sample : codec_testing::samples()) {
    Buffer shortest;
    encode(sample.bytes, kShortestLevel, scratch, shortest);
    Buffer packed;
    encode(sample.bytes, Level(9), scratch, packed);
    EXPECT_LE(shortest.size(), packed.size()) << sample.name;
  }
}

}  // namespace
}  // namespace assay::lzss
