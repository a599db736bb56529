#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parsers/codecs/codec_test_support.h"
#include "parsers/codecs/lzss/lzss.h"
#include "parsers/codecs/lzss/textbook.h"

// Every path of the decoder against the plain decoder on the same streams: output, used bytes, errors.
namespace assay::lzss {
namespace {

using codec_testing::Random;

// Writes streams item by item.
class StreamBuilder {
 public:
  void literal(std::uint8_t byte) {
    begin_item(true);
    packed_.push_back(byte);
    produced_ += 1;
  }
  void reference(std::size_t distance, std::size_t length_bytes) {
    begin_item(false);
    const std::size_t ring_index = (kFirstWrite + produced_ - distance) % kWindowBytes;
    packed_.push_back(static_cast<std::uint8_t>(ring_index & 0xFF));
    packed_.push_back(static_cast<std::uint8_t>((ring_index >> 4 & 0xF0) | (length_bytes - kMinMatchBytes)));
    produced_ += length_bytes;
  }
  [[nodiscard]] std::size_t produced_bytes() const { return produced_; }
  [[nodiscard]] const Buffer& packed() const { return packed_; }

 private:
  void begin_item(bool is_literal) {
    if (items_ % kItemsPerFlagByte == 0) {
      flag_index_ = packed_.size();
      packed_.push_back(0);
    }
    if (is_literal) {
      packed_[flag_index_] = static_cast<std::uint8_t>(packed_[flag_index_] | 1U << items_ % kItemsPerFlagByte);
    }
    ++items_;
  }

  Buffer packed_;
  std::size_t items_ = 0;
  std::size_t flag_index_ = 0;
  std::size_t produced_ = 0;
};

// What a random stream is made of.
struct Mixture {
  const char* name;
  unsigned literals_in_100;
  std::size_t nearest;
  std::size_t farthest;
  std::size_t shortest;
  std::size_t longest;
};
constexpr Mixture kMixtures[] = {
    {"anything", 40, 1, 4096, 3, 18},
    {"literals only", 100, 1, 1, 3, 3},
    {"almost only literals", 97, 1, 4096, 3, 18},
    {"references only", 0, 1, 4096, 3, 18},
    {"the longest references", 0, 1, 4096, 18, 18},
    {"lengths around a vector", 10, 1, 40, 15, 18},
    {"overlapping themselves", 20, 1, 17, 3, 18},
    {"like vertices", 60, 12, 12, 3, 9},
    {"runs of a colour", 5, 2, 2, 18, 18},
    {"around a vector", 30, 14, 19, 3, 18},
    {"the farthest", 20, 4094, 4096, 3, 18},
    {"half near, half far", 30, 1, 33, 3, 18},
};

Buffer random_stream(const Mixture& mixture, std::size_t size_bytes, std::uint64_t seed) {
  Random random(seed);
  StreamBuilder builder;
  while (builder.produced_bytes() < size_bytes) {
    if (random.below(100) < mixture.literals_in_100) {
      builder.literal(random.byte());
    } else {
      builder.reference(mixture.nearest + random.below(mixture.farthest - mixture.nearest + 1),
                        mixture.shortest + random.below(mixture.longest - mixture.shortest + 1));
    }
  }
  return builder.packed();
}

// Decodes with exactly as much memory as the stream and the output have, so that the address sanitizer sees every byte
// too many.
void expect_equal_to_textbook(Bytes packed, std::size_t size_bytes) {
  const Buffer input(packed.begin(), packed.end());
  Buffer expected_output(size_bytes, 0xA5);
  const auto expected = textbook::decode(input, expected_output);
  for (const Path path : kPaths) {
    if (!is_available(path)) {
      continue;
    }
    SCOPED_TRACE(testing::Message() << "path " << static_cast<int>(path) << ", " << packed.size() << " packed, "
                                    << size_bytes << " unpacked");
    Scratch scratch;
    scratch.window.fill(0xEE);
    Buffer output(size_bytes, 0x5A);
    const auto decoded = decode_with(path, input, output, scratch);
    ASSERT_EQ(decoded.has_value(), expected.has_value());
    if (decoded) {
      ASSERT_EQ(decoded->used_bytes, expected->used_bytes);
      ASSERT_EQ(output, expected_output);
      continue;
    }
    ASSERT_EQ(decoded.error().code, expected.error().code);
    ASSERT_EQ(decoded.error().local_offset, expected.error().local_offset);
    ASSERT_EQ(decoded.error().expected.bits, expected.error().expected.bits);
    ASSERT_EQ(decoded.error().got.bits, expected.error().got.bits);
  }
}

TEST(LzssPaths, TheScalarPathIsAlwaysThere) {
  EXPECT_TRUE(is_available(Path::kScalar));
}

TEST(LzssPaths, AgreeOnWhatTheEncoderWrites) {
  EncodeScratch scratch;
  for (const auto& sample : codec_testing::samples()) {
    for (const unsigned level : {0U, 6U, 12U}) {
      Buffer packed;
      encode(sample.bytes, Level(level), scratch, packed);
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_textbook(packed, sample.bytes.size())) << sample.name;
    }
  }
}

TEST(LzssPaths, AgreeOnRandomStreamsOfEveryMixture) {
  Random random(11);
  for (const Mixture& mixture : kMixtures) {
    for (unsigned round = 0; round < 60; ++round) {
      const std::size_t size_bytes = 1 + random.below(round % 4 == 0 ? 40'000 : 6'000);
      const Buffer packed = random_stream(mixture, size_bytes, random.next());
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_textbook(packed, size_bytes)) << mixture.name;
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_textbook(packed, random.below(2 * size_bytes))) << mixture.name;
    }
  }
}

TEST(LzssPaths, AgreeOnAnyBytes) {
  Random random(12);
  for (unsigned round = 0; round < 400; ++round) {
    const Buffer packed = codec_testing::make_data(codec_testing::Kind::kNoise, random.below(3'000), random.next());
    ASSERT_NO_FATAL_FAILURE(expect_equal_to_textbook(packed, random.below(12'000)));
  }
}

TEST(LzssPaths, AgreeOnEveryDeclaredSize) {
  for (const Mixture& mixture : kMixtures) {
    // Past the opening, which is decoded in the scratch, with two blocks of room.
    const Buffer packed = random_stream(mixture, 9'000, 13);
    for (std::size_t size_bytes = 0; size_bytes < 700; ++size_bytes) {
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_textbook(packed, size_bytes)) << mixture.name;
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_textbook(packed, 3'800 + size_bytes)) << mixture.name;
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_textbook(packed, 8'000 + size_bytes)) << mixture.name;
    }
  }
}

TEST(LzssPaths, AgreeOnEveryTruncation) {
  for (const Mixture& mixture : kMixtures) {
    const Buffer packed = random_stream(mixture, 6'000, 14);
    const std::size_t step = 1 + packed.size() / 1'500;
    for (std::size_t kept = 0; kept < packed.size(); kept += kept < 600 ? 1 : step) {
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_textbook(Bytes(packed).first(kept), 6'000)) << mixture.name;
    }
  }
}

TEST(LzssPaths, AgreeWhereTheKindOfDataChanges) {
  Random random(15);
  for (unsigned round = 0; round < 100; ++round) {
    StreamBuilder builder;
    while (builder.produced_bytes() < 30'000) {
      const Mixture& mixture = kMixtures[random.below(std::size(kMixtures))];
      for (std::size_t items = random.below(400); items > 0; --items) {
        if (random.below(100) < mixture.literals_in_100) {
          builder.literal(random.byte());
        } else {
          builder.reference(mixture.nearest + random.below(mixture.farthest - mixture.nearest + 1),
                            mixture.shortest + random.below(mixture.longest - mixture.shortest + 1));
        }
      }
    }
    ASSERT_NO_FATAL_FAILURE(expect_equal_to_textbook(builder.packed(), builder.produced_bytes()));
  }
}

TEST(LzssPaths, AgreeOnEveryDistanceAndLength) {
  for (std::size_t length = kMinMatchBytes; length <= kMaxMatchBytes; ++length) {
    StreamBuilder builder;
    for (std::size_t distance = 1; distance <= kWindowBytes; distance += distance < 80 ? 1 : 61) {
      builder.literal(static_cast<std::uint8_t>(distance * 7));
      builder.reference(distance, length);
      builder.literal(static_cast<std::uint8_t>(distance * 13 + length));
      builder.reference(distance, length);
    }
    ASSERT_NO_FATAL_FAILURE(expect_equal_to_textbook(builder.packed(), builder.produced_bytes()));
  }
}

}  // namespace
}  // namespace assay::lzss
