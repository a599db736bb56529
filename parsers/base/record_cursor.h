#pragma once

#include <concepts>
#include <cstdint>
#include <iterator>

#include "parsers/base/accounting.h"
#include "parsers/base/byte_reader.h"
#include "parsers/base/field_text.h"
#include "parsers/base/record.h"

// Reading an input record by record. What is read is accounted for on the way, so that a parse body is the byte table
// that it implements and the byte map cannot differ from it.
namespace assay {

// Records of one table one after another, decoded when they are looked at. A view: the bytes must outlive it.
template <const auto& Table>
class Records {
 public:
  using Value = typename std::remove_cvref_t<decltype(Table)>::Value;

  Records() = default;
  // Requires: bytes.size() is a multiple of the record's size. `offset` is where they start in the item.
  Records(Bytes bytes, std::uint64_t offset) : bytes_(bytes), offset_(offset) {}

  [[nodiscard]] std::size_t size() const { return bytes_.size() / Table.size_bytes; }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  // Requires: index < size(). Cost: O(record).
  [[nodiscard]] Value operator[](std::size_t index) const {
    return Table.read(bytes_.subspan(index * Table.size_bytes, Table.size_bytes));
  }
  // Where record `index` starts in the item.
  [[nodiscard]] std::uint64_t offset_of(std::size_t index) const { return offset_ + index * Table.size_bytes; }
  [[nodiscard]] Bytes bytes() const { return bytes_; }

 private:
  Bytes bytes_;
  std::uint64_t offset_ = 0;
};

// Reads the bytes of an item, or of a part of one, front to back.
//
// Every read that succeeds adds a run to the map. A read that does not fit is an error at the first field that sticks
// out, and reads nothing. Cost: O(what is read).
class RecordCursor {
 public:
  // `bytes` start at `base_offset` of the item that `origin` and `map` are about. The map must outlive the cursor, the
  // bytes the map.
  RecordCursor(Bytes bytes, const Origin& origin, ByteMap& map, std::uint64_t base_offset = 0)
      : bytes_(bytes), origin_(origin), map_(map), base_offset_(base_offset) {}

  // Where the next read starts in the item, and how many bytes are left.
  [[nodiscard]] std::uint64_t offset() const { return base_offset_ + position_; }
  [[nodiscard]] std::uint64_t remaining() const { return bytes_.size() - position_; }
  [[nodiscard]] bool at_end() const { return remaining() == 0; }
  // What is left, without reading it.
  [[nodiscard]] Bytes rest() const { return bytes_.subspan(position_); }

  // One record. `path` names it.
  template <const auto& Table>
  [[nodiscard]] Result<typename std::remove_cvref_t<decltype(Table)>::Value> read(const FieldPath& path) {
    ASSAY_TRY_ASSIGN(const Bytes raw, take_record(kInfoOf<Table>, path));
    return Table.read(raw);
  }

  // `count` records, of which `path` (without index) names the list. The error of a short input is at the first field
  // of the first record that does not fit. Callers check counts against remaining() where the count is what is wrong.
  template <const auto& Table>
  [[nodiscard]] Result<Records<Table>> read_array(const FieldPath& path, std::uint64_t count) {
    const std::uint64_t offset_before = offset();
    ASSAY_TRY_ASSIGN(const Bytes raw, take_array(kInfoOf<Table>, path, count));
    return Records<Table>(raw, offset_before);
  }

  // A string with its length in front (kString, kLabel) or its NUL behind (kCString); gives the text alone. Errors, all
  // at the string: kLimitExceeded for more than `max_bytes` of text, kInputTooShort, kMissingTerminator.
  template <const TextRecord& Table>
  [[nodiscard]] Result<Bytes> read_text(const FieldPath& path, std::uint64_t max_bytes) {
    return take_text(kInfoOf<Table>, path, max_bytes);
  }

  // The next `size_bytes` bytes, which are a field without fixed size. Requires: size_bytes <= remaining().
  template <const TextRecord& Table>
  Bytes read_word(const FieldPath& path, std::uint64_t size_bytes) {
    const Bytes raw = advance(size_bytes);
    map_.add_record(offset() - size_bytes, kInfoOf<Table>, path, raw);
    return raw;
  }

  // `size_bytes` bytes that are understood no further.
  [[nodiscard]] Result<Bytes> read_opaque(const FieldPath& path, std::uint64_t size_bytes) {
    if (size_bytes > remaining()) {
      return refuse_short(offset(), path, size_bytes);
    }
    const Bytes raw = advance(size_bytes);
    map_.add_opaque(offset() - size_bytes, path, raw);
    return raw;
  }

  // `size_bytes` bytes of values that are all alike and understood, e.g. the pixels of one level. Error:
  // kInputTooShort.
  [[nodiscard]] Result<Bytes> read_data(const FieldPath& path, std::uint64_t size_bytes) {
    if (size_bytes > remaining()) {
      return refuse_short(offset(), path, size_bytes);
    }
    const Bytes raw = advance(size_bytes);
    map_.add_data(offset() - size_bytes, path, raw);
    return raw;
  }

  // `size_bytes` bytes that only bring what follows to its place. Requires: size_bytes <= remaining().
  Bytes read_padding(const FieldPath& path, std::uint64_t size_bytes) {
    const Bytes raw = advance(size_bytes);
    map_.add({offset() - size_bytes, size_bytes, ByteKind::kPadding, path, nullptr, raw});
    return raw;
  }

  // Error: kTrailingBytes at the first byte that is left.
  [[nodiscard]] Result<void> expect_end(const FieldPath& path = "file") const {
    if (at_end()) {
      return {};
    }
    return fail(diagnostic(Code::kTrailingBytes, offset(), path, Datum::number(0), Datum::number(remaining())));
  }

  // A diagnostic about the byte at `offset` of the item.
  [[nodiscard]] Diagnostic diagnostic(Code code, std::uint64_t offset, const FieldPath& path, Datum expected = {},
                                      Datum got = {}) const {
    return {code, origin_.at(offset), path, expected, got, offset};
  }
  [[nodiscard]] Diagnostic diagnostic(Code code, const FieldPlace& place, Datum expected = {}, Datum got = {}) const {
    return diagnostic(code, place.offset, place.path, expected, got);
  }

 private:
  [[nodiscard]] Failure refuse_short(std::uint64_t offset, const FieldPath& path, std::uint64_t wanted) const;
  [[nodiscard]] Result<Bytes> take_record(const RecordInfo& record, const FieldPath& path);
  [[nodiscard]] Result<Bytes> take_array(const RecordInfo& record, const FieldPath& path, std::uint64_t count);
  [[nodiscard]] Result<Bytes> take_text(const RecordInfo& record, const FieldPath& path, std::uint64_t max_bytes);
  // The first field of a record at offset() that does not fit into what is left.
  [[nodiscard]] Failure refuse_first_missing(const RecordInfo& record, const FieldPath& path) const;

  // Requires: size_bytes <= remaining().
  Bytes advance(std::uint64_t size_bytes) {
    const Bytes raw = bytes_.subspan(position_, static_cast<std::size_t>(size_bytes));
    position_ += static_cast<std::size_t>(size_bytes);
    return raw;
  }

  Bytes bytes_;
  Origin origin_;
  ByteMap& map_;
  std::uint64_t base_offset_;
  std::size_t position_ = 0;
};

}  // namespace assay
