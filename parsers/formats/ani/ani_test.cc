#include "parsers/formats/ani/ani.h"

#include "parsers/formats/format_test_support.h"

namespace assay::ani {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

// The vector of docs/formats/ani.md: two frames, three steps; the first icon has an odd size.
Buffer cursor() {
  return hex(
      "52 49 46 46 7a 00 00 00 41 43 4f 4e"
      "61 6e 69 68 24 00 00 00 24 00 00 00 02 00 00 00 03 00 00 00 20 00 00 00 20 00 00 00 04 00 00 00 01 00 00 00"
      "0a 00 00 00 01 00 00 00"
      "72 61 74 65 0c 00 00 00 05 00 00 00 06 00 00 00 07 00 00 00"
      "73 65 71 20 0c 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00"
      "4c 49 53 54 1a 00 00 00 66 72 61 6d 69 63 6f 6e 03 00 00 00 aa bb cc 00 69 63 6f 6e 02 00 00 00 dd ee");
}

constexpr std::size_t kAnih = 12;
constexpr std::size_t kRate = kAnih + 44;
constexpr std::size_t kSequence = kRate + 20;
constexpr std::size_t kList = kSequence + 20;
constexpr std::size_t kFirstIcon = kList + 12;
constexpr std::size_t kSecondIcon = kFirstIcon + 12;

// A RIFF file of form ACON around `chunks`.
Buffer file_of(std::initializer_list<Buffer> chunks) {
  Buffer image = truncated(cursor(), 12);
  for (const Buffer& chunk : chunks) {
    image = joined(std::move(image), chunk);
  }
  return with_u32(image, 4, static_cast<std::uint32_t>(image.size() - 8));
}

Buffer part_of(std::size_t start, std::size_t size) {
  const Buffer whole = cursor();
  return {whole.begin() + static_cast<std::ptrdiff_t>(start),
          whole.begin() + static_cast<std::ptrdiff_t>(start + size)};
}

Buffer anih() {
  return part_of(kAnih, 44);
}

Buffer frames() {
  return part_of(kList, cursor().size() - kList);
}

Lines said_of(const Buffer& image, const ParseContext& context = {}) {
  return said_by<Animation>(image, context);
}

TEST(Animation, ReadsTheVector) {
  const Buffer image = cursor();
  ASSERT_EQ(image.size(), 130U);
  EXPECT_EQ(said_of(image), Lines{});
  Findings findings;
  const auto animation = Animation::parse(image, {}, findings);
  ASSERT_TRUE(animation && animation->header());
  EXPECT_EQ(animation->header()->jiffies, 10U);
  EXPECT_EQ(animation->icon_count(), 2U);
  ASSERT_EQ(animation->rates().size(), 3U);
  EXPECT_EQ(animation->rates()[2].jiffies, 7U);
  ASSERT_EQ(animation->sequence().size(), 3U);
  EXPECT_EQ(animation->sequence()[1].frame, 1U);
  EXPECT_EQ(animation->account().shares().padding, 1U);
  const std::vector<DocumentFact> expected{{"icons", "2"}, {"steps", "3"}};
  EXPECT_EQ(animation->facts(), expected);
}

TEST(Animation, KeepsRawWhatIsNone) {
  for (const Buffer& image : {Buffer{}, hex("52"), truncated(cursor(), 11), with_byte(cursor(), 0, 'X'),
                              with_byte(cursor(), 8, 'W'), text_bytes("no cursor at all")}) {
    EXPECT_EQ(said_of(image), Lines{});
    Findings findings;
    const auto animation = Animation::parse(image, {}, findings);
    ASSERT_TRUE(animation);
    EXPECT_FALSE(animation->is_animation());
    EXPECT_EQ(animation->account().shares().opaque, image.size());
    EXPECT_EQ(animation->facts(), (std::vector<DocumentFact>{{"layout", "raw"}}));
  }
}

TEST(Animation, RatesAndSequenceMayBeAbsent) {
  EXPECT_EQ(said_of(file_of({anih(), frames()})), Lines{});
}

TEST(Animation, ChunksAndListsMayHoldNothing) {
  const Buffer junk = hex("4a 55 4e 4b 00 00 00 00");
  EXPECT_EQ(said_of(file_of({anih(), frames(), junk})), Lines{}) << "the last bytes are a head";
  const Buffer info = hex("4c 49 53 54 04 00 00 00 49 4e 46 4f");
  EXPECT_EQ(said_of(file_of({info, anih(), frames()})), Lines{}) << "a list of nothing but its type";
}

TEST(Animation, KeepsOtherChunksAndLists) {
  const Buffer odd = hex("4a 55 4e 4b 01 00 00 00 ff 00");
  const Buffer info = hex("4c 49 53 54 0e 00 00 00 49 4e 46 4f 49 4e 41 4d 01 00 00 00 78 00");
  EXPECT_EQ(said_of(file_of({odd, info, anih(), frames()})), Lines{});
  const Buffer icon_elsewhere = with_text(info, 12, "icon");
  EXPECT_EQ(said_of(file_of({icon_elsewhere, anih(), frames()})), Lines{}) << "only frames hold icons";
}

TEST(Animation, SaysExactlyWhatIsWrongAndWhere) {
  const Buffer whole = cursor();
  const auto size = static_cast<std::uint32_t>(whole.size() - 8);
  const struct {
    const char* name;
    Buffer image;
    const char* said;
  } rows[] = {
      {"a size without the form", with_u32(whole, 4, 3), "refused range_out_of_bounds @4 header.size"},
      {"a byte less", truncated(whole, whole.size() - 1), "refused range_out_of_bounds @4 header.size"},
      {"all bits", with_u32(whole, 4, 0xFFFFFFFF), "refused range_out_of_bounds @4 header.size"},
      {"a chunk past the file", with_u32(whole, kRate + 4, 0xFFFFFFFF),
       "refused range_out_of_bounds @60 chunk[1].size"},
      {"a list past the file", with_u32(whole, kList + 4, 0x1B), "refused range_out_of_bounds @100 chunk[3].size"},
      {"a chunk past the RIFF chunk", with_u32(whole, 4, size - 1), "refused range_out_of_bounds @100 chunk[3].size"},
      {"an icon past its list", with_u32(whole, kSecondIcon + 4, 3),
       "refused range_out_of_bounds @124 chunk[3].part[1].size"},
      {"seven bytes of a chunk", file_of({anih(), frames(), hex("4a 55 4e 4b 00 00 00")}),
       "refused range_out_of_bounds @90 chunk[2]"},
      {"a list too short for its icon", file_of({anih(), hex("4c 49 53 54 05 00 00 00 66 72 61 6d 69 00")}),
       "refused range_out_of_bounds @68 chunk[1].part[0]"},
      {"frames", with_u32(whole, kAnih + 12, 3), "strict count_mismatch @24 chunk[0].anih.frames"},
      {"nothing but the form", file_of({}), "strict missing_stream @12 anih"},
      {"no anih", file_of({frames()}), "strict missing_stream @12 anih"},
      {"a repeated anih", file_of({anih(), frames(), with_byte(anih(), 12, 9)}),
       "note duplicate_stream @90 chunk[2].tag"},
      {"the size in anih", with_u32(whole, kAnih + 8, 35), "note unexpected_value @20 chunk[0].anih.size"},
      {"a step of three bytes", file_of({anih(), hex("72 61 74 65 03 00 00 00 01 02 03 00"), frames()}),
       "strict size_mismatch @60 chunk[1].size"},
      {"a list of three bytes", file_of({anih(), frames(), hex("4c 49 53 54 02 00 00 00 66 72")}),
       "strict size_mismatch @94 chunk[2].size"},
      {"one rate too few", file_of({anih(), hex("72 61 74 65 08 00 00 00 01 00 00 00 01 00 00 00"), frames()}),
       "strict count_mismatch @60 chunk[1].size"},
      {"one step too few", file_of({anih(), hex("73 65 71 20 04 00 00 00 01 00 00 00"), frames()}),
       "strict count_mismatch @60 chunk[1].size"},
      {"repeated rates", file_of({anih(), part_of(kRate, 20), hex("72 61 74 65 00 00 00 00"), frames()}),
       "note duplicate_stream @76 chunk[2].tag"},
      {"a frame that is not there", with_u32(whole, kSequence + 12, 2),
       "note index_out_of_range @88 chunk[2].sequence[1].frame"},
      {"padding", with_byte(whole, kFirstIcon + 11, 1), "note non_zero_gap @119 chunk[3].part[0].padding"},
      {"no padding at the end", file_of({anih(), frames(), hex("4a 55 4e 4b 01 00 00 00 ff")}),
       "note size_mismatch @99 chunk[2].padding"},
      {"bytes behind the RIFF chunk", joined(whole, hex("00")), "note trailing_bytes @130 trailing"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(said_of(row.image), Lines{row.said}) << row.name;
  }
}

TEST(Animation, KeepsAnAnihOfAnotherSizeRaw) {
  const Buffer longer = with_u32(joined(anih(), hex("00 00")), 4, 38);
  const Lines expected{"strict size_mismatch @16 chunk[0].size", "strict missing_stream @12 anih"};
  EXPECT_EQ(said_of(file_of({longer, frames()})), expected);
}

TEST(Animation, CountsIconsByTheirTag) {
  const Lines expected{"strict count_mismatch @24 chunk[0].anih.frames",
                       "note index_out_of_range @88 chunk[2].sequence[1].frame"};
  EXPECT_EQ(said_of(with_byte(cursor(), kFirstIcon, 'X')), expected);
}

TEST(Animation, HasChunksUpToTheLimit) {
  ParseContext context;
  context.limits.entry_count = 6;
  EXPECT_EQ(said_of(cursor(), context), Lines{});
  context.limits.entry_count = 5;
  EXPECT_EQ(said_of(cursor(), context), Lines{"refused limit_exceeded @120 chunk[3].part[1]"});
}

}  // namespace
}  // namespace assay::ani
