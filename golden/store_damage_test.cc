#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <functional>

#include "golden/schema.h"
#include "golden/store.h"
#include "golden/test_items.h"

namespace assay::golden {
namespace {

using test::drain;
using test::error_of;
using test::RandomFiles;
using test::ScratchFolder;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr std::chrono::milliseconds kShort{20};

void record_run(const std::filesystem::path& path, std::size_t files) {
  Store store = Store::open(path, Store::Mode::kReadWriteCreate);
  const auto results = RandomFiles(1).files(files);
  RunWriter writer = store.begin_run({.label = "l", .corpus = "c", .profile = "p", .tool_version = "1", .rules = ""});
  for (const FileResult& file : results) {
    writer.add(file);
  }
  writer.finish(test::totals_of(results));
}

void run_sql(const std::filesystem::path& path, const std::string& sql) {
  Database(path.string(), Database::Mode::kReadWriteCreate).run(sql.c_str());
}

// Opens and reads all of run 1.
void read_everything(const std::filesystem::path& path) {
  const Store store = Store::open(path, Store::Mode::kReadOnly, kShort);
  for (const RunRecord& run : store.runs()) {
    static_cast<void>(drain(*store.files(run)));
  }
}

std::string read_error(const std::filesystem::path& path) {
  return error_of<StoreError>([&] { read_everything(path); });
}

struct DamageCase {
  const char* name;
  std::function<void(const std::filesystem::path&)> damage;
  const char* says;
};

void flip_bytes(const std::filesystem::path& path, std::size_t start, std::size_t count) {
  std::string bytes = test::read_text(path);
  for (std::size_t index = start; index < start + count && index < bytes.size(); ++index) {
    bytes[index] = static_cast<char>(bytes[index] ^ 0xFF);
  }
  test::write_text(path, bytes);
}

std::function<void(const std::filesystem::path&)> sql(const std::string& text) {
  return [text](const std::filesystem::path& path) {
    run_sql(path, "PRAGMA ignore_check_constraints=ON; PRAGMA foreign_keys=OFF; " + text);
  };
}

std::function<void(const std::filesystem::path&)> contents(const std::string& text) {
  return [text](const std::filesystem::path& path) { test::write_text(path, text); };
}

const DamageCase kDamages[] = {
    {"missing_file", [](const auto& path) { std::filesystem::remove(path); }, "does not exist"},
    {"empty_file", contents(""), "is empty"},
    {"folder",
     [](const auto& path) {
       std::filesystem::remove(path);
       std::filesystem::create_directory(path);
     },
     "is a folder"},
    {"text_file", contents(std::string(5000, 'x')), "is not a SQLite database"},
    {"short_text_file", contents("hello"), "is not a SQLite database"},
    {"flipped_magic", [](const auto& path) { flip_bytes(path, 0, 16); }, "is not a SQLite database"},
    {"flipped_page_size", [](const auto& path) { flip_bytes(path, 16, 2); }, "is not a SQLite database"},
    {"flipped_first_page", [](const auto& path) { flip_bytes(path, 100, 3000); }, "is damaged"},
    {"flipped_pages", [](const auto& path) { flip_bytes(path, 4096, 200'000); }, "is damaged"},
    {"cut_in_half", [](const auto& path) { std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2); },
     "is damaged"},
    {"cut_to_one_page", [](const auto& path) { std::filesystem::resize_file(path, 4096); }, "is damaged"},
    {"newer_version", sql("PRAGMA user_version=99"), "newer version of Iron Assay (schema 99"},
    {"version_zero", sql("PRAGMA user_version=0"), "its schema version is 0"},
    {"other_application", sql("PRAGMA application_id=77"), "another program"},
    {"foreign_database",
     [](const auto& path) {
       std::filesystem::remove(path);
       run_sql(path, "CREATE TABLE t(x)");
     },
     "another program"},
    {"missing_table", sql("DROP TABLE fact"), "the table or view fact is missing"},
    {"missing_view", sql("DROP VIEW v_item"), "the table or view v_item is missing"},
    {"missing_column",
     sql("DROP VIEW v_fact; ALTER TABLE fact RENAME COLUMN value TO other; CREATE VIEW v_fact AS SELECT 1"),
     "does not hold what this program writes"},
    {"verdict_99", sql("UPDATE item SET verdict=99 WHERE id=5"), "a verdict is out of range"},
    {"severity_9", sql("UPDATE finding SET severity=9 WHERE id=5"), "a severity is out of range"},
    {"hash_of_31_bytes", sql("UPDATE item SET sha256=zeroblob(31) WHERE id=5"), "a hash does not have 32 bytes"},
    {"negative_size", sql("UPDATE item SET size=-1 WHERE id=5"), "size is negative"},
    {"lost_item", sql("DELETE FROM item WHERE id=5"), "items are missing"},
    {"lost_finding", sql("DELETE FROM finding WHERE id=5"), "findings are missing"},
    {"lost_fact", sql("DELETE FROM fact WHERE id=5"), "facts are missing"},
    {"lost_file", sql("DELETE FROM file WHERE path LIKE '%00005%'"), "the run counts"},
    {"foreign_finding", sql("UPDATE finding SET item_id=1000000 WHERE id=5"), "belongs to no item"},
    {"shard_beyond_its_count", sql("UPDATE run SET shard_index=1"), "a run is of shard 1/1"},
    {"no_shards", sql("UPDATE run SET shard_count=0"), "a run is of shard 0/0"},
    {"negative_shard", sql("UPDATE run SET shard_index=-1"), "shard_index is negative"},
    {"wrong_type",
     sql("PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql=replace(sql, 'key TEXT', 'key BLOB') "
         "WHERE name='fact'; PRAGMA writable_schema=RESET; UPDATE fact SET key=x'00' WHERE id=5"),
     "has the wrong type"},
};

class StoreRefuses : public ::testing::TestWithParam<DamageCase> {};

TEST_P(StoreRefuses, AndSaysWhichFileAndWhy) {
  const ScratchFolder folder;
  const auto path = folder / "runs.db";
  record_run(path, 400);
  ASSERT_EQ(read_error(path), "(no error)");
  GetParam().damage(path);
  const std::string error = read_error(path);
  EXPECT_THAT(error, HasSubstr(path.string()));
  EXPECT_THAT(error, HasSubstr(GetParam().says));
  EXPECT_THAT(error, HasSubstr("; ")) << "what to do is missing";
}

INSTANTIATE_TEST_SUITE_P(Damages, StoreRefuses, ::testing::ValuesIn(kDamages),
                         [](const auto& test_case) { return std::string(test_case.param.name); });

TEST(StoreDamage, NeverEndsInAnythingButAStoreErrorWhereverBytesFlip) {
  const ScratchFolder folder;
  const auto good = folder / "good.db";
  record_run(good, 60);
  const std::string bytes = test::read_text(good);
  const auto path = folder / "bad.db";
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = bytes;
    for (int flips = 0; flips < 8; ++flips) {
      const std::size_t at = random() % damaged.size();
      damaged[at] = static_cast<char>(random());
    }
    test::write_text(path, damaged);
    // Damage that hits a text or a hash cannot be seen; anything else than a StoreError ends the test.
    static_cast<void>(read_error(path));
  }
}

TEST(StoreDamage, NamesAFolderThatIsNotThere) {
  const ScratchFolder folder;
  const auto error = error_of<StoreError>(
      [&] { static_cast<void>(Store::open(folder / "no/runs.db", Store::Mode::kReadWriteCreate)); });
  EXPECT_THAT(error, HasSubstr("does not exist; create it first"));
}

TEST(StoreDamage, LeavesADatabaseOfAnotherProgramUntouched) {
  const ScratchFolder folder;
  const auto path = folder / "other.db";
  run_sql(path, "CREATE TABLE t(x); INSERT INTO t VALUES(1)");
  const std::string before = test::read_text(path);
  EXPECT_THAT(error_of<StoreError>([&] { static_cast<void>(Store::open(path, Store::Mode::kReadWriteCreate)); }),
              HasSubstr("another program"));
  EXPECT_EQ(test::read_text(path), before);
}

TEST(StoreDamage, SaysThatItIsLocked) {
  const ScratchFolder folder;
  const auto path = folder / "runs.db";
  record_run(path, 1);
  Database holder(path.string(), Database::Mode::kReadWriteCreate);
  WriteTransaction lock(holder);
  Store store = Store::open(path, Store::Mode::kReadWriteCreate, kShort);
  EXPECT_THAT(error_of<StoreError>([&] { static_cast<void>(store.begin_run({})); }),
              HasSubstr("locked by another process"));
}

// Runs `action` in a child whose files may not grow beyond `bytes`; gives what it threw.
std::string error_under_file_limit(rlim_t bytes, const std::filesystem::path& report,
                                   const std::function<void()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string error = error_of<StoreError>(action);
    test::write_text(report, error);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return test::read_text(report);
}

TEST(StoreDamage, SurvivesAFullDiskWithoutHarmToEarlierRuns) {
  const ScratchFolder folder;
  const auto path = folder / "runs.db";
  record_run(path, 50);
  for (const rlim_t limit : {20'000UL, 100'000UL, 400'000UL}) {
    const std::string error = error_under_file_limit(limit, folder / "report", [&] { record_run(path, 20'000); });
    EXPECT_THAT(error, AnyOf(HasSubstr("disk is full"), HasSubstr("cannot be read or written"))) << limit;
    EXPECT_THAT(error, HasSubstr(path.string()));
    EXPECT_EQ(read_error(path), "(no error)") << limit;
    const Store store = Store::open(path, Store::Mode::kReadOnly);
    EXPECT_TRUE(test::same_files(drain(*store.files(store.find_run("latest"))), RandomFiles(1).files(50)));
  }
}

}  // namespace
}  // namespace assay::golden
