#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "golden/earlier_results.h"
#include "golden/item.h"
#include "golden/scan/corpus.h"
#include "golden/scan/walk.h"
#include "golden/shard.h"

// A whole corpus, file by file, with all cores.
namespace assay::golden {

struct ScanOptions {
  WalkOptions walk;
  // Threads; 0 is one for each core.
  unsigned jobs = 0;
  Shard shard;
  // Files that are not part of the corpus though they may lie in it, e.g. the database that is being written. Left out
  // and named in ScanSummary::excluded. Need not exist.
  std::vector<std::filesystem::path> exclude{};
  // Results of earlier runs that were made with the same scan_key(), to take over where a file has not changed; null:
  // none. What is recorded is the same either way.
  EarlierResults* earlier = nullptr;
  // Called now and then with how far the scan is; may be empty.
  std::function<void(std::uint64_t files_done, std::uint64_t files)> progress;
};

// What was taken from earlier runs, all items of a file together.
struct Reused {
  std::uint64_t files = 0;
  std::uint64_t items = 0;
};

struct ScanSummary {
  Totals totals;
  Reused reused;
  // How many files the corpus has, those of all shards.
  std::uint64_t corpus_files = 0;
  // What was neither file nor folder, or a link to a folder.
  std::vector<std::string> skipped;
  // What of ScanOptions::exclude lies in the corpus.
  std::vector<std::string> excluded;
};

// Scans what `corpus` lists and hands every file's result to `sink` in path order, one at a time, from a
// thread of the scan. A file that cannot be read gives an item that fails with `unreadable_file`. Throws
// Interrupted, and what `sink` throws; the sink has then seen a prefix of the files. Memory: for each thread two groups
// of at most 4 MiB of files or one larger file, and their results.
ScanSummary scan_corpus(CorpusListing corpus, const ScanOptions& options,
                        const std::function<void(FileResult&&)>& sink);

}  // namespace assay::golden
