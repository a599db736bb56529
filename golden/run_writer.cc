#include "golden/run_writer.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cassert>
#include <span>
#include <utility>
#include <vector>

#include "golden/checksum.h"
#include "golden/item_values.h"
#include "golden/row_inserter.h"
#include "golden/run_source.h"

namespace assay::golden {
namespace {

std::string now_text() {
  using std::chrono::floor;
  const auto now = floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto seconds = floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (now - seconds).count());
}

std::size_t row_count(const FileResult& file) {
  std::size_t rows = 1 + file.items.size();
  for (const Item& item : file.items) {
    rows += item.findings.size() + item.facts.size();
  }
  return rows;
}

}  // namespace

// One batch as rows, and the statements that insert them.
class RunWriter::Rows {
 public:
  explicit Rows(const Database& database)
      : last_ids_(database,
                  "SELECT (SELECT ifnull(max(id), 0) FROM item), (SELECT ifnull(max(id), 0) FROM finding), "
                  "(SELECT ifnull(max(id), 0) FROM fact)"),
        insert_files_(
            database,
            "file(run_id, path, first_item, items, first_finding, findings, first_fact, facts, checksum, reused)", 10),
        insert_items_(database, "item", 13),
        insert_findings_(database, "finding", 9),
        insert_facts_(database, "fact", 4) {}

  // Numbers the rows of `results` and inserts them. Holds while the write lock is held.
  void write(std::int64_t run_id, std::span<const FileResult> results);

 private:
  struct FileRow {
    const FileResult* result;
    FileRows rows;
  };
  template <typename Value>
  struct ItemRow {
    std::int64_t item_id;
    const Value* value;
  };

  void read_last_ids();
  void add(const FileResult& result);

  Statement last_ids_;
  RowInserter insert_files_;
  RowInserter insert_items_;
  RowInserter insert_findings_;
  RowInserter insert_facts_;
  // The numbers that are taken.
  std::int64_t last_item_ = 0;
  std::int64_t last_finding_ = 0;
  std::int64_t last_fact_ = 0;
  std::vector<FileRow> files_;
  std::vector<ItemRow<Item>> items_;
  std::vector<ItemRow<ItemFinding>> findings_;
  std::vector<ItemRow<Fact>> facts_;
};

void RunWriter::Rows::read_last_ids() {
  if (last_ids_.step()) {
    last_item_ = last_ids_.integer(0);
    last_finding_ = last_ids_.integer(1);
    last_fact_ = last_ids_.integer(2);
  }
  last_ids_.reset();
}

void RunWriter::Rows::add(const FileResult& result) {
  const auto next = [](std::int64_t last, const auto& rows) {
    return last + 1 + static_cast<std::int64_t>(rows.size());
  };
  FileRows rows{.items = {.first = next(last_item_, items_), .count = result.items.size()},
                .findings = {.first = next(last_finding_, findings_)},
                .facts = {.first = next(last_fact_, facts_)}};
  for (const Item& item : result.items) {
    const std::int64_t item_id = next(last_item_, items_);
    items_.push_back({item_id, &item});
    for (const ItemFinding& finding : item.findings) {
      findings_.push_back({item_id, &finding});
    }
    for (const Fact& fact : item.facts) {
      facts_.push_back({item_id, &fact});
    }
    rows.findings.count += item.findings.size();
    rows.facts.count += item.facts.size();
  }
  files_.push_back({&result, rows});
}

void RunWriter::Rows::write(std::int64_t run_id, std::span<const FileResult> results) {
  files_.clear();
  items_.clear();
  findings_.clear();
  facts_.clear();
  read_last_ids();
  for (const FileResult& result : results) {
    add(result);
  }
  insert_files_.insert(files_, [&](RowValues& values, const FileRow& row) {
    values.integer(run_id);
    values.text(row.result->path);
    for (const FileRows::Range& range : {row.rows.items, row.rows.findings, row.rows.facts}) {
      values.integer(range.first);
      values.size(range.count);
    }
    values.integer(checksum_of(*row.result));
    values.integer(std::int64_t{row.result->is_reused});
  });
  insert_items_.insert(items_, [](RowValues& values, const ItemRow<Item>& row) {
    values.integer(row.item_id);
    give_values(values, *row.value);
  });
  const auto below_an_item = [](RowValues& values, std::int64_t id, const auto& row) {
    values.integer(id);
    values.integer(row.item_id);
    give_values(values, *row.value);
  };
  insert_findings_.insert(findings_, [&](RowValues& values, const ItemRow<ItemFinding>& row) {
    below_an_item(values, ++last_finding_, row);
  });
  insert_facts_.insert(facts_,
                       [&](RowValues& values, const ItemRow<Fact>& row) { below_an_item(values, ++last_fact_, row); });
}

RunWriter::RunWriter(Database& database, const RunInfo& info, const BatchLimits& limits)
    : database_(&database), limits_(limits) {
  WriteTransaction transaction(database);
  Statement insert(database,
                   "INSERT INTO run(id, label, corpus, profile, rules, tool_version, started_at, shard_index, "
                   "shard_count, scan_key) VALUES("
                   "(SELECT 1 + max((SELECT ifnull(max(id), 0) FROM run), "
                   "(SELECT ifnull(max(id), 0) FROM measurement))), ?,?,?,?,?,?,?,?,?) "
                   "RETURNING id");
  const std::string started_at = now_text();
  insert.bind(1, info.label);
  insert.bind(2, info.corpus);
  insert.bind(3, info.profile);
  insert.bind(4, info.rules);
  insert.bind(5, info.tool_version);
  insert.bind(6, started_at);
  insert.bind_size(7, info.shard.index);
  insert.bind_size(8, info.shard.count);
  if (info.scan_key) {
    insert.bind_blob(9, *info.scan_key);
  }
  if (insert.step()) {
    run_id_ = insert.integer(0);
  }
  insert.run();
  transaction.commit();
  rows_ = std::make_unique<Rows>(database);
}

RunWriter::~RunWriter() = default;
RunWriter::RunWriter(RunWriter&&) noexcept = default;
RunWriter& RunWriter::operator=(RunWriter&&) noexcept = default;

void RunWriter::add(FileResult file) {
  const auto now = std::chrono::steady_clock::now();
  if (collected_.empty()) {
    oldest_ = now;
  }
  collected_rows_ += row_count(file);
  added_items_ += file.items.size();
  collected_.push_back(std::move(file));
  if (collected_rows_ >= limits_.rows || now - oldest_ >= limits_.age) {
    flush();
  }
}

void RunWriter::flush() {
  if (collected_.empty()) {
    return;
  }
  WriteTransaction transaction(*database_);
  write_collected();
  transaction.commit();
  collected_.clear();
  collected_rows_ = 0;
  is_broken_ = false;
}

void RunWriter::finish(const Totals& totals, std::optional<std::uint64_t> corpus_files) {
  assert(totals.items == added_items_);
  WriteTransaction transaction(*database_);
  write_collected();
  Statement update(*database_,
                   "UPDATE run SET finished_at=?, items=?, ok=?, quirk=?, fail=?, unknown=?, bytes=?, corpus_files=? "
                   "WHERE id=?");
  const std::string finished_at = now_text();
  update.bind(1, finished_at);
  update.bind_size(2, totals.items);
  update.bind_size(3, totals.ok);
  update.bind_size(4, totals.quirk);
  update.bind_size(5, totals.fail);
  update.bind_size(6, totals.unknown);
  update.bind_size(7, totals.bytes);
  if (corpus_files) {
    update.bind_size(8, *corpus_files);
  }
  update.bind(9, run_id_);
  update.run();
  write_metrics();
  transaction.commit();
  collected_.clear();
  metrics_.clear();
  is_broken_ = false;
}

void RunWriter::write_metrics() {
  Statement insert(*database_, "INSERT INTO metric(run_id, name, metric, value, unit) VALUES(?,?,?,?,?)");
  for (const Metric& metric : metrics_) {
    insert.bind(1, run_id_);
    insert.bind(2, metric.name);
    insert.bind(3, metric.metric);
    insert.bind_real(4, metric.value);
    insert.bind(5, metric.unit);
    insert.run();
  }
}

// Inside a transaction. Until the caller has committed, the writer counts as broken: what was collected is then half
// written and may not be written again.
void RunWriter::write_collected() {
  if (is_broken_) {
    throw StoreError(
        fmt::format("{}: run {} could not be written before and stays incomplete", database_->path(), run_id_));
  }
  is_broken_ = true;
  rows_->write(run_id_, collected_);
}

}  // namespace assay::golden
