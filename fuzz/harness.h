#pragma once

#include <cstddef>
#include <cstdint>

#include "oracles/failure.h"
#include "parsers/base/bytes.h"
#include "parsers/formats/format.h"

// What every fuzz target shares. A target hands its input to one of the run functions; a broken promise ends the
// process, which is what a fuzzing engine looks for.
//
// Whatever varies from input to input - rules, names, levels, keys, and which of the dear oracles are asked - follows
// from a hash of the input, so that corpus files are real files and a crash reproduces. The hash must not change.
namespace assay::fuzz {

// Inputs above this are not looked at: the cap is here and not in the engine's flags, because the engine would cut
// seeds at it, and NRes keeps its directory at the end.
inline constexpr std::size_t kMaxInputBytes = std::size_t{1} << 20;

[[nodiscard]] std::uint64_t hash_of(Bytes bytes);

// Whether every oracle is asked of every input (ASSAY_FUZZ_EFFORT=all), as replaying does. Otherwise each dear one gets
// its share of the inputs.
[[nodiscard]] bool asks_everything();

// The profile, limits and hints under which an input of that hash is parsed: limits so small that no input can ask for
// much.
[[nodiscard]] ParseContext context_for(std::uint64_t hash);

// The oracles on one input of one format. Always returns 0.
int run_format(const Format& format, const std::uint8_t* data, std::size_t size);

// Prints the failures to stderr and aborts, when there are any.
void require_none(const oracles::Failures& failures);
// The same for one promise; `promise` is printed when it is broken.
void require(bool holds, const char* promise);

}  // namespace assay::fuzz
