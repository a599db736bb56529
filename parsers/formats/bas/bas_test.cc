#include "parsers/formats/bas/bas.h"

#include <limits>

#include "parsers/formats/format_test_support.h"

namespace assay::bas {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

// The vector of docs/formats/bas.md: an inner and an outer triangle.
Buffer base() {
  return hex(
      "01 00 00 00 03 00 00 00"
      "00 00 00 00 00 00 00 00 00 00 00 00  00 00 80 3f 00 00 00 00 00 00 00 00"
      "00 00 00 00 00 00 80 3f 00 00 00 00  00 00 00 00 00 00 00 00 00 00 00 00"
      "07 00 00 00 08 00 00 00 09 00 00 00  00 00 00 00 01 00 00 00 02 00 00 00"
      "01 00 00 00 03 00 00 00"
      "00 00 00 c0 00 00 00 c0 00 00 00 00  00 00 80 40 00 00 00 00 00 00 00 00"
      "00 00 00 00 00 00 80 40 00 00 00 00  00 00 00 c0 00 00 00 c0 00 00 00 00");
}

// An inner contour of `sides` sides, zero throughout, and an outer triangle.
Buffer with_inner_sides(std::uint32_t sides) {
  Buffer image = with_u32(hex("01 00 00 00 00 00 00 00"), 4, sides);
  image.resize(image.size() + std::size_t{20} * sides + 12);
  const Buffer whole = base();
  return joined(std::move(image), Bytes(whole).subspan(80));
}

Lines said_of(const Buffer& image, const ParseContext& context = {}) {
  return said_by<Base>(image, context);
}

TEST(Base, ReadsTheVector) {
  const Buffer image = base();
  // 4 + 4 + 12 * (3 + 1) + 8 * 3 + 4 + 4 + 12 * (3 + 1).
  ASSERT_EQ(image.size(), 136U);
  EXPECT_EQ(said_of(image), Lines{});
  Findings findings;
  const auto parsed = Base::parse(image, {}, findings);
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->inner().size(), 1U);
  ASSERT_EQ(parsed->outer().size(), 1U);
  const Contour& inner = parsed->inner()[0];
  ASSERT_EQ(inner.points.size(), 4U);
  EXPECT_EQ(inner.points[1].position, (std::array{1.0F, 0.0F, 0.0F}));
  EXPECT_EQ(inner.triangles[2].index, 9U);
  EXPECT_EQ(inner.corners[1].index, 1U);
  EXPECT_TRUE(parsed->outer()[0].triangles.empty());
  EXPECT_EQ(parsed->outer()[0].points[2].position, (std::array{0.0F, 4.0F, 0.0F}));
  const std::vector<DocumentFact> expected{{"inner_contours", "1"}, {"outer_contours", "1"}, {"points", "8"}};
  EXPECT_EQ(parsed->facts(), expected);
}

TEST(Base, SaysExactlyWhatIsWrongAndWhere) {
  const Buffer whole = base();
  const auto infinite = std::numeric_limits<float>::infinity();
  const struct {
    const char* name;
    Buffer image;
    const char* said;
  } rows[] = {
      {"empty", {}, "refused input_too_short @0 file"},
      {"three bytes", truncated(whole, 3), "refused input_too_short @0 file"},
      {"all bits in the inner count", with_u32(whole, 0, 0xFFFFFFFF), "refused count_out_of_bounds @0 inner.count"},
      {"all bits in the sides", with_u32(whole, 4, 0xFFFFFFFF), "refused count_out_of_bounds @4 inner[0].side_count"},
      {"no outer count", truncated(whole, 80), "refused input_too_short @80 outer.count"},
      {"all bits in the outer count", with_u32(whole, 80, 0xFFFFFFFF), "refused count_out_of_bounds @80 outer.count"},
      {"a side more outside", with_u32(whole, 84, 4), "refused count_out_of_bounds @84 outer[0].side_count"},
      {"a byte less", truncated(whole, 135), "refused count_out_of_bounds @84 outer[0].side_count"},
      {"a byte more", joined(whole, hex("00")), "refused trailing_bytes @136 file"},
      {"two sides", with_inner_sides(2), "strict count_out_of_range @4 inner[0].side_count"},
      {"257 sides", with_inner_sides(257), "strict count_out_of_range @4 inner[0].side_count"},
      {"an open contour", with_byte(whole, 124, 1), "note unexpected_value @124 outer[0].point[3].position"},
      {"a point nowhere", with_scalar(whole, 100 + 4, infinite), "note non_finite @100 outer[0].point[1].position"},
      {"two points nowhere", with_scalar(with_scalar(whole, 100, infinite), 112, infinite),
       "note non_finite @100 outer[0].point[1].position"},
      {"a fourth corner", with_u32(whole, 72, 3), "note index_out_of_range @72 inner[0].corner[1].index"},
      {"two fourth corners", with_u32(with_u32(whole, 72, 3), 76, 3),
       "note index_out_of_range @72 inner[0].corner[1].index"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(said_of(row.image), Lines{row.said}) << row.name;
  }
}

TEST(Base, HasUpTo256Sides) {
  EXPECT_EQ(said_of(with_inner_sides(3)), Lines{});
  EXPECT_EQ(said_of(with_inner_sides(256)), Lines{});
  EXPECT_EQ(said_of(with_inner_sides(1)), Lines{"strict count_out_of_range @4 inner[0].side_count"});
}

TEST(Base, ReadsAnotherNumberOfContoursAndSaysSo) {
  const Buffer whole = base();
  const Bytes outer = Bytes(whole).subspan(84);
  const Buffer two_outside = joined(with_u32(whole, 80, 2), outer);
  EXPECT_EQ(said_of(two_outside), Lines{"strict count_out_of_range @80 outer.count"});
  const Lines both{"strict count_out_of_range @0 inner.count", "strict count_out_of_range @4 outer.count"};
  EXPECT_EQ(said_of(hex("00 00 00 00 00 00 00 00")), both);
}

TEST(Base, HasContoursUpToTheLimit) {
  ParseContext context;
  context.limits.entry_count = 1;
  EXPECT_EQ(said_of(base(), context), Lines{});
  const Buffer whole = base();
  const Buffer two = joined(with_u32(whole, 80, 2), Bytes(whole).subspan(84));
  EXPECT_EQ(said_of(two, context), Lines{"refused limit_exceeded @80 outer.count"});
}

}  // namespace
}  // namespace assay::bas
