#include "parsers/formats/sund/sund.h"

#include "parsers/formats/format_test_support.h"

namespace assay::sund {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

using Facts = std::vector<DocumentFact>;

// What is observed of an item that is accepted without a finding and kept as it is.
Facts observed(const Buffer& image, std::optional<std::array<std::uint32_t, 3>> attributes = {}) {
  ParseContext context;
  context.hints.attributes = attributes;
  Findings findings;
  const auto document = format().parse(image, context, findings);
  EXPECT_TRUE(document.has_value());
  EXPECT_TRUE(findings.empty());
  if (!document) {
    return {};
  }
  expect_lossless(**document, image, "sun");
  ByteMap map = (*document)->account();
  EXPECT_EQ(map.shares().opaque, image.size()) << "nothing of it is understood";
  return (*document)->facts();
}

TEST(Sun, KeepsAnythingAsOpaqueBytes) {
  EXPECT_EQ(observed({}), Facts{});
  EXPECT_EQ(observed(hex("07")), Facts{});
  EXPECT_EQ(observed(hex("ff ff ff ff 00")), Facts{});
}

TEST(Sun, RefusesWhatIsOverTheLimit) {
  ParseContext context;
  context.limits.input_bytes = 4;
  Findings findings;
  const Buffer image(5);
  const auto document = format().parse(image, context, findings);
  ASSERT_FALSE(document);
  EXPECT_EQ(described(document.error(), "refused"), "refused limit_exceeded @0 file");
}

TEST(Sun, ObservesACountInFront) {
  EXPECT_EQ(observed(hex("02 00 00 00 01 02 03 04 05 06")), (Facts{{"rows_by_first_word", "2 x 3"}}));
  EXPECT_EQ(observed(hex("02 00 00 00 01 02 03")), Facts{}) << "two do not divide three";
  EXPECT_EQ(observed(hex("01 00 00 00 01 02 03")), Facts{}) << "one divides everything";
  EXPECT_EQ(observed(hex("00 00 00 00 01 02 03")), Facts{});
  EXPECT_EQ(observed(hex("02 00 00 00")), Facts{}) << "nothing follows";
}

TEST(Sun, ObservesRowsThatTheDirectoryDescribes) {
  const Buffer image = hex("00 00 00 00 00 00");
  EXPECT_EQ(observed(image, {{3, 9, 2}}), (Facts{{"rows_by_attributes", "3 x 2"}}));
  EXPECT_EQ(observed(image, {{3, 9, 1}}), Facts{});
  EXPECT_EQ(observed({}, {{0, 0, 0}}), Facts{});
  EXPECT_EQ(observed(image, {{0xFFFFFFFF, 0, 0xFFFFFFFF}}), Facts{});
}

}  // namespace
}  // namespace assay::sund
