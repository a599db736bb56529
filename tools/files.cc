#include "tools/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "golden/scan/corpus.h"
#include "parsers/base/ascii.h"
#include "tools/exit_status.h"

namespace assay::tools {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kFileMode = 0644;
constexpr std::size_t kMaxFileNameBytes = 255;
// Room for "~INDEX".
constexpr std::size_t kMaxSafeNameBytes = kMaxFileNameBytes - 24;

[[noreturn]] void fail_at(const fs::path& path, int error) {
  throw CannotWork(golden::display_path(path.native()) + ": " + std::generic_category().message(error));
}

void write_all(int descriptor, Bytes bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      fail_at(path, errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

// A new file that is removed again unless it is kept.
class NewFile {
 public:
  // Beside `target`; messages name it as `shown`.
  NewFile(const fs::path& target, fs::path shown) : shown_(std::move(shown)), path_(target.string() + ".assay-XXXXXX") {
    descriptor_ = ::mkstemp(path_.data());
    if (descriptor_ < 0) {
      fail_at(shown_, errno);
    }
  }
  ~NewFile() {
    ::close(descriptor_);
    if (!is_kept_) {
      ::unlink(path_.c_str());
    }
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  void rename_to(const fs::path& target) {
    if (::fsync(descriptor_) != 0 || ::rename(path_.c_str(), target.c_str()) != 0) {
      fail_at(shown_, errno);
    }
    is_kept_ = true;
  }

 private:
  fs::path shown_;
  std::string path_;
  int descriptor_ = -1;
  bool is_kept_ = false;
};

mode_t umask_now() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

bool is_reserved_on_windows(std::string_view name) {
  constexpr std::array<std::string_view, 6> kDevices{"con", "prn", "aux", "nul", "conin$", "conout$"};
  // Windows ignores blanks before the extension too.
  std::string_view stem = name.substr(0, name.find('.'));
  stem = stem.substr(0, stem.find_last_not_of(' ') + 1);
  const auto is = [&](std::string_view text) { return equal_folded(as_bytes(stem), as_bytes(text)); };
  const bool is_port = stem.size() == 4 && stem[3] >= '0' && stem[3] <= '9' &&
                       (equal_folded(as_bytes(stem.substr(0, 3)), as_bytes("com")) ||
                        equal_folded(as_bytes(stem.substr(0, 3)), as_bytes("lpt")));
  return is_port || std::ranges::any_of(kDevices, is);
}

bool is_harmless(std::uint8_t byte) {
  constexpr std::string_view kSpecial = "/\\:*?\"<>|%";
  return byte >= 0x20 && byte < 0x7F && kSpecial.find(static_cast<char>(byte)) == std::string_view::npos;
}

[[noreturn]] void refuse_existing(const fs::path& path) {
  throw CannotWork(golden::display_path(path.native()) + ": exists; --force replaces it");
}

std::string percent(std::uint8_t byte) {
  return fmt::format("%{:02X}", byte);
}

std::string folded(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(),
                         [](char c) { return static_cast<char>(ascii_lower(static_cast<std::uint8_t>(c))); });
  return text;
}

}  // namespace

Buffer read_file(const fs::path& path) {
  std::error_code missing;
  const fs::file_status status = fs::status(path, missing);
  if (fs::is_directory(status)) {
    throw CannotWork(golden::display_path(path.native()) + ": is a folder, expected a file");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw CannotWork(golden::display_path(path.native()) + ": is a pipe or a device, expected a regular file");
  }
  try {
    const golden::FileBytes file = golden::FileBytes::read(path);
    return {file.bytes().begin(), file.bytes().end()};
  } catch (const std::system_error& failure) {
    throw CannotWork(golden::display_path(path.native()) + ": " + failure.code().message());
  }
}

void replace_file(const fs::path& target, Bytes bytes) {
  std::error_code missing;
  const bool exists = fs::exists(target, missing);
  if (!exists && fs::is_symlink(fs::symlink_status(target, missing))) {
    throw CannotWork(golden::display_path(target.native()) + ": is a link that leads nowhere");
  }
  const fs::path real = exists ? fs::canonical(target) : target;
  struct stat status{};
  if (exists && ::stat(real.c_str(), &status) != 0) {
    fail_at(target, errno);
  }
  if (exists && !S_ISREG(status.st_mode)) {
    throw CannotWork(golden::display_path(target.native()) + ": not a regular file");
  }
  NewFile file(real, target);
  write_all(file.descriptor(), bytes, target);
  // Only root may give a file away, and only root has to give it back; where this fails the file was ours to begin
  // with.
  const bool is_owner_kept = exists && ::fchown(file.descriptor(), status.st_uid, status.st_gid) == 0;
  static_cast<void>(is_owner_kept);
  const mode_t mode = exists ? status.st_mode & 07777U : 0666U & ~umask_now();
  if (::fchmod(file.descriptor(), mode) != 0) {
    fail_at(target, errno);
  }
  file.rename_to(real);
}

std::string safe_name(Bytes name) {
  std::string text;
  for (std::size_t index = 0; index < name.size(); ++index) {
    const std::uint8_t byte = name[index];
    const bool is_leading_dot = index == 0 && byte == '.';
    const bool is_trailing = index + 1 == name.size() && (byte == '.' || byte == ' ');
    text +=
        is_harmless(byte) && !is_leading_dot && !is_trailing ? std::string(1, static_cast<char>(byte)) : percent(byte);
  }
  if (is_reserved_on_windows(text)) {
    text = percent(static_cast<std::uint8_t>(text.front())) + text.substr(1);
  }
  if (text.size() > kMaxSafeNameBytes) {
    text.resize(kMaxSafeNameBytes);
  }
  return text.empty() ? "unnamed" : text;
}

ExtractionFolder::ExtractionFolder(const fs::path& folder, bool overwrite) : folder_(folder), overwrite_(overwrite) {
  std::error_code error;
  fs::create_directories(folder, error);
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) {
    fail_at(folder, errno);
  }
}

ExtractionFolder::~ExtractionFolder() {
  ::close(descriptor_);
}

std::string ExtractionFolder::take_name(Bytes name, std::size_t index) {
  std::string file_name = safe_name(name);
  // The numbered name may be the name of another entry, so it is numbered until it is free.
  while (!used_names_.insert(folded(file_name)).second) {
    file_name += '~' + std::to_string(index);
  }
  struct stat status{};
  if (!overwrite_ && ::fstatat(descriptor_, file_name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
    refuse_existing(folder_ / file_name);
  }
  return file_name;
}

void ExtractionFolder::write(const std::string& file_name, Bytes bytes) {
  const fs::path shown = folder_ / file_name;
  // Removing a link removes the link, not what it points to.
  if (overwrite_ && ::unlinkat(descriptor_, file_name.c_str(), 0) != 0 && errno != ENOENT) {
    fail_at(shown, errno);
  }
  // O_EXCL refuses an existing file and a link, dangling or not.
  const int file =
      ::openat(descriptor_, file_name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFileMode);
  if (file < 0 && errno == EEXIST) {
    refuse_existing(shown);
  }
  if (file < 0) {
    fail_at(shown, errno);
  }
  try {
    write_all(file, bytes, shown);
  } catch (...) {
    ::close(file);
    ::unlinkat(descriptor_, file_name.c_str(), 0);
    throw;
  }
  if (::close(file) != 0) {
    fail_at(shown, errno);
  }
}

}  // namespace assay::tools
