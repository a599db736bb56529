#include "bench/contenders.h"

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <zlib.h>

#include <cstring>
#include <memory>
#include <optional>

#include "oracles/peers/lhasa_peer.h"
#include "oracles/peers/mspack_peer.h"
#include "parsers/codecs/deflate/deflate.h"
#include "parsers/codecs/lzhuf/lzhuf.h"
#include "parsers/codecs/lzhuf/textbook.h"
#include "parsers/codecs/lzss/lzss.h"
#include "parsers/codecs/lzss/textbook.h"
#include "parsers/codecs/xor_stream/xor_stream.h"

namespace assay::bench {
namespace {

constexpr int kRawWindowBits = -15;

bool take(const std::optional<Buffer>& decoded, MutableBytes output) {
  if (!decoded || decoded->size() != output.size()) {
    return false;
  }
  std::memcpy(output.data(), decoded->data(), output.size());
  return true;
}

Decoder memcpy_decoder() {
  return [](Bytes packed, MutableBytes output) {
    std::memcpy(output.data(), packed.data(), output.size());
    return true;
  };
}

Decoder xor_decoder() {
  return [](Bytes packed, MutableBytes output) {
    xor_stream::apply(kXorKey, packed, output);
    return true;
  };
}

Decoder lzss_decoder(lzss::Path path) {
  const auto scratch = std::make_shared<lzss::Scratch>();
  return
      [=](Bytes packed, MutableBytes output) { return lzss::decode_with(path, packed, output, *scratch).has_value(); };
}

Decoder best_lzss_decoder() {
  const auto scratch = std::make_shared<lzss::Scratch>();
  return [=](Bytes packed, MutableBytes output) { return lzss::decode(packed, output, *scratch).has_value(); };
}

// As a member of an archive is loaded: transformed into memory of its own, then decoded.
Decoder xor_lzss_decoder() {
  const auto scratch = std::make_shared<lzss::Scratch>();
  const auto transformed = std::make_shared<Buffer>();
  return [=](Bytes packed, MutableBytes output) {
    transformed->resize(packed.size());
    xor_stream::apply(kXorKey, packed, *transformed);
    return lzss::decode(*transformed, output, *scratch).has_value();
  };
}

Decoder lzhuf_decoder() {
  const auto scratch = std::make_shared<lzhuf::Scratch>();
  return [=](Bytes packed, MutableBytes output) { return lzhuf::decode(packed, output, *scratch).has_value(); };
}

Decoder lzhuf_textbook_decoder() {
  const auto scratch = std::make_shared<lzhuf::textbook::Scratch>();
  return
      [=](Bytes packed, MutableBytes output) { return lzhuf::textbook::decode(packed, output, *scratch).has_value(); };
}

Decoder deflate_decoder(bool confirm) {
  const auto scratch = std::make_shared<deflate::Scratch>();
  return [=](Bytes packed, MutableBytes output) {
    return deflate::decode(packed, output, {.confirm = confirm}, *scratch).has_value();
  };
}

Decoder libdeflate_decoder() {
  const std::shared_ptr<libdeflate_decompressor> decompressor(libdeflate_alloc_decompressor(),
                                                              libdeflate_free_decompressor);
  return [=](Bytes packed, MutableBytes output) {
    return libdeflate_deflate_decompress(decompressor.get(), packed.data(), packed.size(), output.data(), output.size(),
                                         nullptr) == LIBDEFLATE_SUCCESS;
  };
}

Decoder zlib_decoder() {
  const std::shared_ptr<z_stream> state(new z_stream{}, [](z_stream* stream) {
    inflateEnd(stream);
    delete stream;
  });
  const bool is_ready = inflateInit2(state.get(), kRawWindowBits) == Z_OK;
  return [=](Bytes packed, MutableBytes output) {
    if (!is_ready || inflateReset(state.get()) != Z_OK) {
      return false;
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): zlib only reads.
    state->next_in = const_cast<Bytef*>(packed.data());
    state->avail_in = static_cast<uInt>(packed.size());
    state->next_out = output.data();
    state->avail_out = static_cast<uInt>(output.size());
    return inflate(state.get(), Z_FINISH) == Z_STREAM_END;
  };
}

Decoder isal_decoder() {
  const auto state = std::make_shared<inflate_state>();
  return [=](Bytes packed, MutableBytes output) {
    isal_inflate_init(state.get());
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): ISA-L only reads.
    state->next_in = const_cast<std::uint8_t*>(packed.data());
    state->avail_in = static_cast<std::uint32_t>(packed.size());
    state->next_out = output.data();
    state->avail_out = static_cast<std::uint32_t>(output.size());
    return isal_inflate_stateless(state.get()) == ISAL_DECOMP_OK;
  };
}

}  // namespace

std::vector<Contender> make_contenders() {
  std::vector<Contender> contenders = {
      {"MemoryCopy", Codec::kStored, memcpy_decoder()},
      {"XorStreamApply", Codec::kXor, xor_decoder()},
      {"LzssDecode", Codec::kLzss, best_lzss_decoder()},
      {"LzssScalarDecode", Codec::kLzss, lzss_decoder(lzss::Path::kScalar)},
      {"LzssTextbookDecode", Codec::kLzss,
       [](Bytes packed, MutableBytes output) { return lzss::textbook::decode(packed, output).has_value(); }},
      {"LzssMspackDecode", Codec::kLzss,
       [](Bytes packed, MutableBytes output) { return take(peers::mspack_lzss(packed, output.size()), output); }},
      {"XorLzssDecode", Codec::kXorLzss, xor_lzss_decoder()},
      {"LzhufDecode", Codec::kLzhuf, lzhuf_decoder()},
      {"LzhufTextbookDecode", Codec::kLzhuf, lzhuf_textbook_decoder()},
      {"LzhufLhasaDecode", Codec::kLzhuf,
       [](Bytes packed, MutableBytes output) { return take(peers::lhasa_lzhuf(packed, output.size()), output); }},
      {"DeflateDecode", Codec::kDeflate, deflate_decoder(false)},
      {"DeflateConfirmedDecode", Codec::kDeflate, deflate_decoder(true)},
      {"DeflateLibdeflateDecode", Codec::kDeflate, libdeflate_decoder()},
      {"DeflateZlibDecode", Codec::kDeflate, zlib_decoder()},
      {"DeflateIsalDecode", Codec::kDeflate, isal_decoder()},
  };
  return contenders;
}

}  // namespace assay::bench
