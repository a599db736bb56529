#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "synth/corpus.h"
#include "tools/cli_database_test_support.h"

// scan, runs, diff: runs in a database, whatever happens to the process that writes them.
namespace assay::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CliScan : public CliDatabaseTest {
 protected:
  // Starts a long scan into a fresh database and sends `signal` once that view has a row. Tries again if the scan was
  // faster.
  Outcome scan_and_kill(const std::string& database, int signal, const std::string& view = "v_run") {
    constexpr std::uint64_t kEntries = 100'000;
    constexpr int kTries = 5;
    if (!fs::exists(at("load"))) {
      synth::write_corpus({.folder = at("load"), .entries = kEntries});
    }
    Outcome outcome;
    for (int tries = 0; tries < kTries; ++tries) {
      for (const char* ending : {"", "-wal", "-shm"}) {
        fs::remove(at(database + ending));
      }
      const pid_t child = start({"scan", "load", "--db", database, "--label", "cut", "--jobs", "1"});
      for (int waits = 0; waits < 10'000 && query(database, "select 1 from " + view + " limit 1").empty(); ++waits) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      ::kill(child, signal);
      outcome = finish(child);
      if (outcome.status != 0) {
        break;
      }
    }
    return outcome;
  }
};

TEST_F(CliScan, RecordsTheQuirkOfSpritesInEitherProfile) {
  make_corpus("c");
  EXPECT_EQ(run({"scan", "c", "--db", "db"}).status, 0);
  EXPECT_THAT(query("db", "select path, entry, rule, applied from v_quirk"),
              ElementsAre("sprites.lib|INTERF8.TEX|deflate_eof_plus_one|1"));
  EXPECT_EQ(run({"scan", "c", "--db", "db", "--profile", "strict"}).status, 1);
  EXPECT_THAT(query("db", "select path, entry, rule, applied from v_quirk where run_id = 2"),
              ElementsAre("sprites.lib|INTERF8.TEX|deflate_eof_plus_one|0"));
  EXPECT_THAT(query("db", "select path, entry, severity, rule from v_finding where run_id = 2 and severity = 'error'"),
              ElementsAre("sprites.lib|INTERF8.TEX|error|deflate_eof_plus_one"));
}

TEST_F(CliScan, ViewsHaveTheFixedColumns) {
  write("a.lib", nres_archive({{"x", bytes_of("1")}}));
  EXPECT_EQ(run({"scan", "a.lib", "--db", "db", "--label", "l"}).status, 0);
  const auto columns = [&](const std::string& view) {
    return query("db", "select name from pragma_table_info('" + view + "')");
  };
  EXPECT_THAT(columns("v_run"), ElementsAre("run_id", "label", "corpus", "profile", "started_at", "finished_at",
                                            "tool_version", "items", "ok", "quirk", "fail", "unknown"));
  EXPECT_THAT(columns("v_item"),
              ElementsAre("run_id", "path", "entry", "format", "size", "stored_sha256", "sha256", "verdict"));
  EXPECT_THAT(columns("v_quirk"), ElementsAre("run_id", "path", "entry", "rule", "offset", "applied"));
  EXPECT_THAT(columns("v_finding"),
              ElementsAre("run_id", "path", "entry", "code", "severity", "rule", "offset", "field", "message"));
  EXPECT_THAT(columns("v_fact"), ElementsAre("run_id", "path", "entry", "key", "value"));
  EXPECT_THAT(columns("v_metric"), ElementsAre("run_id", "name", "metric", "value", "unit"));
  EXPECT_THAT(query("db", "select entry, sha256, verdict from v_item where entry = 'x'"),
              ElementsAre("x|" + sha256_text(bytes_of("1")) + "|unknown"));
}

TEST_F(CliScan, SummaryAndRunsAgree) {
  make_corpus("c");
  const Outcome scan = run({"scan", "c", "--db", "db", "--label", "first", "--json"});
  EXPECT_EQ(scan.status, 0);
  const OrderedJson summary = json_lines(scan.out).front();
  EXPECT_THAT(keys_of(summary), ElementsAre("run", "corpus", "profile", "items", "ok", "quirk", "fail", "unknown",
                                            "bytes", "reused_files", "reused_items"));
  const Outcome runs = run({"runs", "--db", "db", "--json"});
  EXPECT_EQ(runs.status, 0);
  EXPECT_EQ(run({"runs", "db", "--json"}).out, runs.out);
  const OrderedJson row = json_lines(runs.out).front();
  EXPECT_TRUE(row["shard"].is_null());
  EXPECT_THAT(keys_of(row), ElementsAre("run_id", "label", "corpus", "shard", "profile", "rules", "started_at",
                                        "finished_at", "tool_version", "items", "ok", "quirk", "fail", "unknown"));
  for (const char* key : {"items", "ok", "quirk", "fail", "unknown"}) {
    EXPECT_EQ(row[key], summary[key]) << key;
  }
  EXPECT_TRUE(row["finished_at"].is_string());
  EXPECT_LE(row["started_at"].get<std::string>(), row["finished_at"].get<std::string>());
  EXPECT_EQ(row["run_id"], summary["run"]);
  EXPECT_EQ(row["label"], "first");
  EXPECT_EQ(row["profile"], "compatible");
  EXPECT_EQ(row["profile"], summary["profile"]);
  EXPECT_EQ(summary["corpus"], "c");
  EXPECT_THAT(row["rules"].get<std::string>(), HasSubstr("deflate_eof_plus_one"));
  EXPECT_THAT(run({"--version"}).out, HasSubstr(row["tool_version"].get<std::string>()));
  EXPECT_EQ(row["corpus"], fs::canonical(at("c")).string()) << "whatever folder the command was started in";
  EXPECT_THAT(run({"runs", "db"}).out, HasSubstr("first"));
  const auto verify = json_lines(run({"verify", "c", "--json", "--profile", "compatible"}).out);
  EXPECT_EQ(verify.back()["summary"]["items"], summary["items"]);
}

// Every number of the summary is another, so that none can stand for its neighbour.
TEST_F(CliScan, SummaryAndMetricsAreExact) {
  write("c/sprites.lib", synth::make_sprites(1).bytes);
  write("c/a.lib", nres_archive({{"x", bytes_of("1")}}));
  for (const char* name : {"c/1.wea", "c/2.wea", "c/3.wea"}) {
    write(name, "one\n0 STEEL\n");
  }
  OrderedJson expected = OrderedJson::parse(
      R"({"run":1,"corpus":"c","profile":"compatible","items":30,"ok":24,"quirk":2,"fail":3,"unknown":1,"bytes":0,)"
      R"("reused_files":0,"reused_items":0})");
  const std::uint64_t bytes = fs::file_size(at("c/sprites.lib")) + fs::file_size(at("c/a.lib")) + 3 * 12;
  expected["bytes"] = bytes;
  const auto scan = [&] { return json_lines(run({"scan", "c", "--db", "db", "--json"}).out).front(); };
  EXPECT_EQ(scan(), expected);
  write("c/a.lib", nres_archive({{"x", bytes_of("2")}}));
  expected["run"] = 2;
  expected["reused_files"] = 4;
  expected["reused_items"] = 28;
  const auto started = std::chrono::steady_clock::now();
  EXPECT_EQ(scan(), expected);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
  EXPECT_THAT(query("db",
                    "select name, metric, value, unit from v_metric where run_id = 2 and metric <> 'wall_time' "
                    "order by metric"),
              ElementsAre("scan|bytes|" + std::to_string(bytes) + ".0|bytes", "scan|reused_files|4.0|files",
                          "scan|reused_items|28.0|items"));
  EXPECT_THAT(query("db", "select name, unit, value > 0 and value < " + std::to_string(elapsed.count()) +
                              " from v_metric where run_id = 2 and metric = 'wall_time'"),
              ElementsAre("scan|s|1"));
}

TEST_F(CliScan, TheOptionsOfReadingHold) {
  write("a.rlb", overlay_archive());
  for (const auto& [overlay, payload] : {std::pair("on", "bcde"), std::pair("off", "abcd")}) {
    EXPECT_EQ(run({"scan", "a.rlb", "--db", "db", "--label", overlay, "--overlay", overlay}).status, 0);
    EXPECT_THAT(query("db", std::string("select sha256 from v_item join v_run using (run_id) where entry = 'A' and "
                                        "label = '") +
                                overlay + "'"),
                ElementsAre(sha256_text(bytes_of(payload))));
  }
  write("b.rlb", rsli_archive({{"B", rsli::Method::kDeflate, {0x4B, 0x1C, 0x03, 0x00}, 259}}));
  EXPECT_EQ(run({"scan", "b.rlb", "--db", "db"}).status, 1);
  EXPECT_EQ(run({"scan", "b.rlb", "--db", "db", "--no-confirm"}).status, 0);
  EXPECT_THAT(query("db", "select run_id from v_finding where code = 'decoder_disagreement'"), ElementsAre("3"));
}

TEST_F(CliScan, AReusedRunIsTheSameInEveryViewButTheMarks) {
  for (const char* profile : {"containers", "resources", "game"}) {
    EXPECT_EQ(run({"synth", profile, "-o", profile}).status, 0);
    const std::string database = std::string(profile) + ".db";
    const auto scan = [&](const std::vector<std::string>& more) {
      std::vector<std::string> arguments{"scan", profile, "--db", database, "--json"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      return json_lines(run(arguments).out).front();
    };
    scan({});
    const OrderedJson reused = scan({});
    const OrderedJson fresh = scan({"--no-reuse"});
    EXPECT_EQ(fresh["reused_files"], 0);
    EXPECT_EQ(fresh["reused_items"], 0);
    EXPECT_GT(reused["reused_files"], 0);
    EXPECT_EQ(reused["reused_items"], reused["items"]) << profile;
    for (const auto& [view, columns] : kRunViews) {
      const auto rows = [&](int run_id) { return rows_of_run(database, run_id, view, columns); };
      EXPECT_EQ(rows(2), rows(3)) << profile << " " << view;
      EXPECT_EQ(rows(1), rows(3)) << profile << " " << view;
      EXPECT_FALSE(view != "v_quirk" && rows(2).empty()) << profile << " " << view;
    }
    EXPECT_THAT(query(database, "select run_id, value from v_metric where metric = 'reused_files' order by run_id"),
                ElementsAre("1|0.0", "2|" + reused["reused_files"].dump() + ".0", "3|0.0"));
    EXPECT_EQ(query(database, "select path, entry from v_reuse where run_id = 2 order by path, entry"),
              query(database, "select path, entry from v_item where run_id = 2 order by path, entry"));
    EXPECT_THAT(query(database, "select count(*) from v_reuse where run_id <> 2"), ElementsAre("0"));
    const Outcome diff = run({"diff", "2", "3", "--db", database});
    EXPECT_EQ(diff.status, 0);
    EXPECT_THAT(diff.out, HasSubstr("no differences"));
  }
}

TEST_F(CliScan, SaysWhatWasReusedAndWhatIsDamaged) {
  make_corpus("c");
  EXPECT_THAT(run({"scan", "c", "--db", "db"}).out, testing::Not(HasSubstr("reused")));
  const std::string files = query("db", "select count(distinct path) from v_item").front();
  EXPECT_THAT(run({"scan", "c", "--db", "db"}).out, HasSubstr("reused " + files + " unchanged files with "));
  EXPECT_EQ(run({"scan", "c", "--db", "db", "--profile", "strict", "--json"}).status, 1);
  EXPECT_THAT(query("db", "select count(*) from v_reuse where run_id = 3"), ElementsAre("0")) << "another profile";
  const Outcome strict = run({"scan", "c", "--db", "db", "--profile", "strict"});
  EXPECT_EQ(strict.status, 1) << "what failed fails again";
  EXPECT_THAT(strict.out, HasSubstr("reused " + files));
  change("db", "update item set verdict = 0 where verdict = 2");
  const Outcome damaged = run({"scan", "c", "--db", "db", "--profile", "strict"});
  EXPECT_EQ(damaged.status, 1) << "an altered verdict is not taken over";
  EXPECT_THAT(damaged.err, HasSubstr("db: 2 results of earlier runs changed"));
}

TEST_F(CliScan, AnotherBuildOfTheSameVersionReusesNothing) {
  make_corpus("c");
  EXPECT_EQ(run({"scan", "c", "--db", "db"}).status, 0);
  Buffer program;
  {
    std::ifstream file(ASSAY_BINARY, std::ios::binary);
    program.assign(std::istreambuf_iterator<char>(file), {});
  }
  write("same", program);
  program.push_back(0);
  write("other", program);
  for (const char* copy : {"same", "other"}) {
    fs::permissions(at(copy), fs::perms::owner_all);
    const std::string command = "cd '" + folder().string() + "' && ./" + copy + " scan c --db db > " + copy + ".out";
    EXPECT_EQ(std::system(command.c_str()), 0);
  }
  EXPECT_THAT(read_text("same.out"), HasSubstr("reused"));
  EXPECT_THAT(read_text("other.out"), testing::Not(HasSubstr("reused")));
  EXPECT_EQ(run({"diff", "1", "3", "--db", "db"}).status, 0);
}

TEST_F(CliScan, AScanThatWasCutOffIsGoneOnWith) {
  EXPECT_EQ(scan_and_kill("db", SIGKILL, "v_item").status, -SIGKILL);
  const std::string whole = query("db", "select count(distinct path) from v_item").front();
  const auto summary = json_lines(run({"scan", "load", "--db", "db", "--json"}).out).front();
  EXPECT_EQ(summary["reused_files"].dump(), whole);
  EXPECT_NE(whole, "0");
}

TEST_F(CliScan, ShardsCoverTheCorpusOnce) {
  make_corpus("c");
  constexpr int kShards = 3;
  for (int shard = 0; shard < kShards; ++shard) {
    const Outcome outcome = run({"scan", "c", "--db", "db", "--shard", std::to_string(shard) + "/3"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }
  EXPECT_EQ(run({"scan", "c", "--db", "whole"}).status, 0);
  const std::string sql = "select path, entry, sha256 from v_item order by path, entry";
  EXPECT_EQ(query("db", sql), query("whole", sql));
}

TEST_F(CliScan, DiffTellsWhatChanged) {
  make_corpus("c");
  EXPECT_EQ(run({"scan", "c", "--db", "db", "--label", "before"}).status, 0);
  EXPECT_EQ(run({"scan", "c", "--db", "db", "--label", "again"}).status, 0);
  const Outcome same = run({"diff", "before", "again", "--db", "db", "--json"});
  EXPECT_EQ(same.status, 0);
  EXPECT_EQ(json_lines(same.out).size(), 1U) << "the same build over the same corpus: " << same.out;
  write("c/DATA/none.rlb", Buffer(32));
  Buffer damaged = read("c/objects.rlb");
  damaged[0x0C] ^= 1;
  write("c/objects.rlb", damaged);
  EXPECT_EQ(run({"scan", "c", "--db", "db", "--label", "after"}).status, 1);
  const Outcome worse = run({"diff", "previous", "latest", "--db", "db"});
  EXPECT_EQ(worse.status, 1);
  EXPECT_THAT(worse.out, HasSubstr("run 2 -> run 3"));
  EXPECT_THAT(worse.out, HasSubstr("objects.rlb"));
  EXPECT_THAT(worse.out, HasSubstr("regressed"));
  EXPECT_EQ(run({"diff", "after", "1", "--db", "db"}).status, 0) << "the other way everything gets better";
  for (const char* selector : {"nothing", "99", "-1"}) {
    const Outcome refused = run({"diff", "--db", "db", "--", selector, "latest"});
    EXPECT_EQ(refused.status, 2) << selector;
    EXPECT_THAT(refused.err, HasSubstr("db: no run has the number or label")) << selector;
  }
}

// The exit status of one change alone, whatever else stays.
TEST_F(CliScan, ADiffFailsForEachKindOfRegressionAndForNothingElse) {
  const std::string good = "1\n0 STEEL\n";
  const std::string bad = "one\n0 STEEL\n";
  const struct {
    const char* name;
    std::optional<std::string> before;
    std::optional<std::string> after;
    int status;
    const char* category;
  } kChanges[] = {
      {"now fails", good, bad, 1, "regressed"},
      {"fails and is new", std::nullopt, bad, 1, "regressed"},
      {"mended", bad, good, 0, "fixed"},
      {"new", std::nullopt, good, 0, "new"},
      {"gone", good, std::nullopt, 0, "removed"},
      {"other content", good, "1\n0 IRON\n", 0, "content_changed"},
      {"fails otherwise", bad, "1\n", 0, "reason_changed"},
  };
  const auto scan = [&](const std::optional<std::string>& text) {
    fs::remove(at("c/a.wea"));
    if (text) {
      write("c/a.wea", *text);
    }
    run({"scan", "c", "--db", "db"});
  };
  write("c/b.wea", good);
  for (const auto& change : kChanges) {
    scan(change.before);
    scan(change.after);
    const Outcome diff = run({"diff", "previous", "latest", "--db", "db", "--json"});
    EXPECT_EQ(diff.status, change.status) << change.name;
    const auto lines = json_lines(diff.out);
    ASSERT_EQ(lines.size(), 2U) << change.name;
    EXPECT_EQ(lines[0]["category"], change.category) << change.name;
    EXPECT_EQ(lines[1]["summary"][change.category], 1) << change.name;
  }
}

TEST_F(CliScan, AnEmptyCorpusIsRecordedWithANote) {
  fs::create_directory(at("empty"));
  const Outcome outcome = run({"scan", "empty", "--db", "db"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "run 1  0 items: 0 ok, 0 quirk, 0 fail, 0 unknown; 0 bytes\n");
  EXPECT_EQ(outcome.err, "assay: note: there was no file to scan; `golden check` fails on a run without items\n");
  EXPECT_THAT(query("db", "select items, finished_at is not null from v_run"), ElementsAre("0|1"));
}

TEST_F(CliScan, ADatabaseInItsCorpusIsNoPartOfIt) {
  make_corpus("c");
  fs::create_symlink("c", at("link"));
  const std::string expected = run({"scan", "c", "--db", "outside"}).out;
  for (const char* database : {"c/db", "c/ui/db", "link/db", "c/../c/db"}) {
    for (int round = 0; round < 2; ++round) {
      const Outcome scanned = run({"scan", "c", "--db", database, "--no-reuse"});
      EXPECT_EQ(scanned.status, 0) << database;
      EXPECT_EQ(scanned.out.substr(scanned.out.find("  ")), expected.substr(expected.find("  "))) << database;
      EXPECT_THAT(scanned.err, HasSubstr("db: not scanned, it belongs to the database of this scan")) << database;
    }
    EXPECT_EQ(run({"diff", "previous", "latest", "--db", database}).status, 0);
    fs::remove(at(database));
  }
}

TEST_F(CliScan, AKilledRunStaysVisibleAsIncompleteAndHarmsNoOther) {
  const Outcome killed = scan_and_kill("db", SIGKILL);
  EXPECT_EQ(killed.status, -SIGKILL);
  EXPECT_THAT(query("db", "select label, finished_at from v_run"), ElementsAre("cut|NULL"));
  const Outcome runs = run({"runs", "db", "--json"});
  EXPECT_EQ(runs.status, 0) << runs.err;
  EXPECT_TRUE(json_lines(runs.out).front()["finished_at"].is_null());
  EXPECT_THAT(run({"runs", "db"}).out, HasSubstr("incomplete"));
  write("a.lib", nres_archive({}));
  EXPECT_EQ(run({"scan", "a.lib", "--db", "db", "--label", "whole"}).status, 0);
  const Outcome diff = run({"diff", "cut", "latest", "--db", "db"});
  EXPECT_EQ(diff.status, 2);
  EXPECT_THAT(diff.err, HasSubstr("run 1 (cut) is incomplete"));
  EXPECT_EQ(run({"golden", "new", "m", "--db", "db", "--run", "whole"}).status, 0);
  const Outcome accept = run({"golden", "accept", "m", "--db", "db", "--run", "cut", "--reason", "why not"});
  EXPECT_EQ(accept.status, 2);
  EXPECT_THAT(accept.err, HasSubstr("incomplete"));
  const Outcome check = run({"golden", "check", "m", "--db", "db"});
  EXPECT_EQ(check.status, 0) << "latest is the latest complete run";
}

TEST_F(CliScan, AnInterruptedRunEndsWith130AndIsIncomplete) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Outcome outcome = scan_and_kill("db", signal);
    EXPECT_EQ(outcome.status, 130);
    EXPECT_EQ(outcome.err, "assay: interrupted\n");
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(query("db", "select finished_at from v_run"), ElementsAre("NULL"));
  }
}

TEST_F(CliScan, SeveralScansMayWriteToOneDatabase) {
  make_corpus("c");
  const std::vector<std::string> tags{"one", "two", "three", "four"};
  std::vector<pid_t> children;
  for (const std::string& tag : tags) {
    children.push_back(start({"scan", "c", "--db", "db", "--label", tag}, tag));
  }
  for (std::size_t index = 0; index < tags.size(); ++index) {
    const Outcome outcome = finish(children[index], tags[index]);
    EXPECT_EQ(outcome.status, 0) << tags[index] << ": " << outcome.err;
  }
  EXPECT_THAT(
      query("db", "select count(*), count(finished_at), count(distinct label), min(items) = max(items) from v_run"),
      ElementsAre("4|4|4|1"));
  EXPECT_EQ(run({"diff", "one", "four", "--db", "db"}).status, 0);
}

TEST_F(CliScan, ADatabaseInTheCorpusIsNoPartOfItHoweverItIsNamed) {
  write("c/a.lib", nres_archive({}));
  fs::create_symlink("c/own.db", at("link.db"));
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(run({"scan", "c", "--db", "link.db"}).status, 0);
  }
  EXPECT_EQ(run({"scan", "c", "--db", "c/own.db"}).status, 0);
  EXPECT_THAT(query("c/own.db", "select items from v_run"), ElementsAre("1", "1", "1"));
}

TEST_F(CliScan, SkipsWhatIsNoFile) {
  write("c/a.lib", nres_archive({}));
  fs::create_symlink("nowhere", at("c/dangling"));
  const Outcome outcome = run({"scan", "c", "--db", "db"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "assay: dangling: skipped, neither a file nor a folder, or a link to a folder\n");
}

}  // namespace
}  // namespace assay::tools
