#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "parsers/resource/file_store.h"

// A folder on disk for what resolves references.
namespace assay::golden {

// Links to files are followed, links to folders are not, as in a scan. What cannot be listed is empty.
class DiskStore final : public resource::FileStore {
 public:
  explicit DiskStore(std::filesystem::path root) : root_(std::move(root)) {}

  [[nodiscard]] std::vector<resource::FolderName> list(const std::string& folder) const override;
  [[nodiscard]] Result<resource::SharedBytes> read(const std::string& file) const override;
  // Size, time of the last change in nanoseconds, and the number of the file.
  [[nodiscard]] std::optional<resource::Fingerprint> fingerprint(const std::string& file) const override;

 private:
  std::filesystem::path root_;
};

}  // namespace assay::golden
