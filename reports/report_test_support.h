#pragma once

#include <optional>
#include <string>
#include <vector>

#include "golden/test_items.h"
#include "reports/report.h"
#include "reports/watched_source.h"

// Reports as they come from a database, without one.
namespace assay::reports::test {

using golden::FileResult;

// A text that wants to be markup, in a path or a name, as the scan records it and as it cannot record it.
inline constexpr const char* kHostile = "<script>&\"'\x1f\xff";
inline constexpr const char* kHostileShown = "<script>&\"'\\x1f\\xff";

inline golden::RunRecord run_record(std::int64_t id, const std::vector<FileResult>& files,
                                    const std::string& label = "nightly") {
  return {.id = id,
          .info = {.label = label,
                   .corpus = "/games/IS",
                   .profile = "compatible",
                   .tool_version = "1.2.3",
                   .rules = "nres_linear_lookup"},
          .started_at = "2026-01-02T03:04:05.678Z",
          .finished_at = "2026-01-02T03:05:06.789Z",
          .totals = golden::test::totals_of(files)};
}

inline Report report_of(const std::vector<FileResult>& files,
                        const std::optional<std::vector<FileResult>>& before = std::nullopt,
                        const ReportLimits& limits = {}) {
  Report report{.run = run_record(2, files),
                .items = {},
                .against = {},
                .changes = {},
                .fuzzing = {},
                .benchmarks = {},
                .limits = limits};
  ItemCollector collector(golden::test::find_sample_record, limits);
  golden::test::VectorSource source(files);
  WatchedSource watched(source, [&](const FileResult& file) { collector.add(file); });
  if (before) {
    golden::test::VectorSource source_before(*before);
    report.against = run_record(1, *before, "before");
    report.changes = diff(source_before, watched, golden::test::find_sample_record);
  } else {
    static_cast<void>(golden::test::drain(watched));
  }
  report.items = collector.take();
  return report;
}

// Odd, and allowed.
inline golden::ItemFinding gap_note() {
  return {"non_zero_gap", Severity::kNote, "", false, 16, "region[0]", "odd"};
}

// sample_file() with entry B refused.
inline FileResult broken_file(const std::string& path) {
  FileResult file = golden::test::sample_file(path);
  golden::test::break_entry(file, 2);
  return file;
}

// sample_file() with entry B readable through a rule.
inline FileResult quirky_file(const std::string& path) {
  FileResult file = golden::test::sample_file(path);
  file.items[2].verdict = Verdict::kQuirk;
  file.items[2].findings = {golden::test::rule_finding("nres_linear_lookup", true)};
  return file;
}

// A file of its own that no format claims.
inline FileResult unknown_file(const std::string& path) {
  FileResult file{.path = path, .items = {}};
  golden::Item& item = file.items.emplace_back();
  item.format = "unknown";
  item.verdict = Verdict::kUnknown;
  item.size = item.stored_size = 5;
  return file;
}

}  // namespace assay::reports::test
