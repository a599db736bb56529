#include "golden/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <limits>

namespace assay::golden {
namespace {

// What a result code means to the person at the terminal: what is wrong, and what to do.
std::string explain(int code, std::string_view detail, std::chrono::milliseconds lock_timeout) {
  switch (code) {
    case SQLITE_NOTADB:
      return "is not a SQLite database, or its header is damaged; give another file, or delete it to start anew";
    case SQLITE_CORRUPT:
      return fmt::format("is damaged ({}); restore a copy of it, or delete it and scan again", detail);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return fmt::format("was locked by another process for {:.1f} seconds; wait for that process to end and try again",
                         std::chrono::duration<double>(lock_timeout).count());
    case SQLITE_FULL: return "cannot grow, the disk is full; free some space and scan again";
    case SQLITE_IOERR:
      return fmt::format("cannot be read or written ({}); check the disk, its free space and the limit on file sizes",
                         detail);
    case SQLITE_READONLY: return "cannot be written; check the permissions of the file and of its folder";
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return fmt::format("cannot be opened ({}); check that the file and its folder may be read and written", detail);
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
    case SQLITE_SCHEMA:
    case SQLITE_MISMATCH:
      return fmt::format(
          "does not hold what this program writes ({}); restore a copy of it, or delete it and scan again", detail);
    default: return fmt::format("cannot be used ({})", detail);
  }
}

constexpr int kMaxDetailColumn = 64;

// SQLite as Debian builds it takes "file:..." for a URI, and opens another file; what begins with a colon is none at
// all.
std::string plain_name(const std::string& path) {
  return path.starts_with("file:") || path.starts_with(':') ? "./" + path : path;
}

// Whether the log that SQLite keeps beside a database cannot be made, nor is needed: everything is in the file itself.
bool has_to_stay_as_it_is(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  return ::access(folder.empty() ? "." : folder.c_str(), W_OK) != 0 && ::access(path.c_str(), R_OK) == 0 &&
         !std::filesystem::exists(path + "-wal", error) && !error;
}

// Names a file that nobody changes while it is read.
std::string unchanging_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : plain_name(path)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                          c == '.' || c == '_' || c == '-';
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri + "?immutable=1";
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close(handle);
}

Database::Database(const std::string& path, Mode mode) : path_(path) {
  // Reading also opens for writing where the file permits: only then does the last reader tidy up the write-ahead log.
  const int create = mode == Mode::kReadOnly ? 0 : SQLITE_OPEN_CREATE;
  const int access = mode == Mode::kReadOnly && has_to_stay_as_it_is(path) ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                                                                           : SQLITE_OPEN_READWRITE | create;
  const std::string name = mode == Mode::kInMemory           ? ":memory:"
                           : (access & SQLITE_OPEN_URI) != 0 ? unchanging_uri(path)
                                                             : plain_name(path);
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, access | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(handle);
  if (handle == nullptr) {
    throw std::bad_alloc();
  }
  if (code != SQLITE_OK) {
    fail(code, "opening");
  }
  sqlite3_extended_result_codes(handle, 1);
}

void Database::set_lock_timeout(std::chrono::milliseconds timeout) {
  lock_timeout_ = timeout;
  sqlite3_busy_timeout(handle(), static_cast<int>(timeout.count()));
}

void Database::run(const char* sql) {
  const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) {
    fail(code, sql);
  }
}

std::int64_t Database::number(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::string Database::text(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? std::string(statement.text(0)) : std::string();
}

std::string Database::text_unless_locked(const char* sql) {
  try {
    return text(sql);
  } catch (const StoreError&) {
    const int code = sqlite3_errcode(handle()) & 0xFF;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
      return {};
    }
    throw;
  }
}

void Database::fail(int code, std::string_view doing) const {
  std::string detail = sqlite3_errmsg(handle());
  if (const int system_error = sqlite3_system_errno(handle()); (code & 0xFF) == SQLITE_IOERR && system_error != 0) {
    detail += fmt::format(": {}", std::strerror(system_error));
  }
  detail += fmt::format(", {}", doing.substr(0, kMaxDetailColumn));
  throw StoreError(fmt::format("{}: {}", path_, explain(code & 0xFF, detail, lock_timeout_)));
}

void Database::fail_damaged(std::string_view what) const {
  throw StoreError(fmt::format("{}: {}", path_, explain(SQLITE_CORRUPT, what, lock_timeout_)));
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement::Statement(const Database& database, std::string_view sql) : database_(&database) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  statement_.reset(statement);
  check(code);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) {
    const char* sql = sqlite3_sql(statement_.get());
    database_->fail(code, sql == nullptr ? "preparing a statement" : sql);
  }
}

void Statement::bind(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), parameter, value));
}

void Statement::bind_size(int parameter, std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    throw StoreError(
        fmt::format("{}: cannot hold the size or offset {}; nothing was recorded", database_->path(), value));
  }
  bind(parameter, static_cast<std::int64_t>(value));
}

void Statement::bind(int parameter, std::string_view value) {
  // A null pointer would bind NULL, and an empty view may hold one.
  const char* data = value.empty() ? "" : value.data();
  check(sqlite3_bind_text64(statement_.get(), parameter, data, value.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind_real(int parameter, double value) {
  check(sqlite3_bind_double(statement_.get(), parameter, value));
}

void Statement::bind_blob(int parameter, Bytes value) {
  const void* data = value.empty() ? static_cast<const void*>("") : value.data();
  check(sqlite3_bind_blob64(statement_.get(), parameter, data, value.size(), SQLITE_STATIC));
}

void Statement::bind_null(int parameter) {
  check(sqlite3_bind_null(statement_.get(), parameter));
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) {
    return true;
  }
  check(code == SQLITE_DONE ? SQLITE_OK : code);
  return false;
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

void Statement::run() {
  static_cast<void>(step());
  reset();
}

// Asking the value that a column holds, once, takes half the time of asking the statement for type and content: each
// question to the statement takes its connection's lock and looks for an error.
sqlite3_value* Statement::value(int column, int type) const {
  sqlite3_value* found = sqlite3_column_value(statement_.get(), column);
  if (sqlite3_value_type(found) != type) {
    database_->fail_damaged(
        fmt::format("a value of {} has the wrong type", sqlite3_column_name(statement_.get(), column)));
  }
  return found;
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_value_int64(value(column, SQLITE_INTEGER));
}

double Statement::real(int column) const {
  return sqlite3_value_double(value(column, SQLITE_FLOAT));
}

std::uint64_t Statement::size(int column) const {
  const std::int64_t number = integer(column);
  if (number < 0) {
    database_->fail_damaged(fmt::format("{} is negative", sqlite3_column_name(statement_.get(), column)));
  }
  return static_cast<std::uint64_t>(number);
}

std::string_view Statement::text(int column) const {
  sqlite3_value* found = value(column, SQLITE_TEXT);
  const auto* data = reinterpret_cast<const char*>(sqlite3_value_text(found));
  return {data, static_cast<std::size_t>(sqlite3_value_bytes(found))};
}

Bytes Statement::blob(int column) const {
  sqlite3_value* found = value(column, SQLITE_BLOB);
  const auto* data = static_cast<const std::uint8_t*>(sqlite3_value_blob(found));
  return {data, static_cast<std::size_t>(sqlite3_value_bytes(found))};
}

WriteTransaction::WriteTransaction(Database& database) : database_(&database) {
  database.run("BEGIN IMMEDIATE");
}

WriteTransaction::~WriteTransaction() {
  if (is_open_) {
    // SQLite may have rolled back by itself already; there is nobody left to tell.
    sqlite3_exec(database_->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

void WriteTransaction::commit() {
  database_->run("COMMIT");
  is_open_ = false;
}

}  // namespace assay::golden
