#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::fuzz {

// A benchmark result: refused with a sentence that names the file, or its figures are finite, no name and metric stands
// twice, and the database gives back what was recorded (on a share of the inputs, since recording is dear).
int run_benchmark_json(const std::uint8_t* data, std::size_t size);

}  // namespace assay::fuzz
