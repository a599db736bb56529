#include "oracles/codec_oracles.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "oracles/support.h"
#include "parsers/codecs/xor_stream/xor_stream.h"
#include "parsers/formats/decode_scratch.h"

namespace assay::oracles {
namespace {

constexpr const char* kName = "codec_round_trip";

// The three codecs behind one face.
struct Codec {
  const char* name;
  void (*encode)(Bytes plain, Level level, Buffer& out);
  Result<std::size_t> (*decode)(Bytes packed, MutableBytes output, DecodeScratch& scratch);
  std::uint64_t (*max_decoded_bytes)(std::uint64_t packed_bytes);
};

template <typename Report>
Result<std::size_t> used_bytes_of(const Result<Report>& decoded) {
  if (!decoded) {
    return std::unexpected(decoded.error());
  }
  return decoded->used_bytes;
}

// Memory of the encoders, kept because making it costs more than encoding a small text.
struct EncodeMemory {
  lzss::EncodeScratch lzss;
  lzhuf::EncodeScratch lzhuf;
  // libdeflate's compressor belongs to one level.
  std::array<deflate::EncodeScratch, Level::kHighest + 1> deflate;
};

EncodeMemory& encode_memory() {
  thread_local const auto kMemory = std::make_unique<EncodeMemory>();
  return *kMemory;
}

constexpr std::array kCodecs{
    Codec{"lzss", [](Bytes plain, Level level, Buffer& out) { lzss::encode(plain, level, encode_memory().lzss, out); },
          [](Bytes packed, MutableBytes output, DecodeScratch& scratch) -> Result<std::size_t> {
            return used_bytes_of(lzss::decode(packed, output, scratch.lzss));
          },
          lzss::max_decoded_bytes},
    Codec{"lzhuf",
          [](Bytes plain, Level level, Buffer& out) { lzhuf::encode(plain, level, encode_memory().lzhuf, out); },
          [](Bytes packed, MutableBytes output, DecodeScratch& scratch) -> Result<std::size_t> {
            return used_bytes_of(lzhuf::decode(packed, output, scratch.lzhuf));
          },
          lzhuf::max_decoded_bytes},
    Codec{"deflate",
          [](Bytes plain, Level level, Buffer& out) {
            deflate::encode(plain, level, encode_memory().deflate[level.value()], out);
          },
          [](Bytes packed, MutableBytes output, DecodeScratch& scratch) -> Result<std::size_t> {
            return used_bytes_of(deflate::decode(packed, output, {}, scratch.deflate));
          },
          deflate::max_decoded_bytes},
};

// One decoding into memory that held a pattern.
struct Attempt {
  MutableBytes output;
  Result<std::size_t> used_bytes;
};

// Each pattern has memory of its own, which is valid until it is used again.
Attempt attempt(const Codec& codec, Bytes packed, std::size_t size_bytes, std::uint8_t prefill) {
  thread_local std::array<RawBuffer, 2> outputs;
  DecodeScratch& scratch = shared_scratch();
  fill_decoders(scratch, prefill);
  // Behind the output stands a guard that has to stay as it is.
  constexpr std::size_t kGuardBytes = 16;
  const MutableBytes memory = outputs[prefill & 1U].get(size_bytes + kGuardBytes);
  // What no stream of this size can reach needs no pattern.
  const auto reach_bytes =
      static_cast<std::size_t>(std::min<std::uint64_t>(size_bytes, codec.max_decoded_bytes(packed.size())));
  std::ranges::fill(memory.first(reach_bytes), prefill);
  const MutableBytes guard = memory.last(kGuardBytes);
  std::ranges::fill(guard, prefill);
  auto used_bytes = codec.decode(packed, memory.first(size_bytes), scratch);
  if (!std::ranges::all_of(guard, [prefill](std::uint8_t byte) { return byte == prefill; })) {
    used_bytes = fail({.code = Code::kInternal, .field = "output"});
  }
  return {memory.first(size_bytes), std::move(used_bytes)};
}

std::string at_level(const Codec& codec, Level level) {
  return std::string(codec.name) + " at level " + std::to_string(level.value());
}

// The stream that `codec` wrote for `plain`: it decodes to it whatever the memory held, and is as short as it may be.
Failures check_stream(const Codec& codec, Level level, Bytes plain, Bytes packed) {
  Failures failures;
  for (const std::uint8_t prefill : {std::uint8_t{0x00}, std::uint8_t{0xFF}}) {
    const Attempt decoded = attempt(codec, packed, plain.size(), prefill);
    if (!decoded.used_bytes) {
      failures.push_back({kName, at_level(codec, level) + " refuses its own stream"});
    } else if (!equal_bytes(decoded.output, plain)) {
      failures.push_back({kName, at_level(codec, level) + " decodes to other bytes"});
    } else if (*decoded.used_bytes != packed.size()) {
      failures.push_back({kName, at_level(codec, level) + " wrote bytes that it does not need"});
    }
  }
  if (!packed.empty() && attempt(codec, packed.first(packed.size() - 1), plain.size(), 0).used_bytes) {
    failures.push_back({kName, at_level(codec, level) + " accepts its stream without the last byte"});
  }
  if (codec.max_decoded_bytes(packed.size()) < plain.size()) {
    failures.push_back({kName, at_level(codec, level) + " grows more than its bound says"});
  }
  return failures;
}

// What is wrong with how one decoder took one stream twice, or null.
const char* impurity(const Codec& codec, Bytes packed, std::size_t size_bytes, const Attempt& zeros,
                     const Attempt& ones) {
  if (zeros.used_bytes.has_value() != ones.used_bytes.has_value()) {
    return " accepts or refuses by what the memory held";
  }
  if (!zeros.used_bytes) {
    const Diagnostic& error = zeros.used_bytes.error();
    const bool is_sound = code_category(error.code) != Category::kInternal && error.local_offset <= packed.size() &&
                          same_diagnostic(error, ones.used_bytes.error());
    return is_sound ? nullptr : " refuses unsoundly";
  }
  if (!equal_bytes(zeros.output, ones.output) || *zeros.used_bytes != *ones.used_bytes) {
    return " decodes by what the memory held";
  }
  const bool is_bounded = *zeros.used_bytes <= packed.size() && codec.max_decoded_bytes(packed.size()) >= size_bytes;
  return is_bounded ? nullptr : " passes its bounds";
}

const Codec& codec_of(CodecId id) {
  return kCodecs[static_cast<std::size_t>(id)];
}

}  // namespace

Failures codec_round_trip(Bytes plain) {
  static constexpr std::array<std::uint16_t, 5> kKeys{0x0000, 0x0001, 0x0080, 0x1234, 0xFFFF};
  Failures failures;
  for (const std::uint16_t key : kKeys) {
    append(failures, transform_round_trip(plain, key));
  }
  for (std::size_t codec = 0; codec < kCodecs.size(); ++codec) {
    for (unsigned level = 0; level <= Level::kHighest; ++level) {
      append(failures, codec_round_trip(static_cast<CodecId>(codec), Level(level), plain));
    }
  }
  return failures;
}

Failures codec_round_trip(CodecId id, Level level, Bytes plain) {
  Buffer packed;
  codec_of(id).encode(plain, level, packed);
  return check_stream(codec_of(id), level, plain, packed);
}

Failures transform_round_trip(Bytes plain, std::uint16_t key) {
  Failures failures;
  Buffer once(plain.size());
  xor_stream::apply(key, plain, once);
  Buffer pieces(plain.size());
  xor_stream::Stream stream(key);
  const std::size_t middle = plain.size() / 3;
  stream.apply(plain.first(middle), MutableBytes(pieces).first(middle));
  stream.apply(plain.subspan(middle), MutableBytes(pieces).subspan(middle));
  if (once != pieces) {
    failures.push_back({kName, "xor in two pieces gives other bytes, key " + std::to_string(key)});
  }
  xor_stream::apply(key, once, once);
  if (!equal_bytes(once, plain)) {
    failures.push_back({kName, "xor is not its own inverse, key " + std::to_string(key)});
  }
  return failures;
}

Failures decoding_is_pure(CodecId id, Bytes packed, std::size_t size_bytes) {
  const Codec& codec = codec_of(id);
  const Attempt zeros = attempt(codec, packed, size_bytes, 0x00);
  const Attempt ones = attempt(codec, packed, size_bytes, 0xFF);
  const char* wrong = impurity(codec, packed, size_bytes, zeros, ones);
  return wrong == nullptr ? Failures{} : Failures{{kName, std::string(codec.name) + wrong}};
}

}  // namespace assay::oracles
