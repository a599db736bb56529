#include <benchmark/benchmark.h>
#include <build_info.h>
#include <libdeflate.h>
#include <zlib.h>

#include <fstream>
#include <string>

// The benchmark program. What a figure depends on besides the code goes into the context of its results.
namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      return line.substr(line.find(':') + 2);
    }
  }
  return "unknown";
}

std::string compiler() {
#if defined(__clang__)
  return std::string("Clang ") + __clang_version__;
#else
  return std::string("GCC ") + __VERSION__;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 2;
  }
  benchmark::AddCustomContext("cpu", cpu_model());
  benchmark::AddCustomContext("compiler", compiler());
  benchmark::AddCustomContext("flags", ASSAY_BENCH_FLAGS);
  benchmark::AddCustomContext("preset", ASSAY_BENCH_PRESET);
  benchmark::AddCustomContext("commit", ASSAY_BENCH_COMMIT);
  benchmark::AddCustomContext("libdeflate", LIBDEFLATE_VERSION_STRING);
  benchmark::AddCustomContext("zlib", zlibVersion());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
