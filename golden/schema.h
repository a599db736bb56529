#pragma once

#include <cstdint>

#include "golden/sqlite.h"

// The tables, the views, and how an older database becomes a current one (docs/database.md).
namespace assay::golden {

// Marks a SQLite file as ours: "IAsy" in the application_id of its header.
inline constexpr std::int64_t kApplicationId = 0x49417379;

// The version that this program writes, and the only one it reads after upgrading.
[[nodiscard]] std::int64_t schema_version();

// What becomes of a database that nobody has used yet.
enum class NewDatabase : std::uint8_t { kMade, kRefused };

// Makes the database current: a new one gets all of it, an older one what it lacks, each step in one transaction under
// the write lock, so that any number of processes may do this at once. Errors: StoreError when the database is not
// ours, newer than this program, new and refused as such, or lacks a table or view; nothing was changed then. Cost:
// O(1), independent of the content.
void prepare_schema(Database& database, NewDatabase unused);

// The same for a database that may not be changed: a new or an older one is an error too.
void require_schema(Database& database);

}  // namespace assay::golden
