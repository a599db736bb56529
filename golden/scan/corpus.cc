#include "golden/scan/corpus.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "parsers/base/escape.h"

namespace assay::golden {
namespace {

namespace fs = std::filesystem;

// The length of the UTF-8 sequence of a printable character at the front of `text`, or 0.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t index) { return static_cast<std::uint8_t>(text[index]); };
  const auto continues = [&](std::size_t index) { return index < text.size() && (byte(index) & 0xC0U) == 0x80U; };
  if (byte(0) < 0x80) {
    return byte(0) >= 0x20 && byte(0) != 0x7F ? 1 : 0;
  }
  if (byte(0) >= 0xC2 && byte(0) <= 0xDF && continues(1)) {
    // U+0080 to U+009F are control characters.
    return byte(0) == 0xC2 && byte(1) < 0xA0 ? 0 : 2;
  }
  if ((byte(0) & 0xF0U) == 0xE0U && continues(1) && continues(2)) {
    const bool is_overlong = byte(0) == 0xE0 && byte(1) < 0xA0;
    const bool is_surrogate = byte(0) == 0xED && byte(1) >= 0xA0;
    return is_overlong || is_surrogate ? 0 : 3;
  }
  if (byte(0) >= 0xF0 && byte(0) <= 0xF4 && continues(1) && continues(2) && continues(3)) {
    const bool is_overlong = byte(0) == 0xF0 && byte(1) < 0x90;
    const bool is_past_unicode = byte(0) == 0xF4 && byte(1) >= 0x90;
    return is_overlong || is_past_unicode ? 0 : 4;
  }
  return 0;
}

class Descriptor {
 public:
  explicit Descriptor(const fs::path& location) : fd_(::open(location.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (fd_ < 0) {
      throw std::system_error(errno, std::generic_category(), display_path(location.native()));
    }
  }
  ~Descriptor() { ::close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

std::string relative_name(const fs::path& location, const fs::path& root) {
  return display_path(location.lexically_relative(root).generic_string());
}

void list_folder(const fs::path& root, CorpusListing& listing) {
  const auto options = fs::directory_options::none;
  // The folder that is entered next; the iterator's own error does not say which one was refused.
  fs::path entered = root;
  std::error_code refused;
  auto entry = fs::recursive_directory_iterator(root, options, refused);
  for (; !refused && entry != fs::recursive_directory_iterator(); entry.increment(refused)) {
    entered = entry->path();
    std::error_code missing;
    const fs::file_status status = entry->status(missing);
    if (fs::is_regular_file(status)) {
      // A file that is gone again is found out when it is read.
      const std::uintmax_t size_bytes = entry->file_size(missing);
      listing.files.push_back({entry->path(), relative_name(entry->path(), root), missing ? 0 : size_bytes});
    } else if (!fs::is_directory(status) || entry->is_symlink()) {
      listing.skipped.push_back(relative_name(entry->path(), root));
    }
  }
  if (refused) {
    throw CorpusError(display_path(entered.native()) + ": " + refused.message());
  }
}

}  // namespace

std::string display_path(std::string_view raw) {
  std::string text;
  while (!raw.empty()) {
    const std::size_t length = raw.front() == '\\' ? 0 : utf8_length(raw);
    text += length != 0 ? std::string(raw.substr(0, length)) : escape_bytes(as_bytes(raw.substr(0, 1)));
    raw.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

CorpusListing list_corpus(const fs::path& root) {
  CorpusListing listing;
  std::error_code error;
  const fs::file_status status = fs::status(root, error);
  if (fs::is_regular_file(status)) {
    listing.files.push_back({root, display_path(root.filename().native()), fs::file_size(root, error)});
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

FileBytes FileBytes::read(const fs::path& location) {
  const Descriptor file(location);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) {
    throw std::system_error(errno, std::generic_category(), display_path(location.native()));
  }
  FileBytes result;
  const auto size = static_cast<std::size_t>(status.st_size);
  result.data_ = std::make_unique_for_overwrite<std::uint8_t[]>(size);
  while (result.size_bytes_ < size) {
    const ssize_t got = ::read(file.get(), result.data_.get() + result.size_bytes_, size - result.size_bytes_);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      throw std::system_error(errno, std::generic_category(), display_path(location.native()));
    }
    if (got == 0) {
      throw std::system_error(std::make_error_code(std::errc::io_error),
                              display_path(location.native()) + " became shorter");
    }
    result.size_bytes_ += static_cast<std::size_t>(got);
  }
  // A file that grew meanwhile, or that never told its size (a pipe, one below /proc), must not pass for its front.
  std::uint8_t beyond = 0;
  if (::read(file.get(), &beyond, sizeof beyond) > 0) {
    throw std::system_error(std::make_error_code(std::errc::io_error),
                            display_path(location.native()) + " became longer");
  }
  return result;
}

}  // namespace assay::golden
