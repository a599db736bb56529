#include "golden/scan/disk_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace assay::golden {
namespace {

namespace fs = std::filesystem;
using ::testing::UnorderedElementsAre;

class DiskStoreTest : public ::testing::Test {
 protected:
  DiskStoreTest() : folder_(fs::path(::testing::TempDir()) / ("assay_disk_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_ / "a");
  }
  ~DiskStoreTest() override { fs::remove_all(folder_); }

  void write(const std::string& name, std::string_view text) const { std::ofstream(folder_ / name) << text; }
  std::vector<std::string> list(const std::string& folder) const {
    std::vector<std::string> names;
    for (const resource::FolderName& name : DiskStore(folder_).list(folder)) {
      names.push_back(name.name + (name.is_folder ? "/" : ""));
    }
    return names;
  }

  fs::path folder_;
};

TEST_F(DiskStoreTest, ListsFilesAndFoldersAndFollowsLinksToFilesAlone) {
  write("a/File", "1");
  write("top", "1");
  fs::create_symlink(folder_ / "a/File", folder_ / "link");
  fs::create_directory_symlink(folder_ / "a", folder_ / "other");
  EXPECT_THAT(list(""), UnorderedElementsAre("a/", "top", "link"));
  EXPECT_THAT(list("a"), UnorderedElementsAre("File"));
  EXPECT_THAT(list("none"), UnorderedElementsAre());
}

TEST_F(DiskStoreTest, ReadsAndSaysWhatItCannotRead) {
  write("a/File", "text");
  const DiskStore store(folder_);
  EXPECT_EQ(as_text(store.read("a/File")->bytes), "text");
  EXPECT_EQ(store.read("a/none").error().code, Code::kMissingFile);
  EXPECT_EQ(store.read("a").error().code, Code::kUnreadableFile);
}

TEST_F(DiskStoreTest, TheFingerprintChangesWithTheFile) {
  write("x", "one");
  const DiskStore store(folder_);
  const auto before = store.fingerprint("x");
  ASSERT_TRUE(before);
  EXPECT_EQ(store.fingerprint("x"), before);
  write("y", "two");
  fs::rename(folder_ / "y", folder_ / "x");
  EXPECT_NE(store.fingerprint("x"), before);
  EXPECT_EQ(store.fingerprint("none"), std::nullopt);
}

TEST_F(DiskStoreTest, TheFingerprintIsSizeTimeAndFileNumber) {
  write("x", "one");
  const DiskStore store(folder_);
  const auto before = *store.fingerprint("x");
  const auto time = fs::last_write_time(folder_ / "x");
  const auto differs = [&](std::size_t word) {
    const auto after = *store.fingerprint("x");
    auto rest = after;
    rest.at(word) = before.at(word);
    return after.at(word) != before.at(word) && rest == before;
  };
  fs::last_write_time(folder_ / "x", time + std::chrono::seconds(1));
  EXPECT_TRUE(differs(1));
  write("x", "longer");
  fs::last_write_time(folder_ / "x", time);
  EXPECT_TRUE(differs(0));
  write("y", "two");
  fs::last_write_time(folder_ / "y", time);
  fs::rename(folder_ / "y", folder_ / "x");
  EXPECT_TRUE(differs(2));
}

}  // namespace
}  // namespace assay::golden
