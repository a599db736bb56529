#pragma once

#include <cstdint>

#include "oracles/failure.h"
#include "parsers/base/bytes.h"
#include "parsers/codecs/codec.h"

namespace assay::oracles {

enum class CodecId : std::uint8_t { kLzss, kLzhuf, kDeflate };

// Oracle 3: every codec at every level decodes what it encoded, into memory of zeros and of ones alike, needs all the
// bytes it wrote, refuses the stream without its last byte, and keeps to its bound of growth; the transform is its own
// inverse. Cost: about 40 times encoding.
[[nodiscard]] Failures codec_round_trip(Bytes plain);
// The parts of it: one codec at one level; the transform with one key, in one piece and in two.
[[nodiscard]] Failures codec_round_trip(CodecId codec, Level level, Bytes plain);
[[nodiscard]] Failures transform_round_trip(Bytes plain, std::uint16_t key);

// Oracle 3 for bytes that nobody encoded: the decoder refuses `packed` soundly, at a place inside it, or decodes it to
// the same bytes into memory of zeros and of ones, within its bound of growth, and writes nothing behind the output.
// `size_bytes` is the output that is asked for.
[[nodiscard]] Failures decoding_is_pure(CodecId codec, Bytes packed, std::size_t size_bytes);

}  // namespace assay::oracles
