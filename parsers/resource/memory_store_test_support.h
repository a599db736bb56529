#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "parsers/resource/file_store.h"

// Files in memory, which tests put, replace and take away.
namespace assay::resource {

class MemoryStore final : public FileStore {
 public:
  void put(const std::string& path, Buffer bytes) { files_[path] = {SharedBytes::of(std::move(bytes)), ++version_}; }
  void remove(const std::string& path) { files_.erase(path); }
  [[nodiscard]] std::size_t reads() const { return reads_; }

  [[nodiscard]] std::vector<FolderName> list(const std::string& folder) const override {
    const std::string prefix = folder.empty() ? "" : folder + '/';
    std::map<std::string, bool> names;
    for (const auto& [path, file] : files_) {
      if (path.starts_with(prefix)) {
        const std::string rest = path.substr(prefix.size());
        const std::size_t slash = rest.find('/');
        names[rest.substr(0, slash)] = slash != std::string::npos;
      }
    }
    std::vector<FolderName> list;
    for (const auto& [name, is_folder] : names) {
      list.push_back({name, is_folder});
    }
    return list;
  }
  [[nodiscard]] Result<SharedBytes> read(const std::string& file) const override {
    ++reads_;
    const auto found = files_.find(file);
    if (found == files_.end()) {
      return fail({.code = Code::kMissingFile, .field = "file"});
    }
    return found->second.first;
  }
  [[nodiscard]] std::optional<Fingerprint> fingerprint(const std::string& file) const override {
    const auto found = files_.find(file);
    return found == files_.end() ? std::nullopt
                                 : std::optional(Fingerprint{found->second.first.bytes.size(), found->second.second});
  }

 private:
  std::map<std::string, std::pair<SharedBytes, std::uint64_t>> files_;
  std::uint64_t version_ = 0;
  mutable std::size_t reads_ = 0;
};

}  // namespace assay::resource
