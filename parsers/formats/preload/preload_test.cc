#include "parsers/formats/preload/preload.h"

#include "parsers/formats/catalogue.h"
#include "parsers/formats/format_test_support.h"

namespace assay::preload {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

TEST(Preload, KeepsAnythingAsOpaqueBytes) {
  for (const Buffer& image : {Buffer{}, hex("00"), text_bytes("a line\r\nanother")}) {
    Findings findings;
    const auto document = format().parse(image, {}, findings);
    ASSERT_TRUE(document);
    EXPECT_TRUE(findings.empty());
    expect_lossless(**document, image, "preload");
    EXPECT_EQ((*document)->account().shares().opaque, image.size());
    EXPECT_TRUE((*document)->facts().empty());
  }
}

TEST(Preload, RefusesWhatIsOverTheLimit) {
  ParseContext context;
  context.limits.input_bytes = 2;
  Findings findings;
  const Buffer image(3);
  const auto document = format().parse(image, context, findings);
  ASSERT_FALSE(document);
  EXPECT_EQ(described(document.error(), "refused"), "refused limit_exceeded @0 file");
}

TEST(Preload, ClaimsFilesByTheirNameAndNoEntries) {
  const Buffer image = text_bytes("anything");
  const auto claimed = [&](std::string_view name, bool is_file) {
    return identify(image, {.name = as_bytes(name), .is_file = is_file}).format == &format();
  };
  EXPECT_TRUE(claimed("preload.lst", true));
  EXPECT_TRUE(claimed("PRELOAD", true));
  EXPECT_FALSE(claimed("preload.lst", false)) << "an entry";
  EXPECT_FALSE(claimed("my_preload", true));
}

}  // namespace
}  // namespace assay::preload
