#pragma once

#include "parsers/base/bytes.h"
#include "parsers/base/result.h"
#include "parsers/codecs/codec.h"

// The decoder that follows docs/formats/codecs.md, B8, step by step: the reference for lzss::decode(), and what its
// speed is measured against. Tests, fuzz targets and benchmarks link it, the command does not.
namespace assay::lzss::textbook {

// The same contract as lzss::decode(): equal output, used bytes and errors on every input. Cost: O(packed + output) and
// a ring of 4096 bytes on the stack.
[[nodiscard]] Result<Decoded> decode(Bytes packed, MutableBytes output);

}  // namespace assay::lzss::textbook
