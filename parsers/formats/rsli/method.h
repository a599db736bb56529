#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "parsers/base/bytes.h"
#include "parsers/base/result.h"
#include "parsers/codecs/codec.h"
#include "parsers/formats/decode_scratch.h"

// The packing methods of RsLi entries (docs/formats/rsli.md, methods).
namespace assay::rsli {

// The bits of an entry's flags that select the method; the others are opaque.
inline constexpr std::uint16_t kMethodMask = 0x1E0;
inline constexpr std::uint16_t kXorBit = 0x020;

enum class Method : std::uint16_t {
  kStored = 0x000,
  kXor = 0x020,
  kLzss = 0x040,
  kXorLzss = 0x060,
  kLzhuf = 0x080,
  kXorLzhuf = 0x0A0,
  kDeflate = 0x100,
};

// The method that `flags` select, or nothing for the values that no loader knows.
[[nodiscard]] std::optional<Method> method_of(std::uint16_t flags);
// `stored xor lzss xor+lzss lzhuf xor+lzhuf deflate`, as in `ls --json`.
[[nodiscard]] std::string_view method_text(Method method);
[[nodiscard]] std::optional<Method> find_method(std::string_view text);

[[nodiscard]] inline bool uses_key(Method method) {
  return (static_cast<std::uint16_t>(method) & kXorBit) != 0;
}
[[nodiscard]] inline bool is_compressed(Method method) {
  return method != Method::kStored && method != Method::kXor;
}

// No payload of `packed_bytes` bytes decodes to more than this.
[[nodiscard]] std::uint64_t max_decoded_bytes(Method method, std::uint64_t packed_bytes);

// What decoding a payload showed.
struct DecodedPayload {
  Bytes bytes;
  std::size_t used_bytes = 0;
  // Deflate only; see deflate::DeflateDecoded.
  bool zlib_refused = false;
  bool missing_end = false;
};

// Decodes `packed` to `size` bytes: the transform with `key` where the method has it, then the codec. The result is a
// view of `packed` (stored) or of `scratch`. Errors: those of the codec, with local_offset in `packed`. Requires: size
// <= max_decoded_bytes(method, packed.size()). Cost: O(packed + size).
[[nodiscard]] Result<DecodedPayload> decode_payload(Method method, std::uint16_t key, Bytes packed, std::size_t size,
                                                    const deflate::Options& options, DecodeScratch& scratch);

// Packs `plain` without the key transform. Cost: that of the codec's level.
[[nodiscard]] Buffer pack(Method method, Bytes plain, Level level);

}  // namespace assay::rsli
