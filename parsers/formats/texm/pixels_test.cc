#include "parsers/formats/texm/pixels.h"

#include <limits>

#include "parsers/formats/format_test_support.h"

namespace assay::texm {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

Rgba decoded(PixelFormat format, std::string_view pixel_hex, Bytes palette = {}) {
  return decode_pixel(format, hex(pixel_hex), palette);
}

TEST(Pixels, DecodeEveryFormat) {
  const struct {
    PixelFormat format;
    // As the bytes lie in the file.
    const char* pixel;
    Rgba expected;
  } rows[] = {
      {PixelFormat::kRgb565, "1f f8", {255, 0, 255, 255}},
      {PixelFormat::kRgb565, "e0 07", {0, 255, 0, 255}},
      {PixelFormat::kRgb565, "e7 1c", {24, 158, 57, 255}},
      {PixelFormat::kRgb556, "c0 07", {0, 255, 0, 255}},
      {PixelFormat::kRgb556, "3f 00", {0, 0, 255, 255}},
      {PixelFormat::kRgb556, "00 f8", {255, 0, 0, 255}},
      {PixelFormat::kArgb4444, "2e f1", {17, 34, 238, 255}},
      {PixelFormat::kArgb4444, "00 80", {0, 0, 0, 136}},
      {PixelFormat::kLuminanceAlpha88, "40 c0", {64, 64, 64, 192}},
      {PixelFormat::kRgb888, "0a 14 1e 28", {30, 20, 10, 255}},
      {PixelFormat::kArgb8888, "0a 14 1e 28", {30, 20, 10, 40}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(decoded(row.format, row.pixel), row.expected) << row.pixel;
  }
}

TEST(Pixels, TakeIndexedColoursFromThePalette) {
  Buffer palette(kPaletteBytes);
  const Buffer last = hex("01 02 03 04");
  std::ranges::copy(last, palette.end() - 4);
  for (const PixelFormat format : {PixelFormat::kIndexed, PixelFormat::kIndexedElsewhere}) {
    EXPECT_EQ(decoded(format, "ff", palette), (Rgba{3, 2, 1, 255})) << "drawn opaque, whatever the byte on top";
    EXPECT_EQ(decoded(format, "fe", palette), (Rgba{0, 0, 0, 255}));
  }
}

// The documented rule; a reader that rounds gives other values for some, named here.
TEST(Pixels, WidenChannelsByRepeatingTheirHighBits) {
  const auto red_of = [](unsigned raw) {
    Buffer pixel(2);
    store_little_endian(static_cast<std::uint16_t>(raw << 11), MutableBytes(pixel));
    return unsigned{decode_pixel(PixelFormat::kRgb565, pixel, {}).red};
  };
  const auto green_of = [](unsigned raw) {
    Buffer pixel(2);
    store_little_endian(static_cast<std::uint16_t>(raw << 5), MutableBytes(pixel));
    return unsigned{decode_pixel(PixelFormat::kRgb565, pixel, {}).green};
  };
  for (unsigned raw = 0; raw < 32; ++raw) {
    const bool differs = raw == 3 || raw == 7 || raw == 24 || raw == 28;
    EXPECT_EQ(red_of(raw) != (raw * 255 + 15) / 31, differs) << raw;
  }
  for (unsigned raw = 0; raw < 64; ++raw) {
    const bool differs = (raw >= 11 && raw <= 15) || (raw >= 48 && raw <= 52);
    EXPECT_EQ(green_of(raw) != (raw * 255 + 31) / 63, differs) << raw;
  }
  EXPECT_EQ(red_of(3), 24U);
  EXPECT_EQ(red_of(28), 231U);
  EXPECT_EQ(green_of(11), 44U);
  EXPECT_EQ(green_of(52), 211U);
}

TEST(Pixels, DecodeARowToFourBytesAPixel) {
  EXPECT_EQ(decode_to_rgba(PixelFormat::kRgb565, hex("1f f8 e0 07"), {}), hex("ff 00 ff ff 00 ff 00 ff"));
  EXPECT_EQ(decode_to_rgba(PixelFormat::kArgb8888, hex("0a 14 1e 28"), {}), hex("1e 14 0a 28"));
  EXPECT_TRUE(decode_to_rgba(PixelFormat::kArgb8888, {}, {}).empty());
}

TEST(PixelFormat, KnowsTheNumbersOfTheHeader) {
  const struct {
    std::uint32_t stored;
    std::uint32_t pixel_bytes;
  } rows[] = {{0, 1}, {2, 1}, {88, 2}, {556, 2}, {565, 2}, {888, 4}, {4444, 2}, {8888, 4}};
  for (const auto& row : rows) {
    const auto format = pixel_format_of(row.stored);
    ASSERT_TRUE(format) << row.stored;
    EXPECT_EQ(bytes_per_pixel(*format), row.pixel_bytes) << row.stored;
    EXPECT_EQ(is_indexed(*format), row.pixel_bytes == 1) << row.stored;
  }
  for (const std::uint32_t stored : {1U, 3U, 889U, 8889U, 0xFFFFFFFFU}) {
    EXPECT_FALSE(pixel_format_of(stored)) << stored;
  }
}

TEST(Levels, HalveDownToOnePixel) {
  EXPECT_EQ(level_extent({5, 3}, 1), (Extent{2, 1}));
  EXPECT_EQ(level_extent({5, 3}, 2), (Extent{1, 1}));
  EXPECT_EQ(level_extent({0xFFFFFFFF, 1}, 31), (Extent{1, 1}));
  EXPECT_EQ(level_extent({0xFFFFFFFF, 0xFFFFFFFF}, 32), (Extent{1, 1}));
  EXPECT_EQ(level_extent({7, 7}, std::numeric_limits<std::uint64_t>::max()), (Extent{1, 1}));
  EXPECT_EQ(full_chain_length({1, 1}), 1U);
  EXPECT_EQ(full_chain_length({256, 1}), 9U);
  EXPECT_EQ(full_chain_length({3, 255}), 8U);
  EXPECT_EQ(full_chain_length({0xFFFFFFFF, 1}), 32U);
}

TEST(Levels, HaveSizesInSixtyFourBits) {
  EXPECT_EQ(level_bytes({5, 3}, PixelFormat::kArgb8888), 60U);
  EXPECT_EQ(level_bytes({0xFFFFFFFF, 0x40000000}, PixelFormat::kArgb8888), 0xFFFFFFFF'00000000U);
  EXPECT_EQ(level_bytes({0xFFFFFFFF, 0xFFFFFFFF}, PixelFormat::kIndexed), 0xFFFFFFFE'00000001U);
  EXPECT_EQ(level_bytes({0xFFFFFFFF, 0xFFFFFFFF}, PixelFormat::kArgb8888), std::numeric_limits<std::uint64_t>::max())
      << "more than 64 bits hold";
}

}  // namespace
}  // namespace assay::texm
