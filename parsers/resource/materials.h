#pragma once

#include <string_view>

#include "parsers/resource/prototypes.h"

// The chain from a row of a WEAR table to textures (docs/graph.md, "Materials").
namespace assay::resource {

inline constexpr std::string_view kMaterialArchive = "Material.lib";
inline constexpr std::string_view kTextureArchive = "Textures.lib";
inline constexpr std::string_view kLightmapArchive = "LightMap.lib";
inline constexpr std::string_view kDefaultMaterial = "DEFAULT";

// Which entry stands for a material.
enum class MaterialStep : std::uint8_t {
  // The one that is named.
  kNamed,
  // `DEFAULT`; then the first material of the archive. Both under `material_fallback`.
  kDefault,
  kFirst,
};

[[nodiscard]] std::string_view material_step_text(MaterialStep step);

struct FoundMaterial {
  FoundEntry entry;
  MaterialStep step = MaterialStep::kNamed;
};

// What a name of a WEAR row stands for; an entry that is no MAT0 counts as absent. Where `material_fallback` is not
// enabled but would have helped, `would_help` is set. Errors: those of Archives::open(); kMissingMaterial.
[[nodiscard]] Result<FoundMaterial> find_material(Archives& archives, std::string_view name, bool& would_help);

// The texture that a phase names, in Textures.lib alone, or a lightmap, in LightMap.lib alone. Errors: those of
// Archives::open(); kMissingTexture, kMissingLightmap.
[[nodiscard]] Result<FoundEntry> find_texture(Archives& archives, std::string_view name);
[[nodiscard]] Result<FoundEntry> find_lightmap(Archives& archives, std::string_view name);

// The WEAR table of a mesh: the entry beside it with `wea` in place of its extension. Errors: kMissingEntry.
[[nodiscard]] Result<FoundEntry> find_wear(const FoundEntry& mesh);
[[nodiscard]] std::string wear_name(std::string_view mesh);

}  // namespace assay::resource
