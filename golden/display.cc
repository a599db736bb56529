#include "golden/display.h"

#include <algorithm>
#include <cstdint>

#include "parsers/base/escape.h"

namespace assay::golden {
namespace {

// The length of the UTF-8 sequence of a printable character at the front of `text`, or 0.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t index) { return static_cast<std::uint8_t>(text[index]); };
  const auto continues = [&](std::size_t index) { return index < text.size() && (byte(index) & 0xC0U) == 0x80U; };
  if (byte(0) < 0x80) {
    return byte(0) >= 0x20 && byte(0) != 0x7F ? 1 : 0;
  }
  if (byte(0) >= 0xC2 && byte(0) <= 0xDF && continues(1)) {
    // U+0080 to U+009F are control characters.
    return byte(0) == 0xC2 && byte(1) < 0xA0 ? 0 : 2;
  }
  if ((byte(0) & 0xF0U) == 0xE0U && continues(1) && continues(2)) {
    const bool is_overlong = byte(0) == 0xE0 && byte(1) < 0xA0;
    const bool is_surrogate = byte(0) == 0xED && byte(1) >= 0xA0;
    return is_overlong || is_surrogate ? 0 : 3;
  }
  if (byte(0) >= 0xF0 && byte(0) <= 0xF4 && continues(1) && continues(2) && continues(3)) {
    const bool is_overlong = byte(0) == 0xF0 && byte(1) < 0x90;
    const bool is_past_unicode = byte(0) == 0xF4 && byte(1) >= 0x90;
    return is_overlong || is_past_unicode ? 0 : 4;
  }
  return 0;
}

// What is neither printable nor one of `kept` as \\xNN, and what is one of `doubled` twice.
std::string shown(std::string_view raw, std::string_view kept, std::string_view doubled) {
  std::string text;
  while (!raw.empty()) {
    const bool is_escaped = doubled.find(raw.front()) != std::string_view::npos;
    const bool is_kept = kept.find(raw.front()) != std::string_view::npos;
    const std::size_t length = is_escaped ? 0 : is_kept ? 1 : utf8_length(raw);
    text += length != 0 ? std::string(raw.substr(0, length)) : escape_bytes(as_bytes(raw.substr(0, 1)));
    raw.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

}  // namespace

std::string display_path(std::string_view raw) {
  return shown(raw, "", "\\");
}

std::string display_message(std::string_view text) {
  return shown(text, "\n", "");
}

}  // namespace assay::golden
