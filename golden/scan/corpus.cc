#include "golden/scan/corpus.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "golden/scan/sha256_lanes.h"

namespace assay::golden {
namespace {

namespace fs = std::filesystem;

// A piece of a file stays in the core's own cache.
constexpr std::uint64_t kPieceBytes = std::uint64_t{256} << 10;

std::string relative_name(const fs::path& location, const fs::path& root) {
  return display_path(location.lexically_relative(root).generic_string());
}

// Whether the system keeps back what something is, other than that there is nothing: a link that leads nowhere or in a
// circle.
bool is_refused(const std::error_code& error) {
  return error && error != std::errc::no_such_file_or_directory && error != std::errc::too_many_symbolic_link_levels;
}

void list_folder(const fs::path& root, CorpusListing& listing) {
  const auto options = fs::directory_options::none;
  // The folder that is entered next; the iterator's own error does not say which one was refused.
  fs::path entered = root;
  std::error_code refused;
  auto entry = fs::recursive_directory_iterator(root, options, refused);
  for (; !refused && entry != fs::recursive_directory_iterator(); entry.increment(refused)) {
    entered = entry->path();
    std::error_code unknown;
    const fs::file_status status = entry->status(unknown);
    // Of what its folder calls a folder the iterator finds out more.
    std::error_code ignored;
    if (fs::is_regular_file(status) || (is_refused(unknown) && !entry->is_directory(ignored))) {
      // What may not be looked at, or is gone again, is found out when it is read.
      std::error_code missing;
      const std::uintmax_t size_bytes = entry->file_size(missing);
      listing.files.push_back({entry->path(), relative_name(entry->path(), root), missing ? 0 : size_bytes});
    } else if (!entry->is_directory(ignored) || entry->is_symlink(ignored)) {
      listing.skipped.push_back(relative_name(entry->path(), root));
    }
  }
  if (refused) {
    throw CorpusError(display_path(entered.native()) + ": " + refused.message());
  }
}

}  // namespace

CorpusListing list_corpus(const fs::path& root) {
  CorpusListing listing;
  std::error_code error;
  const fs::file_status status = fs::status(root, error);
  if (fs::is_regular_file(status)) {
    listing.files.push_back({root, display_path(root.filename().native()), fs::file_size(root, error), true});
  } else if (fs::is_directory(status)) {
    try {
      list_folder(root, listing);
    } catch (const fs::filesystem_error& failure) {
      throw CorpusError(display_path(failure.path1().native()) + ": " + failure.code().message());
    }
  } else if (error && status.type() != fs::file_type::not_found) {
    throw CorpusError(display_path(root.native()) + ": " + error.message());
  } else {
    throw CorpusError(display_path(root.native()) +
                      (fs::exists(status) ? ": neither a file nor a folder" : ": no such file or folder"));
  }
  std::ranges::sort(listing.files, {}, &CorpusFile::path);
  std::ranges::sort(listing.skipped);
  return listing;
}

FileDescriptor::FileDescriptor(const fs::path& location)
    : fd_(::open(location.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (fd_ < 0) {
    throw std::system_error(errno, std::generic_category());
  }
}

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

std::size_t FileDescriptor::read(std::span<std::uint8_t> memory) {
  std::size_t filled = 0;
  while (filled < memory.size()) {
    const ssize_t got = ::read(fd_, memory.data() + filled, memory.size() - filled);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      throw std::system_error(errno, std::generic_category());
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

std::uint64_t FileDescriptor::size_bytes() const {
  struct stat status{};
  if (::fstat(fd_, &status) != 0) {
    throw std::system_error(errno, std::generic_category());
  }
  return static_cast<std::uint64_t>(status.st_size);
}

// Room for more than the size that the file tells, which shows whether it ends there; whole blocks of a hash.
FilePieces::FilePieces(const fs::path& location)
    : file_(location),
      capacity_bytes_(static_cast<std::size_t>(std::min(file_.size_bytes(), kPieceBytes - kShaBlockBytes)) /
                          kShaBlockBytes * kShaBlockBytes +
                      kShaBlockBytes),
      memory_(std::make_unique_for_overwrite<std::uint8_t[]>(capacity_bytes_)) {}

Bytes FilePieces::next() {
  const std::span memory(memory_.get(), capacity_bytes_);
  return memory.first(file_.read(memory));
}

FileBytes FileBytes::read(const fs::path& location) {
  FileBytes result;
  try {
    FileDescriptor file(location);
    const auto size = static_cast<std::size_t>(file.size_bytes());
    result.data_ = std::make_unique_for_overwrite<std::uint8_t[]>(size);
    result.size_bytes_ = file.read({result.data_.get(), size});
    // A file that changed meanwhile, or that never told its size (a pipe, one below /proc), must not pass for its
    // front.
    std::uint8_t beyond = 0;
    if (result.size_bytes_ < size || file.read({&beyond, 1}) != 0) {
      throw std::system_error(std::make_error_code(std::errc::io_error));
    }
  } catch (const std::system_error& failure) {
    throw std::system_error(failure.code(), display_path(location.native()));
  }
  return result;
}

}  // namespace assay::golden
