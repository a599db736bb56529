#include "golden/run_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "golden/checksum.h"

namespace assay::golden {
namespace {

// Never reserve by a count that a damaged database might hold.
constexpr std::uint64_t kMaxReservedItems = 4096;

}  // namespace

bool RowCursor::seek(std::int64_t id) {
  if (!has_row_ || id_ != id) {
    rows_.reset();
    rows_.bind(1, id);
    advance();
  }
  return has_row_ && id_ == id;
}

void RowCursor::advance() {
  has_row_ = rows_.step();
  if (has_row_) {
    id_ = rows_.integer(0);
  }
}

void RowCursor::release() {
  rows_.reset();
  has_row_ = false;
}

FileRows FileRows::from(const Statement& row, int first_column) {
  const auto range = [&](int column) { return Range{row.integer(column), row.size(column + 1)}; };
  return {range(first_column), range(first_column + 2), range(first_column + 4)};
}

FileReader::FileReader(const Database& database)
    : database_(&database),
      items_(
          database,
          "SELECT id, entry, format, offset, stored_size, size, stored_sha256, sha256, verdict, row_record, row_index, "
          "row_offset, row_bytes FROM item WHERE id>=? ORDER BY id"),
      findings_(database,
                "SELECT id, item_id, code, severity, rule, applied, offset, field, message FROM finding WHERE id>=? "
                "ORDER BY id"),
      facts_(database, "SELECT id, item_id, key, value FROM fact WHERE id>=? ORDER BY id") {}

FileResult FileReader::read(std::string path, const FileRows& rows) {
  FileResult file{.path = std::move(path), .items = {}};
  read_items(rows.items, file);
  if (rows.findings.count != 0) {
    read_findings(rows, file);
  }
  if (rows.facts.count != 0) {
    read_facts(rows, file);
  }
  return file;
}

void FileReader::release() {
  items_.release();
  findings_.release();
  facts_.release();
}

void FileReader::fail_damaged(const FileResult& file, const char* what) const {
  database_->fail_damaged(fmt::format("{}, in {}", what, file.path));
}

std::optional<Sha256> FileReader::hash(int column, const FileResult& file) const {
  const Statement& row = items_.row();
  if (row.is_null(column)) {
    return std::nullopt;
  }
  const Bytes bytes = row.blob(column);
  Sha256 value;
  if (bytes.size() != value.size()) {
    fail_damaged(file, "a hash does not have 32 bytes");
  }
  std::ranges::copy(bytes, value.begin());
  return value;
}

void FileReader::read_item(const FileResult& file, Item& item) const {
  const Statement& row = items_.row();
  item.entry = row.text(1);
  item.format = row.text(2);
  item.offset = row.size(3);
  item.stored_size = row.size(4);
  item.size = row.size(5);
  item.stored_sha256 = hash(6, file);
  item.sha256 = hash(7, file);
  const std::uint64_t verdict = row.size(8);
  if (verdict > static_cast<std::uint64_t>(Verdict::kUnknown)) {
    fail_damaged(file, "a verdict is out of range");
  }
  item.verdict = static_cast<Verdict>(verdict);
  if (!row.is_null(9)) {
    const Bytes bytes = row.blob(12);
    item.row = {
        .record = std::string(row.text(9)), .index = row.size(10), .offset = row.size(11), .bytes = copy_of(bytes)};
  }
}

void FileReader::read_items(const FileRows::Range& rows, FileResult& file) {
  file.items.reserve(static_cast<std::size_t>(std::min(rows.count, kMaxReservedItems)));
  for (std::uint64_t index = 0; index < rows.count; ++index) {
    if (!items_.seek(rows.first + static_cast<std::int64_t>(index))) {
      fail_damaged(file, "items are missing");
    }
    read_item(file, file.items.emplace_back());
    items_.advance();
  }
}

Item& FileReader::owner(const Statement& row, std::int64_t first_item, FileResult& file) const {
  const std::int64_t item_id = row.integer(1);
  if (item_id < first_item || static_cast<std::uint64_t>(item_id - first_item) >= file.items.size()) {
    fail_damaged(file, "a finding or fact belongs to no item");
  }
  return file.items[static_cast<std::size_t>(item_id - first_item)];
}

void FileReader::read_findings(const FileRows& rows, FileResult& file) {
  for (std::uint64_t index = 0; index < rows.findings.count; ++index) {
    if (!findings_.seek(rows.findings.first + static_cast<std::int64_t>(index))) {
      fail_damaged(file, "findings are missing");
    }
    const Statement& row = findings_.row();
    const std::uint64_t severity = row.size(3);
    if (severity > static_cast<std::uint64_t>(Severity::kError)) {
      fail_damaged(file, "a severity is out of range");
    }
    owner(row, rows.items.first, file)
        .findings.push_back({.code = std::string(row.text(2)),
                             .severity = static_cast<Severity>(severity),
                             .rule = row.is_null(4) ? std::string() : std::string(row.text(4)),
                             .applied = row.integer(5) != 0,
                             .offset = row.size(6),
                             .field = std::string(row.text(7)),
                             .message = std::string(row.text(8))});
    findings_.advance();
  }
}

void FileReader::read_facts(const FileRows& rows, FileResult& file) {
  for (std::uint64_t index = 0; index < rows.facts.count; ++index) {
    if (!facts_.seek(rows.facts.first + static_cast<std::int64_t>(index))) {
      fail_damaged(file, "facts are missing");
    }
    const Statement& row = facts_.row();
    owner(row, rows.items.first, file)
        .facts.push_back({.key = std::string(row.text(2)), .value = std::string(row.text(3))});
    facts_.advance();
  }
}

RunSource::RunSource(const Database& database, std::int64_t run_id, std::optional<std::uint64_t> expected_items,
                     Checksums checksums)
    : database_(&database),
      expected_items_(expected_items),
      checksums_(checksums),
      files_(database,
             "SELECT path, first_item, items, first_finding, findings, first_fact, facts, checksum FROM file WHERE "
             "run_id=? ORDER BY path"),
      reader_(database) {
  files_.bind(1, run_id);
}

std::optional<FileResult> RunSource::next() {
  if (!files_.step()) {
    if (expected_items_ && *expected_items_ != read_items_) {
      database_->fail_damaged(fmt::format("the run counts {} items, {} are there", *expected_items_, read_items_));
    }
    return std::nullopt;
  }
  FileResult file = reader_.read(std::string(files_.text(0)), FileRows::from(files_, 1));
  if (checksums_ == Checksums::kVerified && checksum_of(file) != files_.integer(7)) {
    database_->fail_damaged(fmt::format("{} is not what was recorded", file.path));
  }
  read_items_ += file.items.size();
  return file;
}

}  // namespace assay::golden
