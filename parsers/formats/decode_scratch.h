#pragma once

#include <cstdint>
#include <memory>

#include "parsers/base/bytes.h"
#include "parsers/codecs/deflate/deflate.h"
#include "parsers/codecs/lzhuf/lzhuf.h"
#include "parsers/codecs/lzss/lzss.h"

namespace assay {

// Memory that grows and is never cleared: decoders fill all they are given.
class RawBuffer {
 public:
  // `size_bytes` bytes with unspecified contents. Valid until the next call.
  [[nodiscard]] MutableBytes get(std::size_t size_bytes);

 private:
  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t capacity_bytes_ = 0;
};

// Everything that decoding a payload needs and can reuse. Holds no state from one payload to the next. One thread at a
// time; what was decoded last stays valid until the next payload is decoded.
class DecodeScratch {
 public:
  RawBuffer output;
  RawBuffer transformed;
  lzss::Scratch lzss;
  lzhuf::Scratch lzhuf;
  deflate::Scratch deflate;
};

}  // namespace assay
