#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>

#include "parsers/base/bytes.h"

// Writing files so that nothing is lost and nothing lands where it should not.
namespace assay::tools {

// Reads a whole regular file. Throws CannotWork with the file's name; a pipe or a device is refused, because it would
// read as empty.
[[nodiscard]] Buffer read_file(const std::filesystem::path& path);

// Writes `bytes` beside `target` and renames the result into place: the target is the old file or the new one, never
// half of either. The permissions of an existing target are kept; a target that is a link is followed. Throws
// CannotWork.
void replace_file(const std::filesystem::path& target, Bytes bytes);

// A folder to extract into. Whatever the names are, nothing is written outside it.
class ExtractionFolder {
 public:
  // Makes the folder where it is missing. Throws CannotWork.
  ExtractionFolder(const std::filesystem::path& folder, bool overwrite);
  ~ExtractionFolder();
  ExtractionFolder(const ExtractionFolder&) = delete;
  ExtractionFolder& operator=(const ExtractionFolder&) = delete;

  // Takes a file name for an entry: safe_name(name), or that and "~INDEX" where this run already has the name but for
  // case. Throws CannotWork where the folder has it already and overwriting was not asked for.
  [[nodiscard]] std::string take_name(Bytes name, std::size_t index);

  // Writes one file directly in the folder. Never follows a link and never leaves the folder. Throws CannotWork.
  // Requires: a name from take_name().
  void write(const std::string& file_name, Bytes bytes);

 private:
  std::filesystem::path folder_;
  int descriptor_ = -1;
  bool overwrite_;
  std::unordered_set<std::string> used_names_;
};

// `name` as one harmless file name on any system: separators, colons, control characters, bytes that are no ASCII and
// '%' become %NN, so do a leading dot, a trailing dot or blank, and the first letter of a name that Windows reserves.
// Never empty, never "." or "..", at most 255 bytes.
[[nodiscard]] std::string safe_name(Bytes name);

}  // namespace assay::tools
