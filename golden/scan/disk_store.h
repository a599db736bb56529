#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "parsers/resource/file_store.h"

// A folder on disk for what resolves references.
namespace assay::golden {

// Links to files are followed, links to folders are not, as in a scan. What cannot be listed is empty, which
// check_listed() tells from what is empty. Not for two threads at once.
class DiskStore final : public resource::FileStore {
 public:
  explicit DiskStore(std::filesystem::path root) : root_(std::move(root)) {}

  [[nodiscard]] std::vector<resource::FolderName> list(const std::string& folder) const override;
  [[nodiscard]] Result<resource::SharedBytes> read(const std::string& file) const override;
  // Size, time of the last change in nanoseconds, and the number of the file.
  [[nodiscard]] std::optional<resource::Fingerprint> fingerprint(const std::string& file) const override;

  // Throws CorpusError when a folder, or what something in one is, could not be found out so far.
  void check_listed() const;

 private:
  void note_refusal(const std::filesystem::path& path, const std::error_code& error) const;

  std::filesystem::path root_;
  // The first.
  mutable std::string refusal_;
};

}  // namespace assay::golden
