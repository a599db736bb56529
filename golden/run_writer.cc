#include "golden/run_writer.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cassert>
#include <utility>

#include "golden/checksum.h"

namespace assay::golden {
namespace {

std::string now_text() {
  using std::chrono::floor;
  const auto now = floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto seconds = floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (now - seconds).count());
}

void bind_hash(Statement& statement, int parameter, const std::optional<Sha256>& hash) {
  if (hash) {
    statement.bind_blob(parameter, *hash);
  } else {
    statement.bind_null(parameter);
  }
}

std::size_t row_count(const FileResult& file) {
  std::size_t rows = 1 + file.items.size();
  for (const Item& item : file.items) {
    rows += item.findings.size() + item.facts.size();
  }
  return rows;
}

}  // namespace

// The insertions, prepared once. Parameters are in the order of the columns.
struct RunWriter::Statements {
  explicit Statements(const Database& database)
      : last_ids(database,
                 "SELECT (SELECT ifnull(max(id), 0) FROM item), (SELECT ifnull(max(id), 0) FROM finding), "
                 "(SELECT ifnull(max(id), 0) FROM fact)"),
        file(database,
             "INSERT INTO file(run_id, path, first_item, items, first_finding, findings, first_fact, facts, checksum, "
             "reused) VALUES(?,?,?,?,?,?,?,?,?,?)"),
        item(database, "INSERT INTO item VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"),
        finding(database, "INSERT INTO finding VALUES(?,?,?,?,?,?,?,?,?)"),
        fact(database, "INSERT INTO fact VALUES(?,?,?,?)") {}

  // Reads which numbers are taken. Holds while the write lock is held.
  void read_last_ids();
  void insert(std::int64_t run_id, const FileResult& result);
  void insert(const Item& value);
  void insert(const ItemFinding& value);
  void insert(const Fact& value);

  Statement last_ids;
  Statement file;
  Statement item;
  Statement finding;
  Statement fact;
  std::int64_t last_item = 0;
  std::int64_t last_finding = 0;
  std::int64_t last_fact = 0;
};

void RunWriter::Statements::read_last_ids() {
  if (last_ids.step()) {
    last_item = last_ids.integer(0);
    last_finding = last_ids.integer(1);
    last_fact = last_ids.integer(2);
  }
  last_ids.reset();
}

void RunWriter::Statements::insert(std::int64_t run_id, const FileResult& result) {
  const std::int64_t first_finding = last_finding + 1;
  const std::int64_t first_fact = last_fact + 1;
  file.bind(1, run_id);
  file.bind(2, result.path);
  file.bind(3, last_item + 1);
  file.bind_size(4, result.items.size());
  for (const Item& value : result.items) {
    insert(value);
  }
  file.bind(5, first_finding);
  file.bind(6, last_finding + 1 - first_finding);
  file.bind(7, first_fact);
  file.bind(8, last_fact + 1 - first_fact);
  file.bind(9, checksum_of(result));
  file.bind(10, std::int64_t{result.is_reused});
  file.run();
}

void RunWriter::Statements::insert(const Item& value) {
  item.bind(1, ++last_item);
  item.bind(2, value.entry);
  item.bind(3, value.format);
  item.bind_size(4, value.offset);
  item.bind_size(5, value.stored_size);
  item.bind_size(6, value.size);
  bind_hash(item, 7, value.stored_sha256);
  bind_hash(item, 8, value.sha256);
  item.bind(9, static_cast<std::int64_t>(value.verdict));
  if (value.row.record.empty()) {
    for (int parameter = 10; parameter <= 13; ++parameter) {
      item.bind_null(parameter);
    }
  } else {
    item.bind(10, value.row.record);
    item.bind_size(11, value.row.index);
    item.bind_size(12, value.row.offset);
    item.bind_blob(13, value.row.bytes);
  }
  item.run();
  for (const ItemFinding& one : value.findings) {
    insert(one);
  }
  for (const Fact& one : value.facts) {
    insert(one);
  }
}

void RunWriter::Statements::insert(const ItemFinding& value) {
  finding.bind(1, ++last_finding);
  finding.bind(2, last_item);
  finding.bind(3, value.code);
  finding.bind(4, static_cast<std::int64_t>(value.severity));
  if (value.rule.empty()) {
    finding.bind_null(5);
  } else {
    finding.bind(5, value.rule);
  }
  finding.bind(6, std::int64_t{value.applied});
  finding.bind_size(7, value.offset);
  finding.bind(8, value.field);
  finding.bind(9, value.message);
  finding.run();
}

void RunWriter::Statements::insert(const Fact& value) {
  fact.bind(1, ++last_fact);
  fact.bind(2, last_item);
  fact.bind(3, value.key);
  fact.bind(4, value.value);
  fact.run();
}

RunWriter::RunWriter(Database& database, const RunInfo& info, const BatchLimits& limits)
    : database_(&database), limits_(limits) {
  WriteTransaction transaction(database);
  Statement insert(database,
                   "INSERT INTO run(id, label, corpus, profile, rules, tool_version, started_at, scan_key) VALUES("
                   "(SELECT 1 + max((SELECT ifnull(max(id), 0) FROM run), "
                   "(SELECT ifnull(max(id), 0) FROM measurement))), ?,?,?,?,?,?,?) "
                   "RETURNING id");
  const std::string started_at = now_text();
  insert.bind(1, info.label);
  insert.bind(2, info.corpus);
  insert.bind(3, info.profile);
  insert.bind(4, info.rules);
  insert.bind(5, info.tool_version);
  insert.bind(6, started_at);
  bind_hash(insert, 7, info.scan_key);
  if (insert.step()) {
    run_id_ = insert.integer(0);
  }
  insert.run();
  transaction.commit();
  statements_ = std::make_unique<Statements>(database);
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

void RunWriter::finish(const Totals& totals) {
  assert(totals.items == added_items_);
  WriteTransaction transaction(*database_);
  write_collected();
  Statement update(*database_,
                   "UPDATE run SET finished_at=?, items=?, ok=?, quirk=?, fail=?, unknown=?, bytes=? WHERE id=?");
  const std::string finished_at = now_text();
  update.bind(1, finished_at);
  update.bind_size(2, totals.items);
  update.bind_size(3, totals.ok);
  update.bind_size(4, totals.quirk);
  update.bind_size(5, totals.fail);
  update.bind_size(6, totals.unknown);
  update.bind_size(7, totals.bytes);
  update.bind(8, run_id_);
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
  statements_->read_last_ids();
  for (const FileResult& file : collected_) {
    statements_->insert(run_id_, file);
  }
}

}  // namespace assay::golden
