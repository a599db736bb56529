#include "golden/scan/sha256_lanes.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include <cassert>

namespace assay::golden {

#if defined(__x86_64__)
namespace {

// The round constants of FIPS 180-4, 4.2.2.
alignas(16) constexpr std::array<std::uint32_t, 64> kRoundConstants{
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

constexpr int kRoundGroups = 16;

// One input on its way: the state in the order that the instructions want it (a, b, e, f and c, d, g, h), and the last
// sixteen words of the message schedule.
struct Lane {
  __m128i abef;
  __m128i cdgh;
  // No std::array: a template argument would lose the alignment of the type.
  __m128i schedule[4];
};

#define ASSAY_SHA_TARGET __attribute__((target("sha,sse4.1,ssse3"), always_inline))

ASSAY_SHA_TARGET inline Lane load_lane(const ShaState& state) {
  const __m128i abcd = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data()));
  const __m128i efgh = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data() + 4));
  const __m128i badc = _mm_shuffle_epi32(abcd, 0xB1);
  const __m128i hgfe = _mm_shuffle_epi32(efgh, 0x1B);
  return {_mm_alignr_epi8(badc, hgfe, 8), _mm_blend_epi16(hgfe, badc, 0xF0), {}};
}

ASSAY_SHA_TARGET inline void store_lane(const Lane& lane, ShaState& state) {
  const __m128i feba = _mm_shuffle_epi32(lane.abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(lane.cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

// Four rounds. The words of the first four groups are the block's own, the others follow from the sixteen before.
template <int kGroup>
ASSAY_SHA_TARGET inline void four_rounds(Lane& lane, const std::uint8_t* block) {
  __m128i& oldest = lane.schedule[kGroup % 4];
  const __m128i last = lane.schedule[(kGroup + 3) % 4];
  if constexpr (kGroup < 4) {
    const __m128i big_endian = _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
    oldest = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block + std::size_t{16} * kGroup)),
                              big_endian);
  } else {
    const __m128i partly = _mm_sha256msg1_epu32(oldest, lane.schedule[(kGroup + 1) % 4]);
    const __m128i seven_back = _mm_alignr_epi8(last, lane.schedule[(kGroup + 2) % 4], 4);
    oldest = _mm_sha256msg2_epu32(_mm_add_epi32(partly, seven_back), last);
  }
  const auto* constants = reinterpret_cast<const __m128i*>(kRoundConstants.data() + std::size_t{4} * kGroup);
  const __m128i words = _mm_add_epi32(oldest, _mm_load_si128(constants));
  lane.cdgh = _mm_sha256rnds2_epu32(lane.cdgh, lane.abef, words);
  lane.abef = _mm_sha256rnds2_epu32(lane.abef, lane.cdgh, _mm_shuffle_epi32(words, 0x0E));
}

// All groups of rounds of a block, group by group over the lanes, so that their instructions stand side by side.
template <int kGroup, std::size_t kLanes>
ASSAY_SHA_TARGET inline void rounds_from(std::array<Lane, kLanes>& lanes,
                                         const std::array<const std::uint8_t*, kLanes>& blocks) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    four_rounds<kGroup>(lanes[lane], blocks[lane]);
  }
  if constexpr (kGroup + 1 < kRoundGroups) {
    rounds_from<kGroup + 1>(lanes, blocks);
  }
}

template <std::size_t kLanes>
__attribute__((target("sha,sse4.1,ssse3"))) void run(const std::array<ShaState*, kLanes>& states,
                                                     std::array<const std::uint8_t*, kLanes> inputs,
                                                     std::size_t blocks) {
  std::array<Lane, kLanes> lanes{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    lanes[lane] = load_lane(*states[lane]);
  }
  for (; blocks != 0; --blocks) {
    std::array<Lane, kLanes> before = lanes;
    rounds_from<0>(lanes, inputs);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane].abef = _mm_add_epi32(lanes[lane].abef, before[lane].abef);
      lanes[lane].cdgh = _mm_add_epi32(lanes[lane].cdgh, before[lane].cdgh);
      inputs[lane] += kShaBlockBytes;
    }
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    store_lane(lanes[lane], *states[lane]);
  }
}

#undef ASSAY_SHA_TARGET

bool detect() {
  constexpr unsigned kFeatureLeaf = 7;
  constexpr unsigned kShaBit = 1U << 29;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid_count(kFeatureLeaf, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & kShaBit) != 0 &&
         __builtin_cpu_supports("sse4.1") != 0 && __builtin_cpu_supports("ssse3") != 0;
}

}  // namespace

bool has_sha_instructions() {
  static const bool kHasThem = detect();
  return kHasThem;
}

void sha256_blocks(ShaState& state, const std::uint8_t* input, std::size_t blocks) {
  run<1>({&state}, {input}, blocks);
}

void sha256_blocks(ShaState& first, const std::uint8_t* first_input, ShaState& second, const std::uint8_t* second_input,
                   std::size_t blocks) {
  run<2>({&first, &second}, {first_input, second_input}, blocks);
}

#else

bool has_sha_instructions() {
  return false;
}

void sha256_blocks(ShaState& /*state*/, const std::uint8_t* /*input*/, std::size_t /*blocks*/) {
  assert(false);
}

void sha256_blocks(ShaState& /*first*/, const std::uint8_t* /*first_input*/, ShaState& /*second*/,
                   const std::uint8_t* /*second_input*/, std::size_t /*blocks*/) {
  assert(false);
}

#endif

}  // namespace assay::golden
