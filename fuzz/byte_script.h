#pragma once

#include <algorithm>
#include <cstdint>

#include "parsers/base/bytes.h"

namespace assay::fuzz {

// An input read as a script: every question takes the next bytes, and gets zeros once there are none. A view.
class ByteScript {
 public:
  explicit ByteScript(Bytes bytes) : rest_(bytes) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] std::uint8_t byte() {
    if (rest_.empty()) {
      return 0;
    }
    const std::uint8_t value = rest_.front();
    rest_ = rest_.subspan(1);
    return value;
  }
  // 0 .. size - 1. Requires: size > 0.
  [[nodiscard]] std::size_t index(std::size_t size) {
    const std::size_t low = byte();
    return (size > 256 ? low | static_cast<std::size_t>(byte()) << 8 : low) % size;
  }
  // As many of the next bytes as there are, at most `count`.
  [[nodiscard]] Bytes take(std::size_t count) {
    const Bytes taken = rest_.first(std::min(count, rest_.size()));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }
  // A byte that says how many, and that many bytes.
  [[nodiscard]] Bytes text() { return take(byte()); }

 private:
  Bytes rest_;
};

}  // namespace assay::fuzz
