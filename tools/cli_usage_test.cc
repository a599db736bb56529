#include <map>
#include <string>

#include "tools/cli_test_support.h"

// What every verb owes its user: help with an example, and a clear refusal of what it cannot do.
namespace assay::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CliUsage : public CliTest {};

const std::vector<std::vector<std::string>>& verbs() {
  static const std::vector<std::vector<std::string>> kVerbs{{"verify"},
                                                            {"ls"},
                                                            {"inspect"},
                                                            {"cat"},
                                                            {"extract"},
                                                            {"edit"},
                                                            {"repack"},
                                                            {"scan"},
                                                            {"golden"},
                                                            {"golden", "new"},
                                                            {"golden", "check"},
                                                            {"golden", "accept"},
                                                            {"runs"},
                                                            {"merge"},
                                                            {"diff"},
                                                            {"report"},
                                                            {"rules"},
                                                            {"formats"},
                                                            {"synth"},
                                                            {"synth", "containers"},
                                                            {"fuzz", "record"},
                                                            {"fuzz", "list"},
                                                            {"graph"},
                                                            {"synth", "game"}};
  return kVerbs;
}

TEST_F(CliUsage, HelpOfEveryVerbShowsAnExample) {
  for (std::vector<std::string> arguments : verbs()) {
    const std::string example = "\n  assay " + arguments.front();
    arguments.emplace_back("--help");
    const Outcome help = run(arguments);
    EXPECT_EQ(help.status, 0) << arguments.front();
    EXPECT_EQ(help.err, "") << arguments.front();
    EXPECT_THAT(help.out, HasSubstr(example)) << arguments.front();
    EXPECT_THAT(help.out, HasSubstr("Usage: assay " + arguments.front()));
  }
}

TEST_F(CliUsage, HelpOfTheCommandNamesEveryVerb) {
  const Outcome help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const std::vector<std::string>& arguments : verbs()) {
    EXPECT_THAT(help.out, HasSubstr("\n  " + arguments.front() + " ")) << "a verb that the overview leaves out";
  }
}

TEST_F(CliUsage, EveryVerbRefusesAnUnknownOption) {
  for (std::vector<std::string> arguments : verbs()) {
    arguments.emplace_back("--no-such-option");
    const Outcome refused = run(arguments);
    EXPECT_EQ(refused.status, 2) << arguments.front();
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, StartsWith("assay: "));
    EXPECT_THAT(refused.err, HasSubstr("--help"));
  }
}

TEST_F(CliUsage, NamesWhatIsWrongWithTheCommandLine) {
  write("a.lib", nres_archive({}));
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } kCases[] = {
      {{}, "assay: a verb is missing; see assay --help\n"},
      {{"assemble"}, "assay: 'assemble' is no verb; see assay --help\n"},
      {{"golden", "make"}, "assay: 'make' is no verb; see assay golden --help\n"},
      {{"synth"}, "assay: a verb is missing; see assay synth --help\n"},
      {{"ls"}, "ARCHIVE is required; see assay ls --help\n"},
      {{"ls", "a.lib", "b.lib"}, "b.lib"},
      {{"extract", "a.lib"}, "--output is required"},
      {{"scan", "a.lib"}, "--db is required"},
      {{"verify", "a.lib", "--profile", "lax"}, "--profile: lax not in {strict,compatible}"},
      {{"verify", "a.lib", "--rule", "no_such_rule"}, "--rule: no_such_rule not in {"},
      {{"verify", "a.lib", "--overlay", "maybe"}, "--overlay: maybe not in {on,off}"},
      {{"verify", "a.lib", "--jobs", "-1"}, "--jobs"},
      {{"verify", "a.lib", "--jobs", "4294967295"}, "not in range 0 to 1024"},
      {{"scan", "a.lib", "--db", "d", "--jobs", "99999"}, "not in range 0 to 1024"},
      {{"scan", "a.lib", "--db", "d", "--shard", "1"}, "assay: --shard '1': expected i/n with i below n, e.g. 0/4\n"},
      {{"scan", "a.lib", "--db", "d", "--shard", "2/2"}, "expected i/n with i below n"},
      {{"scan", "a.lib", "--db", "d", "--shard", "-1/2"}, "expected i/n with i below n"},
      {{"scan", "a.lib", "--db", "d", "--shard", "0/0"}, "expected i/n with i below n"},
      {{"scan", "a.lib", "--db", "d", "--shard", "0/1x"}, "expected i/n with i below n"},
      {{"scan", "a.lib", "--db", "d", "--shard", "5/18446744073709551615"}, "expected i/n with i below n"},
      {{"merge", "--db", "d"}, "DB is required"},
      {{"merge", "d"}, "--db is required"},
      {{"report", "--db", "d"}, "--output is required"},
      {{"report", "-o", "r.html"}, "--db is required"},
      {{"edit", "a.lib"}, "assay: edit: nothing to do; give --replace, --rename, --add, --remove or --set\n"},
      {{"edit", "a.lib", "--json", "--remove", "x"}, "--json requires --dry-run"},
      {{"edit", "a.lib", "--add", "x=a.lib", "--method", "zip"}, "--method: zip not in {"},
      {{"synth", "containers", "-o", "s", "--seed", "one"}, "--seed"},
      {{"--color", "pink", "rules"}, "--color"},
  };
  for (const auto& [arguments, says] : kCases) {
    const Outcome refused = run(arguments);
    EXPECT_EQ(refused.status, 2) << says;
    EXPECT_EQ(refused.out, "") << says;
    EXPECT_THAT(refused.err, StartsWith("assay: "));
    EXPECT_THAT(refused.err, HasSubstr(says));
  }
  EXPECT_EQ(names_in(), std::vector<std::string>{"a.lib"}) << "a refused command leaves nothing behind";
}

TEST_F(CliUsage, NamesTheFileThatIsMissing) {
  write("a.lib", nres_archive({}));
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } kCases[] = {
      {{"verify", "none"}, "none: no such file or folder"},
      {{"ls", "none"}, "none: No such file or directory"},
      {{"ls", "none::a"}, "none: No such file or directory"},
      {{"inspect", "none"}, "none: No such file or directory"},
      {{"cat", "none::a"}, "none: No such file or directory"},
      {{"extract", "none", "-o", "out"}, "none: No such file or directory"},
      {{"edit", "none", "--remove", "x"}, "none: No such file or directory"},
      {{"edit", "a.lib", "--add", "x=none"}, "none: No such file or directory"},
      {{"edit", "a.lib", "--replace", "x=none"}, "none: No such file or directory"},
      {{"repack", "none", "-o", "out"}, "none: No such file or directory"},
      {{"scan", "none", "--db", "db"}, "none: no such file or folder"},
      {{"scan", "a.lib", "--db", "no/db"}, "no/db: the folder no does not exist"},
      {{"runs", "db"}, "db: does not exist; record a run first"},
      {{"diff", "1", "2", "--db", "db"}, "db: does not exist; record a run first"},
      {{"report", "--db", "db", "-o", "r.html"}, "db: does not exist; record a run first"},
      {{"golden", "new", "m", "--db", "db"}, "db: does not exist; record a run first"},
      {{"golden", "check", "m", "--db", "db"}, "m: cannot be opened; create the manifest first"},
      {{"golden", "accept", "m", "--db", "db"}, "db: does not exist; record a run first"},
  };
  for (const auto& [arguments, says] : kCases) {
    const Outcome refused = run(arguments);
    EXPECT_EQ(refused.status, 2) << says;
    EXPECT_EQ(refused.out, "") << says;
    EXPECT_THAT(refused.err, StartsWith("assay: "));
    EXPECT_THAT(refused.err, HasSubstr(says));
  }
  EXPECT_EQ(names_in(), std::vector<std::string>{"a.lib"}) << "a refused command leaves nothing behind";
}

TEST_F(CliUsage, OutputThatCannotBeWrittenIsNoSuccess) {
  if (!fs::exists("/dev/full")) {
    GTEST_SKIP() << "/dev/full is not there";
  }
  write("a.lib", nres_archive({{"one", Buffer(100'000)}}));
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{"ls", "a.lib"},
                                                                                         {"cat", "a.lib::one"},
                                                                                         {"inspect", "a.lib"},
                                                                                         {"verify", "a.lib", "--json"},
                                                                                         {"rules"},
                                                                                         {"formats"},
                                                                                         {"--help"}}) {
    const Outcome outcome = run(arguments, {.stdout_path = "/dev/full"});
    EXPECT_EQ(outcome.status, 2) << arguments.front();
    EXPECT_THAT(outcome.err, StartsWith("assay: standard output cannot be written")) << arguments.front();
  }
}

TEST_F(CliUsage, CataloguesHaveOneObjectALine) {
  const Outcome rules = run({"rules", "--json"});
  EXPECT_EQ(rules.status, 0);
  std::vector<std::string> names;
  for (const OrderedJson& rule : json_lines(rules.out)) {
    EXPECT_THAT(keys_of(rule), ::testing::ElementsAre("rule", "scope", "opt_in", "predicate", "reason", "evidence"));
    names.push_back(rule["rule"]);
  }
  EXPECT_THAT(names,
              ::testing::IsSupersetOf({"deflate_eof_plus_one", "invalid_presorted_fallback", "nres_linear_lookup"}));
  const Outcome formats = run({"formats", "--json"});
  EXPECT_EQ(formats.status, 0);
  std::map<std::string, OrderedJson> recognised;
  for (const OrderedJson& format : json_lines(formats.out)) {
    recognised[format["format"]] = format["recognised_by"];
    EXPECT_THAT(keys_of(format),
                ::testing::ElementsAre("format", "title", "documentation", "recognised_by", "records"));
    for (const OrderedJson& record : format["records"]) {
      std::uint64_t next = 0;
      for (const OrderedJson& field : record["fields"]) {
        EXPECT_EQ(field["offset"], next) << record["record"];
        next += field["size"].get<std::uint64_t>();
      }
      EXPECT_EQ(record["size"], next) << record["record"];
    }
  }
  EXPECT_EQ(recognised["rsli"],
            OrderedJson::parse(R"({"magic":true,"type_tags":[],"names":["gamefont.rlb",)"
                               R"("sprites.lib","*.rlb","*.lib"],"structure":true,"refines":null})"));
  EXPECT_EQ(recognised["msh"], OrderedJson::parse(R"({"magic":false,"type_tags":["MESH"],"names":["*.msh"],)"
                                                  R"("structure":true,"refines":"nres"})"));
}

TEST_F(CliUsage, FormatsSaysHowEachIsRecognised) {
  const std::string text = run({"formats"}).out;
  for (const char* line : {"magic, gamefont.rlb, sprites.lib, *.rlb, *.lib, structure",
                           "tag MESH, *.msh, structure (inside nres)", "*.dat in a folder units, structure"}) {
    EXPECT_THAT(text, HasSubstr(std::string("\n  recognised by: ") + line + "\n"));
  }
}

TEST_F(CliUsage, SynthIsRepeatableAndRefusesAFullFolder) {
  const Outcome first = run({"synth", "containers", "-o", "one", "--json"});
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(keys_of(json_lines(first.out).front()),
              ::testing::ElementsAre("folder", "seed", "files", "entries", "bytes"));
  EXPECT_EQ(run({"synth", "containers", "-o", "two", "--seed", "1"}).status, 0);
  EXPECT_EQ(read("one/sprites.lib"), read("two/sprites.lib"));
  EXPECT_EQ(run({"synth", "containers", "-o", "three", "--seed", "2"}).status, 0);
  EXPECT_NE(read("one/sprites.lib"), read("three/sprites.lib"));
  const Outcome refused = run({"synth", "containers", "-o", "one"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("one"));
  EXPECT_EQ(run({"synth", "containers", "-o", "one", "--force"}).status, 0);
}

TEST_F(CliUsage, ColorsOnlyWhenAsked) {
  write("a.lib", nres_archive({{"x", bytes_of("1")}}));
  EXPECT_EQ(run({"verify", "-v", "a.lib"}).out.find('\x1b'), std::string::npos);
  EXPECT_NE(run({"--color", "always", "verify", "-v", "a.lib"}).out.find('\x1b'), std::string::npos);
  EXPECT_NE(run({"verify", "-v", "a.lib", "--color", "always"}).out.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace assay::tools
