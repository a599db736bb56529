#include <array>
#include <string>

#include "tools/cli_database_test_support.h"

// Runs of shards, and merge, which makes a whole run of them.
namespace assay::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class CliMerge : public CliDatabaseTest {
 protected:
  Outcome scan(const std::string& corpus, const std::string& database, const std::string& shard = "0/1",
               const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"scan", corpus, "--db", database, "--shard", shard};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  // Shard i of three in the database named i.
  void scan_shards(const std::string& corpus) {
    for (const std::string index : {"0", "1", "2"}) {
      scan(corpus, index, index + "/3");
    }
  }

  Outcome merge(const std::vector<std::string>& databases, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"merge", "--db", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.insert(arguments.end(), databases.begin(), databases.end());
    return run(arguments);
  }

  void expect_refused(const std::vector<std::string>& databases, const std::string& says) {
    const Outcome refused = merge(databases);
    EXPECT_EQ(refused.status, 2) << says;
    EXPECT_EQ(refused.out, "") << says;
    EXPECT_THAT(refused.err, StartsWith("assay: " + says));
    EXPECT_FALSE(fs::exists(at("out"))) << says;
  }
};

TEST_F(CliMerge, AMergedRunIsTheSameAsAScanOfTheWhole) {
  for (const char* profile : {"containers", "resources", "game"}) {
    EXPECT_EQ(run({"synth", profile, "-o", profile}).status, 0);
    fs::remove(at("out"));
    const Outcome whole = scan(profile, "out", "0/1", {"--label", "all"});
    scan_shards(profile);
    const std::array before{read("0"), read("1"), read("2")};
    const Outcome merged = merge({"2", "0", "1"}, {"--label", "all", "--json"});
    EXPECT_EQ(merged.status, whole.status) << merged.err;
    EXPECT_EQ((std::array{read("0"), read("1"), read("2")}), before) << "what is merged stays as it was";
    EXPECT_EQ(query("out", "select count(*) from v_item where run_id = 2").front(),
              json_lines(merged.out).front()["items"].dump());
    for (const auto& [view, columns] : kRunViews) {
      const auto rows = [&](int run_id) { return rows_of_run("out", run_id, view, columns); };
      EXPECT_EQ(rows(1), rows(2)) << profile << " " << view;
      EXPECT_FALSE(view == "v_item" && rows(2).empty()) << profile;
    }
    for (const std::vector<std::string>& runs :
         {std::vector<std::string>{"1", "2"}, {"all", "1"}, {"previous", "latest"}}) {
      const Outcome diff = run({"diff", runs[0], runs[1], "--db", "out"});
      EXPECT_EQ(diff.status, 0) << profile;
      EXPECT_THAT(diff.out, HasSubstr("no differences")) << profile;
    }
  }
}

TEST_F(CliMerge, PassesTheManifestOfTheWhole) {
  make_corpus("c");
  scan("c", "whole");
  EXPECT_EQ(run({"golden", "new", "m", "--db", "whole"}).status, 0);
  scan_shards("c");
  EXPECT_EQ(merge({"0", "1", "2"}).status, 0);
  const Outcome check = run({"golden", "check", "m", "--db", "out"});
  EXPECT_EQ(check.status, 0) << check.out;
  EXPECT_EQ(run({"golden", "new", "m2", "--db", "out"}).status, 0);
  EXPECT_EQ(read("m2"), read("m"));
  write("c/sprites.lib", "other");
  scan("c", "0", "0/3");
  scan("c", "1", "1/3");
  scan("c", "2", "2/3");
  merge({"0", "1", "2"});
  EXPECT_EQ(run({"golden", "check", "m", "--db", "out"}).status, 1) << "and only that one";
}

TEST_F(CliMerge, SaysWhatWasMerged) {
  write("c/a.lib", nres_archive({{"x", bytes_of("1")}}));
  write("c/b.wea", "one\n");
  scan("c", "0", "0/2");
  EXPECT_EQ(scan("c", "1", "1/2").status, 1);
  const Outcome merged = merge({"0", "1"});
  EXPECT_EQ(merged.status, 1) << "something fails, as with a scan";
  EXPECT_EQ(merged.err, "");
  const std::string corpus = fs::canonical(at("c")).string();
  EXPECT_EQ(merged.out,
            "run 1  "
            "3 items: 1 ok, 0 quirk, 1 fail, 1 unknown; " +
                std::to_string(fs::file_size(at("c/a.lib")) + 4) + " bytes\nmerged 2 files of " + corpus +
                " from 2 shards\n");
  const auto summary = json_lines(merge({"0", "1"}, {"--json"}).out).front();
  EXPECT_THAT(keys_of(summary), ElementsAre("run", "corpus", "profile", "shards", "files", "items", "ok", "quirk",
                                            "fail", "unknown", "bytes"));
  EXPECT_EQ(summary["run"], 2);
  EXPECT_EQ(summary["corpus"], corpus);
  EXPECT_EQ(summary["shards"], 2);
  EXPECT_EQ(summary["files"], 2);
  EXPECT_EQ(summary["fail"], 1);
}

TEST_F(CliMerge, EachMachineMayHaveTheFolderElsewhere) {
  make_corpus("one/IS");
  fs::create_directory(at("two"));
  fs::copy(at("one/IS"), at("two/IS"), fs::copy_options::recursive);
  scan("two/IS", "0", "0/2");
  scan("one/IS", "1", "1/2");
  scan("one/IS", "whole");
  EXPECT_EQ(merge({"0", "1"}).status, 0);
  EXPECT_THAT(query("out", "select corpus from v_run"), ElementsAre(fs::canonical(at("two/IS")).string()))
      << "that of shard 0";
  const std::string items = "select path, entry, sha256, verdict from v_item order by path, entry";
  EXPECT_EQ(query("out", items), query("whole", items));
}

TEST_F(CliMerge, AScanReusesWhatWasMerged) {
  make_corpus("c");
  scan_shards("c");
  EXPECT_EQ(merge({"0", "1", "2"}).status, 0);
  const auto summary = json_lines(scan("c", "out", "0/1", {"--json"}).out).front();
  EXPECT_EQ(summary["reused_items"], summary["items"]);
  EXPECT_GT(summary["reused_items"], 0);
}

TEST_F(CliMerge, RefusesWhatMakesNoWholeAndLeavesNothingBehind) {
  make_corpus("c");
  scan_shards("c");
  scan("c", "whole");
  scan("c", "strict", "2/3", {"--profile", "strict"});
  scan("c", "rule", "2/3", {"--no-rule", "deflate_eof_plus_one"});
  scan("c", "overlay", "2/3", {"--overlay", "off"});
  scan("c", "half", "1/2");
  make_corpus("d");
  scan("d", "other", "2/3");
  expect_refused({"0", "1"}, "shard 2/3 is missing");
  expect_refused({"0", "1", "2", "1"}, "1: run 1 is of shard 1/3, and so is run 1 in 1; give each shard once");
  expect_refused({"0", "whole"}, "whole: holds no run of a shard");
  expect_refused({"0", "1", "strict"}, "strict: the profile of run 1 is 'strict', that of run 1 in 0 is 'compatible'");
  expect_refused({"0", "1", "rule"}, "rule: the list of rules of run 1 is '");
  expect_refused({"0", "1", "overlay"}, "overlay: run 1 was not made by the same build with the same options");
  expect_refused({"0", "half"}, "half: the number of shards of run 1 is '2', that of run 1 in 0 is '3'");
  expect_refused({"0", "1", "other"},
                 "other: the name of the corpus folder of run 1 is 'd', that of run 1 in 0 is 'c'");
  expect_refused({"0", "none"}, "none: does not exist");
  write("text", std::string(5000, 'x'));
  expect_refused({"text", "0"}, "text: is not a SQLite database");
  EXPECT_EQ(merge({"0", "1", "overlay"}, {"--any-build"}).status, 0);
}

TEST_F(CliMerge, RefusesShardsOfOtherFilesAndNamesOne) {
  write("c/a.wea", "1\n0 A\n");
  write("c/b.wea", "1\n0 B\n");
  write("c/c.wea", "1\n0 C\n");
  scan("c", "0", "0/2");
  fs::rename(at("c/c.wea"), at("c/0.wea"));
  scan("c", "1", "1/2");
  expect_refused({"0", "1"}, "1: a.wea is in shard 1/2 and, in 0, in shard 0/2");
  write("c/c.wea", "1\n0 C\n");
  scan("c", "1", "1/2");
  expect_refused({"0", "1"}, "1: the number of files in the corpus of run 2 is '4', that of run 1 in 0 is '3'");
}

TEST_F(CliMerge, RefusesDamageAndTheDatabaseThatItWritesInto) {
  make_corpus("c");
  scan_shards("c");
  change("1", "update run set finished_at = null");
  expect_refused({"0", "1", "2"}, "1: run 1 of shard 1/3 is incomplete");
  change("1", "update run set finished_at = started_at");
  change("1", "update item set verdict = 0, format = 'tex' where verdict = 3");
  expect_refused({"0", "1", "2"}, "1: is damaged (");
  fs::remove(at("1"));
  scan("c", "1", "1/3");
  const Outcome same = run({"merge", "--db", "./1", "0", "1", "2"});
  EXPECT_EQ(same.status, 2);
  EXPECT_THAT(same.err, StartsWith("assay: ./1: is one of the databases to merge"));
  EXPECT_THAT(query("1", "select count(*) from v_run"), ElementsAre("1"));
  const Outcome beside = run({"merge", "--db", "1-wal", "0", "1", "2"});
  EXPECT_EQ(beside.status, 2);
  EXPECT_THAT(beside.err, StartsWith("assay: 1-wal: is one of the databases to merge"));
  EXPECT_EQ(merge({"0", "1", "2"}).status, 0);
}

TEST_F(CliMerge, AFullDiskLeavesNoCompleteRun) {
  run({"synth", "game", "-o", "c"});
  scan_shards("c");
  const Outcome full = run({"merge", "--db", "out", "0", "1", "2"}, {.file_size_limit = 150'000});
  EXPECT_EQ(full.status, 2);
  EXPECT_THAT(full.err, StartsWith("assay: out: cannot "));
  EXPECT_THAT(query("out", "select count(*) from v_run where finished_at is not null"), ElementsAre("0"));
  EXPECT_EQ(merge({"0", "1", "2"}).status, 0) << "and with room again it works";
}

class CliShard : public CliMerge {
 protected:
  void SetUp() override {
    make_corpus("c");
    scan("c", "db", "0/2");
    scan("c", "db", "1/2");
    scan("c", "db");
    scan("c", "db", "1/2");
  }
};

TEST_F(CliShard, IsToldByRuns) {
  const Outcome text = run({"runs", "db"});
  const std::string corpus = fs::canonical(at("c")).string();
  EXPECT_THAT(text.out, HasSubstr(corpus + "  shard 0/2  "));
  EXPECT_THAT(text.out, HasSubstr(corpus + "  shard 1/2  "));
  EXPECT_THAT(text.out, Not(HasSubstr("shard 0/1")));
  std::vector<std::string> shards;
  for (const OrderedJson& line : json_lines(run({"runs", "db", "--json"}).out)) {
    shards.push_back(line["shard"].dump());
  }
  EXPECT_THAT(shards, ElementsAre("\"0/2\"", "\"1/2\"", "null", "\"1/2\""));
}

TEST_F(CliShard, IsComparedWithTheSameShardOnly) {
  const Outcome previous = run({"diff", "previous", "latest", "--db", "db"});
  EXPECT_EQ(previous.status, 0);
  EXPECT_THAT(previous.out, StartsWith("run 2 -> run 4: no differences"));
  const struct {
    const char* before;
    const char* after;
    const char* says;
  } kCases[] = {{"1", "2", "run 1 is of shard 0/2, run 2 is of shard 1/2"},
                {"1", "3", "run 1 is of shard 0/2, run 3 is whole"},
                {"3", "4", "run 3 is whole, run 4 is of shard 1/2"}};
  for (const auto& [before, after, says] : kCases) {
    const Outcome refused = run({"diff", before, after, "--db", "db"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.out, "");
    EXPECT_EQ(refused.err, std::string("assay: db: ") + says +
                               "; compare runs of the same part, or make whole ones with `assay merge`\n");
  }
}

TEST_F(CliShard, IsNothingForAManifest) {
  EXPECT_EQ(run({"golden", "new", "m", "--db", "db", "--run", "3"}).status, 0);
  const Buffer before = read("m");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"golden", "check", "m"},
                                             {"golden", "accept", "m", "--reason", "r"},
                                             {"golden", "accept", "m", "--path", "*.lib"},
                                             {"golden", "new", "fresh"}}) {
    for (const auto& [selector, says] :
         {std::pair("latest", "run 4 is of shard 1/2"), {"1", "run 1 is of shard 0/2"}}) {
      std::vector<std::string> all = arguments;
      all.insert(all.end(), {"--db", "db", "--run", selector});
      const Outcome refused = run(all);
      EXPECT_EQ(refused.status, 2) << arguments[1];
      EXPECT_EQ(refused.out, "") << arguments[1];
      EXPECT_EQ(refused.err, std::string("assay: db: ") + says +
                                 ", a manifest is of a whole corpus; put all shards together with `assay merge` and "
                                 "use that run\n");
    }
  }
  EXPECT_EQ(read("m"), before);
  EXPECT_FALSE(fs::exists(at("fresh")));
  EXPECT_EQ(run({"golden", "check", "m", "--db", "db", "--run", "3"}).status, 0);
}

TEST_F(CliShard, ReusesWhatAnyOtherRunHas) {
  const auto summary = json_lines(scan("c", "db", "2/3", {"--json"}).out).front();
  EXPECT_EQ(summary["reused_items"], summary["items"]) << "a file's result does not depend on the shard that it is in";
}

}  // namespace
}  // namespace assay::tools
