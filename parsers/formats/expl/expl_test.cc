#include "parsers/formats/expl/expl.h"

#include <limits>

#include "parsers/formats/format_test_support.h"

namespace assay::expl {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

// The vector of docs/formats/expl.md: a blast with an effect in slot 0 and in slot 11.
Buffer blast() {
  Buffer image = joined(hex("03 00 00 00 00 00 c8 42 00 00 a0 40 00 00 80 3f 00 00 80 3f 07 00 00 00"), Buffer(768));
  for (const std::size_t slot : {0U, 11U}) {
    image = with_text(with_text(std::move(image), 24 + slot * 64, "effects.rlb"), 24 + slot * 64 + 0x20, "x_big.eff");
  }
  return image;
}

Lines said_of(const Buffer& image) {
  return said_by<Explosion>(image);
}

TEST(Explosion, ReadsTheVector) {
  const Buffer image = blast();
  ASSERT_EQ(image.size(), kSizeBytes);
  EXPECT_EQ(kSizeBytes, 792U);
  Findings findings;
  const auto explosion = Explosion::parse(image, {}, findings);
  ASSERT_TRUE(explosion && explosion->header());
  EXPECT_TRUE(findings.empty());
  EXPECT_EQ(explosion->header()->damage, 100.0F);
  EXPECT_EQ(explosion->header()->radius, 5.0F);
  EXPECT_EQ(explosion->header()->placement, 7);
  ASSERT_EQ(explosion->slots().size(), 12U);
  EXPECT_EQ(text_of(explosion->slots()[11].resource_name.text()), "x_big.eff");
  const std::vector<DocumentFact> expected{{"version", "3"}, {"effects", "2"}};
  EXPECT_EQ(explosion->facts(), expected);
}

TEST(Explosion, HasOneLayoutInAllVersions) {
  for (const std::uint32_t version : {1U, 2U, 3U}) {
    EXPECT_EQ(said_of(with_u32(blast(), 0, version)), Lines{}) << version;
  }
}

TEST(Explosion, SaysExactlyWhatIsWrongAndWhere) {
  const auto infinite = std::numeric_limits<float>::infinity();
  const auto not_a_number = std::numeric_limits<float>::quiet_NaN();
  const struct {
    const char* name;
    Buffer image;
    const char* said;
  } rows[] = {
      {"empty", {}, "refused input_too_short @0 file"},
      {"three bytes", truncated(blast(), 3), "refused input_too_short @0 file"},
      {"version 0", with_u32(blast(), 0, 0), "refused unsupported_version @0 header.kind_or_version"},
      {"version 4", with_u32(blast(), 0, 4), "refused unsupported_version @0 header.kind_or_version"},
      {"version -1", with_u32(blast(), 0, 0xFFFFFFFF), "refused unsupported_version @0 header.kind_or_version"},
      {"another version of another size", with_u32(truncated(blast(), 4), 0, 4),
       "refused unsupported_version @0 header.kind_or_version"},
      {"four bytes", truncated(blast(), 4), "strict size_mismatch @0 file"},
      {"a byte less", truncated(blast(), 791), "strict size_mismatch @0 file"},
      {"a byte more", joined(blast(), hex("00")), "strict size_mismatch @0 file"},
      {"damage", with_scalar(blast(), 4, infinite), "note non_finite @4 header.damage"},
      {"radius", with_scalar(blast(), 8, not_a_number), "note non_finite @8 header.radius"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(said_of(row.image), Lines{row.said}) << row.name;
  }
}

TEST(Explosion, KeepsAnotherSizeRaw) {
  const Buffer image = truncated(blast(), 100);
  Findings findings;
  const auto explosion = Explosion::parse(image, {}, findings);
  ASSERT_TRUE(explosion);
  EXPECT_FALSE(explosion->header());
  EXPECT_TRUE(explosion->slots().empty());
  EXPECT_EQ(explosion->account().shares().opaque, 100U);
  EXPECT_EQ(explosion->version(), 3);
}

}  // namespace
}  // namespace assay::expl
