#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "parsers/base/bytes.h"

// Files that are written whole or not at all.
namespace assay::golden {

// A file cannot be written. The text is "FILE: reason".
struct FileError final : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Writes all of `bytes`, whatever pieces the system takes. The number of the error, or 0.
[[nodiscard]] int write_all(int descriptor, Bytes bytes);

// A new file in the folder of another, removed with this object unless it was kept. Throws FileError.
class TemporaryFile {
 public:
  // Beside `neighbour`, which messages name as `shown`. Open for reading and writing, for its owner alone.
  TemporaryFile(const std::filesystem::path& neighbour, std::filesystem::path shown);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // Appends.
  void write(Bytes bytes);
  // Appends the whole of `other`, piece by piece.
  void write(const TemporaryFile& other);
  // Takes over permissions and, where that is allowed, owner and group. Requires: `target` exists.
  void take_permissions_of(const std::filesystem::path& target);
  // The permissions that any new file gets.
  void take_default_permissions();
  // Onto the disk, and in the place of `target`.
  void rename_to(const std::filesystem::path& target);

 private:
  std::filesystem::path shown_;
  std::string path_;
  int descriptor_ = -1;
  bool is_kept_ = false;
};

// What shall stand in the place of `target`: until commit(), and when that is never reached, `target` stays as it is.
// Its permissions are kept; where it is a link, what it points to is replaced. Throws FileError.
class ReplacementFile {
 public:
  explicit ReplacementFile(const std::filesystem::path& target);

  TemporaryFile& file() { return file_; }
  // `target`, or what it leads to.
  [[nodiscard]] const std::filesystem::path& real_target() const { return real_; }
  void commit();

 private:
  std::filesystem::path real_;
  TemporaryFile file_;
};

}  // namespace assay::golden
