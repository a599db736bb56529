#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "parsers/base/bytes.h"

struct sqlite3;
struct sqlite3_stmt;
struct sqlite3_value;

// A thin layer over SQLite's C interface: ownership, and one place that turns its codes into sentences.
namespace assay::golden {

// The database cannot be used. The text names it, what is wrong and what to do; the command ends with status 2.
class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An open database. Not for two threads at once.
class Database {
 public:
  // kInMemory takes no file; its path is what messages say.
  enum class Mode : std::uint8_t { kReadOnly, kReadWriteCreate, kInMemory };

  // Opens or creates the file; a caller who must have it there checks first. One that lies complete in a folder that
  // may not be written is read as it is. Errors: StoreError.
  Database(const std::string& path, Mode mode);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }

  // How long a statement waits for the lock of another process.
  void set_lock_timeout(std::chrono::milliseconds timeout);
  [[nodiscard]] std::chrono::milliseconds lock_timeout() const { return lock_timeout_; }

  // Runs statements that give no rows, or whose rows do not matter.
  void run(const char* sql);
  // The first column of the first row, as a number or as a text.
  [[nodiscard]] std::int64_t number(const char* sql);
  [[nodiscard]] std::string text(const char* sql);
  // The same as text(), but nothing is thrown when another process holds the lock: the result is then empty.
  [[nodiscard]] std::string text_unless_locked(const char* sql);

  // Throws what SQLite's `code` means for the caller. `doing` ends up in the text, e.g. "recording a run".
  [[noreturn]] void fail(int code, std::string_view doing) const;
  // Throws that the content is not what this program writes.
  [[noreturn]] void fail_damaged(std::string_view what) const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };

  std::string path_;
  std::chrono::milliseconds lock_timeout_{0};
  std::unique_ptr<sqlite3, Close> handle_;
};

// A prepared statement. Texts and blobs are bound by reference: they must live until the next reset() or run().
// Columns are typed strictly, because what a damaged database holds must not pass for a value. All errors: StoreError.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);

  void bind(int parameter, std::int64_t value);
  // Sizes and offsets. Values above 2^63 - 1 are refused, since SQLite's integers are signed.
  void bind_size(int parameter, std::uint64_t value);
  void bind(int parameter, std::string_view value);
  void bind_real(int parameter, double value);
  void bind_blob(int parameter, Bytes value);
  void bind_null(int parameter);

  // Goes to the next row; false at the end.
  [[nodiscard]] bool step();
  void reset();
  // A statement without rows: runs it and makes it ready for the next values.
  void run();

  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::uint64_t size(int column) const;
  [[nodiscard]] double real(int column) const;
  // Valid until the next step() or reset().
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] Bytes blob(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  void check(int code) const;
  // The value in a column of the current row. Throws when it has another type.
  [[nodiscard]] sqlite3_value* value(int column, int type) const;

  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// One transaction that holds the write lock from its start, so that it cannot fail half-way for want of it. Rolls back
// unless commit() was reached.
class WriteTransaction {
 public:
  explicit WriteTransaction(Database& database);
  ~WriteTransaction();
  WriteTransaction(const WriteTransaction&) = delete;
  WriteTransaction& operator=(const WriteTransaction&) = delete;

  void commit();

 private:
  Database* database_;
  bool is_open_ = true;
};

}  // namespace assay::golden
