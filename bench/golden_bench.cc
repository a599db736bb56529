#include <benchmark/benchmark.h>
#include <openssl/evp.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden/compare.h"
#include "golden/earlier_results.h"
#include "golden/scan/hash.h"
#include "golden/scan/scan.h"
#include "golden/scan/scan_key.h"
#include "golden/store.h"
#include "synth/corpus.h"
#include "synth/prng.h"

// What surrounds the decoders in a scan: hashing, recording, comparing runs, and a whole scan. Beside each what does
// the least that has to be done: OpenSSL in one call, plain SQLite insertions, plain hashing.
namespace assay::bench {
namespace {

namespace fs = std::filesystem;
using golden::FileResult;
using golden::Item;
using golden::RunWriter;
using golden::Sha256;
using golden::Store;

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "assay-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("no temporary folder");
    }
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

// Item `number` of a run as a scan makes them: an archive, or an entry of one with its row and two facts.
Item make_item(std::uint64_t number, bool is_file, synth::Prng& prng) {
  Item item;
  item.format = is_file ? "nres" : "texm";
  item.stored_size = item.size = 1'000 + number % 999;
  Sha256 hash;
  for (std::uint8_t& byte : hash) {
    byte = prng.byte();
  }
  item.stored_sha256 = item.sha256 = hash;
  item.facts = {{.key = "width", .value = "256"}};
  if (!is_file) {
    item.entry = "entry_" + std::to_string(number) + ".tex";
    item.offset = number * 64;
    item.row = {.record = "nres.entry", .index = number, .offset = number * 64, .bytes = Buffer(64, prng.byte())};
    item.facts.push_back({.key = "mips", .value = "1"});
  }
  return item;
}

std::vector<FileResult> make_files(std::uint64_t items, std::uint64_t items_a_file) {
  synth::Prng prng(1);
  std::vector<FileResult> files;
  for (std::uint64_t made = 0; made < items; ++made) {
    if (made % items_a_file == 0) {
      files.push_back({.path = "data/archive_" + std::to_string(10'000'000 + made) + ".rlb", .items = {}});
    }
    files.back().items.push_back(make_item(made, made % items_a_file == 0, prng));
  }
  return files;
}

// Files are handed on as a scan does it, each a moment after it was made; making them is not timed where there is a
// `state`.
void record(Store& store, const std::vector<FileResult>& files, benchmark::State* state = nullptr) {
  constexpr std::size_t kItemsAtOnce = 10'000;
  golden::Totals totals;
  RunWriter writer = store.begin_run({.label = "", .corpus = "", .profile = "", .tool_version = "", .rules = ""});
  const std::size_t files_at_once = std::max<std::size_t>(1, kItemsAtOnce / files.front().items.size());
  for (std::size_t begin = 0; begin < files.size(); begin += files_at_once) {
    if (state != nullptr) {
      state->PauseTiming();
    }
    const std::span rest = std::span(files).subspan(begin);
    std::vector<FileResult> made(rest.begin(),
                                 rest.begin() + static_cast<std::ptrdiff_t>(std::min(files_at_once, rest.size())));
    if (state != nullptr) {
      state->ResumeTiming();
    }
    for (FileResult& file : made) {
      std::ranges::for_each(file.items, [&](const Item& item) { totals.count(item); });
      writer.add(std::move(file));
    }
  }
  writer.finish(totals);
}

bool holds(const Store& store, const std::vector<FileResult>& files) {
  const auto source = store.files(store.find_run("latest"));
  for (const FileResult& file : files) {
    const auto read = source->next();
    if (!read || read->path != file.path || read->items != file.items) {
      return false;
    }
  }
  return !source->next();
}

void count_items(benchmark::State& state, std::uint64_t items) {
  state.SetItemsProcessed(static_cast<std::int64_t>(items) * static_cast<std::int64_t>(state.iterations()));
}

// Arguments: items, items a file.
void BM_StoreRecord(benchmark::State& state) {
  const auto items = static_cast<std::uint64_t>(state.range(0));
  const auto files = make_files(items, static_cast<std::uint64_t>(state.range(1)));
  bool is_checked = false;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    state.PauseTiming();
    auto folder = std::make_unique<Folder>();
    auto store = std::make_unique<Store>(Store::open(*folder / "a.db", Store::Mode::kReadWriteCreate));
    state.ResumeTiming();
    record(*store, files, &state);
    // Folds the log back, which is part of recording.
    store.reset();
    state.PauseTiming();
    if (!is_checked && !holds(Store::open(*folder / "a.db", Store::Mode::kReadOnly), files)) {
      state.SkipWithError("the store gives back something else");
      break;
    }
    is_checked = true;
    folder.reset();
    state.ResumeTiming();
  }
  count_items(state, items);
}

// The same values into the plainest tables that could hold them, in one transaction without write-ahead log.
class PlainTables {
 public:
  explicit PlainTables(const fs::path& path) {
    require(sqlite3_open(path.c_str(), &handle_));
    execute(
        "CREATE TABLE file(path TEXT); CREATE TABLE fact(item INTEGER, key TEXT, value TEXT);"
        "CREATE TABLE item(entry TEXT, format TEXT, offset INTEGER, stored_size INTEGER, size INTEGER, stored BLOB,"
        "decoded BLOB, verdict INTEGER, record TEXT, row INTEGER, row_offset INTEGER, bytes BLOB)");
    prepare("INSERT INTO file VALUES(?)", file_);
    prepare("INSERT INTO item VALUES(?,?,?,?,?,?,?,?,?,?,?,?)", item_);
    prepare("INSERT INTO fact VALUES(?,?,?)", fact_);
  }
  ~PlainTables() {
    for (sqlite3_stmt* statement : {file_, item_, fact_}) {
      sqlite3_finalize(statement);
    }
    sqlite3_close(handle_);
  }
  PlainTables(const PlainTables&) = delete;
  PlainTables& operator=(const PlainTables&) = delete;

  void execute(const char* sql) { require(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr)); }

  void insert(const FileResult& file) {
    text(file_, 1, file.path);
    run(file_);
    for (const Item& item : file.items) {
      insert(item);
    }
  }

 private:
  static void require(int code) {
    if (code != SQLITE_OK) {
      throw std::runtime_error(sqlite3_errstr(code));
    }
  }
  void prepare(const char* sql, sqlite3_stmt*& statement) {
    require(sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
  }
  static void text(sqlite3_stmt* statement, int parameter, const std::string& value) {
    sqlite3_bind_text(statement, parameter, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
  }
  static void blob(sqlite3_stmt* statement, int parameter, Bytes value) {
    sqlite3_bind_blob(statement, parameter, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
  }
  static void number(sqlite3_stmt* statement, int parameter, std::uint64_t value) {
    sqlite3_bind_int64(statement, parameter, static_cast<sqlite3_int64>(value));
  }
  static void run(sqlite3_stmt* statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) {
      throw std::runtime_error("an insertion failed");
    }
    sqlite3_reset(statement);
  }
  void insert(const Item& item) {
    text(item_, 1, item.entry);
    text(item_, 2, item.format);
    number(item_, 3, item.offset);
    number(item_, 4, item.stored_size);
    number(item_, 5, item.size);
    blob(item_, 6, *item.stored_sha256);
    blob(item_, 7, *item.sha256);
    number(item_, 8, static_cast<std::uint64_t>(item.verdict));
    text(item_, 9, item.row.record);
    number(item_, 10, item.row.index);
    number(item_, 11, item.row.offset);
    blob(item_, 12, item.row.bytes);
    run(item_);
    for (const golden::Fact& fact : item.facts) {
      number(fact_, 1, static_cast<std::uint64_t>(sqlite3_last_insert_rowid(handle_)));
      text(fact_, 2, fact.key);
      text(fact_, 3, fact.value);
      run(fact_);
    }
  }

  sqlite3* handle_ = nullptr;
  sqlite3_stmt* file_ = nullptr;
  sqlite3_stmt* item_ = nullptr;
  sqlite3_stmt* fact_ = nullptr;
};

void BM_StoreRecordPlainSqlite(benchmark::State& state) {
  const auto items = static_cast<std::uint64_t>(state.range(0));
  const auto files = make_files(items, static_cast<std::uint64_t>(state.range(1)));
  for (auto iteration : state) {
    static_cast<void>(iteration);
    state.PauseTiming();
    auto folder = std::make_unique<Folder>();
    auto tables = std::make_unique<PlainTables>(*folder / "a.db");
    state.ResumeTiming();
    tables->execute("BEGIN");
    for (const FileResult& file : files) {
      tables->insert(file);
    }
    tables->execute("COMMIT");
    state.PauseTiming();
    tables.reset();
    folder.reset();
    state.ResumeTiming();
  }
  count_items(state, items);
}

// Compares two equal runs; items are those of one run.
void BM_StoreDiff(benchmark::State& state) {
  const auto items = static_cast<std::uint64_t>(state.range(0));
  const auto files = make_files(items, static_cast<std::uint64_t>(state.range(1)));
  const Folder folder;
  Store store = Store::open(folder / "a.db", Store::Mode::kReadWriteCreate);
  record(store, files);
  record(store, files);
  for (auto iteration : state) {
    static_cast<void>(iteration);
    const auto before = store.files(store.find_run("1"));
    const auto after = store.files(store.find_run("2"));
    std::uint64_t changed = 0;
    const golden::Compared compared = golden::compare(
        *before, *after, [](std::string_view) { return nullptr; }, [&](const golden::FileChanges&) { ++changed; });
    if (changed != 0 || compared.items_after != items) {
      state.SkipWithError("two equal runs differ");
      break;
    }
  }
  count_items(state, items);
}

void store_arguments(benchmark::internal::Benchmark* benchmark) {
  for (const int items : {100'000, 1'000'000}) {
    for (const int items_a_file : {1, 100}) {
      benchmark->Args({items, items_a_file});
    }
  }
  benchmark->Unit(benchmark::kMillisecond)->Iterations(1);
}

BENCHMARK(BM_StoreRecord)->Apply(store_arguments);
BENCHMARK(BM_StoreRecordPlainSqlite)->Apply(store_arguments);
BENCHMARK(BM_StoreDiff)->Apply(store_arguments);

// Two inputs of that size, hashed by OpenSSL one after the other, and side by side.
enum class Hashing { kOpenssl, kTogether };

void hash_two(benchmark::State& state, Hashing how) {
  const auto size = static_cast<std::size_t>(state.range(0));
  synth::Prng prng(2);
  Buffer bytes(2 * size);
  for (std::uint8_t& byte : bytes) {
    byte = prng.byte();
  }
  const std::array<Bytes, 2> inputs{Bytes(bytes).first(size), Bytes(bytes).last(size)};
  std::array<Sha256, 2> hashes{};
  std::array<Sha256, 2> expected{};
  const auto by_openssl = [&](std::array<Sha256, 2>& out) {
    for (std::size_t index = 0; index < inputs.size(); ++index) {
      EVP_Digest(inputs[index].data(), size, out[index].data(), nullptr, EVP_sha256(), nullptr);
    }
  };
  by_openssl(expected);
  golden::hash_all(inputs, hashes);
  if (hashes != expected) {
    state.SkipWithError("the hashes differ");
    return;
  }
  for (auto iteration : state) {
    static_cast<void>(iteration);
    if (how == Hashing::kOpenssl) {
      by_openssl(hashes);
    } else {
      golden::hash_all(inputs, hashes);
    }
    benchmark::DoNotOptimize(hashes);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(2 * size) * static_cast<std::int64_t>(state.iterations()));
}

BENCHMARK_CAPTURE(hash_two, HashTwoOpenssl, Hashing::kOpenssl)
    ->Name("BM_HashTwoOpenssl")
    ->Arg(1 << 10)
    ->Arg(16 << 10)
    ->Arg(8 << 20);
BENCHMARK_CAPTURE(hash_two, HashTwo, Hashing::kTogether)->Name("BM_HashTwo")->Arg(1 << 10)->Arg(16 << 10)->Arg(8 << 20);

// A corpus in the proportions of a game, one thread: a first scan, one that takes everything over, and only reading and
// hashing every file once with OpenSSL.
enum class Job { kScan, kRescan, kHashFiles };

void scan_once(Store& store, const Store& reading, const golden::CorpusListing& corpus, golden::ScanSummary& summary) {
  const Sha256 key = golden::scan_key({}, "bench", corpus);
  golden::EarlierResults earlier(reading, key);
  RunWriter writer =
      store.begin_run({.label = "", .corpus = "", .profile = "", .tool_version = "", .rules = "", .scan_key = key});
  summary = golden::scan_corpus(corpus, {.walk = {}, .jobs = 1, .shard = {}, .earlier = &earlier, .progress = {}},
                                [&](FileResult&& file) { writer.add(std::move(file)); });
  writer.finish(summary.totals);
}

void hash_files(const golden::CorpusListing& corpus) {
  for (const golden::CorpusFile& file : corpus.files) {
    const auto content = golden::FileBytes::read(file.location);
    Sha256 hash;
    EVP_Digest(content.bytes().data(), content.bytes().size(), hash.data(), nullptr, EVP_sha256(), nullptr);
    benchmark::DoNotOptimize(hash);
  }
}

void scan(benchmark::State& state, Job job) {
  constexpr std::uint64_t kEntries = 2'000;
  constexpr std::uint64_t kSizeBytes = 50'000'000;
  const Folder folder;
  const auto made = synth::write_corpus({.folder = folder / "corpus",
                                         .profile = synth::CorpusProfile::kResources,
                                         .entries = kEntries,
                                         .size_bytes = kSizeBytes});
  const golden::CorpusListing corpus = golden::list_corpus(folder / "corpus");
  golden::ScanSummary summary;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    state.PauseTiming();
    fs::remove_all(folder / "db");
    fs::create_directory(folder / "db");
    auto store = std::make_unique<Store>(Store::open(folder / "db" / "a.db", Store::Mode::kReadWriteCreate));
    auto reading = std::make_unique<Store>(Store::open(folder / "db" / "a.db", Store::Mode::kReadOnly));
    if (job == Job::kRescan) {
      scan_once(*store, *reading, corpus, summary);
    }
    state.ResumeTiming();
    if (job == Job::kHashFiles) {
      hash_files(corpus);
    } else {
      scan_once(*store, *reading, corpus, summary);
    }
    const bool is_right = job == Job::kHashFiles || (summary.totals.bytes == made.bytes && summary.totals.fail == 0 &&
                                                     (summary.reused.files == made.files) == (job == Job::kRescan));
    if (!is_right) {
      state.SkipWithError("the scan gives something else");
      break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(made.bytes) * static_cast<std::int64_t>(state.iterations()));
  state.counters["items"] = static_cast<double>(summary.totals.items);
}

BENCHMARK_CAPTURE(scan, ScanHashFilesOpenssl, Job::kHashFiles)
    ->Name("BM_ScanHashFilesOpenssl")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scan, Scan, Job::kScan)->Name("BM_Scan")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scan, ScanAgain, Job::kRescan)->Name("BM_ScanAgain")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace assay::bench
