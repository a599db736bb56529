#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden/compare.h"

// Takes the results of a run over into the manifest.
namespace assay::golden {

// What was asked for cannot be accepted; the manifest is unchanged. The command ends with status 2.
class AcceptError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct AcceptRequest {
  // Of the run.
  std::string profile;
  bool is_complete = false;
  // Needed when something taken over fails or is worse than before (ok, quirk, unknown, fail); kept on each item taken
  // over.
  std::string reason;
  // Only files whose path matches (glob.h); empty: all.
  std::string path_pattern;
};

// What was taken over, by path. Empty: the manifest already said so and was left alone.
struct Accepted {
  std::vector<FileChanges> files;
  std::uint64_t items = 0;
};

// Replaces the manifest at `path` by one that expects what `actual` gives; other files and reasons given before are
// kept. Throws AcceptError (run incomplete or empty, other profile, reason missing, no file matches), ManifestError,
// and what `actual` throws; the manifest is then as it was. Memory: the differences.
[[nodiscard]] Accepted accept(const std::filesystem::path& path, const AcceptRequest& request, FileSource& actual,
                              const RecordFinder& find_record);

}  // namespace assay::golden
