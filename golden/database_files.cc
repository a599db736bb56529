#include "golden/database_files.h"

#include <algorithm>
#include <system_error>

namespace assay::golden {
namespace {

namespace fs = std::filesystem;

fs::path real_path(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : real;
}

}  // namespace

std::vector<fs::path> files_of_database(const fs::path& database) {
  std::vector<fs::path> files;
  for (const fs::path& name : {database, real_path(database)}) {
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
      files.emplace_back(name.native() + ending);
    }
  }
  return files;
}

bool belongs_to_database(const fs::path& path, const fs::path& database) {
  const fs::path real = real_path(path);
  return std::ranges::any_of(files_of_database(database), [&](const fs::path& file) {
    std::error_code missing;
    return fs::equivalent(path, file, missing) || real == real_path(file);
  });
}

}  // namespace assay::golden
