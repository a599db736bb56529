#pragma once

#include <cstddef>
#include <cstdint>

#include "parsers/formats/format.h"

// Mutation of inputs by what their format says of them, for every format of parsers/formats.def alike: everything comes
// from record tables, byte maps and editors.
namespace assay::fuzz {

// Changes bytes without knowing what they are, as LLVMFuzzerMutate does: `data` holds `size` bytes and has room for
// `max_size`; returns the new size.
using MutateBytes = std::size_t (*)(std::uint8_t* data, std::size_t size, std::size_t max_size);

// What mutate_bytes_simply() is for engines that have no such function: flips, inserts, copies and removes. Its numbers
// come from the bytes.
std::size_t mutate_bytes_simply(std::uint8_t* data, std::size_t size, std::size_t max_size);

// A changed `input` of at most `max_bytes`.
//
// Fields get values at the edges of their types, of their neighbours or of other records; records of a list are
// duplicated, removed and swapped; texts change; members of archives are replaced, renamed, added, removed, packed
// otherwise, and mutated by their own format, at any depth. Counts, sizes, offsets, sort maps and transformed tables
// are brought into step again, by the editors or by trying which number of the old state makes the format accept the
// new one. In about one of eight cases one number is then put out of step on purpose. An input that its format refuses
// gets `mutate_bytes` only.
//
// The same arguments give the same result, as far as `mutate_bytes` does. Cost: a few parses, with growing lists a few
// dozen.
[[nodiscard]] Buffer mutate(const Format& format, Bytes input, std::size_t max_bytes, std::uint64_t seed,
                            MutateBytes mutate_bytes);

// A mixture of two inputs: members, records or fields of `right` in `left`; where they have nothing in common, the
// front of one with the end of the other.
[[nodiscard]] Buffer cross(const Format& format, Bytes left, Bytes right, std::size_t max_bytes, std::uint64_t seed);

}  // namespace assay::fuzz
