#include "golden/scan/scan.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>

#include "golden/scan/corpus.h"
#include "golden/scan/hash.h"
#include "synth/corpus.h"

namespace assay::golden {
namespace {

namespace fs = std::filesystem;

class ScanTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "assay-scan-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const fs::path& name, std::string_view content) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << content;
  }

  std::vector<FileResult> scan(unsigned jobs = 0, Shard shard = {}) {
    std::vector<FileResult> results;
    summary_ = scan_corpus(list_corpus(root_), {.walk = {}, .jobs = jobs, .shard = shard, .progress = {}},
                           [&](FileResult&& file) { results.push_back(std::move(file)); });
    return results;
  }

  static std::vector<std::string> paths_of(const std::vector<FileResult>& results) {
    std::vector<std::string> paths;
    for (const FileResult& result : results) {
      paths.push_back(result.path);
    }
    return paths;
  }

  fs::path root_;
  ScanSummary summary_;
};

TEST_F(ScanTest, ListsFilesByPathAsBytes) {
  write("b", "1");
  write("B/x", "2");
  write("a/z", "3");
  write("a.txt", "4");
  EXPECT_EQ(paths_of(scan()), (std::vector<std::string>{"B/x", "a.txt", "a/z", "b"}));
  EXPECT_EQ(summary_.totals.items, 4U);
  EXPECT_EQ(summary_.totals.bytes, 4U);
  EXPECT_EQ(summary_.totals.unknown, 4U);
}

TEST_F(ScanTest, GivesTheSameWithAnyNumberOfThreads) {
  static_cast<void>(synth::write_corpus({.folder = root_ / "corpus", .seed = 3}));
  const auto one = scan(1);
  const auto two = scan(2);
  const auto five = scan(5);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t index = 0; index < one.size(); ++index) {
    EXPECT_EQ(one[index].path, two[index].path);
    EXPECT_EQ(one[index].items, two[index].items) << one[index].path;
    EXPECT_EQ(one[index].items, five[index].items) << one[index].path;
  }
}

TEST_F(ScanTest, IsNotCompleteWhenItIsStoppedWhileTheLastFilesAreHandedOn) {
  write("a", "1");
  std::atomic<bool> stop = false;
  WalkOptions walk;
  walk.stop = &stop;
  const auto sink = [&](FileResult&&) { stop = true; };
  EXPECT_THROW(scan_corpus(list_corpus(root_), {.walk = walk, .jobs = 1, .shard = {}, .progress = {}}, sink),
               Interrupted);
}

TEST_F(ScanTest, AFileWhosePathIsTooLongToOpenIsAFailureAndNotLeftOut) {
  const fs::path here = fs::current_path();
  const std::string folder(200, 'd');
  fs::current_path(root_);
  for (int depth = 0; depth < 22; ++depth) {
    fs::create_directory(folder);
    fs::current_path(folder);
  }
  std::ofstream("x") << 'x';
  fs::current_path(here);
  const auto results = scan();
  ASSERT_EQ(results.size(), 1U);
  EXPECT_TRUE(results[0].path.ends_with("/x"));
  EXPECT_EQ(results[0].items.at(0).verdict, Verdict::kFail);
  EXPECT_EQ(results[0].items.at(0).findings.at(0).code, "unreadable_file");
}

TEST_F(ScanTest, ShardsCoverEveryFileOnce) {
  for (int index = 0; index < 11; ++index) {
    write("f" + std::to_string(index), "x");
  }
  std::vector<std::string> seen;
  for (std::uint64_t shard = 0; shard < 4; ++shard) {
    for (const std::string& path : paths_of(scan(0, {.index = shard, .count = 4}))) {
      seen.push_back(path);
    }
  }
  std::ranges::sort(seen);
  EXPECT_EQ(seen, paths_of(scan()));
}

TEST_F(ScanTest, NamesWhatIsNeitherFileNorFolderAndDoesNotFollowFolderLinks) {
  write("real/file", "x");
  ASSERT_EQ(::mkfifo((root_ / "pipe").c_str(), 0600), 0);
  fs::create_directory_symlink(root_, root_ / "real" / "loop");
  fs::create_symlink(root_ / "nowhere", root_ / "dangling");
  fs::create_symlink(root_ / "real" / "file", root_ / "link");
  EXPECT_EQ(paths_of(scan()), (std::vector<std::string>{"link", "real/file"}));
  EXPECT_EQ(summary_.skipped, (std::vector<std::string>{"dangling", "pipe", "real/loop"}));
}

TEST_F(ScanTest, WritesNamesThatAreNotUtf8InEscapes) {
  write("caf\xC3\xA9", "utf-8");
  write("caf\xE9", "latin-1");
  write("new\nline", "x");
  write("back\\slash", "x");
  EXPECT_EQ(paths_of(scan()), (std::vector<std::string>{"back\\\\slash", "caf\\xe9", "caf\xC3\xA9", "new\\x0aline"}));
}

TEST_F(ScanTest, HashesAFileOverTheLimitInPiecesAndRefusesItWhenAFormatClaimsIt) {
  WalkOptions walk;
  walk.limits.input_bytes = 1000;
  write("movie.bin", std::string(3'000'000, 'm'));
  write("huge.lib", std::string(2000, 'n'));
  std::vector<FileResult> results;
  static_cast<void>(scan_corpus(list_corpus(root_), {.walk = walk, .jobs = 1, .shard = {}, .progress = {}},
                                [&](FileResult&& file) { results.push_back(std::move(file)); }));
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].items[0].verdict, Verdict::kFail);
  EXPECT_EQ(results[0].items[0].findings.at(0).code, "limit_exceeded");
  EXPECT_EQ(results[1].items[0].verdict, Verdict::kUnknown);
  EXPECT_EQ(results[1].items[0].size, 3'000'000U);
  EXPECT_EQ(results[1].items[0].sha256, Hasher().hash(as_bytes(std::string(3'000'000, 'm'))));
  EXPECT_EQ(results[1].items[0].stored_sha256, results[1].items[0].sha256);
}

TEST_F(ScanTest, GivesAFileInPiecesOfWholeBlocks) {
  for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 4096U, 262'143U, 262'144U, 262'145U, 600'000U}) {
    std::string content(size, 'x');
    if (!content.empty()) {
      content.back() = 'y';
    }
    write("file", content);
    FilePieces pieces(root_ / "file");
    std::string read;
    bool was_last = false;
    for (Bytes piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
      EXPECT_FALSE(was_last) << size;
      was_last = piece.size() % 64 != 0;
      read += as_text(piece);
    }
    EXPECT_EQ(read, content) << size;
  }
}

TEST_F(ScanTest, GivesAFileThatGrowsAsItIsRead) {
  write("file", std::string(64, 'x'));
  FilePieces pieces(root_ / "file");
  std::ofstream(root_ / "file", std::ios::app) << std::string(100, 'y');
  std::size_t size = 0;
  for (Bytes piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
    size += piece.size();
  }
  EXPECT_EQ(size, 164U);
}

TEST_F(ScanTest, HandsOnInPathOrderWhateverTakesLonger) {
  // Takes no room on the disk, but time to be hashed.
  write("000/large", "");
  fs::resize_file(root_ / "000/large", std::uintmax_t{512} << 20);
  for (int index = 0; index < 300; ++index) {
    write("small_" + std::to_string(index), "s");
  }
  std::vector<std::string> expected;
  for (const CorpusFile& file : list_corpus(root_).files) {
    expected.push_back(file.path);
  }
  EXPECT_EQ(paths_of(scan(4)), expected);
}

TEST_F(ScanTest, SaysThatACorpusIsMissing) {
  EXPECT_THROW(static_cast<void>(list_corpus(root_ / "nowhere")), CorpusError);
}

TEST_F(ScanTest, PassesOnWhatTheSinkThrows) {
  for (int index = 0; index < 600; ++index) {
    write("f" + std::to_string(index), "x");
  }
  int calls = 0;
  const auto sink = [&](FileResult&&) {
    if (++calls == 3) {
      throw std::runtime_error("full");
    }
  };
  EXPECT_THROW(static_cast<void>(scan_corpus(list_corpus(root_), {}, sink)), std::runtime_error);
  EXPECT_EQ(calls, 3);
}

TEST_F(ScanTest, AnEmptyFolderGivesNothing) {
  EXPECT_TRUE(scan().empty());
  EXPECT_EQ(summary_.totals, Totals{});
}

TEST(DisplayPath, KeepsValidUtf8AndEscapesTheRest) {
  EXPECT_EQ(display_path("a/b c"), "a/b c");
  EXPECT_EQ(display_path("\xD0\x9F"), "\xD0\x9F");
  EXPECT_EQ(display_path("\xF0\x9F\x98\x80"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(display_path("\xC0\xAF"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(display_path("\xE0\x80\xAF"), "\\xe0\\x80\\xaf") << "overlong in three bytes";
  EXPECT_EQ(display_path("\xF0\x80\x80\x80"), "\\xf0\\x80\\x80\\x80") << "overlong in four";
  EXPECT_EQ(display_path("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "past the last code point";
  EXPECT_EQ(display_path("\xF4\x8F\xBF\xBF"), "\xF4\x8F\xBF\xBF") << "the last code point";
  EXPECT_EQ(display_path("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(display_path("\xE2\x82"), "\\xe2\\x82") << "cut off";
  EXPECT_EQ(display_path("\xC2\x85"), "\\xc2\\x85") << "a control character";
  EXPECT_EQ(display_path("\x1B[2J\x7F"), "\\x1b[2J\\x7f");
}

}  // namespace
}  // namespace assay::golden
