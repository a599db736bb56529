#include "parsers/resource/archives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsers/formats/unit_dat/unit_dat.h"
#include "parsers/resource/resource_test_support.h"
#include "synth/memory_store.h"
#include "synth/rsli_builder.h"

namespace assay::resource {
namespace {

Buffer rsli_of(const std::vector<std::string>& names) {
  synth::RsliLayout layout;
  for (const std::string& name : names) {
    layout.items.push_back(synth::make_rsli_item(name, rsli::Method::kLzss, as_bytes("decoded text of " + name)));
  }
  return synth::build_rsli(layout);
}

class ArchivesTest : public ::testing::Test {
 protected:
  synth::MemoryStore store_;
  FileTree tree_{{&store_}};
  Archives archives_{tree_, {}};

  ArchiveHandle open(const std::string& path) {
    auto archive = archives_.open(path_of(path));
    EXPECT_TRUE(archive) << path << ": " << archive.error().message();
    return archive ? *archive : nullptr;
  }
};

TEST_F(ArchivesTest, SharesAHandleByTheNormalisedPath) {
  store_.put("Data/A.rlb", nres_of({{"x", bytes_of("1")}}));
  const ArchiveHandle first = open("Data\\A.rlb");
  EXPECT_EQ(open("DATA/a.RLB"), first);
  EXPECT_EQ(store_.reads(), 1U);
  EXPECT_EQ(archives_.owner_count(path_of("data/a.rlb")), 1U);
  const ArchiveHandle second = first;
  EXPECT_EQ(archives_.owner_count(path_of("data/a.rlb")), 2U);
  EXPECT_EQ(archives_.owner_count(path_of("data/b.rlb")), 0U);
}

TEST_F(ArchivesTest, AHandleThatSomebodyHoldsIsSharedAfterItWasDropped) {
  store_.put("a.rlb", nres_of({{"x", bytes_of("1")}}));
  const ArchiveHandle held = open("a.rlb");
  archives_.drop(path_of("A.rlb"));
  EXPECT_EQ(open("a.rlb"), held);
  EXPECT_EQ(store_.reads(), 1U);
}

TEST_F(ArchivesTest, DroppingAnArchiveLeavesWhatIsHeld) {
  store_.put("a.rlb", nres_of({{"x", bytes_of("stored payload")}}));
  store_.put("b.lib", rsli_of({"Y"}));
  const Payload stored = *archives_.load(open("a.rlb"), 0);
  const Payload decoded = *archives_.load(open("b.lib"), 0);
  archives_.drop(path_of("a.rlb"));
  archives_.drop(path_of("b.lib"));
  store_.remove("a.rlb");
  store_.remove("b.lib");
  EXPECT_EQ(archives_.open(path_of("a.rlb")).error().code, Code::kMissingFile);
  EXPECT_EQ(as_text(stored.bytes()), "stored payload");
  EXPECT_EQ(as_text(decoded.bytes()), "decoded text of Y");
}

TEST_F(ArchivesTest, StoredPayloadsAreViewsAndDecodedOnesAreCached) {
  store_.put("a.rlb", nres_of({{"x", bytes_of("stored payload")}}));
  store_.put("b.lib", rsli_of({"Y"}));
  const ArchiveHandle plain = open("a.rlb");
  const Payload stored = *archives_.load(plain, 0);
  EXPECT_GE(stored.bytes().data(), plain->bytes().data());
  EXPECT_LT(stored.bytes().data(), plain->bytes().data() + plain->bytes().size());
  EXPECT_EQ(stored.origin.base_offset, static_cast<std::uint64_t>(stored.bytes().data() - plain->bytes().data()));
  EXPECT_FALSE(stored.origin.is_decoded);
  EXPECT_EQ(archives_.payload_counters(), CacheCounters{});
  const ArchiveHandle packed = open("b.lib");
  const Payload first = *archives_.load(packed, 0);
  const Payload second = *archives_.load(packed, 0);
  EXPECT_EQ(first.bytes().data(), second.bytes().data());
  EXPECT_EQ(archives_.payload_counters(), (CacheCounters{.hits = 1, .misses = 1}));
  EXPECT_TRUE(second.origin.is_decoded);
  EXPECT_EQ(second.origin.base_offset, 64U) << "behind the header and the row";
}

TEST_F(ArchivesTest, AReplacedFileIsOpenedAnewAndTheOldOneLivesOn) {
  store_.put("a.rlb", nres_of({{"x", bytes_of("old")}}));
  const ArchiveHandle old = open("a.rlb");
  store_.put("a.rlb", nres_of({{"x", bytes_of("new")}}));
  const ArchiveHandle fresh = open("a.rlb");
  EXPECT_NE(fresh, old);
  EXPECT_EQ(archives_.replaced_count(), 1U);
  EXPECT_EQ(as_text(archives_.load(old, 0)->bytes()), "old");
  EXPECT_EQ(as_text(archives_.load(fresh, 0)->bytes()), "new");
}

TEST_F(ArchivesTest, EveryWordOfAFingerprintTellsVersionsApart) {
  const Fingerprint before{7, 8, 9};
  for (std::size_t word = 0; word < before.size(); ++word) {
    const std::string name = std::to_string(word) + ".lib";
    store_.put(name, rsli_of({"OLD"}), before);
    const ArchiveHandle old = open(name);
    Fingerprint after = before;
    ++after.at(word);
    store_.put(name, rsli_of({"NEW"}), after);
    const ArchiveHandle fresh = open(name);
    EXPECT_NE(fresh, old) << word;
    // The old one is still held, so both are asked for their payload in turn.
    for (int round = 0; round < 2; ++round) {
      EXPECT_EQ(as_text(archives_.load(old, 0)->bytes()), "decoded text of OLD") << word;
      EXPECT_EQ(as_text(archives_.load(fresh, 0)->bytes()), "decoded text of NEW") << word;
    }
  }
}

TEST_F(ArchivesTest, EveryEntryHasAPayloadOfItsOwn) {
  store_.put("a.lib", rsli_of({"A", "B", "C", "D"}));
  const ArchiveHandle archive = open("a.lib");
  for (int round = 0; round < 2; ++round) {
    for (std::size_t index = 0; index < 4; ++index) {
      const std::string name(1, static_cast<char>('A' + index));
      EXPECT_EQ(as_text(archives_.load(archive, index)->bytes()), "decoded text of " + name);
    }
  }
}

TEST_F(ArchivesTest, TheCachesAreBoundedOneByOne) {
  const ArchiveCacheLimits limits{.archives = {.count = 1, .bytes = 1'000'000},
                                  .directories = {.count = 3, .bytes = 1'000'000},
                                  .payloads = {.count = 9, .bytes = 40}};
  Archives archives(tree_, {}, limits);
  for (const std::string name : {"a.lib", "b.lib", "c.lib"}) {
    store_.put(name, rsli_of({"ONE", "TWO", "THREE"}));
    const ArchiveHandle archive = *archives.open(path_of(name));
    for (std::size_t index = 0; index < 3; ++index) {
      ASSERT_TRUE(archives.load(archive, index));
    }
  }
  EXPECT_EQ(archives.archive_counters().evictions, 2U);
  EXPECT_EQ(archives.directory_counters().evictions, 0U);
  // Each payload has 19 or 21 bytes, so two fit at a time.
  EXPECT_EQ(archives.payload_counters().evictions, 7U);
  ASSERT_TRUE(archives.open(path_of("a.lib")));
  EXPECT_EQ(store_.reads(), 3U);
}

TEST_F(ArchivesTest, ParsesAnObjectOnceForEachVersionOfItsFile) {
  store_.put("u.dat", {0xF1, 0xF0, 0, 0, 1, 0, 0, 0});
  const auto parse = [&] {
    return *archives_.parse<unit_dat::UnitDat>(*archives_.load_file(path_of("u.dat")), "unit_dat");
  };
  const auto first = parse();
  EXPECT_EQ(parse(), first);
  EXPECT_EQ(archives_.object_counters(), (CacheCounters{.hits = 1, .misses = 1}));
  store_.put("u.dat", {0xF1, 0xF0, 0, 0, 2, 0, 0, 0});
  EXPECT_EQ(parse()->value.header().type_word, 2U);
  EXPECT_EQ(first->value.header().type_word, 1U);
}

TEST_F(ArchivesTest, SaysWhyAnArchiveCannotBeOpened) {
  store_.put("text", bytes_of("no archive at all"));
  store_.put("short.rlb", bytes_of("NRes"));
  store_.put("A", {});
  store_.put("a", {});
  EXPECT_EQ(archives_.open(path_of("none")).error().code, Code::kMissingFile);
  EXPECT_EQ(archives_.open(path_of("text")).error().code, Code::kNotAContainer);
  EXPECT_EQ(archives_.open(path_of("short.rlb")).error().code, Code::kInputTooShort);
  EXPECT_EQ(archives_.open(path_of("A")).error().code, Code::kAmbiguousPath);
}

TEST(LruCacheTest, TheLeastRecentlyUsedGoesFirst) {
  LruCache<std::shared_ptr<int>> cache({.count = 2, .bytes = 100});
  cache.put("a", std::make_shared<int>(1), 1);
  cache.put("b", std::make_shared<int>(2), 1);
  EXPECT_NE(cache.get("a"), nullptr);
  cache.put("c", std::make_shared<int>(3), 1);
  EXPECT_TRUE(cache.holds("a"));
  EXPECT_FALSE(cache.holds("b"));
  cache.put("d", std::make_shared<int>(4), 1000);
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_EQ(cache.bytes(), 1000U);
  cache.put("d", std::make_shared<int>(5), 5);
  EXPECT_EQ(cache.bytes(), 5U);
  EXPECT_EQ(cache.counters(), (CacheCounters{.hits = 1, .misses = 0, .evictions = 3}));
}

TEST(LruCacheTest, ErasesByPrefix) {
  LruCache<std::shared_ptr<int>> cache({.count = 9, .bytes = 100});
  for (const char* key : {"a", "ab1", "ab2", "ac"}) {
    cache.put(key, std::make_shared<int>(1), 10);
  }
  cache.erase_prefix("ab");
  EXPECT_EQ(cache.size(), 2U);
  EXPECT_EQ(cache.bytes(), 20U);
  EXPECT_TRUE(cache.holds("ac"));
}

}  // namespace
}  // namespace assay::resource
