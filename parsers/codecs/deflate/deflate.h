#pragma once

#include <cstdint>
#include <memory>

#include "parsers/base/bytes.h"
#include "parsers/base/result.h"
#include "parsers/codecs/codec.h"

// Raw Deflate (RFC 1951) of RsLi method 0x100 (docs/formats/codecs.md, B10): no zlib header, no checksum.
namespace assay::deflate {

struct Options {
  // Lets zlib inflate again what libdeflate accepted and compare, without a second output. Decoding then
  // takes three to five times as long.
  bool confirm = true;
  // Accepts a stream that gave every declared byte but ends before its final block does. For the named rule
  // `deflate_eof_plus_one` only; whether the rule applies is for the caller to say.
  bool allow_missing_end = false;
};

// What the decoder reports on success.
struct DeflateDecoded {
  // The packed bytes up to the end of the final block, the last one perhaps used in part; all of `packed` where the end
  // is missing.
  std::size_t used_bytes = 0;
  // libdeflate accepts the stream, zlib refuses it or does not come to the same bytes: the stream breaks RFC 1951 in a
  // way that libdeflate does not look for. Never set without Options::confirm.
  bool zlib_refused = false;
  // libdeflate refuses the stream and zlib decoded it; so with every stream that lacks its end.
  bool served_by_zlib = false;
  // All declared bytes are there and the final block does not end. Never set without Options::allow_missing_end.
  bool missing_end = false;
};

// The decoders of libdeflate and zlib with the memory that they need. Stays where it was made; by one thread at a time.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  struct State;
  [[nodiscard]] State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// Decodes one raw Deflate payload, also with an empty `output`, up to the end of its final block.
//
// libdeflate decodes. With Options::confirm zlib has to agree on bytes and length; if it does not, the result says
// so and is still a success. Where libdeflate refuses, zlib decides between success and the kind of the error:
// kTruncatedStream (the input ends before the final block does), kOutputSizeMismatch (the final block ends before
// `output` is full, or there is more), kInvalidStream (the coding is broken; a stream with a zlib header comes out
// as this). local_offset is how far zlib had read when it noticed, which may be a few bytes past the bad code. Only
// lack of memory when the scratch was made gives kInternal. Never reads past `packed`, never writes past `output`;
// after an error the contents of `output` are unspecified. Cost: O(packed + output), no allocation.
//
// Known disagreements, each in the test: libdeflate 1.14 accepts, and zlib refuses, a block that declares more than 286
// literal/length or 30 distance codes, symbols 286 and 287, distance symbols 30 and 31, and the unused half of a code
// that has no or only one symbol.
[[nodiscard]] Result<DeflateDecoded> decode(Bytes packed, MutableBytes output, const Options& options,
                                            Scratch& scratch);

// No stream of `packed_bytes` bytes decodes to more bytes than this: 1032 a byte.
//
// Proof: a match is at most 258 bytes and has at least one bit of length code and one of distance code: 129 bytes a
// bit. A literal is at most 1 byte a bit, a stored block less, and headers give nothing.
[[nodiscard]] constexpr std::uint64_t max_decoded_bytes(std::uint64_t packed_bytes) {
  return saturating_product(packed_bytes, 8 * 258 / 2);
}

// The compressor of libdeflate, made for the first level that is asked for and again when the level changes. By one
// thread at a time.
class EncodeScratch {
 public:
  EncodeScratch();
  ~EncodeScratch();
  EncodeScratch(const EncodeScratch&) = delete;
  EncodeScratch& operator=(const EncodeScratch&) = delete;

  struct State;
  [[nodiscard]] State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// Appends a stream to `out` that decodes to `plain`, empty data included. Levels 1 to 12 are those of libdeflate; level
// 0 writes stored blocks, and so does every level if libdeflate has no memory. Cost: that of libdeflate's level.
void encode(Bytes plain, Level level, EncodeScratch& scratch, Buffer& out);

}  // namespace assay::deflate
