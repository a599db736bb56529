#include <string>

#include "reports/markup_test_support.h"
#include "tools/cli_test_support.h"

// `assay report`: which run, against which, in which form, and where it lands.
namespace assay::tools {
namespace {

using reports::test::MarkupReader;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class CliReport : public CliTest {
 protected:
  void SetUp() override {
    write("c/a.lib", archive());
    EXPECT_EQ(run({"scan", "c", "--db", "is.db", "--label", "sound"}).status, 0);
  }

  static Buffer archive() { return nres_archive({{"x", bytes_of("1")}, {"y", bytes_of("2")}}); }

  // Records a run in which the archive is refused.
  void scan_broken() {
    Buffer bytes = archive();
    bytes[0x0C] ^= 1;
    write("c/a.lib", bytes);
    EXPECT_EQ(run({"scan", "c", "--db", "is.db", "--label", "broken"}).status, 1);
  }

  Outcome report(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"report", "--db", "is.db"});
    return run(arguments);
  }
};

TEST_F(CliReport, WritesAPageOfTheLatestRunAgainstTheOneBefore) {
  scan_broken();
  const Outcome written = report({"-o", "r.html"});
  EXPECT_EQ(written.status, 0) << "a report is no gate: " << written.err;
  const std::string page = read_text("r.html");
  EXPECT_EQ(written.out, "r.html: html of run 2 against run 1, " + std::to_string(page.size()) + " bytes\n");
  EXPECT_EQ(written.err, "");
  EXPECT_EQ(MarkupReader(page, reports::test::kHtmlPrologue).problem(), "");
  EXPECT_THAT(page, HasSubstr("1 regressed"));
  EXPECT_THAT(page, HasSubstr("total_size_mismatch"));
  EXPECT_THAT(page, HasSubstr("the stored total size is not the length of the input"));
}

TEST_F(CliReport, NamesWhatIsUnknownByItsTypeAndEnding) {
  write("c/a.lib", nres_archive({{"x.bin", bytes_of("1"), 0x41544144}}));
  run({"scan", "c", "--db", "is.db"});
  EXPECT_EQ(report({"-o", "r.html"}).status, 0);
  EXPECT_THAT(read_text("r.html"), HasSubstr("<code>type DATA, .bin</code>"));
}

TEST_F(CliReport, ComparesOnlyWithAnEarlierRunOfTheSameCorpus) {
  EXPECT_THAT(report({"-o", "r.html"}).out, StartsWith("r.html: html of run 1, "));
  write("d/b.lib", archive());
  EXPECT_EQ(run({"scan", "d", "--db", "is.db"}).status, 0);
  EXPECT_THAT(report({"-o", "r.html"}).out, StartsWith("r.html: html of run 2, "));
  scan_broken();
  EXPECT_THAT(report({"-o", "r.html"}).out, StartsWith("r.html: html of run 3 against run 1, "));
  EXPECT_THAT(report({"1", "-o", "r.html"}).out, StartsWith("r.html: html of run 1, ")) << "later runs do not count";
}

TEST_F(CliReport, ComparesAShardWithTheSameShardOnly) {
  EXPECT_EQ(run({"scan", "c", "--db", "is.db", "--shard", "0/2"}).status, 0);
  EXPECT_THAT(report({"-o", "r.html"}).out, StartsWith("r.html: html of run 2, "));
  EXPECT_EQ(run({"scan", "c", "--db", "is.db", "--shard", "0/2"}).status, 0);
  EXPECT_THAT(report({"-o", "r.html"}).out, StartsWith("r.html: html of run 3 against run 2, "));
  EXPECT_THAT(read_text("r.html"), HasSubstr("<td>0/2</td>"));
  for (const char* form : {"html", "junit", "sarif"}) {
    const Outcome refused = report({"--against", "1", "--format", form, "-o", "none"});
    EXPECT_EQ(refused.status, 2) << form;
    EXPECT_THAT(refused.err, HasSubstr("is.db: run 1 is whole, run 3 is of shard 0/2")) << form;
  }
  EXPECT_FALSE(fs::exists(at("none")));
}

TEST_F(CliReport, TakesBothRunsByNumberOrLabel) {
  scan_broken();
  EXPECT_THAT(report({"sound", "--against", "broken", "-o", "r.html"}).out,
              StartsWith("r.html: html of run 1 against run 2, "));
  EXPECT_THAT(report({"--against", "none", "-o", "r.html"}).out, StartsWith("r.html: html of run 2, "));
  EXPECT_THAT(read_text("r.html"), HasSubstr("Not compared with another run."));
  const Outcome nobody = report({"nobody", "-o", "other.html"});
  EXPECT_EQ(nobody.status, 2);
  EXPECT_THAT(nobody.err, HasSubstr("no run has the number or label nobody"));
  EXPECT_EQ(report({"--against", "nobody", "-o", "other.html"}).status, 2);
  EXPECT_FALSE(fs::exists(at("other.html")));
}

TEST_F(CliReport, TheEndingOfTheFileOrAnOptionGivesTheForm) {
  scan_broken();
  EXPECT_THAT(report({"-o", "r.xml"}).out, StartsWith("r.xml: junit of run 2"));
  const std::string xml = read_text("r.xml");
  const MarkupReader reader(xml, reports::test::kXmlPrologue);
  EXPECT_EQ(reader.problem(), "");
  EXPECT_EQ(reader.root().attributes.at("failures"), "2") << "the file, and the file among the changes";
  EXPECT_THAT(report({"-o", "r.sarif"}).out, StartsWith("r.sarif: sarif of run 2"));
  const auto sarif = OrderedJson::parse(read_text("r.sarif"));
  EXPECT_EQ(sarif["runs"][0]["results"][0]["ruleId"], "total_size_mismatch");
  EXPECT_EQ(sarif["runs"][0]["results"][0]["baselineState"], "new");
  EXPECT_THAT(report({"--format", "sarif", "-o", "r.xml"}).out, StartsWith("r.xml: sarif of run 2"));
  EXPECT_THAT(report({"-o", "r.txt"}).out, StartsWith("r.txt: html of run 2"));
  EXPECT_THAT(report({"--format", "pdf", "-o", "r"}).err, HasSubstr("--format: pdf not in {"));
}

TEST_F(CliReport, TheSameDatabaseGivesTheSameBytes) {
  scan_broken();
  for (const char* name : {"r.html", "r.xml", "r.sarif"}) {
    report({"-o", name});
    const Buffer first = read(name);
    fs::create_directories(at("elsewhere"));
    fs::copy_file(at("is.db"), at("elsewhere/is.db"), fs::copy_options::overwrite_existing);
    EXPECT_EQ(run({"report", "--db", "elsewhere/is.db", "-o", name}).status, 0);
    EXPECT_EQ(read(name), first) << name;
  }
}

TEST_F(CliReport, ShowsCampaignsAndMeasurementsOfTheDatabase) {
  write("campaign",
        R"({"target":"nres","engine":"libfuzzer","started_at":"2026-01-02T03:04:05.000Z","seconds":2.0,)"
        R"("executions":50000,"features":10,"edges":5,"corpus_units":3,"new_units":1,"line_percent":97.5,"crashes":[)"
        R"({"kind":"heap-buffer-overflow","frames":"a < b","reproducer":"crash-1"}]})"
        "\n");
  EXPECT_EQ(run({"fuzz", "record", "campaign", "--db", "is.db"}).status, 1);
  write("bench.json", R"({"benchmarks":[{"name":"BM_LzssDecode","cpu_time":1234.5,"time_unit":"ns"}]})");
  EXPECT_EQ(run({"perf", "record", "bench.json", "--db", "is.db"}).status, 0);
  EXPECT_EQ(report({"-o", "r.html"}).status, 0);
  const std::string page = read_text("r.html");
  EXPECT_THAT(page, HasSubstr("heap-buffer-overflow"));
  EXPECT_THAT(page, HasSubstr("a &lt; b"));
  EXPECT_THAT(page, HasSubstr("BM_LzssDecode"));
  EXPECT_THAT(page, HasSubstr("1234.5"));
}

TEST_F(CliReport, IsWrittenWholeOrNotAtAll) {
  // More than SQLite writes beside the database, so that the limit meets the report.
  constexpr std::size_t kLimit = 40'000;
  const std::vector<NresMember> members(1'000, {"member", bytes_of("1")});
  write("c/many.lib", nres_archive(members));
  run({"scan", "c", "--db", "is.db"});
  write("r.xml", "the report before");
  const Outcome full = run({"report", "--db", "is.db", "-o", "r.xml"}, {.file_size_limit = kLimit});
  EXPECT_EQ(full.status, 2) << full.out;
  EXPECT_THAT(full.err, HasSubstr("r.xml: File too large"));
  EXPECT_EQ(read_text("r.xml"), "the report before");
  EXPECT_EQ(report({"-o", "c"}).status, 2) << "a folder";
  EXPECT_EQ(report({"-o", "none/r.html"}).status, 2);
  EXPECT_THAT(names_in(), Not(::testing::Contains(HasSubstr("assay-"))));
}

TEST_F(CliReport, NeverReplacesTheDatabase) {
  fs::create_symlink("is.db", at("link.html"));
  const Buffer before = read("is.db");
  for (const char* name : {"is.db", "./is.db", "link.html", "is.db-wal", "c/../is.db-journal"}) {
    const Outcome refused = report({"-o", name});
    EXPECT_EQ(refused.status, 2) << name;
    EXPECT_THAT(refused.err, HasSubstr("belongs to the database")) << name;
  }
  EXPECT_EQ(read("is.db"), before);
}

// SQLite keeps what belongs to a database where a link to it leads.
TEST_F(CliReport, NeverReplacesWhatBelongsToALinkedDatabase) {
  fs::create_directory(at("real"));
  fs::rename(at("is.db"), at("real/is.db"));
  fs::create_symlink("real/is.db", at("is.db"));
  for (const char* name : {"real/is.db", "real/is.db-wal", "real/is.db-shm", "is.db-wal"}) {
    const Outcome refused = report({"-o", name});
    EXPECT_EQ(refused.status, 2) << name;
    EXPECT_THAT(refused.err, HasSubstr("belongs to the database")) << name;
    const Outcome manifest = run({"golden", "new", name, "--db", "is.db"});
    EXPECT_EQ(manifest.status, 2) << name;
  }
  EXPECT_THAT(names_in("real"), ::testing::ElementsAre("is.db"));
}

TEST_F(CliReport, SaysAsJsonWhatWasWritten) {
  scan_broken();
  const auto lines = json_lines(report({"-o", "r.html", "--json"}).out);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(keys_of(lines[0]), ::testing::ElementsAre("report", "format", "run", "against", "bytes"));
  EXPECT_EQ(lines[0]["against"], 1);
}

}  // namespace
}  // namespace assay::tools
