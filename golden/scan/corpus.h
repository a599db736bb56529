#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden/display.h"
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
  // The corpus is this file and nothing else.
  bool is_alone = false;
};

struct CorpusListing {
  // Sorted by `path` as bytes.
  std::vector<CorpusFile> files;
  // What is neither a regular file nor a folder, or a link to a folder: named, never followed.
  std::vector<std::string> skipped;
};

// Lists all regular files below `root`, or `root` itself. Links to files are followed, links to folders are not. What
// the system does not let us look at is listed as well, so that reading it says why. Throws
// CorpusError when `root` is missing or a folder cannot be read.
[[nodiscard]] CorpusListing list_corpus(const std::filesystem::path& root);

// Open for reading. A file that is none, such as a pipe, does not block.
class FileDescriptor {
 public:
  // Throws std::system_error.
  explicit FileDescriptor(const std::filesystem::path& location);
  ~FileDescriptor();
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&&) = delete;

  // Fills `memory`, or as much of it as there is left of the file. Throws std::system_error without a file name.
  std::size_t read(std::span<std::uint8_t> memory);
  // Of the file as it is now. Throws as read().
  [[nodiscard]] std::uint64_t size_bytes() const;

 private:
  int fd_;
};

// A file piece by piece. It may change meanwhile: the pieces are what was read.
class FilePieces {
 public:
  // Throws std::system_error.
  explicit FilePieces(const std::filesystem::path& location);

  // The next bytes, at most 256 KiB, or nothing; a multiple of 64 unless they are the last. A view that the next call
  // changes. Throws std::system_error.
  [[nodiscard]] Bytes next();

 private:
  FileDescriptor file_;
  std::size_t capacity_bytes_;
  std::unique_ptr<std::uint8_t[]> memory_;
};

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
