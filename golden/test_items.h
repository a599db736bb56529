#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "golden/expectation.h"
#include "golden/item.h"

// What the tests of golden/ and reports/ build their inputs from.
namespace assay::golden::test {

// A small directory row that looks like those of the archives.
struct SampleRow {
  FixedString<8> name;
  std::uint32_t attr1 = 0;
  std::uint32_t data_offset = 0;
  std::uint32_t sort_index = 0;
};

inline constexpr auto kSampleRow =
    record<SampleRow>("entry", 20, field<SampleRow>(0x00, "name", &SampleRow::name, FieldStatus::kLayoutConfirmed),
                      field<SampleRow>(0x08, "attr1", &SampleRow::attr1, FieldStatus::kOpaque),
                      field<SampleRow>(0x0C, "data_offset", &SampleRow::data_offset, FieldStatus::kLayoutConfirmed)
                          .following_layout("for the test"),
                      field<SampleRow>(0x10, "sort_index", &SampleRow::sort_index, FieldStatus::kLayoutConfirmed)
                          .following_layout("for the test"));
inline constexpr const RecordInfo& kSampleInfo = kInfoOf<kSampleRow>;
inline constexpr std::uint64_t kDirectoryOffset = 0x200;

inline const RecordInfo* find_sample_record(std::string_view name) {
  return name == "sample.entry" ? &kSampleInfo : nullptr;
}

inline Sha256 hash_of(std::uint8_t seed) {
  Sha256 hash;
  hash.fill(seed);
  return hash;
}

inline DirectoryRow sample_row(std::uint64_t index, const std::string& name, std::uint32_t attr1,
                               std::uint32_t data_offset) {
  DirectoryRow row{
      .record = "sample.entry", .index = index, .offset = kDirectoryOffset + 20 * index, .bytes = Buffer(20)};
  kSampleRow.write({FixedString<8>::from_text(as_bytes(name)), attr1, data_offset, static_cast<std::uint32_t>(index)},
                   row.bytes);
  return row;
}

// Entry `index` of sample_file(), 18 bytes at 0x40 + 0x20 * index.
inline Item sample_entry(std::uint64_t index, const std::string& name) {
  Item item;
  item.entry = name;
  item.format = "msh";
  item.offset = 0x40 + 0x20 * index;
  item.stored_size = item.size = 18;
  item.stored_sha256 = item.sha256 = hash_of(static_cast<std::uint8_t>(0x10 + index));
  item.row = sample_row(index, name, 7, static_cast<std::uint32_t>(item.offset));
  item.facts = {{.key = "nodes", .value = "3"}};
  return item;
}

// An archive with the entries A, B and C.
inline FileResult sample_file(const std::string& path) {
  FileResult file{.path = path, .items = {}};
  Item& archive = file.items.emplace_back();
  archive.format = "nres";
  archive.stored_size = archive.size = 0x23C;
  archive.stored_sha256 = archive.sha256 = hash_of(1);
  archive.facts = {{.key = "header.version", .value = "256"}};
  for (const char* name : {"A", "B", "C"}) {
    file.items.push_back(sample_entry(file.items.size() - 1, name));
  }
  return file;
}

inline ItemFinding error_finding(const std::string& code, const std::string& field_path, std::uint64_t offset) {
  return {.code = code,
          .severity = Severity::kError,
          .rule = "",
          .applied = false,
          .offset = offset,
          .field = field_path,
          .message = "it is broken"};
}

inline ItemFinding rule_finding(const std::string& rule_name, bool applied) {
  return {.code = "sort_order_mismatch",
          .severity = Severity::kStrict,
          .rule = rule_name,
          .applied = applied,
          .offset = 0x210,
          .field = "entry[0].sort_index",
          .message = "names are not in order"};
}

// Marks an entry as refused, and its archive as failing for it.
inline void break_entry(FileResult& file, std::size_t index, const std::string& code = "invalid_stream") {
  file.items[index].verdict = Verdict::kFail;
  file.items[index].findings = {error_finding(code, "entry[" + std::to_string(index - 1) + "].data", 0x40)};
  file.items[0].verdict = Verdict::kFail;
}

class VectorSource : public FileSource {
 public:
  explicit VectorSource(std::vector<FileResult> files) : files_(std::move(files)) {}
  std::optional<FileResult> next() override {
    return index_ < files_.size() ? std::optional(files_[index_++]) : std::nullopt;
  }

 private:
  std::vector<FileResult> files_;
  std::size_t index_ = 0;
};

// Files with everything that could get lost on the way, the same for the same seed on every machine.
class RandomFiles {
 public:
  explicit RandomFiles(std::uint32_t seed) : random_(seed) {}

  std::vector<FileResult> files(std::size_t count) {
    std::vector<FileResult> result;
    for (std::size_t index = 0; index < count; ++index) {
      result.push_back(file(index));
    }
    return result;
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  std::string text() {
    static const std::vector<std::string> kParts{"plain",   "it's", "\"quoted\"", "\\xff\\x00", "\xd0\xb6\xd1\x83",
                                                 "semi;--", "",     "a b",        "\n",         "%s{}",
                                                 "x'00'",   "null", "::",         "[3].x"};
    return kParts[below(static_cast<std::uint32_t>(kParts.size()))] +
           kParts[below(static_cast<std::uint32_t>(kParts.size()))];
  }

  std::uint64_t size() {
    constexpr std::uint64_t kLargest = (std::uint64_t{1} << 53) + 1;
    return below(3) == 0 ? kLargest - below(4) : below(100'000);
  }

  std::optional<Sha256> hash() {
    return below(4) == 0 ? std::nullopt : std::optional(hash_of(static_cast<std::uint8_t>(below(256))));
  }

  ItemFinding finding() {
    const bool has_rule = below(2) == 0;
    return {.code = "code_" + std::to_string(below(5)),
            .severity = static_cast<Severity>(below(3)),
            .rule = has_rule ? "rule_" + std::to_string(below(3)) : "",
            .applied = has_rule && below(2) == 0,
            .offset = size(),
            .field = "entry[" + std::to_string(below(9)) + "].size",
            .message = text()};
  }

  Item item(std::size_t ordinal) {
    Item item;
    if (ordinal != 0) {
      item.entry = text() + "#" + std::to_string(ordinal);
      if (below(4) != 0) {
        item.row = sample_row(ordinal, "N" + std::to_string(below(99)), below(9), below(999));
      }
    }
    item.format = below(3) == 0 ? "unknown" : "msh";
    item.offset = size();
    item.stored_size = size();
    item.size = size();
    item.stored_sha256 = hash();
    item.sha256 = below(2) == 0 ? item.stored_sha256 : hash();
    item.verdict = static_cast<Verdict>(below(4));
    for (std::uint32_t left = below(4); left > 0; --left) {
      item.findings.push_back(finding());
    }
    for (std::uint32_t left = below(4); left > 0; --left) {
      item.facts.push_back({.key = "key." + std::to_string(left), .value = text()});
    }
    return item;
  }

  FileResult file(std::size_t number) {
    // Fixed width, so that files are in order of path.
    FileResult result{.path = "data/" + std::to_string(100'000 + number) + text() + ".lib", .items = {}};
    const std::size_t items = 1 + below(6);
    for (std::size_t ordinal = 0; ordinal < items; ++ordinal) {
      result.items.push_back(item(ordinal));
    }
    return result;
  }

  std::mt19937 random_;
};

inline Totals totals_of(const std::vector<FileResult>& files) {
  Totals totals;
  for (const FileResult& file : files) {
    for (const Item& item : file.items) {
      totals.count(item);
    }
  }
  return totals;
}

inline std::vector<FileResult> drain(FileSource& source) {
  std::vector<FileResult> files;
  while (auto file = source.next()) {
    files.push_back(std::move(*file));
  }
  return files;
}

inline bool same_files(const std::vector<FileResult>& left, const std::vector<FileResult>& right) {
  return std::ranges::equal(left, right, [](const FileResult& one, const FileResult& other) {
    return one.path == other.path && one.items == other.items;
  });
}

// A folder of its own, gone at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "assay_golden_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline void write_text(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// The text of the exception of that type, or a text that says there was none.
template <typename Error, typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

}  // namespace assay::golden::test
