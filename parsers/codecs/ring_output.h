#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "parsers/base/bytes.h"

// The output of the plain LZSS and LZHUF decoders: both write into a ring of 4096 spaces as they go
// (docs/formats/codecs.md, B8 and B9). They differ in where writing starts and in how a reference names its source.
namespace assay {

inline constexpr std::size_t kRingBytes = 4096;
inline constexpr std::uint8_t kRingFill = 0x20;

using Ring = std::array<std::uint8_t, kRingBytes>;

class RingOutput {
 public:
  static constexpr std::size_t kMask = kRingBytes - 1;

  // Fills `ring`; both must outlive this object. Writing starts at `first_write`. Requires: first_write < kRingBytes.
  RingOutput(MutableBytes output, Ring& ring, std::size_t first_write)
      : output_(output), ring_(ring), write_index_(first_write) {
    ring_.fill(kRingFill);
  }

  [[nodiscard]] bool full() const { return produced_ == output_.size(); }
  [[nodiscard]] std::size_t produced_bytes() const { return produced_; }

  // Requires: !full().
  void put(std::uint8_t byte) {
    output_[produced_++] = byte;
    ring_[write_index_] = byte;
    write_index_ = (write_index_ + 1) & kMask;
  }

  // Copies from the ring until `length_bytes` are there or the output is full. A reference may read bytes that it is
  // producing, so the bytes go one by one.
  void copy_from_index(std::size_t ring_index, std::size_t length_bytes) {
    for (std::size_t step = 0; step < length_bytes && !full(); ++step) {
      put(ring_[(ring_index + step) & kMask]);
    }
  }
  // The same from `distance` bytes before the next one. Requires: 1 <= distance <= kRingBytes.
  void copy_from_distance(std::size_t distance, std::size_t length_bytes) {
    copy_from_index(write_index_ - distance, length_bytes);
  }

 private:
  MutableBytes output_;
  Ring& ring_;
  std::size_t produced_ = 0;
  std::size_t write_index_;
};

}  // namespace assay
