#include "golden/scan/disk_store.h"

#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "golden/scan/corpus.h"

namespace assay::golden {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNanoseconds = 1'000'000'000;

}  // namespace

std::vector<resource::FolderName> DiskStore::list(const std::string& folder) const {
  std::vector<resource::FolderName> names;
  std::error_code error;
  auto entry = fs::directory_iterator(root_ / folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code gone;
    const fs::file_status status = entry->status(gone);
    note_refusal(entry->path(), gone);
    const bool is_folder = fs::is_directory(status);
    if (fs::is_regular_file(status) || (is_folder && !entry->is_symlink(gone))) {
      names.push_back({entry->path().filename().native(), is_folder});
    }
  }
  note_refusal(root_ / folder, error);
  return names;
}

void DiskStore::check_listed() const {
  if (!refusal_.empty()) {
    throw CorpusError(refusal_);
  }
}

void DiskStore::note_refusal(const fs::path& path, const std::error_code& error) const {
  const bool is_absent = error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory ||
                         error == std::errc::too_many_symbolic_link_levels;
  if (error && !is_absent && refusal_.empty()) {
    refusal_ = display_path(path.native()) + ": " + error.message();
  }
}

Result<resource::SharedBytes> DiskStore::read(const std::string& file) const {
  try {
    auto bytes = std::make_shared<const FileBytes>(FileBytes::read(root_ / file));
    const Bytes view = bytes->bytes();
    return resource::SharedBytes{.owner = std::move(bytes), .bytes = view};
  } catch (const std::system_error& failure) {
    const bool is_missing = failure.code() == std::errc::no_such_file_or_directory;
    return fail({.code = is_missing ? Code::kMissingFile : Code::kUnreadableFile, .field = "file"});
  }
}

std::optional<resource::Fingerprint> DiskStore::fingerprint(const std::string& file) const {
  struct stat status{};
  if (::stat((root_ / file).c_str(), &status) != 0) {
    return std::nullopt;
  }
  return resource::Fingerprint{
      static_cast<std::uint64_t>(status.st_size),
      static_cast<std::uint64_t>(status.st_mtim.tv_sec) * kNanoseconds +
          static_cast<std::uint64_t>(status.st_mtim.tv_nsec),
      static_cast<std::uint64_t>(status.st_ino),
  };
}

}  // namespace assay::golden
