#include "parsers/formats/ctpt/ctpt.h"

#include <limits>

#include "parsers/formats/format_test_support.h"

namespace assay::ctpt {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

// The vector of docs/formats/ctpt.md: two points, `Root` on node 0 and `Width` on node 1, and a tail behind a name.
Buffer two_points() {
  return hex(
      "02 00 00 00"
      "00 00 00 80 00 00 00 00 00 00 00 00 00 00 80 3f 00 00 00 40 00 00 40 40"
      "00 00 00 00 00 00 00 00 00 00 80 3f"
      "00 00 00 00 01 00 00 00 ff ff ff ff 00 00 00 00 00 00 00 00 00 00 00 00"
      "00 00 c0 40 00 00 00 00 00 00 00 00"
      "52 6f 6f 74 00 cd cd cd 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
      "57 69 64 74 68 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00");
}

Lines said_of(const Buffer& image) {
  return said_by<ControlPoints>(image);
}

TEST(ControlPoints, ReadsTheVectors) {
  EXPECT_EQ(said_of(hex("00 00 00 00")), Lines{});
  const Buffer image = two_points();
  ASSERT_EQ(image.size(), 140U);
  EXPECT_EQ(said_of(image), Lines{});
  Findings findings;
  const auto points = ControlPoints::parse(image, {}, findings);
  ASSERT_TRUE(points);
  ASSERT_EQ(points->points().size(), 2U);
  EXPECT_EQ(points->points()[0].flags_raw, 0x80000000U);
  EXPECT_EQ(points->points()[0].position, (std::array{1.0F, 2.0F, 3.0F}));
  EXPECT_EQ(points->points()[1].node, 1);
  EXPECT_EQ(points->points()[1].second_node, -1);
  EXPECT_EQ(points->points()[1].direction, (std::array{6.0F, 0.0F, 0.0F}));
  EXPECT_EQ(text_of(points->names()[0].text.text()), "Root");
  EXPECT_EQ(text_of(points->names()[1].text.text()), "Width") << "names lie behind all points";
}

TEST(ControlPoints, SaysExactlyWhatIsWrongAndWhere) {
  const Buffer two = two_points();
  const auto infinite = std::numeric_limits<float>::infinity();
  const auto not_a_number = std::numeric_limits<float>::quiet_NaN();
  const struct {
    const char* name;
    Buffer image;
    const char* said;
  } rows[] = {
      {"empty", {}, "refused input_too_short @0 file"},
      {"three bytes", truncated(two, 3), "refused input_too_short @0 file"},
      {"one point more", with_u32(two, 0, 3), "refused count_out_of_bounds @0 header.count"},
      {"all bits", with_u32(two, 0, 0xFFFFFFFF), "refused count_out_of_bounds @0 header.count"},
      {"a byte less", truncated(two, 139), "refused count_out_of_bounds @0 header.count"},
      {"one point less", with_u32(two, 0, 1), "refused trailing_bytes @72 file"},
      {"a byte more", joined(two, hex("00")), "refused trailing_bytes @140 file"},
      {"flags", with_u32(two, 4, 1), "note unexpected_value @4 point[0].flags_raw"},
      {"position", with_scalar(two, 40 + 0x10, infinite), "note non_finite @52 point[1].position"},
      {"direction", with_scalar(two, 4 + 0x20, not_a_number), "note non_finite @28 point[0].direction"},
      {"name", with_byte(two, 76 + 32, 0), "note empty_name @108 name[1].text"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(said_of(row.image), Lines{row.said}) << row.name;
  }
}

TEST(ControlPoints, NamesMayFillTheirFields) {
  EXPECT_EQ(said_of(with_text(two_points(), 76, std::string(32, 'x'))), Lines{});
}

TEST(ControlPoints, CountsUpToTheLimit) {
  ParseContext context;
  context.limits.entry_count = 2;
  Findings findings;
  const Buffer image = two_points();
  EXPECT_TRUE(ControlPoints::parse(image, context, findings));
  context.limits.entry_count = 1;
  const auto refused = ControlPoints::parse(image, context, findings);
  ASSERT_FALSE(refused);
  EXPECT_EQ(described(refused.error(), "refused"), "refused limit_exceeded @0 header.count");
}

}  // namespace
}  // namespace assay::ctpt
