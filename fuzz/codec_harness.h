#pragma once

#include <cstddef>
#include <cstdint>

#include "oracles/codec_oracles.h"

// The targets of the codecs.
namespace assay::fuzz {

// Hostile bytes into a decoder: the same result twice whatever the memory held, nothing written past the output, errors
// inside the input. The first four bytes say which size is declared: below 8 KiB, or with the highest bit below 128
// KiB, so that a Huffman tree can be rebuilt.
int run_decode(oracles::CodecId codec, const std::uint8_t* data, std::size_t size);

// The same bytes into the decoder, on every path and design it has, and into independent ones, which have to agree: the
// plain decoder that follows the specification step by step (errors included), libmspack, liblhasa; for Deflate zlib
// and a plain decoder, with the deviations of DeflateDeviation as the named list of what the two libraries may differ
// in.
int run_peer(oracles::CodecId codec, const std::uint8_t* data, std::size_t size);

// Plain bytes through an encoder and back, at a level that follows from the hash.
int run_encode(oracles::CodecId codec, const std::uint8_t* data, std::size_t size);

// Plain bytes through the transform and back; the key is in the first two bytes.
int run_transform(const std::uint8_t* data, std::size_t size);

}  // namespace assay::fuzz
