#include <string>

#include "tools/cli_test_support.h"

// What the values of options may be: a slip is bad usage, never another command.
namespace assay::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CliArguments : public CliTest {
 protected:
  void expect_refused(const std::vector<std::string>& arguments, const std::string& says) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << says;
    EXPECT_EQ(outcome.out, "") << says;
    EXPECT_THAT(outcome.err, StartsWith("assay: "));
    EXPECT_THAT(outcome.err, HasSubstr(says));
  }
};

TEST_F(CliArguments, AnEmptyValueIsNotTheNextOption) {
  write("a.lib", nres_archive({{"one", bytes_of("1")}}));
  const Buffer before = read("a.lib");
  for (const char* empty : {"--output=", "--method="}) {
    expect_refused({"edit", "a.lib", "--remove", "one", empty, "--dry-run"}, "the value is empty");
  }
  EXPECT_EQ(read("a.lib"), before);
  EXPECT_EQ(names_in(), std::vector<std::string>{"a.lib"});
}

TEST_F(CliArguments, AnEmptyValueIsNoNameAndNoRun) {
  write("a.lib", nres_archive({{"one", bytes_of("1")}}));
  ASSERT_EQ(run({"scan", "a.lib", "--db", "db"}).status, 0);
  const Buffer before = read("a.lib");
  const std::vector<std::string> kCases[] = {
      {"edit", "a.lib", "--remove", "one", "-o", ""},
      {"ls", ""},
      {"diff", "", "", "--db", "db"},
      {"diff", "1", "1", "--db", ""},
      {"scan", "a.lib", "--db", ""},
      {"golden", "new", "m", "--db", "db", "--run="},
      {"golden", "accept", "m", "--db", "db", "--path", ""},
      {"graph", ".", "--mission", ""},
      {"inspect", "a.lib", "--pose", "--time", ""},
      {"scan", "a.lib", "--db", "db", "--jobs", ""},
  };
  for (const auto& arguments : kCases) {
    expect_refused(arguments, "the value is empty");
  }
  EXPECT_EQ(read("a.lib"), before);
  EXPECT_EQ(run({"scan", "a.lib", "--db", "db", "--label", ""}).status, 0) << "a run needs no label";
}

TEST_F(CliArguments, AnArgumentBehindTheOptionsMayEndWithAnEqualsSign) {
  write("--a=", nres_archive({{"one", bytes_of("1")}}));
  EXPECT_EQ(run({"ls", "--json", "--", "--a="}).status, 0);
}

TEST_F(CliArguments, AnyByteBelongsToAName) {
  write("a.lib", nres_archive({}));
  write("m", "precious");
  EXPECT_EQ(run({"repack", "a.lib", "-o", "\x01m"}).status, 0);
  EXPECT_EQ(read_text("m"), "precious");
  EXPECT_EQ(run({"ls", "\x01m"}).status, 0);
}

TEST_F(CliArguments, WhatFollowsTwoDashesIsNoOption) {
  for (const char* name : {"one", "two", "--json", "-x="}) {
    write(name, nres_archive({}));
  }
  EXPECT_THAT(run({"verify", "one", "--", "two", "--json", "-x="}).out, HasSubstr("4 items: 4 ok"));
  EXPECT_THAT(run({"verify", "--", "one", "two"}).out, HasSubstr("2 items: 2 ok"));
  EXPECT_EQ(run({"verify", "--"}).status, 2);
  EXPECT_EQ(run({"ls", "--", "one", "two"}).err,
            "assay: The following argument was not expected: two; see assay ls --help\n");
}

TEST_F(CliArguments, NumbersAreWholeAndFinite) {
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } kCases[] = {
      {{"synth", "containers", "-o", "d", "--entries", "-1"}, "'-1' is no whole number from 0 to 100000000"},
      {{"synth", "containers", "-o", "d", "--entries", "100000001"}, "is no whole number"},
      {{"synth", "containers", "-o", "d", "--seed", "-1"}, "'-1' is no whole number"},
      {{"synth", "containers", "-o", "d", "--seed", "18446744073709551616"}, "is no whole number"},
      {{"synth", "containers", "-o", "d", "--seed", "1.5"}, "is no whole number"},
      {{"synth", "resources", "-o", "d", "--entries", "10", "--size", "-1"}, "'-1' is no size"},
      {{"perf", "diff", "1", "2", "--db", "db", "--min-ratio", "nan"}, "'nan' is no number from 1 to 10"},
      {{"perf", "diff", "1", "2", "--db", "db", "--min-ratio", "0.5"}, "'0.5' is no number from 1 to 10"},
      {{"perf", "diff", "1", "2", "--db", "db", "--alpha", "nan"}, "'nan' is no number from 0 to 1"},
      {{"inspect", "a", "--pose", "--time", "nan"}, "'nan' is no finite number"},
      {{"inspect", "a", "--pose", "--time", "inf"}, "'inf' is no finite number"},
      {{"--color", "purple", "rules"}, "purple not in {auto,always,never}"},
  };
  for (const auto& [arguments, says] : kCases) {
    expect_refused(arguments, says);
  }
  EXPECT_TRUE(names_in().empty());
}

TEST_F(CliArguments, ALabelMeansOneRunAndCanBeShown) {
  write("a.lib", nres_archive({}));
  for (const char* label : {"latest", "previous", "none", "12", "0"}) {
    expect_refused({"scan", "a.lib", "--db", "db", "--label", label}, "means another run");
    expect_refused({"perf", "record", "a.lib", "--db", "db", "--label", label}, "means another run");
  }
  expect_refused({"scan", "a.lib", "--db", "db", "--label", "a\x1b[2J"}, "'a\\x1b[2J' is not printable UTF-8");
  expect_refused({"scan", "a.lib", "--db", "db", "--label", "a\nb"}, "is not printable UTF-8");
  EXPECT_EQ(names_in(), std::vector<std::string>{"a.lib"});
  EXPECT_EQ(run({"scan", "a.lib", "--db", "db", "--label", "12a"}).status, 0);
  EXPECT_EQ(run({"diff", "12a", "12a", "--db", "db"}).status, 0);
}

TEST_F(CliArguments, MessagesHoldNothingThatATerminalObeys) {
  expect_refused({"runs", "none\x1b[2J\xFF"}, "none\\x1b[2J\\xff: does not exist");
}

TEST_F(CliArguments, AMeasurementThatIsNotThereMakesNoDatabase) {
  expect_refused({"perf", "noise", "1", "2", "--db", "db"}, "db: does not exist");
  EXPECT_TRUE(names_in().empty());
}

TEST_F(CliArguments, ANoteSaysWhenEntriesDoNotFillTheSize) {
  const Outcome few = run({"synth", "resources", "-o", "d", "--entries", "10", "--size", "300MB"});
  EXPECT_EQ(few.status, 0);
  EXPECT_THAT(few.err, HasSubstr("note: 10 entries do not fill 300000000 bytes"));
}

}  // namespace
}  // namespace assay::tools
