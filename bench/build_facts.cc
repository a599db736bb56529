#include "bench/build_facts.h"

#include <build_info.h>
#include <libdeflate.h>
#include <zlib.h>

#include <fstream>

#include "parsers/codecs/lzss/lzss.h"

namespace assay::bench {
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

std::vector<std::pair<std::string, std::string>> build_facts() {
  return {
      {"cpu", cpu_model()},           {"compiler", compiler()},
      {"flags", ASSAY_BENCH_FLAGS},   {"preset", ASSAY_BENCH_PRESET},
      {"commit", ASSAY_BENCH_COMMIT}, {"libdeflate", LIBDEFLATE_VERSION_STRING},
      {"zlib", zlibVersion()},        {"lzss_path", lzss::is_available(lzss::Path::kSimd) ? "simd" : "scalar"},
  };
}

}  // namespace assay::bench
