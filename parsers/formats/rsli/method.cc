#include "parsers/formats/rsli/method.h"

#include <array>
#include <utility>

#include "parsers/codecs/xor_stream/xor_stream.h"

namespace assay::rsli {
namespace {

constexpr std::array<std::pair<Method, std::string_view>, 7> kMethods{{
    {Method::kStored, "stored"},
    {Method::kXor, "xor"},
    {Method::kLzss, "lzss"},
    {Method::kXorLzss, "xor+lzss"},
    {Method::kLzhuf, "lzhuf"},
    {Method::kXorLzhuf, "xor+lzhuf"},
    {Method::kDeflate, "deflate"},
}};

// The method without the transform.
Method base_method(Method method) {
  return static_cast<Method>(static_cast<std::uint16_t>(method) & ~std::uint16_t{kXorBit});
}

Result<DecodedPayload> decode_base(Method method, Bytes packed, std::size_t size, const deflate::Options& options,
                                   DecodeScratch& scratch) {
  if (method == Method::kStored) {
    return DecodedPayload{.bytes = packed.first(size), .used_bytes = size};
  }
  const MutableBytes output = scratch.output.get(size);
  if (method == Method::kDeflate) {
    ASSAY_TRY_ASSIGN(const deflate::DeflateDecoded decoded, deflate::decode(packed, output, options, scratch.deflate));
    return DecodedPayload{output, decoded.used_bytes, decoded.zlib_refused, decoded.missing_end};
  }
  ASSAY_TRY_ASSIGN(const Decoded decoded, method == Method::kLzss ? lzss::decode(packed, output, scratch.lzss)
                                                                  : lzhuf::decode(packed, output, scratch.lzhuf));
  return DecodedPayload{.bytes = output, .used_bytes = decoded.used_bytes};
}

}  // namespace

std::optional<Method> method_of(std::uint16_t flags) {
  for (const auto& [method, text] : kMethods) {
    if (static_cast<std::uint16_t>(method) == (flags & kMethodMask)) {
      return method;
    }
  }
  return std::nullopt;
}

std::string_view method_text(Method method) {
  for (const auto& [known, text] : kMethods) {
    if (known == method) {
      return text;
    }
  }
  return "unknown";
}

std::optional<Method> find_method(std::string_view text) {
  for (const auto& [method, known] : kMethods) {
    if (known == text) {
      return method;
    }
  }
  return std::nullopt;
}

std::uint64_t max_decoded_bytes(Method method, std::uint64_t packed_bytes) {
  switch (base_method(method)) {
    case Method::kLzss: return lzss::max_decoded_bytes(packed_bytes);
    case Method::kLzhuf: return lzhuf::max_decoded_bytes(packed_bytes);
    case Method::kDeflate: return deflate::max_decoded_bytes(packed_bytes);
    default: return packed_bytes;
  }
}

Result<DecodedPayload> decode_payload(Method method, std::uint16_t key, Bytes packed, std::size_t size,
                                      const deflate::Options& options, DecodeScratch& scratch) {
  if (!uses_key(method)) {
    return decode_base(method, packed, size, options, scratch);
  }
  const MutableBytes plain = scratch.transformed.get(packed.size());
  xor_stream::apply(key, packed, plain);
  return decode_base(base_method(method), plain, size, options, scratch);
}

Buffer pack(Method method, Bytes plain, Level level) {
  Buffer packed;
  switch (base_method(method)) {
    case Method::kLzss: {
      const auto scratch = std::make_unique<lzss::EncodeScratch>();
      lzss::encode(plain, level, *scratch, packed);
      break;
    }
    case Method::kLzhuf: {
      const auto scratch = std::make_unique<lzhuf::EncodeScratch>();
      lzhuf::encode(plain, level, *scratch, packed);
      break;
    }
    case Method::kDeflate: {
      deflate::EncodeScratch scratch;
      deflate::encode(plain, level, scratch, packed);
      break;
    }
    default: packed.assign(plain.begin(), plain.end()); break;
  }
  return packed;
}

}  // namespace assay::rsli
