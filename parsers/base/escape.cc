#include "parsers/base/escape.h"

namespace assay {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

std::optional<std::uint8_t> hex_digit(char character) {
  if (character >= '0' && character <= '9') {
    return static_cast<std::uint8_t>(character - '0');
  }
  if (character >= 'a' && character <= 'f') {
    return static_cast<std::uint8_t>(character - 'a' + 10);
  }
  if (character >= 'A' && character <= 'F') {
    return static_cast<std::uint8_t>(character - 'A' + 10);
  }
  return std::nullopt;
}

std::optional<std::uint8_t> hex_pair(std::string_view text) {
  if (text.size() < 2) {
    return std::nullopt;
  }
  const auto high = hex_digit(text[0]);
  const auto low = hex_digit(text[1]);
  if (!high || !low) {
    return std::nullopt;
  }
  return static_cast<std::uint8_t>(*high << 4 | *low);
}

void append_hex(std::string& text, std::uint8_t byte) {
  text += kHexDigits[byte >> 4];
  text += kHexDigits[byte & 0x0F];
}

}  // namespace

std::string escape_bytes(Bytes bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const std::uint8_t byte : bytes) {
    if (byte == '\\') {
      text += "\\\\";
    } else if (byte >= 0x20 && byte <= 0x7E) {
      text += static_cast<char>(byte);
    } else {
      text += "\\x";
      append_hex(text, byte);
    }
  }
  return text;
}

std::optional<Buffer> unescape_bytes(std::string_view text) {
  Buffer bytes;
  bytes.reserve(text.size());
  while (!text.empty()) {
    if (text.front() != '\\') {
      bytes.push_back(static_cast<std::uint8_t>(text.front()));
      text.remove_prefix(1);
    } else if (text.starts_with("\\\\")) {
      bytes.push_back('\\');
      text.remove_prefix(2);
    } else if (text.starts_with("\\x")) {
      const auto byte = hex_pair(text.substr(2));
      if (!byte) {
        return std::nullopt;
      }
      bytes.push_back(*byte);
      text.remove_prefix(4);
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

std::string to_hex(Bytes bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    append_hex(text, byte);
  }
  return text;
}

std::optional<Buffer> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) {
    return std::nullopt;
  }
  Buffer bytes;
  bytes.reserve(text.size() / 2);
  for (; !text.empty(); text.remove_prefix(2)) {
    const auto byte = hex_pair(text);
    if (!byte) {
      return std::nullopt;
    }
    bytes.push_back(*byte);
  }
  return bytes;
}

}  // namespace assay
