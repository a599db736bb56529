#include <gtest/gtest.h>

#include "parsers/formats/texm/texm.h"
#include "synth/content.h"

namespace assay::synth {
namespace {

using texm::PixelFormat;

constexpr PixelFormat kFormats[] = {PixelFormat::kIndexed,  PixelFormat::kLuminanceAlpha88, PixelFormat::kRgb556,
                                    PixelFormat::kRgb565,   PixelFormat::kRgb888,           PixelFormat::kArgb4444,
                                    PixelFormat::kArgb8888, PixelFormat::kIndexedElsewhere};

TEST(MakeTexture, GivesWhatAStrictReaderAcceptsInEveryFormat) {
  for (const PixelFormat format : kFormats) {
    Prng prng(7);
    const Buffer image = make_texture({{24, 10}, 5, format, 7}, prng);
    Findings findings;
    const auto texture = texm::Texm::parse(image, {}, findings);
    ASSERT_TRUE(texture) << static_cast<std::uint32_t>(format);
    EXPECT_EQ(verdict_of(findings.list()), Verdict::kOk) << static_cast<std::uint32_t>(format);
    EXPECT_EQ(texture->format(), format);
    EXPECT_EQ(texture->level_count(), 5U);
    EXPECT_EQ(texture->palette().size(), format == PixelFormat::kIndexed ? texm::kPaletteBytes : 0U);
    EXPECT_EQ(texture->rects().size(), 7U);
  }
}

TEST(MakeTexture, CutsThePageIntoStripsThatTouch) {
  Prng prng(7);
  const Buffer image = make_texture({{5, 3}, 1, PixelFormat::kIndexed, 3}, prng);
  Findings findings;
  const auto texture = texm::Texm::parse(image, {}, findings);
  ASSERT_TRUE(texture);
  std::int32_t edge = 0;
  for (std::size_t index = 0; index < texture->rects().size(); ++index) {
    const texm::PageRect rect = texture->rects()[index];
    EXPECT_EQ(rect.x, edge);
    EXPECT_EQ(rect.height, 3);
    edge += rect.width;
  }
  EXPECT_EQ(edge, 5);
}

// The corpora of other tests are made of these, and their hashes are pinned.
TEST(MakeTexture, WritesOneLevelOf4444UnlessAskedForMore) {
  Prng one(7);
  Prng other(7);
  const Buffer image = make_texture(16, 8, one);
  EXPECT_EQ(image.size(), 32U + 2 * 16 * 8);
  EXPECT_EQ(image, make_texture({.extent = {16, 8}}, other));
}

}  // namespace
}  // namespace assay::synth
