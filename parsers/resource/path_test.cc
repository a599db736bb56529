#include "parsers/resource/path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synth/memory_store.h"

namespace assay::resource {
namespace {

using ::testing::ElementsAre;
using std::string_literals::operator""s;

LegacyPath path_of(const std::string& text) {
  return *LegacyPath::parse(as_bytes(text));
}

TEST(LegacyPath, KeepsItsBytesAndTakesBothSeparators) {
  const LegacyPath path = path_of("UNITS\\Units/HERO\\\xC4.dat");
  EXPECT_EQ(path.raw(), "UNITS\\Units/HERO\\\xC4.dat");
  EXPECT_THAT(path.segments(), ElementsAre("UNITS", "Units", "HERO", "\xC4.dat"));
  EXPECT_EQ(path.key(), "units/units/hero/\xC4.dat");
  EXPECT_EQ(path_of("units/UNITS/hero/\xC4.DAT").key(), path.key());
}

TEST(LegacyPath, RefusesWhatMayLeadElsewhere) {
  struct Case {
    std::string name;
    std::string text;
    const char* why;
  };
  for (const Case& refused : {
           Case{"empty", "", "no path at all"},
           Case{"NUL", "a\0b"s, "a NUL"},
           Case{"drive", "C:\\a", "a colon"},
           Case{"stream", "a/b:c", "a colon"},
           Case{"absolute", "/a", "an absolute path"},
           Case{"absolute, the other separator", "\\a", "an absolute path"},
           Case{"upwards", "a/../b", "a part that leads elsewhere"},
           Case{"upwards at the end", "a\\..", "a part that leads elsewhere"},
           Case{"here", "./a", "a part that leads elsewhere"},
           Case{"empty part", "a//b", "an empty part"},
           Case{"empty part at the end", "a\\", "an empty part"},
       }) {
    const auto path = LegacyPath::parse(as_bytes(refused.text));
    ASSERT_FALSE(path) << refused.name;
    EXPECT_EQ(path.error().code, Code::kInvalidPath) << refused.name;
    EXPECT_EQ(path.error().field.to_text(), "path") << refused.name;
    EXPECT_STREQ(path.error().got.text, refused.why) << refused.name;
  }
}

TEST(LegacyPath, MayHoldDotsInNames) {
  EXPECT_TRUE(LegacyPath::parse(as_bytes("a..b/...c/d.")));
}

TEST(FileTree, FindsWithoutCaseAndGivesTheStoresSpelling) {
  synth::MemoryStore store;
  store.put("Data/Maps/Land.msh", {1});
  const FileTree tree({&store});
  EXPECT_EQ(tree.find(path_of("DATA\\MAPS\\land.MSH")), (FilePlace{0, "Data/Maps/Land.msh"}));
  EXPECT_EQ(tree.find(path_of("DATA\\MAPS")).error().code, Code::kMissingFile);
  EXPECT_EQ(tree.find(path_of("Data/Maps/Land.msh/x")).error().code, Code::kMissingFile);
}

TEST(FileTree, TheFirstRootThatHasAFileWins) {
  synth::MemoryStore first;
  synth::MemoryStore second;
  first.put("only", {1});
  second.put("ONLY", {2});
  second.put("other", {3});
  const FileTree tree({&first, &second});
  EXPECT_EQ(tree.find(path_of("Only")), (FilePlace{0, "only"}));
  EXPECT_EQ(tree.find(path_of("Other")), (FilePlace{1, "other"}));
}

TEST(FileTree, RefusesToChooseBetweenTwoNames) {
  synth::MemoryStore first;
  synth::MemoryStore second;
  second.put("a/File", {1});
  second.put("a/FILE", {2});
  second.put("B/x", {3});
  second.put("b/y", {3});
  const FileTree tree({&first, &second});
  for (const std::string path : {"a/File", "a/file", "b/x"}) {
    const auto found = tree.find(path_of(path));
    ASSERT_FALSE(found) << path;
    EXPECT_EQ(found.error().code, Code::kAmbiguousPath) << path;
    EXPECT_EQ(found.error().field.to_text(), "path[1]") << path;
  }
}

TEST(FileTree, ListsWhatLiesBelowAFolderOfAllRoots) {
  synth::MemoryStore first;
  synth::MemoryStore second;
  first.put("Missions/B/DATA.TMA", {1});
  first.put("Other/data.tma", {1});
  second.put("MISSIONS/a/c/data.tma", {2});
  second.put("MISSIONS/b/data.tma", {3});
  second.put("MISSIONS/b/data.tmb", {3});
  second.put("MISSIONS/b/old_data.tma", {3});
  std::vector<std::string> found;
  for (const LegacyPath& path : FileTree({&first, &second}).files_below("missions", "data.tma")) {
    found.push_back(path.raw());
  }
  EXPECT_THAT(found, ElementsAre("MISSIONS/a/c/data.tma", "Missions/B/DATA.TMA"));
}

TEST(FilesBelow, SpellAPathTheSameInWhateverOrderItIsListed) {
  synth::MemoryStore store;
  for (const char* path :
       {"MISSIONS/b/data.tma", "MISSIONS/B/data.tma", "Missions/B/Data.tma", "missions/b/DATA.TMA"}) {
    store.put(path, {});
  }
  const FileTree tree({&store});
  const auto found = tree.files_below("missions", "data.tma");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].raw(), "MISSIONS/B/data.tma");
}

}  // namespace
}  // namespace assay::resource
