#include "parsers/formats/toy/toy.h"

#include "parsers/formats/format_test_support.h"

namespace assay::toy {
namespace {

TEST(Toy, ReadsItsPairs) {
  const Buffer image = format_testing::hex("54 4F 59 21 01 00 00 00 07 00 09 00");
  Findings findings;
  const auto toy = Toy::parse(image, {}, findings);
  ASSERT_TRUE(toy);
  EXPECT_EQ(toy->pairs()[0].right, 9);
}

}  // namespace
}  // namespace assay::toy
