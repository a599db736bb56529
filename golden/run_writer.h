#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "golden/item.h"
#include "golden/shard.h"
#include "golden/sqlite.h"

namespace assay::golden {

// What is known of a run when it starts.
struct RunInfo {
  std::string label;
  std::string corpus;
  std::string profile;
  std::string tool_version;
  // The rules that were enabled, as a text.
  std::string rules;
  // Stands for everything besides the files that the results depend on (golden/scan/scan_key.h). Without it no later
  // scan takes results of this run over.
  std::optional<Sha256> scan_key{};
  Shard shard{};

  friend bool operator==(const RunInfo&, const RunInfo&) = default;
};

// A measured value; never compared when runs are.
struct Metric {
  std::string name;
  std::string metric;
  double value = 0;
  std::string unit;
};

// When collected results are written: at so many rows, or when the oldest has waited for so long.
struct BatchLimits {
  std::size_t rows = 5'000;
  std::chrono::milliseconds age{1'000};
};

// Records one run. Results are collected and written in batches, each in one transaction, so that no lock is held
// while nothing is written and two runs can be recorded at once. Without finish() the run stays incomplete; a process
// killed at any moment leaves every finished run as it was. Not for two threads at once.
//
// All functions throw StoreError; after that the writer only throws. Cost: O(rows); memory: one batch.
class RunWriter {
 public:
  RunWriter(Database& database, const RunInfo& info, const BatchLimits& limits);
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;
  RunWriter(RunWriter&&) noexcept;
  RunWriter& operator=(RunWriter&&) noexcept;

  [[nodiscard]] std::int64_t run_id() const { return run_id_; }

  // Takes one file, in any order of paths. Requires: a path that this run does not have yet.
  void add(FileResult file);
  // Writes what was collected.
  void flush();
  // Notes something measured in or for this run, e.g. {"scan", "wall_time", 1.5, "s"}; written by finish(). Requires: a
  // pair of `name` and `metric` that this run does not have yet.
  void add_metric(Metric metric) { metrics_.push_back(std::move(metric)); }
  // Writes the rest and completes the run, in one transaction. `corpus_files` is how many files the corpus has, those
  // of all shards, where that is known. Requires: `totals` counts the items that were added.
  void finish(const Totals& totals, std::optional<std::uint64_t> corpus_files = std::nullopt);

 private:
  class Rows;

  void write_collected();
  void write_metrics();

  Database* database_;
  BatchLimits limits_;
  std::int64_t run_id_ = 0;
  std::unique_ptr<Rows> rows_;
  std::vector<FileResult> collected_;
  std::vector<Metric> metrics_;
  std::size_t collected_rows_ = 0;
  std::uint64_t added_items_ = 0;
  std::chrono::steady_clock::time_point oldest_{};
  bool is_broken_ = false;
};

}  // namespace assay::golden
