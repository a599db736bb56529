#include "golden/row_inserter.h"

namespace assay::golden {

Statement& RowInserter::statement_for(std::size_t size) {
  if (statements_[size] == nullptr) {
    std::string row = "(?";
    for (std::size_t column = 1; column < columns_; ++column) {
      row += ",?";
    }
    row += ')';
    std::string sql = "INSERT INTO " + target_ + " VALUES" + row;
    for (std::size_t index = 1; index < kChunkRows[size]; ++index) {
      sql += ',' + row;
    }
    statements_[size] = std::make_unique<Statement>(*database_, sql);
  }
  return *statements_[size];
}

}  // namespace assay::golden
