#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "golden/earlier_results.h"
#include "golden/scan/hash.h"
#include "golden/scan/scan.h"
#include "golden/scan/scan_key.h"
#include "golden/scan/tool_build.h"
#include "golden/store.h"
#include "golden/test_items.h"
#include "synth/corpus.h"

// A scan that takes results over gives what one without does, and does so only where nothing differs that matters.
namespace assay::golden {
namespace {

using test::ScratchFolder;

struct Conditions {
  WalkOptions walk{};
  std::string build = "a build";
  bool reuses = true;
  Shard shard{};
};

class Reuse : public ::testing::Test {
 protected:
  void write_corpus(synth::CorpusProfile profile) {
    static_cast<void>(synth::write_corpus({.folder = corpus_, .profile = profile, .seed = 1, .overwrite = true}));
  }

  // Scans into the database and gives what was recorded.
  std::vector<FileResult> scan(const Conditions& conditions = {}) {
    Store store = Store::open(database_, Store::Mode::kReadWriteCreate);
    const Store reading = Store::open(database_, Store::Mode::kReadOnly);
    CorpusListing corpus = list_corpus(corpus_);
    const Sha256 key = scan_key(conditions.walk, conditions.build, corpus);
    EarlierResults earlier(reading, key);
    RunWriter writer =
        store.begin_run({.label = "", .corpus = "", .profile = "", .tool_version = "", .rules = "", .scan_key = key});
    const ScanOptions options{.walk = conditions.walk,
                              .jobs = 2,
                              .shard = conditions.shard,
                              .earlier = conditions.reuses ? &earlier : nullptr,
                              .progress = {}};
    summary_ = scan_corpus(std::move(corpus), options, [&](FileResult&& file) { writer.add(std::move(file)); });
    writer.finish(summary_.totals);
    return test::drain(*store.files(store.find_run("latest")));
  }

  // What a scan into a database of its own records.
  std::vector<FileResult> scan_afresh(const Conditions& conditions = {}) {
    const std::filesystem::path shared = std::exchange(database_, folder_ / ("fresh" + std::to_string(++fresh_)));
    auto files = scan(conditions);
    database_ = shared;
    return files;
  }

  // Scans, and expects what a fresh scan gives and so many files taken over.
  void expect_reused(std::uint64_t files, const Conditions& conditions = {}) {
    const auto expected = scan_afresh(conditions);
    EXPECT_TRUE(test::same_files(scan(conditions), expected));
    EXPECT_EQ(summary_.reused.files, files);
    EXPECT_EQ(summary_.totals, test::totals_of(expected));
  }

  ScratchFolder folder_;
  std::filesystem::path corpus_ = folder_ / "corpus";
  std::filesystem::path database_ = folder_ / "runs.db";
  int fresh_ = 0;
  ScanSummary summary_;
};

TEST_F(Reuse, GivesTheSameForEveryKindOfCorpus) {
  for (const auto profile :
       {synth::CorpusProfile::kContainers, synth::CorpusProfile::kResources, synth::CorpusProfile::kGame}) {
    write_corpus(profile);
    scan();
    const std::uint64_t files = list_corpus(corpus_).files.size();
    expect_reused(files);
    EXPECT_EQ(summary_.reused.items, summary_.totals.items);
    expect_reused(files);
  }
}

TEST_F(Reuse, LooksIntoChangedAndNewFilesOnly) {
  write_corpus(synth::CorpusProfile::kContainers);
  scan();
  const std::uint64_t files = list_corpus(corpus_).files.size();
  std::string bytes = test::read_text(corpus_ / "gamefont.rlb");
  bytes.back() ^= 1;
  test::write_text(corpus_ / "gamefont.rlb", bytes);
  test::write_text(corpus_ / "new.txt", "new");
  expect_reused(files - 1);
  bytes.back() ^= 1;
  test::write_text(corpus_ / "gamefont.rlb", bytes);
  std::filesystem::remove(corpus_ / "new.txt");
  expect_reused(files);
}

TEST_F(Reuse, ASmallChangeThatKeepsSizeAndTimeIsSeen) {
  write_corpus(synth::CorpusProfile::kContainers);
  scan();
  const auto file = corpus_ / "gamefont.rlb";
  const auto time = std::filesystem::last_write_time(file);
  std::string bytes = test::read_text(file);
  bytes[bytes.size() / 2] ^= 1;
  test::write_text(file, bytes);
  std::filesystem::last_write_time(file, time);
  expect_reused(list_corpus(corpus_).files.size() - 1);
}

TEST_F(Reuse, TakesAFileOverTheLimitOverAsWell) {
  Conditions conditions;
  conditions.walk.limits.input_bytes = 1000;
  std::filesystem::create_directory(corpus_);
  test::write_text(corpus_ / "movie.bin", std::string(700'000, 'm'));
  test::write_text(corpus_ / "small.txt", "small");
  scan(conditions);
  expect_reused(2, conditions);
}

TEST_F(Reuse, SaysWhatCannotBeReadNoMore) {
  std::filesystem::create_directory(corpus_);
  test::write_text(corpus_ / "a.txt", "a");
  std::filesystem::create_symlink(corpus_ / "a.txt", corpus_ / "link");
  scan();
  const CorpusListing listed = list_corpus(corpus_);
  std::filesystem::remove(corpus_ / "a.txt");
  const Store reading = Store::open(database_, Store::Mode::kReadOnly);
  EarlierResults earlier(reading, scan_key({}, "a build", listed));
  std::vector<std::string> codes;
  static_cast<void>(scan_corpus(listed, {.walk = {}, .jobs = 1, .shard = {}, .earlier = &earlier, .progress = {}},
                                [&](FileResult&& file) {
                                  EXPECT_FALSE(file.is_reused);
                                  codes.push_back(file.items.at(0).findings.at(0).code);
                                }));
  EXPECT_EQ(codes, (std::vector<std::string>{"unreadable_file", "unreadable_file"}));
}

TEST_F(Reuse, ANameThatARuleAsksForCounts) {
  write_corpus(synth::CorpusProfile::kContainers);
  const auto before = scan();
  std::filesystem::rename(corpus_ / "sprites.lib", corpus_ / "other.lib");
  expect_reused(before.size() - 1);
  EXPECT_EQ(summary_.totals.fail, 2U) << "the rule is for sprites.lib alone: its entry and the archive";
  std::filesystem::create_directory(corpus_ / "moved");
  std::filesystem::rename(corpus_ / "other.lib", corpus_ / "moved" / "sprites.lib");
  expect_reused(before.size() - 1);
  EXPECT_EQ(summary_.totals.fail, 0U);
}

TEST_F(Reuse, TheNameOfTheCorpusFolderCounts) {
  write_corpus(synth::CorpusProfile::kResources);
  const std::uint64_t files = scan().size();
  std::filesystem::rename(corpus_, folder_ / "UNITS");
  corpus_ = folder_ / "UNITS";
  expect_reused(0);
  std::filesystem::create_directory(folder_ / "elsewhere");
  std::filesystem::rename(corpus_, folder_ / "elsewhere" / "UNITS");
  corpus_ = folder_ / "elsewhere" / "UNITS";
  expect_reused(files);
}

TEST_F(Reuse, OtherConditionsTakeNothingOver) {
  write_corpus(synth::CorpusProfile::kContainers);
  const std::uint64_t files = scan().size();
  std::vector<Conditions> others(10);
  others[0].walk.rules = RuleSet::strict();
  others[1].walk.rules.enable(RuleId::kDeflateEofPlusOne, false);
  others[2].walk.limits.entry_count -= 1;
  others[3].walk.limits.nesting_depth = 1;
  others[4].walk.limits.nested_floor_bytes = 0;
  others[5].walk.apply_overlay = false;
  others[6].walk.confirm_deflate = false;
  others[7].build = "another build";
  others[8].walk.limits.unpacked_bytes = 4096;
  others[9].reuses = false;
  for (const Conditions& other : others) {
    expect_reused(0, other);
  }
  for (const Conditions& other : std::span(others).first(9)) {
    expect_reused(files, other);
  }
  expect_reused(files);
}

TEST_F(Reuse, WorksFromShardsAndIntoShards) {
  write_corpus(synth::CorpusProfile::kContainers);
  const std::uint64_t files = scan().size();
  Conditions conditions;
  conditions.shard = {.index = 1, .count = 2};
  expect_reused(files / 2, conditions);
  expect_reused(files);
}

// Its whole path may say what it is, where a corpus is what its own folder says.
TEST_F(Reuse, AFileByItselfIsNotTakenOverFromItsCorpus) {
  write_corpus(synth::CorpusProfile::kContainers);
  static_cast<void>(scan());
  corpus_ = corpus_ / "sprites.lib";
  expect_reused(0);
  expect_reused(1);
}

TEST_F(Reuse, CanBeInterrupted) {
  write_corpus(synth::CorpusProfile::kContainers);
  scan();
  const std::atomic<bool> stop = true;
  Conditions conditions;
  conditions.walk.stop = &stop;
  EXPECT_THROW(scan(conditions), Interrupted);
}

TEST(ScanKey, DependsOnTheBuildAndOnEveryLimit) {
  const CorpusListing corpus;
  std::vector<Sha256> keys{scan_key({}, "1", corpus), scan_key({}, "2", corpus)};
  for (std::uint64_t Limits::* limit :
       {&Limits::input_bytes, &Limits::entry_count, &Limits::payload_bytes, &Limits::payload_total_bytes,
        &Limits::preserved_bytes, &Limits::packed_bytes, &Limits::unpacked_bytes, &Limits::unpacked_total_bytes,
        &Limits::nested_expansion, &Limits::nested_floor_bytes}) {
    WalkOptions walk;
    walk.limits.*limit += 1;
    keys.push_back(scan_key(walk, "1", corpus));
  }
  for (const Rule& rule : all_rules()) {
    WalkOptions walk;
    walk.rules.enable(rule.id, !walk.rules.enabled(rule.id));
    keys.push_back(scan_key(walk, "1", corpus));
  }
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
  EXPECT_EQ(scan_key({}, "1", corpus), scan_key({}, "1", corpus));
}

TEST(ToolBuild, IsOneHashAndStaysTheSame) {
  EXPECT_EQ(tool_build().size(), hash_text(Sha256{}).size());
  EXPECT_EQ(tool_build(), tool_build());
}

}  // namespace
}  // namespace assay::golden
