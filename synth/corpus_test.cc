#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "parsers/formats/catalogue.h"
#include "parsers/formats/decode_scratch.h"
#include "parsers/formats/rsli/rsli.h"
#include "synth/corpus.h"

namespace assay::synth {
namespace {

// What a walk over all archives of a file saw.
struct Seen {
  std::uint64_t entries = 0;
  std::uint64_t items = 0;
  std::uint64_t unclaimed = 0;
  std::set<std::string> methods{};
  // Codes of strict findings and errors, and of notes.
  std::multiset<std::string> deviations{};
  std::multiset<std::string> notes{};
};

void record(const Findings& findings, Seen& seen) {
  for (const Finding& finding : findings.list()) {
    auto& codes = finding.severity == Severity::kNote ? seen.notes : seen.deviations;
    codes.emplace(code_text(finding.diagnostic.code));
  }
}

void walk(Bytes content, const ItemHints& hints, const RuleSet& rules, Seen& seen) {
  ++seen.items;
  const Format* format = identify(content, hints).format;
  if (format == nullptr) {
    ++seen.unclaimed;
    return;
  }
  Findings findings;
  ParseContext context;
  context.rules = rules;
  context.hints = hints;
  const auto document = format->parse(content, context, findings);
  if (!document) {
    seen.deviations.emplace(code_text(document.error().code));
    return;
  }
  const Container* container = (*document)->container();
  if (container == nullptr) {
    record(findings, seen);
    return;
  }
  const auto scratch = std::make_unique<DecodeScratch>();
  for (std::size_t index = 0; index < container->member_count(); ++index) {
    ++seen.entries;
    const Member member = container->member(index);
    seen.methods.emplace(member.method);
    const auto payload = container->load(index, *scratch, findings);
    if (!payload) {
      seen.deviations.emplace("load " + std::string(code_text(payload.error().code)));
      continue;
    }
    EXPECT_EQ(payload->size(), member.size);
    const Buffer copy(payload->begin(), payload->end());
    walk(copy, member.hints(), rules, seen);
  }
  record(findings, seen);
}

Seen walk_file(const CorpusFile& file, const RuleSet& rules) {
  Seen seen;
  const std::string name = file.path.substr(file.path.rfind('/') + 1);
  walk(file.bytes, {.name = as_bytes(name), .is_file = true}, rules, seen);
  return seen;
}

TEST(ContainersCorpus, IsTheSameForOneSeedAndDiffersForAnother) {
  const auto first = make_containers_corpus(7);
  const auto again = make_containers_corpus(7);
  const auto other = make_containers_corpus(8);
  ASSERT_EQ(first.size(), again.size());
  ASSERT_EQ(first.size(), other.size());
  std::size_t differing = 0;
  for (std::size_t index = 0; index < first.size(); ++index) {
    EXPECT_EQ(first[index].path, again[index].path);
    EXPECT_EQ(first[index].bytes, again[index].bytes) << first[index].path;
    differing += first[index].bytes != other[index].bytes;
  }
  EXPECT_GE(differing, first.size() - 4) << "only what is empty may be equal";
}

// The committed manifest rests on these bytes. Every compiler has to come to the same ones.
TEST(ContainersCorpus, IsPinned) {
  uLong sum = crc32(0, nullptr, 0);
  for (const CorpusFile& file : make_containers_corpus(1)) {
    sum = crc32(sum, file.bytes.data(), static_cast<uInt>(file.bytes.size()));
  }
  EXPECT_EQ(sum, 3'763'970'838U);
}

TEST(ContainersCorpus, IsOkButForTheSpriteRule) {
  std::set<std::string> methods;
  std::uint64_t items = 0;
  std::uint64_t unclaimed = 0;
  std::uint64_t bytes = 0;
  for (const CorpusFile& file : make_containers_corpus(1)) {
    const Seen strict = walk_file(file, RuleSet::strict());
    if (file.path == "sprites.lib") {
      EXPECT_EQ(strict.deviations, (std::multiset<std::string>{"packed_size_past_eof", "load packed_size_past_eof"}));
    } else {
      EXPECT_TRUE(strict.deviations.empty()) << file.path << ": " << *strict.deviations.begin();
    }
    const Seen compatible = walk_file(file, RuleSet::compatible());
    EXPECT_EQ(compatible.deviations.size(), file.path == "sprites.lib" ? 1U : 0U) << file.path;
    EXPECT_EQ(compatible.entries, file.archive_entries) << file.path;
    methods.insert(compatible.methods.begin(), compatible.methods.end());
    items += compatible.items;
    unclaimed += file.archive_entries == 0 ? compatible.unclaimed : 0;
    bytes += file.bytes.size();
  }
  EXPECT_EQ(methods.size(), 7U);
  EXPECT_GE(items, 150U);
  EXPECT_LE(items, 400U);
  EXPECT_EQ(unclaimed, 5U);
  EXPECT_LT(bytes, 5'000'000U);
}

TEST(ContainersCorpus, HasTheIntendedNotes) {
  std::map<std::string, std::multiset<std::string>> notes;
  for (const CorpusFile& file : make_containers_corpus(1)) {
    notes[file.path] = walk_file(file, RuleSet::compatible()).notes;
  }
  EXPECT_EQ(notes["Textures.lib"], (std::multiset<std::string>{"non_zero_gap"}));
  EXPECT_EQ(notes["DATA/MAPS/Tut_1/decals.rlb"].count("non_zero_gap"), 5U);
  EXPECT_EQ(notes["ui/unsorted.lib"], (std::multiset<std::string>{"header_copy_mismatch", "header_copy_mismatch",
                                                                  "non_zero_gap", "non_zero_gap"}));
  // Every sprite but the last owns one byte less than it declares.
  EXPECT_EQ(notes["sprites.lib"].count("unused_packed_bytes"), 23U);
  EXPECT_EQ(notes["sprites.lib"].size(), 23U);
  EXPECT_TRUE(notes["methods.rlb"].empty());
  EXPECT_TRUE(notes["objects.rlb"].empty());
  EXPECT_TRUE(notes["gamefont.rlb"].empty());
}

TEST(ContainersCorpus, SpritesHaveTheShapeOfTheOriginal) {
  const CorpusFile file = make_sprites(1);
  Findings findings;
  ParseContext context;
  context.hints = {.name = as_bytes("sprites.lib"), .is_file = true};
  const auto parsed = rsli::Archive::parse(file.bytes, context, findings);
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->entries().size(), 24U);
  std::uint64_t packed_total = 0;
  for (std::size_t row = 0; row < 24; ++row) {
    const rsli::Entry& entry = parsed->entries()[row];
    EXPECT_EQ(entry.unpacked_size, 65'568U);
    packed_total += entry.packed_size;
    if (row != 0) {
      const rsli::Entry& before = parsed->entries()[row - 1];
      EXPECT_EQ(before.data_offset_raw + before.packed_size, entry.data_offset_raw + 1);
    }
  }
  const rsli::Entry& last = parsed->entries()[23];
  EXPECT_EQ(as_text(last.name.text()), "INTERF8.TEX");
  EXPECT_EQ(std::uint64_t{last.data_offset_raw} + last.packed_size, file.bytes.size() + 1);
  EXPECT_EQ(parsed->header().unpacked_total, 1'573'632U);
  EXPECT_EQ(parsed->header().xor_seed, packed_total);
  EXPECT_NE(parsed->entry_error(23), nullptr);
  EXPECT_EQ(parsed->entry_error(22), nullptr);
}

TEST(ContainersCorpus, FontHasTheShapeOfTheOriginal) {
  const CorpusFile file = make_gamefont(1);
  Findings findings;
  const auto parsed = rsli::Archive::parse(file.bytes, {}, findings);
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(findings.empty());
  ASSERT_EQ(parsed->entries().size(), 2U);
  EXPECT_EQ(parsed->header().unpacked_total, 87'096U);
  EXPECT_EQ(parsed->header().xor_seed + 32 + 64, file.bytes.size());
  const auto scratch = std::make_unique<DecodeScratch>();
  const auto palette = parsed->load(0, *scratch, findings);
  ASSERT_TRUE(palette);
  EXPECT_EQ(palette->size(), 66'564U);
  EXPECT_EQ(as_text(palette->subspan(1024, 4)), "Ipol");
  const auto font = parsed->load(1, *scratch, findings);
  ASSERT_TRUE(font);
  EXPECT_EQ(font->size(), 20'532U);
  EXPECT_EQ(as_text(font->subspan(4116, 4)), "Texm");
}

TEST(ContainersCorpus, TexturesStartWithALargeUnindexedRegion) {
  for (const CorpusFile& file : make_containers_corpus(1)) {
    if (file.path == "Textures.lib") {
      EXPECT_GE(file.bytes.size(), 100'000U);
      EXPECT_TRUE(
          std::ranges::none_of(Bytes(file.bytes).subspan(16, 65'536), [](std::uint8_t byte) { return byte == 0; }));
      return;
    }
  }
  FAIL() << "no Textures.lib";
}

TEST(LoadCorpus, HasExactlyTheEntriesAskedFor) {
  for (const std::uint64_t entries : {0U, 1U, 7U, 250U, 4'000U}) {
    std::uint64_t counted = 0;
    std::uint64_t bytes = 0;
    make_load_corpus(3, entries, [&](const CorpusFile& file) {
      const Seen seen = walk_file(file, RuleSet::strict());
      EXPECT_TRUE(seen.deviations.empty()) << file.path;
      EXPECT_EQ(seen.entries, file.archive_entries);
      counted += seen.entries;
      bytes += file.bytes.size();
    });
    EXPECT_EQ(counted, entries);
    if (entries >= 1'000) {
      EXPECT_GT(bytes / entries, 600U);
      EXPECT_LT(bytes / entries, 1'500U);
    }
  }
}

TEST(LoadCorpus, IsTheSameForOneSeed) {
  std::vector<CorpusFile> first;
  make_load_corpus(4, 500, [&](const CorpusFile& file) { first.push_back(file); });
  std::size_t index = 0;
  make_load_corpus(4, 500, [&](const CorpusFile& file) {
    ASSERT_LT(index, first.size());
    EXPECT_EQ(first[index].path, file.path);
    EXPECT_EQ(first[index].bytes, file.bytes);
    ++index;
  });
  EXPECT_EQ(index, first.size());
}

TEST(SizedCorpus, HasTheEntriesAndAboutTheSizeAskedFor) {
  for (const std::uint64_t size_bytes : {4'000'000U, 20'000'000U}) {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
    std::uint64_t packed_bytes = 0;
    make_mixed_corpus(1, 900, size_bytes, [&](const CorpusFile& file) {
      const Seen seen = walk_file(file, RuleSet::compatible());
      EXPECT_TRUE(seen.deviations.empty() || file.path.ends_with(".rlb")) << file.path;
      entries += file.archive_entries;
      bytes += file.bytes.size();
      packed_bytes += file.path.ends_with(".lib") ? file.bytes.size() : 0;
    });
    EXPECT_EQ(entries, 900U);
    EXPECT_GT(bytes, size_bytes * 85 / 100);
    EXPECT_LT(bytes, size_bytes * 115 / 100);
    EXPECT_GT(packed_bytes, bytes * 3 / 100);
    EXPECT_LT(packed_bytes, bytes * 20 / 100);
  }
}

TEST(SizedCorpus, IsTheSameForOneSeedAndLeavesTheOneWithoutASizeAlone) {
  const auto make = [](std::optional<std::uint64_t> size_bytes) {
    std::vector<CorpusFile> files;
    make_mixed_corpus(5, 200, size_bytes, [&](const CorpusFile& file) { files.push_back(file); });
    return files;
  };
  const auto first = make(2'000'000);
  const auto again = make(2'000'000);
  ASSERT_EQ(first.size(), again.size());
  for (std::size_t index = 0; index < first.size(); ++index) {
    EXPECT_EQ(first[index].bytes, again[index].bytes) << first[index].path;
  }
  for (const CorpusFile& file : make({})) {
    EXPECT_TRUE(file.path.ends_with(".rlb")) << file.path;
  }
}

TEST(GameCorpus, IsTheSameForOneSeedAndHoldsTheEntriesItSays) {
  const auto first = make_game_corpus(3);
  const auto again = make_game_corpus(3);
  ASSERT_EQ(first.size(), again.size());
  for (std::size_t index = 0; index < first.size(); ++index) {
    EXPECT_EQ(first[index].bytes, again[index].bytes) << first[index].path;
    EXPECT_EQ(walk_file(first[index], RuleSet::strict()).entries, first[index].archive_entries) << first[index].path;
  }
}

class CorpusFolder : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Named by test and process, because tests run beside each other.
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      ("assay_corpus_" + std::to_string(getpid()) + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(CorpusFolder, HoldsWhatTheSummarySays) {
  for (const auto profile : {CorpusProfile::kContainers, CorpusProfile::kResources, CorpusProfile::kGame}) {
    std::filesystem::remove_all(folder_);
    const CorpusSummary summary = write_corpus({.folder = folder_, .profile = profile});
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder_)) {
      files += file.is_regular_file() ? 1U : 0U;
      bytes += file.is_regular_file() ? file.file_size() : 0U;
    }
    EXPECT_EQ(files, summary.files);
    EXPECT_EQ(bytes, summary.bytes);
  }
}

TEST_F(CorpusFolder, IsRefusedWhenNotEmptyUnlessTold) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "mine.txt") << "keep";
  CorpusOptions options{.folder = folder_, .entries = 5};
  try {
    write_corpus(options);
    FAIL() << "wrote into a folder with something in it";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(folder_.string()), std::string::npos) << error.what();
  }
  options.overwrite = true;
  EXPECT_EQ(write_corpus(options).archive_entries, 5U);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "mine.txt"));
}

// Two files of one path, in whatever case, would be one on the disk.
TEST(Corpora, HaveNoTwoFilesOfOnePath) {
  for (const auto& files : {make_containers_corpus(1), make_resources_corpus(1), make_game_corpus(1)}) {
    std::set<std::string> paths;
    for (const CorpusFile& file : files) {
      std::string path = file.path;
      std::ranges::transform(path, path.begin(), [](char letter) { return static_cast<char>(std::tolower(letter)); });
      EXPECT_TRUE(paths.insert(path).second) << path;
    }
  }
}

TEST(ResourcesCorpus, HoldsTheSameForEachSeedInAnotherOrder) {
  const auto first = make_resources_corpus(1);
  const auto again = make_resources_corpus(1);
  const auto other = make_resources_corpus(2);
  ASSERT_EQ(first.size(), other.size());
  std::size_t different = 0;
  for (std::size_t index = 0; index < first.size(); ++index) {
    EXPECT_EQ(first[index].path, other[index].path);
    EXPECT_EQ(first[index].bytes, again[index].bytes);
    EXPECT_EQ(first[index].archive_entries, other[index].archive_entries);
    different += first[index].bytes == other[index].bytes ? 0U : 1U;
  }
  EXPECT_GT(different, 0U);
}

TEST_F(CorpusFolder, IsRefusedWhenItIsAFile) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "file") << "x";
  EXPECT_THROW(write_corpus({.folder = folder_ / "file"}), std::runtime_error);
}

}  // namespace
}  // namespace assay::synth
