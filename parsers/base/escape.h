#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parsers/base/bytes.h"

// Names in these formats are raw bytes. This is how they are shown and typed without losing any.
namespace assay {

// Printable ASCII stays, a backslash becomes `\\`, every other byte becomes `\xNN`. The result is ASCII and
// unescape_bytes() gives the same bytes back. Cost: O(n).
[[nodiscard]] std::string escape_bytes(Bytes bytes);

// The inverse. Nothing when a backslash is not followed by `\` or `xNN`. Other characters, UTF-8 included,
// stand for their own bytes.
[[nodiscard]] std::optional<Buffer> unescape_bytes(std::string_view text);

// Lower-case hex, two digits a byte, and its inverse (either case; nothing when it is not hex).
[[nodiscard]] std::string to_hex(Bytes bytes);
[[nodiscard]] std::optional<Buffer> from_hex(std::string_view text);

}  // namespace assay
