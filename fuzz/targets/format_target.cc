#include <algorithm>
#include <cstdlib>

#include "fuzz/harness.h"
#include "fuzz/mutate/mutator.h"
#include "parsers/formats/catalogue.h"

// Built once for each format of parsers/formats.def, which ASSAY_FUZZ_FORMAT names.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const assay::Format& format = *assay::find_format(ASSAY_FUZZ_FORMAT);
  return assay::fuzz::run_format(format, data, size);
}

// libFuzzer's own mutation; other engines do not have it.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

// How many of a hundred mutants know the structure: it costs several parses, and blind ones find what nobody thought
// of. ASSAY_FUZZ_STRUCTURE=0 is for measuring what it is worth.
unsigned structure_percent() {
  static const unsigned kPercent = [] {
    constexpr unsigned kDefault = 25;
    const char* percent = std::getenv("ASSAY_FUZZ_STRUCTURE");
    return percent == nullptr ? kDefault : static_cast<unsigned>(std::strtoul(percent, nullptr, 10));
  }();
  return kPercent;
}

std::size_t mutate_blindly(std::uint8_t* data, std::size_t size, std::size_t max_size) {
  return LLVMFuzzerMutate != nullptr ? LLVMFuzzerMutate(data, size, max_size)
                                     : assay::fuzz::mutate_bytes_simply(data, size, max_size);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  if (seed % 100 >= structure_percent()) {
    return mutate_blindly(data, size, max_size);
  }
  static const assay::Format& format = *assay::find_format(ASSAY_FUZZ_FORMAT);
  const assay::Buffer changed = assay::fuzz::mutate(format, {data, size}, max_size, seed, mutate_blindly);
  std::ranges::copy(changed, data);
  return changed.size();
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* left, std::size_t left_size,
                                                 const std::uint8_t* right, std::size_t right_size, std::uint8_t* out,
                                                 std::size_t max_out_size, unsigned int seed) {
  static const assay::Format& format = *assay::find_format(ASSAY_FUZZ_FORMAT);
  const bool is_blind = seed % 100 >= structure_percent();
  const assay::Bytes front(left, left_size);
  const assay::Bytes back(right, right_size);
  if (!is_blind) {
    const assay::Buffer mixed = assay::fuzz::cross(format, front, back, max_out_size, seed);
    std::ranges::copy(mixed, out);
    return mixed.size();
  }
  // The front of one with the end of the other.
  const std::size_t kept = std::min(seed / 100 % (left_size + 1), max_out_size);
  const std::size_t taken = std::min(seed / 7 % (right_size + 1), max_out_size - kept);
  std::ranges::copy(front.first(kept), out);
  std::ranges::copy(back.last(taken), out + kept);
  return kept + taken;
}
