#pragma once

#include <string>

// The benchmarks of decoders and encoders.
namespace assay::bench {

// A decoder that is made slower on purpose, to see that `assay perf diff` reports it (bench/decision_live.py).
struct SlowDown {
  // A contender, such as "LzssDecode".
  std::string decoder{};
  // How many more streams of a hundred it decodes than are counted.
  unsigned percent = 0;
};

// Slows a decoder down in all benchmarks that are run from now on. False when no decoder has the name.
[[nodiscard]] bool slow_down(const SlowDown& slowed);

}  // namespace assay::bench
