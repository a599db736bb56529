#pragma once

#include <algorithm>
#include <vector>

#include "parsers/base/bytes.h"

namespace assay::synth {

// How far back and how long a match may be.
struct MatchBounds {
  std::size_t window_bytes = 0;
  std::size_t longest_bytes = 0;
};

// Cuts `plain` into literals and matches of at least three bytes: sink.literal(byte), sink.match(distance, length).
// Looks at one candidate a position, the latest with the same hash. Cost: O(plain).
template <typename Sink>
void greedy_parse(Bytes plain, const MatchBounds& bounds, Sink& sink) {
  constexpr std::size_t kShortest = 3;
  constexpr std::size_t kNever = static_cast<std::size_t>(-1);
  std::vector<std::size_t> newest(std::size_t{1} << 13, kNever);
  const auto slot_of = [&](std::size_t at) -> std::size_t& {
    const std::uint32_t three = plain[at] | std::uint32_t{plain[at + 1]} << 8 | std::uint32_t{plain[at + 2]} << 16;
    return newest[(three * 0x9E37'79B1U) >> 19];
  };
  const auto remember = [&](std::size_t at) {
    if (plain.size() - at >= kShortest) {
      slot_of(at) = at;
    }
  };
  std::size_t at = 0;
  while (at < plain.size()) {
    std::size_t length = 0;
    const std::size_t from = plain.size() - at >= kShortest ? slot_of(at) : kNever;
    if (from != kNever && at - from <= bounds.window_bytes) {
      const std::size_t most = std::min(bounds.longest_bytes, plain.size() - at);
      while (length < most && plain[from + length] == plain[at + length]) {
        ++length;
      }
    }
    if (length < kShortest) {
      sink.literal(plain[at]);
      length = 1;
    } else {
      sink.match(at - from, length);
    }
    for (const std::size_t end = at + length; at < end; ++at) {
      remember(at);
    }
  }
}

}  // namespace assay::synth
