#include "golden/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "golden/test_items.h"

namespace assay::golden {
namespace {

using test::find_sample_record;
using test::sample_entry;
using test::sample_file;
using test::VectorSource;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "path entry kind subject offset+size", a line a change.
std::vector<std::string> summary(const FileChanges& file) {
  std::vector<std::string> lines;
  for (const ItemChanges& item : file.items) {
    for (const Change& change : item.changes) {
      std::ostringstream line;
      line << item.entry << (item.is_explained ? " (explained)" : "") << ' ' << change_kind_text(change.kind);
      if (!change.subject.empty()) {
        line << ' ' << change.subject;
      }
      if (change.place) {
        line << ' ' << change.place->offset << '+' << change.place->size;
      }
      lines.push_back(line.str());
    }
  }
  return lines;
}

FileChanges compare_runs(const FileResult& before, const FileResult& after) {
  return compare_file(&before, &after, find_sample_record);
}

FileChanges compare_with_manifest(const FileResult& before, const FileResult& after) {
  const ExpectedFile expected = expectation_of(before, find_sample_record);
  return compare_file(&expected, &after, find_sample_record);
}

struct ChangeCase {
  const char* name;
  std::function<void(FileResult&)> change;
  std::vector<std::string> expected;
};

void set_attr1(Item& item, std::uint32_t value) {
  store_little_endian(value, MutableBytes(item.row.bytes).subspan(8));
}

void move_entry(Item& item, std::uint32_t by) {
  item.offset += by;
  store_little_endian(static_cast<std::uint32_t>(item.offset), MutableBytes(item.row.bytes).subspan(12));
}

// Each is one small step from the same file.
const ChangeCase kChanges[] = {
    {"item_missing", [](auto& file) { file.items.erase(file.items.begin() + 2); }, {"B item_missing"}},
    {"item_new", [](auto& file) { file.items.push_back(sample_entry(3, "D")); }, {"D item_new 160+18"}},
    {"content_changed",
     [](auto& file) { file.items[2].sha256 = file.items[2].stored_sha256 = test::hash_of(99); },
     {"B content_changed 96+18"}},
    {"stored_bytes_changed",
     [](auto& file) { file.items[2].stored_sha256 = test::hash_of(98); },
     {"B content_changed 96+18"}},
    {"stored_hash_gone", [](auto& file) { file.items[2].stored_sha256.reset(); }, {"B content_changed 96+18"}},
    {"size_changed", [](auto& file) { file.items[2].size = 19; }, {"B content_changed 96+18"}},
    {"hash_gone", [](auto& file) { file.items[2].sha256.reset(); }, {"B content_changed 96+18"}},
    {"format_changed", [](auto& file) { file.items[2].format = "unknown"; }, {"B format_changed"}},
    {"verdict_changed", [](auto& file) { file.items[2].verdict = Verdict::kUnknown; }, {"B verdict_changed"}},
    {"finding_new",
     [](auto& file) { file.items[2].findings = {test::error_finding("x", "entry[1].size", 0x21C)}; },
     {"B finding_changed entry[1].size 540+0"}},
    {"rule_gained",
     [](auto& file) { file.items[2].findings = {test::rule_finding("some_rule", true)}; },
     {"B rule_not_expected some_rule 528+0"}},
    {"rule_refused",
     [](auto& file) { file.items[2].findings = {test::rule_finding("some_rule", false)}; },
     {"B finding_changed entry[0].sort_index 528+0"}},
    {"row_field_changed",
     [](auto& file) { set_attr1(file.items[2], 9); },
     {"B row_field_changed entry[1].attr1 540+4"}},
    {"fact_changed", [](auto& file) { file.items[2].facts[0].value = "4"; }, {"B fact_changed nodes"}},
    {"fact_gone", [](auto& file) { file.items[2].facts.clear(); }, {"B fact_changed nodes"}},
    {"fact_new", [](auto& file) { file.items[2].facts.push_back({"more", "1"}); }, {"B fact_changed more"}},
    {"one_entry_moved",
     [](auto& file) { move_entry(file.items[2], 8); },
     {"B row_field_changed entry[1].data_offset 544+4"}},
    {"renamed",
     [](auto& file) {
       file.items[2].entry = "X";
       file.items[2].row.bytes[0] = 'X';
     },
     {"B item_missing", "X item_new 96+18", "X row_field_changed entry[1].name 532+8"}},
    {"renamed_and_moved",
     [](auto& file) {
       file.items[2].entry = "X";
       file.items[2].row.bytes[0] = 'X';
       move_entry(file.items[2], 8);
     },
     {"B item_missing", "X item_new 104+18", "X row_field_changed entry[1].name 532+8"}},
    {"renamed_and_copied",
     [](auto& file) {
       Item copy = sample_entry(3, "Y");
       copy.sha256 = copy.stored_sha256 = file.items[2].stored_sha256;
       file.items.push_back(copy);
       file.items[2].entry = "X";
       file.items[2].row.bytes[0] = 'X';
     },
     {"B item_missing", "X item_new 96+18", "X row_field_changed entry[1].name 532+8", "Y item_new 160+18"}},
    {"archive_explained_by_entry",
     [](auto& file) {
       file.items[0].sha256 = file.items[0].stored_sha256 = test::hash_of(77);
       file.items[2].sha256 = file.items[2].stored_sha256 = test::hash_of(99);
     },
     {" (explained) content_changed 0+572", "B content_changed 96+18"}},
    {"archive_with_unexplained_bytes",
     [](auto& file) { file.items[0].sha256 = file.items[0].stored_sha256 = test::hash_of(77); },
     {" content_changed 0+572"}},
    {"archive_verdict_explained_by_entry",
     [](auto& file) { test::break_entry(file, 2); },
     {" (explained) verdict_changed", "B verdict_changed", "B finding_changed entry[1].data 64+0"}},
    {"archive_with_an_error_of_its_own",
     [](auto& file) {
       test::break_entry(file, 2);
       file.items[0].findings = {test::error_finding("total_size_mismatch", "header.total_size", 12)};
     },
     {" verdict_changed", " finding_changed header.total_size 12+0", "B verdict_changed",
      "B finding_changed entry[1].data 64+0"}},
    {"archive_verdict_without_an_entry_that_has_one",
     [](auto& file) {
       file.items[0].verdict = Verdict::kUnknown;
       file.items[2].facts[0].value = "4";
     },
     {" verdict_changed", "B fact_changed nodes"}},
};

class CompareFindsIn : public ::testing::TestWithParam<ChangeCase> {};

TEST_P(CompareFindsIn, TwoRuns) {
  FileResult after = sample_file("a.lib");
  GetParam().change(after);
  EXPECT_EQ(summary(compare_runs(sample_file("a.lib"), after)), GetParam().expected);
}

TEST_P(CompareFindsIn, AManifestAndARun) {
  FileResult after = sample_file("a.lib");
  GetParam().change(after);
  EXPECT_EQ(summary(compare_with_manifest(sample_file("a.lib"), after)), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Changes, CompareFindsIn, ::testing::ValuesIn(kChanges),
                         [](const auto& test_case) { return std::string(test_case.param.name); });

TEST(Compare, FindsNothingInEqualResults) {
  for (const FileResult& file : test::RandomFiles(1).files(200)) {
    EXPECT_TRUE(compare_runs(file, file).empty()) << file.path;
    EXPECT_TRUE(compare_with_manifest(file, file).empty()) << file.path;
  }
}

TEST(Compare, FindsNothingWhenOnlyTheOrderOfEntriesDiffers) {
  FileResult after = sample_file("a.lib");
  std::swap(after.items[1], after.items[3]);
  EXPECT_TRUE(compare_runs(sample_file("a.lib"), after).empty());
}

TEST(Compare, FindsWhatIsGone) {
  FileResult before = sample_file("a.lib");
  before.items[1].findings = {test::rule_finding("some_rule", true), test::error_finding("x", "y", 1)};
  EXPECT_THAT(summary(compare_runs(before, sample_file("a.lib"))),
              ElementsAre("A rule_no_longer_fires some_rule", "A finding_changed"));
}

TEST(Compare, LooksAtEveryPartOfAFinding) {
  const struct {
    const char* name;
    void (*change)(ItemFinding&);
    bool is_change;
  } kParts[] = {
      {"code", [](ItemFinding& one) { one.code = "other"; }, true},
      {"severity", [](ItemFinding& one) { one.severity = Severity::kNote; }, true},
      {"rule", [](ItemFinding& one) { one.rule = "other"; }, true},
      {"applied", [](ItemFinding& one) { one.applied = true; }, true},
      {"field", [](ItemFinding& one) { one.field = "entry[0].size"; }, true},
      // The place of what is no error and the words follow from the rest.
      {"offset", [](ItemFinding& one) { ++one.offset; }, false},
      {"message", [](ItemFinding& one) { one.message = "other"; }, false},
  };
  FileResult before = sample_file("a.lib");
  before.items[2].findings = {test::rule_finding("some_rule", false)};
  for (const auto& part : kParts) {
    FileResult after = before;
    part.change(after.items[2].findings[0]);
    EXPECT_EQ(!compare_runs(before, after).empty(), part.is_change) << part.name;
    EXPECT_EQ(!compare_with_manifest(before, after).empty(), part.is_change) << part.name;
  }
}

TEST(Compare, AnotherOrderOfFindingsIsOneChange) {
  FileResult before = sample_file("a.lib");
  before.items[2].findings = {test::error_finding("x", "f", 1), test::error_finding("y", "g", 2)};
  FileResult after = before;
  std::swap(after.items[2].findings[0], after.items[2].findings[1]);
  EXPECT_THAT(summary(compare_runs(before, after)), ElementsAre("B finding_changed"));
  EXPECT_THAT(summary(compare_with_manifest(before, after)), ElementsAre("B finding_changed"));
}

TEST(Compare, ARuleInThePlaceOfAnotherIsTwoChanges) {
  FileResult before = sample_file("a.lib");
  FileResult after = before;
  before.items[2].findings = {test::rule_finding("some_rule", true)};
  after.items[2].findings = {test::rule_finding("another_rule", true)};
  EXPECT_THAT(summary(compare_runs(before, after)),
              ElementsAre("B rule_no_longer_fires some_rule", "B rule_not_expected another_rule 528+0"));
}

TEST(Compare, TellsWhatElseChangedInAnEntryThatMoved) {
  FileResult after = sample_file("a.lib");
  move_entry(after.items[2], 8);
  move_entry(after.items[3], 8);
  set_attr1(after.items[3], 9);
  const FileChanges changes = compare_runs(sample_file("a.lib"), after);
  EXPECT_THAT(summary(changes), ElementsAre("C row_field_changed entry[2].attr1 560+4"));
  EXPECT_EQ(changes.moved_entries, 2U);
}

TEST(Compare, TellsEntriesThatMovedInOneLine) {
  FileResult after = sample_file("a.lib");
  move_entry(after.items[2], 8);
  move_entry(after.items[3], 8);
  after.items[0].sha256 = after.items[0].stored_sha256 = test::hash_of(77);
  const FileChanges changes = compare_runs(sample_file("a.lib"), after);
  EXPECT_THAT(summary(changes), ElementsAre(" (explained) content_changed 0+572"));
  EXPECT_EQ(changes.moved_entries, 2U);
  ASSERT_TRUE(changes.moved);
  EXPECT_EQ(changes.moved->message, "B");
  EXPECT_EQ(changes.moved->subject, "entry[1].data_offset");
  EXPECT_EQ(changes.moved->place, (Place{544, 4}));
}

TEST(Compare, LooksAtTheOffsetOfAnErrorOnlyWhereTheEntryDidNotMove) {
  FileResult before = sample_file("a.lib");
  test::break_entry(before, 2);
  FileResult after = before;
  after.items[2].findings[0].offset += 4;
  EXPECT_THAT(summary(compare_runs(before, after)), ElementsAre("B finding_changed entry[1].data 68+0"));
  EXPECT_THAT(summary(compare_with_manifest(before, after)), IsEmpty());
  after.items[2].offset += 4;
  EXPECT_THAT(summary(compare_runs(before, after)), IsEmpty());
}

TEST(Compare, PlacesDecodedEntriesAtTheirPackedPayload) {
  FileResult before = sample_file("a.lib");
  before.items[1].sha256 = test::hash_of(50);
  Item inner = sample_entry(0, "A::IN");
  inner.offset = inner.row.offset = before.items[1].offset;
  inner.stored_size = 5000;
  before.items.insert(before.items.begin() + 2, inner);
  FileResult after = before;
  after.items[2].sha256 = after.items[2].stored_sha256 = test::hash_of(51);
  set_attr1(after.items[2], 9);
  EXPECT_THAT(summary(compare_runs(before, after)),
              ElementsAre("A::IN content_changed 64+18", "A::IN row_field_changed entry[0].attr1 64+0"));
}

TEST(Compare, ExplainsEveryArchiveAroundAnEntry) {
  FileResult before = sample_file("a.lib");
  before.items.push_back(sample_entry(3, "B::IN"));
  FileResult after = before;
  for (const std::size_t index : {0U, 2U, 4U}) {
    after.items[index].sha256 = after.items[index].stored_sha256 = test::hash_of(99);
  }
  EXPECT_THAT(summary(compare_runs(before, after)),
              ElementsAre(" (explained) content_changed 0+572", "B (explained) content_changed 96+18",
                          "B::IN content_changed 160+18"));
}

TEST(Compare, WhatCouldNotBeReadIsNoRenamedEntry) {
  FileResult before = sample_file("a.lib");
  before.items[2].stored_sha256.reset();
  FileResult after = before;
  after.items[2].entry = "X";
  after.items[2].row.bytes[0] = 'X';
  EXPECT_THAT(summary(compare_runs(before, after)), ElementsAre("B item_missing", "X item_new 96+18"));
}

TEST(Compare, OfEntriesWithTheSameBytesEachTakesTheNextOldName) {
  FileResult before = sample_file("a.lib");
  before.items[3].stored_sha256 = before.items[3].sha256 = before.items[2].stored_sha256;
  FileResult after = before;
  for (const std::size_t index : {2U, 3U}) {
    after.items[index].entry = after.items[index].entry == "B" ? "X" : "Y";
    after.items[index].row.bytes[0] = static_cast<std::uint8_t>(after.items[index].entry[0]);
  }
  set_attr1(after.items[3], 9);
  EXPECT_THAT(summary(compare_runs(before, after)),
              ElementsAre("B item_missing", "C item_missing", "X item_new 96+18",
                          "X row_field_changed entry[1].name 532+8", "Y item_new 128+18",
                          "Y row_field_changed entry[2].name 552+8", "Y row_field_changed entry[2].attr1 560+4"));
}

// A search among all that is gone for each that is new took minutes.
TEST(Compare, ManyRenamedEntriesTakeTimeThatGrowsWithThem) {
  FileResult before = sample_file("a.lib");
  for (std::uint32_t index = 3; index < 60'000; ++index) {
    Item& item = before.items.emplace_back(sample_entry(index, "N" + std::to_string(index)));
    store_little_endian(index, MutableBytes(*item.stored_sha256));
    item.sha256 = item.stored_sha256;
  }
  FileResult after = before;
  for (Item& item : after.items) {
    item.entry += item.entry.empty() ? "" : "x";
  }
  const auto started = std::chrono::steady_clock::now();
  EXPECT_EQ(compare_runs(before, after).items.size(), 2 * 60'000U);
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(20));
}

TEST(Item, AnEntryIsInsideAnArchiveWhoseWholeAddressItBeginsWith) {
  EXPECT_TRUE(is_inside("A", ""));
  EXPECT_TRUE(is_inside("A::B", ""));
  EXPECT_TRUE(is_inside("A::B", "A"));
  EXPECT_TRUE(is_inside("A::B::C", "A"));
  EXPECT_FALSE(is_inside("", ""));
  EXPECT_FALSE(is_inside("A", "A"));
  EXPECT_FALSE(is_inside("A1", "A"));
  EXPECT_FALSE(is_inside("A:B", "A"));
  EXPECT_FALSE(is_inside("B::A", "A"));
}

TEST(Compare, TakesOddNamesThatHoldTheSeparator) {
  FileResult before = sample_file("a.lib");
  for (const char* name : {"::", "::::x", "x::", ":"}) {
    before.items.push_back(sample_entry(before.items.size() - 1, name));
  }
  FileResult after = before;
  for (Item& item : after.items) {
    item.size += 1;
  }
  EXPECT_EQ(summary(compare_runs(before, after)).size(), before.items.size());
}

TEST(Expectation, NamesARuleOnceHoweverOftenItWasApplied) {
  Item item = sample_entry(0, "A");
  item.findings = {test::rule_finding("b", true), test::rule_finding("a", true), test::rule_finding("c", false),
                   test::rule_finding("a", true)};
  EXPECT_THAT(expectation_of(item, find_sample_record).rules, ElementsAre("a", "b"));
}

TEST(Compare, MergesFilesByPath) {
  VectorSource before({sample_file("a"), sample_file("b"), sample_file("d")});
  VectorSource after({sample_file("b"), sample_file("c"), sample_file("d")});
  std::vector<std::string> seen;
  const Compared compared = compare(before, after, find_sample_record, [&](const FileChanges& file) {
    seen.push_back(file.path + (file.in_before ? " before" : "") + (file.in_after ? " after" : ""));
  });
  EXPECT_THAT(seen, ElementsAre("a before", "c after"));
  EXPECT_EQ(compared.items_before, 12U);
  EXPECT_EQ(compared.items_after, 12U);
}

}  // namespace
}  // namespace assay::golden
