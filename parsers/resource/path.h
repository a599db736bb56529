#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsers/base/result.h"
#include "parsers/resource/file_store.h"

// Paths as the game's files write them, and where they lead (docs/graph.md, "Paths").
namespace assay::resource {

// A relative path with `\` or `/` between its parts. The bytes it was read from are kept.
class LegacyPath {
 public:
  // Error: kInvalidPath at offset 0, field `path`, for a path that is empty or absolute, names a drive, or holds a NUL,
  // a colon, an empty part, `.` or `..`. Cost: O(n).
  [[nodiscard]] static Result<LegacyPath> parse(Bytes raw);

  // As it was written.
  [[nodiscard]] const std::string& raw() const { return raw_; }
  [[nodiscard]] const std::vector<std::string>& segments() const { return segments_; }
  // ASCII lower case with `/` between the parts: two paths with the same key lead to the same file.
  [[nodiscard]] const std::string& key() const { return key_; }

 private:
  std::string raw_;
  std::vector<std::string> segments_;
  std::string key_;
};

// Lower-case copy, ASCII only: the form in which names are compared.
[[nodiscard]] std::string folded(std::string_view text);

// A file that exists: which of the roots has it, and its path there, spelled as the store spells it.
struct FilePlace {
  std::size_t root = 0;
  std::string path;

  friend bool operator==(const FilePlace&, const FilePlace&) = default;
};

// The folders in which files are looked for, in order: resource roots, then the game's own folder
// (docs/formats/decisions.md, 21). Refers to the stores, which must outlive it. Holds nothing between two calls.
class FileTree {
 public:
  explicit FileTree(std::vector<const FileStore*> roots) : roots_(std::move(roots)) {}

  // The first root that has the file wins. Each part is compared without ASCII case. Errors: kMissingFile;
  // kAmbiguousPath where two names of one folder answer to a part, field `path[ROOT]`. Cost: lists the folders on the
  // way.
  [[nodiscard]] Result<FilePlace> find(const LegacyPath& path) const;
  // Errors: kMissingFile, and what the store refuses.
  [[nodiscard]] Result<SharedBytes> read(const FilePlace& place) const;
  // Nothing when the file is gone.
  [[nodiscard]] std::optional<Fingerprint> fingerprint(const FilePlace& place) const;

  // Every file at or below `folder` (of any case) in all roots of that name, each path once, as
  // the first root that has it spells it (the smallest of several spellings there), sorted by key. A `name` that starts
  // with a dot is an extension. `folder` is a single name. Cost: lists all folders below.
  [[nodiscard]] std::vector<LegacyPath> files_below(std::string_view folder, std::string_view name) const;

 private:
  std::vector<const FileStore*> roots_;
};

}  // namespace assay::resource
