#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "golden/item.h"
#include "golden/sqlite.h"

namespace assay::golden {

// Takes the values of one row after the other, in the order of the columns.
class RowValues {
 public:
  explicit RowValues(Statement& statement) : statement_(statement) {}

  void integer(std::int64_t value) { statement_.bind(++parameter_, value); }
  void size(std::uint64_t value) { statement_.bind_size(++parameter_, value); }
  void text(std::string_view value) { statement_.bind(++parameter_, value); }
  void blob(Bytes value) { statement_.bind_blob(++parameter_, value); }
  void null() { statement_.bind_null(++parameter_); }
  void hash(const std::optional<Sha256>& value) { value ? blob(*value) : null(); }

 private:
  Statement& statement_;
  int parameter_ = 0;
};

// Inserts rows into one table, many with one statement: of the time that a row takes on its own, more than a third is
// spent on starting and ending the statement.
class RowInserter {
 public:
  // `target` is the table and its columns, e.g. "fact(id, item_id, key, value)", `columns` how many.
  RowInserter(const Database& database, std::string target, std::size_t columns)
      : database_(&database), target_(std::move(target)), columns_(columns) {}

  // Inserts a row for each element of `rows`: `bind(values, row)` gives the values. Texts and blobs are bound by
  // reference and must live until insert() is back.
  template <typename Rows, typename Bind>
  void insert(const Rows& rows, Bind bind) {
    std::size_t next = 0;
    for (std::size_t size = 0; size < kChunkRows.size(); ++size) {
      while (rows.size() - next >= kChunkRows[size]) {
        Statement& statement = statement_for(size);
        RowValues values(statement);
        for (const std::size_t end = next + kChunkRows[size]; next != end; ++next) {
          bind(values, rows[next]);
        }
        statement.run();
      }
    }
  }

 private:
  // Few sizes, since each is a statement to prepare; more than 64 rows gain nothing.
  static constexpr std::array<std::size_t, 3> kChunkRows{64, 8, 1};

  // Prepared when it is needed first.
  Statement& statement_for(std::size_t size);

  const Database* database_;
  std::string target_;
  std::size_t columns_;
  std::array<std::unique_ptr<Statement>, kChunkRows.size()> statements_;
};

}  // namespace assay::golden
