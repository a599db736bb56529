#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parsers/base/bytes.h"

// The data that codecs are measured on. Nothing is read from files; equal builds give equal bytes.
namespace assay::bench {

enum class Corpus : std::uint8_t {
  kText,     // prose and headers of programs: as many literals as short matches, some long ones
  kTexture,  // images of 256 by 256 pixels of 16 bits: dithered terrain, sprite atlases, panels, smooth terrain
  kMesh,     // vertex positions, normals, texture coordinates and triangle indices of grids
  kNoise,    // nothing matches
  kOneByte,  // everything matches
};
inline constexpr std::array kCorpora = {Corpus::kText, Corpus::kTexture, Corpus::kMesh, Corpus::kNoise,
                                        Corpus::kOneByte};

[[nodiscard]] std::string_view name_of(Corpus corpus);

// Cost: O(size); about 0.1 s for 8 MiB of the dearest kind.
[[nodiscard]] Buffer make_corpus(Corpus corpus, std::size_t size_bytes);

}  // namespace assay::bench
