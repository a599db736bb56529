#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "golden/fuzz/campaign.h"
#include "golden/item.h"
#include "golden/perf/perf_store.h"
#include "golden/run_writer.h"
#include "golden/sqlite.h"

// The database of runs (docs/database.md).
namespace assay::golden {

// A recorded run. Without finished_at it is incomplete: cut off, or still being written; its totals are then zero.
struct RunRecord {
  std::int64_t id = 0;
  RunInfo info;
  // ISO 8601, UTC, with milliseconds.
  std::string started_at;
  std::optional<std::string> finished_at;
  Totals totals;
  // How many files the corpus had, those of all shards; nothing where that was not noted.
  std::optional<std::uint64_t> corpus_files{};

  [[nodiscard]] bool is_complete() const { return finished_at.has_value(); }
};

// One connection to one database. Movable; not for two threads at once. Every function throws StoreError when the
// database cannot be used, at whatever moment that shows.
class Store {
 public:
  // kUntouched is for one of many databases to read at once: like kReadOnly, but an older schema is refused instead of
  // upgraded, and little of the file is kept in memory.
  enum class Mode : std::uint8_t { kReadOnly, kUntouched, kReadWriteCreate };
  static constexpr std::chrono::milliseconds kLockTimeout{60'000};

  // Opens the database at `path`; kReadWriteCreate makes a new one where there is none or the file is empty. A database
  // of an older schema is upgraded in both modes but kUntouched. Only kReadWriteCreate records anything. Cost: O(1).
  [[nodiscard]] static Store open(const std::filesystem::path& path, Mode mode,
                                  std::chrono::milliseconds lock_timeout = kLockTimeout);

  // A new one that no file holds and that is gone with the object, for tests and fuzzing.
  [[nodiscard]] static Store open_in_memory();

  // All runs by number, incomplete ones too.
  [[nodiscard]] std::vector<RunRecord> runs() const;

  // The complete run that `selector` means: a number; `latest`; `previous` (the one before the latest, of the same
  // corpus and the same shard); else a label, of which the latest counts. Throws StoreError when there is none or it is
  // incomplete.
  [[nodiscard]] RunRecord find_run(std::string_view selector) const;

  // The complete run of the same corpus, and of the same shard of it, before `run`: what `previous` is to `latest`.
  [[nodiscard]] std::optional<RunRecord> run_before(const RunRecord& run) const;

  // The files of a run by path, read one at a time. Throws from next() when rows are missing or hold what no run
  // writes. The source borrows this store. Memory: one file.
  [[nodiscard]] std::unique_ptr<FileSource> files(const RunRecord& run) const;

  // The same, but next() throws too where the rows of a file are not what was written. Requires: a run that this
  // build's checksums are of (golden/checksum.h).
  [[nodiscard]] std::unique_ptr<FileSource> verified_files(const RunRecord& run) const;

  // The connection itself, for what reads in golden/.
  [[nodiscard]] const Database& database() const { return *database_; }

  // The measurements in the same database. Borrows this store.
  [[nodiscard]] PerfStore perf() const { return PerfStore(*database_); }

  // Starts a run: from now on it is there and incomplete. The writer borrows this store.
  [[nodiscard]] RunWriter begin_run(const RunInfo& info, const BatchLimits& limits = {});

  // Records one campaign with its crashes, all or nothing. Sets `id` of the campaign, and `is_new` of each crash: no
  // campaign showed that fault before. What is known keeps its first reproducer.
  void record_campaigns(std::span<FuzzCampaign> campaigns);
  // All campaigns by number, each with the crashes that it was the last one to show; `is_new` where also the first.
  [[nodiscard]] std::vector<FuzzCampaign> campaigns() const;

 private:
  explicit Store(std::unique_ptr<Database> database);

  // Behind a pointer, so that what borrows it survives a move of the store.
  std::unique_ptr<Database> database_;
};

}  // namespace assay::golden
