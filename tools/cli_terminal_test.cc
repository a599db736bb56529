#include <string>
#include <vector>

#include "tools/cli_test_support.h"

namespace assay::tools {
namespace {

using ::testing::Not;

// Clears the screen where it gets to a terminal.
const std::string kHostile = "e\x1b[2J";

using Terminal = CliTest;

// Whatever a file, an entry, a benchmark or an argument is called, and whether a verb works or refuses.
TEST_F(Terminal, IsAddressedByNoName) {
  const std::string corpus = "c" + kHostile;
  const std::string file = corpus + "/" + kHostile + ".lib";
  const std::string game = "g" + kHostile;
  const std::string database = kHostile + ".db";
  const std::string manifest = kHostile + ".jsonl";
  fs::create_directory(at(corpus));
  write(file, nres_archive({{kHostile, bytes_of("abc")}, {"B", bytes_of("def")}}));
  write("p.json", R"({"context":{"cpu":"\u001b[2J"},"benchmarks":[{"name":"b\u001b[2J","cpu_time":1}]})");
  const std::vector<std::vector<std::string>> runs = {
      {"synth", "game", "--output", game},
      {"synth", "game", "--output", corpus},
      {"scan", corpus, "--db", database, "--label", "l"},
      {"scan", corpus, "--db", database, "--label", kHostile},
      {"runs", database},
      {"diff", "l", "latest", "--db", database},
      {"verify", corpus},
      {"verify", kHostile},
      {"ls", file},
      {"inspect", file},
      {"inspect", file + "::" + kHostile},
      {"inspect", file, "--pose"},
      {"cat", kHostile},
      {"extract", file, "--output", kHostile + "out"},
      {"edit", file, "--set", kHostile},
      {"edit", file, "--dry-run", "--rename", "B=C" + kHostile},
      {"edit", file, "--dry-run", "--set", kHostile + "@attr1=1"},
      {"graph", game},
      {"graph", game, "--dot"},
      {"graph", game, "--mission", kHostile},
      {"golden", "new", "--manifest", manifest, "--db", database},
      {"golden", "check", "--manifest", manifest, "--db", database},
      {"golden", "accept", "--manifest", manifest, "--db", database},
      {"perf", "record", "p.json", "--db", database, "--label", "before"},
      {"perf", "record", "p.json", "--db", database, "--label", "after"},
      {"perf", "list", "--db", database},
      {"perf", "diff", "before", "after", "--db", database, "--all"},
      {"perf", "diff", kHostile, "after", "--db", database},
      {"perf", "noise", "before", "after", "--db", database},
      {"report", "--db", database, "--output", kHostile + ".html"},
      {"merge", kHostile, "--db", kHostile},
      {kHostile},
      {"--" + kHostile}};
  for (const auto& arguments : runs) {
    const Outcome outcome = run(arguments);
    const std::string shown = testing::PrintToString(arguments);
    EXPECT_GE(outcome.status, 0) << shown;
    EXPECT_NE(outcome.out + outcome.err, "") << shown;
    EXPECT_THAT(outcome.out, Not(testing::HasSubstr("\x1b"))) << shown;
    EXPECT_THAT(outcome.err, Not(testing::HasSubstr("\x1b"))) << shown;
  }
}

}  // namespace
}  // namespace assay::tools
