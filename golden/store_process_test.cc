#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <functional>
#include <thread>

#include "golden/store.h"
#include "golden/test_items.h"

// What happens to a database when processes die or meet. Children leave by _exit(), so that nothing of the parent runs
// twice.
namespace assay::golden {
namespace {

using test::drain;
using test::RandomFiles;
using test::ScratchFolder;

constexpr std::size_t kFiles = 300;

RunInfo info(const std::string& label) {
  return {.label = label, .corpus = "c", .profile = "p", .tool_version = "1", .rules = ""};
}

void record_run(const std::filesystem::path& path, const std::string& label, std::uint32_t seed,
                std::size_t batch_rows) {
  Store store = Store::open(path, Store::Mode::kReadWriteCreate);
  const auto files = RandomFiles(seed).files(kFiles);
  RunWriter writer = store.begin_run(info(label), {.rows = batch_rows});
  for (const FileResult& file : files) {
    writer.add(file);
  }
  writer.finish(test::totals_of(files));
}

pid_t in_child(const std::function<void()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      action();
    } catch (const std::exception&) {
      _exit(1);
    }
    _exit(0);
  }
  return child;
}

int exit_status(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Something that a child says once to its parent; a busy machine may start a child late.
class Signal {
 public:
  Signal() { EXPECT_EQ(pipe(ends_.data()), 0); }
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;
  ~Signal() {
    close(ends_[0]);
    close(ends_[1]);
  }

  void send() const { static_cast<void>(!write(ends_[1], "x", 1)); }
  void wait() const {
    char received = 0;
    EXPECT_EQ(read(ends_[0], &received, 1), 1);
  }

 private:
  std::array<int, 2> ends_{};
};

void expect_run(const Store& store, const std::string& label, std::uint32_t seed) {
  EXPECT_TRUE(test::same_files(drain(*store.files(store.find_run(label))), RandomFiles(seed).files(kFiles))) << label;
}

TEST(StoreProcess, KilledWhileAddingLosesNoFinishedRun) {
  const ScratchFolder folder;
  const auto path = folder / "runs.db";
  record_run(path, "finished", 1, 50);
  std::size_t incomplete = 0;
  for (int round = 0; round < 25; ++round) {
    const Signal has_begun;
    const pid_t child = in_child([&] {
      Store store = Store::open(path, Store::Mode::kReadWriteCreate);
      RunWriter writer = store.begin_run(info("killed"), {.rows = 40});
      const auto files = RandomFiles(2).files(kFiles);
      has_begun.send();
      for (std::size_t number = 0;; ++number) {
        FileResult file = files[number % kFiles];
        file.path += std::to_string(number);
        writer.add(std::move(file));
      }
    });
    has_begun.wait();
    std::this_thread::sleep_for(std::chrono::microseconds(1'000 * round));
    kill(child, SIGKILL);
    EXPECT_EQ(exit_status(child), -1);
    const Store store = Store::open(path, Store::Mode::kReadOnly);
    expect_run(store, "finished", 1);
    const auto runs = store.runs();
    for (const RunRecord& run : runs) {
      EXPECT_EQ(run.is_complete(), run.info.label == "finished");
      // What was committed of a broken run is whole files.
      EXPECT_NO_THROW(static_cast<void>(drain(*store.files(run))));
    }
    incomplete = runs.size() - 1;
  }
  EXPECT_GT(incomplete, 10U) << "the children were killed too early to test anything";
  record_run(path, "after", 3, 50);
  expect_run(Store::open(path, Store::Mode::kReadOnly), "after", 3);
}

TEST(StoreProcess, KilledWhileCreatingLeavesADatabaseThatOpens) {
  for (int round = 0; round < 20; ++round) {
    const ScratchFolder folder;
    const auto path = folder / "runs.db";
    const pid_t child = in_child([&] { record_run(path, "killed", 2, 10); });
    std::this_thread::sleep_for(std::chrono::microseconds(300 * round));
    kill(child, SIGKILL);
    exit_status(child);
    ASSERT_NO_THROW(record_run(path, "after", 3, 50));
    expect_run(Store::open(path, Store::Mode::kReadOnly), "after", 3);
  }
}

TEST(StoreProcess, TwoWritersAtOnceBothSucceed) {
  const ScratchFolder folder;
  const auto path = folder / "runs.db";
  record_run(path, "before", 1, 100);
  const pid_t first = in_child([&] { record_run(path, "first", 2, 10); });
  const pid_t second = in_child([&] { record_run(path, "second", 3, 13); });
  EXPECT_EQ(exit_status(first), 0);
  EXPECT_EQ(exit_status(second), 0);
  const Store store = Store::open(path, Store::Mode::kReadOnly);
  expect_run(store, "before", 1);
  expect_run(store, "first", 2);
  expect_run(store, "second", 3);
}

TEST(StoreProcess, TwoProcessesCreatingAtOnceBothSucceed) {
  constexpr int kProcesses = 6;
  for (int round = 0; round < 10; ++round) {
    const ScratchFolder folder;
    const auto path = folder / "runs.db";
    std::vector<pid_t> children;
    for (int index = 0; index < kProcesses; ++index) {
      children.push_back(
          in_child([&] { static_cast<void>(Store::open(path, Store::Mode::kReadWriteCreate).begin_run({})); }));
    }
    for (const pid_t child : children) {
      EXPECT_EQ(exit_status(child), 0);
    }
    EXPECT_EQ(Store::open(path, Store::Mode::kReadOnly).runs().size(), std::size_t{kProcesses});
  }
}

TEST(StoreProcess, AReaderSeesOneStateWhileAnotherProcessWrites) {
  const ScratchFolder folder;
  const auto path = folder / "runs.db";
  record_run(path, "before", 1, 100);
  const pid_t child = in_child([&] { record_run(path, "writing", 2, 5); });
  for (int round = 0; round < 20; ++round) {
    expect_run(Store::open(path, Store::Mode::kReadOnly), "before", 1);
  }
  EXPECT_EQ(exit_status(child), 0);
}

}  // namespace
}  // namespace assay::golden
