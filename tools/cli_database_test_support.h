#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/cli_test_support.h"

// Looking into the databases that the command writes, without its code.
namespace assay::tools {

class CliDatabaseTest : public CliTest {
 protected:
  // The rows of a query as text, columns joined by '|'; empty where the database cannot be read yet.
  [[nodiscard]] std::vector<std::string> query(const std::string& database, const std::string& sql) const;
  // Runs statements that change the database.
  void change(const std::string& database, const std::string& sql) const;
  // All rows of one run in a view of kRunViews, in order.
  [[nodiscard]] std::vector<std::string> rows_of_run(const std::string& database, int run_id, const std::string& view,
                                                     const std::string& columns) const;
};

// The views about runs with their columns, but for numbers, times and the marks of what was reused.
extern const std::vector<std::pair<std::string, std::string>> kRunViews;

}  // namespace assay::tools
