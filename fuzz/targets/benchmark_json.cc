#include "fuzz/benchmark_harness.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return assay::fuzz::run_benchmark_json(data, size);
}
