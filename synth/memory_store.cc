#include "synth/memory_store.h"

namespace assay::synth {
namespace {

// Files stand in the order of their paths, so a name that is there already is most often the last one; a file and a
// folder may share a name.
void add_name(std::vector<resource::FolderName>& names, std::string name, bool is_folder) {
  for (auto known = names.rbegin(); known != names.rend(); ++known) {
    if (known->is_folder == is_folder && known->name == name) {
      return;
    }
  }
  names.push_back({std::move(name), is_folder});
}

}  // namespace

void MemoryStore::put(const std::string& path, Buffer bytes) {
  put_shared(path, resource::SharedBytes::of(std::move(bytes)));
}

void MemoryStore::put_shared(const std::string& path, resource::SharedBytes content) {
  const resource::Fingerprint fingerprint{content.bytes.size(), ++version_};
  put_file(path, {std::move(content), fingerprint});
}

void MemoryStore::put(const std::string& path, Buffer bytes, const resource::Fingerprint& fingerprint) {
  put_file(path, {resource::SharedBytes::of(std::move(bytes)), fingerprint});
}

void MemoryStore::put_file(const std::string& path, File file) {
  const auto [place, is_new] = files_.try_emplace(path);
  place->second = std::move(file);
  has_folders_ = has_folders_ && !is_new;
}

void MemoryStore::remove(const std::string& path) {
  has_folders_ = files_.erase(path) == 0 && has_folders_;
}

void MemoryStore::restore(const Files& files) {
  files_ = files;
  has_folders_ = false;
}

void MemoryStore::index_folders() const {
  folders_.clear();
  for (const auto& [path, file] : files_) {
    std::string folder;
    std::size_t start = 0;
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', start)) {
      add_name(folders_[folder], path.substr(start, slash - start), true);
      folder = path.substr(0, slash);
      start = slash + 1;
    }
    add_name(folders_[folder], path.substr(start), false);
  }
  has_folders_ = true;
}

std::vector<resource::FolderName> MemoryStore::list(const std::string& folder) const {
  if (!has_folders_) {
    index_folders();
  }
  const auto found = folders_.find(folder);
  return found == folders_.end() ? std::vector<resource::FolderName>{} : found->second;
}

Result<resource::SharedBytes> MemoryStore::read(const std::string& file) const {
  ++reads_;
  const auto found = files_.find(file);
  if (found == files_.end()) {
    return fail({.code = Code::kMissingFile, .field = "file"});
  }
  return found->second.content;
}

std::optional<resource::Fingerprint> MemoryStore::fingerprint(const std::string& file) const {
  const auto found = files_.find(file);
  return found == files_.end() ? std::nullopt : std::optional(found->second.fingerprint);
}

}  // namespace assay::synth
