#include "parsers/base/field_text.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "parsers/base/byte_writer.h"
#include "parsers/base/escape.h"

namespace assay {
namespace {

constexpr std::uint32_t kTagBytes = 4;
constexpr std::size_t kLengthBytes = 4;

bool is_hex_number(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0X");
}

// A whole number in decimal or 0x hex, with an optional minus; nothing when it is none or does not fit 64 bits.
std::optional<std::int64_t> parse_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) {
    text.remove_prefix(1);
  }
  const int base = is_hex_number(text) ? 16 : 10;
  if (base == 16) {
    text.remove_prefix(2);
  }
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty() ||
      magnitude > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return std::nullopt;
  }
  return negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
}

template <typename T>
std::string number_text(T value, Display display) {
  if constexpr (std::floating_point<T>) {
    char text[64];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    return error == std::errc() ? std::string(text, end) : std::string();
  } else {
    if (display == Display::kHex) {
      char text[2 + 2 * sizeof(T) + 1];
      const auto unsigned_value = static_cast<std::make_unsigned_t<T>>(value);
      const auto [end, error] = std::to_chars(text, text + sizeof text, std::uint64_t{unsigned_value}, 16);
      return error == std::errc() ? "0x" + std::string(text, end) : std::string();
    }
    return std::to_string(value);
  }
}

// One scalar of text into its bytes; false when it does not fit.
template <typename T>
bool store_scalar(std::string_view text, Display display, MutableBytes raw) {
  if constexpr (std::floating_point<T>) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      return false;
    }
    store_little_endian(value, raw);
  } else {
    if (std::same_as<T, std::uint32_t> && display == Display::kTag) {
      const auto tag = parse_tag(text);
      if (!tag) {
        return false;
      }
      store_little_endian(*tag, raw);
      return true;
    }
    const auto value = parse_integer(text);
    if (!value || *value < std::int64_t{std::numeric_limits<T>::min()} ||
        *value > std::int64_t{std::numeric_limits<T>::max()}) {
      return false;
    }
    store_little_endian(static_cast<T>(*value), raw);
  }
  return true;
}

// Calls `visit` with a value of the scalar type that `type` names.
template <typename Visit>
auto with_scalar(FieldType type, Visit visit) {
  switch (type) {
    case FieldType::kU8: return visit(std::uint8_t{});
    case FieldType::kI8: return visit(std::int8_t{});
    case FieldType::kU16: return visit(std::uint16_t{});
    case FieldType::kI16: return visit(std::int16_t{});
    case FieldType::kI32: return visit(std::int32_t{});
    case FieldType::kF32: return visit(float{});
    default: return visit(std::uint32_t{});
  }
}

std::string scalars_text(const FieldInfo& info, Bytes raw) {
  return with_scalar(info.type, [&]<typename T>(T) {
    std::string text;
    for (std::size_t index = 0; index < info.count; ++index) {
      const T value = load_little_endian<T>(raw.subspan(index * sizeof(T)));
      text += index == 0 ? "" : ",";
      if constexpr (std::same_as<T, std::uint32_t>) {
        text += info.display == Display::kTag ? tag_text(value) : number_text(value, info.display);
      } else {
        text += number_text(value, info.display);
      }
    }
    return text;
  });
}

std::string fixed_text(Bytes raw) {
  const Bytes text = until_nul(raw);
  if (all_zero(raw.subspan(text.size()))) {
    return escape_bytes(text);
  }
  std::size_t used_bytes = raw.size();
  while (raw[used_bytes - 1] == 0) {
    --used_bytes;
  }
  return escape_bytes(raw.first(used_bytes));
}

Failure refuse(const FieldInfo& info, Code code, Datum expected) {
  return fail({.code = code, .field = info.name, .expected = expected});
}

Result<void> parse_scalars(const FieldInfo& info, std::string_view text, MutableBytes raw) {
  return with_scalar(info.type, [&]<typename T>(T) -> Result<void> {
    Buffer encoded(info.size_bytes);
    for (std::size_t index = 0; index < info.count; ++index) {
      const std::size_t comma = std::min(text.find(','), text.size());
      const bool is_last = index + 1 == info.count;
      if (is_last != (comma == text.size()) ||
          !store_scalar<T>(text.substr(0, comma), info.display, MutableBytes(encoded).subspan(index * sizeof(T)))) {
        // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): type texts are string literals.
        return refuse(info, Code::kInvalidValue, Datum::words(field_type_text(info.type).data()));
      }
      text.remove_prefix(is_last ? comma : comma + 1);
    }
    std::memcpy(raw.data(), encoded.data(), encoded.size());
    return {};
  });
}

Result<void> parse_fixed_text(const FieldInfo& info, std::string_view text, MutableBytes raw) {
  const auto bytes = unescape_bytes(text);
  if (!bytes) {
    return refuse(info, Code::kInvalidValue, Datum::words("text in which a backslash starts \\\\ or \\xNN"));
  }
  if (bytes->size() > raw.size()) {
    return refuse(info, Code::kNameTooLong, Datum::at_most(raw.size()));
  }
  const bool sets_tail = until_nul(*bytes).size() != bytes->size();
  const std::size_t old_text_bytes = sets_tail ? raw.size() : until_nul(raw).size();
  std::memset(raw.data(), 0, std::min(raw.size(), std::max(old_text_bytes, bytes->size() + 1)));
  std::copy(bytes->begin(), bytes->end(), raw.begin());
  return {};
}

Result<void> parse_opaque(const FieldInfo& info, std::string_view text, MutableBytes raw) {
  const auto bytes = from_hex(text);
  if (!bytes || bytes->size() != raw.size()) {
    return refuse(info, Code::kInvalidValue, Datum::words("hex digits, two for each byte of the field"));
  }
  std::copy(bytes->begin(), bytes->end(), raw.begin());
  return {};
}

// Where the text of a field without fixed size lies in it.
Bytes stored_text(FieldType type, Bytes raw) {
  switch (type) {
    case FieldType::kString: return raw.subspan(kLengthBytes);
    case FieldType::kLabel:
      return raw.size() > kLengthBytes ? raw.subspan(kLengthBytes, raw.size() - kLengthBytes - 1) : Bytes{};
    case FieldType::kCString: return raw.first(raw.size() - 1);
    default: return raw;
  }
}

bool is_word(Bytes text) {
  return !text.empty() && std::ranges::all_of(text, [](std::uint8_t byte) { return byte > 0x20; });
}

Result<Buffer> encode_unsized(const FieldInfo& info, std::string_view text) {
  const auto bytes = unescape_bytes(text);
  if (!bytes || bytes->size() > std::numeric_limits<std::uint32_t>::max()) {
    return refuse(info, Code::kInvalidValue, Datum::words("text in which a backslash starts \\\\ or \\xNN"));
  }
  const bool holds_nul = until_nul(*bytes).size() != bytes->size();
  if (holds_nul && info.type != FieldType::kString) {
    return refuse(info, Code::kNameContainsNul, {});
  }
  if (info.type == FieldType::kWord && !is_word(*bytes)) {
    return refuse(info, Code::kInvalidValue, Datum::words("a word without blanks"));
  }
  ByteWriter writer;
  if (info.type == FieldType::kString || info.type == FieldType::kLabel) {
    writer.write(static_cast<std::uint32_t>(bytes->size()));
  }
  writer.write_bytes(*bytes);
  if (info.type == FieldType::kCString || (info.type == FieldType::kLabel && !bytes->empty())) {
    writer.write(std::uint8_t{0});
  }
  return std::move(writer).take();
}

}  // namespace

std::string_view field_status_text(FieldStatus status) {
  switch (status) {
    case FieldStatus::kLayoutConfirmed: return "layout-confirmed";
    case FieldStatus::kConsumerInferred: return "consumer-inferred";
    case FieldStatus::kOpaque: return "opaque";
  }
  return "opaque";
}

std::string_view field_type_text(FieldType type) {
  switch (type) {
    case FieldType::kU8: return "u8";
    case FieldType::kI8: return "i8";
    case FieldType::kU16: return "u16";
    case FieldType::kI16: return "i16";
    case FieldType::kU32: return "u32";
    case FieldType::kI32: return "i32";
    case FieldType::kF32: return "f32";
    case FieldType::kText: return "text";
    case FieldType::kBytes: return "bytes";
    case FieldType::kString: return "string";
    case FieldType::kLabel: return "label";
    case FieldType::kCString: return "cstring";
    case FieldType::kWord: return "word";
  }
  return "bytes";
}

const FieldInfo* RecordInfo::find(std::string_view field_name) const {
  for (const FieldInfo& info : fields) {
    if (field_name == info.name) {
      return &info;
    }
  }
  return nullptr;
}

std::string field_text(const FieldInfo& info, Bytes raw) {
  switch (info.type) {
    case FieldType::kText: return fixed_text(raw);
    case FieldType::kBytes: return to_hex(raw);
    case FieldType::kString:
    case FieldType::kLabel:
    case FieldType::kCString:
    case FieldType::kWord: return escape_bytes(stored_text(info.type, raw));
    default: return scalars_text(info, raw);
  }
}

Result<void> parse_field_text(const FieldInfo& info, std::string_view text, MutableBytes raw) {
  switch (info.type) {
    case FieldType::kText: return parse_fixed_text(info, text, raw);
    case FieldType::kBytes: return parse_opaque(info, text, raw);
    default: return parse_scalars(info, text, raw);
  }
}

Result<Buffer> encode_field_text(const FieldInfo& info, std::string_view text, Bytes old_raw) {
  if (info.size_bytes == 0) {
    return encode_unsized(info, text);
  }
  Buffer raw(old_raw.begin(), old_raw.end());
  ASSAY_TRY(parse_field_text(info, text, raw));
  return raw;
}

std::string tag_text(std::uint32_t tag) {
  std::array<std::uint8_t, kTagBytes> raw{};
  store_little_endian(tag, raw);
  for (const std::uint8_t byte : raw) {
    if (byte < 0x20 || byte > 0x7E || byte == '\'' || byte == '\\') {
      return std::to_string(tag);
    }
  }
  const std::string text(as_text(raw));
  return parse_integer(text) ? "'" + text + "'" : text;
}

std::optional<std::uint32_t> parse_tag(std::string_view text) {
  if (text.size() == kTagBytes + 2 && text.front() == '\'' && text.back() == '\'') {
    return load_little_endian<std::uint32_t>(as_bytes(text.substr(1, kTagBytes)));
  }
  if (const auto number = parse_integer(text)) {
    const bool fits = *number >= 0 && *number <= std::int64_t{std::numeric_limits<std::uint32_t>::max()};
    return fits ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
  }
  if (text.size() == kTagBytes) {
    return load_little_endian<std::uint32_t>(as_bytes(text));
  }
  return std::nullopt;
}

}  // namespace assay
