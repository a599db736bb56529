#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "golden/merged_shards.h"
#include "golden/store.h"

// One run from the runs of all shards of a corpus (docs/database.md).
namespace assay::golden {

struct MergeRequest {
  // A database for each shard, in any order. Never changed.
  std::vector<std::filesystem::path> inputs;
  // The database that gets the run; made when missing.
  std::filesystem::path output;
  std::string label;
  // Takes shards of different builds of one version, too. The run then has no scan key: nothing of it is reused.
  bool any_build = false;
};

struct MergeSummary {
  std::int64_t run_id = 0;
  // As they are recorded: the corpus is that of shard 0, the rest what all shards have.
  RunInfo info;
  Totals totals;
  std::uint64_t files = 0;
};

// Takes the latest run of a shard from each input and records one complete run with all their files, as one scan of the
// whole corpus would. Everything is read and verified once before `output` is touched, so that what is refused leaves
// nothing there. Throws MergeError where the runs do not make a whole, and StoreError, also for rows that are not what
// was recorded. Cost: O(rows), read twice; memory: one file of each input, and one batch.
[[nodiscard]] MergeSummary merge_shards(const MergeRequest& request);

}  // namespace assay::golden
