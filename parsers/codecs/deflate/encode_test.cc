#include <libdeflate.h>
#include <zlib.h>

#include <cstdlib>
#include <optional>

#include "parsers/codecs/deflate/deflate_test_support.h"

// The encoder, what other libraries make of its streams, and scratches without memory.
namespace assay::deflate {
namespace {

using codec_testing::hex;
using codec_testing::joined;
using codec_testing::text_bytes;

// While one lives, libdeflate gets no memory.
struct NoMemory {
  NoMemory() {
    libdeflate_set_memory_allocator([](std::size_t) -> void* { return nullptr; }, std::free);
  }
  ~NoMemory() { libdeflate_set_memory_allocator(std::malloc, std::free); }
  NoMemory(const NoMemory&) = delete;
  NoMemory& operator=(const NoMemory&) = delete;
};

TEST(DeflateScratch, WithoutMemoryTheDecoderRefusesEverything) {
  std::optional<Scratch> scratch;
  {
    const NoMemory none;
    scratch.emplace();
  }
  Buffer output(3);
  const auto result = decode(hex("4B 4C 4A 06 00"), output, {}, *scratch);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, Code::kInternal);
}

TEST(DeflateScratch, WithoutMemoryTheEncoderWritesStoredBlocks) {
  const NoMemory none;
  EncodeScratch scratch;
  Buffer packed;
  encode(text_bytes("abc"), kDefaultLevel, scratch, packed);
  EXPECT_EQ(packed, hex("01 03 00 FC FF 61 62 63"));
}

// What zlib alone makes of a raw stream.
std::optional<Buffer> zlib_inflated(Bytes packed, std::size_t size) {
  Buffer output(size + 1);
  Buffer input(packed.begin(), packed.end());
  z_stream stream{};
  if (inflateInit2(&stream, -15) != Z_OK) {
    return std::nullopt;
  }
  stream.next_in = input.data();
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = output.data();
  stream.avail_out = static_cast<uInt>(output.size());
  const int status = inflate(&stream, Z_FINISH);
  output.resize(stream.total_out);
  inflateEnd(&stream);
  return status == Z_STREAM_END ? std::optional(output) : std::nullopt;
}

// What libdeflate alone makes of it.
std::optional<Buffer> libdeflate_inflated(Bytes packed, std::size_t size) {
  Buffer output(size);
  libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
  const auto verdict =
      libdeflate_deflate_decompress(decompressor, packed.data(), packed.size(), output.data(), output.size(), nullptr);
  libdeflate_free_decompressor(decompressor);
  return verdict == LIBDEFLATE_SUCCESS ? std::optional(output) : std::nullopt;
}

TEST(DeflateEncode, BothLibrariesAndThisDecoderGiveTheDataBack) {
  EncodeScratch scratch;
  for (unsigned level = 0; level <= Level::kHighest; ++level) {
    for (const auto& sample : codec_testing::samples()) {
      Buffer packed;
      encode(sample.bytes, Level(level), scratch, packed);
      SCOPED_TRACE(testing::Message() << sample.name << ", level " << level);
      expect_clean(decoded(packed, sample.bytes.size()), sample.bytes, packed.size());
      ASSERT_EQ(zlib_inflated(packed, sample.bytes.size()), sample.bytes);
      ASSERT_EQ(libdeflate_inflated(packed, sample.bytes.size()), sample.bytes);
    }
  }
}

TEST(DeflateEncode, LevelZeroWritesStoredBlocks) {
  EncodeScratch scratch;
  Buffer packed;
  encode(text_bytes("abc"), kNoMatchesLevel, scratch, packed);
  EXPECT_EQ(packed, hex("01 03 00 FC FF 61 62 63"));
  packed.clear();
  encode(Buffer(0xFFFF + 1, 'x'), kNoMatchesLevel, scratch, packed);
  EXPECT_EQ(packed.size(), 5U + 0xFFFF + 5 + 1);
}

TEST(DeflateEncode, AppendsAndIsRepeatable) {
  EncodeScratch scratch;
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kWords, 5000, 9);
  for (const unsigned level : {0U, 1U, 6U, 12U}) {
    Buffer alone;
    encode(plain, Level(level), scratch, alone);
    Buffer appended = {1, 2, 3};
    encode(plain, Level(level), scratch, appended);
    EXPECT_EQ(appended, joined({1, 2, 3}, alone));
  }
}

// One scratch for all of them: it holds the compressor of the level before.
TEST(DeflateEncode, AHigherLevelPacksTighter) {
  EncodeScratch scratch;
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kWords, 50'000, 9);
  std::size_t last_bytes = plain.size() * 2;
  for (const unsigned level : {0U, 1U, 6U, 12U}) {
    Buffer packed;
    encode(plain, Level(level), scratch, packed);
    EXPECT_LT(packed.size(), last_bytes) << "level " << level;
    last_bytes = packed.size();
  }
}

}  // namespace
}  // namespace assay::deflate
