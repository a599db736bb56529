#pragma once

#include <string>
#include <string_view>

// Text of others as it may stand in JSON and on a terminal.
namespace assay::golden {

// A path or a name: valid UTF-8 without control characters stays, a backslash is doubled, every other byte becomes
// `\\xNN`. No two texts look the same.
[[nodiscard]] std::string display_path(std::string_view raw);

// A whole message, of which parts may be display_path() already: as above, but backslashes and line ends stay.
[[nodiscard]] std::string display_message(std::string_view text);

}  // namespace assay::golden
