#pragma once

#include <cstddef>
#include <optional>

#include "parsers/base/bytes.h"

namespace assay::peers {

// What liblhasa makes of an LZHUF stream (RsLi method 0x080, after any transform): it is the `-lh1-` method of LHA
// archives (docs/formats/codecs.md, B9).
//
// Gives `size` bytes, or nothing if the stream gives fewer. Cost: O(packed + size), allocates the result and what
// liblhasa needs. Thread-safe.
[[nodiscard]] std::optional<Buffer> lhasa_lzhuf(Bytes packed, std::size_t size);

}  // namespace assay::peers
