#include "fuzz/harness.h"

// Built once for each codec; ASSAY_FUZZ_RUN is the function of the harness that it runs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return assay::fuzz::ASSAY_FUZZ_RUN(data, size);
}
