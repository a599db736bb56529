#include "parsers/formats/mat0/blend.h"

#include <array>

namespace assay::mat0 {
namespace {

constexpr std::array<Blend, 6> kModes{{{0, "ONE", "ZERO", false},
                                       {1, "SRCALPHA", "ZERO", true},
                                       {2, "SRCALPHA", "ONE", true},
                                       {3, "ZERO", "SRCCOLOR", true},
                                       {4, "SRCALPHA", "INVSRCALPHA", true},
                                       {5, "DESTCOLOR", "SRCCOLOR", true}}};

// From the index in the flags to a mode.
constexpr std::array<std::uint8_t, 5> kModeOfIndex{0, 4, 2, 3, 5};

}  // namespace

std::optional<Blend> MaterialFlags::blend() const {
  const std::uint32_t index = (raw >> 2) & 0xFU;
  if (index >= kModeOfIndex.size()) {
    return std::nullopt;
  }
  return kModes[kModeOfIndex[index]];
}

}  // namespace assay::mat0
