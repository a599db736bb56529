#pragma once

#include <cstdint>
#include <span>

#include "oracles/failure.h"
#include "parsers/formats/format.h"

// What must hold for every input, whatever it is. Tests, fuzz targets and the scan call these; none of them knows a
// format.
//
// Each gives the promises that were broken, so an empty list is success. An input that a format refuses is no failure.
// Every `bytes` must outlive the call only; what `context.hints` refers to, too.
namespace assay::oracles {

// Oracle 1: write() gives the bytes that were parsed, and the byte map closes. Cost: O(bytes).
[[nodiscard]] Failures round_trip(const Document& document, Bytes bytes);
// The same for a caller that goes on with the byte map: `map` is what account() gave, and is closed where that
// succeeds.
[[nodiscard]] Failures round_trip(const Document& document, Bytes bytes, ByteMap& map);

// Oracle 2: the canonical form is accepted, is its own canonical form, and says the same: every field that does not
// follow from others, every name, every decoded payload. Refusing is allowed where an entry cannot be read. Cost:
// O(decoded).
[[nodiscard]] Failures canonical(const Format& format, Bytes bytes, const ParseContext& context);

// Oracle 4: what is clean under the strict profile is so under the compatible one, with no rule used; a rule that is
// used is named by the strict profile at the same place; nothing else differs between the two. `context.rules` is not
// used.
[[nodiscard]] Failures profiles(const Format& format, Bytes bytes, const ParseContext& context);

// Oracle 5: find() and find_linear() agree on every stored name, on its variants in case, and on names beside it; a
// name that has no lower-case letter is found. Looks at most at kLookupNames names, evenly spread. Cost: O(names *
// members).
inline constexpr std::size_t kLookupNames = 512;
[[nodiscard]] Failures lookup(const Container& container);

// Oracle 7: every prefix of 0, step, 2 * step ... bytes is refused with a sound diagnostic, or accepted with all that
// holds for accepted input. Each lies in memory of its own size, for the address sanitizer. Requires: step > 0.
[[nodiscard]] Failures prefixes(const Format& format, Bytes bytes, const ParseContext& context, std::size_t step);

// The same input gives the same findings, facts and bytes again; a member decodes to the same whether first, last or
// twice, and whatever the memory held before. Cost: four times decoding everything.
[[nodiscard]] Failures determinism(const Format& format, Bytes bytes, const ParseContext& context);

// A diagnostic lies inside the input, names a field and is no defect of our own. `end_offset` is where the input ends
// in the outermost file.
[[nodiscard]] Failures diagnostic_is_sane(const Diagnostic& diagnostic, std::uint64_t end_offset);
// The same for findings, which besides name an entry that exists and a rule where one was applied.
[[nodiscard]] Failures findings_are_sane(std::span<const Finding> findings, std::uint64_t end_offset,
                                         std::size_t member_count);

// How much check_all() does. What it always does costs two parses and one writing.
struct Effort {
  // How many prefixes are tried; all when there are fewer.
  std::size_t prefix_count = 16;
  // Whether members are decoded, and whether under both profiles.
  bool members = true;
  bool profiles_of_members = true;
  // Whether these oracles are asked.
  bool canonical = true;
  bool determinism = true;
  bool lookup = true;

  // Nothing but what is always done.
  [[nodiscard]] static constexpr Effort least() { return {0, false, false, false, false, false}; }
};

// All oracles above on one input of one format, as far as `effort` goes; members are decoded, but not looked into.
[[nodiscard]] Failures check_all(const Format& format, Bytes bytes, const ParseContext& context,
                                 const Effort& effort = {});

}  // namespace assay::oracles
