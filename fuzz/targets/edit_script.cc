#include "fuzz/edit_script_harness.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return assay::fuzz::run_edit_script(data, size);
}
