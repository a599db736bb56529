#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::fuzz {

// A script that changes the synthetic game folder (fuzz/graph/edited_game.h), then the walk from all its missions. The
// graph hangs together; says the same with warm, cold and tiny caches; names only what exists where it says so; leads
// where a plain search leads (fuzz/graph/plain_game.h); and what is counted from it adds up. The profile follows from
// the hash.
int run_graph(const std::uint8_t* data, std::size_t size);

}  // namespace assay::fuzz
