#include "golden/earlier_results.h"

#include <algorithm>

#include "golden/checksum.h"

namespace assay::golden {
namespace {

// How many runs are asked for a file that none of them knows. Enough for the shards of a corpus; each costs a search.
constexpr std::size_t kMostRuns = 64;

}  // namespace

EarlierResults::EarlierResults(const Store& store, const Sha256& scan_key)
    : lookup_(store.database(),
              "SELECT file.first_item, file.items, file.first_finding, file.findings, file.first_fact, file.facts, "
              "file.checksum FROM file JOIN item ON item.id = file.first_item "
              "WHERE file.run_id = ? AND file.path = ? AND item.stored_sha256 = ?"),
      reader_(store.database()) {
  const std::vector<RunRecord> all = store.runs();
  for (auto run = all.rbegin(); run != all.rend() && runs_.size() < kMostRuns; ++run) {
    if (run->info.scan_key == scan_key) {
      runs_.push_back(run->id);
    }
  }
}

std::optional<FileResult> EarlierResults::find(const std::string& path, const Sha256& content) {
  const std::scoped_lock lock(mutex_);
  for (const std::int64_t run_id : runs_) {
    std::optional<FileResult> found;
    try {
      found = read(run_id, path, content);
    } catch (const StoreError&) {
      ++damaged_;
    }
    // Nothing may stay open: while one state of the database is held, its write-ahead log cannot be folded back.
    lookup_.reset();
    reader_.release();
    if (found) {
      return found;
    }
  }
  return std::nullopt;
}

std::optional<FileResult> EarlierResults::read(std::int64_t run_id, const std::string& path, const Sha256& content) {
  lookup_.bind(1, run_id);
  lookup_.bind(2, path);
  lookup_.bind_blob(3, content);
  if (!lookup_.step() || lookup_.is_null(6)) {
    return std::nullopt;
  }
  FileResult file = reader_.read(path, FileRows::from(lookup_, 0));
  if (checksum_of(file) != lookup_.integer(6)) {
    ++damaged_;
    return std::nullopt;
  }
  file.is_reused = true;
  return file;
}

}  // namespace assay::golden
