#pragma once

#include "parsers/base/bytes.h"

namespace assay {

// Appends to an owned buffer. Cost: amortised O(bytes written).
class ByteWriter {
 public:
  ByteWriter() = default;
  explicit ByteWriter(std::size_t expected_bytes) { buffer_.reserve(expected_bytes); }

  [[nodiscard]] std::size_t position() const { return buffer_.size(); }

  template <Scalar T>
  void write(T value) {
    store_little_endian(value, grow(sizeof(T)));
  }
  void write_bytes(Bytes bytes) { buffer_.insert(buffer_.end(), bytes.begin(), bytes.end()); }
  void write_zeros(std::size_t count) { buffer_.resize(buffer_.size() + count, 0); }
  // Zeros up to the next multiple of `alignment` bytes.
  void align(std::size_t alignment) { write_zeros((alignment - position() % alignment) % alignment); }

  // Appends `count` zero bytes and gives them to be filled. Valid until the next call.
  [[nodiscard]] MutableBytes grow(std::size_t count) {
    const std::size_t start = buffer_.size();
    buffer_.resize(start + count);
    return MutableBytes(buffer_).subspan(start);
  }
  // Bytes that were written before. Requires: offset + count <= position(). Valid until the next call that appends.
  [[nodiscard]] MutableBytes written(std::size_t offset, std::size_t count) {
    return MutableBytes(buffer_).subspan(offset, count);
  }

  [[nodiscard]] Buffer take() && { return std::move(buffer_); }

 private:
  Buffer buffer_;
};

}  // namespace assay
