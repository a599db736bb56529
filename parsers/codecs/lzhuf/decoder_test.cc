#include "parsers/codecs/lzhuf/decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "parsers/codecs/codec_test_support.h"
#include "parsers/codecs/lzhuf/textbook.h"
#include "synth/lzhuf_stream.h"

// Every design of the decoder does exactly what the textbook decoder does.
namespace assay::lzhuf {
namespace {

// Memory of exactly the size, so that the address sanitizer sees an access outside.
struct Exact {
  explicit Exact(std::size_t size, std::uint8_t fill = 0xAA)
      : bytes(std::make_unique<std::uint8_t[]>(size)), view(bytes.get(), size) {
    std::fill(view.begin(), view.end(), fill);
  }
  std::unique_ptr<std::uint8_t[]> bytes;
  MutableBytes view;
};

// The first difference between a design and the textbook decoder, or nothing.
std::string difference(Bytes packed, std::size_t size, std::span<const NamedTreeDesign> designs = kTreeDesigns) {
  static textbook::Scratch reference;
  static Scratch scratch;
  Exact input(packed.size());
  std::copy(packed.begin(), packed.end(), input.view.begin());
  Exact expected(size);
  const auto wanted = textbook::decode(input.view, expected.view, reference);
  for (const auto& [name, design] : designs) {
    Exact output(size, 0x55);
    const auto got = decode_with(design, input.view, output.view, scratch);
    if (got.has_value() != wanted.has_value()) {
      return std::string(name) + ": only one of them succeeds";
    }
    if (got ? got->used_bytes != wanted->used_bytes
            : got.error().code != wanted.error().code || got.error().offset != wanted.error().offset ||
                  got.error().local_offset != wanted.error().local_offset ||
                  got.error().expected.bits != wanted.error().expected.bits ||
                  got.error().got.bits != wanted.error().got.bits) {
      return std::string(name) + ": another report";
    }
    const std::size_t produced = wanted ? size : static_cast<std::size_t>(wanted.error().got.bits);
    if (!std::equal(output.view.begin(), output.view.begin() + static_cast<std::ptrdiff_t>(produced),
                    expected.view.begin())) {
      return std::string(name) + ": another output";
    }
  }
  return {};
}

TEST(LzhufDesigns, AgreeOnTheVectorsCutAnywhere) {
  for (const auto& vector : codec_testing::lzhuf_vectors()) {
    for (std::size_t kept = 0; kept <= vector.packed.size(); ++kept) {
      for (std::size_t size = 0; size <= vector.plain.size() + 3; ++size) {
        ASSERT_EQ(difference(Bytes(vector.packed).first(kept), size), "") << vector.shows;
      }
    }
  }
}

TEST(LzhufDesigns, AgreeOnEncodedData) {
  EncodeScratch scratch;
  for (const auto& sample : codec_testing::samples()) {
    for (const unsigned level : {0U, 1U, 9U}) {
      Buffer packed;
      encode(sample.bytes, Level(level), scratch, packed);
      ASSERT_EQ(difference(packed, sample.bytes.size()), "") << sample.name << ", level " << level;
    }
  }
}

TEST(LzhufDesigns, AgreeOnEveryPrefixAndEverySize) {
  EncodeScratch scratch;
  for (unsigned kind = 0; kind < static_cast<unsigned>(codec_testing::Kind::kCount); ++kind) {
    const Buffer plain = codec_testing::make_data(static_cast<codec_testing::Kind>(kind), 900, kind);
    Buffer packed;
    encode(plain, Level(6), scratch, packed);
    for (std::size_t kept = 0; kept <= packed.size(); ++kept) {
      ASSERT_EQ(difference(Bytes(packed).first(kept), plain.size()), "") << "kind " << kind << ", " << kept << " kept";
    }
    packed.insert(packed.end(), 20, 0xFF);
    for (std::size_t size = 0; size <= plain.size(); ++size) {
      ASSERT_EQ(difference(packed, size), "") << "kind " << kind << ", " << size << " bytes";
    }
  }
}

TEST(LzhufDesigns, AgreeOnRandomBits) {
  codec_testing::Random random(21);
  for (unsigned round = 0; round < 1500; ++round) {
    Buffer packed(random.below(400));
    std::generate(packed.begin(), packed.end(), [&] { return random.byte(); });
    ASSERT_EQ(difference(packed, random.below(1500)), "") << "round " << round;
  }
  for (unsigned round = 0; round < 8; ++round) {
    Buffer packed(120'000);
    std::generate(packed.begin(), packed.end(), [&] { return random.byte(); });
    ASSERT_EQ(difference(packed, 100'000 + 50'000 * round), "") << "round " << round;
  }
}

TEST(LzhufDesigns, AgreeOnBitsOfUnevenChance) {
  // Mostly zeros or mostly ones: deep and shallow codes, many rebuilds.
  codec_testing::Random random(22);
  for (unsigned round = 0; round < 8; ++round) {
    Buffer packed(60'000);
    const std::uint8_t flip = round % 2 == 0 ? 0x00 : 0xFF;
    for (auto& byte : packed) {
      std::uint8_t bits = random.byte();
      for (unsigned thinner = 0; thinner < round / 2; ++thinner) {
        bits = static_cast<std::uint8_t>(bits & random.byte());
      }
      byte = bits ^ flip;
    }
    ASSERT_EQ(difference(packed, 700'000), "") << "round " << round;
  }
}

TEST(LzhufDesigns, AgreeOnHostileStreams) {
  for (const auto& [name, stream] : synth::hostile_lzhuf_streams(70'000)) {
    ASSERT_EQ(difference(stream.packed(), stream.size_bytes()), "") << name;
  }
}

TEST(LzhufDesigns, AgreeAroundRebuilds) {
  // The first rebuild comes at symbol 32,455, the next ones at most every 16,000 symbols. The end of the stream, where
  // bits are read one by one, is moved across them.
  codec_testing::Random random(23);
  synth::LzhufStream stream;
  std::vector<std::size_t> sizes;
  for (unsigned index = 0; index < 66'000; ++index) {
    stream.literal(static_cast<unsigned>(random.below(1 + random.below(256))));
  }
  for (std::size_t size = 32'440; size < 32'620; ++size) {
    sizes.push_back(size);
  }
  for (std::size_t size = 48'600; size < 66'000; size += 97) {
    sizes.push_back(size);
  }
  for (const std::size_t size : sizes) {
    ASSERT_EQ(difference(stream.packed(), size, std::span(kTreeDesigns).first(1)), "") << size << " bytes";
  }
}

TEST(LzhufDesigns, AgreeOnMatchesOfEveryDistanceAndLength) {
  // Also those that reach in front of the output, wholly or in part.
  for (const std::size_t literals : {0U, 1U, 5U, 100U, 5000U}) {
    synth::LzhufStream stream;
    codec_testing::Random random(literals);
    for (std::size_t index = 0; index < literals; ++index) {
      stream.literal(random.byte());
    }
    for (unsigned position = 0; position < kRingBytes; position += position < 80 ? 1 : 61) {
      for (unsigned length = kMinMatchBytes; length <= kMaxMatchBytes; length += position < 80 ? 1 : 19) {
        stream.match(length, position);
        stream.literal(random.byte());
      }
    }
    ASSERT_EQ(difference(stream.packed(), stream.size_bytes()), "") << literals << " literals first";
  }
}

TEST(LzhufDesigns, DoNotDependOnWhatTheMemoryHeld) {
  const Buffer plain = codec_testing::rebuild_vector_plain();
  EncodeScratch encode_scratch;
  Buffer packed;
  encode(plain, Level(6), encode_scratch, packed);
  for (const auto& [name, design] : kTreeDesigns) {
    const auto scratch = std::make_unique<Scratch>();
    scratch->fill(0xEE);
    Buffer output(plain.size());
    ASSERT_TRUE(decode_with(design, packed, output, *scratch).has_value()) << name;
    EXPECT_EQ(output, plain) << name;
  }
}

}  // namespace
}  // namespace assay::lzhuf
