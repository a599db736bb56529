#include "tools/run_pairs.h"

#include <fmt/format.h>

#include "golden/display.h"
#include "tools/exit_status.h"

namespace assay::tools {
namespace {

std::string part_text(const golden::RunRecord& run) {
  return run.info.shard.is_whole() ? "whole" : "of shard " + run.info.shard.text();
}

}  // namespace

void check_same_shard(const std::string& database, const golden::RunRecord& before, const golden::RunRecord& after) {
  if (before.info.shard != after.info.shard) {
    throw CannotWork(fmt::format(
        "{}: run {} is {}, run {} is {}; compare runs of the same part, or make whole ones with `assay merge`",
        golden::display_path(database), before.id, part_text(before), after.id, part_text(after)));
  }
}

}  // namespace assay::tools
