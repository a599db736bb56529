#pragma once

#include <array>

#include "parsers/base/ascii.h"
#include "parsers/base/bytes.h"

namespace assay {

// A string field of a fixed width: text up to the first NUL, and a tail after it that is kept byte for byte.
template <std::size_t Width>
struct FixedString {
  static constexpr std::size_t kWidth = Width;
  std::array<std::uint8_t, Width> raw{};

  // The bytes before the first NUL; all bytes when there is none. Valid while this object lives.
  [[nodiscard]] Bytes text() const { return until_nul(raw); }
  // What follows the NUL. Empty when there is no NUL.
  [[nodiscard]] Bytes tail() const {
    const std::size_t text_bytes = text().size();
    return text_bytes == Width ? Bytes{} : Bytes(raw).subspan(text_bytes + 1);
  }
  [[nodiscard]] bool has_terminator() const { return text().size() < Width; }

  // A field that holds `text` and zeros behind it. Requires: text.size() <= Width.
  [[nodiscard]] static FixedString from_text(Bytes text) {
    FixedString field;
    if (!text.empty()) {
      std::memcpy(field.raw.data(), text.data(), text.size());
    }
    return field;
  }

  friend bool operator==(const FixedString&, const FixedString&) = default;
};

}  // namespace assay
