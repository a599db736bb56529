#include "golden/earlier_results.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "golden/checksum.h"
#include "golden/test_items.h"

namespace assay::golden {
namespace {

using test::drain;
using test::hash_of;
using test::RandomFiles;
using test::ScratchFolder;

const Sha256 kKey = hash_of(77);

// Random files, each with a content of its own.
std::vector<FileResult> make_files(std::size_t count) {
  auto files = RandomFiles(11).files(count);
  for (std::size_t index = 0; index < count; ++index) {
    files[index].items[0].stored_sha256 = files[index].items[0].sha256 = hash_of(static_cast<std::uint8_t>(index));
  }
  return files;
}

class EarlierResultsTest : public ::testing::Test {
 protected:
  std::int64_t record(const std::vector<FileResult>& files, std::optional<Sha256> key = kKey, bool finishes = true) {
    Store store = Store::open(path_, Store::Mode::kReadWriteCreate);
    RunWriter writer = store.begin_run(
        {.label = "l", .corpus = "c", .profile = "p", .tool_version = "1", .rules = "", .scan_key = key});
    for (const FileResult& file : files) {
      writer.add(file);
    }
    if (finishes) {
      writer.finish(test::totals_of(files));
    } else {
      writer.flush();
    }
    return writer.run_id();
  }

  void execute(const std::string& sql) {
    Database(path_.string(), Database::Mode::kReadWriteCreate)
        .run(("PRAGMA ignore_check_constraints=ON; " + sql).c_str());
  }

  [[nodiscard]] Store reading() const { return Store::open(path_, Store::Mode::kReadOnly); }

  static const Sha256& content_of(const FileResult& file) { return *file.items[0].stored_sha256; }

  ScratchFolder folder_;
  std::filesystem::path path_ = folder_ / "runs.db";
};

TEST_F(EarlierResultsTest, GiveBackEveryFileAsItWasAndMarked) {
  const auto files = make_files(100);
  record(files);
  const Store store = reading();
  EarlierResults earlier(store, kKey);
  for (const FileResult& file : files) {
    const auto found = earlier.find(file.path, content_of(file));
    ASSERT_TRUE(found) << file.path;
    EXPECT_EQ(found->path, file.path);
    EXPECT_EQ(found->items, file.items);
    EXPECT_TRUE(found->is_reused);
  }
  EXPECT_EQ(earlier.damaged(), 0U);
}

TEST_F(EarlierResultsTest, NeedTheSameContentPathAndKey) {
  const auto files = make_files(3);
  record(files);
  record(files, std::nullopt);
  const Store store = reading();
  EarlierResults earlier(store, kKey);
  EXPECT_FALSE(earlier.find(files[0].path, content_of(files[1])));
  EXPECT_FALSE(earlier.find(files[1].path + "x", content_of(files[1])));
  EXPECT_TRUE(EarlierResults(store, hash_of(78)).empty());
  EXPECT_TRUE(EarlierResults(store, Sha256{}).empty()) << "a run without a key gives nothing";
  EXPECT_EQ(earlier.damaged(), 0U) << "another content is no damage";
}

TEST_F(EarlierResultsTest, ComeFromTheLatestRunThatKnowsTheContent) {
  auto files = make_files(2);
  record(files);
  const FileResult first = files[0];
  files[0].items[0].stored_sha256 = hash_of(200);
  record(files);
  files[0].items[0].facts = {{"from", "the third"}};
  record(files, kKey, false);
  const Store store = reading();
  EarlierResults earlier(store, kKey);
  EXPECT_EQ(earlier.find(first.path, content_of(first))->items, first.items) << "as it was before it changed";
  EXPECT_EQ(earlier.find(files[0].path, hash_of(200))->items, files[0].items) << "from a run that was cut off";
}

TEST_F(EarlierResultsTest, LeaveWhatIsNoLongerWhatWasWritten) {
  auto files = make_files(1);
  files[0] = test::sample_file("a.lib");
  test::break_entry(files[0], 1);
  for (const char* damage : {"UPDATE item SET verdict = 0 WHERE id = 2",
                             "UPDATE item SET format = 'tex' WHERE id = 2",
                             "UPDATE item SET size = size + 1 WHERE id = 1",
                             "UPDATE item SET entry = 'Z' WHERE id = 4",
                             "UPDATE item SET sha256 = NULL WHERE id = 3",
                             "UPDATE item SET offset = offset + 1 WHERE id = 3",
                             "UPDATE item SET row_bytes = x'00' WHERE id = 3",
                             "UPDATE item SET row_record = NULL WHERE id = 3",
                             "UPDATE item SET verdict = 99 WHERE id = 2",
                             "DELETE FROM item WHERE id = 4",
                             "UPDATE finding SET message = 'it is fine' WHERE id = 1",
                             "UPDATE finding SET severity = 0 WHERE id = 1",
                             "UPDATE finding SET item_id = 3 WHERE id = 1",
                             "UPDATE finding SET applied = 1 WHERE id = 1",
                             "UPDATE fact SET value = '257' WHERE id = 1",
                             "UPDATE fact SET key = 'x' WHERE id = 2",
                             "UPDATE fact SET item_id = 2 WHERE id = 3",
                             "DELETE FROM fact WHERE id = 2",
                             "UPDATE file SET checksum = checksum + 1",
                             "UPDATE file SET facts = 3",
                             "UPDATE file SET findings = 0"}) {
    std::filesystem::remove(path_);
    record(files);
    const auto find = [&](std::uint64_t& damaged) {
      const Store store = reading();
      EarlierResults earlier(store, kKey);
      const bool is_found = earlier.find("a.lib", content_of(files[0])).has_value();
      damaged = earlier.damaged();
      return is_found;
    };
    std::uint64_t damaged = 0;
    ASSERT_TRUE(find(damaged));
    execute(damage);
    EXPECT_FALSE(find(damaged)) << damage;
    EXPECT_EQ(damaged, 1U) << damage;
  }
}

TEST_F(EarlierResultsTest, OfADamagedRunAreSoughtInTheOneBefore) {
  const auto files = make_files(1);
  record(files);
  record(files);
  execute("UPDATE item SET format = 'x' WHERE id > " + std::to_string(files[0].items.size()));
  const Store store = reading();
  EarlierResults earlier(store, kKey);
  EXPECT_EQ(earlier.find(files[0].path, content_of(files[0]))->items, files[0].items);
  EXPECT_EQ(earlier.damaged(), 1U);
}

TEST_F(EarlierResultsTest, AreCopiesThatOutliveTheirRun) {
  const auto files = make_files(30);
  record(files);
  std::vector<FileResult> reused;
  {
    const Store store = reading();
    EarlierResults earlier(store, kKey);
    for (const FileResult& file : files) {
      reused.push_back(*earlier.find(file.path, content_of(file)));
    }
  }
  const std::int64_t second = record(reused);
  execute(
      "DELETE FROM fact WHERE id <= (SELECT max(first_fact + facts - 1) FROM file WHERE run_id = 1);"
      "DELETE FROM finding WHERE id <= (SELECT max(first_finding + findings - 1) FROM file WHERE run_id = 1);"
      "DELETE FROM item WHERE id <= (SELECT max(first_item + items - 1) FROM file WHERE run_id = 1);"
      "DELETE FROM file WHERE run_id = 1; DELETE FROM metric WHERE run_id = 1; DELETE FROM run WHERE id = 1;");
  const Store store = reading();
  ASSERT_EQ(store.runs().size(), 1U);
  EXPECT_TRUE(test::same_files(drain(*store.files(store.find_run(std::to_string(second)))), files));
  EarlierResults earlier(store, kKey);
  EXPECT_EQ(earlier.find(files[3].path, content_of(files[3]))->items, files[3].items);
}

TEST_F(EarlierResultsTest, MayBeAskedBySeveralThreadsWhileARunIsRecorded) {
  const auto files = make_files(120);
  record(files);
  const Store store = reading();
  EarlierResults earlier(store, kKey);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&] {
      for (const FileResult& file : files) {
        const auto found = earlier.find(file.path, content_of(file));
        wrong += found && found->items == file.items ? 0 : 1;
      }
    });
  }
  record(files);
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Checksum, ChangesWithEverythingThatIsRecorded) {
  const auto files = RandomFiles(12).files(50);
  for (const FileResult& file : files) {
    FileResult other = file;
    other.path += "x";
    other.is_reused = true;
    EXPECT_EQ(checksum_of(other), checksum_of(file));
    other.items.emplace_back();
    EXPECT_NE(checksum_of(other), checksum_of(file));
  }
}

TEST(Checksum, DoesNotTakeOneSplitForAnother) {
  const auto checksum = [](const std::string& entry, const std::string& format, const std::vector<Fact>& facts) {
    FileResult file{.path = "", .items = std::vector<Item>(1)};
    file.items[0].entry = entry;
    file.items[0].format = format;
    file.items[0].facts = facts;
    return checksum_of(file);
  };
  EXPECT_NE(checksum("ab", "c", {}), checksum("a", "bc", {}));
  EXPECT_NE(checksum("", "", {{"a", ""}, {"b", ""}}), checksum("", "", {{"a", "b"}}));
  EXPECT_NE(checksum(std::string(1, '\0'), "", {}), checksum("", "", {}));
}

}  // namespace
}  // namespace assay::golden
