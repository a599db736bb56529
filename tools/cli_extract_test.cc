#include <sys/stat.h>

#include <string>

#include "tools/cli_test_support.h"
#include "tools/files.h"

// extract: nothing is ever written outside the folder, and nothing is lost inside.
namespace assay::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CliExtract : public CliTest {
 protected:
  // Everything below the test's folder, to see that nothing else appeared.
  [[nodiscard]] std::vector<std::string> tree() const {
    std::vector<std::string> paths;
    for (const auto& entry : fs::recursive_directory_iterator(folder())) {
      paths.push_back(entry.path().lexically_relative(folder()).string());
    }
    std::ranges::sort(paths);
    return paths;
  }
};

TEST_F(CliExtract, HostileNamesStayInside) {
  const struct {
    std::string_view name;
    const char* file;
  } kCases[] = {{"..\\x", "%2E.%5Cx"},    {"../x", "%2E.%2Fx"},
                {"C:x", "C%3Ax"},         {"\\x", "%5Cx"},
                {"/etc/x", "%2Fetc%2Fx"}, {".", "%2E"},
                {"..", "%2E%2E"},         {"", "unnamed"},
                {"CON", "%43ON"},         {"nul.txt", "%6Eul.txt"},
                {"Com1 .x", "%43om1 .x"}, {"CONIN$", "%43ONIN$"},
                {"a.", "a%2E"},           {"a ", "a%20"},
                {"\xE9", "%E9"},          {"a\nb", "a%0Ab"},
                {"%2F", "%252F"},         {"~", "~"},
                {"-rf", "-rf"},           {"console", "console"},
                {"a*b?", "a%2Ab%3F"},     {"<|>\"", "%3C%7C%3E%22"},
                {"\x7F", "%7F"},          {"AUX", "%41UX"},
                {"prn.x", "%70rn.x"},     {"LPT9", "%4CPT9"},
                {"COM0", "%43OM0"},       {"conout$", "%63onout$"},
                {"LPT", "LPT"},           {"com10", "com10"}};
  std::vector<NresMember> members;
  std::vector<std::string> expected;
  for (const auto& [name, file] : kCases) {
    members.push_back({name, bytes_of(file)});
    expected.emplace_back(file);
  }
  write("a.lib", nres_archive(members));
  const Outcome outcome = run({"extract", "a.lib", "-o", "deep/out"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::ranges::sort(expected);
  EXPECT_EQ(names_in("deep/out"), expected);
  for (const auto& [name, file] : kCases) {
    EXPECT_EQ(read_text(fs::path("deep/out") / file), file);
    EXPECT_THAT(outcome.out, HasSubstr(std::string(file) + "  "));
  }
  EXPECT_EQ(names_in(), (std::vector<std::string>{"a.lib", "deep"}));
  EXPECT_EQ(names_in("deep"), std::vector<std::string>{"out"});
}

TEST_F(CliExtract, LongNamesFitAFileSystem) {
  for (const std::size_t size : {254U, 255U, 256U, 4096U}) {
    for (const char byte : {'n', '/', '\xFF'}) {
      const std::string name(size, byte);
      const std::string safe = safe_name(as_bytes(name));
      EXPECT_LE(safe.size(), 255U - 24U) << "room for ~INDEX";
      EXPECT_EQ(safe.find('/'), std::string::npos);
    }
  }
}

TEST_F(CliExtract, EqualNamesGetNumbersAndNothingIsLost) {
  // The last three collide with the numbers that the others get.
  const std::vector<NresMember> members{{"Abc", bytes_of("0")},   {"aBC", bytes_of("1")},   {"Abc", bytes_of("2")},
                                        {"abc~1", bytes_of("3")}, {"ABC~2", bytes_of("4")}, {"abc~5", bytes_of("5")},
                                        {"abc", bytes_of("6")}};
  write("a.lib", nres_archive(members));
  EXPECT_EQ(run({"extract", "a.lib", "-o", "out"}).status, 0);
  EXPECT_THAT(names_in("out"), ElementsAre("ABC~2~4", "Abc", "Abc~2", "aBC~1", "abc~1~3", "abc~5", "abc~6"));
  std::string all;
  for (const std::string& name : names_in("out")) {
    all += read_text("out/" + name);
  }
  EXPECT_EQ(all, "4021356");
  EXPECT_EQ(run({"extract", "a.lib", "-o", "out", "--force"}).status, 0);
  EXPECT_EQ(names_in("out").size(), members.size())
      << "--force replaces what the run before wrote, not what this one did";
}

TEST_F(CliExtract, ExistingFilesAreRefusedBeforeAnythingIsWritten) {
  write("a.lib", nres_archive({{"one", bytes_of("1")}, {"two", bytes_of("2")}}));
  write("out/two", "mine");
  const Outcome refused = run({"extract", "a.lib", "-o", "out"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err, "assay: out/two: exists; --force replaces it\n");
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(names_in("out"), ElementsAre("two"));
  EXPECT_EQ(read_text("out/two"), "mine");
  const Outcome forced = run({"extract", "a.lib", "-o", "out", "--force"});
  EXPECT_EQ(forced.status, 0);
  EXPECT_EQ(forced.out, "one  1 byte\ntwo  1 byte\n");
  EXPECT_EQ(read_text("out/two"), "2");
}

TEST_F(CliExtract, LinksInsideTheFolderAreNotFollowed) {
  write("a.lib", nres_archive({{"link", bytes_of("1")}, {"dangling", bytes_of("2")}, {"folder", bytes_of("3")}}));
  write("outside/precious", "mine");
  fs::create_directory(at("out"));
  fs::create_symlink("../outside/precious", at("out/link"));
  fs::create_symlink("../outside/new", at("out/dangling"));
  fs::create_symlink("../outside", at("out/folder"));
  for (const char* entry : {"link", "dangling", "folder"}) {
    const Outcome refused = run({"extract", "a.lib", entry, "-o", "out"});
    EXPECT_EQ(refused.status, 2) << entry;
    EXPECT_EQ(refused.err, std::string("assay: out/") + entry + ": exists; --force replaces it\n");
  }
  EXPECT_EQ(run({"extract", "a.lib", "-o", "out", "--force"}).status, 0);
  for (const char* entry : {"link", "dangling", "folder"}) {
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(at("out") / entry))) << entry;
  }
  EXPECT_THAT(names_in("outside"), ElementsAre("precious"));
  EXPECT_EQ(read_text("outside/precious"), "mine");
}

TEST_F(CliExtract, TheTargetFolderIsMadeOrRefused) {
  write("a.lib", nres_archive({{"x", bytes_of("1")}}));
  EXPECT_EQ(run({"extract", "a.lib", "-o", "made/by/extract"}).status, 0);
  EXPECT_EQ(read_text("made/by/extract/x"), "1");
  EXPECT_EQ(run({"extract", "a.lib", "-o", "a.lib"}).err, "assay: a.lib: Not a directory\n");
  EXPECT_EQ(run({"extract", "a.lib", "-o", "a.lib/x"}).status, 2);
  fs::create_symlink("nowhere", at("dangling"));
  EXPECT_EQ(run({"extract", "a.lib", "-o", "dangling"}).status, 2);
  EXPECT_FALSE(fs::exists(at("nowhere")));
  fs::create_directories(at("out/x"));
  EXPECT_EQ(run({"extract", "a.lib", "-o", "out", "--force"}).status, 2) << "a folder is not a file to replace";
  fs::create_directory(at("closed"));
  make_read_only("closed");
  const Outcome closed = run({"extract", "a.lib", "-o", "closed"}, {.as_nobody = true});
  const Outcome below = run({"extract", "a.lib", "-o", "closed/new"}, {.as_nobody = true});
  EXPECT_EQ(below.status, 2);
  EXPECT_THAT(below.err, HasSubstr("closed/new: Permission denied"));
  EXPECT_EQ(closed.status, 2);
  EXPECT_EQ(closed.err, "assay: closed/x: Permission denied\n");
}

TEST_F(CliExtract, FilesAreReadableByAllWhereTheMaskLetsThem) {
  write("a.lib", nres_archive({{"x", bytes_of("1")}}));
  for (const mode_t mask : {mode_t{022}, mode_t{077}}) {
    const mode_t before = ::umask(mask);
    EXPECT_EQ(run({"extract", "a.lib", "-o", "out", "--force"}).status, 0);
    ::umask(before);
    EXPECT_EQ(fs::status(at("out/x")).permissions(), fs::perms{0644U & ~mask});
  }
}

TEST_F(CliExtract, ChoosesEntriesByNameIndexAndDepth) {
  write("a.lib", nres_archive({{"one", bytes_of("1")},
                               {"[two]", bytes_of("2")},
                               {"{}", bytes_of("3")},
                               {"in", nres_archive({{"deep", bytes_of("4")}})}}));
  const Outcome outcome = run({"extract", "a.lib", "[two]", "#0", "{}", "ONE", "-o", "out"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "[two]  1 byte\none  1 byte\n{}  1 byte\n") << "an entry named twice is written once";
  EXPECT_EQ(run({"extract", "a.lib::in", "-o", "nested"}).status, 0);
  EXPECT_EQ(read_text("nested/deep"), "4");
  const Outcome missing = run({"extract", "a.lib", "one", "none", "-o", "no"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_EQ(missing.err, "assay: a.lib: no entry 'none'; it has 4 entries, `assay ls` lists them\n");
  EXPECT_FALSE(fs::exists(at("no"))) << "nothing is made for a request that is refused";
}

TEST_F(CliExtract, DamagedEntriesAreNamedAndTheOthersWritten) {
  write("bad.rlb", rsli_archive({{"A", rsli::Method::kStored, bytes_of("a"), 1},
                                 {"B", rsli::Method::kDeflate, bytes_of("\xFF\xFF\xFF"), 10},
                                 {"C", rsli::Method::kStored, bytes_of("c"), 1}}));
  const Outcome outcome = run({"extract", "bad.rlb", "-o", "out"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("bad.rlb: entry B: invalid_stream at offset 0x81, field entry[1].payload: "));
  EXPECT_THAT(names_in("out"), ElementsAre("A", "C"));
}

TEST_F(CliExtract, AFullTargetLeavesNoHalfFile) {
  write("a.lib", nres_archive({{"small", bytes_of("1")}, {"large", Buffer(100'000)}}));
  const Outcome outcome = run({"extract", "a.lib", "-o", "out"}, {.file_size_limit = 50'000});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "assay: out/large: File too large\n");
  EXPECT_THAT(names_in("out"), ElementsAre("small"));
}

TEST_F(CliExtract, WhatIsReplacedStaysUntilTheNewFileIsWhole) {
  write("a.lib", nres_archive({{"large", Buffer(100'000)}}));
  write("out/large", "old");
  const Outcome refused = run({"extract", "a.lib", "-o", "out", "--force"}, {.file_size_limit = 50'000});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err, "assay: out/large: File too large\n");
  EXPECT_EQ(read_text("out/large"), "old");
  EXPECT_EQ(run({"extract", "a.lib", "-o", "out", "--force"}).status, 0);
  EXPECT_EQ(read("out/large"), Buffer(100'000));
  EXPECT_THAT(names_in("out"), ElementsAre("large"));
}

}  // namespace
}  // namespace assay::tools
