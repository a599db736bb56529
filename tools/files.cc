#include "tools/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <random>
#include <system_error>

#include <fmt/format.h>

#include "golden/replacement_file.h"
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

golden::FileBytes read_file(const fs::path& path, std::uint64_t max_bytes) {
  std::error_code missing;
  const fs::file_status status = fs::status(path, missing);
  if (fs::is_directory(status)) {
    throw CannotWork(golden::display_path(path.native()) + ": is a folder, expected a file");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw CannotWork(golden::display_path(path.native()) + ": is a pipe or a device, expected a regular file");
  }
  const std::uintmax_t size_bytes = fs::file_size(path, missing);
  if (!missing && size_bytes > max_bytes) {
    throw TooLarge(fmt::format("{}: has {} bytes, at most {} are read", golden::display_path(path.native()), size_bytes,
                               max_bytes),
                   size_bytes);
  }
  try {
    return golden::FileBytes::read(path);
  } catch (const std::system_error& failure) {
    throw CannotWork(golden::display_path(path.native()) + ": " + failure.code().message());
  }
}

void replace_file(const fs::path& target, Bytes bytes) {
  golden::ReplacementFile replacement(target);
  replacement.file().write(bytes);
  replacement.commit();
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
    fail_at(folder, error ? error.value() : errno);
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

// Beside the final name first, so that a full disk leaves what was there before. Neither a link nor a rename follows
// what stands at the final name.
void ExtractionFolder::write(const std::string& file_name, Bytes bytes) {
  const fs::path shown = folder_ / file_name;
  const std::string waiting = write_waiting(bytes, shown);
  const int error = overwrite_ ? put_in_place(waiting, file_name) : put_if_absent(waiting, file_name);
  if (error != 0) {
    ::unlinkat(descriptor_, waiting.c_str(), 0);
  }
  if (error == EEXIST) {
    refuse_existing(shown);
  }
  if (error != 0) {
    fail_at(shown, error);
  }
}

// The name of a new file that holds all of `bytes`.
std::string ExtractionFolder::write_waiting(Bytes bytes, const fs::path& shown) {
  constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  std::string name;
  int file = -1;
  do {
    name = fmt::format(".assay-{:08x}", std::random_device()());
    file = ::openat(descriptor_, name.c_str(), kNew, kFileMode);
  } while (file < 0 && errno == EEXIST);
  if (file < 0) {
    fail_at(shown, errno);
  }
  int error = golden::write_all(file, bytes);
  error = ::close(file) != 0 && error == 0 ? errno : error;
  if (error != 0) {
    ::unlinkat(descriptor_, name.c_str(), 0);
    fail_at(shown, error);
  }
  return name;
}

int ExtractionFolder::put_in_place(const std::string& waiting, const std::string& file_name) const {
  return ::renameat(descriptor_, waiting.c_str(), descriptor_, file_name.c_str()) == 0 ? 0 : errno;
}

int ExtractionFolder::put_if_absent(const std::string& waiting, const std::string& file_name) const {
  if (::linkat(descriptor_, waiting.c_str(), descriptor_, file_name.c_str(), 0) == 0) {
    return ::unlinkat(descriptor_, waiting.c_str(), 0) == 0 ? 0 : errno;
  }
  if (errno == EEXIST) {
    return EEXIST;
  }
  // A file system without hard links.
  struct stat status{};
  const bool is_taken = ::fstatat(descriptor_, file_name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  return is_taken ? EEXIST : put_in_place(waiting, file_name);
}

}  // namespace assay::tools
