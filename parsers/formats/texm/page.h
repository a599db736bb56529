#pragma once

#include <cstdint>

#include "parsers/formats/texm/pixels.h"

// The rectangles that a texture's page cuts it into, on a level other than the first (docs/formats/texm.md, TX4).
namespace assay::texm {

// A rectangle as it is stored, in pixels of the first level; in the order of the file.
struct PageRect {
  std::int16_t x = 0;
  std::int16_t width = 0;
  std::int16_t y = 0;
  std::int16_t height = 0;
};

// A rectangle in pixels of some level.
struct LevelRect {
  std::int32_t x = 0;
  std::int32_t width = 0;
  std::int32_t y = 0;
  std::int32_t height = 0;

  friend bool operator==(const LevelRect&, const LevelRect&) = default;
};

// The smallest rectangle of whole pixels of `level` that holds `rect`. Requires: extents that are not empty, `level`
// not larger than `base`. Cost: O(1).
[[nodiscard]] LevelRect scale_rect(const PageRect& rect, const Extent& base, const Extent& level);

}  // namespace assay::texm
