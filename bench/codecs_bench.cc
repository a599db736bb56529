#include "bench/codecs_bench.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/contenders.h"
#include "bench/streams.h"
#include "parsers/codecs/deflate/deflate.h"
#include "parsers/codecs/lzhuf/lzhuf.h"
#include "parsers/codecs/lzss/lzss.h"

// Decoders beside their peers on the same streams, and encoders. Every answer is checked before it is timed. The bytes
// per second are those of the plain side; `packed_bytes` is the mean size of a stream.
namespace assay::bench {
namespace {

constexpr std::array kSizes = {std::size_t{1} << 10, std::size_t{16} << 10, std::size_t{128} << 10,
                               std::size_t{8} << 20};
constexpr std::array kSlowSizes = {std::size_t{1} << 10, std::size_t{4} << 10, std::size_t{16} << 10,
                                   std::size_t{128} << 10};

StreamCache& stream_cache() {
  static StreamCache cache;
  return cache;
}

SlowDown& slowed_decoder() {
  static SlowDown slowed;
  return slowed;
}

bool answers_right(const Decoder& decode, const Streams& streams, Buffer& output) {
  for (const Stream& stream : streams) {
    if (stream.packed.empty() || !decode(stream.packed, output) || output != stream.plain) {
      return false;
    }
  }
  return true;
}

void report(benchmark::State& state, const Streams& streams) {
  std::size_t packed_bytes = 0;
  for (const Stream& stream : streams) {
    packed_bytes += stream.packed.size();
  }
  const std::size_t plain_bytes = streams.front().plain.size();
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(plain_bytes));
  state.counters["packed_bytes"] = static_cast<double>(packed_bytes) / static_cast<double>(streams.size());
}

void run_decoder(benchmark::State& state, const Contender& contender, std::string_view corpus, std::size_t size_bytes) {
  const Streams& streams = stream_cache().get(contender.codec, corpus, size_bytes);
  Buffer output(size_bytes);
  if (!answers_right(contender.decode, streams, output)) {
    state.SkipWithError("the answer is wrong");
    return;
  }
  std::size_t next = 0;
  const auto decode_next = [&] {
    benchmark::DoNotOptimize(contender.decode(streams[next].packed, output));
    benchmark::ClobberMemory();
    next = next + 1 < streams.size() ? next + 1 : 0;
  };
  // Slowing decodes one more stream now and then, not one twice, which would be in the cache and known to the branch
  // predictor and so cost less than it says.
  const unsigned slowed_percent = contender.name == slowed_decoder().decoder ? slowed_decoder().percent : 0;
  unsigned owed_percent = 0;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    decode_next();
    for (owed_percent += slowed_percent; owed_percent >= 100; owed_percent -= 100) {
      decode_next();
    }
  }
  report(state, streams);
}

using Encode = std::function<void(Bytes plain, Buffer& out)>;

struct Packer {
  const char* name;
  Codec codec;
  Encode encode;
};

template <typename Scratch>
Encode encoder(void (*encode)(Bytes, Level, Scratch&, Buffer&), Level level) {
  const auto scratch = std::make_shared<Scratch>();
  return [=](Bytes plain, Buffer& out) { encode(plain, level, *scratch, out); };
}

std::vector<Packer> make_packers() {
  constexpr Level kHighest(Level::kHighest);
  return {
      {"LzssEncode", Codec::kLzss, encoder(lzss::encode, kDefaultLevel)},
      {"LzssBestEncode", Codec::kLzss, encoder(lzss::encode, kHighest)},
      {"LzhufEncode", Codec::kLzhuf, encoder(lzhuf::encode, kDefaultLevel)},
      {"LzhufBestEncode", Codec::kLzhuf, encoder(lzhuf::encode, kHighest)},
      {"DeflateEncode", Codec::kDeflate, encoder(deflate::encode, kDefaultLevel)},
  };
}

bool packs_rightly(const Packer& packer, const Buffer& packed, const Buffer& plain) {
  Buffer output(plain.size());
  for (const Contender& contender : make_contenders()) {
    if (contender.codec == packer.codec && (!contender.decode(packed, output) || output != plain)) {
      return false;
    }
  }
  return true;
}

void run_encoder(benchmark::State& state, const Packer& packer, Corpus corpus, std::size_t size_bytes) {
  const Buffer plain = make_corpus(corpus, size_bytes);
  Buffer packed;
  packer.encode(plain, packed);
  if (!packs_rightly(packer, packed, plain)) {
    state.SkipWithError("the answer is wrong");
    return;
  }
  for (auto iteration : state) {
    static_cast<void>(iteration);
    packed.clear();
    packer.encode(plain, packed);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(size_bytes));
  state.counters["packed_bytes"] = static_cast<double>(packed.size());
}

std::string benchmark_name(const char* thing, std::string_view corpus, std::size_t size_bytes) {
  return std::string("BM_") + thing + '/' + std::string(corpus) + '/' + std::to_string(size_bytes);
}

struct Registration {
  std::string name;
  std::function<void(benchmark::State&)> run;
};

void add_decoder(std::vector<Registration>& all, const Contender& contender, std::string_view corpus,
                 std::span<const std::size_t> sizes) {
  for (const std::size_t size_bytes : sizes) {
    all.push_back({benchmark_name(contender.name, corpus, size_bytes),
                   [=](benchmark::State& state) { run_decoder(state, contender, corpus, size_bytes); }});
  }
}

void add_encoder(std::vector<Registration>& all, const Packer& packer, Corpus corpus) {
  constexpr std::size_t kEncodedBytes = std::size_t{1} << 20;
  all.push_back({benchmark_name(packer.name, name_of(corpus), kEncodedBytes),
                 [=](benchmark::State& state) { run_encoder(state, packer, corpus, kEncodedBytes); }});
}

std::vector<Registration> registrations() {
  std::vector<Registration> all;
  for (const Contender& contender : make_contenders()) {
    for (const Corpus corpus : kCorpora) {
      add_decoder(all, contender, name_of(corpus), kSizes);
    }
    if (contender.codec != Codec::kStored && contender.codec != Codec::kXor) {
      add_decoder(all, contender, StreamCache::kSlow, kSlowSizes);
    }
  }
  for (const Packer& packer : make_packers()) {
    for (const Corpus corpus : kCorpora) {
      add_encoder(all, packer, corpus);
    }
  }
  return all;
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const Registration& registration : registrations()) {
    benchmark::RegisterBenchmark(registration.name.c_str(), registration.run);
  }
  return true;
}();

}  // namespace

bool slow_down(const SlowDown& slowed) {
  const auto is_meant = [&](const Contender& contender) { return contender.name == slowed.decoder; };
  slowed_decoder() = slowed;
  return std::ranges::any_of(make_contenders(), is_meant);
}

}  // namespace assay::bench
