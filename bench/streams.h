#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "bench/corpora.h"
#include "parsers/base/bytes.h"

// What decoders are given: the same data packed by each codec, in pieces of one size.
namespace assay::bench {

enum class Codec : std::uint8_t { kStored, kXor, kLzss, kXorLzss, kLzhuf, kDeflate };

inline constexpr std::uint16_t kXorKey = 0x9A3C;

struct Stream {
  Buffer plain;
  Buffer packed;
};
using Streams = std::vector<Stream>;

// Many different streams of `size_bytes` bytes each, so that no decoder meets a stream again before its branches are
// forgotten; one stream for 8 MiB. At the default level.
[[nodiscard]] Streams make_streams(Codec codec, Corpus corpus, std::size_t size_bytes);

// Streams that a hostile author would choose, because they cost the most for each byte of input and output; only what
// decodes at all. Empty where a codec has none.
[[nodiscard]] Streams make_slow_streams(Codec codec, std::size_t size_bytes);

// The streams of either kind, made at the first call and kept for the next.
class StreamCache {
 public:
  static constexpr std::string_view kSlow = "slow";

  [[nodiscard]] const Streams& get(Codec codec, std::string_view corpus, std::size_t size_bytes);

 private:
  struct Entry {
    Codec codec;
    std::string_view corpus;
    std::size_t size_bytes;
    std::unique_ptr<Streams> streams;
  };
  std::vector<Entry> entries_;
};

}  // namespace assay::bench
