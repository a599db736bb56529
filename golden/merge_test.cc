#include "golden/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "golden/earlier_results.h"
#include "golden/test_items.h"

// One run from the runs of all shards: the same as one of the whole, or refused with nothing left behind.
namespace assay::golden {
namespace {

using test::drain;
using test::error_of;
using test::hash_of;
using test::RandomFiles;
using test::same_files;
using test::ScratchFolder;
using test::totals_of;
using test::VectorSource;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<FileResult> every_nth(const std::vector<FileResult>& files, const Shard& shard) {
  std::vector<FileResult> part;
  for (std::size_t index = shard.index; index < files.size(); index += shard.count) {
    part.push_back(files[index]);
  }
  return part;
}

class Merge : public ::testing::Test {
 protected:
  static RunInfo info(const Shard& shard) {
    return {.label = "shard",
            .corpus = "/machine" + std::to_string(shard.index) + "/IS",
            .profile = "compatible",
            .tool_version = "1.0",
            .rules = "one,two",
            .scan_key = hash_of(9),
            .shard = shard};
  }

  // Records the part of `files_` that `run` says, or all of it.
  void record(const std::string& name, const RunInfo& run, bool finishes = true) {
    Store store = Store::open(at(name), Store::Mode::kReadWriteCreate);
    const auto part = every_nth(files_, run.shard);
    RunWriter writer = store.begin_run(run);
    for (const FileResult& file : part) {
      writer.add(file);
    }
    if (finishes) {
      writer.finish(totals_of(part), files_.size());
    } else {
      writer.flush();
    }
  }

  void record_shards(std::uint64_t count) {
    for (std::uint64_t index = 0; index < count; ++index) {
      record(std::to_string(index), info({index, count}));
    }
  }

  [[nodiscard]] std::filesystem::path at(const std::string& name) const { return folder_ / name; }

  MergeSummary merge(const std::vector<std::string>& names, bool any_build = false) {
    MergeRequest request{.inputs = {}, .output = at("out"), .label = "all", .any_build = any_build};
    std::ranges::transform(names, std::back_inserter(request.inputs),
                           [&](const std::string& name) { return at(name); });
    return merge_shards(request);
  }

  template <typename Error = MergeError>
  std::string refusal(const std::vector<std::string>& names) {
    return error_of<Error>([&] { static_cast<void>(merge(names)); });
  }

  void execute(const std::string& name, const std::string& sql) {
    Database(at(name).string(), Database::Mode::kReadWriteCreate)
        .run(("PRAGMA ignore_check_constraints=ON; " + sql).c_str());
  }

  std::vector<FileResult> files_ = RandomFiles(21).files(50);
  ScratchFolder folder_;
};

TEST_F(Merge, GivesEveryFileOnceAndInOrderForAnyNumberOfShards) {
  // With 64, some shards are empty.
  for (const std::uint64_t count : {2U, 3U, 64U}) {
    std::vector<std::string> names;
    for (std::uint64_t index = 0; index < count; ++index) {
      names.push_back(std::to_string(count) + "." + std::to_string(index));
      record(names.back(), info({index, count}));
    }
    std::ranges::reverse(names);
    const MergeSummary summary = merge(names);
    EXPECT_EQ(summary.files, files_.size());
    const Store store = Store::open(at("out"), Store::Mode::kReadOnly);
    const RunRecord run = store.find_run("latest");
    EXPECT_EQ(run.id, summary.run_id);
    EXPECT_EQ(run.totals, totals_of(files_));
    EXPECT_EQ(run.corpus_files, files_.size());
    EXPECT_TRUE(same_files(drain(*store.verified_files(run)), files_)) << count;
  }
}

TEST_F(Merge, IsWholeAndOtherwiseWhatTheShardsAre) {
  record_shards(2);
  const MergeSummary summary = merge({"1", "0"});
  RunInfo expected = info({0, 1});
  expected.label = "all";
  EXPECT_EQ(expected.corpus, "/machine0/IS");
  EXPECT_EQ(summary.info, expected);
  EXPECT_EQ(Store::open(at("out"), Store::Mode::kReadOnly).find_run("all").info, expected);
}

TEST_F(Merge, LeavesEarlierRunsOfTheOutputAlone) {
  record("out", info({0, 1}));
  record_shards(2);
  EXPECT_EQ(merge({"0", "1"}).run_id, 2);
  const Store store = Store::open(at("out"), Store::Mode::kReadOnly);
  EXPECT_TRUE(same_files(drain(*store.files(store.find_run("1"))), files_));
  EXPECT_EQ(store.find_run("previous").id, 1) << "both are whole runs of one corpus";
}

TEST_F(Merge, TakesTheLatestShardOfADatabase) {
  record_shards(2);
  record("0", info({1, 3}));
  record("1", info({0, 3}));
  record("2", info({2, 3}));
  record("0", info({0, 1}));
  EXPECT_EQ(merge({"0", "1", "2"}).files, files_.size()) << "the whole run in one of them is no shard";
}

TEST_F(Merge, ChangesNoByteOfItsInputs) {
  record_shards(2);
  const std::string before = test::read_text(at("0"));
  static_cast<void>(merge({"0", "1"}));
  EXPECT_EQ(test::read_text(at("0")), before);
  EXPECT_FALSE(std::filesystem::exists(at("0-wal")));
}

TEST_F(Merge, RefusesADatabaseOfAnOlderVersionAndDoesNotUpgradeIt) {
  record_shards(2);
  execute("0", "PRAGMA user_version=4");
  EXPECT_THAT(refusal<StoreError>({"0", "1"}),
              AllOf(HasSubstr(at("0").string()), HasSubstr("older version of Iron Assay (schema 4")));
  EXPECT_EQ(Database(at("0").string(), Database::Mode::kReadOnly).number("PRAGMA user_version"), 4);
}

TEST_F(Merge, NamesTheDatabaseAndTheValueThatDiffers) {
  const struct {
    void (*change)(RunInfo&);
    const char* says;
  } kCases[] = {
      {[](RunInfo& run) { run.shard.count = 3; }, "the number of shards of run 1 is '3', that of run 1 in "},
      {[](RunInfo& run) { run.corpus = "/machine1/other"; },
       "the name of the corpus folder of run 1 is 'other', that of run 1 in "},
      {[](RunInfo& run) { run.profile = "strict"; }, "the profile of run 1 is 'strict', that of run 1 in "},
      {[](RunInfo& run) { run.rules = "one"; }, "the list of rules of run 1 is 'one', that of run 1 in "},
      {[](RunInfo& run) { run.tool_version = "1.1"; }, "the tool version of run 1 is '1.1', that of run 1 in "},
      {[](RunInfo& run) { run.scan_key = hash_of(8); }, "was not made by the same build"},
      {[](RunInfo& run) { run.scan_key.reset(); }, "was not made by the same build"},
  };
  record("0", info({0, 2}));
  int number = 0;
  for (const auto& [change, says] : kCases) {
    RunInfo other = info({1, 2});
    change(other);
    const std::string name = "other" + std::to_string(++number);
    record(name, other);
    const std::string error = refusal({"0", name});
    EXPECT_THAT(error, HasSubstr(at(name).string() + ": ")) << says;
    EXPECT_THAT(error, HasSubstr(says));
    EXPECT_THAT(error, HasSubstr(" in " + at("0").string())) << says;
  }
  EXPECT_FALSE(std::filesystem::exists(at("out")));
}

TEST_F(Merge, TakesOtherBuildsWhenAskedToAndReusesNothingOfThem) {
  record("0", info({0, 2}));
  RunInfo other = info({1, 2});
  other.scan_key = hash_of(8);
  record("1", other);
  EXPECT_EQ(merge({"0", "1"}, true).info.scan_key, std::nullopt);
  const Store store = Store::open(at("out"), Store::Mode::kReadOnly);
  EXPECT_TRUE(same_files(drain(*store.files(store.find_run("latest"))), files_));
  EXPECT_TRUE(EarlierResults(store, hash_of(9)).empty());
}

TEST_F(Merge, NeedsEachShardOnce) {
  record_shards(3);
  EXPECT_THAT(refusal({"0", "1"}), HasSubstr("shard 2/3 is missing"));
  EXPECT_THAT(refusal({"0", "2"}), HasSubstr("shard 1/3 is missing"));
  EXPECT_THAT(refusal({"1", "2"}), HasSubstr("shard 0/3 is missing"));
  record("again", info({1, 3}));
  EXPECT_THAT(refusal({"0", "1", "2", "again"}), AllOf(HasSubstr(": run 1 is of shard 1/3, and so is run 1 in "),
                                                       HasSubstr(at("1").string()), HasSubstr(at("again").string())));
  EXPECT_THAT(refusal({"0", "0", "1", "2"}), HasSubstr("run 1 is of shard 0/3, and so is run 1 in "));
  EXPECT_THAT(refusal({}), HasSubstr("no database"));
  EXPECT_FALSE(std::filesystem::exists(at("out")));
}

TEST_F(Merge, RefusesADatabaseWithoutAShardAndOneWhoseLatestWasCutOff) {
  record_shards(2);
  record("whole", info({0, 1}));
  EXPECT_EQ(refusal({"whole", "1"}),
            at("whole").string() + ": holds no run of a shard; record one with `assay scan --shard i/n`");
  record("0", info({0, 2}), false);
  EXPECT_EQ(
      refusal({"0", "1"}),
      at("0").string() + ": run 2 of shard 0/2 is incomplete, it was cut off or is still being written; scan again");
  EXPECT_FALSE(std::filesystem::exists(at("out")));
}

TEST_F(Merge, RefusesToWriteIntoWhatItReads) {
  record_shards(2);
  std::filesystem::create_symlink(at("1"), at("out"));
  EXPECT_THAT(refusal({"0", "1"}), HasSubstr(at("out").string() + ": is one of the databases to merge"));
  EXPECT_EQ(Store::open(at("1"), Store::Mode::kReadOnly).runs().size(), 1U);
}

TEST_F(Merge, NamesTheFileWhereTheShardsAreOfOtherFiles) {
  record("0", info({0, 2}));
  // As many files as before, so that only the files themselves tell.
  const std::string doubled = files_[2].path;
  std::rotate(files_.begin(), files_.begin() + 1, files_.end());
  files_.back().path = "zzz";
  record("moved", info({1, 2}));
  EXPECT_THAT(refusal({"0", "moved"}),
              AllOf(HasSubstr(at("moved").string() + ": " + doubled + " is in shard 1/2 and, in " + at("0").string() +
                              ", in shard 0/2; the shards were not scanned from the same list of files")));
  EXPECT_FALSE(std::filesystem::exists(at("out")));
}

TEST_F(Merge, NoticesThatTheLastFileIsMissing) {
  files_.resize(4);
  record("0", info({0, 2}));
  files_.resize(3);
  record("1", info({1, 2}));
  EXPECT_THAT(refusal({"0", "1"}), HasSubstr("the number of files in the corpus of run 1 is '3', that of run 1 in "));
  execute("1", "UPDATE run SET corpus_files=4");
  EXPECT_THAT(refusal({"0", "1"}), HasSubstr("the shards have 3 files together, their corpus has 4"));
}

TEST_F(Merge, RefusesDamageThatNoOtherReaderSeesAndNamesTheDatabase) {
  for (const char* damage :
       {"UPDATE item SET verdict=(verdict+1)%4 WHERE id=20", "UPDATE item SET format='tex' WHERE id=20",
        "UPDATE file SET checksum=NULL", "DELETE FROM item WHERE id=20", "UPDATE run SET items=items+1",
        "UPDATE run SET shard_index=2", "DELETE FROM finding", "DROP TABLE fact"}) {
    for (const char* name : {"0", "1"}) {
      std::filesystem::remove(at(name));
    }
    record_shards(2);
    execute("1", damage);
    EXPECT_THAT(refusal<StoreError>({"0", "1"}), HasSubstr(at("1").string() + ": is damaged (")) << damage;
    EXPECT_FALSE(std::filesystem::exists(at("out"))) << damage;
  }
}

TEST_F(Merge, LeavesNoCompleteRunWhenTheOutputCannotBeWritten) {
  record_shards(2);
  record("out", info({0, 1}));
  execute("out", "CREATE TRIGGER full BEFORE INSERT ON item BEGIN SELECT RAISE(FAIL, 'no'); END");
  EXPECT_THAT(refusal<StoreError>({"0", "1"}), HasSubstr(at("out").string()));
  const Store store = Store::open(at("out"), Store::Mode::kReadOnly);
  EXPECT_EQ(store.find_run("latest").id, 1);
  EXPECT_EQ(store.runs().size(), 2U);
  EXPECT_FALSE(store.runs().back().is_complete());
}

// Gives files and counts how many are held by nobody yet.
class CountingSource : public FileSource {
 public:
  CountingSource(std::vector<FileResult> files, int& ahead) : files_(std::move(files)), ahead_(&ahead) {}
  std::optional<FileResult> next() override {
    auto file = files_.next();
    *ahead_ += file ? 1 : 0;
    return file;
  }

 private:
  VectorSource files_;
  int* ahead_;
};

std::vector<MergedShards::Part> parts_with(const std::vector<std::vector<std::string>>& paths_of_shards) {
  std::vector<MergedShards::Part> parts;
  for (const std::vector<std::string>& paths : paths_of_shards) {
    std::vector<FileResult> files;
    std::ranges::transform(paths, std::back_inserter(files), test::sample_file);
    parts.push_back({.name = std::to_string(parts.size()) + ".db", .files = std::make_unique<VectorSource>(files)});
  }
  return parts;
}

TEST(MergedShardsTest, RefusesAFileThatIsDoubledOutOfTurnOrMissing) {
  const struct {
    std::vector<std::vector<std::string>> paths_of_shards;
    const char* says;
  } kCases[] = {
      {{{"a"}, {"b"}, {"c"}}, "(no error)"},
      {{{"a", "c"}, {"b"}}, "(no error)"},
      {{{"b"}, {"a"}, {"c"}}, "1.db: a is in shard 1/3, by its place among all files it belongs to shard 0/3; "},
      {{{"a"}, {"c"}, {"b"}}, "2.db: b is in shard 2/3, by its place among all files it belongs to shard 1/3; "},
      {{{"a", "b", "c"}, {}}, "0.db: b is in shard 0/2, by its place among all files it belongs to shard 1/2; "},
      {{{"a"}, {"b"}, {"a"}}, "2.db: a is in shard 2/3 and, in 0.db, in shard 0/3; "},
      {{{"a"}, {"b", "c"}, {"c"}}, "2.db: c is in shard 2/3 and, in 1.db, in shard 1/3; "},
      {{{"a"}, {"b"}}, "the shards have 2 files together, their corpus has 3; "},
      {{{"a", "c"}, {"b", "d"}}, "the shards have 4 files together, their corpus has 3; "},
  };
  for (const auto& [paths_of_shards, says] : kCases) {
    MergedShards merged(parts_with(paths_of_shards), 3);
    EXPECT_THAT(error_of<MergeError>([&] { drain(merged); }), StartsWith(says));
  }
}

TEST(MergedShardsTest, HoldsOneFileOfEachShard) {
  const auto files = RandomFiles(3).files(40);
  int ahead = 0;
  std::vector<MergedShards::Part> parts;
  for (std::uint64_t index = 0; index < 4; ++index) {
    parts.push_back({.name = "", .files = std::make_unique<CountingSource>(every_nth(files, {index, 4}), ahead)});
  }
  MergedShards merged(std::move(parts), files.size());
  std::size_t given = 0;
  while (auto file = merged.next()) {
    EXPECT_EQ(file->path, files[given++].path);
    EXPECT_LE(--ahead, 4);
  }
  EXPECT_EQ(given, files.size());
  EXPECT_FALSE(merged.next()) << "and stays at the end";
}

}  // namespace
}  // namespace assay::golden
