#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "golden/item.h"
#include "golden/run_source.h"
#include "golden/store.h"

namespace assay::golden {

// What earlier runs of a database recorded of files, for a scan that finds the same bytes again (docs/database.md).
//
// A result is given only when its run had the same scan key, its file the same path and content, and its rows still are
// what was written. Runs that were cut off count too, since what they wrote is whole files. May be used by several
// threads at once, but needs a store of its own: that of the writer is busy.
class EarlierResults {
 public:
  // Sees the runs that are there now. `store` must outlive this.
  EarlierResults(const Store& store, const Sha256& scan_key);

  // Whether there is no run to look into, so that find() can find nothing.
  [[nodiscard]] bool empty() const { return runs_.empty(); }

  // The result of the latest run that knows the file at `path` with this content, marked as reused. Cost: O(rows of the
  // file); some microseconds when nothing is found. Never throws for what the database holds: what cannot be read is
  // not there.
  [[nodiscard]] std::optional<FileResult> find(const std::string& path, const Sha256& content);

  // How many results were there and are not what was written any more.
  [[nodiscard]] std::uint64_t damaged() const { return damaged_; }

 private:
  [[nodiscard]] std::optional<FileResult> read(std::int64_t run_id, const std::string& path, const Sha256& content);

  std::mutex mutex_;
  Statement lookup_;
  FileReader reader_;
  // Latest first.
  std::vector<std::int64_t> runs_;
  std::uint64_t damaged_ = 0;
};

}  // namespace assay::golden
