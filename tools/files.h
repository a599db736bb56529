#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>

#include "golden/scan/corpus.h"
#include "parsers/base/bytes.h"
#include "parsers/base/limits.h"

// Writing files so that nothing is lost and nothing lands where it should not.
namespace assay::tools {

// A file has more bytes than are read.
struct TooLarge final : std::runtime_error {
  TooLarge(const std::string& text, std::uint64_t size) : std::runtime_error(text), size_bytes(size) {}

  std::uint64_t size_bytes;
};

// Reads a whole regular file. Throws CannotWork with the file's name; a pipe or a device is refused, because it would
// read as empty. Throws TooLarge before anything is read.
[[nodiscard]] golden::FileBytes read_file(const std::filesystem::path& path,
                                          std::uint64_t max_bytes = Limits{}.input_bytes);

// Writes `bytes` beside `target` and renames the result into place: the target is the old file or the new one, never
// half of either. The permissions of an existing target are kept; a target that is a link is followed. Throws
// golden::FileError.
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
  [[nodiscard]] std::string write_waiting(Bytes bytes, const std::filesystem::path& shown);
  // What went wrong, or 0.
  [[nodiscard]] int put_in_place(const std::string& waiting, const std::string& file_name) const;
  [[nodiscard]] int put_if_absent(const std::string& waiting, const std::string& file_name) const;

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
