#include "golden/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "golden/display.h"
#include "golden/run_source.h"
#include "golden/schema.h"

namespace assay::golden {
namespace {

// Pages of write-ahead log after which it is folded back. Larger than SQLite's 1000, so that a batch is not split.
constexpr const char* kConnectionSettings =
    "PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-16384; PRAGMA wal_autocheckpoint=8000;"
    "PRAGMA cell_size_check=ON;";
// For one of many databases that are each read from the start to the end.
constexpr const char* kSmallCache = "PRAGMA cache_size=-1024";

// What the file system says against opening, before SQLite says it less clearly.
void check_path(const std::filesystem::path& path, Store::Mode mode) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) {
    throw StoreError(fmt::format("{}: is a folder; give the name of a database file", display_path(path.native())));
  }
  const auto folder = path.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, error)) {
    throw StoreError(fmt::format("{}: the folder {} does not exist; create it first", display_path(path.native()),
                                 display_path(folder.native())));
  }
  if (mode == Store::Mode::kReadWriteCreate) {
    return;
  }
  if (!std::filesystem::exists(status)) {
    throw StoreError(
        fmt::format("{}: does not exist; record a run first, or give another file", display_path(path.native())));
  }
  if (std::filesystem::file_size(path, error) == 0 && !error) {
    throw StoreError(fmt::format("{}: is empty, no run was recorded; record a run first", display_path(path.native())));
  }
}

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && value >= 0;
  return is_number ? std::optional(value) : std::nullopt;
}

std::optional<Sha256> scan_key_of(const Statement& row, int column) {
  if (row.is_null(column)) {
    return std::nullopt;
  }
  const Bytes bytes = row.blob(column);
  Sha256 key{};
  // A key of another length is damaged and fits no scan, so the run is only never taken over.
  if (bytes.size() != key.size()) {
    return std::nullopt;
  }
  std::ranges::copy(bytes, key.begin());
  return key;
}

// A shard as the columns `first_column` and the next one say.
Shard shard_of(const Database& database, const Statement& row, int first_column) {
  const Shard shard{.index = row.size(first_column), .count = row.size(first_column + 1)};
  if (shard.index >= shard.count) {
    database.fail_damaged(fmt::format("a run is of shard {}", shard.text()));
  }
  return shard;
}

using Runs = std::vector<RunRecord>;

const RunRecord* latest_complete(const Runs& runs) {
  const auto found = std::find_if(runs.rbegin(), runs.rend(), [](const RunRecord& run) { return run.is_complete(); });
  return found == runs.rend() ? nullptr : &*found;
}

// Whether both are of the same files: one corpus, and one part of it.
bool is_same_part(const RunInfo& one, const RunInfo& other) {
  return one.corpus == other.corpus && one.shard == other.shard;
}

// The complete run of the same corpus, and of the same shard of it, before `run`.
const RunRecord* complete_before(const Runs& runs, const RunRecord& run) {
  const RunRecord* before = nullptr;
  for (const RunRecord& candidate : runs) {
    if (candidate.id < run.id && candidate.is_complete() && is_same_part(candidate.info, run.info)) {
      before = &candidate;
    }
  }
  return before;
}

const RunRecord* previous_complete(const Runs& runs) {
  const RunRecord* latest = latest_complete(runs);
  return latest == nullptr ? nullptr : complete_before(runs, *latest);
}

// The run that counts among those that `matches` accepts: the latest complete one, else the latest.
template <typename Matches>
const RunRecord* best_match(const Runs& runs, Matches matches) {
  const RunRecord* best = nullptr;
  for (const RunRecord& run : runs) {
    if (matches(run) && (best == nullptr || run.is_complete() || !best->is_complete())) {
      best = &run;
    }
  }
  return best;
}

const RunRecord* select(const Runs& runs, std::string_view selector) {
  if (selector == "latest") {
    return latest_complete(runs);
  }
  if (selector == "previous") {
    return previous_complete(runs);
  }
  if (const auto number = parse_number(selector)) {
    const RunRecord* run = best_match(runs, [&](const RunRecord& candidate) { return candidate.id == *number; });
    if (run != nullptr) {
      return run;
    }
  }
  return best_match(runs, [&](const RunRecord& candidate) { return candidate.info.label == selector; });
}

std::optional<std::uint64_t> expected_items(const RunRecord& run) {
  return run.is_complete() ? std::optional(run.totals.items) : std::nullopt;
}

// Why a selector finds nothing.
std::string nothing_found(const Runs& runs, std::string_view selector) {
  const RunRecord* latest = latest_complete(runs);
  if (latest == nullptr) {
    return "no complete run is recorded; scan a corpus first";
  }
  if (selector == "previous") {
    const Shard& shard = latest->info.shard;
    return fmt::format("no complete run of {}corpus {} comes before run {}; scan it once more",
                       shard.is_whole() ? "" : fmt::format("shard {} of ", shard.text()), latest->info.corpus,
                       latest->id);
  }
  return fmt::format("no run has the number or label {}; see the list of runs", selector);
}

}  // namespace

Store::Store(std::unique_ptr<Database> database) : database_(std::move(database)) {}

Store Store::open(const std::filesystem::path& path, Mode mode, std::chrono::milliseconds lock_timeout) {
  if (path.empty()) {
    throw StoreError("the name of the database is empty");
  }
  check_path(path, mode);
  auto database = std::make_unique<Database>(
      path.string(), mode == Mode::kReadWriteCreate ? Database::Mode::kReadWriteCreate : Database::Mode::kReadOnly);
  database->set_lock_timeout(lock_timeout);
  database->run(kConnectionSettings);
  if (mode == Mode::kUntouched) {
    database->run(kSmallCache);
    require_schema(*database);
  } else {
    prepare_schema(*database, mode == Mode::kReadOnly ? NewDatabase::kRefused : NewDatabase::kMade);
  }
  if (mode != Mode::kReadWriteCreate) {
    database->run("PRAGMA query_only=ON");
  }
  return Store(std::move(database));
}

Store Store::open_in_memory() {
  auto database = std::make_unique<Database>("(in memory)", Database::Mode::kInMemory);
  database->run(kConnectionSettings);
  prepare_schema(*database, NewDatabase::kMade);
  return Store(std::move(database));
}

std::vector<RunRecord> Store::runs() const {
  std::vector<RunRecord> runs;
  Statement rows(*database_,
                 "SELECT id, label, corpus, profile, tool_version, rules, started_at, finished_at, items, ok, quirk, "
                 "fail, unknown, bytes, scan_key, shard_index, shard_count, corpus_files FROM run ORDER BY id");
  while (rows.step()) {
    RunRecord& run = runs.emplace_back();
    run.id = rows.integer(0);
    run.info = {.label = std::string(rows.text(1)),
                .corpus = std::string(rows.text(2)),
                .profile = std::string(rows.text(3)),
                .tool_version = std::string(rows.text(4)),
                .rules = std::string(rows.text(5)),
                .scan_key = scan_key_of(rows, 14),
                .shard = shard_of(*database_, rows, 15)};
    run.started_at = rows.text(6);
    if (!rows.is_null(7)) {
      run.finished_at = rows.text(7);
    }
    run.totals = {.items = rows.size(8),
                  .ok = rows.size(9),
                  .quirk = rows.size(10),
                  .fail = rows.size(11),
                  .unknown = rows.size(12),
                  .bytes = rows.size(13)};
    if (!rows.is_null(17)) {
      run.corpus_files = rows.size(17);
    }
  }
  return runs;
}

RunRecord Store::find_run(std::string_view selector) const {
  const Runs all = runs();
  const RunRecord* run = select(all, selector);
  if (run == nullptr) {
    throw StoreError(fmt::format("{}: {}", database_->path(), nothing_found(all, selector)));
  }
  if (!run->is_complete()) {
    throw StoreError(fmt::format("{}: run {} ({}) is incomplete, it was cut off or is still being written; scan again",
                                 database_->path(), run->id, run->info.label));
  }
  return *run;
}

std::optional<RunRecord> Store::run_before(const RunRecord& run) const {
  const Runs all = runs();
  const RunRecord* before = complete_before(all, run);
  return before == nullptr ? std::nullopt : std::optional(*before);
}

std::unique_ptr<FileSource> Store::files(const RunRecord& run) const {
  return std::make_unique<RunSource>(*database_, run.id, expected_items(run));
}

std::unique_ptr<FileSource> Store::verified_files(const RunRecord& run) const {
  return std::make_unique<RunSource>(*database_, run.id, expected_items(run), RunSource::Checksums::kVerified);
}

RunWriter Store::begin_run(const RunInfo& info, const BatchLimits& limits) {
  return RunWriter(*database_, info, limits);
}

}  // namespace assay::golden
