#include "parsers/codecs/xor_stream/xor_stream.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "parsers/codecs/codec_test_support.h"

namespace assay {
namespace {

using codec_testing::hex;
using codec_testing::text_bytes;

Buffer transformed(std::uint16_t key, Bytes in) {
  Buffer out(in.size());
  xor_stream::apply(key, in, out);
  return out;
}

// What the transform adds to the data: the transform of zeros.
Buffer key_stream(std::uint16_t key, std::size_t size) {
  return transformed(key, Buffer(size, 0));
}

// The transform as docs/formats/codecs.md, B3, states it, byte by byte.
Buffer transformed_plainly(std::uint16_t key, Bytes in) {
  unsigned low = key & 0xFFU;
  unsigned high = key >> 8U;
  Buffer out;
  for (const std::uint8_t byte : in) {
    low = (high ^ low << 1U) & 0xFFU;
    high = (low ^ high >> 1U) & 0xFFU;
    out.push_back(static_cast<std::uint8_t>(byte ^ low));
  }
  return out;
}

TEST(XorStream, IsThePlainTransformForEveryKey) {
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kNoise, 100, 5);
  for (unsigned key = 0; key < 0x10000; ++key) {
    const auto key16 = static_cast<std::uint16_t>(key);
    ASSERT_EQ(transformed(key16, plain), transformed_plainly(key16, plain)) << "key " << key;
  }
}

TEST(XorStream, IsThePlainTransformForEverySize) {
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kNoise, 40'000, 6);
  for (const std::uint16_t key : std::array<std::uint16_t, 4>{0x0000, 0x0080, 0x1234, 0xFFFF}) {
    const Buffer expected = transformed_plainly(key, plain);
    for (std::size_t size = 0; size <= plain.size(); size += size < 300 ? 1 : 97) {
      // Memory of exactly that size, for the address sanitizer.
      const Buffer in(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(size));
      ASSERT_TRUE(equal_bytes(transformed(key, in), Bytes(expected).first(size))) << "key " << key << ", " << size;
    }
  }
}

TEST(XorStream, IsOneRunOverPiecesOfAnySize) {
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kNoise, 200'000, 7);
  const Buffer expected = transformed_plainly(0x9A3C, plain);
  codec_testing::Random random(8);
  for (unsigned round = 0; round < 20; ++round) {
    Buffer bytes = plain;
    xor_stream::Stream stream(0x9A3C);
    for (std::size_t offset = 0; offset < bytes.size();) {
      const std::size_t size = std::min(random.below(round % 2 == 0 ? 30'000 : 100), bytes.size() - offset);
      const MutableBytes piece = MutableBytes(bytes).subspan(offset, size);
      stream.apply(piece, piece);
      offset += size;
    }
    ASSERT_EQ(bytes, expected);
  }
}

TEST(XorStream, GivesTheKnownKeyStreams) {
  struct Row {
    std::uint16_t key;
    const char* stream;
  };
  const std::array<Row, 6> rows = {{
      {0x0000, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
      {0x0001, "02 06 0B 1E 26 67 BC FD 45 90 BD 89 E2 5E AF F8"},
      {0x00FF, "FE 02 79 B5 FC 4F 8A 94 FC 6E F9 19 5E D4 48 A8"},
      {0x1234, "7A 87 B0 8F E6 56 B7 D4 21 27 5B E7 01 64 9F 8A"},
      {0x9A3C, "E2 6B EA 20 1A 03 1E 2E 7B 9E 96 EF 50 B7 D2 28"},
      {0xABCD, "31 06 38 52 E7 08 7B B8 EF 7E D2 61 C1 42 A6 FB"},
  }};
  for (const Row& row : rows) {
    EXPECT_EQ(key_stream(row.key, 16), hex(row.stream)) << "key " << row.key;
  }
}

TEST(XorStream, TransformsTheKnownTexts) {
  EXPECT_EQ(transformed(0x1234, hex("00 01 02 03")), hex("7A 86 B2 8C"));
  EXPECT_EQ(transformed(1, text_bytes("secret")), hex("71 63 68 6C 43 13"));
  EXPECT_EQ(transformed(0x0017, text_bytes("secret")), hex("5D 17 E2 C3 EF 9E"));
}

TEST(XorStream, TransformsAWholeTableRow) {
  // Name "A", stored, unpacked 3, offset 64, packed 3.
  const Buffer plain =
      hex("41 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
          "00 00 00 00 03 00 00 00 40 00 00 00 03 00 00 00");
  const Buffer disk =
      hex("3B 87 B0 8F E6 56 B7 D4 21 27 5B E7 01 64 9F 8A"
          "C4 24 3A 77 9B 93 E4 4D D5 B8 81 FB 72 D0 69 DF");
  EXPECT_EQ(transformed(0x1234, plain), disk);
  EXPECT_EQ(transformed(0x1234, disk), plain);
}

TEST(XorStream, IsItsOwnInverseInPlace) {
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kNoise, 10000, 1);
  for (unsigned key = 0; key < 0x10000; key += 251) {
    Buffer bytes = plain;
    xor_stream::apply(static_cast<std::uint16_t>(key), bytes, bytes);
    xor_stream::apply(static_cast<std::uint16_t>(key), bytes, bytes);
    ASSERT_EQ(bytes, plain) << "key " << key;
  }
}

TEST(XorStream, IsOneRunOverItsPieces) {
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kNoise, 1000, 2);
  const Buffer whole = transformed(0xABCD, plain);
  for (std::size_t piece_bytes = 0; piece_bytes <= plain.size(); ++piece_bytes) {
    Buffer out(plain.size());
    xor_stream::Stream stream(0xABCD);
    stream.apply(Bytes(plain).first(piece_bytes), MutableBytes(out).first(piece_bytes));
    stream.apply(Bytes(plain).subspan(piece_bytes), MutableBytes(out).subspan(piece_bytes));
    ASSERT_EQ(out, whole) << "first piece " << piece_bytes;
  }
}

TEST(XorStream, OnlyTwoKeysChangeNothing) {
  std::vector<unsigned> zero_keys;
  for (unsigned key = 0; key < 0x10000; ++key) {
    if (all_zero(key_stream(static_cast<std::uint16_t>(key), 64))) {
      zero_keys.push_back(key);
    }
  }
  EXPECT_EQ(zero_keys, (std::vector<unsigned>{0x0000, 0x0080}));
  EXPECT_TRUE(all_zero(key_stream(0x0080, 100000)));
}

TEST(XorStream, HasThePeriod4681) {
  constexpr std::size_t kPeriod = 4681;  // 31 * 151
  for (const std::uint16_t key : std::array<std::uint16_t, 4>{0x0001, 0x0002, 0x1234, 0xFFFF}) {
    const Buffer stream = key_stream(key, 3 * kPeriod);
    const auto repeats_after = [&](std::size_t distance) {
      return std::equal(stream.begin() + static_cast<std::ptrdiff_t>(distance), stream.end(), stream.begin());
    };
    EXPECT_TRUE(repeats_after(kPeriod)) << "key " << key;
    EXPECT_FALSE(repeats_after(31)) << "key " << key;
    EXPECT_FALSE(repeats_after(151)) << "key " << key;
  }
}

TEST(XorStream, EveryKeyRepeatsAfter4681BytesFromTheSecondOn) {
  constexpr std::size_t kPeriod = 4681;
  for (unsigned key = 0; key < 0x10000; key += 61) {
    const Buffer stream = key_stream(static_cast<std::uint16_t>(key), 2 * kPeriod);
    ASSERT_TRUE(std::equal(stream.begin() + 1 + kPeriod, stream.end(), stream.begin() + 1)) << "key " << key;
  }
}

TEST(XorStream, AcceptsNothing) {
  xor_stream::apply(0x1234, {}, {});
  Buffer out(1);
  xor_stream::Stream stream(0x1234);
  stream.apply({}, {});
  stream.apply(Buffer{0}, out);
  EXPECT_EQ(out, hex("7A"));
}

}  // namespace
}  // namespace assay
