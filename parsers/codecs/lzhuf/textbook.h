#pragma once

#include "parsers/base/bytes.h"
#include "parsers/base/result.h"
#include "parsers/codecs/codec.h"
#include "parsers/codecs/lzhuf/adaptive_tree.h"
#include "parsers/codecs/ring_output.h"

// The plain LZHUF decoder: it follows docs/formats/codecs.md, B9, step by step, with a ring and one bit at a time.
//
// It is the reference of the fast decoder, in tests and in benchmarks; nothing else uses it.
namespace assay::lzhuf::textbook {

// Memory of the decoder. May be reused for any stream, by one thread at a time.
struct Scratch {
  AdaptiveTree tree;
  Ring ring{};
};

// The contract is that of lzhuf::decode().
[[nodiscard]] Result<Decoded> decode(Bytes packed, MutableBytes output, Scratch& scratch);

}  // namespace assay::lzhuf::textbook
