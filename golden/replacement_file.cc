#include "golden/replacement_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "golden/display.h"

namespace assay::golden {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw FileError(display_path(path.native()) + ": " + reason);
}

[[noreturn]] void fail_with(const fs::path& path, int error) {
  fail(path, std::generic_category().message(error));
}

mode_t umask_now() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

// The file that a path leads to. What is no regular file cannot be replaced by one.
fs::path real_file(const fs::path& target) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (!fs::exists(status)) {
    if (fs::is_symlink(fs::symlink_status(target, error))) {
      fail(target, "is a link that leads nowhere");
    }
    return target;
  }
  if (!fs::is_regular_file(status)) {
    fail(target, "not a regular file");
  }
  const fs::path real = fs::canonical(target, error);
  return error ? target : real;
}

}  // namespace

int write_all(int descriptor, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      return errno;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

// A name of its own length, so that a target with the longest of names has room beside it.
TemporaryFile::TemporaryFile(const fs::path& neighbour, fs::path shown)
    : shown_(std::move(shown)), path_((neighbour.parent_path() / ".assay-XXXXXX").native()) {
  descriptor_ = ::mkstemp(path_.data());
  if (descriptor_ < 0) {
    fail_with(shown_, errno);
  }
}

TemporaryFile::~TemporaryFile() {
  ::close(descriptor_);
  if (!is_kept_) {
    ::unlink(path_.c_str());
  }
}

void TemporaryFile::write(Bytes bytes) {
  if (const int error = write_all(descriptor_, bytes); error != 0) {
    fail_with(shown_, error);
  }
}

void TemporaryFile::write(const TemporaryFile& other) {
  std::array<std::uint8_t, 1 << 16> piece{};
  off_t offset = 0;
  while (true) {
    const ssize_t size = ::pread(other.descriptor_, piece.data(), piece.size(), offset);
    if (size < 0 && errno == EINTR) {
      continue;
    }
    if (size < 0) {
      fail_with(shown_, errno);
    }
    if (size == 0) {
      return;
    }
    write(Bytes(piece).first(static_cast<std::size_t>(size)));
    offset += size;
  }
}

void TemporaryFile::take_permissions_of(const fs::path& target) {
  struct stat status{};
  if (::stat(target.c_str(), &status) != 0) {
    fail_with(shown_, errno);
  }
  // Only root may give a file away, and only root has to give it back; where this fails the file was ours to begin
  // with.
  const bool is_owner_kept = ::fchown(descriptor_, status.st_uid, status.st_gid) == 0;
  static_cast<void>(is_owner_kept);
  if (::fchmod(descriptor_, status.st_mode & 07777U) != 0) {
    fail_with(shown_, errno);
  }
}

void TemporaryFile::take_default_permissions() {
  if (::fchmod(descriptor_, 0666U & ~umask_now()) != 0) {
    fail_with(shown_, errno);
  }
}

void TemporaryFile::rename_to(const fs::path& target) {
  if (::fsync(descriptor_) != 0 || ::rename(path_.c_str(), target.c_str()) != 0) {
    fail_with(shown_, errno);
  }
  is_kept_ = true;
}

ReplacementFile::ReplacementFile(const fs::path& target) : real_(real_file(target)), file_(real_, target) {
  std::error_code missing;
  if (fs::exists(real_, missing)) {
    file_.take_permissions_of(real_);
  } else {
    file_.take_default_permissions();
  }
}

void ReplacementFile::commit() {
  file_.rename_to(real_);
}

}  // namespace assay::golden
