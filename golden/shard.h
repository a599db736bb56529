#pragma once

#include <cstdint>
#include <string>

namespace assay::golden {

// Which part of a corpus: every `count`-th file in order of path, beginning with `index`. 0/1 is the whole.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;

  [[nodiscard]] bool is_whole() const { return count == 1; }
  // "0/3", as `scan --shard` takes it.
  [[nodiscard]] std::string text() const { return std::to_string(index) + '/' + std::to_string(count); }

  friend bool operator==(const Shard&, const Shard&) = default;
};

}  // namespace assay::golden
