#include "reports/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "parsers/base/field_text.h"
#include "reports/lines.h"
#include "reports/watched_source.h"

namespace assay::reports {
namespace {

using golden::FileResult;
using golden::Item;
using golden::ItemFinding;

constexpr std::size_t kMaxCountedNames = 10'000;
constexpr std::string_view kUnknownFormat = "unknown";
// Endings longer than this are parts of a name.
constexpr std::size_t kMaxEndingBytes = 8;

// The ending of the last part of an address, in lower case, or nothing.
std::string ending_of(std::string_view address) {
  const std::size_t last_part = address.find_last_of("/:");
  const std::string_view name = last_part == std::string_view::npos ? address : address.substr(last_part + 1);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size() || name.size() - dot > kMaxEndingBytes) {
    return {};
  }
  std::string ending(name.substr(dot));
  std::ranges::transform(ending, ending.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return ending;
}

std::vector<PerfRow> medians_of(const golden::Measurement& measurement) {
  std::vector<PerfRow> rows;
  for (const golden::Series& series : measurement.series) {
    if (series.metric == "cpu_time" && !series.values.empty()) {
      PerfRow& row = rows.emplace_back();
      row.name = series.name;
      row.after_ns = golden::median(series.values);
      row.is_control = is_control(series.name);
    }
  }
  return rows;
}

// Nothing where there is no measurement before the latest, or none of the same benchmarks.
std::optional<PerfDiff> against_the_one_before(const golden::PerfStore& perf,
                                               const std::vector<golden::MeasurementRecord>& measurements,
                                               const golden::Measurement& latest) {
  if (measurements.size() < 2) {
    return std::nullopt;
  }
  try {
    return compare_measurements(perf.load(measurements[measurements.size() - 2]), latest, perf.noise());
  } catch (const golden::BenchmarkFileError&) {
    return std::nullopt;
  }
}

}  // namespace

bool is_failing(const ItemFinding& finding) {
  return finding.severity == Severity::kError || (finding.severity == Severity::kStrict && !finding.applied);
}

void PlaceCounter::add(const std::string& name, Place place) {
  ++count_;
  auto group = groups_.find(name);
  if (group == groups_.end()) {
    if (groups_.size() == kMaxCountedNames) {
      ++beyond_;
      return;
    }
    group = groups_.emplace(name, PlaceGroup{.name = name, .places = {}}).first;
  }
  ++group->second.count;
  if (group->second.places.size() < limits_.places) {
    group->second.places.push_back(std::move(place));
  }
}

PlaceGroups PlaceCounter::take() {
  PlaceGroups taken{.groups = {}, .count = count_, .more_groups = beyond_, .more_count = beyond_};
  for (auto& [name, group] : groups_) {
    taken.groups.push_back(std::move(group));
  }
  std::ranges::sort(taken.groups, [](const PlaceGroup& left, const PlaceGroup& right) {
    return std::tuple(right.count, std::string_view(left.name)) < std::tuple(left.count, std::string_view(right.name));
  });
  while (taken.groups.size() > limits_.groups) {
    ++taken.more_groups;
    taken.more_count += taken.groups.back().count;
    taken.groups.pop_back();
  }
  return taken;
}

ItemCollector::ItemCollector(const golden::RecordFinder& find_record, const ReportLimits& limits)
    : find_record_(find_record),
      failures_(limits),
      applied_rules_(limits),
      refused_rules_(limits),
      notes_(limits),
      unknown_(limits) {}

void ItemCollector::add(const FileResult& file) {
  for (const Item& item : file.items) {
    add_item(file.path, item);
  }
}

void ItemCollector::add_item(const std::string& path, const Item& item) {
  FormatCount& format = formats_[item.format];
  format.format = item.format;
  ++format.items;
  ++format.verdicts[static_cast<std::size_t>(item.verdict)];
  format.bytes += item.size;
  bool has_reason = false;
  for (const ItemFinding& finding : item.findings) {
    has_reason = add_finding(path, item, finding) || has_reason;
  }
  if (item.verdict == Verdict::kFail && !has_reason) {
    ++failing_archives_;
  }
  if (item.verdict == Verdict::kUnknown) {
    unknown_.add(kind_of(path, item), {.path = path, .entry = item.entry, .offset = item.offset});
  }
}

bool ItemCollector::add_finding(const std::string& path, const Item& item, const ItemFinding& finding) {
  const Place place{
      .path = path, .entry = item.entry, .offset = finding.offset, .field = finding.field, .message = finding.message};
  if (!finding.rule.empty()) {
    (finding.applied ? applied_rules_ : refused_rules_).add(finding.rule, place);
  }
  if (is_failing(finding)) {
    failures_.add(finding.code + " " + without_indexes(finding.field), place);
    return true;
  }
  if (finding.severity == Severity::kNote) {
    notes_.add(finding.code, place);
  }
  return false;
}

std::string ItemCollector::kind_of(const std::string& path, const Item& item) const {
  std::string kind;
  const RecordInfo* record = item.row.record.empty() ? nullptr : find_record_(item.row.record);
  const FieldInfo* type = record == nullptr ? nullptr : record->find("type_id");
  if (type != nullptr && std::size_t{type->offset} + type->size_bytes <= item.row.bytes.size()) {
    kind = "type " + field_text(*type, Bytes(item.row.bytes).subspan(type->offset, type->size_bytes));
  }
  const std::string ending = ending_of(item.entry.empty() ? path : item.entry);
  if (!ending.empty()) {
    kind += (kind.empty() ? "" : ", ") + ending;
  }
  return kind.empty() ? "no ending" : kind;
}

ItemSummary ItemCollector::take() {
  ItemSummary summary;
  for (auto& [name, format] : formats_) {
    summary.formats.push_back(std::move(format));
  }
  std::ranges::sort(summary.formats, {}, [](const FormatCount& format) {
    return std::pair(format.format == kUnknownFormat, std::string_view(format.format));
  });
  summary.failures = failures_.take();
  summary.failing_archives = failing_archives_;
  summary.applied_rules = applied_rules_.take();
  summary.refused_rules = refused_rules_.take();
  summary.notes = notes_.take();
  summary.unknown = unknown_.take();
  return summary;
}

std::vector<FuzzTarget> latest_campaigns(std::vector<golden::FuzzCampaign> campaigns) {
  std::map<std::pair<std::string, std::string>, FuzzTarget> targets;
  for (golden::FuzzCampaign& campaign : campaigns) {
    FuzzTarget& target = targets[{campaign.target, campaign.engine}];
    for (golden::FuzzCrash& crash : campaign.crashes) {
      target.crashes.push_back({std::move(crash), campaign.id});
    }
    campaign.crashes.clear();
    target.latest = std::move(campaign);
  }
  std::vector<FuzzTarget> list;
  for (auto& [name, target] : targets) {
    list.push_back(std::move(target));
  }
  return list;
}

PerfSummary summarize_measurements(const golden::PerfStore& perf) {
  PerfSummary summary{.measurements = perf.list(), .latest = {}};
  if (summary.measurements.empty()) {
    return summary;
  }
  const golden::Measurement latest = perf.load(summary.measurements.back());
  if (auto compared = against_the_one_before(perf, summary.measurements, latest)) {
    summary.latest = std::move(*compared);
    summary.is_compared = true;
    return summary;
  }
  summary.latest.rows = medians_of(latest);
  return summary;
}

Report gather_report(const golden::Store& store, const golden::RunRecord& run,
                     const std::optional<golden::RunRecord>& against, const golden::RecordFinder& find_record,
                     const ReportLimits& limits) {
  Report report{
      .run = run, .items = {}, .against = against, .changes = {}, .fuzzing = {}, .benchmarks = {}, .limits = limits};
  ItemCollector collector(find_record, limits);
  const auto files = store.files(run);
  WatchedSource watched(*files, [&](const FileResult& file) { collector.add(file); });
  if (against) {
    const auto files_before = store.files(*against);
    report.changes = diff(*files_before, watched, find_record);
  } else {
    while (watched.next()) {
    }
  }
  report.items = collector.take();
  report.fuzzing = latest_campaigns(store.campaigns());
  report.benchmarks = summarize_measurements(store.perf());
  return report;
}

}  // namespace assay::reports
