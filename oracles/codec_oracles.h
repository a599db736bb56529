#pragma once

#include "oracles/failure.h"
#include "parsers/base/bytes.h"

namespace assay::oracles {

// Oracle 3: every codec at every level decodes what it encoded, into memory of zeros and of ones alike, needs all the
// bytes it wrote, refuses the stream without its last byte, and keeps to its bound of growth; the transform is its own
// inverse. Cost: about 40 times encoding.
[[nodiscard]] Failures codec_round_trip(Bytes plain);

// Oracle 3 for bytes that nobody encoded: each decoder refuses `packed` soundly, or decodes it to the same bytes into
// memory of zeros and of ones, within its bound of growth. `size_bytes` is the output that is asked for.
[[nodiscard]] Failures decoding_is_pure(Bytes packed, std::size_t size_bytes);

}  // namespace assay::oracles
