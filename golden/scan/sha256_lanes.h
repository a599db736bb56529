#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// The block function of SHA-256 with the SHA instructions of x86-64, for one or two inputs at once.
//
// A round has to wait four cycles for the one before it, and the unit that computes it could begin one every two. So
// two independent inputs side by side take hardly longer than one: twice the bytes a second. OpenSSL 3.0 does one at a
// time.
namespace assay::golden {

// The eight words of the state, as FIPS 180-4 names them from a to h.
using ShaState = std::array<std::uint32_t, 8>;

inline constexpr ShaState kShaStart{0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                    0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
inline constexpr std::size_t kShaBlockBytes = 64;

// Whether this processor has what the functions below need.
[[nodiscard]] bool has_sha_instructions();

// Takes `blocks` blocks of 64 bytes at `input` into the state. Requires: has_sha_instructions().
void sha256_blocks(ShaState& state, const std::uint8_t* input, std::size_t blocks);

// The same for two inputs, as many blocks of each.
void sha256_blocks(ShaState& first, const std::uint8_t* first_input, ShaState& second, const std::uint8_t* second_input,
                   std::size_t blocks);

}  // namespace assay::golden
