#include "tools/cli_database_test_support.h"

#include <sqlite3.h>

namespace assay::tools {

const std::vector<std::pair<std::string, std::string>> kRunViews{
    {"v_run", "label, corpus, profile, tool_version, items, ok, quirk, fail, unknown"},
    {"v_item", "path, entry, format, size, stored_sha256, sha256, verdict"},
    {"v_quirk", "path, entry, rule, offset, applied"},
    {"v_finding", "path, entry, code, severity, rule, offset, field, message"},
    {"v_fact", "path, entry, key, value"},
    {"v_range", "path, entry, offset, stored_size"}};

std::vector<std::string> CliDatabaseTest::query(const std::string& database, const std::string& sql) const {
  std::vector<std::string> rows;
  sqlite3* handle = nullptr;
  if (sqlite3_open_v2(at(database).c_str(), &handle, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
    const auto collect = [](void* list, int count, char** values, char** /*names*/) {
      std::string row;
      for (int column = 0; column < count; ++column) {
        row += (column == 0 ? "" : "|") + std::string(values[column] == nullptr ? "NULL" : values[column]);
      }
      static_cast<std::vector<std::string>*>(list)->push_back(row);
      return 0;
    };
    sqlite3_exec(handle, sql.c_str(), collect, &rows, nullptr);
  }
  sqlite3_close(handle);
  return rows;
}

void CliDatabaseTest::change(const std::string& database, const std::string& sql) const {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(at(database).c_str(), &handle), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
  sqlite3_close(handle);
}

std::vector<std::string> CliDatabaseTest::rows_of_run(const std::string& database, int run_id, const std::string& view,
                                                      const std::string& columns) const {
  return query(database, "select " + columns + " from " + view + " where run_id = " + std::to_string(run_id) +
                             " order by " + columns);
}

}  // namespace assay::tools
