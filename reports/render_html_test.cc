#include "reports/render_html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html_parts.h"
#include "reports/markup_test_support.h"
#include "reports/report_test_support.h"

namespace assay::reports {
namespace {

using golden::FileResult;
using golden::test::sample_file;
using test::broken_file;
using test::Element;
using test::kHostile;
using test::kHostileShown;
using test::MarkupReader;
using test::quirky_file;
using test::report_of;
using test::unknown_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// The page, read as strictly as XML.
Element page_of(const Report& report) {
  const std::string text = html_page(report, "is.db");
  const MarkupReader reader(text, test::kHtmlPrologue);
  EXPECT_EQ(reader.problem(), "");
  return reader.root();
}

// The text of a section without line ends, or nothing where the page has none.
std::string section_text(const Element& page, const std::string& id) {
  const Element* section = page.with("id", id);
  std::string text = section == nullptr ? std::string() : section->text;
  std::erase(text, '\n');
  return text;
}

// "CELL | CELL", a line a row of the tables in a section.
std::vector<std::string> table_rows(const Element& page, const std::string& id) {
  std::vector<std::string> rows;
  if (const Element* section = page.with("id", id)) {
    for (const Element* row : section->all("tr")) {
      std::string& line = rows.emplace_back();
      for (const Element& cell : row->children) {
        line += (&cell == &row->children.front() ? "" : " | ") + cell.text;
      }
    }
  }
  return rows;
}

// The lines of a section that say how much was cut.
std::vector<std::string> cut_lines(const Element& page, const std::string& id) {
  std::vector<std::string> lines;
  if (const Element* section = page.with("id", id)) {
    for (const Element* paragraph : section->all("p")) {
      if (paragraph->text.starts_with("... and ")) {
        lines.push_back(paragraph->text);
      }
    }
  }
  return lines;
}

// A report with something in every section.
Report full_report() {
  FileResult noted = sample_file("n.lib");
  noted.items[0].findings = {test::gap_note()};
  Report report = report_of({broken_file("a.lib"), noted, quirky_file("q.lib"), unknown_file("u.bin")},
                            std::vector{sample_file("a.lib"), sample_file("q.lib"), unknown_file("u.bin")});
  golden::FuzzCampaign campaign;
  campaign.id = 7;
  campaign.target = "nres";
  campaign.engine = "libfuzzer";
  campaign.seconds = 2;
  campaign.executions = 5000;
  campaign.line_percent = 97.5;
  report.fuzzing = {{campaign, {{{"heap-buffer-overflow", "f < g", "crash-1", true}, 3}}}};
  report.benchmarks.measurements = {{4, "one", "2026", {{"cpu", "a CPU"}}, 1}, {5, "two", "2026", {}, 1}};
  report.benchmarks.is_compared = true;
  report.benchmarks.latest.rows = {{"BM_Same", PerfOutcome::kSame, 1.0, 1.0, 1, 1, 1.05, false},
                                   {"BM_Slow", PerfOutcome::kSlower, 100.0, 150.0, 1.5, 0.01, 1.05, false}};
  return report;
}

TEST(HtmlPage, IsWellFormedAndNeedsNothingElse) {
  const Element page = page_of(full_report());
  EXPECT_EQ(page.name, "html");
  for (const char* element : {"script", "link", "img", "iframe", "object"}) {
    EXPECT_THAT(page.all(element), IsEmpty()) << element;
  }
  for (const Element* link : page.all("a")) {
    const std::string target = link->attributes.at("href");
    ASSERT_EQ(target.front(), '#');
    EXPECT_NE(page.with("id", target.substr(1)), nullptr) << target;
  }
  const std::string style = page.all("style").at(0)->text;
  EXPECT_THAT(style, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(style, Not(HasSubstr("url(")));
  EXPECT_THAT(style, Not(HasSubstr("@import")));
}

TEST(HtmlPage, SaysWhatRunItIs) {
  const Element page = page_of(full_report());
  EXPECT_EQ(page.all("title").at(0)->text, "Iron Assay: run 2 (nightly) of /games/IS");
  const std::string header = page.all("header").at(0)->text;
  EXPECT_THAT(header, HasSubstr("13 items: 9 ok, 1 quirk, 2 fail, 1 unknown; "));
  EXPECT_THAT(header, HasSubstr("Against run 1 (before): 2 regressed, 4 new, 1 quirk gained."));
  for (const char* value :
       {"/games/IS", "compatible", "1.2.3", "2026-01-02T03:04:05.678Z", "2026-01-02T03:05:06.789Z"}) {
    EXPECT_THAT(section_text(page, "run"), HasSubstr(value));
  }
}

TEST(HtmlPage, ShowsBothRunsEachInItsColumn) {
  Report report =
      report_of({broken_file("a.lib"), quirky_file("q.lib")}, std::vector{sample_file("a.lib"), unknown_file("u.bin")});
  report.against->info = {
      .label = "before", .corpus = "/games/Demo", .profile = "strict", .tool_version = "1.2.2", .rules = ""};
  report.against->info.shard = {.index = 1, .count = 3};
  report.against->started_at = "2025-12-31T00:00:00.000Z";
  report.against->finished_at.reset();
  EXPECT_THAT(table_rows(page_of(report), "run"),
              ElementsAre(" | This run | Compared with", "Number | 2 | 1", "Label | nightly | before",
                          "Corpus | /games/IS | /games/Demo", "Shard | whole | 1/3", "Profile | compatible | strict",
                          "Enabled rules | nres_linear_lookup | none", "Tool version | 1.2.3 | 1.2.2",
                          "Started | 2026-01-02T03:04:05.678Z | 2025-12-31T00:00:00.000Z",
                          "Finished | 2026-01-02T03:05:06.789Z | incomplete", "Items | 8 | 5", "ok | 5 | 4",
                          "quirk | 1 | 0", "fail | 2 | 0", "unknown | 0 | 1", "Bytes of files | 1144 | 577"));
}

TEST(HtmlPage, ShowsWhatFailsWithFieldOffsetAndSentence) {
  const std::string text = section_text(page_of(full_report()), "failures");
  EXPECT_THAT(text, HasSubstr("2 failing items for 1 finding. 1 archive without a finding of its own"));
  EXPECT_THAT(text, HasSubstr("invalid_stream entry[*].data"));
  EXPECT_THAT(text, HasSubstr("the packed stream breaks the rules of its coding"));
  EXPECT_THAT(text, HasSubstr("a.lib::B0x40entry[1].datait is broken"));
}

TEST(HtmlPage, ShowsRulesWithTheirSentencesAndPlaces) {
  const std::string text = section_text(page_of(full_report()), "rules");
  EXPECT_THAT(text, HasSubstr("1 nres_linear_lookup"));
  EXPECT_THAT(text, HasSubstr(std::string(rule(RuleId::kNresLinearLookup).predicate)));
  EXPECT_THAT(text, HasSubstr(std::string(rule(RuleId::kNresLinearLookup).reason)));
  EXPECT_THAT(text, HasSubstr("q.lib::B0x210entry[0].sort_index"));
  EXPECT_THAT(text, Not(HasSubstr("Not enabled")));
  FileResult strict = sample_file("s.lib");
  strict.items[1].verdict = Verdict::kFail;
  strict.items[1].findings = {golden::test::rule_finding("nres_linear_lookup", false)};
  EXPECT_THAT(section_text(page_of(report_of({strict})), "rules"), HasSubstr("Not enabled"));
}

TEST(HtmlPage, ShowsFormatsUnknownItemsAndNotes) {
  const Element page = page_of(full_report());
  EXPECT_THAT(section_text(page, "formats"), HasSubstr("msh971"));
  EXPECT_THAT(section_text(page, "unknown"), HasSubstr("1 .bin"));
  EXPECT_THAT(section_text(page, "unknown"), HasSubstr("u.bin0x0"));
  EXPECT_THAT(section_text(page, "notes"), HasSubstr("n.lib0x10region[0]odd"));
}

TEST(HtmlPage, ShowsChangesByCategoryAndCauseWithRegressionsFirst) {
  const Element page = page_of(full_report());
  const Element* changes = page.with("id", "changes");
  ASSERT_NE(changes, nullptr);
  std::vector<std::string> headings;
  for (const Element* summary : changes->all("summary")) {
    headings.push_back(summary->text);
  }
  EXPECT_THAT(headings, ElementsAre("2 regressed", "4 new", "1 quirk gained"));
  EXPECT_EQ(changes->all("details").at(0)->attributes.count("open"), 1U);
  EXPECT_THAT(changes->text, HasSubstr("invalid_stream entry[*].data: 2 items, with 1 archive around what changed"));
  EXPECT_THAT(changes->text, HasSubstr("a.lib::Bok -> failverdict changed: ok -> fail; error invalid_stream"));
}

TEST(HtmlPage, SaysThatNothingChangedOrNothingWasCompared) {
  const Element same = page_of(report_of({sample_file("a.lib")}, std::vector{sample_file("a.lib")}));
  EXPECT_THAT(same.all("header").at(0)->text, HasSubstr("Against run 1 (before): nothing regressed."));
  EXPECT_THAT(section_text(same, "changes"), HasSubstr("No differences."));
  const Element alone = page_of(report_of({sample_file("a.lib")}));
  EXPECT_THAT(alone.all("header").at(0)->text, HasSubstr("Not compared with another run."));
  EXPECT_EQ(alone.with("id", "changes"), nullptr);
  EXPECT_THAT(section_text(alone, "failures"), HasSubstr("Nothing fails."));
  EXPECT_THAT(section_text(alone, "rules"), HasSubstr("No rule fired."));
}

TEST(HtmlPage, ShowsFuzzingAndBenchmarksOnlyWhereThereAreSome) {
  const Element page = page_of(full_report());
  EXPECT_THAT(section_text(page, "fuzzing"), HasSubstr("nreslibfuzzer"));
  EXPECT_THAT(section_text(page, "fuzzing"), HasSubstr("500025000000"
                                                       "97.5 %1"));
  EXPECT_THAT(section_text(page, "fuzzing"), HasSubstr("heap-buffer-overflowf < gcrash-13, the first"));
  const std::string benchmarks = section_text(page, "benchmarks");
  EXPECT_THAT(benchmarks, HasSubstr("Measurement 5 (two) against 4 (one): 1 slower, 0 faster."));
  EXPECT_LT(benchmarks.find("BM_Slow"), benchmarks.find("BM_Same")) << "what became slower comes first";
  const Element plain = page_of(report_of({sample_file("a.lib")}));
  EXPECT_EQ(plain.with("id", "fuzzing"), nullptr);
  EXPECT_EQ(plain.with("id", "benchmarks"), nullptr);
}

TEST(HtmlPage, EscapesWhatComesFromOutside) {
  FileResult file = sample_file(kHostile);
  file.items[0].format = kHostile;
  file.items[1].entry = kHostile;
  file.items[1].verdict = Verdict::kFail;
  file.items[1].findings = {{kHostile, Severity::kError, kHostile, false, 1, kHostile, kHostile}};
  file.items[2].verdict = Verdict::kUnknown;
  file.items[2].entry = std::string(kHostile) + std::string(1, '\0');
  Report report = report_of({file}, std::vector{sample_file("gone.lib")});
  report.run.info.label = report.run.info.corpus = report.run.info.tool_version = kHostile;
  const std::string text = html_page(report, kHostile);
  for (const char* bad : {"<script", "\x1f", "\xff"}) {
    EXPECT_EQ(text.find(bad), std::string::npos);
  }
  EXPECT_EQ(text.find('\0'), std::string::npos);
  const Element page = page_of(report);
  EXPECT_THAT(section_text(page, "failures"), HasSubstr(std::string(kHostileShown) + "::" + kHostileShown));
  EXPECT_THAT(section_text(page, "unknown"), HasSubstr(std::string(kHostileShown) + "\\x00"));
  EXPECT_THAT(section_text(page, "run"), HasSubstr(kHostileShown));
}

TEST(HtmlPage, CutsLongListsAndNamesTheCommandThatShowsAll) {
  std::vector<FileResult> before;
  std::vector<FileResult> after;
  for (int number = 100; number < 140; ++number) {
    before.push_back(sample_file(std::to_string(number)));
    after.push_back(broken_file(std::to_string(number)));
    after.push_back(unknown_file(std::to_string(number) + "x"));
  }
  const Element page = page_of(report_of(after, before));
  EXPECT_THAT(section_text(page, "failures"),
              HasSubstr("124::B0x40entry[1].datait is broken... and 15 more: assay report --db is.db 2 --against none "
                        "-o run-2.sarif shows them"));
  EXPECT_THAT(section_text(page, "failures"), Not(HasSubstr("125::B")));
  EXPECT_THAT(section_text(page, "changes"), HasSubstr("... and 15 more: assay diff 1 2 --db is.db --all shows them"));
  EXPECT_THAT(section_text(page, "unknown"), HasSubstr("-o run-2.xml shows them"));
  EXPECT_THAT(page.all("footer").at(0)->text, HasSubstr("100 causes with 25 places each"));
}

TEST(HtmlPage, CutsCampaignsAndCrashes) {
  Report report = full_report();
  report.limits.rows = 1;
  report.fuzzing.resize(3);
  report.fuzzing[0].crashes.resize(2);
  const Element page = page_of(report);
  EXPECT_THAT(cut_lines(page, "fuzzing"), ElementsAre("... and 2 more: assay fuzz list --db is.db shows them",
                                                      "... and 1 more: assay fuzz list --db is.db shows them"));
  EXPECT_THAT(table_rows(page, "fuzzing"),
              ElementsAre(StartsWith("Target | Engine | "), StartsWith("nres | libfuzzer | "),
                          StartsWith("Target | Kind | "), StartsWith("nres | heap-buffer-overflow | ")));
}

TEST(HtmlPage, CutsBenchmarksAndMeasurements) {
  Report report = full_report();
  report.limits.rows = 1;
  report.benchmarks.latest.rows.resize(4);
  const Element page = page_of(report);
  EXPECT_THAT(cut_lines(page, "benchmarks"),
              ElementsAre("... and 3 more: assay perf diff 4 5 --db is.db --all shows them",
                          "... and 1 more: assay perf list --db is.db shows them"));
  EXPECT_THAT(table_rows(page, "benchmarks"), ElementsAre(StartsWith("Benchmark | "), StartsWith("BM_Slow | slower | "),
                                                          StartsWith("Number | "), StartsWith("5 | 2026 | two | ")));
  report.benchmarks.is_compared = false;
  EXPECT_EQ(cut_lines(page_of(report), "benchmarks").at(0),
            "... and 3 more: assay perf diff 5 5 --db is.db --all shows them");
}

TEST(HtmlPage, CutsManyCauses) {
  std::vector<FileResult> after;
  for (const char* path : {"a", "b", "c", "d"}) {
    FileResult file = broken_file(path);
    file.items[2].findings[0].code = std::string("code_") + path;
    after.push_back(file);
  }
  const std::vector<FileResult> before{sample_file("a"), sample_file("b"), sample_file("c"), sample_file("d")};
  const Element page = page_of(report_of(after, before, {.places = 5, .groups = 3, .rows = 5}));
  EXPECT_THAT(section_text(page, "failures"), HasSubstr("1 finding in smaller groups, 1 group:... and 1 more: "));
  EXPECT_THAT(section_text(page, "failures"), Not(HasSubstr("code_d")));
  EXPECT_THAT(section_text(page, "changes"), HasSubstr("... and 1 more: "));
}

TEST(HtmlPage, TheSameReportGivesTheSameBytes) {
  EXPECT_EQ(html_page(full_report(), "is.db"), html_page(full_report(), "is.db"));
}

TEST(ShellWord, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_word("is.db"), "is.db");
  EXPECT_EQ(shell_word("my db"), "'my db'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("-x"), "./-x");
  EXPECT_EQ(shell_word("a\\b"), "'a\\b'");
  EXPECT_EQ(shell_word("\xD0\xBF'\\.db"), "$'\\xd0\\xbf\\'\\\\.db'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace assay::reports
