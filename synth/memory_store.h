#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "parsers/resource/file_store.h"

// A game folder in memory, for whatever needs many of them or changes them often.
namespace assay::synth {

// Files that can be put, replaced and taken away. Each replacement has a fingerprint of its own, so that what reads
// through caches notices it. One thread at a time.
class MemoryStore final : public resource::FileStore {
 public:
  struct File {
    resource::SharedBytes content{};
    // Differs between any two files that were put into one store without a fingerprint of their own.
    resource::Fingerprint fingerprint{};
  };
  // By path, with '/' between the parts.
  using Files = std::map<std::string, File>;

  void put(const std::string& path, Buffer bytes);
  void put(const std::string& path, Buffer bytes, const resource::Fingerprint& fingerprint);
  void put_shared(const std::string& path, resource::SharedBytes content);
  void remove(const std::string& path);

  [[nodiscard]] const Files& files() const { return files_; }
  // Goes back to what files() gave earlier, fingerprints included. What is put from then on is told from everything
  // before it nevertheless.
  void restore(const Files& files);
  // How often read() was called.
  [[nodiscard]] std::size_t reads() const { return reads_; }

  // Cost of the first call after names were added or removed: O(files).
  [[nodiscard]] std::vector<resource::FolderName> list(const std::string& folder) const override;
  [[nodiscard]] Result<resource::SharedBytes> read(const std::string& file) const override;
  [[nodiscard]] std::optional<resource::Fingerprint> fingerprint(const std::string& file) const override;

 private:
  void put_file(const std::string& path, File file);
  void index_folders() const;

  Files files_;
  std::uint64_t version_ = 0;
  // What lies in each folder, made when somebody asks.
  mutable std::map<std::string, std::vector<resource::FolderName>> folders_;
  mutable bool has_folders_ = false;
  mutable std::size_t reads_ = 0;
};

}  // namespace assay::synth
