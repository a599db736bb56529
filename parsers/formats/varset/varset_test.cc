#include "parsers/formats/varset/varset.h"

#include <limits>

#include "parsers/formats/catalogue.h"
#include "parsers/formats/format_test_support.h"

namespace assay::varset {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

// The vector of docs/formats/varset.md: a float `Fear`, a bool `Run` and a dword without a name.
Buffer three() {
  return hex(
      "03 00 00 00"
      "04 00 00 00 03 00 00 00 00 00 00 00 04 00 00 00 46 65 61 72 00 00 00 00"
      "00 00 00 3f 00 00 80 3f 00 00 00 00 00 00 80 3f"
      "04 00 00 00 02 00 00 00 00 00 00 00 03 00 00 00 52 75 6e 00 00 00 00"
      "01 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00"
      "04 00 00 00 05 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
      "09 00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff");
}

constexpr std::size_t kFear = 4;
constexpr std::size_t kRun = kFear + 40;
constexpr std::size_t kNameless = kRun + 39;

Lines said_of(const Buffer& image, const ParseContext& context = {}) {
  return said_by<VariableSet>(image, context);
}

TEST(VariableSet, ReadsTheVectors) {
  EXPECT_EQ(said_of(hex("00 00 00 00")), Lines{});
  const Buffer image = three();
  ASSERT_EQ(image.size(), 119U);
  EXPECT_EQ(said_of(image), Lines{});
  Findings findings;
  const auto set = VariableSet::parse(image, {}, findings);
  ASSERT_TRUE(set);
  ASSERT_EQ(set->names().size(), 3U);
  EXPECT_EQ(text_of(set->names()[0]), "Fear");
  EXPECT_EQ(text_of(set->names()[1]), "Run");
  EXPECT_TRUE(set->names()[2].empty());
  EXPECT_EQ(set->facts(), (std::vector<DocumentFact>{{"variables", "3"}}));
}

TEST(VariableSet, ShowsValuesByTheirKind) {
  const Buffer image = three();
  Findings findings;
  const auto set = VariableSet::parse(image, {}, findings);
  ASSERT_TRUE(set);
  const ByteMap map = set->account();
  const auto shown = [&](std::string_view path) {
    const auto found = map.find(path);
    return found ? field_text(*found->info, found->raw) : "nothing";
  };
  EXPECT_EQ(shown("item[0].values.value"), "0.5");
  EXPECT_EQ(shown("item[0].values.most"), "1");
  EXPECT_EQ(shown("item[1].values.value"), "1");
  EXPECT_EQ(shown("item[2].values.most"), "4294967295");
}

TEST(VariableSet, SaysExactlyWhatIsWrongAndWhere) {
  const Buffer whole = three();
  const auto infinite = std::numeric_limits<float>::infinity();
  const struct {
    const char* name;
    Buffer image;
    const char* said;
  } rows[] = {
      {"empty", {}, "refused input_too_short @0 file"},
      {"three bytes", truncated(whole, 3), "refused input_too_short @0 file"},
      {"all bits", with_u32(whole, 0, 0xFFFFFFFF), "refused count_out_of_bounds @0 header.count"},
      {"an item more", with_u32(whole, 0, 4), "refused count_out_of_bounds @0 header.count"},
      {"an item less", with_u32(whole, 0, 2), "refused trailing_bytes @83 file"},
      {"a byte more", joined(whole, hex("00")), "refused trailing_bytes @119 file"},
      {"a byte less", truncated(whole, 118), "refused input_too_short @115 item[2].values.most"},
      {"a value of eight bytes", with_u32(whole, kRun, 8), "refused unsupported_variant @44 item[1].value_size"},
      {"a name past the end", with_u32(whole, kFear + 12, 0xFFFFFFFF), "refused input_too_short @16 item[0].name"},
      {"a name past the rest", with_u32(whole, kFear + 12, 100), "refused input_too_short @16 item[0].name"},
      {"kind", with_u32(whole, kNameless + 4, 4), "strict unexpected_value @87 item[2].kind"},
      {"reserved", with_u32(whole, kRun + 8, 1), "strict invalid_reserved @52 item[1].reserved08"},
      {"reserved, another bit", with_u32(whole, kRun + 8, 0x80000000),
       "strict invalid_reserved @52 item[1].reserved08"},
      {"a float that is none", with_scalar(whole, kFear + 24, infinite), "note non_finite @28 item[0].values.value"},
      {"a bool of two", with_u32(whole, kRun + 23, 2), "note unexpected_value @67 item[1].values.value"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(said_of(row.image), Lines{row.said}) << row.name;
  }
}

TEST(VariableSet, ExpectsTheSecondTextToBeEmpty) {
  Buffer image = with_u32(three(), kNameless + 16, 2);
  image.insert(image.begin() + kNameless + 20, {'h', 'i'});
  EXPECT_EQ(said_of(image), Lines{"strict unexpected_value @99 item[2].second_text"});
}

TEST(VariableSet, HasItemsUpToTheLimit) {
  ParseContext context;
  context.limits.entry_count = 3;
  EXPECT_EQ(said_of(three(), context), Lines{});
  context.limits.entry_count = 2;
  EXPECT_EQ(said_of(three(), context), Lines{"refused limit_exceeded @0 header.count"});
}

TEST(VariableSet, IsClaimedByNameInArchivesAndByStructureOutside) {
  const auto claimed = [](const Buffer& image, std::string_view name, bool is_file) {
    return identify(image, {.name = as_bytes(name), .is_file = is_file}).format == &format();
  };
  const Buffer text = text_bytes("VAR( a, b, c )\r\nVAR( d, e, f )\r\nand some more of that\r\n");
  EXPECT_TRUE(claimed(text, "r_h_01.var", false));
  EXPECT_FALSE(claimed(text, "varset.var", true)) << "a loose text";
  EXPECT_TRUE(claimed(three(), "r_h_01.var", true)) << "an extracted set";
  EXPECT_FALSE(claimed(Buffer(64), "zeros.bin", true));
  for (const std::size_t place : {0U, 4U, 8U, 12U, 16U}) {
    EXPECT_FALSE(claimed(with_u32(three(), place, 777), "x.bin", true)) << place;
  }
}

}  // namespace
}  // namespace assay::varset
