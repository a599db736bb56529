#include "reports/render_html.h"

#include <fmt/format.h>

#include "reports/html_parts.h"
#include "reports/lines.h"

namespace assay::reports {
namespace {

// Colours of the system where they do, so that the page is light or dark as its reader likes it.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --line: #c8ccd0; --soft: #f3f4f6; --ok: #1a7f37; --quirk: #8a6100; --fail: #c4202b;
  --unknown: #5b6470; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3d444d; --soft: #1d2126; --ok: #57c46f; --quirk: #d9a62e; --fail: #ff7b72; --unknown: #9aa4af; }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 0 auto; padding: 0 1rem 3rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.15rem 0.9rem 0.15rem 0; border-bottom: 1px solid var(--line);
  font-weight: normal; overflow-wrap: anywhere; }
thead th { font-weight: 600; overflow-wrap: normal; } th[scope=rowgroup] { padding-top: 0.8rem; font-weight: 600; }
td:first-child { min-width: 14rem; }
td.number { text-align: right; white-space: nowrap; min-width: 0; font-variant-numeric: tabular-nums; }
details { margin: 0.5rem 0; } details > :not(summary) { margin-left: 1.1rem; }
summary { cursor: pointer; padding: 0.15rem 0.3rem; background: var(--soft); }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0 1.2rem; padding: 0; }
.ok { color: var(--ok); } .quirk { color: var(--quirk); } .fail { color: var(--fail); }
.unknown { color: var(--unknown); }
footer { margin-top: 3rem; color: var(--unknown); }
)";

std::string run_name(const golden::RunRecord& run) {
  return run.info.label.empty() ? fmt::format("run {}", run.id) : fmt::format("run {} ({})", run.id, run.info.label);
}

void add_head(Markup& page, const Report& report) {
  page.open("head");
  page.empty("meta", {{"charset", "utf-8"}});
  page.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  page.empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  page.element("title", fmt::format("Iron Assay: {} of {}", run_name(report.run), report.run.info.corpus));
  page.open("style").raw(kStyle).close();
  page.close();
}

void add_count(Markup& page, std::uint64_t count, std::string_view verdict, std::string_view after) {
  const std::string text = fmt::format("{} {}", count, verdict);
  // What is not there needs no colour.
  if (count == 0) {
    page.text(text);
  } else {
    page.element("strong", text, {{"class", verdict}});
  }
  page.text(after);
}

void add_totals(Markup& page, const golden::Totals& totals) {
  page.open("p").text(counted(totals.items, "item") + ": ");
  add_count(page, totals.ok, "ok", ", ");
  add_count(page, totals.quirk, "quirk", ", ");
  add_count(page, totals.fail, "fail", ", ");
  add_count(page, totals.unknown, "unknown", fmt::format("; {} of files.", counted(totals.bytes, "byte")));
  page.close();
}

void add_change_counts(Markup& page, const Report& report) {
  if (!report.against) {
    page.element("p", "Not compared with another run.");
    return;
  }
  page.open("p").text(fmt::format("Against {}: ", run_name(*report.against)));
  if (report.changes.has_regressed()) {
    page.element("strong", fmt::format("{} regressed", report.changes.count(Category::kRegressed)),
                 {{"class", "fail"}});
  } else {
    page.text("nothing regressed");
  }
  for (std::size_t index = 1; index < kCategories; ++index) {
    if (report.changes.counts[index] != 0) {
      page.text(fmt::format(", {} {}", report.changes.counts[index], category_text(static_cast<Category>(index))));
    }
  }
  page.text(".").close();
}

void add_link(Markup& page, std::string_view id, std::string_view title, bool is_there) {
  if (is_there) {
    page.open("li").element("a", title, {{"href", fmt::format("#{}", id)}}).close();
  }
}

void add_links(Markup& page, const Report& report) {
  page.open("nav").open("ul");
  add_link(page, "run", "Run", true);
  add_link(page, "changes", "Changes", report.against.has_value());
  add_link(page, "failures", "What fails", true);
  add_link(page, "rules", "Named rules", true);
  add_link(page, "formats", "Formats", true);
  add_link(page, "unknown", "Unknown", true);
  add_link(page, "notes", "Notes", !report.items.notes.empty());
  add_link(page, "fuzzing", "Fuzzing", !report.fuzzing.empty());
  add_link(page, "benchmarks", "Benchmarks", !report.benchmarks.measurements.empty());
  page.close().close();
}

// A property of the run, beside that of the other run where there is one.
class RunTable {
 public:
  RunTable(Markup& page, const Report& report) : page_(page), report_(report) {}

  template <typename Value>
  void add(std::string_view name, Value value) {
    page_.open("tr").element("th", name, {{"scope", "row"}}).element("td", value(report_.run));
    if (report_.against) {
      page_.element("td", value(*report_.against));
    }
    page_.close();
  }

 private:
  Markup& page_;
  const Report& report_;
};

void add_run(Markup& page, const Report& report) {
  using golden::RunRecord;
  open_section(page, "run", "Run");
  if (report.against) {
    open_table(page, {"", "This run", "Compared with"});
  } else {
    open_table(page, {"", "This run"});
  }
  page.open("tbody");
  RunTable table(page, report);
  table.add("Number", [](const RunRecord& run) { return std::to_string(run.id); });
  table.add("Label", [](const RunRecord& run) { return run.info.label.empty() ? "-" : run.info.label; });
  table.add("Corpus", [](const RunRecord& run) { return run.info.corpus; });
  table.add("Shard", [](const RunRecord& run) { return run.info.shard.is_whole() ? "whole" : run.info.shard.text(); });
  table.add("Profile", [](const RunRecord& run) { return run.info.profile; });
  table.add("Enabled rules", [](const RunRecord& run) { return run.info.rules.empty() ? "none" : run.info.rules; });
  table.add("Tool version", [](const RunRecord& run) { return run.info.tool_version; });
  table.add("Started", [](const RunRecord& run) { return run.started_at; });
  table.add("Finished", [](const RunRecord& run) { return run.finished_at.value_or("incomplete"); });
  table.add("Items", [](const RunRecord& run) { return std::to_string(run.totals.items); });
  table.add("ok", [](const RunRecord& run) { return std::to_string(run.totals.ok); });
  table.add("quirk", [](const RunRecord& run) { return std::to_string(run.totals.quirk); });
  table.add("fail", [](const RunRecord& run) { return std::to_string(run.totals.fail); });
  table.add("unknown", [](const RunRecord& run) { return std::to_string(run.totals.unknown); });
  table.add("Bytes of files", [](const RunRecord& run) { return std::to_string(run.totals.bytes); });
  page.close();
  close_table(page);
  page.close();
}

void add_sections(Markup& page, const Report& report, const Commands& commands) {
  add_run(page, report);
  add_changes(page, report, commands);
  add_failures(page, report, commands);
  add_rules(page, report, commands);
  add_formats(page, report);
  add_unknown(page, report, commands);
  add_notes(page, report, commands);
  add_fuzzing(page, report, commands);
  add_benchmarks(page, report, commands);
}

}  // namespace

std::string html_page(const Report& report, const std::string& database) {
  const Commands commands(report, database);
  Markup page(Shown::kAscii, "<!DOCTYPE html>\n");
  page.open("html", {{"lang", "en"}});
  add_head(page, report);
  page.open("body");
  page.open("header").element("h1", fmt::format("Iron Assay: {} of {}", run_name(report.run), report.run.info.corpus));
  add_totals(page, report.run.totals);
  add_change_counts(page, report);
  add_links(page, report);
  page.close().open("main");
  add_sections(page, report, commands);
  page.close();
  page.element(
      "footer",
      fmt::format("Lists are cut at {} causes with {} places each, and at {} campaigns, crashes or benchmarks. "
                  "Offsets count bytes from the start of the file; inside decoded data they are those of the "
                  "stored payload.",
                  report.limits.groups, report.limits.places, report.limits.rows));
  page.close().close();
  return page.take();
}

}  // namespace assay::reports
