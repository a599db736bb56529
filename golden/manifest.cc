#include "golden/manifest.h"

#include <fmt/format.h>

#include <utility>

#include "golden/display.h"
#include "golden/manifest_line.h"
#include "golden/strict_json.h"

namespace assay::golden {

ManifestReader::ManifestReader(const std::filesystem::path& path) : name_(display_path(path.native())) {
  // A pipe would block, a device might never end.
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) {
    input_.open(path, std::ios::binary);
  } else {
    input_.setstate(std::ios::failbit);
  }
  if (!input_) {
    throw ManifestError(fmt::format("{}: cannot be opened; create the manifest first, or give another file", name_));
  }
  std::string text;
  if (!read_text(text)) {
    line_number_ = 1;
    fail("the file is empty, there is no header");
  }
  try {
    header_ = parse_header_line(text);
  } catch (const JsonError& wrong) {
    fail(wrong.what());
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
  } catch (const JsonError& wrong) {
    fail(wrong.what());
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

// The lines wait beside the file that will be replaced, which is where a link leads.
ManifestWriter::ManifestWriter(const std::filesystem::path& target, std::string corpus, std::string profile)
    : target_(target),
      replacement_(target),
      body_(replacement_.real_target(), target),
      header_{.corpus = std::move(corpus), .profile = std::move(profile)} {}

void ManifestWriter::add(const ExpectedFile& file) {
  constexpr std::size_t kWrittenAtOnce = std::size_t{1} << 16;
  for (const Expectation& item : file.items) {
    try {
      waiting_ += item_line(file.path, item);
      waiting_ += '\n';
    } catch (const JsonError& wrong) {
      throw ManifestError(fmt::format("{}: {}: {}", display_path(target_.native()), wrong.what(), file.path));
    }
    if (waiting_.size() >= kWrittenAtOnce) {
      write_waiting();
    }
  }
  ++header_.files;
  header_.items += file.items.size();
}

void ManifestWriter::write_waiting() {
  body_.write(as_bytes(waiting_));
  waiting_.clear();
}

void ManifestWriter::commit() {
  write_waiting();
  replacement_.file().write(as_bytes(header_line(header_) + '\n'));
  replacement_.file().write(body_);
  replacement_.commit();
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
