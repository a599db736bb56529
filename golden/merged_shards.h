#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden/item.h"

namespace assay::golden {

// What was given does not make one whole run. The text names the database and what is wrong; the command ends with
// status 2.
class MergeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// All files of a corpus in order of path, from the sources of its shards. Since each shard has every n-th file, it is
// known which of them has the next one: shards of different lists of files are noticed. Memory: one file of each.
class MergedShards : public FileSource {
 public:
  struct Part {
    // In errors, e.g. "a.db".
    std::string name;
    std::unique_ptr<FileSource> files;
  };

  // Shard i of n is at place i. `corpus_files` is how many files all of them make.
  MergedShards(std::vector<Part> parts, std::uint64_t corpus_files);

  // Throws MergeError where a file is in two shards, not in the one that it belongs to, or missing at the end, and what
  // the sources throw.
  [[nodiscard]] std::optional<FileResult> next() override;

 private:
  struct Head {
    Part part;
    std::optional<FileResult> file{};
  };

  [[nodiscard]] std::size_t first_in_order() const;
  void refuse_doubled(std::size_t place) const;
  void refuse_out_of_turn(std::size_t place) const;

  std::vector<Head> heads_;
  std::uint64_t corpus_files_;
  std::uint64_t given_files_ = 0;
  bool is_started_ = false;
};

}  // namespace assay::golden
