#include "reports/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "golden/store.h"
#include "golden/test_items.h"

namespace assay::reports {
namespace {

using golden::FileResult;
using golden::Item;
using golden::test::error_finding;
using golden::test::find_sample_record;
using golden::test::hash_of;
using golden::test::rule_finding;
using golden::test::sample_entry;
using golden::test::sample_file;
using golden::test::VectorSource;
using ::testing::ElementsAre;

Diff diff_of(std::vector<FileResult> before, std::vector<FileResult> after) {
  VectorSource left(std::move(before));
  VectorSource right(std::move(after));
  return diff(left, right, find_sample_record);
}

// "category cause: address address", a line a group.
std::vector<std::string> summary(const Diff& diff) {
  std::vector<std::string> lines;
  for (const DiffGroup& group : diff.groups) {
    std::string line = std::string(category_text(group.category)) + " " + group.cause + ":";
    for (const DiffItem& item : group.items) {
      line += " " + item.path + (item.entry.empty() ? "" : "::" + item.entry) + (item.is_explained ? "*" : "");
    }
    lines.push_back(line);
  }
  return lines;
}

void fail_with(Item& item, const std::string& code, const std::string& field, std::uint64_t offset) {
  item.verdict = Verdict::kFail;
  item.findings = {error_finding(code, field, offset)};
}

void quirk_with(Item& item, const std::string& rule) {
  item.verdict = Verdict::kQuirk;
  item.findings = {rule_finding(rule, true)};
}

void change_content(Item& item) {
  item.sha256 = item.stored_sha256 = hash_of(99);
}

struct CategoryCase {
  const char* name;
  std::function<void(Item&)> before;
  std::function<void(Item&)> after;
  Category expected;
};

void untouched(Item& /*item*/) {}

// The first rows are one minimal change for each category, the rest is which category wins.
const CategoryCase kCases[] = {
    {"ok_to_fail_regressed", untouched, [](Item& item) { fail_with(item, "x", "f", 1); }, Category::kRegressed},
    {"fail_to_ok_fixed", [](Item& item) { fail_with(item, "x", "f", 1); }, untouched, Category::kFixed},
    {"other_code", [](Item& item) { fail_with(item, "x", "f", 1); }, [](Item& item) { fail_with(item, "y", "f", 1); },
     Category::kReasonChanged},
    {"other_field", [](Item& item) { fail_with(item, "x", "f", 1); }, [](Item& item) { fail_with(item, "x", "g", 1); },
     Category::kReasonChanged},
    {"other_offset", [](Item& item) { fail_with(item, "x", "f", 1); }, [](Item& item) { fail_with(item, "x", "f", 2); },
     Category::kReasonChanged},
    {"rule_fires", untouched, [](Item& item) { quirk_with(item, "r"); }, Category::kQuirkGained},
    {"rule_no_longer_fires", [](Item& item) { quirk_with(item, "r"); }, untouched, Category::kQuirkLost},
    {"other_bytes", untouched, change_content, Category::kContentChanged},
    {"other_row", untouched, [](Item& item) { item.row.bytes[8] = 9; }, Category::kContentChanged},
    {"other_fact", untouched, [](Item& item) { item.facts[0].value = "4"; }, Category::kContentChanged},
    {"other_note", untouched, [](Item& item) { item.findings = {{"n", Severity::kNote, "", false, 1, "f", ""}}; },
     Category::kContentChanged},
    {"quirk_to_fail", [](Item& item) { quirk_with(item, "r"); }, [](Item& item) { fail_with(item, "x", "f", 1); },
     Category::kRegressed},
    {"ok_to_unknown", untouched, [](Item& item) { item.verdict = Verdict::kUnknown; }, Category::kRegressed},
    {"unknown_to_fail", [](Item& item) { item.verdict = Verdict::kUnknown; },
     [](Item& item) { fail_with(item, "x", "f", 1); }, Category::kRegressed},
    {"fail_to_unknown", [](Item& item) { fail_with(item, "x", "f", 1); },
     [](Item& item) { item.verdict = Verdict::kUnknown; }, Category::kFixed},
    {"fail_to_quirk", [](Item& item) { fail_with(item, "x", "f", 1); }, [](Item& item) { quirk_with(item, "r"); },
     Category::kFixed},
    {"unknown_to_ok", [](Item& item) { item.verdict = Verdict::kUnknown; }, untouched, Category::kFixed},
    {"unknown_to_quirk", [](Item& item) { item.verdict = Verdict::kUnknown; },
     [](Item& item) { quirk_with(item, "r"); }, Category::kFixed},
    {"regressed_before_content", untouched,
     [](Item& item) {
       change_content(item);
       fail_with(item, "x", "f", 1);
     },
     Category::kRegressed},
    {"reason_before_content", [](Item& item) { fail_with(item, "x", "f", 1); },
     [](Item& item) {
       change_content(item);
       fail_with(item, "y", "f", 1);
     },
     Category::kReasonChanged},
    {"same_reason_other_content", [](Item& item) { fail_with(item, "x", "f", 1); },
     [](Item& item) {
       change_content(item);
       fail_with(item, "x", "f", 1);
     },
     Category::kContentChanged},
    {"gained_before_lost", [](Item& item) { quirk_with(item, "r"); }, [](Item& item) { quirk_with(item, "s"); },
     Category::kQuirkGained},
    {"quirk_before_content", untouched,
     [](Item& item) {
       change_content(item);
       quirk_with(item, "r");
     },
     Category::kQuirkGained},
};

class DiffSorts : public ::testing::TestWithParam<CategoryCase> {};

TEST_P(DiffSorts, OneItemIntoOneCategory) {
  FileResult before = sample_file("a.lib");
  FileResult after = sample_file("a.lib");
  GetParam().before(before.items[2]);
  GetParam().after(after.items[2]);
  const Diff result = diff_of({before}, {after});
  ASSERT_EQ(result.groups.size(), 1U);
  EXPECT_EQ(result.groups[0].category, GetParam().expected);
  EXPECT_EQ(result.groups[0].items.size(), 1U);
  EXPECT_EQ(result.count(GetParam().expected), 1U);
  EXPECT_EQ(result.has_regressed(), GetParam().expected == Category::kRegressed);
}

INSTANTIATE_TEST_SUITE_P(Categories, DiffSorts, ::testing::ValuesIn(kCases),
                         [](const auto& test_case) { return std::string(test_case.param.name); });

TEST(Diff, ListsNewAndRemovedItems) {
  FileResult after = sample_file("a.lib");
  after.items[3] = sample_entry(3, "D");
  const Diff result = diff_of({sample_file("a.lib"), sample_file("b.lib")}, {after, sample_file("c.lib")});
  EXPECT_THAT(summary(result),
              ElementsAre("new c.lib: c.lib c.lib::A c.lib::B c.lib::C", "new a.lib: a.lib::D",
                          "removed b.lib: b.lib b.lib::A b.lib::B b.lib::C", "removed a.lib: a.lib::C"));
  EXPECT_FALSE(result.has_regressed());
}

TEST(Diff, CountsANewItemThatFailsAsRegressed) {
  FileResult fresh = sample_file("c.lib");
  fail_with(fresh.items[1], "x", "entry[0].f", 1);
  const Diff result = diff_of({}, {fresh});
  EXPECT_EQ(result.count(Category::kRegressed), 1U);
  EXPECT_EQ(result.count(Category::kNew), 3U);
  EXPECT_TRUE(result.has_regressed());
}

TEST(Diff, GroupsTheSameErrorAcrossFilesAndIndexes) {
  FileResult first = sample_file("a.lib");
  FileResult second = sample_file("b.lib");
  fail_with(first.items[1], "x", "entry[0].size", 1);
  fail_with(first.items[3], "x", "entry[2].size", 1);
  fail_with(second.items[2], "x", "entry[1].size", 1);
  fail_with(second.items[3], "y", "entry[2].size", 1);
  EXPECT_THAT(
      summary(diff_of({sample_file("a.lib"), sample_file("b.lib")}, {first, second})),
      ElementsAre("regressed x entry[*].size: a.lib::A a.lib::C b.lib::B", "regressed y entry[*].size: b.lib::C"));
}

TEST(Diff, GroupsAnArchiveWithTheEntryThatExplainsIt) {
  FileResult after = sample_file("a.lib");
  golden::test::break_entry(after, 2);
  change_content(after.items[0]);
  EXPECT_THAT(summary(diff_of({sample_file("a.lib")}, {after})),
              ElementsAre("regressed invalid_stream entry[*].data: a.lib* a.lib::B"));
}

TEST(Diff, AnEntryOfAnotherCategoryDoesNotExplainAnArchive) {
  FileResult after = sample_file("a.lib");
  golden::test::break_entry(after, 2);
  change_content(after.items[0]);
  change_content(after.items[1]);
  EXPECT_THAT(
      summary(diff_of({sample_file("a.lib")}, {after})),
      ElementsAre("regressed invalid_stream entry[*].data: a.lib* a.lib::B", "content changed a.lib: a.lib::A"));
}

TEST(Diff, AnEntryWhoseNameOnlyBeginsLikeAnArchiveDoesNotExplainIt) {
  FileResult before = sample_file("a.lib");
  before.items.push_back(sample_entry(3, "A1"));
  before.items.push_back(sample_entry(4, "A::IN"));
  FileResult after = before;
  after.items[1].verdict = Verdict::kFail;
  fail_with(after.items[4], "y", "entry[3].data", 1);
  fail_with(after.items[5], "x", "entry[0].data", 1);
  EXPECT_THAT(summary(diff_of({before}, {after})),
              ElementsAre("regressed x entry[*].data: a.lib::A* a.lib::A::IN", "regressed y entry[*].data: a.lib::A1"));
}

TEST(Diff, GroupsEveryArchiveAroundAnEntryByTheInnermostCause) {
  FileResult before = sample_file("a.lib");
  before.items.push_back(sample_entry(3, "B::IN"));
  before.items.push_back(sample_entry(4, "B::IN::X"));
  FileResult after = before;
  for (const std::size_t archive : {0U, 2U, 4U}) {
    after.items[archive].verdict = Verdict::kFail;
    change_content(after.items[archive]);
  }
  fail_with(after.items[5], "x", "entry[0].data", 1);
  EXPECT_THAT(summary(diff_of({before}, {after})),
              ElementsAre("regressed x entry[*].data: a.lib* a.lib::B* a.lib::B::IN* a.lib::B::IN::X"));
}

TEST(Diff, IsEmptyForTheSameResults) {
  const auto files = golden::test::RandomFiles(1).files(100);
  const Diff result = diff_of(files, files);
  EXPECT_TRUE(result.empty());
  EXPECT_FALSE(result.has_regressed());
  EXPECT_EQ(result.compared.items_before, result.compared.items_after);
}

TEST(Diff, IsEmptyForTwoRunsInOneDatabaseWhateverTheirNumbersTimesAndLabels) {
  const golden::test::ScratchFolder folder;
  auto store = golden::Store::open(folder / "runs.db", golden::Store::Mode::kReadWriteCreate);
  const auto files = golden::test::RandomFiles(2).files(100);
  for (const char* label : {"one", "two"}) {
    auto writer = store.begin_run({.label = label, .corpus = "c", .profile = "p", .tool_version = label, .rules = ""});
    for (const FileResult& file : files) {
      writer.add(file);
    }
    writer.finish(golden::test::totals_of(files));
  }
  const auto before = store.files(store.find_run("one"));
  const auto after = store.files(store.find_run("two"));
  EXPECT_TRUE(diff(*before, *after, find_sample_record).empty());
}

TEST(Diff, IsTheSameEachTime) {
  const auto before = golden::test::RandomFiles(3).files(100);
  auto after = golden::test::RandomFiles(4).files(100);
  EXPECT_EQ(summary(diff_of(before, after)), summary(diff_of(before, after)));
}

TEST(DiffScale, TakesTimeInProportionToTheItems) {
  const auto seconds_for = [](std::size_t files) {
    const auto before = golden::test::RandomFiles(5).files(files);
    const auto after = golden::test::RandomFiles(6).files(files);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(diff_of(before, after).empty());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double small = seconds_for(700);
  // Eight times the items, about 20,000; anything quadratic would take sixty-four times as long.
  EXPECT_LT(seconds_for(5'600), 30 * small + 0.5);
}

}  // namespace
}  // namespace assay::reports
