#pragma once

#include "parsers/codecs/lzhuf/lzhuf.h"

// The decoder behind lzhuf::decode(), with a choice of the ways in which it can work, for tests and benchmarks.
namespace assay::lzhuf {

// As decode(), which leaves the choice to the tree. Result, output and errors do not depend on `design`.
[[nodiscard]] Result<Decoded> decode_with(TreeDesign design, Bytes packed, MutableBytes output, Scratch& scratch);

}  // namespace assay::lzhuf
