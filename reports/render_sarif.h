#pragma once

#include <optional>
#include <string>

#include "golden/store.h"
#include "reports/comparison.h"

namespace assay::reports {

// A run as SARIF 2.1.0: each finding a result, on a line of its own. The id of its rule is the named rule that covers
// it, else the code; codes and named rules come with their sentences. Levels: what is refused is an `error`; a broken
// rule of the format that no enabled rule allows a `warning`; one that an enabled rule allows, and a note, a `note`.
// With a comparison each result says whether it is `new`, `unchanged`, `updated` (another level) or `absent` (only in
// the run before). Takes the files one at a time; memory: the result. Throws what the sources throw.
[[nodiscard]] std::string sarif_json(const golden::RunRecord& run, golden::FileSource& files,
                                     const std::optional<Comparison>& before);

// `path` as the reference of a URI: its bytes, percent-encoded but for letters, digits and `-._~/`.
[[nodiscard]] std::string percent_encoded(std::string_view path);

}  // namespace assay::reports
