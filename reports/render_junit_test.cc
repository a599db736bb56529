#include "reports/render_junit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/markup_test_support.h"
#include "reports/report_test_support.h"

namespace assay::reports {
namespace {

using golden::FileResult;
using golden::test::find_sample_record;
using golden::test::sample_file;
using golden::test::VectorSource;
using test::broken_file;
using test::Element;
using test::kHostile;
using test::kHostileShown;
using test::quirky_file;
using test::run_record;
using test::unknown_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string xml_of(const std::vector<FileResult>& files, const std::optional<std::vector<FileResult>>& before = {}) {
  VectorSource source(files);
  if (!before) {
    return junit_xml(run_record(2, files), source, std::nullopt, find_sample_record);
  }
  VectorSource source_before(*before);
  const golden::RunRecord record_before = run_record(1, *before);
  return junit_xml(run_record(2, files), source, Comparison{record_before, source_before}, find_sample_record);
}

Element suites_of(const std::vector<FileResult>& files, const std::optional<std::vector<FileResult>>& before = {}) {
  const std::string text = xml_of(files, before);
  const test::MarkupReader reader(text, test::kXmlPrologue);
  EXPECT_EQ(reader.problem(), "");
  return reader.root();
}

const Element& suite(const Element& suites, const std::string& name) {
  static const Element kNone;
  const Element* found = suites.with("name", name);
  EXPECT_NE(found, nullptr) << name;
  return found == nullptr ? kNone : *found;
}

// The counts that an element states, and those of the cases inside it.
void expect_counts_are_right(const Element& element) {
  EXPECT_EQ(element.attributes.at("tests"), std::to_string(element.all("testcase").size()));
  EXPECT_EQ(element.attributes.at("failures"), std::to_string(element.all("failure").size()));
  EXPECT_EQ(element.attributes.at("skipped"), std::to_string(element.all("skipped").size()));
  EXPECT_EQ(element.attributes.at("errors"), "0");
}

const std::vector<FileResult>& mixed_files() {
  static const std::vector<FileResult> kFiles{broken_file("a.lib"), quirky_file("b.lib"), unknown_file("c.bin")};
  return kFiles;
}

TEST(JunitXml, HasASuiteForEachFormatAndCountsThatAreRight) {
  const Element suites = suites_of(mixed_files(), std::vector{sample_file("a.lib"), sample_file("b.lib")});
  EXPECT_EQ(suites.name, "testsuites");
  std::vector<std::string> names;
  for (const Element& one : suites.children) {
    EXPECT_EQ(one.name, "testsuite");
    names.push_back(one.attributes.at("name"));
    expect_counts_are_right(one);
  }
  EXPECT_THAT(names, ElementsAre("msh", "nres", "unknown", "changes"));
  expect_counts_are_right(suites);
  EXPECT_EQ(suites.attributes.at("tests"), "13") << "9 items and 4 changes";
  EXPECT_EQ(suites.attributes.at("failures"), "4") << "an entry and its archive, in their suites and among the changes";
  EXPECT_EQ(suites.attributes.at("skipped"), "1");
}

TEST(JunitXml, AFailureSaysCodeFieldOffsetAndMessage) {
  const Element suites = suites_of(mixed_files());
  const Element& entry = *suite(suites, "msh").with("name", "a.lib::B");
  EXPECT_EQ(entry.attributes.at("classname"), "msh");
  ASSERT_THAT(entry.children, SizeIs(1));
  EXPECT_EQ(entry.children[0].name, "failure");
  EXPECT_EQ(entry.children[0].attributes.at("type"), "invalid_stream");
  EXPECT_EQ(entry.children[0].attributes.at("message"), "invalid_stream at 0x40, field entry[1].data: it is broken");
  EXPECT_EQ(entry.children[0].text, "error invalid_stream at 0x40, field entry[1].data: it is broken\n");
  const Element& archive = *suite(suites, "nres").with("name", "a.lib");
  EXPECT_EQ(archive.children.at(0).attributes.at("type"), "entries");
}

TEST(JunitXml, ANoteInFrontIsNeitherTheReasonNorPartOfIt) {
  FileResult file = broken_file("a.lib");
  file.items[0].findings = {test::gap_note()};
  file.items[2].findings.insert(file.items[2].findings.begin(), test::gap_note());
  const Element suites = suites_of({file});
  const Element& failure = suite(suites, "msh").with("name", "a.lib::B")->children.at(0);
  EXPECT_EQ(failure.attributes.at("type"), "invalid_stream");
  EXPECT_EQ(failure.text, "error invalid_stream at 0x40, field entry[1].data: it is broken\n");
  EXPECT_EQ(suite(suites, "nres").with("name", "a.lib")->children.at(0).attributes.at("type"), "entries");
}

TEST(JunitXml, WhatIsFineIsEmptyAQuirkNamesItsRuleAndTheUnknownIsSkipped) {
  const Element suites = suites_of(mixed_files());
  EXPECT_THAT(suite(suites, "msh").with("name", "a.lib::A")->children, IsEmpty());
  const Element& quirk = *suite(suites, "msh").with("name", "b.lib::B");
  EXPECT_EQ(quirk.children.at(0).name, "system-out");
  EXPECT_THAT(quirk.text, HasSubstr("rule nres_linear_lookup used: sort_order_mismatch at 0x210"));
  EXPECT_EQ(suite(suites, "unknown").with("name", "c.bin")->children.at(0).name, "skipped");
}

TEST(JunitXml, ARuleThatWasNotEnabledIsNamedInTheFailure) {
  FileResult strict = sample_file("s.lib");
  strict.items[1].verdict = Verdict::kFail;
  strict.items[1].findings = {golden::test::rule_finding("nres_linear_lookup", false)};
  EXPECT_THAT(suites_of({strict}).all("failure").at(0)->text, HasSubstr("[rule nres_linear_lookup, not enabled]"));
}

TEST(JunitXml, OnlyWhatRegressedIsAFailureAmongTheChanges) {
  const Element suites = suites_of(mixed_files(), std::vector{sample_file("a.lib"), sample_file("b.lib")});
  const Element& changes = suite(suites, "changes");
  const Element& regressed = *changes.with("name", "a.lib::B");
  EXPECT_EQ(regressed.attributes.at("classname"), "regressed");
  EXPECT_EQ(regressed.children.at(0).name, "failure");
  EXPECT_EQ(regressed.children.at(0).attributes.at("message"), "invalid_stream entry[*].data");
  EXPECT_THAT(regressed.text, HasSubstr("verdict changed: ok -> fail"));
  EXPECT_EQ(changes.with("name", "b.lib::B")->attributes.at("classname"), "quirk gained");
  EXPECT_EQ(changes.with("name", "b.lib::B")->children.at(0).name, "system-out");
  EXPECT_EQ(changes.with("name", "c.bin")->attributes.at("classname"), "new");
  const Element same = suites_of({sample_file("a.lib")}, std::vector{sample_file("a.lib")});
  EXPECT_EQ(suite(same, "changes").attributes.at("tests"), "0");
  EXPECT_EQ(suites_of({sample_file("a.lib")}).with("name", "changes"), nullptr);
}

TEST(JunitXml, NamesTheRun) {
  const Element suites = suites_of({sample_file("a.lib")}, std::vector{sample_file("a.lib")});
  const Element& nres = suite(suites, "nres");
  EXPECT_EQ(nres.attributes.at("timestamp"), "2026-01-02T03:04:05");
  EXPECT_EQ(nres.with("name", "corpus")->attributes.at("value"), "/games/IS");
  EXPECT_EQ(nres.with("name", "run")->attributes.at("value"), "2");
  EXPECT_EQ(nres.with("name", "against")->attributes.at("value"), "1");
}

TEST(JunitXml, EscapesWhatXmlCannotHold) {
  FileResult file = sample_file(std::string(kHostile) + "\xd0\xb6\xef\xbf\xbe" + std::string(1, '\0'));
  file.items[1].verdict = Verdict::kFail;
  file.items[1].entry = kHostile;
  file.items[1].format = kHostile;
  file.items[1].findings = {{kHostile, Severity::kError, kHostile, false, 1, kHostile, kHostile}};
  const Element suites = suites_of({file}, std::vector{sample_file("gone.lib")});
  EXPECT_NE(suite(suites, "nres").with("name", std::string(kHostileShown) + "\xd0\xb6\\xef\\xbf\\xbe\\x00"), nullptr);
  const Element& failed = suite(suites, kHostileShown);
  EXPECT_EQ(failed.all("failure").at(0)->attributes.at("type"), kHostileShown);
}

TEST(JunitXml, TheSameRunGivesTheSameBytes) {
  EXPECT_EQ(xml_of(mixed_files()), xml_of(mixed_files()));
}

}  // namespace
}  // namespace assay::reports
