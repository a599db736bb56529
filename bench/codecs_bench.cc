#include <benchmark/benchmark.h>
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <zlib.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include "oracles/peers/lhasa_peer.h"
#include "oracles/peers/mspack_peer.h"
#include "parsers/codecs/deflate/deflate.h"
#include "parsers/codecs/lzhuf/lzhuf.h"
#include "parsers/codecs/lzss/lzss.h"
#include "parsers/codecs/xor_stream/xor_stream.h"
#include "synth/content.h"

// Decoders beside their peers. Every answer is checked before it is timed; figures are bytes of output.
namespace assay {
namespace {

// Fills `output` from `packed`, or says that it cannot.
using Decoder = std::function<bool(Bytes packed, MutableBytes output)>;

struct Sample {
  Buffer plain;
  Buffer packed;
};

using Encoder = void (*)(Bytes plain, Buffer& packed);

void encode_lzss(Bytes plain, Buffer& packed) {
  const auto scratch = std::make_unique<lzss::EncodeScratch>();
  lzss::encode(plain, kDefaultLevel, *scratch, packed);
}

void encode_lzhuf(Bytes plain, Buffer& packed) {
  const auto scratch = std::make_unique<lzhuf::EncodeScratch>();
  lzhuf::encode(plain, kDefaultLevel, *scratch, packed);
}

void encode_deflate(Bytes plain, Buffer& packed) {
  deflate::EncodeScratch scratch;
  deflate::encode(plain, kDefaultLevel, scratch, packed);
}

void copy_plain(Bytes plain, Buffer& packed) {
  packed.assign(plain.begin(), plain.end());
}

void run(benchmark::State& state, synth::ContentKind kind, std::size_t size_bytes, Encoder encode,
         const Decoder& decode) {
  synth::Prng prng(1);
  const Buffer plain = synth::make_content(kind, size_bytes, prng);
  Buffer packed;
  encode(plain, packed);
  Buffer output(plain.size());
  if (!decode(packed, output) || output != plain) {
    state.SkipWithError("the answer is wrong");
    return;
  }
  for (auto iteration : state) {
    static_cast<void>(iteration);
    benchmark::DoNotOptimize(decode(packed, output));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(plain.size()));
  state.counters["packed_bytes"] = static_cast<double>(packed.size());
}

bool take(const std::optional<Buffer>& decoded, MutableBytes output) {
  if (!decoded || decoded->size() != output.size()) {
    return false;
  }
  std::memcpy(output.data(), decoded->data(), output.size());
  return true;
}

bool zlib_decode(Bytes packed, MutableBytes output) {
  z_stream stream{};
  if (inflateInit2(&stream, -15) != Z_OK) {
    return false;
  }
  stream.next_in =
      const_cast<Bytef*>(packed.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast): zlib only reads.
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = output.data();
  stream.avail_out = static_cast<uInt>(output.size());
  const int result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return result == Z_STREAM_END;
}

bool isal_decode(Bytes packed, MutableBytes output) {
  inflate_state stream;  // NOLINT(cppcoreguidelines-pro-type-member-init): isal_inflate_init() does.
  isal_inflate_init(&stream);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): ISA-L only reads.
  stream.next_in = const_cast<std::uint8_t*>(packed.data());
  stream.avail_in = static_cast<std::uint32_t>(packed.size());
  stream.next_out = output.data();
  stream.avail_out = static_cast<std::uint32_t>(output.size());
  return isal_inflate_stateless(&stream) == ISAL_DECOMP_OK;
}

struct Contender {
  const char* name;
  Encoder encode;
  Decoder decode;
};

std::vector<Contender> contenders() {
  const auto lzss_scratch = std::make_shared<lzss::Scratch>();
  const auto lzhuf_scratch = std::make_shared<lzhuf::Scratch>();
  const auto deflate_scratch = std::make_shared<deflate::Scratch>();
  const std::shared_ptr<libdeflate_decompressor> libdeflate(libdeflate_alloc_decompressor(),
                                                            libdeflate_free_decompressor);
  const auto ours_deflate = [=](bool confirm) {
    return [=](Bytes in, MutableBytes out) {
      return deflate::decode(in, out, {.confirm = confirm}, *deflate_scratch).has_value();
    };
  };
  return {
      {"Memcpy", copy_plain,
       [](Bytes in, MutableBytes out) { return std::memcpy(out.data(), in.data(), out.size()) != nullptr; }},
      {"XorStream",
       [](Bytes plain, Buffer& packed) {
         packed.resize(plain.size());
         xor_stream::apply(0x1234, plain, packed);
       },
       [](Bytes in, MutableBytes out) {
         xor_stream::apply(0x1234, in, out);
         return true;
       }},
      {"LzssDecode", encode_lzss,
       [=](Bytes in, MutableBytes out) { return lzss::decode(in, out, *lzss_scratch).has_value(); }},
      {"LzssMspack", encode_lzss,
       [](Bytes in, MutableBytes out) { return take(peers::mspack_lzss(in, out.size()), out); }},
      {"LzhufDecode", encode_lzhuf,
       [=](Bytes in, MutableBytes out) { return lzhuf::decode(in, out, *lzhuf_scratch).has_value(); }},
      {"LzhufLhasa", encode_lzhuf,
       [](Bytes in, MutableBytes out) { return take(peers::lhasa_lzhuf(in, out.size()), out); }},
      {"DeflateDecode", encode_deflate, ours_deflate(false)},
      {"DeflateConfirmed", encode_deflate, ours_deflate(true)},
      {"DeflateLibdeflate", encode_deflate,
       [=](Bytes in, MutableBytes out) {
         return libdeflate_deflate_decompress(libdeflate.get(), in.data(), in.size(), out.data(), out.size(),
                                              nullptr) == LIBDEFLATE_SUCCESS;
       }},
      {"DeflateZlib", encode_deflate, zlib_decode},
      {"DeflateIsal", encode_deflate, isal_decode},
  };
}

[[maybe_unused]] const bool kRegistered = [] {
  struct Corpus {
    const char* name;
    synth::ContentKind kind;
  };
  constexpr Corpus kCorpora[] = {{"text", synth::ContentKind::kText},
                                 {"texture", synth::ContentKind::kTexture},
                                 {"mesh", synth::ContentKind::kMesh},
                                 {"noise", synth::ContentKind::kNoise},
                                 {"zeros", synth::ContentKind::kZeros}};
  constexpr std::size_t kSizes[] = {std::size_t{1} << 10, std::size_t{16} << 10, std::size_t{128} << 10};
  for (const Contender& contender : contenders()) {
    for (const Corpus& corpus : kCorpora) {
      for (const std::size_t size_bytes : kSizes) {
        const std::string name =
            std::string("BM_") + contender.name + '/' + corpus.name + '/' + std::to_string(size_bytes);
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
          run(state, corpus.kind, size_bytes, contender.encode, contender.decode);
        });
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace assay
