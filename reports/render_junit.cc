#include "reports/render_junit.h"

#include <fmt/format.h>

#include <map>

#include "reports/diff.h"
#include "reports/lines.h"
#include "reports/markup.h"
#include "reports/report.h"
#include "reports/watched_source.h"

namespace assay::reports {
namespace {

using golden::FileResult;
using golden::Item;
using golden::ItemFinding;

// "2026-01-02T03:04:05": the dialect has neither parts of a second nor a zone.
constexpr std::size_t kTimestampBytes = 19;
constexpr std::string_view kOfEntries = "entries";

struct Counts {
  std::uint64_t tests = 0;
  std::uint64_t failures = 0;
  std::uint64_t skipped = 0;

  void add(const Counts& more) {
    tests += more.tests;
    failures += more.failures;
    skipped += more.skipped;
  }
};

// Test cases of one suite as they will stand in it.
struct Suite {
  Counts counts;
  Markup cases{Shown::kUtf8, {}};
};

std::string place_and_message(const ItemFinding& finding) {
  const std::string field = finding.field.empty() ? std::string() : ", field " + finding.field;
  return fmt::format("{} at {:#x}{}: {}", finding.code, finding.offset, field, finding.message);
}

std::string failing_line(const ItemFinding& finding) {
  const std::string rule = finding.rule.empty() ? std::string() : fmt::format(" [rule {}, not enabled]", finding.rule);
  return fmt::format("{} {}{}", severity_text(finding.severity), place_and_message(finding), rule);
}

void add_failure(Markup& cases, const Item& item) {
  const ItemFinding* first = nullptr;
  for (const ItemFinding& finding : item.findings) {
    if (first == nullptr && is_failing(finding)) {
      first = &finding;
    }
  }
  if (first == nullptr) {
    cases.empty("failure", {{"type", kOfEntries}, {"message", "fails through its entries alone"}});
    return;
  }
  cases.open("failure", {{"type", first->code}, {"message", place_and_message(*first)}});
  for (const ItemFinding& finding : item.findings) {
    if (is_failing(finding)) {
      cases.text(failing_line(finding)).raw("\n");
    }
  }
  cases.close();
}

void add_used_rules(Markup& cases, const Item& item) {
  cases.open("system-out");
  for (const ItemFinding& finding : item.findings) {
    if (finding.applied) {
      cases.text(fmt::format("rule {} used: {}", finding.rule, place_and_message(finding))).raw("\n");
    }
  }
  cases.close();
}

void add_case(Suite& suite, const std::string& path, const Item& item) {
  ++suite.counts.tests;
  suite.cases.open("testcase", {{"classname", item.format}, {"name", address_text(path, item.entry)}});
  switch (item.verdict) {
    case Verdict::kOk: break;
    case Verdict::kQuirk: add_used_rules(suite.cases, item); break;
    case Verdict::kFail:
      ++suite.counts.failures;
      add_failure(suite.cases, item);
      break;
    case Verdict::kUnknown:
      ++suite.counts.skipped;
      suite.cases.empty("skipped", {{"message", "no format claims it"}});
      break;
  }
  suite.cases.close();
}

void add_change(Suite& suite, const DiffGroup& group, const DiffItem& item) {
  const std::string_view category = category_text(group.category);
  ++suite.counts.tests;
  suite.cases.open("testcase", {{"classname", category}, {"name", address_text(item.path, item.entry)}});
  if (group.category == Category::kRegressed) {
    ++suite.counts.failures;
    suite.cases.element("failure", item.detail, {{"type", category}, {"message", group.cause}});
  } else {
    suite.cases.element("system-out", item.detail);
  }
  suite.cases.close();
}

Suite suite_of(const Diff& changes) {
  Suite suite;
  for (const DiffGroup& group : changes.groups) {
    for (const DiffItem& item : group.items) {
      add_change(suite, group, item);
    }
  }
  return suite;
}

void add_property(Markup& xml, std::string_view name, std::string_view value) {
  xml.empty("property", {{"name", name}, {"value", value}});
}

class JunitPage {
 public:
  JunitPage(const golden::RunRecord& run, const std::optional<Comparison>& before) : run_(run), before_(before) {}

  void add(std::string_view name, Suite suite) {
    const Counts counts = suite.counts;
    all_.add(counts);
    suites_.open("testsuite", {{"name", name},
                               {"tests", std::to_string(counts.tests)},
                               {"failures", std::to_string(counts.failures)},
                               {"errors", "0"},
                               {"skipped", std::to_string(counts.skipped)},
                               {"timestamp", std::string_view(run_.started_at).substr(0, kTimestampBytes)}});
    add_properties();
    suites_.raw(suite.cases.take()).close();
  }

  std::string take() {
    Markup xml(Shown::kUtf8, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.open("testsuites", {{"name", "Iron Assay"},
                            {"tests", std::to_string(all_.tests)},
                            {"failures", std::to_string(all_.failures)},
                            {"errors", "0"},
                            {"skipped", std::to_string(all_.skipped)}});
    xml.raw("\n").raw(suites_.take()).close();
    return xml.take();
  }

 private:
  void add_properties() {
    suites_.raw("\n").open("properties").raw("\n");
    add_property(suites_, "run", std::to_string(run_.id));
    add_property(suites_, "label", run_.info.label);
    add_property(suites_, "corpus", run_.info.corpus);
    add_property(suites_, "profile", run_.info.profile);
    add_property(suites_, "tool_version", run_.info.tool_version);
    if (before_) {
      add_property(suites_, "against", std::to_string(before_->run.id));
    }
    suites_.close();
  }

  const golden::RunRecord& run_;
  const std::optional<Comparison>& before_;
  Counts all_;
  Markup suites_{Shown::kUtf8, {}};
};

}  // namespace

std::string junit_xml(const golden::RunRecord& run, golden::FileSource& files, const std::optional<Comparison>& before,
                      const golden::RecordFinder& find_record) {
  std::map<std::string, Suite> formats;
  WatchedSource watched(files, [&](const FileResult& file) {
    for (const Item& item : file.items) {
      add_case(formats[item.format], file.path, item);
    }
  });
  Diff changes;
  if (before) {
    changes = diff(before->files, watched, find_record);
  } else {
    while (watched.next()) {
    }
  }
  JunitPage page(run, before);
  for (auto& [format, suite] : formats) {
    page.add(format, std::move(suite));
  }
  if (before) {
    page.add("changes", suite_of(changes));
  }
  return page.take();
}

}  // namespace assay::reports
