#include <benchmark/benchmark.h>

#include "parsers/formats/catalogue.h"
#include "synth/content.h"
#include "synth/corpus.h"
#include "synth/prng.h"

// Parsing and writing whole archives, beside copying their bytes.
namespace assay {
namespace {

enum class Job { kParse, kParseAndWrite, kCopy };

// A grid of 65 by 65 vertices; the models of the games have 12 to 9,686 (docs/formats/msh.md).
Buffer model() {
  constexpr std::uint32_t kCells = 64;
  synth::Prng prng(1);
  return synth::make_model(kCells, prng);
}

// The largest archive of a load corpus that the format claims; models, which that has none of, are made.
Buffer archive_of(std::string_view format_id) {
  if (format_id == "msh") {
    return model();
  }
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
  state.counters["bytes"] = static_cast<double>(bytes.size());
  state.counters["entries"] = static_cast<double>((*document)->container()->member_count());
}

BENCHMARK_CAPTURE(run, NresCopy, "nres", Job::kCopy)->Name("BM_NresCopy/load");
BENCHMARK_CAPTURE(run, NresParse, "nres", Job::kParse)->Name("BM_NresParse/load");
BENCHMARK_CAPTURE(run, NresParseAndWrite, "nres", Job::kParseAndWrite)->Name("BM_NresParseAndWrite/load");
BENCHMARK_CAPTURE(run, MshCopy, "msh", Job::kCopy)->Name("BM_MshCopy/grid");
BENCHMARK_CAPTURE(run, MshParse, "msh", Job::kParse)->Name("BM_MshParse/grid");
BENCHMARK_CAPTURE(run, MshParseAndWrite, "msh", Job::kParseAndWrite)->Name("BM_MshParseAndWrite/grid");
BENCHMARK_CAPTURE(run, RsliCopy, "rsli", Job::kCopy)->Name("BM_RsliCopy/load");
BENCHMARK_CAPTURE(run, RsliParse, "rsli", Job::kParse)->Name("BM_RsliParse/load");
BENCHMARK_CAPTURE(run, RsliParseAndWrite, "rsli", Job::kParseAndWrite)->Name("BM_RsliParseAndWrite/load");

}  // namespace
}  // namespace assay
