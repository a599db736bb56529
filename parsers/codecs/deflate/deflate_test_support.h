#pragma once

#include <gtest/gtest.h>

#include "parsers/codecs/codec_test_support.h"
#include "parsers/codecs/deflate/deflate.h"

// Decoding as the tests of this folder do it.
namespace assay::deflate {

struct Outcome {
  Result<DeflateDecoded> result;
  Buffer output;
};

// Decodes into memory full of `prefill`. The input is copied to memory of its own size, so that a memory checker sees
// a byte read past it.
inline Outcome decoded(Bytes packed, std::size_t size, const Options& options = {}, std::uint8_t prefill = 0xAA) {
  static Scratch scratch;
  Outcome outcome{.result = DeflateDecoded{}, .output = Buffer(size, prefill)};
  const Buffer exact(packed.begin(), packed.end());
  outcome.result = decode(exact, outcome.output, options, scratch);
  return outcome;
}

// Both libraries agree on the bytes.
inline void expect_clean(const Outcome& outcome, const Buffer& plain, std::size_t used_bytes) {
  ASSERT_TRUE(outcome.result.has_value()) << code_text(outcome.result.error().code);
  EXPECT_EQ(outcome.output, plain);
  EXPECT_EQ(outcome.result->used_bytes, used_bytes);
  EXPECT_FALSE(outcome.result->zlib_refused);
  EXPECT_FALSE(outcome.result->served_by_zlib);
  EXPECT_FALSE(outcome.result->missing_end);
}

}  // namespace assay::deflate
