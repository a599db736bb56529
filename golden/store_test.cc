#include "golden/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "golden/run_source.h"
#include "golden/test_items.h"

namespace assay::golden {
namespace {

using test::drain;
using test::RandomFiles;
using test::same_files;
using test::sample_file;
using test::ScratchFolder;
using test::totals_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

const RunInfo kInfo{.label = "nightly", .corpus = "demo", .profile = "strict", .tool_version = "1.0", .rules = "none"};

Store create(const std::filesystem::path& path) {
  return Store::open(path, Store::Mode::kReadWriteCreate);
}

std::int64_t record_run(Store& store, const std::vector<FileResult>& files, const RunInfo& info = kInfo,
                        const BatchLimits& limits = {}) {
  RunWriter writer = store.begin_run(info, limits);
  for (const FileResult& file : files) {
    writer.add(file);
  }
  writer.finish(totals_of(files));
  return writer.run_id();
}

std::vector<FileResult> read_run(const Store& store, const std::string& selector) {
  return drain(*store.files(store.find_run(selector)));
}

// All rows of a query, columns apart by '|'.
std::vector<std::string> query(const std::filesystem::path& path, const std::string& columns, const std::string& rest) {
  const Database database(path.string(), Database::Mode::kReadOnly);
  Statement statement(database, "SELECT " + columns + " " + rest);
  std::vector<std::string> rows;
  while (statement.step()) {
    rows.emplace_back(statement.text(0));
  }
  return rows;
}

TEST(Store, GivesBackWhatWasRecordedWhateverItHolds) {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    const ScratchFolder folder;
    const auto files = RandomFiles(seed).files(200);
    Store store = create(folder / "runs.db");
    record_run(store, files);
    EXPECT_TRUE(same_files(read_run(store, "latest"), files)) << "seed " << seed;
  }
}

TEST(Store, GivesBackTheSameAfterReopening) {
  const ScratchFolder folder;
  const auto files = RandomFiles(4).files(50);
  {
    Store store = create(folder / "runs.db");
    record_run(store, files);
  }
  const Store store = Store::open(folder / "runs.db", Store::Mode::kReadOnly);
  EXPECT_TRUE(same_files(read_run(store, "1"), files));
  const RunRecord run = store.find_run("1");
  EXPECT_EQ(run.info, kInfo);
  EXPECT_EQ(run.totals, totals_of(files));
  EXPECT_THAT(run.started_at, MatchesRegex("....-..-..T..:..:..\\....Z"));
  EXPECT_GE(*run.finished_at, run.started_at);
}

TEST(Store, SortsFilesByPathInWhateverOrderTheyCame) {
  const ScratchFolder folder;
  auto files = RandomFiles(5).files(40);
  Store store = create(folder / "runs.db");
  auto shuffled = files;
  std::ranges::reverse(shuffled);
  record_run(store, shuffled, kInfo, {.rows = 7});
  EXPECT_TRUE(same_files(read_run(store, "latest"), files));
}

TEST(Store, WritesTheSameInSmallAndInLargeBatches) {
  const ScratchFolder folder;
  const auto files = RandomFiles(6).files(60);
  Store store = create(folder / "runs.db");
  record_run(store, files, kInfo, {.rows = 1});
  record_run(store, files, kInfo, {.rows = 1'000'000, .age = std::chrono::hours(1)});
  record_run(store, files, kInfo, {.rows = 1'000'000, .age = std::chrono::milliseconds(0)});
  for (const char* run : {"1", "2", "3"}) {
    EXPECT_TRUE(same_files(read_run(store, run), files)) << run;
  }
}

TEST(Store, RefusesSizesThatSqliteCannotHold) {
  const ScratchFolder folder;
  Store store = create(folder / "runs.db");
  auto file = sample_file("a.lib");
  file.items[1].offset = std::uint64_t{1} << 63;
  RunWriter writer = store.begin_run(kInfo);
  writer.add(file);
  EXPECT_THAT(test::error_of<StoreError>([&] { writer.flush(); }), HasSubstr("cannot hold the size or offset"));
  EXPECT_THAT(test::error_of<StoreError>([&] { writer.flush(); }), HasSubstr("stays incomplete"));
}

TEST(Store, ShowsAnAbandonedRunAsIncomplete) {
  const ScratchFolder folder;
  Store store = create(folder / "runs.db");
  {
    RunWriter writer = store.begin_run(kInfo);
    writer.add(sample_file("a.lib"));
    writer.flush();
  }
  ASSERT_EQ(store.runs().size(), 1U);
  EXPECT_FALSE(store.runs()[0].is_complete());
  EXPECT_THAT(test::error_of<StoreError>([&] { static_cast<void>(store.find_run("1")); }), HasSubstr("incomplete"));
  EXPECT_THAT(test::error_of<StoreError>([&] { static_cast<void>(store.find_run("nightly")); }),
              HasSubstr("incomplete"));
  EXPECT_EQ(drain(*store.files(store.runs()[0])).size(), 1U);
}

TEST(Store, HoldsNoLockWhileNothingIsWritten) {
  const ScratchFolder folder;
  Store first = create(folder / "runs.db");
  RunWriter writer = first.begin_run(kInfo);
  writer.add(sample_file("a.lib"));
  writer.flush();
  writer.add(sample_file("b.lib"));
  Store second = Store::open(folder / "runs.db", Store::Mode::kReadWriteCreate, std::chrono::milliseconds(1));
  EXPECT_NO_THROW(record_run(second, {sample_file("c.lib")}));
  EXPECT_NO_THROW(writer.finish(totals_of({sample_file("a.lib"), sample_file("b.lib")})));
}

TEST(Store, ReadOnlyRecordsNothing) {
  const ScratchFolder folder;
  static_cast<void>(create(folder / "runs.db"));
  Store store = Store::open(folder / "runs.db", Store::Mode::kReadOnly);
  EXPECT_THAT(test::error_of<StoreError>([&] { static_cast<void>(store.begin_run(kInfo)); }),
              HasSubstr("cannot be written"));
}

class FindRun : public ::testing::Test {
 protected:
  void SetUp() override {
    record_run(store_, {sample_file("a.lib")});
    record_run(store_, {sample_file("a.lib")},
               {.label = "other", .corpus = "full", .profile = "strict", .tool_version = "", .rules = ""});
    record_run(store_, {sample_file("a.lib")});
    record_run(store_, {sample_file("a.lib")},
               {.label = "7", .corpus = "demo", .profile = "strict", .tool_version = "", .rules = ""});
    static_cast<void>(store_.begin_run(kInfo));
  }
  std::int64_t find(const std::string& selector) { return store_.find_run(selector).id; }
  std::string error(const std::string& selector) {
    return test::error_of<StoreError>([&] { find(selector); });
  }

  ScratchFolder folder_;
  Store store_ = create(folder_ / "runs.db");
};

TEST_F(FindRun, TakesNumbers) {
  EXPECT_EQ(find("2"), 2);
}
TEST_F(FindRun, TakesANumberAsLabelWhenNoRunHasIt) {
  EXPECT_EQ(find("7"), 4);
}
TEST_F(FindRun, TakesTheLatestCompleteRunOfALabel) {
  EXPECT_EQ(find("nightly"), 3);
}
TEST_F(FindRun, LatestIsTheLatestCompleteRun) {
  EXPECT_EQ(find("latest"), 4);
}
TEST_F(FindRun, PreviousIsTheOneBeforeOfTheSameCorpus) {
  EXPECT_EQ(find("previous"), 3);
}
TEST_F(FindRun, SaysThatANumberIsIncomplete) {
  EXPECT_THAT(error("5"), HasSubstr("run 5 (nightly) is incomplete"));
}
TEST_F(FindRun, SaysThatNothingMatches) {
  EXPECT_THAT(error("weekly"), HasSubstr("no run has the number or label weekly"));
}

TEST(FindRunIn, AnEmptyDatabaseSaysThatNothingIsRecorded) {
  const ScratchFolder folder;
  const Store store = create(folder / "runs.db");
  for (const char* selector : {"latest", "previous", "1", "x"}) {
    EXPECT_THAT(test::error_of<StoreError>([&] { static_cast<void>(store.find_run(selector)); }),
                HasSubstr("no complete run is recorded"));
  }
}

TEST(FindRunIn, PreviousSkipsOtherCorporaAndWhatWasCutOff) {
  const ScratchFolder folder;
  Store store = create(folder / "runs.db");
  const RunInfo other{.label = "", .corpus = "full", .profile = "strict", .tool_version = "", .rules = ""};
  record_run(store, {sample_file("a.lib")});
  record_run(store, {sample_file("a.lib")}, other);
  static_cast<void>(store.begin_run(kInfo));
  record_run(store, {sample_file("a.lib")});
  static_cast<void>(store.begin_run(kInfo));
  EXPECT_EQ(store.find_run("latest").id, 4);
  EXPECT_EQ(store.find_run("previous").id, 1);
  record_run(store, {sample_file("a.lib")}, other);
  EXPECT_EQ(store.find_run("latest").id, 6);
  EXPECT_EQ(store.find_run("previous").id, 2);
}

TEST(FindRunIn, PreviousIsOfTheSameShard) {
  const ScratchFolder folder;
  Store store = create(folder / "runs.db");
  const auto record = [&](const Shard& shard) {
    RunInfo info = kInfo;
    info.shard = shard;
    return record_run(store, {sample_file("a.lib")}, info);
  };
  const auto previous = [&] { return store.find_run("previous").id; };
  record({0, 2});
  record({1, 2});
  EXPECT_THAT(test::error_of<StoreError>([&] { static_cast<void>(previous()); }),
              HasSubstr("no complete run of shard 1/2 of corpus demo comes before run 2"));
  const std::int64_t whole = record({});
  EXPECT_THAT(test::error_of<StoreError>([&] { static_cast<void>(previous()); }),
              HasSubstr("no complete run of corpus demo comes before run 3"));
  record({1, 3});
  record({1, 2});
  EXPECT_EQ(previous(), 2);
  record({0, 2});
  EXPECT_EQ(previous(), 1);
  record({});
  EXPECT_EQ(previous(), whole);
  EXPECT_THAT(query(folder / "runs.db", "run_id||'|'||shard_index||'/'||shard_count", "FROM v_shard ORDER BY run_id"),
              ElementsAre("1|0/2", "2|1/2", "4|1/3", "5|1/2", "6|0/2"));
}

TEST(FindRunIn, ADatabaseOfOneRunHasNoPreviousOne) {
  const ScratchFolder folder;
  Store store = create(folder / "runs.db");
  record_run(store, {sample_file("a.lib")});
  EXPECT_THAT(test::error_of<StoreError>([&] { static_cast<void>(store.find_run("previous")); }),
              HasSubstr("no complete run of corpus demo comes before run 1"));
}

class Views : public ::testing::Test {
 protected:
  void SetUp() override {
    Store store = create(path_);
    auto file = sample_file("a.lib");
    file.items[1].sha256.reset();
    test::break_entry(file, 1);
    file.items[2].findings = {test::rule_finding("nres_linear_lookup", true)};
    file.items[2].verdict = Verdict::kQuirk;
    file.items[3].findings = {test::rule_finding("nres_linear_lookup", false)};
    record_run(store, {file});
  }

  ScratchFolder folder_;
  std::filesystem::path path_ = folder_ / "runs.db";
};

TEST_F(Views, HaveTheColumnsThatWerePromisedInThatOrder) {
  const std::vector<std::pair<std::string, std::string>> views{
      {"v_run", "run_id,label,corpus,profile,started_at,finished_at,tool_version,items,ok,quirk,fail,unknown"},
      {"v_item", "run_id,path,entry,format,size,stored_sha256,sha256,verdict"},
      {"v_quirk", "run_id,path,entry,rule,offset,applied"},
      {"v_finding", "run_id,path,entry,code,severity,rule,offset,field,message"},
      {"v_fact", "run_id,path,entry,key,value"},
      {"v_range", "run_id,path,entry,offset,stored_size"},
      {"v_metric", "run_id,name,metric,value,unit"}};
  for (const auto& [view, columns] : views) {
    EXPECT_THAT(query(path_, "group_concat(name)", "FROM pragma_table_info('" + view + "')"), ElementsAre(columns));
  }
}

TEST_F(Views, RunCountsVerdicts) {
  EXPECT_THAT(query(path_, "label||'|'||items||'|'||ok||'|'||quirk||'|'||fail||'|'||unknown", "FROM v_run"),
              ElementsAre("nightly|4|1|1|2|0"));
}

TEST_F(Views, ItemHasHashesInHexAndNullWhereThereIsNone) {
  EXPECT_THAT(
      query(path_, "entry||'|'||verdict||'|'||substr(stored_sha256,1,4)||'|'||ifnull(substr(sha256,1,4),'null')",
            "FROM v_item ORDER BY entry"),
      ElementsAre("|fail|0101|0101", "A|fail|1010|null", "B|quirk|1111|1111", "C|ok|1212|1212"));
}

TEST_F(Views, QuirkListsAppliedAndRefusedRules) {
  EXPECT_THAT(query(path_, "entry||'|'||rule||'|'||offset||'|'||applied", "FROM v_quirk ORDER BY entry"),
              ElementsAre("B|nres_linear_lookup|528|1", "C|nres_linear_lookup|528|0"));
}

TEST_F(Views, FindingHasSeverityAsTextAndNullWithoutRule) {
  EXPECT_THAT(query(path_, "entry||'|'||code||'|'||severity||'|'||ifnull(rule,'null')||'|'||field",
                    "FROM v_finding WHERE entry<>'C' ORDER BY entry"),
              ElementsAre("A|invalid_stream|error|null|entry[0].data",
                          "B|sort_order_mismatch|strict|nres_linear_lookup|entry[0].sort_index"));
}

TEST_F(Views, FactAndRangeBelongToTheirItem) {
  EXPECT_THAT(query(path_, "entry||'|'||key||'|'||value", "FROM v_fact WHERE entry IN ('','B') ORDER BY entry"),
              ElementsAre("|header.version|256", "B|nodes|3"));
  EXPECT_THAT(query(path_, "offset||'|'||stored_size", "FROM v_range WHERE entry='B'"), ElementsAre("96|18"));
}

// Values that are all different, so that no column can stand for another.
TEST_F(Views, GiveEveryColumnOfAnItem) {
  const std::filesystem::path path = folder_ / "one.db";
  Store store = create(path);
  FileResult file = sample_file("a.lib");
  Item& item = file.items[2];
  item.stored_sha256 = test::hash_of(0x77);
  item.stored_size = 9;
  item.verdict = Verdict::kFail;
  item.findings = {{"code_n", Severity::kNote, "", false, 1, "field_n", "note"},
                   {"code_s", Severity::kStrict, "rule_s", true, 2, "field_s", "strict"},
                   {"code_e", Severity::kError, "", false, 3, "field_e", "error"}};
  record_run(store, {file});
  const std::string of_b = " WHERE run_id=1 AND path='a.lib' AND entry='B'";
  EXPECT_THAT(query(path,
                    "format||'|'||size||'|'||substr(stored_sha256,1,4)||'|'||length(stored_sha256)||'|'||"
                    "substr(sha256,1,4)||'|'||length(sha256)||'|'||verdict",
                    "FROM v_item" + of_b),
              ElementsAre("msh|18|7777|64|1111|64|fail"));
  EXPECT_THAT(query(path, "code||'|'||severity||'|'||ifnull(rule,'null')||'|'||offset||'|'||field||'|'||message",
                    "FROM v_finding" + of_b + " ORDER BY offset"),
              ElementsAre("code_n|note|null|1|field_n|note", "code_s|strict|rule_s|2|field_s|strict",
                          "code_e|error|null|3|field_e|error"));
  EXPECT_THAT(query(path, "rule||'|'||offset||'|'||applied", "FROM v_quirk" + of_b), ElementsAre("rule_s|2|1"));
  EXPECT_THAT(query(path, "key||'|'||value", "FROM v_fact" + of_b), ElementsAre("nodes|3"));
  EXPECT_THAT(query(path, "offset||'|'||stored_size", "FROM v_range" + of_b), ElementsAre("96|9"));
}

TEST(StoreScale, TakesTimeInProportionToTheItems) {
  const ScratchFolder folder;
  Store store = create(folder / "runs.db");
  const auto seconds_for = [&](std::size_t files) {
    const auto results = RandomFiles(9).files(files);
    const auto start = std::chrono::steady_clock::now();
    record_run(store, results);
    EXPECT_EQ(read_run(store, "latest").size(), files);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double small = seconds_for(1'000);
  const double large = seconds_for(8'000);
  // Eight times the items; anything quadratic would take sixty-four times as long.
  EXPECT_LT(large, 30 * small + 0.5);
}

}  // namespace
}  // namespace assay::golden
