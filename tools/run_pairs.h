#pragma once

#include <string>

#include "golden/store.h"

// Two runs that are to be compared.
namespace assay::tools {

// Throws CannotWork where one is of a shard and the other of the whole or of another shard: most of what one has would
// be new or removed in the other.
void check_same_shard(const std::string& database, const golden::RunRecord& before, const golden::RunRecord& after);

}  // namespace assay::tools
