#pragma once

#include "parsers/base/bytes.h"

// ASCII case folding. Bytes >= 0x80 stay as they are: no locale, no Unicode (docs/formats/nres.md, names).
namespace assay {

[[nodiscard]] constexpr std::uint8_t ascii_lower(std::uint8_t byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<std::uint8_t>(byte + ('a' - 'A')) : byte;
}

[[nodiscard]] constexpr std::uint8_t ascii_upper(std::uint8_t byte) {
  return byte >= 'a' && byte <= 'z' ? static_cast<std::uint8_t>(byte - ('a' - 'A')) : byte;
}

// Three-way compare as unsigned bytes after lower-case folding; a proper prefix sorts first.
[[nodiscard]] int compare_folded(Bytes left, Bytes right);
// Three-way compare as unsigned bytes, no folding; a proper prefix sorts first.
[[nodiscard]] int compare_bytes(Bytes left, Bytes right);

[[nodiscard]] bool equal_folded(Bytes left, Bytes right);

// Space, tab, and the bytes that end lines and pages.
[[nodiscard]] constexpr bool is_blank(std::uint8_t byte) {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}
// `bytes` without the blanks at both ends.
[[nodiscard]] Bytes trim_blanks(Bytes bytes);

// The bytes before the first NUL, or all of them.
[[nodiscard]] Bytes until_nul(Bytes bytes);

}  // namespace assay
