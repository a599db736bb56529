#include "golden/manifest.h"

#include <fmt/format.h>

#include <random>
#include <utility>

#include "golden/manifest_line.h"

namespace assay::golden {

ManifestReader::ManifestReader(const std::filesystem::path& path)
    : name_(path.string()), input_(path, std::ios::binary) {
  std::error_code error;
  if (!input_ || std::filesystem::is_directory(path, error)) {
    throw ManifestError(fmt::format("{}: cannot be opened; create the manifest first, or give another file", name_));
  }
  std::string text;
  if (!read_text(text)) {
    line_number_ = 1;
    fail("the file is empty, there is no header");
  }
  try {
    header_ = parse_header_line(text);
  } catch (const LineError& line_error) {
    fail(line_error.what());
  }
  ahead_ = read_line();
}

void ManifestReader::fail(const std::string& reason) const {
  throw ManifestError(fmt::format("{}:{}: {}", name_, line_number_, reason));
}

bool ManifestReader::read_text(std::string& text) {
  if (!std::getline(input_, text)) {
    if (input_.bad()) {
      fail("the file cannot be read");
    }
    return false;
  }
  ++line_number_;
  return true;
}

std::optional<ManifestReader::Line> ManifestReader::read_line() {
  std::string text;
  if (!read_text(text)) {
    return std::nullopt;
  }
  try {
    auto [path, item] = parse_item_line(text);
    return Line{std::move(path), std::move(item)};
  } catch (const LineError& line_error) {
    fail(line_error.what());
  }
}

// `line` was read last; `file` is what came before it.
void ManifestReader::check_order(const ExpectedFile& file, const Line& line) const {
  if (line.path < file.path) {
    fail(fmt::format("not sorted: {} comes after {}", line.path, file.path));
  }
  if (line.path != file.path) {
    if (!line.item.entry.empty()) {
      fail(fmt::format("the item of the file {} itself is missing", line.path));
    }
    return;
  }
  const std::string& last = file.items.back().entry;
  if (line.item.entry == last) {
    fail(fmt::format("{} {} is there twice", line.path, last));
  }
  if (line.item.entry < last) {
    fail(fmt::format("not sorted: {} {} comes after {}", line.path, line.item.entry, last));
  }
}

std::optional<ExpectedFile> ManifestReader::next() {
  if (!ahead_) {
    if (files_ != header_.files || items_ != header_.items) {
      fail(fmt::format("the header counts {} files and {} items, the manifest ends after {} and {}", header_.files,
                       header_.items, files_, items_));
    }
    return std::nullopt;
  }
  if (files_ == 0 && !ahead_->item.entry.empty()) {
    fail(fmt::format("the item of the file {} itself is missing", ahead_->path));
  }
  ExpectedFile file{.path = ahead_->path, .items = {}};
  do {
    file.items.push_back(std::move(ahead_->item));
    ahead_ = read_line();
    if (ahead_) {
      check_order(file, *ahead_);
    }
  } while (ahead_ && ahead_->path == file.path);
  ++files_;
  items_ += file.items.size();
  return file;
}

ManifestWriter::ManifestWriter(std::filesystem::path target, std::string corpus, std::string profile)
    : target_(std::move(target)), header_{.corpus = std::move(corpus), .profile = std::move(profile)} {
  const auto suffix = fmt::format("{:08x}", std::random_device()());
  body_path_ = target_.string() + ".body-" + suffix;
  new_path_ = target_.string() + ".new-" + suffix;
  body_.open(body_path_, std::ios::binary);
  if (!body_) {
    fail(body_path_, "cannot be created; check that the folder exists and can be written");
  }
}

ManifestWriter::~ManifestWriter() {
  body_.close();
  std::error_code ignored;
  std::filesystem::remove(body_path_, ignored);
  std::filesystem::remove(new_path_, ignored);
}

void ManifestWriter::fail(const std::filesystem::path& path, const std::string& reason) const {
  throw ManifestError(fmt::format("{}: {}", path.string(), reason));
}

void ManifestWriter::add(const ExpectedFile& file) {
  for (const Expectation& item : file.items) {
    try {
      body_ << item_line(file.path, item) << '\n';
    } catch (const LineError& error) {
      fail(target_, fmt::format("{}: {}", error.what(), file.path));
    }
  }
  ++header_.files;
  header_.items += file.items.size();
}

void ManifestWriter::commit() {
  body_.close();
  std::ifstream lines(body_path_, std::ios::binary);
  std::ofstream output(new_path_, std::ios::binary);
  output << header_line(header_) << '\n';
  if (header_.items != 0) {
    output << lines.rdbuf();
  }
  output.close();
  if (!body_ || !lines || !output) {
    fail(new_path_, "cannot be written; check the free space of the disk");
  }
  std::error_code error;
  std::filesystem::rename(new_path_, target_, error);
  if (error) {
    fail(target_, "cannot be replaced: " + error.message());
  }
}

ManifestHeader write_manifest(const std::filesystem::path& target, const std::string& corpus,
                              const std::string& profile, FileSource& source, const RecordFinder& find_record) {
  ManifestWriter writer(target, corpus, profile);
  while (const auto file = source.next()) {
    writer.add(expectation_of(*file, find_record));
  }
  writer.commit();
  return writer.header();
}

}  // namespace assay::golden
