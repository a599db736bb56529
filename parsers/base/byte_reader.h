#pragma once

#include <optional>

#include "parsers/base/bytes.h"
#include "parsers/base/result.h"

namespace assay {

// Where the first byte of an item lies in the outermost stored input, for diagnostics.
struct Origin {
  std::uint64_t base_offset = 0;
  // True inside decoded data, where only the stored payload has an address.
  bool is_decoded = false;

  // The address to report for the byte at `local_offset` of the item.
  [[nodiscard]] std::uint64_t at(std::uint64_t local_offset) const {
    return is_decoded ? base_offset : base_offset + local_offset;
  }
  // The origin of a part of this item that starts at `local_offset` and is stored as it is.
  [[nodiscard]] Origin stored_part(std::uint64_t local_offset) const { return {at(local_offset), is_decoded}; }
  // The origin of what is decoded from the payload at `local_offset`.
  [[nodiscard]] Origin decoded_part(std::uint64_t local_offset) const { return {at(local_offset), true}; }
};

// Reads an input front to back, never past its end.
//
// Holds a view only; the bytes must outlive it. A short read is an error with the offset of the field that
// did not fit and leaves the position where it was. Cost: O(1) a call.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes, Origin origin = {}) : bytes_(bytes), origin_(origin) {}

  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] std::size_t remaining() const { return bytes_.size() - position_; }
  [[nodiscard]] bool at_end() const { return remaining() == 0; }

  template <Scalar T>
  [[nodiscard]] Result<T> read(FieldPath field) {
    ASSAY_TRY_ASSIGN(const Bytes raw, take(sizeof(T), field));
    return load_little_endian<T>(raw);
  }

  // The next `count` bytes as a view into the input.
  [[nodiscard]] Result<Bytes> take(std::uint64_t count, FieldPath field) {
    if (count > remaining()) {
      return fail({.code = Code::kInputTooShort,
                   .offset = origin_.at(position_),
                   .field = field,
                   .expected = Datum::at_least(count),
                   .got = Datum::number(remaining()),
                   .local_offset = position_});
    }
    const Bytes view = bytes_.subspan(position_, static_cast<std::size_t>(count));
    position_ += static_cast<std::size_t>(count);
    return view;
  }

 private:
  Bytes bytes_;
  Origin origin_;
  std::size_t position_ = 0;
};

// `bytes[offset, offset + size)` when that range lies inside, in 64-bit arithmetic. Cost: O(1).
[[nodiscard]] inline std::optional<Bytes> slice(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) {
    return std::nullopt;
  }
  return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

}  // namespace assay
