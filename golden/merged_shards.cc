#include "golden/merged_shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "golden/shard.h"

namespace assay::golden {
namespace {

// Why files are where they cannot be, and what to do.
constexpr const char* kDifferentLists = "the shards were not scanned from the same list of files; compare the folders";

}  // namespace

MergedShards::MergedShards(std::vector<Part> parts, std::uint64_t corpus_files) : corpus_files_(corpus_files) {
  assert(!parts.empty());
  for (Part& part : parts) {
    heads_.push_back({.part = std::move(part)});
  }
}

std::optional<FileResult> MergedShards::next() {
  if (!std::exchange(is_started_, true)) {
    for (Head& head : heads_) {
      head.file = head.part.files->next();
    }
  }
  const std::size_t place = first_in_order();
  Head& head = heads_[place];
  if (!head.file) {
    if (given_files_ != corpus_files_) {
      throw MergeError(fmt::format("the shards have {} files together, their corpus has {}; {}", given_files_,
                                   corpus_files_, kDifferentLists));
    }
    return std::nullopt;
  }
  refuse_doubled(place);
  refuse_out_of_turn(place);
  ++given_files_;
  return std::exchange(head.file, head.part.files->next());
}

// The place of the file that comes first by path; that of no file when there is none left.
std::size_t MergedShards::first_in_order() const {
  const auto first = std::ranges::min_element(heads_, [](const Head& left, const Head& right) {
    return left.file && (!right.file || left.file->path < right.file->path);
  });
  return static_cast<std::size_t>(first - heads_.begin());
}

void MergedShards::refuse_doubled(std::size_t place) const {
  const Head& first = heads_[place];
  for (std::size_t other = place + 1; other < heads_.size(); ++other) {
    if (heads_[other].file && heads_[other].file->path == first.file->path) {
      throw MergeError(fmt::format("{}: {} is in shard {} and, in {}, in shard {}; {}", heads_[other].part.name,
                                   first.file->path, Shard{other, heads_.size()}.text(), first.part.name,
                                   Shard{place, heads_.size()}.text(), kDifferentLists));
    }
  }
}

void MergedShards::refuse_out_of_turn(std::size_t place) const {
  const std::size_t turn = given_files_ % heads_.size();
  if (turn != place) {
    const Head& head = heads_[place];
    throw MergeError(fmt::format("{}: {} is in shard {}, by its place among all files it belongs to shard {}; {}",
                                 head.part.name, head.file->path, Shard{place, heads_.size()}.text(),
                                 Shard{turn, heads_.size()}.text(), kDifferentLists));
  }
}

}  // namespace assay::golden
