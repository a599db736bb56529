#pragma once

#include <filesystem>
#include <vector>

// The files that SQLite keeps for a database.
namespace assay::golden {

// `database` and what may stand beside it, under the name that was given and where a link leads.
[[nodiscard]] std::vector<std::filesystem::path> files_of_database(const std::filesystem::path& database);

// Whether `path` is one of them, or would be. What is written there would destroy the database, or vanish when the last
// of its readers ends.
[[nodiscard]] bool belongs_to_database(const std::filesystem::path& path, const std::filesystem::path& database);

}  // namespace assay::golden
