#pragma once

#include <span>

#include "fuzz/mutate/structure.h"

// Bringing counts and sizes into step after a list or a text changed its length, without knowing which field counts
// what: a field that held the old number and with the new one makes the format accept the input is the one.
namespace assay::fuzz {

// One run of bytes that gets others in its place.
struct Change {
  std::size_t offset = 0;
  std::size_t old_bytes = 0;
  // Records, where it is a list.
  std::size_t old_count = 0;
  std::size_t new_count = 0;
  Buffer bytes{};
};

// `input` with the changes made. Tries at most some dozens of fields, alone, in pairs and all together; where none
// helps, the result is what the first candidate gives, and out of step. Cost: a parse for each.
//
// Requires: the changes are in the order of their offsets and do not overlap.
[[nodiscard]] Buffer repaired(const Format& format, const Structure& structure, Bytes input,
                              std::span<const Change> changes);

// An archive that was built around a changed member: the same for the fields of its directory, which `archive_format`
// reads.
[[nodiscard]] Buffer repaired_row(const Format& format, const Format& archive_format, Buffer image,
                                  const Change& change);

}  // namespace assay::fuzz
