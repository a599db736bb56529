#include <benchmark/benchmark.h>

#include "bench/build_facts.h"

// The benchmark program. What a figure depends on besides the code goes into the context of its results.
int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 2;
  }
  for (const auto& [key, value] : assay::bench::build_facts()) {
    benchmark::AddCustomContext(key, value);
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
