#include "bench/streams.h"

#include <algorithm>
#include <array>

#include "parsers/codecs/deflate/deflate.h"
#include "parsers/codecs/lzhuf/lzhuf.h"
#include "parsers/codecs/lzhuf/textbook.h"
#include "parsers/codecs/lzss/lzss.h"
#include "parsers/codecs/lzss/textbook.h"
#include "parsers/codecs/xor_stream/xor_stream.h"
#include "synth/deflate_stream.h"
#include "synth/lzhuf_stream.h"
#include "synth/prng.h"

namespace assay::bench {
namespace {

constexpr std::size_t kTotalBytes = std::size_t{2} << 20;
constexpr std::size_t kMaxStreams = 1024;
// The search for slow streams of LZHUF takes its time; these are still too many symbols to be learnt.
constexpr std::size_t kSearchedBytes = std::size_t{128} << 10;

std::size_t stream_count(std::size_t size_bytes) {
  return std::clamp<std::size_t>(kTotalBytes / size_bytes, 1, kMaxStreams);
}

std::size_t slow_stream_count(Codec codec, std::size_t size_bytes) {
  switch (codec) {
    case Codec::kLzhuf: return std::max<std::size_t>(kSearchedBytes / size_bytes, 1);
    case Codec::kDeflate: return 1;  // They would all be the same.
    default: return stream_count(size_bytes);
  }
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

// Literals that move the most nodes of the tree.
Stream slow_lzhuf(std::size_t size_bytes, synth::Prng& prng) {
  Stream stream{.plain = Buffer(size_bytes), .packed = synth::worst_lzhuf_stream(size_bytes, prng).packed()};
  if (!lzhuf::textbook::decode(stream.packed, stream.plain, *std::make_unique<lzhuf::textbook::Scratch>())) {
    stream.packed.clear();
  }
  return stream;
}

// The code of one symbol that is a literal and of the end of the block, one bit each, in the fewest bits.
void begin_smallest_dynamic_block(synth::DeflateStream& stream) {
  constexpr std::array<unsigned, 18> kCodeLengthOrder = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1};
  stream.block(false, 2).number(0, 5).number(0, 5).number(kCodeLengthOrder.size() - 4, 4);
  // The code-length code: 1 is a zero bit, a run of 11 to 138 zeros is a one bit and seven more.
  for (const unsigned symbol : kCodeLengthOrder) {
    stream.number(symbol == 18 || symbol == 1 ? 1 : 0, 3);
  }
  const auto zeros = [&](unsigned count) { stream.code(1, 1).number(count - 11, 7); };
  zeros(128);
  stream.code(0, 1);
  zeros(127);
  stream.code(0, 1).code(0, 1);
}

// Blocks with codes of their own and blocks with the fixed codes in turn, as short as they can be: whoever makes tables
// of codes makes them anew for each, for 51 bits and half a byte of output. Of nine kinds of streams libdeflate takes
// longest for these (docs/performance.md).
Stream slow_deflate(std::size_t size_bytes) {
  constexpr std::uint8_t kLiteral = 128;
  Stream stream{.plain = Buffer(size_bytes, kLiteral), .packed = {}};
  synth::DeflateStream blocks;
  for (std::size_t produced = 0; produced < size_bytes; ++produced) {
    begin_smallest_dynamic_block(blocks);
    blocks.code(0, 1).code(1, 1);
    blocks.block(produced + 1 == size_bytes, 1).fixed(256);
  }
  stream.packed = blocks.bytes();
  return stream;
}

}  // namespace

Streams make_streams(Codec codec, Corpus corpus, std::size_t size_bytes) {
  const std::size_t count = stream_count(size_bytes);
  const Buffer plain = make_corpus(corpus, count * size_bytes);
  Streams streams;
  for (std::size_t index = 0; index < count; ++index) {
    const Bytes piece = Bytes(plain).subspan(index * size_bytes, size_bytes);
    streams.push_back({.plain = copy_of(piece), .packed = pack(codec, piece)});
  }
  return streams;
}

Streams make_slow_streams(Codec codec, std::size_t size_bytes) {
  synth::Prng prng(17);
  Streams streams;
  for (std::size_t count = slow_stream_count(codec, size_bytes); count > 0; --count) {
    switch (codec) {
      case Codec::kStored:
      case Codec::kXor: return streams;
      case Codec::kLzss: streams.push_back(slow_lzss(size_bytes, prng)); break;
      case Codec::kXorLzss:
        streams.push_back(slow_lzss(size_bytes, prng));
        streams.back().packed = xored(streams.back().packed);
        break;
      case Codec::kLzhuf: streams.push_back(slow_lzhuf(size_bytes, prng)); break;
      case Codec::kDeflate: streams.push_back(slow_deflate(size_bytes)); break;
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
