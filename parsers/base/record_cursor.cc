#include "parsers/base/record_cursor.h"

#include <algorithm>

#include "parsers/base/ascii.h"

namespace assay {
namespace {

constexpr std::uint64_t kLengthBytes = 4;

}  // namespace

Failure RecordCursor::refuse_short(std::uint64_t offset, const FieldPath& path, std::uint64_t wanted) const {
  const std::uint64_t left = base_offset_ + bytes_.size() - offset;
  return fail(diagnostic(Code::kInputTooShort, offset, path, Datum::at_least(wanted), Datum::number(left)));
}

Failure RecordCursor::refuse_first_missing(const RecordInfo& record, const FieldPath& path) const {
  for (const FieldInfo& info : record.fields) {
    if (std::uint64_t{info.offset} + info.size_bytes > remaining()) {
      return refuse_short(offset() + info.offset, path.then(info.name), info.size_bytes);
    }
  }
  return refuse_short(offset(), path, record.size_bytes);
}

Result<Bytes> RecordCursor::take_record(const RecordInfo& record, const FieldPath& path) {
  if (record.size_bytes > remaining()) {
    return refuse_first_missing(record, path);
  }
  const std::uint64_t start = offset();
  const Bytes raw = advance(record.size_bytes);
  map_.add_record(start, record, path, raw);
  return raw;
}

Result<Bytes> RecordCursor::take_array(const RecordInfo& record, const FieldPath& path, std::uint64_t count) {
  const std::uint64_t whole = remaining() / record.size_bytes;
  if (count > whole) {
    position_ += static_cast<std::size_t>(whole * record.size_bytes);
    const Failure refused = refuse_first_missing(record, path.at(whole));
    position_ -= static_cast<std::size_t>(whole * record.size_bytes);
    return refused;
  }
  const std::uint64_t start = offset();
  const Bytes raw = advance(count * record.size_bytes);
  map_.add_array(start, record, path, raw);
  return raw;
}

Result<Bytes> RecordCursor::take_text(const RecordInfo& record, const FieldPath& path, std::uint64_t max_bytes) {
  const FieldInfo& info = record.fields.front();
  const FieldPath field = path.then(info.name);
  const std::uint64_t start = offset();
  if (info.type == FieldType::kCString) {
    const Bytes text = until_nul(rest());
    if (text.size() == remaining()) {
      return fail(diagnostic(Code::kMissingTerminator, start, field, {}, Datum::number(remaining())));
    }
    map_.add_record(start, record, path, advance(text.size() + 1));
    return text;
  }
  if (remaining() < kLengthBytes) {
    return refuse_short(start, field, kLengthBytes);
  }
  const std::uint64_t text_bytes = load_little_endian<std::uint32_t>(rest());
  if (text_bytes > max_bytes) {
    return fail(diagnostic(Code::kLimitExceeded, start, field, Datum::at_most(max_bytes), Datum::number(text_bytes)));
  }
  const bool has_nul = info.type == FieldType::kLabel && text_bytes != 0;
  const std::uint64_t size_bytes = kLengthBytes + text_bytes + (has_nul ? 1 : 0);
  if (size_bytes > remaining()) {
    return refuse_short(start, field, size_bytes);
  }
  const Bytes raw = advance(size_bytes);
  map_.add_record(start, record, path, raw);
  return raw.subspan(kLengthBytes, static_cast<std::size_t>(text_bytes));
}

}  // namespace assay
