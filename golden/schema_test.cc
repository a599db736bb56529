#include "golden/schema.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "golden/earlier_results.h"
#include "golden/store.h"
#include "golden/test_items.h"

// Databases that older versions of this program wrote, as SQL in golden/testdata: what was in them is still there after
// the upgrade, and they can be used like new ones.
namespace assay::golden {
namespace {

using test::drain;
using test::ScratchFolder;

class OlderSchema : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const std::filesystem::path source =
        std::getenv("ASSAY_SOURCE_DIR") == nullptr ? "." : std::getenv("ASSAY_SOURCE_DIR");
    const std::string sql = test::read_text(source / ("golden/testdata/schema_" + std::to_string(GetParam()) + ".sql"));
    ASSERT_NE(sql, "");
    Database(path_.string(), Database::Mode::kReadWriteCreate).run(sql.c_str());
  }

  [[nodiscard]] std::string text(const char* sql) const {
    return Database(path_.string(), Database::Mode::kReadOnly).text(sql);
  }

  ScratchFolder folder_;
  std::filesystem::path path_ = folder_ / "old.db";
};

TEST_P(OlderSchema, KeepsItsRunsInOrderAndAsTheyWere) {
  ASSERT_EQ(Database(path_.string(), Database::Mode::kReadOnly).number("PRAGMA user_version"), GetParam());
  const Store store = Store::open(path_, Store::Mode::kReadOnly);
  EXPECT_EQ(Database(path_.string(), Database::Mode::kReadOnly).number("PRAGMA user_version"), schema_version());
  const std::vector<RunRecord> runs = store.runs();
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].info.label, "before");
  EXPECT_EQ(runs[0].info.scan_key, std::nullopt);
  EXPECT_TRUE(runs[0].info.shard.is_whole());
  EXPECT_EQ(runs[0].corpus_files, std::nullopt);
  EXPECT_EQ(runs[0].finished_at, "2026-01-01T00:00:01.000Z");
  EXPECT_EQ(runs[0].totals.items, 7U);
  EXPECT_FALSE(runs[2].is_complete());
  const auto files = drain(*store.files(runs[0]));
  EXPECT_EQ(test::totals_of(files), runs[0].totals);
  ASSERT_EQ(files.size(), 5U);
  EXPECT_EQ(files[2].path, "cut.rlb");
  EXPECT_EQ(files[2].items[0].findings.at(0).code, "input_too_short");
  EXPECT_EQ(files[3].items[2].entry, "ARIALTEX.TFT");
  EXPECT_EQ(files[3].items[2].format, "tfnt");
}

TEST_P(OlderSchema, GivesNothingToReuse) {
  const Store store = Store::open(path_, Store::Mode::kReadWriteCreate);
  EXPECT_TRUE(EarlierResults(store, Sha256{}).empty());
  EXPECT_EQ(text("SELECT count(*) || '' FROM v_reuse"), "0");
}

TEST_P(OlderSchema, HasNoShards) {
  const Store store = Store::open(path_, Store::Mode::kReadWriteCreate);
  EXPECT_EQ(store.find_run("previous").id, 1) << "what was there before shards were told apart is whole";
  EXPECT_EQ(text("SELECT count(*) || '' FROM v_shard"), "0");
}

TEST_P(OlderSchema, IsRefusedUnchangedWhereItMayNotBeTouched) {
  EXPECT_NE(test::error_of<StoreError>([&] {
              static_cast<void>(Store::open(path_, Store::Mode::kUntouched));
            }).find("was written by an older version of Iron Assay (schema " + std::to_string(GetParam())),
            std::string::npos);
  EXPECT_EQ(Database(path_.string(), Database::Mode::kReadOnly).number("PRAGMA user_version"), GetParam());
}

TEST_P(OlderSchema, TakesNewRunsAndHasTheViewsOfANewDatabase) {
  const auto files = test::RandomFiles(8).files(20);
  {
    Store store = Store::open(path_, Store::Mode::kReadWriteCreate);
    RunWriter writer = store.begin_run(
        {.label = "new", .corpus = "", .profile = "", .tool_version = "", .rules = "", .shard = {1, 2}});
    for (const FileResult& file : files) {
      writer.add(file);
    }
    writer.finish(test::totals_of(files));
    EXPECT_EQ(writer.run_id(), 4);
    EXPECT_TRUE(test::same_files(drain(*store.files(store.find_run("new"))), files));
    EXPECT_EQ(store.find_run("new").info.shard, (Shard{1, 2}));
  }
  static_cast<void>(Store::open(folder_ / "new.db", Store::Mode::kReadWriteCreate));
  const char* views =
      "SELECT group_concat(name || ':' || sql, ';') FROM (SELECT name, sql FROM sqlite_schema WHERE type='view' ORDER "
      "BY name)";
  EXPECT_EQ(text(views), Database((folder_ / "new.db").string(), Database::Mode::kReadOnly).text(views));
}

TEST_P(OlderSchema, IsLeftAloneWhenAnUpgradeFails) {
  Database(path_.string(), Database::Mode::kReadWriteCreate).run("CREATE TABLE v_shard(x)");
  EXPECT_NE(test::error_of<StoreError>([&] { static_cast<void>(Store::open(path_, Store::Mode::kReadOnly)); }),
            "(no error)");
  Database database(path_.string(), Database::Mode::kReadOnly);
  EXPECT_EQ(database.number("PRAGMA user_version"), 4) << "the steps before the one that failed stay";
  EXPECT_EQ(database.text("SELECT count(*) || '' FROM pragma_table_info('run') WHERE name = 'shard_index'"), "0");
}

INSTANTIATE_TEST_SUITE_P(Versions, OlderSchema, ::testing::Values(2, 3, 4));

TEST(SchemaViews, LaterOnesHaveTheColumnsThatWerePromised) {
  const ScratchFolder folder;
  static_cast<void>(Store::open(folder / "a.db", Store::Mode::kReadWriteCreate));
  Database database((folder / "a.db").string(), Database::Mode::kReadOnly);
  const auto columns = [&](const std::string& view) {
    return database.text(("SELECT group_concat(name) FROM pragma_table_info('" + view + "')").c_str());
  };
  EXPECT_EQ(columns("v_reuse"), "run_id,path,entry");
  EXPECT_EQ(columns("v_shard"), "run_id,shard_index,shard_count,corpus_files");
}

}  // namespace
}  // namespace assay::golden
