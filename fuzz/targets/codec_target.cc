#include "fuzz/codec_harness.h"

// Built three times for each codec: ASSAY_FUZZ_RUN is run_decode, run_encode or run_peer, ASSAY_FUZZ_CODEC the codec.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return assay::fuzz::ASSAY_FUZZ_RUN(assay::oracles::CodecId::ASSAY_FUZZ_CODEC, data, size);
}
