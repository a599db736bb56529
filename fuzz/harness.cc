#include "fuzz/harness.h"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "oracles/codec_oracles.h"
#include "oracles/oracles.h"
#include "oracles/peers/lhasa_peer.h"
#include "oracles/peers/mspack_peer.h"
#include "parsers/codecs/lzhuf/lzhuf.h"
#include "parsers/codecs/lzss/lzss.h"
#include "parsers/codecs/lzss/textbook.h"

namespace assay::fuzz {
namespace {

constexpr std::size_t kSizeBytes = 4;
constexpr std::uint32_t kMaxOutputBytes = std::uint32_t{1} << 18;

// FNV-1a: any spread will do, but it must never change, or corpus files would mean something else.
std::uint64_t hash_of(Bytes bytes) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const std::uint8_t byte : bytes) {
    hash = (hash ^ byte) * 0x100000001B3;
  }
  return hash;
}

ParseContext context_for(Bytes bytes) {
  const std::uint64_t hash = hash_of(bytes);
  ParseContext context;
  context.limits.payload_total_bytes = kMaxInputBytes;
  context.limits.unpacked_bytes = kMaxOutputBytes;
  context.limits.unpacked_total_bytes = std::uint64_t{4} * kMaxOutputBytes;
  context.rules = (hash & 1U) != 0 ? RuleSet::compatible() : RuleSet::strict();
  // Half of the inputs stand for the archive that a rule asks for by name.
  if ((hash & 2U) != 0) {
    context.hints = {.name = as_bytes("sprites.lib"), .is_file = true};
  }
  context.apply_overlay = (hash & 12U) != 0;
  // Small values: versions, strides and counts are what formats ask attributes for.
  context.hints.attributes = {{static_cast<std::uint32_t>(hash >> 8 & 0xFU),
                               static_cast<std::uint32_t>(hash >> 12 & 7U),
                               static_cast<std::uint32_t>(hash >> 16 & 0x3FU)}};
  return context;
}

// The output size that an input asks for, within the cap, and the stream behind it.
struct Stream {
  Bytes packed;
  std::size_t size_bytes = 0;
};

std::optional<Stream> stream_of(const std::uint8_t* data, std::size_t size) {
  if (size < kSizeBytes || size > kMaxInputBytes) {
    return std::nullopt;
  }
  const Bytes bytes(data, size);
  return Stream{bytes.subspan(kSizeBytes), load_little_endian<std::uint32_t>(bytes) % kMaxOutputBytes};
}

template <typename Scratch, typename Decode, typename Peer>
int run_decoder(const std::uint8_t* data, std::size_t size, const char* peer_name, Decode decode, Peer peer) {
  const auto stream = stream_of(data, size);
  if (!stream) {
    return 0;
  }
  require_none(oracles::decoding_is_pure(stream->packed, stream->size_bytes));
  Buffer output(stream->size_bytes);
  const auto scratch = std::make_unique<Scratch>();
  if (decode(stream->packed, output, *scratch)) {
    const auto expected = peer(stream->packed, stream->size_bytes);
    if (expected && *expected != output) {
      require_none({{"independent decoder", std::string(peer_name) + " gives other bytes"}});
    }
  }
  return 0;
}

// Every path of the decoder has to do what the plain decoder does, errors included.
void require_same_as_textbook(const Stream& stream) {
  Buffer expected_output(stream.size_bytes);
  const auto expected = lzss::textbook::decode(stream.packed, expected_output);
  const auto scratch = std::make_unique<lzss::Scratch>();
  for (const lzss::Path path : lzss::kPaths) {
    if (!lzss::is_available(path)) {
      continue;
    }
    Buffer output(stream.size_bytes);
    const auto decoded = lzss::decode_with(path, stream.packed, output, *scratch);
    const bool same = expected ? decoded && decoded->used_bytes == expected->used_bytes && output == expected_output
                               : !decoded && decoded.error().got.bits == expected.error().got.bits &&
                                     decoded.error().local_offset == expected.error().local_offset;
    if (!same) {
      require_none({{"plain decoder", "a path of the LZSS decoder gives something else"}});
    }
  }
}

}  // namespace

void require_none(const oracles::Failures& failures) {
  if (!failures.empty()) {
    std::fputs(oracles::to_text(failures).c_str(), stderr);
    std::abort();
  }
}

int run_format(const Format& format, const std::uint8_t* data, std::size_t size) {
  if (size <= kMaxInputBytes) {
    const Bytes bytes(data, size);
    require_none(oracles::check_all(format, bytes, context_for(bytes)));
  }
  return 0;
}

int run_lzss(const std::uint8_t* data, std::size_t size) {
  if (const auto stream = stream_of(data, size)) {
    require_same_as_textbook(*stream);
  }
  return run_decoder<lzss::Scratch>(data, size, "libmspack", lzss::decode, peers::mspack_lzss);
}

int run_lzhuf(const std::uint8_t* data, std::size_t size) {
  return run_decoder<lzhuf::Scratch>(data, size, "liblhasa", lzhuf::decode, peers::lhasa_lzhuf);
}

int run_deflate(const std::uint8_t* data, std::size_t size) {
  // libdeflate and zlib are compared inside the decoder; decoding_is_pure() looks at what it says.
  if (const auto stream = stream_of(data, size)) {
    require_none(oracles::decoding_is_pure(stream->packed, stream->size_bytes));
  }
  return 0;
}

int run_round_trip(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxPlainBytes = std::size_t{1} << 14;
  if (size <= kMaxPlainBytes) {
    require_none(oracles::codec_round_trip(Bytes(data, size)));
  }
  return 0;
}

}  // namespace assay::fuzz
