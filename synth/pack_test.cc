#include <gtest/gtest.h>
#include <libdeflate.h>
#include <zlib.h>

#include <array>
#include <memory>

#include "parsers/formats/decode_scratch.h"
#include "synth/content.h"
#include "synth/prng.h"
#include "synth/stable_pack.h"

namespace assay::synth {
namespace {

std::vector<Buffer> sample_contents() {
  std::vector<Buffer> samples;
  Prng prng(11);
  for (unsigned kind = 0; kind < static_cast<unsigned>(ContentKind::kCount); ++kind) {
    for (const std::size_t size : {0U, 1U, 2U, 3U, 19U, 61U, 257U, 259U, 4096U, 4100U, 20000U, 20001U, 70000U}) {
      samples.push_back(make_content(static_cast<ContentKind>(kind), size, prng));
    }
  }
  return samples;
}

bool zlib_gives(Bytes packed, Bytes plain) {
  Buffer copy(packed.begin(), packed.end());
  Buffer output(plain.size() + 1);
  z_stream stream{};
  if (inflateInit2(&stream, -15) != Z_OK) {
    return false;
  }
  stream.next_in = copy.data();
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = output.data();
  stream.avail_out = static_cast<uInt>(output.size());
  const int status = inflate(&stream, Z_FINISH);
  const bool is_complete = status == Z_STREAM_END && stream.avail_in == 0 && stream.total_out == plain.size();
  inflateEnd(&stream);
  return is_complete && equal_bytes(Bytes(output).first(plain.size()), plain);
}

bool libdeflate_gives(Bytes packed, Bytes plain) {
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  Buffer output(plain.size() + 1);
  std::size_t used = 0;
  std::size_t written = 0;
  const auto result = libdeflate_deflate_decompress_ex(decompressor.get(), packed.data(), packed.size(), output.data(),
                                                       output.size(), &used, &written);
  return result == LIBDEFLATE_SUCCESS && used == packed.size() && written == plain.size() &&
         equal_bytes(Bytes(output).first(plain.size()), plain);
}

TEST(StablePack, ZlibAndLibdeflateReadEveryKindOfBlock) {
  for (const Buffer& plain : sample_contents()) {
    for (const DeflateBlocks blocks :
         {DeflateBlocks::kStored, DeflateBlocks::kFixed, DeflateBlocks::kDynamic, DeflateBlocks::kMixed}) {
      const Buffer packed = pack_stably(rsli::Method::kDeflate, plain, blocks);
      EXPECT_TRUE(zlib_gives(packed, plain)) << plain.size() << " bytes, blocks " << static_cast<int>(blocks);
      EXPECT_TRUE(libdeflate_gives(packed, plain)) << plain.size() << " bytes, blocks " << static_cast<int>(blocks);
    }
  }
}

TEST(StablePack, OurDecodersReadEveryMethod) {
  const auto scratch = std::make_unique<DecodeScratch>();
  for (const Buffer& plain : sample_contents()) {
    for (const rsli::Method method : {rsli::Method::kStored, rsli::Method::kLzss, rsli::Method::kLzhuf}) {
      const Buffer packed = pack_stably(method, plain);
      const auto decoded = rsli::decode_payload(method, 0, packed, plain.size(), {}, *scratch);
      ASSERT_TRUE(decoded) << rsli::method_text(method) << ", " << plain.size() << " bytes";
      EXPECT_TRUE(equal_bytes(decoded->bytes, plain)) << rsli::method_text(method) << ", " << plain.size() << " bytes";
      EXPECT_EQ(decoded->used_bytes, packed.size());
    }
  }
}

TEST(StablePack, FindsMatches) {
  Prng prng(3);
  const Buffer plain = make_content(ContentKind::kText, 20'000, prng);
  for (const rsli::Method method : {rsli::Method::kLzss, rsli::Method::kLzhuf, rsli::Method::kDeflate}) {
    EXPECT_LT(pack_stably(method, plain).size(), plain.size() * 2 / 3) << rsli::method_text(method);
  }
}

// Packed bytes are pinned here, unlike those of the real encoders, because that they stay is the point of these
// packers: a change of these numbers changes every committed manifest.
TEST(StablePack, OutputIsPinned) {
  Prng prng(5);
  const Buffer plain = make_content(ContentKind::kText, 50'000, prng);
  const auto sum = [&](rsli::Method method) {
    const Buffer packed = pack_stably(method, plain);
    return crc32(0, packed.data(), static_cast<uInt>(packed.size()));
  };
  EXPECT_EQ(crc32(0, plain.data(), static_cast<uInt>(plain.size())), 2'540'907'712U);
  EXPECT_EQ(sum(rsli::Method::kLzss), 3'737'794'686U);
  EXPECT_EQ(sum(rsli::Method::kLzhuf), 1'510'956'060U);
  EXPECT_EQ(sum(rsli::Method::kDeflate), 1'876'827'872U);
}

TEST(Prng, GivesTheKnownSequence) {
  Prng prng(1);
  std::array<std::uint64_t, 3> first{};
  for (std::uint64_t& number : first) {
    number = prng.next();
  }
  EXPECT_EQ(first, (std::array<std::uint64_t, 3>{12'966'619'160'104'079'557U, 9'600'361'134'598'540'522U,
                                                 10'590'380'919'521'690'900U}));
}

TEST(Prng, StaysBelowTheLimitAndReachesEveryValue) {
  Prng prng(2);
  std::array<unsigned, 7> seen{};
  for (int draw = 0; draw < 7'000; ++draw) {
    ++seen.at(prng.index(seen.size()));
  }
  for (const unsigned count : seen) {
    EXPECT_GT(count, 800U);
    EXPECT_LT(count, 1'200U);
  }
}

}  // namespace
}  // namespace assay::synth
