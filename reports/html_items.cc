#include <fmt/format.h>

#include <algorithm>

#include "parsers/base/rules.h"
#include "reports/html_parts.h"
#include "reports/lines.h"

// The items of the run: what fails, the rules, the formats, what is unknown, the notes.
namespace assay::reports {
namespace {

enum class Detail : std::uint8_t { kPlaceOnly, kFieldAndMessage };

void add_place(Markup& page, const Place& place, Detail detail) {
  page.open("tr");
  add_code_cell(page, address_text(place.path, place.entry));
  add_number_cell(page, fmt::format("{:#x}", place.offset));
  if (detail == Detail::kFieldAndMessage) {
    add_code_cell(page, place.field);
    page.element("td", place.message);
  }
  page.close();
}

void add_places(Markup& page, const PlaceGroup& group, Detail detail, const std::string& command) {
  if (detail == Detail::kFieldAndMessage) {
    open_table(page, {"Item", "Offset", "Field", "Message"});
  } else {
    open_table(page, {"Item", "Offset"});
  }
  page.open("tbody");
  for (const Place& place : group.places) {
    add_place(page, place, detail);
  }
  page.close();
  close_table(page);
  add_more(page, group.count - group.places.size(), command);
}

void add_sentence(Markup& page, std::string_view sentence) {
  if (!sentence.empty()) {
    page.element("p", sentence);
  }
}

void add_cut_groups(Markup& page, const PlaceGroups& groups, std::string_view what, const std::string& command) {
  if (groups.more_groups != 0) {
    page.element("p", fmt::format("{} in smaller groups, {}:", counted(groups.more_count, what),
                                  counted(groups.more_groups, "group")));
    add_more(page, groups.more_count, command);
  }
}

// All groups that name a code first.
void add_code_groups(Markup& page, const PlaceGroups& groups, const std::string& command) {
  for (const PlaceGroup& group : groups.groups) {
    open_details(page, group.count <= kOpenRows, std::to_string(group.count), group.name);
    add_sentence(page, code_sentence(std::string_view(group.name).substr(0, group.name.find(' '))));
    add_places(page, group, Detail::kFieldAndMessage, command);
    page.close();
  }
  add_cut_groups(page, groups, "finding", command);
}

void add_rule_sentence(Markup& page, const std::string& name) {
  if (const auto id = find_rule(name)) {
    page.open("p").element("strong", "When ").text(rule(*id).predicate).close();
    page.open("p").element("strong", "Then ").text(rule(*id).reason).close();
  }
}

void add_rule_groups(Markup& page, const PlaceGroups& groups, const std::string& command) {
  for (const PlaceGroup& group : groups.groups) {
    open_details(page, group.count <= kOpenRows, std::to_string(group.count), group.name);
    add_rule_sentence(page, group.name);
    add_places(page, group, Detail::kFieldAndMessage, command);
    page.close();
  }
  add_cut_groups(page, groups, "finding", command);
}

void add_format_row(Markup& page, const FormatCount& format) {
  page.open("tr").open("th", {{"scope", "row"}}).element("code", format.format).close();
  add_number_cell(page, format.items);
  for (const std::uint64_t count : format.verdicts) {
    add_number_cell(page, count == 0 ? std::string("-") : std::to_string(count));
  }
  add_number_cell(page, format.bytes);
  page.close();
}

}  // namespace

void add_failures(Markup& page, const Report& report, const Commands& commands) {
  const ItemSummary& items = report.items;
  open_section(page, "failures", "What fails");
  std::string sentence = report.run.totals.fail == 0
                             ? std::string("Nothing fails.")
                             : fmt::format("{} for {}.", counted(report.run.totals.fail, "failing item"),
                                           counted(items.failures.count, "finding"));
  if (items.failing_archives != 0) {
    sentence += fmt::format(" {} without a finding of its own: what fails lies inside.",
                            counted(items.failing_archives, "archive"));
  }
  page.element("p", sentence);
  add_code_groups(page, items.failures, commands.findings());
  page.close();
}

void add_rules(Markup& page, const Report& report, const Commands& commands) {
  const ItemSummary& items = report.items;
  open_section(page, "rules", "Named rules");
  if (items.applied_rules.empty() && items.refused_rules.empty()) {
    page.element("p", "No rule fired.");
  }
  add_rule_groups(page, items.applied_rules, commands.findings());
  if (!items.refused_rules.empty()) {
    page.element("h3", "Not enabled");
    page.element("p", "What these rules would have covered, had the run enabled them.");
    add_rule_groups(page, items.refused_rules, commands.findings());
  }
  page.close();
}

void add_formats(Markup& page, const Report& report) {
  open_section(page, "formats", "Items by format and verdict");
  open_table(page, {"Format", "Items", "ok", "quirk", "fail", "unknown", "Bytes"});
  page.open("tbody");
  for (const FormatCount& format : report.items.formats) {
    add_format_row(page, format);
  }
  page.close();
  close_table(page);
  page.element("p", "Bytes are decoded sizes; what lies in an archive counts there too.");
  page.close();
}

void add_unknown(Markup& page, const Report& report, const Commands& commands) {
  const PlaceGroups& unknown = report.items.unknown;
  open_section(page, "unknown", "Unknown items by kind");
  page.element("p", unknown.empty() ? std::string("Every item belongs to a format.")
                                    : fmt::format("No format claims {}.", counted(unknown.count, "item")));
  for (const PlaceGroup& group : unknown.groups) {
    open_details(page, false, std::to_string(group.count), group.name);
    add_places(page, group, Detail::kPlaceOnly, commands.items());
    page.close();
  }
  add_cut_groups(page, unknown, "item", commands.items());
  page.close();
}

void add_notes(Markup& page, const Report& report, const Commands& commands) {
  if (report.items.notes.empty()) {
    return;
  }
  open_section(page, "notes", "Notes");
  page.element("p", "Odd, and allowed.");
  add_code_groups(page, report.items.notes, commands.findings());
  page.close();
}

}  // namespace assay::reports
