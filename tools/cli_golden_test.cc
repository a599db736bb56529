#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include "tools/cli_test_support.h"

// golden new, check and accept.
namespace assay::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CliGolden : public CliTest {
 protected:
  void SetUp() override {
    write("c/a.lib", archive());
    write("c/b.txt", "text");
  }

  static Buffer archive() { return nres_archive({{"x", bytes_of("1")}, {"y", bytes_of("2")}}); }

  Outcome scan(const std::string& label = "", const std::string& profile = "compatible") {
    return run({"scan", "c", "--db", "db", "--label", label, "--profile", profile});
  }
  Outcome golden(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "golden");
    arguments.insert(arguments.end(), {"m", "--db", "db"});
    return run(arguments);
  }
  void break_archive() {
    Buffer bytes = archive();
    bytes[0x0C] ^= 1;
    write("c/a.lib", bytes);
  }
};

TEST_F(CliGolden, NewWritesOnceAndCheckPasses) {
  EXPECT_EQ(scan().status, 0);
  const Outcome made = golden({"new"});
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.out, "m: 4 items of 2 files from run 1\n");
  expect_file("golden_new.jsonl", read_text("m"));
  const Outcome check = golden({"check"});
  EXPECT_EQ(check.status, 0);
  EXPECT_EQ(check.out, "check passed: 4 items as expected\n");
  const Buffer before = read("m");
  const Outcome again = golden({"new"});
  EXPECT_EQ(again.status, 2);
  EXPECT_EQ(again.err, "assay: m: exists; `assay golden accept` takes changes over\n");
  EXPECT_EQ(read("m"), before);
  EXPECT_EQ(run({"golden", "new", "--manifest", "m2", "--db", "db", "--json"}).status, 0) << "the long form";
  EXPECT_EQ(read("m2"), before);
  EXPECT_EQ(run({"golden", "new", "none/m", "--db", "db"}).status, 2);
  fs::create_symlink("nowhere", at("link"));
  EXPECT_EQ(run({"golden", "new", "link", "--db", "db"}).status, 2) << "a dangling link is something";
  EXPECT_EQ(names_in(), (std::vector<std::string>{"c", "db", "link", "m", "m2"}));
}

TEST_F(CliGolden, CheckFailsOnEachKindOfChange) {
  EXPECT_EQ(scan().status, 0);
  EXPECT_EQ(golden({"new"}).status, 0);
  const auto check_now = [&](const char* says) {
    scan();
    const Outcome check = golden({"check"});
    EXPECT_EQ(check.status, 1) << says;
    EXPECT_THAT(check.out, HasSubstr(says));
    EXPECT_EQ(check.err, "");
  };
  write("c/new.bin", "new");
  check_now("new.bin");
  fs::remove(at("c/new.bin"));
  write("c/b.txt", "TEXT");
  check_now("content changed");
  fs::remove(at("c/b.txt"));
  check_now("b.txt");
  write("c/b.txt", "text");
  break_archive();
  check_now("verdict changed: ok -> fail");
  write("c/a.lib", archive());
  scan();
  EXPECT_EQ(golden({"check"}).status, 0) << "everything is as it was";
  for (const OrderedJson& line : json_lines(golden({"check", "--json", "--run", "1"}).out)) {
    EXPECT_TRUE(line.is_object());
  }
}

TEST_F(CliGolden, ZeroItemsNeverPass) {
  EXPECT_EQ(scan().status, 0);
  EXPECT_EQ(golden({"new"}).status, 0);
  fs::remove_all(at("c"));
  fs::create_directory(at("c"));
  EXPECT_EQ(scan().status, 0);
  const Outcome check = golden({"check"});
  EXPECT_EQ(check.status, 1);
  EXPECT_THAT(check.out, HasSubstr("zero items"));
  const Outcome made = run({"golden", "new", "fresh", "--db", "db"});
  EXPECT_EQ(made.status, 2);
  EXPECT_EQ(made.err, "assay: db: run 2 holds zero items; a manifest of nothing would always fail\n");
  EXPECT_FALSE(fs::exists(at("fresh")));
  const Outcome accept = golden({"accept", "--reason", "gone"});
  EXPECT_EQ(accept.status, 2);
  EXPECT_THAT(accept.err, HasSubstr("m, run 2: the run holds zero items"));
}

TEST_F(CliGolden, AcceptTakesOverWithAReasonWhereNeeded) {
  EXPECT_EQ(scan().status, 0);
  EXPECT_EQ(golden({"new"}).status, 0);
  write("c/b.txt", "TEXT");
  scan();
  const Outcome harmless = golden({"accept"});
  EXPECT_EQ(harmless.status, 0) << harmless.err;
  EXPECT_THAT(harmless.out, HasSubstr("b.txt"));
  EXPECT_EQ(golden({"check"}).status, 0);
  break_archive();
  scan();
  const Buffer before = read("m");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"accept"}, {"accept", "--reason", "  "}}) {
    const Outcome refused = golden(arguments);
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, HasSubstr("assay: m, run 3: "));
    EXPECT_THAT(refused.err, HasSubstr("give a reason to accept it"));
    EXPECT_EQ(read("m"), before);
  }
  const Outcome accepted = golden({"accept", "--reason", "the disc has it so"});
  EXPECT_EQ(accepted.status, 0) << accepted.err;
  EXPECT_THAT(accepted.out, HasSubstr("a.lib"));
  EXPECT_THAT(read_text("m"), HasSubstr("the disc has it so"));
  EXPECT_EQ(golden({"check"}).status, 0) << "a failure that is expected is no surprise";
}

TEST_F(CliGolden, AcceptWritesWhereALinkLeadsAndKeepsPermissions) {
  EXPECT_EQ(scan().status, 0);
  EXPECT_EQ(run({"golden", "new", "real", "--db", "db"}).status, 0);
  fs::permissions(at("real"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real", at("m"));
  write("c/b.txt", "other text");
  EXPECT_EQ(scan().status, 0);
  EXPECT_EQ(golden({"check"}).status, 1);
  EXPECT_EQ(golden({"accept"}).status, 0);
  EXPECT_TRUE(fs::is_symlink(at("m")));
  EXPECT_EQ(fs::status(at("real")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(run({"golden", "check", "real", "--db", "db"}).status, 0);
  EXPECT_EQ(names_in(), (std::vector<std::string>{"c", "db", "m", "real"}));
}

TEST_F(CliGolden, AManifestThatIsAPipeIsRefusedAtOnce) {
  EXPECT_EQ(scan().status, 0);
  ASSERT_EQ(::mkfifo(at("m").c_str(), 0666), 0);
  const Outcome refused = golden({"check"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("m: cannot be opened"));
}

TEST_F(CliGolden, AcceptByPathLeavesTheRest) {
  EXPECT_EQ(scan().status, 0);
  EXPECT_EQ(golden({"new"}).status, 0);
  write("c/b.txt", "TEXT");
  write("c/n.bin", "new");
  scan();
  EXPECT_EQ(golden({"accept", "--path", "*.bin"}).status, 0);
  const Outcome check = golden({"check"});
  EXPECT_EQ(check.status, 1);
  EXPECT_THAT(check.out, HasSubstr("b.txt"));
  EXPECT_EQ(check.out.find("n.bin"), std::string::npos) << check.out;
  const Outcome nothing = golden({"accept", "--path", "*.none"});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.err, HasSubstr("*.none"));
}

TEST_F(CliGolden, ProfilesAreNotMixed) {
  EXPECT_EQ(scan().status, 0);
  EXPECT_EQ(golden({"new"}).status, 0);
  EXPECT_EQ(scan("", "strict").status, 0);
  const Outcome check = golden({"check"});
  EXPECT_EQ(check.status, 1);
  EXPECT_THAT(check.out, HasSubstr("the manifest is for profile compatible, the run used strict"));
  const Outcome accept = golden({"accept", "--reason", "x"});
  EXPECT_EQ(accept.status, 2);
  EXPECT_THAT(accept.err, HasSubstr("assay: m, run 2: the manifest is for profile compatible"));
}

TEST_F(CliGolden, NewSaysWhenItExpectsFailures) {
  break_archive();
  EXPECT_EQ(scan().status, 1);
  const Outcome made = golden({"new", "--json"});
  EXPECT_EQ(made.status, 0);
  EXPECT_EQ(made.err, "assay: note: the manifest now expects 1 item to fail\n");
  EXPECT_THAT(keys_of(json_lines(made.out).front()), ElementsAre("manifest", "run", "files", "items"));
}

TEST_F(CliGolden, DamagedManifestsAreRefusedWithTheLine) {
  EXPECT_EQ(scan().status, 0);
  EXPECT_EQ(golden({"new"}).status, 0);
  const std::string good = read_text("m");
  const std::size_t first_end = good.find('\n') + 1;
  const struct {
    std::string text;
    const char* says;
  } kCases[] = {{"", "m"},
                {"{", "m:1: not JSON"},
                {"[]\n", "m:1: "},
                {"{}\n", "m:1: "},
                {good.substr(0, first_end) + "garbage\n", "m:2: not JSON"},
                {good.substr(0, good.size() / 2), "m:"},
                {good.substr(0, good.rfind('\n', good.size() - 2) + 1), "the header counts 2 files and 4 items"},
                {good + good.substr(first_end), "m:"},
                {"{\"iron_assay_manifest\":99}\n", "m:1: version 99 of the manifest is newer; this program knows 1"}};
  for (const auto& [text, says] : kCases) {
    write("m", text);
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"check"}, {"accept", "--reason", "x"}}) {
      const Outcome outcome = golden(arguments);
      EXPECT_EQ(outcome.status, 2) << text;
      EXPECT_EQ(outcome.out, "") << text;
      EXPECT_THAT(outcome.err, HasSubstr(says)) << text;
      EXPECT_EQ(read_text("m"), text);
    }
  }
  EXPECT_EQ(names_in(), (std::vector<std::string>{"c", "db", "m"})) << "no temporary file stays";
}

// What ci/gate asks, with the tests: every format, verdict, finding, fact and hash of the corpus.
TEST_F(CliGolden, TheSyntheticCorpusIsWhatItsManifestSays) {
  const char* const source = std::getenv("ASSAY_SOURCE_DIR");
  ASSERT_NE(source, nullptr) << "ctest sets ASSAY_SOURCE_DIR";
  for (const char* profile : {"containers", "resources"}) {
    EXPECT_EQ(run({"synth", profile, "-o", "s", "--seed", "1", "--force"}).status, 0);
  }
  run({"scan", "s", "--db", "db"});
  const std::string manifest = (fs::path(source) / "golden" / "manifests" / "synthetic.jsonl").string();
  const Outcome check = run({"golden", "check", manifest, "--db", "db"});
  EXPECT_EQ(check.status, 0) << check.out << check.err;
}

TEST_F(CliGolden, LongListsAreCutUnlessAllIsWanted) {
  EXPECT_EQ(scan().status, 0);
  EXPECT_EQ(golden({"new"}).status, 0);
  const Buffer manifest = read("m");
  for (int number = 10; number < 40; ++number) {
    write("c/w" + std::to_string(number) + ".wea", "one\n0 STEEL\n");
  }
  EXPECT_EQ(scan().status, 1);
  for (std::vector<std::string> arguments :
       std::vector<std::vector<std::string>>{{"golden", "check", "m", "--db", "db"},
                                             {"golden", "accept", "m", "--db", "db", "--reason", "so be it"},
                                             {"diff", "previous", "latest", "--db", "db"}}) {
    const std::string verb = arguments[0] + " " + arguments[1];
    write("m", manifest);
    const std::string cut = run(arguments).out;
    EXPECT_THAT(cut, HasSubstr("w10.wea")) << verb;
    EXPECT_THAT(cut, testing::ContainsRegex("and [0-9]+ more\n")) << verb;
    EXPECT_EQ(cut.find("w39.wea"), std::string::npos) << verb;
    write("m", manifest);
    arguments.emplace_back("--all");
    const std::string all = run(arguments).out;
    EXPECT_THAT(all, HasSubstr("w39.wea")) << verb;
    EXPECT_EQ(all.find(" more\n"), std::string::npos) << verb;
  }
}

TEST_F(CliGolden, RunsAreChosenByNumberAndLabel) {
  EXPECT_EQ(scan("good").status, 0);
  EXPECT_EQ(golden({"new"}).status, 0);
  write("c/b.txt", "TEXT");
  EXPECT_EQ(scan("changed").status, 0);
  for (const char* good : {"1", "good", "previous"}) {
    EXPECT_EQ(golden({"check", "--run", good}).status, 0) << good;
  }
  for (const char* changed : {"2", "changed", "latest"}) {
    EXPECT_EQ(golden({"check", "--run", changed}).status, 1) << changed;
  }
  EXPECT_EQ(golden({"check", "--run", "none"}).status, 2);
}

}  // namespace
}  // namespace assay::tools
