#include <valgrind/callgrind.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

#include "bench/build_facts.h"
#include "bench/contenders.h"
#include "bench/streams.h"

// Decodes fixed streams once under `valgrind --tool=callgrind --instr-atstart=no` and has callgrind write one dump for
// each decoder and kind of data; what is counted is decoding alone. Without valgrind it only checks the answers.
//
//   assay_count_instructions CASES        writes what was decoded into the file CASES
//
// A line of CASES is the name of a dump, a tab, and the bytes of output in it. Lines that begin with '#' say what the
// counts depend on besides the code.
namespace assay::bench {
namespace {

// Streams of one kind that are decoded; the first is decoded once before, so that memory is there.
constexpr std::size_t kStreams = 8;
constexpr std::size_t kStreamBytes = std::size_t{16} << 10;

bool count(const Contender& contender, const std::string& name, const Streams& streams, std::ofstream& cases) {
  const std::size_t stream_count = std::min(kStreams, streams.size());
  Buffer output(kStreamBytes);
  for (std::size_t index = 0; index < stream_count; ++index) {
    if (!contender.decode(streams[index].packed, output) || output != streams[index].plain) {
      std::fprintf(stderr, "count_instructions: %s: the answer is wrong\n", name.c_str());
      return false;
    }
  }
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  for (std::size_t index = 0; index < stream_count; ++index) {
    contender.decode(streams[index].packed, output);
  }
  CALLGRIND_DUMP_STATS_AT(name.c_str());
  CALLGRIND_STOP_INSTRUMENTATION;
  cases << name << '\t' << stream_count * kStreamBytes << '\n';
  return true;
}

bool count_all(std::ofstream& cases) {
  StreamCache cache;
  bool all_right = true;
  for (const Contender& contender : make_contenders()) {
    for (const Corpus corpus : kCorpora) {
      const Streams& streams = cache.get(contender.codec, name_of(corpus), kStreamBytes);
      all_right &= count(contender, std::string(contender.name) + '/' + std::string(name_of(corpus)), streams, cases);
    }
    const Streams& slow = cache.get(contender.codec, StreamCache::kSlow, kStreamBytes);
    if (!slow.empty()) {
      all_right &= count(contender, std::string(contender.name) + "/slow", slow, cases);
    }
  }
  return all_right;
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: assay_count_instructions CASES\n", stderr);
    return 2;
  }
  std::ofstream cases(argv[1], std::ios::binary);
  for (const auto& [key, value] : assay::bench::build_facts()) {
    cases << "# " << key << '\t' << value << '\n';
  }
  const bool all_right = assay::bench::count_all(cases);
  if (!cases.flush()) {
    std::fprintf(stderr, "count_instructions: %s: cannot be written\n", argv[1]);
    return 2;
  }
  return all_right ? 0 : 1;
}
