#include "parsers/codecs/match_finder/match_finder.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

namespace assay::match_finder {
namespace {

constexpr unsigned kHashBits = 14;
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Effort effort_of(Level level) {
  // By level, from literals only to every position of the window.
  static constexpr std::array<Effort, kHighestLevel + 1> kEfforts = {
      {{0, 1}, {2, 4}, {4, 6}, {8, 10}, {12, 16}, {16, 24}, {24, 32}, {64, 48}, {256, 60}, {kWindowBytes, 60}}};
  return kEfforts[std::min(level.value(), kHighestLevel)];
}

void MatchFinder::begin(Bytes plain, std::size_t max_match_bytes, unsigned chain_depth) {
  assert(plain.size() <= kMaxPlainBytes && max_match_bytes >= kMinMatchBytes);
  max_match_bytes_ = max_match_bytes;
  chain_depth_ = chain_depth;
  text_.assign(kWindowBytes, kWindowFill);
  text_.insert(text_.end(), plain.begin(), plain.end());
  newest_.assign(std::size_t{1} << kHashBits, kNone);
  previous_.resize(kWindowBytes);  // Not cleared: a link is read only after its position was inserted.
  for (std::size_t text_index = 0; text_index < kWindowBytes; ++text_index) {
    insert_at(text_index);
  }
}

// Visits matches that are longer than all nearer ones.
template <typename Visit>
void MatchFinder::visit_longer(std::size_t position, Visit visit) const {
  const std::size_t here = position + kWindowBytes;
  const std::size_t limit = std::min(max_match_bytes_, text_.size() - here);
  if (limit < kMinMatchBytes) {
    return;
  }
  std::size_t best_bytes = kMinMatchBytes - 1;
  // Inside the window the link of a candidate is its own: the position that will overwrite it has yet to be inserted.
  std::uint32_t candidate = newest_[hash_at(here)];
  for (unsigned depth = chain_depth_; depth > 0; --depth) {
    if (candidate == kNone || here - candidate > kWindowBytes) {
      return;
    }
    // A longer match has to agree in the byte behind the best one so far; that is one look at most candidates.
    if (text_[candidate + best_bytes] == text_[here + best_bytes]) {
      const std::size_t length_bytes = common_length(candidate, here, limit);
      if (length_bytes > best_bytes) {
        best_bytes = length_bytes;
        visit(Match{.distance = here - candidate, .length_bytes = length_bytes});
      }
      if (length_bytes == limit) {
        return;
      }
    }
    candidate = previous_[candidate % kWindowBytes];
  }
}

Match MatchFinder::find(std::size_t position) const {
  Match best;
  visit_longer(position, [&](Match match) { best = match; });
  return best;
}

std::size_t MatchFinder::find_all(std::size_t position, std::span<Match> found) const {
  std::size_t count = 0;
  visit_longer(position, [&](Match match) { found[count++] = match; });
  return count;
}

void MatchFinder::insert_at(std::size_t text_index) {
  if (text_.size() - text_index < kMinMatchBytes) {
    return;
  }
  std::uint32_t& newest = newest_[hash_at(text_index)];
  previous_[text_index % kWindowBytes] = newest;
  newest = static_cast<std::uint32_t>(text_index);
}

std::uint32_t MatchFinder::hash_at(std::size_t text_index) const {
  const std::uint32_t three_bytes = static_cast<std::uint32_t>(text_[text_index]) |
                                    static_cast<std::uint32_t>(text_[text_index + 1]) << 8 |
                                    static_cast<std::uint32_t>(text_[text_index + 2]) << 16;
  return three_bytes * 0x9E37'79B1U >> (32 - kHashBits);
}

std::size_t MatchFinder::common_length(std::size_t left, std::size_t right, std::size_t limit) const {
  std::size_t length_bytes = 0;
  while (length_bytes < limit && text_[left + length_bytes] == text_[right + length_bytes]) {
    ++length_bytes;
  }
  return length_bytes;
}

}  // namespace assay::match_finder
