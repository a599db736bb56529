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

constexpr std::array kCodecs{
    Codec{"lzss",
          [](Bytes plain, Level level, Buffer& out) {
            lzss::encode(plain, level, *std::make_unique<lzss::EncodeScratch>(), out);
          },
          [](Bytes packed, MutableBytes output, DecodeScratch& scratch) -> Result<std::size_t> {
            return used_bytes_of(lzss::decode(packed, output, scratch.lzss));
          },
          lzss::max_decoded_bytes},
    Codec{"lzhuf",
          [](Bytes plain, Level level, Buffer& out) {
            lzhuf::encode(plain, level, *std::make_unique<lzhuf::EncodeScratch>(), out);
          },
          [](Bytes packed, MutableBytes output, DecodeScratch& scratch) -> Result<std::size_t> {
            return used_bytes_of(lzhuf::decode(packed, output, scratch.lzhuf));
          },
          lzhuf::max_decoded_bytes},
    Codec{"deflate",
          [](Bytes plain, Level level, Buffer& out) {
            deflate::EncodeScratch scratch;
            deflate::encode(plain, level, scratch, out);
          },
          [](Bytes packed, MutableBytes output, DecodeScratch& scratch) -> Result<std::size_t> {
            return used_bytes_of(deflate::decode(packed, output, {}, scratch.deflate));
          },
          deflate::max_decoded_bytes},
};

// One decoding into memory that held `prefill`.
struct Attempt {
  Buffer output;
  Result<std::size_t> used_bytes;
};

Attempt attempt(const Codec& codec, Bytes packed, std::size_t size_bytes, std::uint8_t prefill,
                DecodeScratch& scratch) {
  fill_decoders(scratch, prefill);
  Buffer output(size_bytes, prefill);
  auto used_bytes = codec.decode(packed, output, scratch);
  return {std::move(output), std::move(used_bytes)};
}

Failures check_stream(const Codec& codec, const std::string& what, Bytes plain, Bytes packed, DecodeScratch& scratch) {
  Failures failures;
  for (const std::uint8_t prefill : {std::uint8_t{0x00}, std::uint8_t{0xFF}}) {
    const Attempt decoded = attempt(codec, packed, plain.size(), prefill, scratch);
    if (!decoded.used_bytes) {
      failures.push_back({kName, what + " refuses its own stream"});
    } else if (!equal_bytes(decoded.output, plain)) {
      failures.push_back({kName, what + " decodes to other bytes"});
    } else if (*decoded.used_bytes != packed.size()) {
      failures.push_back({kName, what + " wrote bytes that it does not need"});
    }
  }
  if (!packed.empty() && attempt(codec, packed.first(packed.size() - 1), plain.size(), 0, scratch).used_bytes) {
    failures.push_back({kName, what + " accepts its stream without the last byte"});
  }
  if (codec.max_decoded_bytes(packed.size()) < plain.size()) {
    failures.push_back({kName, what + " grows more than its bound says"});
  }
  return failures;
}

Failures check_transform(Bytes plain) {
  static constexpr std::array<std::uint16_t, 5> kKeys{0x0000, 0x0001, 0x0080, 0x1234, 0xFFFF};
  Failures failures;
  for (const std::uint16_t key : kKeys) {
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
  }
  return failures;
}

}  // namespace

Failures codec_round_trip(Bytes plain) {
  Failures failures = check_transform(plain);
  const auto scratch = std::make_unique<DecodeScratch>();
  for (const Codec& codec : kCodecs) {
    for (unsigned level = 0; level <= Level::kHighest; ++level) {
      Buffer packed;
      codec.encode(plain, Level(level), packed);
      const std::string what = std::string(codec.name) + " at level " + std::to_string(level);
      append(failures, check_stream(codec, what, plain, packed, *scratch));
    }
  }
  return failures;
}

Failures decoding_is_pure(Bytes packed, std::size_t size_bytes) {
  Failures failures;
  const auto scratch = std::make_unique<DecodeScratch>();
  for (const Codec& codec : kCodecs) {
    const Attempt zeros = attempt(codec, packed, size_bytes, 0x00, *scratch);
    const Attempt ones = attempt(codec, packed, size_bytes, 0xFF, *scratch);
    const std::string what = codec.name;
    if (zeros.used_bytes.has_value() != ones.used_bytes.has_value()) {
      failures.push_back({kName, what + " accepts or refuses by what the memory held"});
    } else if (!zeros.used_bytes) {
      const Diagnostic& error = zeros.used_bytes.error();
      if (code_category(error.code) == Category::kInternal || error.code != ones.used_bytes.error().code) {
        failures.push_back({kName, what + " refuses unsoundly"});
      }
    } else if (zeros.output != ones.output || *zeros.used_bytes != *ones.used_bytes) {
      failures.push_back({kName, what + " decodes by what the memory held"});
    } else if (*zeros.used_bytes > packed.size() || codec.max_decoded_bytes(packed.size()) < size_bytes) {
      failures.push_back({kName, what + " passes its bounds"});
    }
  }
  return failures;
}

}  // namespace assay::oracles
