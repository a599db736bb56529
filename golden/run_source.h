#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "golden/item.h"
#include "golden/sqlite.h"

namespace assay::golden {

// Goes through a table by ascending id. Files recorded in order of path lie one after the other in every table, so that
// one pass over each serves all of them; elsewhere each file costs a search.
class RowCursor {
 public:
  // `sql` gives the id as its first column, from the id of its one parameter on, in ascending order.
  RowCursor(const Database& database, std::string_view sql) : rows_(database, sql) {}

  // Makes the row `id` the current one; false when there is none.
  [[nodiscard]] bool seek(std::int64_t id);
  // Leaves the current row. Requires: the last seek() found one.
  void advance();
  [[nodiscard]] const Statement& row() const { return rows_; }
  // Ends the pass, so that the database is no longer held at one state.
  void release();

 private:
  Statement rows_;
  bool has_row_ = false;
  // Of the current row.
  std::int64_t id_ = 0;
};

// Where the rows of one file are: the numbers of the first of each kind, and how many there are.
struct FileRows {
  // Rows of one table: [first, first + count).
  struct Range {
    std::int64_t first = 0;
    std::uint64_t count = 0;
  };
  Range items;
  Range findings;
  Range facts;

  // As columns of `row`, two for each, from `first_column` on: first_item, items, first_finding, findings, first_fact,
  // facts.
  [[nodiscard]] static FileRows from(const Statement& row, int first_column);
};

// Makes the result of a file from its rows. Borrows the database.
class FileReader {
 public:
  explicit FileReader(const Database& database);

  // Throws StoreError when rows are missing or hold what no run writes. Cost: O(rows).
  [[nodiscard]] FileResult read(std::string path, const FileRows& rows);
  // Lets go of the rows that the next read() might have begun with, and so of the state of the database.
  void release();

 private:
  void read_items(const FileRows::Range& rows, FileResult& file);
  void read_item(const FileResult& file, Item& item) const;
  void read_findings(const FileRows& rows, FileResult& file);
  void read_facts(const FileRows& rows, FileResult& file);
  // The item that a finding or fact belongs to.
  Item& owner(const Statement& row, std::int64_t first_item, FileResult& file) const;
  [[nodiscard]] std::optional<Sha256> hash(int column, const FileResult& file) const;
  [[noreturn]] void fail_damaged(const FileResult& file, const char* what) const;

  const Database* database_;
  RowCursor items_;
  RowCursor findings_;
  RowCursor facts_;
};

// The files of one recorded run by path. Made by Store::files(); borrows the database.
class RunSource : public FileSource {
 public:
  enum class Checksums : std::uint8_t { kIgnored, kVerified };

  // `expected_items` is the total of a complete run; nothing for an incomplete one.
  RunSource(const Database& database, std::int64_t run_id, std::optional<std::uint64_t> expected_items,
            Checksums checksums = Checksums::kIgnored);

  [[nodiscard]] std::optional<FileResult> next() override;

 private:
  const Database* database_;
  std::optional<std::uint64_t> expected_items_;
  Checksums checksums_;
  std::uint64_t read_items_ = 0;
  Statement files_;
  FileReader reader_;
};

}  // namespace assay::golden
