#include "parsers/formats/unit_dat/unit_dat.h"

#include "parsers/formats/format_test_support.h"

namespace assay::unit_dat {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

// The vector of docs/formats/unit_dat.md: no components.
Buffer empty_unit() {
  return hex("f1 f0 00 00 00 80 00 01");
}

Buffer unit_of(std::initializer_list<Component> components) {
  Buffer image = empty_unit();
  for (const Component& component : components) {
    image.resize(image.size() + kComponentRecord.size_bytes);
    kComponentRecord.write(component, MutableBytes(image).last(kComponentRecord.size_bytes));
  }
  return image;
}

Component named(std::string_view key, std::uint32_t children) {
  return {.archive_name = FixedString<32>::from_text(as_bytes("OBJECTS.RLB")),
          .resource_name = FixedString<32>::from_text(as_bytes(key)),
          .tail1 = children};
}

Lines said_of(const Buffer& image, const ParseContext& context = {}) {
  return said_by<UnitDat>(image, context);
}

TEST(UnitDat, ReadsTheVectors) {
  EXPECT_EQ(said_of(empty_unit()), Lines{});
  Findings findings;
  const Buffer one = unit_of({named("r_h_01", 0)});
  ASSERT_EQ(one.size(), 120U);
  const auto unit = UnitDat::parse(one, {}, findings);
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->components().size(), 1U);
  EXPECT_EQ(unit->header().type_word, 0x01008000U);
  EXPECT_EQ(text_of(unit->components()[0].resource_name.text()), "r_h_01");
}

TEST(UnitDat, SaysExactlyWhatIsWrongAndWhere) {
  const Buffer two = unit_of({named("a", 1), named("b", 0)});
  const std::size_t second = 8 + 112;
  const struct {
    const char* name;
    Buffer image;
    const char* said;
  } rows[] = {
      {"empty", {}, "refused input_too_short @0 file"},
      {"seven bytes", truncated(two, 7), "refused input_too_short @0 file"},
      {"119 bytes", with_byte(truncated(two, 119), 2, 1), "refused size_mismatch @0 file"},
      {"magic", with_byte(two, 1, 0xF1), "refused invalid_magic @0 header.magic"},
      {"bytes 2 and 3", with_byte(two, 3, 1), "note unexpected_value @2 header.opaque02"},
      {"kind", with_u32(two, second + 0x40, 2), "strict unexpected_value @184 component[1].kind"},
      {"archive", with_byte(two, second, 'x'), "strict unexpected_value @120 component[1].archive_name"},
      {"too many children", with_u32(two, second + 0x6C, 1), "note count_mismatch @228 component[1].tail1"},
      {"as many children as components", with_u32(two, 8 + 0x6C, 2), "note count_mismatch @228 component[1].tail1"},
      {"too few children", with_u32(two, 8 + 0x6C, 0), "note count_mismatch @228 component[1].tail1"},
      {"absurd children", with_u32(two, 8 + 0x6C, 0xFFFFFFFF), "note count_mismatch @116 component[0].tail1"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(said_of(row.image), Lines{row.said}) << row.name;
  }
}

// A file in the short form: 72 bytes, which is no whole number of components.
Buffer binding() {
  Buffer image(72);
  kBindingRecord.write({.archive_name = FixedString<32>::from_text(as_bytes("bases.rlb")),
                        .model_name = FixedString<32>::from_text(as_bytes("r_h_01.msh"))},
                       image);
  return image;
}

ParseContext with_binding() {
  ParseContext context;
  context.rules.enable(RuleId::kLegacyUnitBinding);
  return context;
}

TEST(LegacyUnitBindingRule, ReadsTheShortFormWhereItIsEnabled) {
  EXPECT_EQ(said_of(binding(), with_binding()), Lines{"strict size_mismatch @0 file [legacy_unit_binding+]"});
  Findings findings;
  const Buffer image = binding();
  const auto unit = UnitDat::parse(image, with_binding(), findings);
  ASSERT_TRUE(unit && unit->binding());
  EXPECT_EQ(text_of(unit->binding()->model_name.text()), "r_h_01.msh");
  EXPECT_EQ(verdict_of(findings.list()), Verdict::kQuirk);
}

TEST(LegacyUnitBindingRule, KeepsWhatFollowsTheShortForm) {
  EXPECT_EQ(said_of(joined(binding(), Buffer{0}), with_binding()),
            Lines{"strict size_mismatch @0 file [legacy_unit_binding+]"});
}

TEST(LegacyUnitBindingRule, IsNamedWhereItIsNot) {
  EXPECT_EQ(said_of(binding()), Lines{"error size_mismatch @0 file [legacy_unit_binding-]"});
}

TEST(LegacyUnitBindingRule, DoesNotFireOneStepBesideIt) {
  const Lines refused{"refused size_mismatch @0 file"};
  EXPECT_EQ(said_of(truncated(binding(), 71), with_binding()), refused);
  EXPECT_EQ(said_of(with_byte(binding(), 2, 1), with_binding()), refused) << "the first word is another";
  EXPECT_EQ(said_of(with_byte(binding(), 0x08, 0), with_binding()), refused) << "no archive";
  EXPECT_EQ(said_of(with_byte(binding(), 0x28, 0), with_binding()), refused) << "no model";
}

}  // namespace
}  // namespace assay::unit_dat
