#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/base/bytes.h"
#include "parsers/base/result.h"

// How parsers/ gets at files without opening any: the caller implements this for a disk, a test for memory.
namespace assay::resource {

// Bytes that live as long as somebody holds them.
struct SharedBytes {
  std::shared_ptr<const void> owner{};
  Bytes bytes{};

  [[nodiscard]] static SharedBytes of(Buffer buffer) {
    auto owned = std::make_shared<const Buffer>(std::move(buffer));
    const Bytes view = *owned;
    return {.owner = std::move(owned), .bytes = view};
  }
};

// Differs when a file was replaced; e.g. its size, time of change and number on the disk. Means nothing else.
using Fingerprint = std::array<std::uint64_t, 3>;

struct FolderName {
  std::string name;
  bool is_folder = false;
};

// One folder with everything below it. Paths are relative to it, with '/' between the parts and spelled as list()
// spells them; the folder itself is "".
class FileStore {
 public:
  FileStore() = default;
  FileStore(const FileStore&) = delete;
  FileStore& operator=(const FileStore&) = delete;
  virtual ~FileStore() = default;

  // What lies directly in a folder, in any order; nothing where there is no such folder.
  [[nodiscard]] virtual std::vector<FolderName> list(const std::string& folder) const = 0;
  // Errors: kMissingFile, kUnreadableFile, field `file`.
  [[nodiscard]] virtual Result<SharedBytes> read(const std::string& file) const = 0;
  // Nothing where there is no such file.
  [[nodiscard]] virtual std::optional<Fingerprint> fingerprint(const std::string& file) const = 0;
};

}  // namespace assay::resource
