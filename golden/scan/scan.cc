#include "golden/scan/scan.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "golden/scan/corpus.h"
#include "golden/scan/hash.h"
#include "golden/scan/scan_key.h"
#include "parsers/formats/catalogue.h"

namespace assay::golden {
namespace {

// Files that one task takes and that are handed on together: enough that a task is worth its price, few enough that no
// thread is left with many at the end.
constexpr std::uint64_t kGroupBytes = std::uint64_t{4} << 20;
constexpr std::size_t kGroupFiles = 64;
// Groups under way at once, for each thread. While one with a large file is walked, the next ones have to wait to be
// handed on; of those only the results are in memory.
constexpr std::size_t kGroupsAThread = 8;

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

// With `is_hashed_first` a large file takes others along, to be hashed beside it.
std::size_t group_end(std::span<const CorpusFile> files, std::size_t begin, bool is_hashed_first) {
  std::uint64_t bytes = files[begin].size_bytes;
  const std::uint64_t most_bytes = std::max(kGroupBytes, is_hashed_first ? 2 * bytes : bytes);
  std::size_t end = begin + 1;
  while (end < files.size() && end - begin < kGroupFiles && bytes + files[end].size_bytes <= most_bytes) {
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

void check_stop(const std::atomic<bool>* stop) {
  if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
    throw Interrupted();
  }
}

// A file above the input limit is hashed in pieces and never held in memory; if a format claims it, it is over the
// limit. Throws std::system_error.
Item over_limit_item(const CorpusFile& file, std::uint64_t limit_bytes, const std::atomic<bool>* stop) {
  FilePieces pieces(file.location);
  Item item;
  item.format = "unknown";
  Hasher hasher;
  hasher.start();
  for (Bytes piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
    check_stop(stop);
    if (item.size == 0) {
      const std::string name = file.location.filename().native();
      const Identification found = identify(piece, {.name = as_bytes(name), .type_tag = {}, .is_file = true});
      item.format = found.format == nullptr ? "unknown" : found.format->id;
    }
    hasher.update(piece);
    item.size += piece.size();
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

FileResult look_into(const CorpusFile& file, const WalkOptions& options, FileWalker& walker) {
  FileResult result{.path = file.path, .items = {}};
  try {
    if (file.size_bytes > options.limits.input_bytes) {
      result.items.push_back(over_limit_item(file, options.limits.input_bytes, options.stop));
    } else {
      const FileBytes content = FileBytes::read(file.location);
      const std::string path = path_below_corpus(file);
      result.items = walker.walk(content.bytes(), as_bytes(path));
    }
  } catch (const std::system_error& failure) {
    result.items = {unreadable_item(file, failure.code().message())};
  }
  return result;
}

// One file on its way through hash_all_pieces(), opened when its first piece is asked for.
class HashedFile {
 public:
  explicit HashedFile(const CorpusFile& file) : file_(&file) {}

  Bytes next() {
    try {
      return (pieces_ ? *pieces_ : pieces_.emplace(file_->location)).next();
    } catch (const std::system_error&) {
      has_failed_ = true;
      return {};
    }
  }

  [[nodiscard]] const std::string& path() const { return file_->path; }
  [[nodiscard]] bool has_failed() const { return has_failed_; }

 private:
  const CorpusFile* file_;
  std::optional<FilePieces> pieces_{};
  bool has_failed_ = false;
};

// What earlier runs know of the files, in their places. Only what they do not know is read as a whole, once more: a
// hash that was taken before may be that of another content by then. What cannot be read is left for look_into() to
// name.
std::vector<std::optional<FileResult>> known_results(std::span<const CorpusFile> group, EarlierResults& earlier,
                                                     const std::atomic<bool>* stop) {
  std::vector<HashedFile> files(group.begin(), group.end());
  // The largest first, so that none is left to be hashed alone at the end.
  std::vector<std::size_t> order(group.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::greater(), [&](std::size_t index) { return group[index].size_bytes; });
  std::vector<NextPiece> inputs;
  for (const std::size_t index : order) {
    inputs.emplace_back([file = &files[index], stop] {
      check_stop(stop);
      return file->next();
    });
  }
  std::vector<Sha256> hashes(inputs.size());
  hash_all_pieces(inputs, hashes);
  std::vector<std::optional<FileResult>> known(group.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (const HashedFile& file = files[order[place]]; !file.has_failed()) {
      known[order[place]] = earlier.find(file.path(), hashes[place]);
    }
  }
  return known;
}

class Scan {
 public:
  Scan(std::vector<CorpusFile> files, const ScanOptions& options, const std::function<void(FileResult&&)>& sink)
      : files_(std::move(files)),
        options_(options),
        sink_(sink),
        may_reuse_(options.earlier != nullptr && !options.earlier->empty()),
        walker_(options.walk) {}

  // Fills in the totals and the counts of what was reused. Groups are walked in parallel and handed on in order while
  // later ones are walked.
  void run(std::size_t threads, ScanSummary& summary) {
    using tbb::filter_mode;
    tbb::parallel_pipeline(
        kGroupsAThread * threads,
        tbb::make_filter<void, Group*>(filter_mode::serial_in_order, [this](tbb::flow_control& flow) {
          return next_group(flow);
        }) & tbb::make_filter<Group*, Group*>(filter_mode::parallel, [this](Group* group) {
          walk_group(*group);
          return group;
        }) & tbb::make_filter<Group*, void>(filter_mode::serial_in_order, [this](Group* group) { hand_on(*group); }));
    // Whoever asked while the last group was read is not told that all went well.
    check_stop(options_.walk.stop);
    summary.totals = totals_;
    summary.reused = reused_;
  }

 private:
  // Neighbours in path order, and their results.
  struct Group {
    std::span<const CorpusFile> files{};
    std::vector<FileResult> results{};
  };

  Group* next_group(tbb::flow_control& flow) {
    if (next_file_ == files_.size()) {
      flow.stop();
      return nullptr;
    }
    const std::size_t begin = std::exchange(next_file_, group_end(files_, next_file_, may_reuse_));
    return &groups_.emplace_back(Group{.files = std::span(files_).subspan(begin, next_file_ - begin)});
  }

  void walk_group(Group& group) {
    // The walk looks at this by itself, but what is reused is not walked.
    check_stop(options_.walk.stop);
    std::vector<std::optional<FileResult>> known(group.files.size());
    if (may_reuse_) {
      known = known_results(group.files, *options_.earlier, options_.walk.stop);
    }
    for (std::size_t index = 0; index < known.size(); ++index) {
      group.results.push_back(known[index] ? *std::move(known[index])
                                           : look_into(group.files[index], options_.walk, walker_));
    }
  }

  void hand_on(Group& group) {
    for (FileResult& result : group.results) {
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
    std::vector<FileResult>().swap(group.results);
    if (options_.progress) {
      options_.progress(files_done_, files_.size());
    }
  }

  std::vector<CorpusFile> files_;
  const ScanOptions& options_;
  const std::function<void(FileResult&&)>& sink_;
  const bool may_reuse_;
  FileWalker walker_;
  std::size_t next_file_ = 0;
  // Owned here, because a pipeline that an exception ends frees nothing of what is on its way.
  std::deque<Group> groups_;
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
  summary.corpus_files = corpus.files.size();
  Scan scan(shard_of(std::move(corpus.files), options.shard), options, sink);
  arena.execute([&] { scan.run(static_cast<std::size_t>(threads), summary); });
  return summary;
}

}  // namespace assay::golden
