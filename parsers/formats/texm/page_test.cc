#include "parsers/formats/texm/page.h"

#include <gtest/gtest.h>

namespace assay::texm {
namespace {

TEST(PageScale, HoldsEveryPixelThatTheRectangleTouches) {
  EXPECT_EQ(scale_rect({1, 3, 1, 2}, {5, 3}, {2, 1}), (LevelRect{0, 2, 0, 1}));
  EXPECT_EQ(scale_rect({3, 5, 7, 9}, {256, 256}, {128, 128}), (LevelRect{1, 3, 3, 5}));
  EXPECT_EQ(scale_rect({3, 5, 7, 9}, {256, 256}, {64, 64}), (LevelRect{0, 2, 1, 3}));
}

TEST(PageScale, KeepsARectangleOnItsOwnLevel) {
  EXPECT_EQ(scale_rect({3, 5, 7, 9}, {256, 256}, {256, 256}), (LevelRect{3, 5, 7, 9}));
}

TEST(PageScale, RoundsOutwardBelowZeroToo) {
  EXPECT_EQ(scale_rect({-3, 5, -1, 1}, {4, 4}, {2, 2}), (LevelRect{-2, 3, -1, 1}));
}

TEST(PageScale, TakesTheLargestExtents) {
  const Extent most{0xFFFFFFFF, 0xFFFFFFFF};
  EXPECT_EQ(scale_rect({32767, 32767, -32768, 32767}, most, most), (LevelRect{32767, 32767, -32768, 32767}));
  EXPECT_EQ(scale_rect({32767, 32767, -32768, 32767}, most, {1, 1}), (LevelRect{0, 1, -1, 1}));
}

}  // namespace
}  // namespace assay::texm
