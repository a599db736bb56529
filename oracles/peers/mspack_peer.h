#pragma once

#include <cstddef>
#include <optional>

#include "parsers/base/bytes.h"

namespace assay::peers {

// What libmspack makes of an LZSS stream (RsLi method 0x040, after any transform): its `SZ ` variant of SZDD has the
// same tokens, ring start and preset (docs/formats/codecs.md, B8).
//
// Gives the first `size` bytes, or nothing if the stream gives fewer. libmspack itself decodes to the end of its input,
// so it neither sees a declared size nor an unfinished token. Cost: O(packed + size), allocates the result and what
// libmspack needs. Thread-safe.
[[nodiscard]] std::optional<Buffer> mspack_lzss(Bytes packed, std::size_t size);

}  // namespace assay::peers
