#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::fuzz {

// A script of edits on one of the seed archives: replace, rename, add, remove, set fields, build and go on with what
// was built. After each build the archive has to say what a plain list of names, payloads and rows says that went
// through the same edits.
int run_editor(const std::uint8_t* data, std::size_t size);

}  // namespace assay::fuzz
