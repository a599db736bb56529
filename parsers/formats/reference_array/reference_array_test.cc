#include "parsers/formats/reference_array/reference_array.h"

#include "parsers/formats/format_test_support.h"

namespace assay::reference_array {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

constexpr std::uint32_t kStat = 0x54415453;
constexpr std::uint32_t kFort = 0x54524F46;
constexpr std::uint32_t kBtlu = 0x554C5442;

// `count` references, each to entry `e` of archive `a.rlb`.
Buffer array_of(std::size_t count) {
  Buffer image(count * 64);
  for (std::size_t index = 0; index < count; ++index) {
    image = with_text(with_text(std::move(image), index * 64, "a.rlb"), index * 64 + 0x20, "e");
  }
  return image;
}

ParseContext tagged(std::uint32_t tag) {
  ParseContext context;
  context.hints.type_tag = tag;
  return context;
}

Lines said_of(const Buffer& image, const ParseContext& context = {}) {
  return said_by<ReferenceArray>(image, context);
}

TEST(ReferenceArray, TakesWholeReferencesOnly) {
  const Lines refused{"refused size_mismatch @0 file"};
  EXPECT_EQ(said_of({}), Lines{}) << "no references are legal";
  EXPECT_EQ(said_of(array_of(1)), Lines{});
  for (const std::size_t size : {1U, 63U, 65U, 127U}) {
    EXPECT_EQ(said_of(truncated(array_of(2), size)), refused) << size;
  }
}

TEST(ReferenceArray, KeepsOrderAndTails) {
  const Buffer image = with_text(with_text(array_of(2), 0x20 + 2, "tail"), 64 + 0x20, "other");
  Findings findings;
  const auto array = ReferenceArray::parse(image, {}, findings);
  ASSERT_TRUE(array);
  ASSERT_EQ(array->references().size(), 2U);
  EXPECT_EQ(text_of(array->references()[0].resource_name.text()), "e");
  EXPECT_EQ(text_of(array->references()[0].resource_name.tail().first(4)), "tail");
  EXPECT_EQ(text_of(array->references()[1].resource_name.text()), "other");
}

TEST(ReferenceArray, NamesMayFillTheirFields) {
  const Buffer image = with_text(array_of(1), 0, std::string(64, 'x'));
  Findings findings;
  const auto array = ReferenceArray::parse(image, {}, findings);
  ASSERT_TRUE(array);
  EXPECT_EQ(array->references()[0].archive_name.text().size(), 32U);
  EXPECT_TRUE(findings.empty());
}

TEST(ReferenceArray, NotesCountsThatShippedClassesDoNotHave) {
  const Lines noted{"note count_mismatch @0 file"};
  const struct {
    std::uint32_t tag;
    std::vector<std::size_t> usual;
  } rows[] = {
      {kStat, {6}},    {0x4F544E49, {5}}, {0x4F545845, {5}}, {0x4C4C5542, {5}},
      {kBtlu, {5, 7}}, {kFort, {2}},      {0x534E5057, {5}}, {0x4F4E5553, {2}},
  };
  for (const auto& row : rows) {
    for (std::size_t count = 0; count < 9; ++count) {
      const bool is_usual = std::ranges::find(row.usual, count) != row.usual.end();
      EXPECT_EQ(said_of(array_of(count), tagged(row.tag)), is_usual ? Lines{} : noted) << tag_text(row.tag) << count;
    }
  }
  EXPECT_EQ(said_of(array_of(3), tagged(0x44444444)), Lines{}) << "a class that is not known";
}

TEST(ReferenceArray, CountsWhatIsSetAndNamesTheClass) {
  // The last slot of STAT is empty; a slot that has only one of its names is not set either.
  const Buffer image = with_byte(with_byte(array_of(3), 64, 0), 128 + 0x20, 0);
  Findings findings;
  const auto array = ReferenceArray::parse(image, tagged(kStat), findings);
  ASSERT_TRUE(array);
  const std::vector<DocumentFact> expected{{"references", "3"}, {"set", "1"}, {"tag", "STAT"}};
  EXPECT_EQ(array->facts(), expected);
}

}  // namespace
}  // namespace assay::reference_array
