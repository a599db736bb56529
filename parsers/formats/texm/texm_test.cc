#include "parsers/formats/texm/texm.h"

#include "parsers/formats/format_test_support.h"

namespace assay::texm {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

// The vectors of docs/formats/texm.md: two pixels and one, 8888.
Buffer two_levels() {
  return hex(
      "54 65 78 6d 02 00 00 00 01 00 00 00 02 00 00 00 20 00 00 00 00 00 00 00 00 00 00 00 b8 22 00 00 "
      "0a 14 1e 28 32 3c 46 50 01 02 03 04");
}

// The same with a page of two rectangles, one for each pixel.
Buffer with_page() {
  return joined(two_levels(), hex("50 61 67 65 02 00 00 00 00 00 01 00 00 00 01 00 01 00 01 00 00 00 01 00"));
}

constexpr std::size_t kPageStart = 44;
constexpr std::size_t kFirstRect = 52;

Buffer texture(std::uint32_t width, std::uint32_t height, std::uint32_t mip_count, std::uint32_t format,
               std::size_t body_bytes) {
  Buffer image(kHeaderRecord.size_bytes + body_bytes);
  kHeaderRecord.write({.width = width, .height = height, .mip_count = mip_count, .format = format}, image);
  return image;
}

Lines said_of(const Buffer& image, const ParseContext& context = {}) {
  return said_by<Texm>(image, context);
}

Result<Texm> parsed(const Buffer& image) {
  Findings findings;
  return Texm::parse(image, {}, findings);
}

TEST(Texm, ReadsTheLevels) {
  const Buffer image = two_levels();
  EXPECT_EQ(said_of(image), Lines{});
  const auto texture = parsed(image);
  ASSERT_TRUE(texture);
  ASSERT_EQ(texture->level_count(), 2U);
  EXPECT_EQ(texture->level(0).extent, (Extent{2, 1}));
  EXPECT_EQ(decode_pixel(texture->format(), texture->level(0).pixels, {}), (Rgba{30, 20, 10, 40}));
  EXPECT_EQ(texture->level(1).extent, (Extent{1, 1}));
  EXPECT_EQ(decode_pixel(texture->format(), texture->level(1).pixels, {}), (Rgba{3, 2, 1, 4}));
  EXPECT_TRUE(texture->rects().empty());
}

TEST(Texm, ReadsThePageInTheOrderOfTheFile) {
  const Buffer image = with_page();
  EXPECT_EQ(said_of(image), Lines{});
  const auto texture = parsed(image);
  ASSERT_TRUE(texture);
  ASSERT_EQ(texture->rects().size(), 2U);
  for (std::int16_t index = 0; index < 2; ++index) {
    const PageRect rect = texture->rects()[static_cast<std::size_t>(index)];
    EXPECT_EQ(rect.x, index);
    EXPECT_EQ(rect.width, 1);
    EXPECT_EQ(rect.y, 0);
    EXPECT_EQ(rect.height, 1);
  }
  EXPECT_EQ(texture->facts(), (std::vector<DocumentFact>{
                                  {"width", "2"}, {"height", "1"}, {"mips", "2"}, {"format", "8888"}, {"rects", "2"}}));
}

// Published sizes of whole payloads; each level decodes to four bytes a pixel.
TEST(Texm, HasTheSizesThatAreKnown) {
  const struct {
    Extent extent;
    std::uint32_t mip_count;
    std::uint32_t format;
    std::size_t payload_bytes;
  } rows[] = {{{256, 256}, 9, 8888, 349'556}, {{256, 256}, 9, 565, 174'794}, {{128, 64}, 8, 565, 21'878},
              {{64, 64}, 7, 0, 6'517},        {{8, 8}, 1, 0, 1'120},         {{5, 3}, 3, 8888, 104}};
  for (const auto& row : rows) {
    const Buffer image =
        texture(row.extent.width, row.extent.height, row.mip_count, row.format, row.payload_bytes - 32);
    EXPECT_EQ(said_of(image), Lines{}) << row.payload_bytes;
    const auto texture = parsed(image);
    ASSERT_TRUE(texture) << row.payload_bytes;
    for (std::size_t index = 0; index < row.mip_count; ++index) {
      const Level level = texture->level(index);
      EXPECT_EQ(level.extent, level_extent(row.extent, index));
      EXPECT_EQ(decode_to_rgba(texture->format(), level.pixels, texture->palette()).size(),
                std::size_t{4} * level.extent.width * level.extent.height);
    }
  }
}

TEST(Texm, CountsItsPixelsAsConfirmedAndShowsALevelAsOne) {
  const Buffer image = with_page();
  const auto texture = parsed(image);
  ASSERT_TRUE(texture);
  ByteMap map = texture->account();
  ASSERT_TRUE(map.close(image.size()));
  Lines runs;
  for (const ByteRun& run : map.runs()) {
    runs.push_back(run.path.to_text() + ' ' + std::string(byte_kind_text(run.kind)));
  }
  EXPECT_EQ(runs, (Lines{"header record", "level[0] data", "level[1] data", "page record", "rect record"}));
  EXPECT_EQ(map.shares().opaque, 12U);
  EXPECT_EQ(map.shares().confirmed, image.size() - 12);
}

TEST(Texm, SaysExactlyWhatIsWrongAndWhere) {
  const Buffer plain = two_levels();
  const Buffer paged = with_page();
  const struct {
    const char* name;
    Buffer image;
    const char* said;
  } rows[] = {
      {"empty", {}, "refused input_too_short @0 file"},
      {"31 bytes", truncated(plain, 31), "refused input_too_short @0 file"},
      {"magic", with_byte(plain, 0, 't'), "refused invalid_magic @0 header.magic"},
      {"width 0", with_u32(plain, 4, 0), "refused count_out_of_range @4 header.width"},
      {"height 0", with_u32(plain, 8, 0), "refused count_out_of_range @8 header.height"},
      {"no levels", with_u32(plain, 12, 0), "refused count_out_of_range @12 header.mip_count"},
      {"format 889", with_u32(plain, 28, 889), "refused unsupported_variant @28 header.format"},
      {"1023 bytes of palette", texture(1, 1, 1, 0, 1023), "refused input_too_short @1052 palette[255].colour"},
      {"palette alone", texture(1, 1, 1, 0, 1024), "refused count_out_of_bounds @12 header.mip_count"},
      {"palette and a pixel", texture(2, 1, 1, 0, 1025), "refused input_too_short @1056 level[0]"},
      {"a byte short", truncated(plain, 43), "refused input_too_short @40 level[1]"},
      {"header alone", truncated(plain, 32), "refused count_out_of_bounds @12 header.mip_count"},
      {"four levels", with_u32(plain, 12, 4), "refused count_out_of_bounds @12 header.mip_count"},
      {"most levels", with_u32(plain, 12, 0xFFFFFFFF), "refused count_out_of_bounds @12 header.mip_count"},
      {"largest image", texture(0xFFFFFFFF, 0xFFFFFFFF, 1, 8888, 64), "refused input_too_short @32 level[0]"},
      {"largest image, indexed", texture(0xFFFFFFFF, 0xFFFFFFFF, 2, 2, 64), "refused input_too_short @32 level[0]"},
      {"one level of two", with_u32(plain, 12, 1), "refused trailing_bytes @40 file"},
      {"tail", joined(plain, as_bytes("tail")), "refused trailing_bytes @44 file"},
      {"tail of a byte", joined(plain, as_bytes("P")), "refused trailing_bytes @44 file"},
      {"page magic alone", truncated(paged, 51), "refused input_too_short @48 page.rect_count"},
      {"one rectangle of two", truncated(paged, kFirstRect + 8), "refused count_out_of_bounds @48 page.rect_count"},
      {"most rectangles", with_u32(paged, 48, 0xFFFFFFFF), "refused count_out_of_bounds @48 page.rect_count"},
      {"one rectangle too many", with_u32(paged, 48, 1), "refused trailing_bytes @60 file"},
      {"a byte behind the page", joined(paged, as_bytes("x")), "refused trailing_bytes @68 file"},
      {"page too early", with_u32(paged, kPageStart, 0), "refused trailing_bytes @44 file"},
      {"format 2", texture(3, 1, 1, 2, 3), "note unexpected_value @28 header.format"},
      {"x -1", with_u16(paged, kFirstRect, 0xFFFF), "strict range_out_of_bounds @52 rect[0].x"},
      {"width 0 of a rectangle", with_u16(paged, kFirstRect + 2, 0), "strict unexpected_value @54 rect[0].width"},
      {"too wide", with_u16(paged, kFirstRect + 10, 2), "strict range_out_of_bounds @62 rect[1].width"},
      {"widest", with_u16(paged, kFirstRect + 10, 0x7FFF), "strict range_out_of_bounds @62 rect[1].width"},
      {"x at the end", with_u16(paged, kFirstRect + 8, 2), "strict range_out_of_bounds @62 rect[1].width"},
      {"x behind the end", with_u16(paged, kFirstRect + 8, 3), "strict range_out_of_bounds @60 rect[1].x"},
      {"y behind the end", with_u16(paged, kFirstRect + 4, 2), "strict range_out_of_bounds @56 rect[0].y"},
      {"y -1", with_u16(paged, kFirstRect + 12, 0xFFFF), "strict range_out_of_bounds @64 rect[1].y"},
      {"height -1", with_u16(paged, kFirstRect + 6, 0xFFFF), "strict unexpected_value @58 rect[0].height"},
      {"too high", with_u16(paged, kFirstRect + 6, 2), "strict range_out_of_bounds @58 rect[0].height"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(said_of(row.image), Lines{row.said}) << row.name;
  }
}

TEST(Texm, NamesTheFirstBadRectangleOnly) {
  const Buffer both = with_u16(with_u16(with_page(), kFirstRect + 2, 0), kFirstRect + 10, 0);
  EXPECT_EQ(said_of(both), Lines{"strict unexpected_value @54 rect[0].width"});
}

// Each level beyond those that halving gives has one pixel: few bytes ask for many levels.
TEST(Texm, KeepsSpareLevelsAsOneRun) {
  constexpr std::uint32_t kLevels = 100'000;
  Buffer image = texture(1, 1, kLevels, 2, kLevels);
  image.back() = 9;
  EXPECT_EQ(said_of(image),
            (Lines{"note unexpected_value @28 header.format", "note count_out_of_range @12 header.mip_count"}));
  const auto texture = parsed(image);
  ASSERT_TRUE(texture);
  EXPECT_EQ(texture->account().runs().size(), 3U);
  EXPECT_EQ(texture->level(kLevels - 1).extent, (Extent{1, 1}));
  ASSERT_EQ(texture->level(kLevels - 1).pixels.size(), 1U);
  EXPECT_EQ(texture->level(kLevels - 1).pixels[0], 9);
}

}  // namespace
}  // namespace assay::texm
