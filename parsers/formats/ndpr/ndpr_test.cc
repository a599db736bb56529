#include "parsers/formats/ndpr/ndpr.h"

#include <limits>

#include "parsers/formats/format_test_support.h"

namespace assay::ndpr {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

// The vector of docs/formats/ndpr.md: two records, of which the first names an explosion of the same archive.
Buffer two_records() {
  Buffer image = joined(hex("02 00 00 00  20 00 00 00 00 00 c8 42 00 00 00 3f"), Buffer(64));
  image = with_text(with_text(std::move(image), 4 + 0x2C, "x_big.exp"), 4 + 0x2C + 10, "tail");
  return joined(joined(std::move(image), hex("00 00 00 00 00 24 74 49 00 00 80 3f")), Buffer(64));
}

Lines said_of(const Buffer& image) {
  return said_by<NodeDamages>(image);
}

TEST(NodeDamages, ReadsTheVectors) {
  EXPECT_EQ(said_of(hex("00 00 00 00")), Lines{});
  const Buffer image = two_records();
  ASSERT_EQ(image.size(), 156U);
  EXPECT_EQ(said_of(image), Lines{});
  Findings findings;
  const auto table = NodeDamages::parse(image, {}, findings);
  ASSERT_TRUE(table);
  ASSERT_EQ(table->records().size(), 2U);
  EXPECT_EQ(table->records()[0].flags, 0x20U);
  EXPECT_EQ(table->records()[0].hit_points, 100.0F);
  EXPECT_EQ(table->records()[0].density, 0.5F);
  EXPECT_TRUE(table->records()[0].archive_name.text().empty());
  EXPECT_EQ(text_of(table->records()[0].resource_name.text()), "x_big.exp");
  EXPECT_EQ(table->records()[1].hit_points, 1'000'000.0F);
  const std::vector<DocumentFact> expected{{"records", "2"}, {"with_explosion", "1"}};
  EXPECT_EQ(table->facts(), expected);
}

TEST(NodeDamages, SaysExactlyWhatIsWrongAndWhere) {
  const Buffer two = two_records();
  const auto infinite = std::numeric_limits<float>::infinity();
  const auto not_a_number = std::numeric_limits<float>::quiet_NaN();
  const struct {
    const char* name;
    Buffer image;
    const char* said;
  } rows[] = {
      {"empty", {}, "refused input_too_short @0 file"},
      {"three bytes", truncated(two, 3), "refused input_too_short @0 file"},
      {"a negative count", with_u32(two, 0, 0xFFFFFFFF), "refused count_out_of_range @0 header.count"},
      {"the lowest count", with_u32(two, 0, 0x80000000), "refused count_out_of_range @0 header.count"},
      {"the highest count", with_u32(two, 0, 0x7FFFFFFF), "refused count_out_of_bounds @0 header.count"},
      {"one record more", with_u32(two, 0, 3), "refused count_out_of_bounds @0 header.count"},
      {"a byte less", truncated(two, 155), "refused count_out_of_bounds @0 header.count"},
      {"one record less", with_u32(two, 0, 1), "refused trailing_bytes @80 file"},
      {"a byte more", joined(two, hex("00")), "refused trailing_bytes @156 file"},
      {"hit points", with_scalar(two, 80 + 4, infinite), "note non_finite @84 record[1].hit_points"},
      {"density", with_scalar(two, 4 + 8, not_a_number), "note non_finite @12 record[0].density"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(said_of(row.image), Lines{row.said}) << row.name;
  }
}

TEST(NodeDamages, CountsUpToTheLimit) {
  ParseContext context;
  context.limits.entry_count = 2;
  Findings findings;
  const Buffer image = two_records();
  EXPECT_TRUE(NodeDamages::parse(image, context, findings));
  context.limits.entry_count = 1;
  const auto refused = NodeDamages::parse(image, context, findings);
  ASSERT_FALSE(refused);
  EXPECT_EQ(described(refused.error(), "refused"), "refused limit_exceeded @0 header.count");
}

}  // namespace
}  // namespace assay::ndpr
