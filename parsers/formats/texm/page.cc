#include "parsers/formats/texm/page.h"

#include <cassert>

namespace assay::texm {
namespace {

struct Span {
  std::int32_t start = 0;
  std::int32_t size = 0;
};

// Division that rounds down, also below zero. Requires: divisor > 0.
std::int64_t divide_down(std::int64_t value, std::int64_t divisor) {
  const std::int64_t quotient = value / divisor;
  return value % divisor < 0 ? quotient - 1 : quotient;
}

// A coordinate has 16 bits and an extent 32, so that their product fits.
Span scale_span(std::int64_t start, std::int64_t size, std::int64_t base, std::int64_t level) {
  const std::int64_t scaled_start = divide_down(start * level, base);
  const std::int64_t scaled_end = -divide_down(-(start + size) * level, base);
  return {static_cast<std::int32_t>(scaled_start), static_cast<std::int32_t>(scaled_end - scaled_start)};
}

}  // namespace

LevelRect scale_rect(const PageRect& rect, const Extent& base, const Extent& level) {
  assert(level.width > 0 && level.width <= base.width);
  assert(level.height > 0 && level.height <= base.height);
  const Span across = scale_span(rect.x, rect.width, base.width, level.width);
  const Span down = scale_span(rect.y, rect.height, base.height, level.height);
  return {across.start, across.size, down.start, down.size};
}

}  // namespace assay::texm
