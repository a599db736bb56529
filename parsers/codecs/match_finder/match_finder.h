#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parsers/base/bytes.h"
#include "parsers/codecs/codec.h"

// The search for back references that the LZSS and the LZHUF encoder share.
//
// Both formats start from a window of 4096 spaces and can refer back 4096 bytes, so both see the data as a text with
// 4096 spaces in front. They differ in the longest match and in how a reference is written.
namespace assay::match_finder {

inline constexpr std::size_t kWindowBytes = 4096;
inline constexpr std::uint8_t kWindowFill = 0x20;
// The shortest match of both formats.
inline constexpr std::size_t kMinMatchBytes = 3;
// The highest level that makes a difference here.
inline constexpr unsigned kHighestLevel = 9;

// A back reference, or none when length_bytes is 0.
struct Match {
  std::size_t distance = 0;
  std::size_t length_bytes = 0;
};

// How long to search.
struct Effort {
  // Candidates to look at for one position; 0 finds nothing.
  unsigned chain_depth = 0;
  // A match at least this long is taken at once; a shorter one only if the next position has no longer one.
  std::size_t lazy_below_bytes = 0;
};

[[nodiscard]] Effort effort_of(Level level);

// Hash chains over the last 4096 positions. The memory is reused from one text to the next, the contents are not.
//
// Positions count from the start of the data. Of matches of one length the nearest is found, because LZHUF writes
// near ones in fewer bits.
class MatchFinder {
 public:
  // Starts a text. Copies `plain` behind the preset window. Cost: O(plain).
  //
  // Requires: plain.size() <= kMaxPlainBytes; max_match_bytes >= kMinMatchBytes.
  void begin(Bytes plain, std::size_t max_match_bytes, unsigned chain_depth);

  // The longest match for the data at `position` among the positions inserted so far; never longer than the data that
  // is left. Cost: O(chain_depth * max_match_bytes).
  //
  // Requires: every position before `position` was inserted, in order, and `position` was not.
  [[nodiscard]] Match find(std::size_t position) const;

  // All matches at `position` that an encoder may want: in rising length, each the nearest of its length. Returns how
  // many there are; `found` has to have room for max_match_bytes of them. Cost and requirements are those of find().
  [[nodiscard]] std::size_t find_all(std::size_t position, std::span<Match> found) const;

  // Makes the data at `position` known to later searches.
  void insert(std::size_t position) { insert_at(position + kWindowBytes); }

  static constexpr std::size_t kMaxPlainBytes = 0xFFFF'0000;

 private:
  template <typename Visit>
  void visit_longer(std::size_t position, Visit visit) const;
  void insert_at(std::size_t text_index);
  [[nodiscard]] std::uint32_t hash_at(std::size_t text_index) const;
  [[nodiscard]] std::size_t common_length(std::size_t left, std::size_t right, std::size_t limit) const;

  Buffer text_;
  std::vector<std::uint32_t> newest_;    // by hash: the last text index with it
  std::vector<std::uint32_t> previous_;  // by text index modulo the window: the one before with the same hash
  std::size_t max_match_bytes_ = 0;
  unsigned chain_depth_ = 0;
};

// Cuts `plain` into literals and matches, and hands them to `sink` in order: sink.literal(byte) and sink.match(Match).
//
// A match is put off by one byte where the next position has a longer one. Cost: O(plain * chain_depth).
template <typename Sink>
void parse(Bytes plain, std::size_t max_match_bytes, Level level, MatchFinder& finder, Sink& sink) {
  const Effort effort = effort_of(level);
  finder.begin(plain, max_match_bytes, effort.chain_depth);
  std::size_t position = 0;
  Match here = finder.find(position);
  while (position < plain.size()) {
    finder.insert(position);
    const Match next = here.length_bytes < effort.lazy_below_bytes ? finder.find(position + 1) : Match{};
    if (here.length_bytes < kMinMatchBytes || next.length_bytes > here.length_bytes) {
      sink.literal(plain[position]);
      ++position;
      here = next;
      continue;
    }
    sink.match(here);
    for (std::size_t skipped = 1; skipped < here.length_bytes; ++skipped) {
      finder.insert(position + skipped);
    }
    position += here.length_bytes;
    here = finder.find(position);
  }
}

}  // namespace assay::match_finder
