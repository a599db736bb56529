#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parsers/base/record.h"
#include "parsers/base/result.h"

// Field values as text: what `assay inspect` shows is what `assay edit --set` takes.
namespace assay {

// The value of a field. `raw` are the field's own bytes. Numbers are decimal, or 0x... where the table says hex; tags
// are their four characters; text is escaped, and bytes after its NUL follow as `\x00...` when they are not zero;
// several numbers are separated by commas; opaque bytes are hex. Strings are shown without their length and NUL.
// Requires: raw.size() == info.size_bytes, or for a field without fixed size that it is a whole one.
[[nodiscard]] std::string field_text(const FieldInfo& info, Bytes raw);

// Encodes `text` as the bytes of the field, whose bytes before are `old_raw`; of a field without fixed size as many as
// the text needs. A text that holds a NUL sets all of a fixed text; one without leaves what lies behind the old NUL, as
// far as there is room. Errors: kInvalidValue (not a value of that type, or out of its range), kNameTooLong,
// kNameContainsNul; the diagnostic's field is the field's name and its offset 0, for the caller to rebase.
[[nodiscard]] Result<Buffer> encode_field_text(const FieldInfo& info, std::string_view text, Bytes old_raw);

// The same in place, for a field of fixed size. Errors: kInvalidValue (not a value of that type, or out of its range),
// kNameTooLong, kNameContainsNul; the diagnostic's field is the field's name and its offset 0, for the caller to
// rebase. `raw` is written only on success. Requires: raw.size() == info.size_bytes.
[[nodiscard]] Result<void> parse_field_text(const FieldInfo& info, std::string_view text, MutableBytes raw);

// A type tag or selector: four printable characters as they are, anything else as a decimal number.
[[nodiscard]] std::string tag_text(std::uint32_t tag);
// The inverse: a number, or exactly four characters (in single quotes when they would read as a number).
[[nodiscard]] std::optional<std::uint32_t> parse_tag(std::string_view text);

}  // namespace assay
