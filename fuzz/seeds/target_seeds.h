#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parsers/base/bytes.h"
#include "parsers/formats/format.h"

// Where a fuzz target starts: small inputs of our own making, one or more for each way to be accepted. A format's are
// those of synth; every other target has a file in fuzz/seeds, whose function is `NAME_seeds` after the file.
namespace assay::fuzz {

struct TargetSeed {
  std::string name;
  Buffer bytes;
};

struct FuzzTarget {
  std::string_view name;
  std::vector<TargetSeed> (*seeds)(std::string_view name);
  // The format of that name, or null.
  const Format* format;
};

// All targets, as CMake builds them.
[[nodiscard]] std::vector<FuzzTarget> all_targets();

// A stream target's input: the size it declares, then the stream.
[[nodiscard]] Buffer with_size(std::size_t size_bytes, Bytes packed);

// The seeds of the three targets of one codec: `pack` appends the stream of a plain text. What is encoded starts from
// the plain text, what is decoded from the stream.
[[nodiscard]] std::vector<TargetSeed> codec_seeds(std::string_view name, void (*pack)(Bytes plain, Buffer& out));

// The seeds of a format, named after it, for a target of another kind.
void append_format_seeds(std::string_view format, std::vector<TargetSeed>& seeds);

[[nodiscard]] TargetSeed text_seed(std::string name, std::string_view text);

}  // namespace assay::fuzz
