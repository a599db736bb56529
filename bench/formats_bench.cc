#include <benchmark/benchmark.h>

#include "parsers/formats/catalogue.h"
#include "synth/corpus.h"
#include "synth/nres_builder.h"
#include "synth/random_archives.h"

// Parsing and writing whole archives, beside copying their bytes.
namespace assay {
namespace {

enum class Job { kParse, kParseAndWrite, kCopy };

// The largest archive of a load corpus that the format claims.
Buffer archive_of(std::string_view format_id) {
  Buffer largest;
  synth::make_load_corpus(1, 3000, [&](const synth::CorpusFile& file) {
    const Identification found = identify(file.bytes, {.name = {}, .type_tag = {}, .is_file = true});
    if (found.format != nullptr && found.format->id == format_id && file.bytes.size() > largest.size()) {
      largest = file.bytes;
    }
  });
  return largest;
}

void run(benchmark::State& state, const char* format_id, Job job) {
  const Buffer bytes = archive_of(format_id);
  const Format& format = *find_format(format_id);
  Findings check;
  const auto document = format.parse(bytes, {}, check);
  if (!document || (*document)->write() != bytes) {
    state.SkipWithError("the archive does not round-trip");
    return;
  }
  for (auto iteration : state) {
    static_cast<void>(iteration);
    if (job == Job::kCopy) {
      benchmark::DoNotOptimize(Buffer(bytes));
      continue;
    }
    Findings findings;
    const auto parsed = format.parse(bytes, {}, findings);
    if (job == Job::kParseAndWrite) {
      benchmark::DoNotOptimize((*parsed)->write());
    }
    benchmark::DoNotOptimize(parsed);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(bytes.size()));
  state.counters["entries"] = static_cast<double>((*document)->container()->member_count());
}

BENCHMARK_CAPTURE(run, BM_NresCopy, "nres", Job::kCopy);
BENCHMARK_CAPTURE(run, BM_NresParse, "nres", Job::kParse);
BENCHMARK_CAPTURE(run, BM_NresParseAndWrite, "nres", Job::kParseAndWrite);
BENCHMARK_CAPTURE(run, BM_RsliCopy, "rsli", Job::kCopy);
BENCHMARK_CAPTURE(run, BM_RsliParse, "rsli", Job::kParse);
BENCHMARK_CAPTURE(run, BM_RsliParseAndWrite, "rsli", Job::kParseAndWrite);

}  // namespace
}  // namespace assay
