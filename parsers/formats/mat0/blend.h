#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// What the flags of a material ask of the renderer. All of it is inferred from what reads them
// (docs/formats/mat0.md, MA5).
namespace assay::mat0 {

// How a surface is mixed with what is behind it. The texts have static storage.
struct Blend {
  std::uint8_t mode = 0;
  std::string_view source{};
  std::string_view destination{};
  // Pixels below the reference alpha are dropped.
  bool alpha_test = false;
};

// The flags, which are attribute 1 of the directory row.
struct MaterialFlags {
  std::uint32_t raw = 0;
  // Bit 0: passed on when the texture is loaded.
  [[nodiscard]] constexpr bool has_texture_flag() const { return (raw & 1U) != 0; }
  // Bit 1: the path with light and bumps.
  [[nodiscard]] constexpr bool is_lit() const { return (raw & 2U) != 0; }
  // Bits 2 to 5; nothing for an index that the engine's table does not have.
  [[nodiscard]] std::optional<Blend> blend() const;
};

}  // namespace assay::mat0
