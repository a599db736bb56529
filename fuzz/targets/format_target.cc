#include "fuzz/harness.h"
#include "parsers/formats/catalogue.h"

// Built once for each format of parsers/formats.def, which ASSAY_FUZZ_FORMAT names.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const assay::Format& format = *assay::find_format(ASSAY_FUZZ_FORMAT);
  return assay::fuzz::run_format(format, data, size);
}
