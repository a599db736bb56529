#include <fmt/format.h>

#include <algorithm>

#include "reports/html_parts.h"
#include "reports/lines.h"

// What changed against the other run: category by category, regressions first, and in each cause by cause.
namespace assay::reports {
namespace {

std::string_view category_sentence(Category category) {
  switch (category) {
    case Category::kRegressed: return "ok or quirk became fail or unknown, unknown became fail, or a new item fails";
    case Category::kFixed: return "fail or unknown became ok or quirk, or fail became unknown";
    case Category::kNew: return "only in this run, and does not fail";
    case Category::kRemoved: return "only in the run before";
    case Category::kReasonChanged: return "fails in both runs, for another reason";
    case Category::kQuirkGained: return "a rule fires that did not";
    case Category::kQuirkLost: return "a rule no longer fires";
    case Category::kContentChanged: return "bytes, format, directory row, facts or other findings differ";
  }
  return {};
}

std::string verdict_or_nothing(const std::optional<Verdict>& verdict) {
  return verdict ? std::string(verdict_text(*verdict)) : "not there";
}

std::string verdicts_text(const DiffItem& item) {
  if (!item.before && !item.after) {
    return "-";
  }
  const std::string after = verdict_or_nothing(item.after);
  return item.before == item.after ? after : verdict_or_nothing(item.before) + " -> " + after;
}

std::uint64_t shown_items(const DiffGroup& group) {
  return static_cast<std::uint64_t>(std::ranges::count(group.items, false, &DiffItem::is_explained));
}

std::string cause_heading(const DiffGroup& group) {
  const std::uint64_t explained = group.items.size() - shown_items(group);
  const std::string items = counted(group.items.size(), "item");
  return explained == 0 ? items : fmt::format("{}, with {} around what changed", items, counted(explained, "archive"));
}

void add_item(Markup& page, const DiffItem& item) {
  page.open("tr");
  add_code_cell(page, address_text(item.path, item.entry));
  page.element("td", verdicts_text(item)).element("td", item.detail).close();
}

// The rows of one cause. Gives how many were cut.
std::uint64_t add_cause(Markup& page, const DiffGroup& group, const ReportLimits& limits) {
  page.open("tbody").open("tr").open("th", {{"scope", "rowgroup"}, {"colspan", "3"}});
  page.element("code", group.cause).text(": " + cause_heading(group)).close().close();
  std::uint64_t shown = 0;
  for (const DiffItem& item : group.items) {
    if (!item.is_explained && shown < limits.places) {
      add_item(page, item);
      ++shown;
    }
  }
  page.close();
  return shown_items(group) - shown;
}

// Groups that have something to show: archives alone that their entries explain are told with the entries.
std::vector<const DiffGroup*> groups_of(const Diff& changes, Category category) {
  std::vector<const DiffGroup*> groups;
  for (const DiffGroup& group : changes.groups) {
    if (group.category == category && shown_items(group) != 0) {
      groups.push_back(&group);
    }
  }
  return groups;
}

void add_category(Markup& page, const Report& report, const Commands& commands, Category category) {
  const std::vector<const DiffGroup*> groups = groups_of(report.changes, category);
  if (groups.empty()) {
    return;
  }
  const bool is_open = category == Category::kRegressed || report.changes.count(category) <= kOpenRows;
  open_details(page, is_open, std::to_string(report.changes.count(category)), category_text(category));
  page.element("p", category_sentence(category));
  open_table(page, {"Item", "Verdict", "What changed"});
  std::uint64_t more = 0;
  for (std::size_t index = 0; index < groups.size(); ++index) {
    more += index < report.limits.groups ? add_cause(page, *groups[index], report.limits) : shown_items(*groups[index]);
  }
  close_table(page);
  add_more(page, more, commands.changes());
  page.close();
}

}  // namespace

void add_changes(Markup& page, const Report& report, const Commands& commands) {
  if (!report.against) {
    return;
  }
  const Diff& changes = report.changes;
  open_section(page, "changes", "Changes");
  page.element("p", fmt::format("Run {} -> run {}: {} before, {} after.{}", report.against->id, report.run.id,
                                counted(changes.compared.items_before, "item"), changes.compared.items_after,
                                changes.empty() ? " No differences." : ""));
  for (std::size_t index = 0; index < kCategories; ++index) {
    add_category(page, report, commands, static_cast<Category>(index));
  }
  page.close();
}

}  // namespace assay::reports
