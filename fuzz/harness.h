#pragma once

#include <cstddef>
#include <cstdint>

#include "oracles/failure.h"
#include "parsers/base/bytes.h"
#include "parsers/formats/format.h"

// What every fuzz target shares. A target hands its input to one of these; a broken promise ends the process, which is
// what a fuzzing engine looks for.
namespace assay::fuzz {

// Inputs above this are not looked at: the cap is here and not in the engine's flags, because the engine would cut
// seeds at it, and NRes keeps its directory at the end.
inline constexpr std::size_t kMaxInputBytes = std::size_t{1} << 20;

// Every oracle on one input of one format, with limits small enough that no input can ask for much. Rules and the file
// name follow from a hash of the input, so that corpus files are real files. Always returns 0.
int run_format(const Format& format, const std::uint8_t* data, std::size_t size);

// Hostile bytes into a decoder. Each of these holds its codec to: the same result twice and whatever the memory held,
// nothing written past the output, errors inside the input, agreement with its peer; LZSS on every path also to what
// the plain decoder does. The declared size is in the first four bytes.
int run_lzss(const std::uint8_t* data, std::size_t size);
int run_lzhuf(const std::uint8_t* data, std::size_t size);
int run_deflate(const std::uint8_t* data, std::size_t size);

// Plain bytes through every codec and level and back.
int run_round_trip(const std::uint8_t* data, std::size_t size);

// Prints the failures to stderr and aborts, when there are any.
void require_none(const oracles::Failures& failures);

}  // namespace assay::fuzz
