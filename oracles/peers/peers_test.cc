#include <gtest/gtest.h>

#include "oracles/peers/lhasa_peer.h"
#include "oracles/peers/mspack_peer.h"
#include "parsers/codecs/codec_test_support.h"
#include "parsers/codecs/lzhuf/lzhuf.h"
#include "parsers/codecs/lzss/lzss.h"

namespace assay::peers {
namespace {

using codec_testing::Kind;
using codec_testing::make_data;

std::optional<Buffer> own_lzss(Bytes packed, std::size_t size) {
  static lzss::Scratch scratch;
  Buffer output(size);
  return lzss::decode(packed, output, scratch) ? std::optional(output) : std::nullopt;
}

std::optional<Buffer> own_lzhuf(Bytes packed, std::size_t size) {
  static lzhuf::Scratch scratch;
  Buffer output(size);
  return lzhuf::decode(packed, output, scratch) ? std::optional(output) : std::nullopt;
}

TEST(MspackPeer, DecodesTheVectors) {
  for (const auto& vector : codec_testing::lzss_vectors()) {
    EXPECT_EQ(mspack_lzss(vector.packed, vector.plain.size()), vector.plain) << vector.shows;
  }
}

TEST(MspackPeer, GivesNothingForTooFewBytes) {
  EXPECT_EQ(mspack_lzss(codec_testing::hex("07 41 42 43"), 4), std::nullopt);
  EXPECT_EQ(mspack_lzss({}, 1), std::nullopt);
  EXPECT_EQ(mspack_lzss({}, 0), Buffer{});
}

TEST(MspackPeer, DecodesWhatOurEncoderWrites) {
  lzss::EncodeScratch scratch;
  for (const auto& sample : codec_testing::samples()) {
    for (const unsigned level : {0U, 1U, 6U, 9U}) {
      Buffer packed;
      lzss::encode(sample.bytes, Level(level), scratch, packed);
      ASSERT_EQ(mspack_lzss(packed, sample.bytes.size()), sample.bytes) << sample.name << ", level " << level;
    }
  }
}

TEST(MspackPeer, AgreesOnAnyBytes) {
  codec_testing::Random random(21);
  for (int round = 0; round < 500; ++round) {
    const Buffer packed = make_data(Kind::kNoise, 1 + random.below(3000), random.next());
    // As many bytes as surely come: one for two packed bytes is always there.
    const std::size_t size = packed.size() / 2;
    const auto own = own_lzss(packed, size);
    ASSERT_TRUE(own.has_value());
    ASSERT_EQ(mspack_lzss(packed, size), own) << "round " << round;
  }
}

TEST(MspackPeer, DecodesStreamsOfOldArchivers) {
  for (const auto& stream : codec_testing::kSharedStreams) {
    if (!stream.is_lzss) {
      continue;
    }
    const auto packed = codec_testing::read_shared_stream(stream);
    if (!packed) {
      GTEST_SKIP() << "the shared test data is absent; set ASSAY_SHARED";
    }
    EXPECT_EQ(mspack_lzss(*packed, stream.size), own_lzss(*packed, stream.size)) << stream.file;
  }
}

TEST(LhasaPeer, DecodesTheVectors) {
  for (const auto& vector : codec_testing::lzhuf_vectors()) {
    EXPECT_EQ(lhasa_lzhuf(vector.packed, vector.plain.size()), vector.plain) << vector.shows;
  }
}

TEST(LhasaPeer, GivesNothingForTooFewBytes) {
  EXPECT_EQ(lhasa_lzhuf(codec_testing::hex("00"), 2), std::nullopt);
  EXPECT_EQ(lhasa_lzhuf({}, 1), std::nullopt);
  EXPECT_EQ(lhasa_lzhuf({}, 0), Buffer{});
}

TEST(LhasaPeer, DecodesWhatOurEncoderWrites) {
  lzhuf::EncodeScratch scratch;
  for (const auto& sample : codec_testing::samples()) {
    for (const unsigned level : {0U, 1U, 6U, 9U}) {
      Buffer packed;
      lzhuf::encode(sample.bytes, Level(level), scratch, packed);
      ASSERT_EQ(lhasa_lzhuf(packed, sample.bytes.size()), sample.bytes) << sample.name << ", level " << level;
    }
  }
}

TEST(LhasaPeer, DecodesTheRebuildVector) {
  const Buffer plain = codec_testing::rebuild_vector_plain();
  lzhuf::EncodeScratch scratch;
  Buffer packed;
  lzhuf::encode(plain, kNoMatchesLevel, scratch, packed);
  EXPECT_EQ(lhasa_lzhuf(packed, plain.size()), plain);
}

TEST(LhasaPeer, AgreesOnAnyBytesOverRebuilds) {
  codec_testing::Random random(22);
  for (const std::size_t packed_bytes : {10U, 100U, 1000U, 10000U, 100000U}) {
    for (int round = 0; round < 10; ++round) {
      const Buffer packed = make_data(Kind::kNoise, packed_bytes, random.next());
      // Noise gives nearly five bytes for one, so a long stream is long enough; a short one may fail in both.
      const std::size_t size = packed_bytes * 3;
      const auto own = own_lzhuf(packed, size);
      ASSERT_TRUE(own.has_value() || packed_bytes < 10000);
      ASSERT_EQ(lhasa_lzhuf(packed, size), own) << packed_bytes << " bytes, round " << round;
    }
  }
}

TEST(LhasaPeer, AgreesOnAllZeroAndAllOneBits) {
  for (const std::uint8_t byte : Buffer{0x00, 0xFF}) {
    const Buffer packed(200000, byte);
    const auto own = own_lzhuf(packed, 800000);  // more than 100,000 symbols
    ASSERT_TRUE(own.has_value());
    EXPECT_EQ(lhasa_lzhuf(packed, 800000), own);
  }
}

TEST(LhasaPeer, DecodesStreamsOfOldArchivers) {
  for (const auto& stream : codec_testing::kSharedStreams) {
    if (stream.is_lzss) {
      continue;
    }
    const auto packed = codec_testing::read_shared_stream(stream);
    if (!packed) {
      GTEST_SKIP() << "the shared test data is absent; set ASSAY_SHARED";
    }
    EXPECT_EQ(lhasa_lzhuf(*packed, stream.size), own_lzhuf(*packed, stream.size)) << stream.file;
  }
}

}  // namespace
}  // namespace assay::peers
