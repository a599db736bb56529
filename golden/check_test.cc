#include "golden/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden/accept.h"
#include "golden/glob.h"
#include "golden/test_items.h"

namespace assay::golden {
namespace {

using test::error_of;
using test::find_sample_record;
using test::sample_file;
using test::VectorSource;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A manifest over a.lib and b.lib, and what is done with it.
class WithManifest : public ::testing::Test {
 protected:
  void SetUp() override { write({sample_file("a.lib"), sample_file("b.lib")}); }

  void write(std::vector<FileResult> files) {
    VectorSource source(std::move(files));
    write_manifest(path_, "demo", "compatible", source, find_sample_record);
  }
  CheckResult check_run(std::vector<FileResult> files, const std::string& profile = "compatible") {
    ManifestReader expected(path_);
    VectorSource source(std::move(files));
    return check(expected, profile, source, find_sample_record);
  }
  Accepted accept_run(std::vector<FileResult> files, const AcceptRequest& request) {
    VectorSource source(std::move(files));
    return accept(path_, request, source, find_sample_record);
  }
  std::string accept_error(std::vector<FileResult> files, const AcceptRequest& request) {
    const std::string before = test::read_text(path_);
    std::string error = error_of<AcceptError>([&] { accept_run(std::move(files), request); });
    EXPECT_EQ(test::read_text(path_), before) << "a refused acceptance changed the manifest";
    return error;
  }
  std::string reason_of(const std::string& path, const std::string& entry) {
    ManifestReader reader(path_);
    while (const auto file = reader.next()) {
      for (const Expectation& item : file->items) {
        if (file->path == path && item.entry == entry) {
          return item.reason;
        }
      }
    }
    return "(no such item)";
  }

  static AcceptRequest request(const std::string& reason = "", const std::string& pattern = "") {
    return {.profile = "compatible", .is_complete = true, .reason = reason, .path_pattern = pattern};
  }
  static FileResult broken(const std::string& path) {
    FileResult file = sample_file(path);
    test::break_entry(file, 2);
    return file;
  }
  static FileResult changed(const std::string& path) {
    FileResult file = sample_file(path);
    file.items[2].sha256 = file.items[2].stored_sha256 = test::hash_of(99);
    return file;
  }

  test::ScratchFolder folder_;
  std::filesystem::path path_ = folder_ / "m.jsonl";
};

using Check = WithManifest;

TEST_F(Check, PassesWhenEverythingIsAsExpected) {
  const CheckResult result = check_run({sample_file("a.lib"), sample_file("b.lib")});
  EXPECT_TRUE(result.passed());
  EXPECT_EQ(result.compared.items_after, 8U);
}

TEST_F(Check, FailsOnAMissingFile) {
  const CheckResult result = check_run({sample_file("a.lib")});
  EXPECT_FALSE(result.passed());
  EXPECT_EQ(result.count(ChangeKind::kItemMissing), 4U);
  EXPECT_EQ(result.changed_items, 4U);
}

TEST_F(Check, FailsOnAnItemThatIsNotInTheManifest) {
  const CheckResult result = check_run({sample_file("a.lib"), sample_file("b.lib"), sample_file("c.lib")});
  EXPECT_FALSE(result.passed());
  EXPECT_EQ(result.count(ChangeKind::kItemNew), 4U);
}

TEST_F(Check, FailsOnChangedContent) {
  const CheckResult result = check_run({sample_file("a.lib"), changed("b.lib")});
  EXPECT_FALSE(result.passed());
  EXPECT_EQ(result.count(ChangeKind::kContentChanged), 1U);
}

TEST_F(Check, FailsOnAChangedVerdictAndFinding) {
  const CheckResult result = check_run({sample_file("a.lib"), broken("b.lib")});
  EXPECT_FALSE(result.passed());
  EXPECT_EQ(result.count(ChangeKind::kVerdictChanged), 2U);
  EXPECT_EQ(result.count(ChangeKind::kFindingChanged), 1U);
}

TEST_F(Check, FailsOnARuleThatFiresWhereItIsNotExpectedAndOnOneThatNoLongerDoes) {
  FileResult quirky = sample_file("b.lib");
  quirky.items[1].findings = {test::rule_finding("some_rule", true)};
  EXPECT_EQ(check_run({sample_file("a.lib"), quirky}).count(ChangeKind::kRuleGained), 1U);
  write({sample_file("a.lib"), quirky});
  EXPECT_TRUE(check_run({sample_file("a.lib"), quirky}).passed());
  const CheckResult result = check_run({sample_file("a.lib"), sample_file("b.lib")});
  EXPECT_FALSE(result.passed());
  EXPECT_EQ(result.count(ChangeKind::kRuleLost), 1U);
}

TEST_F(Check, FailsWhenEntriesOnlyMoved) {
  FileResult moved = sample_file("b.lib");
  for (const std::size_t index : {2U, 3U}) {
    store_little_endian(std::uint32_t{500}, MutableBytes(moved.items[index].row.bytes).subspan(12));
  }
  const CheckResult result = check_run({sample_file("a.lib"), moved});
  EXPECT_FALSE(result.passed());
  EXPECT_EQ(result.count(ChangeKind::kEntriesMoved), 2U);
}

TEST_F(Check, FailsOnZeroItemsEvenWhenNoneAreExpected) {
  write({});
  EXPECT_THAT(check_run({}).problems, ElementsAre("the manifest holds zero items", "the run holds zero items"));
}

TEST_F(Check, FailsOnAnotherProfile) {
  const CheckResult result = check_run({sample_file("a.lib"), sample_file("b.lib")}, "strict");
  EXPECT_FALSE(result.passed());
  EXPECT_THAT(result.problems, ElementsAre("the manifest is for profile compatible, the run used strict"));
}

using Accept = WithManifest;

TEST_F(Accept, MakesTheSameRunPass) {
  const std::vector<FileResult> run{changed("b.lib"), sample_file("c.lib")};
  const Accepted accepted = accept_run(run, request());
  EXPECT_EQ(accepted.files.size(), 3U);
  EXPECT_EQ(accepted.items, 9U);
  EXPECT_TRUE(check_run(run).passed());
}

TEST_F(Accept, KeepsWhatTheHeaderSays) {
  const ManifestHeader before = ManifestReader(path_).header();
  accept_run({changed("a.lib"), sample_file("b.lib")}, request());
  EXPECT_EQ(ManifestReader(path_).header(), before);
  EXPECT_NE(before.corpus, "");
  EXPECT_NE(before.profile, "");
}

TEST_F(Accept, LeavesTheManifestAloneWhenNothingChanged) {
  const std::string before = test::read_text(path_);
  EXPECT_THAT(accept_run({sample_file("a.lib"), sample_file("b.lib")}, request("why")).files, IsEmpty());
  EXPECT_EQ(test::read_text(path_), before);
}

TEST_F(Accept, TakesOverOnlyWhatThePatternMatches) {
  const Accepted accepted = accept_run({changed("a.lib"), changed("b.lib")}, request("", "b*"));
  EXPECT_EQ(accepted.files.size(), 1U);
  const CheckResult result = check_run({changed("a.lib"), changed("b.lib")});
  ASSERT_EQ(result.files.size(), 1U);
  EXPECT_EQ(result.files[0].path, "a.lib");
  EXPECT_EQ(result.compared.items_before, 8U) << "what does not match stays in the manifest";
  EXPECT_EQ(result.count(ChangeKind::kContentChanged), 1U);
}

TEST_F(Accept, LeavesWhatIsGoneOrNewAloneWhereThePatternDoesNotMatch) {
  accept_run({changed("b.lib"), sample_file("c.lib")}, request("", "b*"));
  const CheckResult result = check_run({changed("b.lib"), sample_file("c.lib")});
  EXPECT_EQ(result.count(ChangeKind::kItemMissing), 4U) << "a.lib is still expected";
  EXPECT_EQ(result.count(ChangeKind::kItemNew), 4U) << "c.lib is not";
  EXPECT_EQ(result.count(ChangeKind::kContentChanged), 0U);
}

TEST_F(Accept, NeedsAReasonForAFailure) {
  EXPECT_THAT(accept_error({sample_file("a.lib"), broken("b.lib")}, request()),
              HasSubstr("b.lib is a failure or worse"));
  EXPECT_THAT(accept_error({sample_file("a.lib"), broken("b.lib")}, request(" \t")), HasSubstr("give a reason"));
}

TEST_F(Accept, NeedsAReasonForANewFailure) {
  EXPECT_THAT(accept_error({sample_file("a.lib"), sample_file("b.lib"), broken("c.lib")}, request()),
              HasSubstr("give a reason"));
}

TEST_F(Accept, NeedsAReasonForAVerdictThatGotWorse) {
  FileResult quirky = sample_file("b.lib");
  quirky.items[1].findings = {test::rule_finding("some_rule", true)};
  quirky.items[1].verdict = Verdict::kQuirk;
  EXPECT_THAT(accept_error({sample_file("a.lib"), quirky}, request()), HasSubstr("b.lib::A is a failure or worse"));
  EXPECT_EQ(accept_run({sample_file("a.lib"), quirky}, request("shipped so")).items, 1U);
  // From worst to best it is a failure, unknown, a quirk, fine; unknown after the quirk just accepted is worse as well.
  FileResult unread = sample_file("b.lib");
  unread.items[1].verdict = Verdict::kUnknown;
  EXPECT_THAT(accept_error({sample_file("a.lib"), unread}, request()), HasSubstr("b.lib::A is a failure or worse"));
  write({sample_file("a.lib"), sample_file("b.lib")});
  EXPECT_THAT(accept_error({sample_file("a.lib"), unread}, request()), HasSubstr("b.lib::A is a failure or worse"));
  write({sample_file("a.lib"), unread});
  EXPECT_EQ(accept_run({sample_file("a.lib"), quirky}, request()).items, 1U) << "a quirk is better than unknown";
}

TEST_F(Accept, NeedsNoReasonForAFailureThatWasAcceptedAlready) {
  accept_run({sample_file("a.lib"), broken("b.lib")}, request("known"));
  EXPECT_EQ(accept_run({changed("a.lib"), broken("b.lib")}, request()).items, 1U);
}

TEST_F(Accept, WritesTheReasonOnWhatItTakesOverAndKeepsOthers) {
  accept_run({sample_file("a.lib"), broken("b.lib")}, request("first"));
  accept_run({broken("a.lib"), broken("b.lib")}, request("second"));
  EXPECT_EQ(reason_of("b.lib", "B"), "first");
  EXPECT_EQ(reason_of("a.lib", "B"), "second");
  EXPECT_EQ(reason_of("a.lib", "A"), "");
  accept_run({changed("a.lib"), broken("b.lib")}, request());
  EXPECT_EQ(reason_of("b.lib", "B"), "first");
}

TEST_F(Accept, RefusesAnIncompleteRun) {
  AcceptRequest incomplete = request();
  incomplete.is_complete = false;
  EXPECT_THAT(accept_error({changed("a.lib")}, incomplete), HasSubstr("incomplete"));
}

TEST_F(Accept, RefusesARunOfZeroItems) {
  EXPECT_THAT(accept_error({}, request("why")), HasSubstr("zero items"));
}

TEST_F(Accept, RefusesAnotherProfile) {
  AcceptRequest strict = request();
  strict.profile = "strict";
  EXPECT_THAT(accept_error({changed("a.lib")}, strict), HasSubstr("profile"));
}

TEST_F(Accept, RefusesAPatternThatMatchesNothing) {
  EXPECT_THAT(accept_error({changed("a.lib")}, request("", "x/*")), HasSubstr("matches x/*"));
}

TEST(Glob, MatchesWholePaths) {
  EXPECT_TRUE(glob_matches("a.lib", "a.lib"));
  EXPECT_FALSE(glob_matches("a.lib", "a.lib2"));
  EXPECT_FALSE(glob_matches("a.lib", "A.LIB"));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("", "a"));
}

TEST(Glob, StarsAndQuestionMarksStayInsideAFolder) {
  EXPECT_TRUE(glob_matches("*.lib", "a.lib"));
  EXPECT_FALSE(glob_matches("*.lib", "d/a.lib"));
  EXPECT_TRUE(glob_matches("d/*.l?b", "d/a.lib"));
  EXPECT_FALSE(glob_matches("d?a.lib", "d/a.lib"));
  EXPECT_TRUE(glob_matches("*a*b*", "xxabab"));
  EXPECT_FALSE(glob_matches("*a*b", "xxaba"));
}

TEST(Glob, DoubleStarsCrossFolders) {
  EXPECT_TRUE(glob_matches("**", "d/e/a.lib"));
  EXPECT_TRUE(glob_matches("d/**/*.lib", "d/e/f/a.lib"));
  EXPECT_TRUE(glob_matches("**.lib", "d/a.lib"));
  EXPECT_FALSE(glob_matches("**/x/*.lib", "d/y/a.lib"));
  EXPECT_TRUE(glob_matches("**/x*/a", "b/x/c/x1/a"));
}

TEST(Glob, TakesNoExponentialTime) {
  std::string pattern;
  for (int stars = 0; stars < 200; ++stars) {
    pattern += "**a";
  }
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(10'000, 'a')));
}

}  // namespace
}  // namespace assay::golden
