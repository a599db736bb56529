#include "golden/scan/scan.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <system_error>

#include "golden/scan/corpus.h"
#include "golden/scan/hash.h"
#include "golden/scan/scan_key.h"
#include "parsers/formats/catalogue.h"

namespace assay::golden {
namespace {

// A batch is read, walked and handed on as a whole: large enough to keep all cores busy, small enough for memory.
constexpr std::uint64_t kBatchBytes = std::uint64_t{32} << 20;
constexpr std::size_t kBatchFiles = 256;
constexpr std::size_t kHashPieceBytes = std::size_t{1} << 20;

std::vector<CorpusFile> shard_of(std::vector<CorpusFile> files, const Shard& shard) {
  std::vector<CorpusFile> mine;
  for (std::uint64_t index = shard.index; index < files.size(); index += shard.count) {
    mine.push_back(std::move(files[index]));
  }
  return mine;
}

bool is_same_file(const std::filesystem::path& left, const std::filesystem::path& right) {
  std::error_code error;
  return std::filesystem::equivalent(left, right, error) && !error;
}

// Takes the files that are `exclude` out of `files` and gives their paths.
std::vector<std::string> take_out(std::vector<CorpusFile>& files, std::span<const std::filesystem::path> exclude) {
  std::vector<std::string> taken;
  std::erase_if(files, [&](const CorpusFile& file) {
    const bool is_excluded = std::ranges::any_of(exclude, [&](const std::filesystem::path& own) {
      return file.location.filename() == own.filename() && is_same_file(file.location, own);
    });
    if (is_excluded) {
      taken.push_back(file.path);
    }
    return is_excluded;
  });
  return taken;
}

std::size_t batch_end(std::span<const CorpusFile> files, std::size_t begin) {
  std::uint64_t bytes = files[begin].size_bytes;
  std::size_t end = begin + 1;
  while (end < files.size() && end - begin < kBatchFiles && bytes + files[end].size_bytes <= kBatchBytes) {
    bytes += files[end].size_bytes;
    ++end;
  }
  return end;
}

Item unreadable_item(const CorpusFile& file, const std::string& why) {
  Item item;
  item.format = "unknown";
  item.stored_size = item.size = file.size_bytes;
  item.verdict = Verdict::kFail;
  item.findings.push_back(
      to_item_finding({.severity = Severity::kError, .diagnostic = {.code = Code::kUnreadableFile, .field = "file"}}));
  item.findings.back().message += " (" + why + ')';
  return item;
}

// A file above the input limit is hashed in pieces and never held in memory; if a format claims it, it is over the
// limit.
Item over_limit_item(const CorpusFile& file, std::uint64_t limit_bytes) {
  std::ifstream stream(file.location, std::ios::binary);
  if (!stream.is_open()) {
    return unreadable_item(file, "it cannot be opened");
  }
  Buffer piece(kHashPieceBytes);
  Hasher hasher;
  hasher.start();
  Item item;
  bool is_first = true;
  while (stream.read(reinterpret_cast<char*>(piece.data()), static_cast<std::streamsize>(piece.size())) ||
         stream.gcount() != 0) {
    const Bytes bytes = Bytes(piece).first(static_cast<std::size_t>(stream.gcount()));
    if (is_first) {
      const std::string name = file.location.filename().native();
      const Identification found = identify(bytes, {.name = as_bytes(name), .type_tag = {}, .is_file = true});
      item.format = found.format == nullptr ? "unknown" : found.format->id;
      is_first = false;
    }
    hasher.update(bytes);
    item.size += bytes.size();
  }
  if (stream.bad()) {
    return unreadable_item(file, "reading failed");
  }
  item.stored_size = item.size;
  item.stored_sha256 = item.sha256 = hasher.finish();
  item.verdict = item.format == "unknown" ? Verdict::kUnknown : Verdict::kFail;
  if (item.verdict == Verdict::kFail) {
    item.findings.push_back(to_item_finding({.severity = Severity::kError,
                                             .diagnostic = {.code = Code::kLimitExceeded,
                                                            .field = "file",
                                                            .expected = Datum::at_most(limit_bytes),
                                                            .got = Datum::number(item.size)}}));
  }
  return item;
}

// Files that are hashed before they are looked into, side by side, which takes half the time.
constexpr std::size_t kHashedTogether = 2;

// A file of a group: its result once there is one, until then its content.
struct PendingFile {
  FileResult result{};
  std::optional<FileBytes> content{};
  std::optional<Sha256> hash{};
};

// Gives the result of what cannot be read, or is too large to be held; else the content.
PendingFile read_file(const CorpusFile& file, const Limits& limits) {
  PendingFile pending{.result = {.path = file.path, .items = {}}};
  try {
    if (file.size_bytes > limits.input_bytes) {
      pending.result.items.push_back(over_limit_item(file, limits.input_bytes));
    } else {
      pending.content = FileBytes::read(file.location);
    }
  } catch (const std::system_error& failure) {
    pending.result.items = {unreadable_item(file, failure.code().message())};
  }
  return pending;
}

void hash_contents(std::span<PendingFile> files) {
  std::array<Bytes, kHashedTogether> inputs;
  std::array<Sha256, kHashedTogether> hashes{};
  for (std::size_t index = 0; index < files.size(); ++index) {
    inputs[index] = files[index].content ? files[index].content->bytes() : Bytes();
  }
  hash_all(std::span(inputs).first(files.size()), std::span(hashes).first(files.size()));
  for (std::size_t index = 0; index < files.size(); ++index) {
    files[index].hash = hashes[index];
  }
}

// Takes the result from an earlier run, or makes it.
FileResult finish_file(const CorpusFile& file, PendingFile pending, EarlierResults* earlier, FileWalker& walker) {
  if (!pending.content) {
    return std::move(pending.result);
  }
  if (pending.hash) {
    if (auto known = earlier->find(file.path, *pending.hash)) {
      return std::move(*known);
    }
  }
  const std::string path = path_below_corpus(file);
  pending.result.items = walker.walk(pending.content->bytes(), as_bytes(path), pending.hash);
  return std::move(pending.result);
}

class Scan {
 public:
  Scan(std::vector<CorpusFile> files, const ScanOptions& options, const std::function<void(FileResult&&)>& sink)
      : files_(std::move(files)), options_(options), sink_(sink), walker_(options.walk) {}

  // Fills in the totals and the counts of what was reused.
  void run(ScanSummary& summary) {
    tbb::task_group handing_on;
    try {
      for (std::size_t begin = 0; begin < files_.size();) {
        const std::size_t end = batch_end(files_, begin);
        // Results of one batch are handed on while the next is walked.
        auto results = std::make_shared<std::vector<FileResult>>(walk_batch(begin, end));
        handing_on.wait();
        handing_on.run([this, results] { hand_on(*results); });
        begin = end;
      }
      handing_on.wait();
    } catch (...) {
      handing_on.wait();
      throw;
    }
    summary.totals = totals_;
    summary.reused = reused_;
  }

 private:
  std::vector<FileResult> walk_batch(std::size_t begin, std::size_t end) {
    std::vector<FileResult> results(end - begin);
    const bool may_reuse = options_.earlier != nullptr && !options_.earlier->empty();
    const std::size_t group_files = may_reuse ? kHashedTogether : 1;
    // The largest first, so that no thread is left with one at the end, and those of a group alike, so that neither
    // has to be hashed alone.
    std::vector<std::size_t> order(results.size());
    std::iota(order.begin(), order.end(), begin);
    std::ranges::sort(order, std::greater(), [&](std::size_t index) { return files_[index].size_bytes; });
    tbb::parallel_for(std::size_t{0}, (order.size() + group_files - 1) / group_files, [&](std::size_t group) {
      const std::size_t first = group * group_files;
      const std::size_t count = std::min(group_files, order.size() - first);
      walk_group(std::span(order).subspan(first, count), may_reuse, std::span(results), begin);
    });
    return results;
  }

  void walk_group(std::span<const std::size_t> indices, bool may_reuse, std::span<FileResult> results,
                  std::size_t begin) {
    // The walk looks at this by itself, but what is reused is not walked.
    if (options_.walk.stop != nullptr && options_.walk.stop->load(std::memory_order_relaxed)) {
      throw Interrupted();
    }
    std::array<PendingFile, kHashedTogether> pending;
    for (std::size_t index = 0; index < indices.size(); ++index) {
      pending[index] = read_file(files_[indices[index]], options_.walk.limits);
    }
    if (may_reuse) {
      hash_contents(std::span(pending).first(indices.size()));
    }
    for (std::size_t index = 0; index < indices.size(); ++index) {
      results[indices[index] - begin] =
          finish_file(files_[indices[index]], std::move(pending[index]), options_.earlier, walker_);
    }
  }

  void hand_on(std::vector<FileResult>& results) {
    for (FileResult& result : results) {
      for (const Item& item : result.items) {
        totals_.count(item);
      }
      if (result.is_reused) {
        ++reused_.files;
        reused_.items += result.items.size();
      }
      sink_(std::move(result));
      ++files_done_;
    }
    if (options_.progress) {
      options_.progress(files_done_, files_.size());
    }
  }

  std::vector<CorpusFile> files_;
  const ScanOptions& options_;
  const std::function<void(FileResult&&)>& sink_;
  FileWalker walker_;
  Totals totals_;
  Reused reused_;
  std::uint64_t files_done_ = 0;
};

}  // namespace

ScanSummary scan_corpus(CorpusListing corpus, const ScanOptions& options,
                        const std::function<void(FileResult&&)>& sink) {
  const int threads = options.jobs == 0 ? tbb::info::default_concurrency() : static_cast<int>(options.jobs);
  const tbb::global_control most_threads(tbb::global_control::max_allowed_parallelism,
                                         static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  ScanSummary summary{.totals = {}, .reused = {}, .skipped = std::move(corpus.skipped), .excluded = {}};
  summary.excluded = take_out(corpus.files, options.exclude);
  Scan scan(shard_of(std::move(corpus.files), options.shard), options, sink);
  arena.execute([&] { scan.run(summary); });
  return summary;
}

}  // namespace assay::golden
