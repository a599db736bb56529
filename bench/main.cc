#include <benchmark/benchmark.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/build_facts.h"
#include "bench/codecs_bench.h"

// The benchmark program. What a figure depends on besides the code goes into the context of its results.
//
//   assay_bench [--slowed=DECODER:PERCENT] [options of Google Benchmark]
//
// --slowed makes one decoder slower on purpose: with LzssDecode:10 every tenth iteration decodes one more stream. The
// context then says so under `slowed`. It is there to try the rule of `assay perf diff` (bench/decision_live.py).
namespace {

using assay::bench::SlowDown;

constexpr std::string_view kSlowed = "--slowed=";
constexpr unsigned kMostPercent = 1000;

// What stands behind --slowed=, or nothing where that is no name, colon and percentage.
std::optional<SlowDown> parse_slow_down(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) {
    return std::nullopt;
  }
  SlowDown slowed{.decoder = std::string(text.substr(0, colon))};
  const std::string_view number = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), slowed.percent);
  const bool is_whole = error == std::errc() && end == number.data() + number.size();
  return is_whole && slowed.percent <= kMostPercent ? std::optional(slowed) : std::nullopt;
}

int refuse(std::string_view argument) {
  std::fprintf(stderr, "assay_bench: %.*s: wanted is --slowed=DECODER:PERCENT, such as LzssDecode:10\n",
               static_cast<int>(argument.size()), argument.data());
  return 2;
}

int run_benchmarks(std::vector<char*> arguments, const SlowDown& slowed) {
  auto count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) {
    return 2;
  }
  for (const auto& [key, value] : assay::bench::build_facts()) {
    benchmark::AddCustomContext(key, value);
  }
  if (slowed.percent > 0) {
    benchmark::AddCustomContext("slowed", slowed.decoder + " by " + std::to_string(slowed.percent) + " %");
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  SlowDown slowed;
  const auto is_ours = [](const char* argument) { return std::string_view(argument).starts_with(kSlowed); };
  const auto found = std::ranges::find_if(arguments, is_ours);
  if (found != arguments.end()) {
    const std::string_view asked = *found;
    const auto parsed = parse_slow_down(asked.substr(kSlowed.size()));
    if (!parsed || !assay::bench::slow_down(*parsed)) {
      return refuse(asked);
    }
    slowed = *parsed;
    arguments.erase(found);
  }
  return run_benchmarks(std::move(arguments), slowed);
}
