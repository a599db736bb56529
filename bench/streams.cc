#include "bench/streams.h"

#include <zlib.h>

#include <algorithm>

#include "parsers/codecs/deflate/deflate.h"
#include "parsers/codecs/lzhuf/lzhuf.h"
#include "parsers/codecs/lzss/lzss.h"
#include "parsers/codecs/lzss/textbook.h"
#include "parsers/codecs/xor_stream/xor_stream.h"
#include "synth/prng.h"

namespace assay::bench {
namespace {

constexpr std::size_t kTotalBytes = std::size_t{2} << 20;
constexpr std::size_t kMaxStreams = 1024;

std::size_t stream_count(std::size_t size_bytes) {
  return std::clamp<std::size_t>(kTotalBytes / size_bytes, 1, kMaxStreams);
}

Buffer xored(Bytes bytes) {
  Buffer out(bytes.size());
  xor_stream::apply(kXorKey, bytes, out);
  return out;
}

Buffer pack(Codec codec, Bytes plain) {
  Buffer packed;
  switch (codec) {
    case Codec::kStored: packed.assign(plain.begin(), plain.end()); break;
    case Codec::kXor: packed = xored(plain); break;
    case Codec::kLzss: lzss::encode(plain, kDefaultLevel, *std::make_unique<lzss::EncodeScratch>(), packed); break;
    case Codec::kXorLzss: packed = xored(pack(Codec::kLzss, plain)); break;
    case Codec::kLzhuf: lzhuf::encode(plain, kDefaultLevel, *std::make_unique<lzhuf::EncodeScratch>(), packed); break;
    case Codec::kDeflate: {
      deflate::EncodeScratch scratch;
      deflate::encode(plain, kDefaultLevel, scratch, packed);
      break;
    }
  }
  return packed;
}

// Flags that nobody can predict, references of the shortest length, near ones and far ones in turn: every mistake of
// branch prediction and every wait for memory that a decoder can have, for three bytes each.
Stream slow_lzss(std::size_t size_bytes, synth::Prng& prng) {
  Stream stream{.plain = Buffer(size_bytes), .packed = {}};
  for (std::size_t produced = 0; produced < size_bytes;) {
    const std::uint8_t flags = prng.byte();
    stream.packed.push_back(flags);
    for (unsigned item = 0; item < lzss::kItemsPerFlagByte; ++item) {
      if ((flags >> item & 1U) != 0) {
        stream.packed.push_back(prng.byte());
        ++produced;
        continue;
      }
      const std::size_t distance = prng.chance(70) ? 1 + prng.index(40) : 1 + prng.index(lzss::kWindowBytes);
      const std::size_t ring_index = (lzss::kFirstWrite + produced - distance) % lzss::kWindowBytes;
      const std::size_t stored_length = prng.chance(10) ? prng.index(16) : 0;
      stream.packed.push_back(static_cast<std::uint8_t>(ring_index & 0xFF));
      stream.packed.push_back(static_cast<std::uint8_t>((ring_index >> 4 & 0xF0) | stored_length));
      produced += lzss::kMinMatchBytes + stored_length;
    }
  }
  if (!lzss::textbook::decode(stream.packed, stream.plain)) {
    stream.packed.clear();
  }
  return stream;
}

// Literals only, each value as often as the others and in an order that moves every leaf of the tree all the time.
Stream slow_lzhuf(std::size_t size_bytes, synth::Prng& prng) {
  Stream stream{.plain = Buffer(size_bytes), .packed = {}};
  const auto step = static_cast<std::uint8_t>(prng.byte() | 1U);
  std::uint8_t value = 0;
  for (std::uint8_t& byte : stream.plain) {
    byte = value;
    value = static_cast<std::uint8_t>(value + step);
  }
  lzhuf::encode(stream.plain, kNoMatchesLevel, *std::make_unique<lzhuf::EncodeScratch>(), stream.packed);
  return stream;
}

// A block, with codes of its own where they pay, for every few bytes.
Stream slow_deflate(std::size_t size_bytes, synth::Prng& prng) {
  constexpr std::size_t kBlockBytes = 96;
  Stream stream{.plain = Buffer(size_bytes), .packed = {}};
  std::generate(stream.plain.begin(), stream.plain.end(),
                [&] { return static_cast<std::uint8_t>(prng.index(1 + prng.index(24))); });
  z_stream state{};
  if (deflateInit2(&state, 9, Z_DEFLATED, -15, 8, Z_HUFFMAN_ONLY) != Z_OK) {
    return stream;
  }
  stream.packed.resize(size_bytes * 4 + 1024);
  state.next_out = stream.packed.data();
  state.avail_out = static_cast<uInt>(stream.packed.size());
  for (std::size_t offset = 0; offset < size_bytes; offset += kBlockBytes) {
    const std::size_t block_bytes = std::min(kBlockBytes, size_bytes - offset);
    state.next_in = stream.plain.data() + offset;
    state.avail_in = static_cast<uInt>(block_bytes);
    ::deflate(&state, offset + block_bytes == size_bytes ? Z_FINISH : Z_BLOCK);
  }
  stream.packed.resize(state.total_out);
  deflateEnd(&state);
  return stream;
}

}  // namespace

Streams make_streams(Codec codec, Corpus corpus, std::size_t size_bytes) {
  const std::size_t count = stream_count(size_bytes);
  const Buffer plain = make_corpus(corpus, count * size_bytes);
  Streams streams;
  for (std::size_t index = 0; index < count; ++index) {
    const Bytes piece = Bytes(plain).subspan(index * size_bytes, size_bytes);
    streams.push_back({.plain = Buffer(piece.begin(), piece.end()), .packed = pack(codec, piece)});
  }
  return streams;
}

Streams make_slow_streams(Codec codec, std::size_t size_bytes) {
  synth::Prng prng(17);
  Streams streams;
  for (std::size_t count = stream_count(size_bytes); count > 0; --count) {
    switch (codec) {
      case Codec::kStored:
      case Codec::kXor: return streams;
      case Codec::kLzss: streams.push_back(slow_lzss(size_bytes, prng)); break;
      case Codec::kXorLzss:
        streams.push_back(slow_lzss(size_bytes, prng));
        streams.back().packed = xored(streams.back().packed);
        break;
      case Codec::kLzhuf: streams.push_back(slow_lzhuf(size_bytes, prng)); break;
      case Codec::kDeflate: streams.push_back(slow_deflate(size_bytes, prng)); break;
    }
  }
  return streams;
}

const Streams& StreamCache::get(Codec codec, std::string_view corpus, std::size_t size_bytes) {
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.codec == codec && entry.corpus == corpus && entry.size_bytes == size_bytes;
  });
  if (known != entries_.end()) {
    return *known->streams;
  }
  auto streams = std::make_unique<Streams>();
  if (corpus == kSlow) {
    *streams = make_slow_streams(codec, size_bytes);
  }
  for (const Corpus candidate : kCorpora) {
    if (name_of(candidate) == corpus) {
      *streams = make_streams(codec, candidate, size_bytes);
    }
  }
  entries_.push_back({codec, corpus, size_bytes, std::move(streams)});
  return *entries_.back().streams;
}

}  // namespace assay::bench
