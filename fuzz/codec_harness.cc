#include "fuzz/codec_harness.h"

#include <memory>
#include <optional>

#include "fuzz/harness.h"
#include "oracles/peers/lhasa_peer.h"
#include "oracles/peers/mspack_peer.h"
#include "oracles/peers/plain_inflate.h"
#include "oracles/support.h"
#include "parsers/codecs/lzhuf/decoder.h"
#include "parsers/codecs/lzhuf/textbook.h"
#include "parsers/codecs/lzss/textbook.h"

namespace assay::fuzz {
namespace {

using oracles::CodecId;

constexpr std::size_t kSizeBytes = 4;
constexpr std::size_t kLongBytes = 66'000;
constexpr std::size_t kLongOutputBytes = std::size_t{1} << 19;
constexpr std::uint32_t kFewBytes = std::uint32_t{1} << 13;
constexpr std::uint32_t kManyBytes = std::uint32_t{1} << 17;

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
  const auto declared = load_little_endian<std::uint32_t>(bytes);
  return Stream{bytes.subspan(kSizeBytes), declared % (declared >> 31 != 0 ? kManyBytes : kFewBytes)};
}

// Where the decoder succeeds and the peer gives as many bytes, they are the same ones.
template <typename Decoded>
void require_same(const Decoded& decoded, Bytes output, const std::optional<Buffer>& expected, const char* promise) {
  if (decoded && expected) {
    require(equal_bytes(*expected, output), promise);
  }
}

// A fast decoder does what the plain one does: the same bytes used and given, the same refusal at the same place.
void require_plain(const Result<Decoded>& decoded, Bytes output, const Result<Decoded>& plain, Bytes plain_output) {
  require(decoded.has_value() == plain.has_value(), "a plain decoder accepts the same streams");
  if (decoded) {
    require(decoded->used_bytes == plain->used_bytes, "a plain decoder uses as many bytes");
    require(equal_bytes(output, plain_output), "a plain decoder gives the same bytes");
  } else {
    require(oracles::same_diagnostic(decoded.error(), plain.error()), "a plain decoder says the same error");
    const auto got_bytes = static_cast<std::size_t>(plain.error().got.bits);
    require(equal_bytes(output.first(got_bytes), plain_output.first(got_bytes)),
            "a plain decoder gives the same bytes before an error");
  }
}

void compare_lzss(const Stream& stream, MutableBytes output, DecodeScratch& scratch) {
  thread_local RawBuffer plain_memory;
  const MutableBytes plain_output = plain_memory.get(stream.size_bytes);
  const auto plain = lzss::textbook::decode(stream.packed, plain_output);
  for (const lzss::Path path : lzss::kPaths) {
    if (lzss::is_available(path)) {
      const auto decoded = lzss::decode_with(path, stream.packed, output, scratch.lzss);
      require_plain(decoded, output, plain, plain_output);
    }
  }
  require_same(plain, plain_output, peers::mspack_lzss(stream.packed, stream.size_bytes),
               "libmspack gives the same bytes");
}

void compare_lzhuf(const Stream& stream, MutableBytes output, DecodeScratch& scratch) {
  thread_local RawBuffer plain_memory;
  thread_local const auto kPlainScratch = std::make_unique<lzhuf::textbook::Scratch>();
  const MutableBytes plain_output = plain_memory.get(stream.size_bytes);
  const auto plain = lzhuf::textbook::decode(stream.packed, plain_output, *kPlainScratch);
  // Six designs are too dear for every input.
  const std::size_t chosen = hash_of(stream.packed) % lzhuf::kTreeDesigns.size();
  for (std::size_t index = 0; index < lzhuf::kTreeDesigns.size(); ++index) {
    if (index != chosen && !asks_everything()) {
      continue;
    }
    const lzhuf::TreeDesign design = lzhuf::kTreeDesigns[index].design;
    const auto decoded = lzhuf::decode_with(design, stream.packed, output, scratch.lzhuf);
    require_plain(decoded, output, plain, plain_output);
  }
  require_same(plain, plain_output, peers::lhasa_lzhuf(stream.packed, stream.size_bytes),
               "liblhasa gives the same bytes");
}

// Of what ends too early exactly that may be excused which gave every byte.
void require_excused(const Diagnostic& error, const Stream& stream, MutableBytes output, DecodeScratch& scratch) {
  if (error.code == Code::kTruncatedStream) {
    const auto excused = deflate::decode(stream.packed, output, {.allow_missing_end = true}, scratch.deflate);
    require(excused.has_value() == (error.got.bits == stream.size_bytes), "only a missing end is excused");
    require(!excused || (excused->missing_end && excused->used_bytes == stream.packed.size()),
            "a missing end is recorded");
  }
}

void compare_deflate(const Stream& stream, MutableBytes output, DecodeScratch& scratch) {
  const auto decoded = deflate::decode(stream.packed, output, {}, scratch.deflate);
  const peers::PlainInflated plain = peers::plain_inflate(stream.packed, stream.size_bytes);
  if (plain.deviation == peers::DeflateDeviation::kNone) {
    const bool is_whole = plain.output.size() == stream.size_bytes;
    require(decoded.has_value() == is_whole, "a stream that keeps to the RFC is read, and only at its own size");
  }
  if (!decoded) {
    require_excused(decoded.error(), stream, output, scratch);
    return;
  }
  require(!decoded->served_by_zlib, "libdeflate reads what zlib reads");
  require(plain.deviation != peers::DeflateDeviation::kBroken, "nothing is read that a plain decoder calls broken");
  const bool is_refused = plain.deviation == peers::DeflateDeviation::kTooManyCodes ||
                          plain.deviation == peers::DeflateDeviation::kReservedSymbol;
  require(decoded->zlib_refused || !is_refused, "what zlib refuses is recorded");
  if (decoded->zlib_refused) {
    require(plain.deviation != peers::DeflateDeviation::kNone, "zlib refuses only what is on the list");
  } else if (plain.deviation == peers::DeflateDeviation::kNone) {
    require(equal_bytes(plain.output, output), "a plain decoder gives the same bytes");
    require(plain.used_bytes == decoded->used_bytes, "a plain decoder uses as many bytes");
  }
}

void compare(CodecId codec, const Stream& stream) {
  DecodeScratch& scratch = oracles::shared_scratch();
  const MutableBytes output = scratch.output.get(stream.size_bytes);
  switch (codec) {
    case CodecId::kLzss: compare_lzss(stream, output, scratch); break;
    case CodecId::kLzhuf: compare_lzhuf(stream, output, scratch); break;
    case CodecId::kDeflate: compare_deflate(stream, output, scratch); break;
  }
}

// Some ways of the codecs begin at lengths that no engine's inputs have, so a few inputs are tried as long ones as
// well.
bool takes_long_way(Bytes bytes) {
  return asks_everything() || hash_of(bytes) % 64 == 0;
}

// The bytes again and again. Valid until the next call.
Bytes repeated(Bytes bytes) {
  thread_local Buffer memory;
  memory.assign(bytes.empty() ? 0 : kLongBytes + bytes.size() % 64, 0);
  for (std::size_t at = 0; at < memory.size(); ++at) {
    memory[at] = bytes[at % bytes.size()];
  }
  return memory;
}

}  // namespace

int run_decode(CodecId codec, const std::uint8_t* data, std::size_t size) {
  if (const auto stream = stream_of(data, size)) {
    require_none(oracles::decoding_is_pure(codec, stream->packed, stream->size_bytes));
  }
  return 0;
}

int run_peer(CodecId codec, const std::uint8_t* data, std::size_t size) {
  const auto stream = stream_of(data, size);
  if (!stream) {
    return 0;
  }
  compare(codec, *stream);
  // The tree of LZHUF is rebuilt after more symbols than a short stream has.
  if (codec == CodecId::kLzhuf && takes_long_way(stream->packed)) {
    compare(codec, {repeated(stream->packed), kLongOutputBytes});
  }
  return 0;
}

int run_encode(CodecId codec, const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxPlainBytes = std::size_t{1} << 16;
  if (size <= kMaxPlainBytes) {
    const Bytes plain(data, size);
    const auto level = static_cast<unsigned>(hash_of(plain) % (Level::kHighest + 1));
    require_none(oracles::codec_round_trip(codec, Level(level), plain));
    if (takes_long_way(plain)) {
      // Without matches, Deflate has blocks of 65,535 bytes.
      require_none(oracles::codec_round_trip(codec, Level(level % 2), repeated(plain)));
    }
  }
  return 0;
}

int run_transform(const std::uint8_t* data, std::size_t size) {
  const Bytes bytes(data, size);
  if (size >= 2 && size <= kMaxInputBytes) {
    const auto key = load_little_endian<std::uint16_t>(bytes);
    require_none(oracles::transform_round_trip(bytes.subspan(2), key));
    // The transform of a long piece is made for a period at a time.
    if (takes_long_way(bytes)) {
      require_none(oracles::transform_round_trip(repeated(bytes.subspan(2)), key));
    }
  }
  return 0;
}

}  // namespace assay::fuzz
