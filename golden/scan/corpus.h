#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "parsers/base/bytes.h"

// The files of a corpus: which there are, and their bytes.
namespace assay::golden {

// The corpus itself cannot be read: callers end with exit status 2.
struct CorpusError final : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CorpusFile {
  std::filesystem::path location;
  // Relative to the corpus with '/' between folders; a file given by itself has its own name. Escaped where it is not
  // printable UTF-8, so that it can be written as JSON and is unique.
  std::string path;
  std::uint64_t size_bytes = 0;
};

struct CorpusListing {
  // Sorted by `path` as bytes.
  std::vector<CorpusFile> files;
  // What is neither a regular file nor a folder, or a link to a folder: named, never followed.
  std::vector<std::string> skipped;
};

// Lists all regular files below `root`, or `root` itself. Links to files are followed, links to folders are not. Throws
// CorpusError when `root` is missing or a folder cannot be read.
[[nodiscard]] CorpusListing list_corpus(const std::filesystem::path& root);

// Text that is safe in JSON and on a terminal: valid UTF-8 without control characters stays, a backslash is doubled,
// every other byte becomes `\\xNN`.
[[nodiscard]] std::string display_path(std::string_view raw);

// The bytes of one file in memory of its own.
class FileBytes {
 public:
  // Reads the whole file. Throws std::system_error. Cost: O(size), memory is allocated once and not cleared.
  [[nodiscard]] static FileBytes read(const std::filesystem::path& location);

  [[nodiscard]] Bytes bytes() const { return {data_.get(), size_bytes_}; }

 private:
  std::unique_ptr<std::uint8_t[]> data_;
  std::size_t size_bytes_ = 0;
};

}  // namespace assay::golden
