#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

#include "golden/expectation.h"
#include "golden/item.h"
#include "golden/replacement_file.h"

// The golden manifest: text that a person can read in a diff (docs/database.md, "The manifest").
//
// The first line is the header {"iron_assay_manifest":1,"corpus","profile","files","items"}; then one JSON object a
// line, sorted by path and entry as bytes: path, entry, format, size, sha256, stored_sha256 (only where it differs),
// verdict, rules, findings, row, facts, reason (only where a failure was accepted). Hashes and counts, never content.
namespace assay::golden {

// The manifest cannot be used. The text is "file:line: reason"; the command ends with status 2.
class ManifestError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr std::int64_t kManifestVersion = 1;

struct ManifestHeader {
  std::string corpus;
  std::string profile;
  std::uint64_t files = 0;
  std::uint64_t items = 0;

  friend bool operator==(const ManifestHeader&, const ManifestHeader&) = default;
};

// Reads a manifest file by file and takes nothing on trust: a line that is not JSON, lacks a key, has one of the wrong
// type or an unknown one, is out of order or twice, counts that are wrong, or a newer version throw ManifestError.
class ManifestReader {
 public:
  explicit ManifestReader(const std::filesystem::path& path);

  [[nodiscard]] const ManifestHeader& header() const { return header_; }
  // The next file, or nothing after the last one; only then are the counts of the header proven.
  [[nodiscard]] std::optional<ExpectedFile> next();

 private:
  // One line that was read ahead: an item and the path it belongs to.
  struct Line {
    std::string path;
    Expectation item;
  };

  [[nodiscard]] bool read_text(std::string& text);
  [[nodiscard]] std::optional<Line> read_line();
  void check_order(const ExpectedFile& file, const Line& line) const;
  [[noreturn]] void fail(const std::string& reason) const;

  std::string name_;
  std::ifstream input_;
  std::uint64_t line_number_ = 0;
  ManifestHeader header_;
  std::optional<Line> ahead_;
  std::uint64_t files_ = 0;
  std::uint64_t items_ = 0;
};

// Writes a manifest beside its target and puts it in place in commit(); until then, and when commit() is never reached,
// an existing manifest stays as it was. A link to a manifest stays one. Throws ManifestError, and FileError where it
// cannot be written.
class ManifestWriter {
 public:
  ManifestWriter(const std::filesystem::path& target, std::string corpus, std::string profile);

  // Requires: files by path, items as ExpectedFile says.
  void add(const ExpectedFile& file);
  void commit();
  [[nodiscard]] const ManifestHeader& header() const { return header_; }

 private:
  void write_waiting();

  std::filesystem::path target_;
  ReplacementFile replacement_;
  // The header counts what follows it, so the lines wait here until they are counted.
  TemporaryFile body_;
  // Lines that are not in the file yet.
  std::string waiting_;
  ManifestHeader header_;
};

// Writes a new manifest from all of `source`. Returns its header.
ManifestHeader write_manifest(const std::filesystem::path& target, const std::string& corpus,
                              const std::string& profile, FileSource& source, const RecordFinder& find_record);

}  // namespace assay::golden
