#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::fuzz {

// A script of edits as a user writes them, on one of the seeds of any format: two bytes name the seed, and each line of
// the rest is an edit: `s` and a set expression; `n` ADDRESS=NAME; `p` ADDRESS=PAYLOAD; `a` [ADDRESS::]NAME=PAYLOAD;
// `d` ADDRESS. It is refused at a step that exists and for a reason, or gives the same bytes twice; without a step the
// bytes stay as they are, and setting fields again changes nothing more.
int run_edit_script(const std::uint8_t* data, std::size_t size);

}  // namespace assay::fuzz
