#pragma once

#include <cstdint>

#include "parsers/base/bytes.h"
#include "parsers/formats/rsli/method.h"

// Packers whose output never changes. A committed manifest holds hashes of packed files, while libdeflate packs
// differently from one version to the next and our own encoders may get better; these do neither. They are simple, not
// good.
namespace assay::synth {

// Which kinds of block a Deflate stream is made of.
enum class DeflateBlocks : std::uint8_t { kStored, kFixed, kDynamic, kMixed };

// Each appends a stream to `out` that decodes to `plain`. Matches are the latest earlier occurrence of three bytes.
// Cost: O(plain).
void append_lzss(Bytes plain, Buffer& out);
void append_lzhuf(Bytes plain, Buffer& out);
void append_deflate(Bytes plain, DeflateBlocks blocks, Buffer& out);

// Packs `plain` without the key transform.
[[nodiscard]] Buffer pack_stably(rsli::Method method, Bytes plain, DeflateBlocks blocks = DeflateBlocks::kMixed);

}  // namespace assay::synth
