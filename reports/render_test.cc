#include "reports/render.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "golden/test_items.h"

namespace assay::reports {
namespace {

using golden::FileResult;
using golden::test::find_sample_record;
using golden::test::hash_of;
using golden::test::sample_file;
using golden::test::VectorSource;
using ::testing::HasSubstr;
using ::testing::Not;

golden::CheckResult check_files(const std::vector<FileResult>& expected, const std::vector<FileResult>& actual,
                                const std::string& profile = "strict") {
  const golden::test::ScratchFolder folder;
  VectorSource promised(expected);
  golden::write_manifest(folder / "m.jsonl", "demo", "strict", promised, find_sample_record);
  golden::ManifestReader reader(folder / "m.jsonl");
  VectorSource found(actual);
  return golden::check(reader, profile, found, find_sample_record);
}

std::string checked(const std::vector<FileResult>& expected, const std::vector<FileResult>& actual,
                    const TextOptions& options = {}) {
  return check_text(check_files(expected, actual), options);
}

Diff diff_files(std::vector<FileResult> before, std::vector<FileResult> after) {
  VectorSource left(std::move(before));
  VectorSource right(std::move(after));
  return diff(left, right, find_sample_record);
}

// A payload byte of entry B and the archive's hash with it.
FileResult with_payload_flip(const std::string& path) {
  FileResult file = sample_file(path);
  file.items[0].sha256 = file.items[0].stored_sha256 = hash_of(77);
  file.items[2].sha256 = file.items[2].stored_sha256 = hash_of(99);
  return file;
}

FileResult with_directory_flip(const std::string& path) {
  FileResult file = sample_file(path);
  file.items[0].sha256 = file.items[0].stored_sha256 = hash_of(77);
  file.items[2].row.bytes[8] ^= 0x0E;
  return file;
}

// The last two of the three entries lie elsewhere.
FileResult with_moved_entries(const std::string& path) {
  FileResult file = sample_file(path);
  for (const std::size_t index : {2U, 3U}) {
    store_little_endian(std::uint32_t{500}, MutableBytes(file.items[index].row.bytes).subspan(12));
  }
  return file;
}

std::vector<nlohmann::json> lines_of(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);) {
    lines.push_back(nlohmann::json::parse(line));
  }
  return lines;
}

TEST(CheckText, SaysThatAllIsAsExpected) {
  EXPECT_EQ(checked({sample_file("a.lib")}, {sample_file("a.lib")}), "check passed: 4 items as expected\n");
}

TEST(CheckText, NamesFileEntryAndByteRangeOfAFlippedPayloadByte) {
  EXPECT_EQ(
      checked({sample_file("a.lib")}, {with_payload_flip("a.lib")}),
      "check failed: 2 items of 4 expected and 4 scanned: 2 content changed\n"
      "a.lib::B: content changed, bytes [0x60,0x72): size 18, sha256 111111111111 -> size 18, sha256 636363636363\n");
}

TEST(CheckText, NamesFileEntryFieldAndOffsetOfAFlippedDirectoryByte) {
  EXPECT_EQ(checked({sample_file("a.lib")}, {with_directory_flip("a.lib")}),
            "check failed: 2 items of 4 expected and 4 scanned: 1 content changed, 1 row field changed\n"
            "a.lib::B: entry[1].attr1 at 0x21c: 7 -> 9\n");
}

TEST(CheckText, NamesADeletedFileInOneLine) {
  EXPECT_EQ(checked({sample_file("a.lib"), sample_file("b.lib")}, {sample_file("a.lib")}),
            "check failed: 4 items of 8 expected and 4 scanned: 4 item missing\n"
            "b.lib: missing file (with 3 entries)\n");
}

TEST(CheckText, NamesANewFileInOneLine) {
  EXPECT_THAT(checked({sample_file("a.lib")}, {sample_file("a.lib"), sample_file("b.lib")}),
              HasSubstr("scanned: 4 item new\nb.lib: new file (with 3 entries), ok\n"));
}

TEST(CheckText, SaysNothingOfEntriesWhereAFileHasNone) {
  FileResult gone = sample_file("b.lib");
  gone.items.resize(1);
  FileResult fresh = gone;
  fresh.path = "c.lib";
  EXPECT_EQ(checked({sample_file("a.lib"), gone}, {sample_file("a.lib"), fresh}),
            "check failed: 2 items of 5 expected and 5 scanned: 1 item missing, 1 item new\n"
            "b.lib: missing file\n"
            "c.lib: new file, ok\n");
}

TEST(CheckText, ShowsTheEntriesOfANewFileThatFail) {
  FileResult fresh = sample_file("b.lib");
  golden::test::break_entry(fresh, 2);
  EXPECT_THAT(checked({sample_file("a.lib")}, {sample_file("a.lib"), fresh}),
              ::testing::EndsWith("\nb.lib: new file (with 3 entries), fail\n"
                                  "b.lib::B: new, bytes [0x60,0x72)\n"
                                  "b.lib::B: error invalid_stream entry[1].data at 0x40: it is broken\n"));
}

TEST(CheckText, ShowsAFindingThatIsGone) {
  FileResult broken = sample_file("a.lib");
  golden::test::break_entry(broken, 2);
  EXPECT_THAT(checked({broken}, {sample_file("a.lib")}),
              HasSubstr("a.lib::B: finding no longer there: error invalid_stream entry[1].data\n"));
}

TEST(CheckText, ShowsTheErrorOfAnEntry) {
  FileResult broken = sample_file("a.lib");
  golden::test::break_entry(broken, 2);
  EXPECT_THAT(checked({sample_file("a.lib")}, {broken}),
              HasSubstr("a.lib::B: verdict changed: ok -> fail\n"
                        "a.lib::B: error invalid_stream entry[1].data at 0x40: it is broken\n"));
}

TEST(CheckText, ShowsTheErrorOfAFileInsteadOfAllItsLostEntries) {
  FileResult broken = sample_file("a.lib");
  broken.items.resize(1);
  broken.items[0].verdict = Verdict::kFail;
  broken.items[0].findings = {golden::test::error_finding("total_size_mismatch", "header.total_size", 12)};
  const std::string text = checked({sample_file("a.lib")}, {broken});
  EXPECT_THAT(text, HasSubstr("a.lib: error total_size_mismatch header.total_size at 0xc: it is broken\n"));
  EXPECT_THAT(text, HasSubstr("a.lib: 3 entry items missing\n"));
  EXPECT_THAT(text, Not(HasSubstr("a.lib::B")));
}

TEST(CheckText, ShowsRules) {
  FileResult quirky = sample_file("a.lib");
  quirky.items[2].findings = {golden::test::rule_finding("some_rule", true)};
  EXPECT_THAT(checked({sample_file("a.lib")}, {quirky}),
              HasSubstr("a.lib::B: rule some_rule fires at 0x210: entry[0].sort_index: names are not in order\n"));
  EXPECT_THAT(checked({quirky}, {sample_file("a.lib")}), HasSubstr("a.lib::B: rule some_rule no longer fires\n"));
}

TEST(CheckText, ShowsFormatsAndFacts) {
  FileResult changed = sample_file("a.lib");
  changed.items[2].format = "wav";
  changed.items[2].facts[0].value = "4";
  EXPECT_THAT(checked({sample_file("a.lib")}, {changed}),
              ::testing::EndsWith("\na.lib::B: format changed: msh -> wav\na.lib::B: fact nodes: 3 -> 4\n"));
  changed.items[2].facts.clear();
  EXPECT_THAT(checked({sample_file("a.lib")}, {changed}), HasSubstr("\na.lib::B: fact nodes: 3 -> none\n"));
}

TEST(CheckText, ShowsMovedEntriesInOneLine) {
  EXPECT_THAT(checked({sample_file("a.lib")}, {with_moved_entries("a.lib")}),
              HasSubstr("a.lib: 2 entries only moved; the first is B, entry[1].data_offset at 0x220: 96 -> 500\n"));
}

TEST(CheckText, CutsLongListsUnlessAllIsWanted) {
  std::vector<FileResult> before;
  std::vector<FileResult> after;
  for (int number = 100; number < 130; ++number) {
    before.push_back(sample_file(std::to_string(number)));
    after.push_back(with_payload_flip(std::to_string(number)));
  }
  const std::string cut = checked(before, after);
  EXPECT_THAT(cut, HasSubstr("\nand 10 more\n"));
  EXPECT_THAT(cut, Not(HasSubstr("120::B")));
  const std::string all = checked(before, after, {.all = true});
  EXPECT_THAT(all, HasSubstr("129::B"));
  EXPECT_THAT(all, Not(HasSubstr("more")));
}

TEST(CheckText, ShowsProblemsOfTheWhole) {
  EXPECT_THAT(check_text(check_files({sample_file("a.lib")}, {sample_file("a.lib")}, "compatible"), {}),
              HasSubstr("check failed: 0 items of 4 expected and 4 scanned\nthe manifest is for profile strict"));
}

TEST(CheckJson, HasALineForEachChangeAndASummary) {
  const auto lines = lines_of(check_json(check_files({sample_file("a.lib")}, {with_directory_flip("a.lib")})));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0]["kind"], "content_changed");
  EXPECT_EQ(lines[0]["explained"], true);
  EXPECT_EQ(lines[1]["kind"], "row_field_changed");
  EXPECT_EQ(lines[1]["path"], "a.lib");
  EXPECT_EQ(lines[1]["entry"], "B");
  EXPECT_EQ(lines[1]["subject"], "entry[1].attr1");
  EXPECT_EQ(lines[1]["offset"], 0x21C);
  EXPECT_EQ(lines[1]["size"], 4);
  EXPECT_EQ(lines[1]["before"], "7");
  EXPECT_EQ(lines[1]["after"], "9");
  EXPECT_EQ(lines[1]["message"], nullptr);
  EXPECT_EQ(lines[2]["summary"]["passed"], false);
  EXPECT_EQ(lines[2]["summary"]["row_field_changed"], 1);
}

TEST(CheckJson, HasTheMessageOfAnError) {
  FileResult broken = sample_file("a.lib");
  golden::test::break_entry(broken, 2);
  const auto lines = lines_of(check_json(check_files({sample_file("a.lib")}, {broken})));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[2]["kind"], "finding_changed");
  EXPECT_EQ(lines[2]["explained"], false);
  EXPECT_EQ(lines[2]["before"], nullptr);
  EXPECT_EQ(lines[2]["after"], "error invalid_stream entry[1].data");
  EXPECT_EQ(lines[2]["message"], "it is broken");
}

TEST(CheckJson, HasTheProblemsOfTheWhole) {
  const auto lines = lines_of(check_json(check_files({sample_file("a.lib")}, {sample_file("a.lib")}, "compatible")));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["summary"]["passed"], false);
  ASSERT_EQ(lines[0]["summary"]["problems"].size(), 1U);
  EXPECT_EQ(lines[0]["summary"]["problems"][0], "the manifest is for profile strict, the run used compatible");
}

TEST(CheckJson, CountsTheEntriesThatMovedInTheirLine) {
  const auto lines = lines_of(check_json(check_files({sample_file("a.lib")}, {with_moved_entries("a.lib")})));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0]["kind"], "entries_moved");
  EXPECT_EQ(lines[0]["entry"], "B");
  EXPECT_EQ(lines[0]["entries"], 2);
}

TEST(CheckJson, SurvivesTextThatIsNotUtf8) {
  golden::CheckResult result;
  golden::FileChanges& file = result.files.emplace_back();
  file.path = "a\xFF";
  file.items.emplace_back().changes.emplace_back();
  EXPECT_EQ(lines_of(check_json(result)).size(), 2U);
}

TEST(AcceptedText, PrintsWhatIsTakenOver) {
  golden::Accepted accepted;
  EXPECT_EQ(accepted_text(accepted, {}), "nothing to accept: the manifest already says so\n");
  accepted.files = check_files({sample_file("a.lib")}, {with_payload_flip("a.lib")}).files;
  accepted.items = 2;
  EXPECT_THAT(accepted_text(accepted, {}),
              HasSubstr("accepted: 2 items in 1 file\na.lib::B: content changed, bytes [0x60,0x72)"));
  EXPECT_EQ(lines_of(accepted_json(accepted)).back()["summary"]["items"], 2);
}

TEST(DiffText, SaysThatNothingChanged) {
  EXPECT_EQ(diff_text(diff_files({sample_file("a.lib")}, {sample_file("a.lib")}), {}),
            "no differences: 4 items before, 4 after\n");
}

TEST(DiffText, GoesByCategoryAndCause) {
  FileResult broken = sample_file("a.lib");
  golden::test::break_entry(broken, 2);
  EXPECT_EQ(
      diff_text(diff_files({sample_file("a.lib"), sample_file("b.lib")}, {broken, with_payload_flip("b.lib")}), {}),
      "2 regressed, 2 content changed\n"
      "regressed\n"
      "  invalid_stream entry[*].data: 2 items\n"
      "    a.lib::B: verdict changed: ok -> fail; error invalid_stream entry[1].data at 0x40: it is broken\n"
      "content changed\n"
      "  b.lib: 2 items\n"
      "    b.lib::B: content changed, bytes [0x60,0x72): size 18, sha256 111111111111 -> size 18, sha256 "
      "636363636363\n");
}

TEST(DiffText, SaysHowManyEntriesOnlyMoved) {
  FileResult moved = with_moved_entries("a.lib");
  const std::string told = "2 entries only moved; the first is B, entry[1].data_offset at 0x220: 96 -> 500\n";
  EXPECT_EQ(diff_text(diff_files({sample_file("a.lib")}, {moved}), {}),
            "1 content changed\ncontent changed\n  a.lib: 1 item\n    a.lib: " + told);
  moved.items[0].sha256 = moved.items[0].stored_sha256 = hash_of(77);
  const std::string text = diff_text(diff_files({sample_file("a.lib")}, {moved}), {});
  EXPECT_THAT(text, HasSubstr("1 content changed\n")) << "the file with them";
  EXPECT_THAT(text, HasSubstr("    a.lib: content changed, bytes [0x0,0x23c): "));
  EXPECT_THAT(text, ::testing::EndsWith("; " + told));
}

TEST(DiffText, SaysWhereAnErrorWasBefore) {
  FileResult before = sample_file("a.lib");
  golden::test::break_entry(before, 2);
  FileResult after = before;
  after.items[2].findings[0].offset = 0x44;
  EXPECT_THAT(diff_text(diff_files({before}, {after}), {}),
              HasSubstr("a.lib::B: error invalid_stream entry[1].data at 0x44: it is broken (before: offset 0x40)\n"));
}

TEST(DiffText, CutsLongGroups) {
  std::vector<FileResult> after;
  FileResult many = sample_file("a.lib");
  for (std::uint64_t index = 3; index < 60; ++index) {
    many.items.push_back(golden::test::sample_entry(index, "E" + std::to_string(100 + index)));
  }
  const Diff result = diff_files({sample_file("a.lib")}, {many});
  EXPECT_THAT(diff_text(result, {}), HasSubstr("    and 37 more\n"));
  EXPECT_THAT(diff_text(result, {.all = true}), Not(HasSubstr("more")));
}

TEST(DiffJson, HasALineForEachItemAndASummary) {
  FileResult broken = sample_file("a.lib");
  golden::test::break_entry(broken, 2);
  const auto lines = lines_of(diff_json(diff_files({sample_file("a.lib")}, {broken})));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0]["entry"], "");
  EXPECT_EQ(lines[0]["detail"], "verdict changed: ok -> fail");
  EXPECT_EQ(lines[0]["explained"], true);
  EXPECT_EQ(lines[1]["category"], "regressed");
  EXPECT_EQ(lines[1]["cause"], "invalid_stream entry[*].data");
  EXPECT_EQ(lines[1]["path"], "a.lib");
  EXPECT_EQ(lines[1]["entry"], "B");
  EXPECT_EQ(lines[1]["before"], "ok");
  EXPECT_EQ(lines[1]["after"], "fail");
  EXPECT_EQ(lines[1]["detail"],
            "verdict changed: ok -> fail; error invalid_stream entry[1].data at 0x40: it is broken");
  EXPECT_EQ(lines[1]["explained"], false);
  EXPECT_EQ(lines[2]["summary"]["regressed"], 2);
  EXPECT_EQ(lines[2]["summary"]["content_changed"], 0);
}

}  // namespace
}  // namespace assay::reports
