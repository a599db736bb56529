#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "parsers/formats/format.h"

// The list of formats and the order in which they claim an item (docs/formats/README.md, detection).
namespace assay {

// Every format, in the order of parsers/formats.def.
[[nodiscard]] std::span<const Format* const> all_formats();
[[nodiscard]] const Format* find_format(std::string_view id);
// The record table called "FORMAT.RECORD", or null.
[[nodiscard]] const RecordInfo* find_record(std::string_view qualified_name);

enum class ClaimedBy : std::uint8_t { kNothing, kMagic, kTypeTag, kName, kProbe };

[[nodiscard]] std::string_view claimed_by_text(ClaimedBy claim);

struct Identification {
  // Null: no format claims the item.
  const Format* format = nullptr;
  ClaimedBy claim = ClaimedBy::kNothing;
  // A format that tag or name claims and that the content contradicts, or null.
  const Format* contradicted = nullptr;
};

// Decides which format an item is: magic, type tag, name pattern, structural probe; the first that answers wins, a
// longer name pattern before a shorter one. Where the magic is that of a format that others refine, those are asked in
// the same order, by tag, name and probe. Cost: O(formats), looks at a few bytes.
[[nodiscard]] Identification identify(Bytes content, const ItemHints& hints);

}  // namespace assay
