#include "parsers/resource/materials.h"

#include "parsers/formats/mat0/mat0.h"

namespace assay::resource {
namespace {

constexpr std::uint32_t kTextureTag = 0x6D786554;  // "Texm" in file order

Result<ArchiveHandle> open(Archives& archives, std::string_view name) {
  ASSAY_TRY_ASSIGN(const LegacyPath path, LegacyPath::parse(as_bytes(name)));
  return archives.open(path);
}

std::optional<FoundEntry> find_typed(const ArchiveHandle& archive, std::string_view name, std::uint32_t tag) {
  const auto index = archive->container().find(as_bytes(name));
  if (!index || archive->container().member(*index).type_id != tag) {
    return std::nullopt;
  }
  return FoundEntry{.archive = archive, .index = *index};
}

std::optional<FoundEntry> first_material(const ArchiveHandle& archive) {
  for (std::size_t index = 0; index < archive->container().member_count(); ++index) {
    if (archive->container().member(index).type_id == mat0::kTypeTag) {
      return FoundEntry{.archive = archive, .index = index};
    }
  }
  return std::nullopt;
}

std::optional<FoundMaterial> fallback(const ArchiveHandle& archive) {
  if (const auto standard = find_typed(archive, kDefaultMaterial, mat0::kTypeTag)) {
    return FoundMaterial{.entry = *standard, .step = MaterialStep::kDefault};
  }
  if (const auto first = first_material(archive)) {
    return FoundMaterial{.entry = *first, .step = MaterialStep::kFirst};
  }
  return std::nullopt;
}

Result<FoundEntry> find_picture(Archives& archives, std::string_view archive, std::string_view name, Code missing) {
  ASSAY_TRY_ASSIGN(const ArchiveHandle handle, open(archives, archive));
  const auto found = find_typed(handle, name, kTextureTag);
  if (!found) {
    return fail({.code = missing, .field = "entry"});
  }
  return *found;
}

}  // namespace

std::string_view material_step_text(MaterialStep step) {
  switch (step) {
    case MaterialStep::kNamed: return "named";
    case MaterialStep::kDefault: return "DEFAULT";
    case MaterialStep::kFirst: return "first entry";
  }
  return "named";
}

Result<FoundMaterial> find_material(Archives& archives, std::string_view name, bool& would_help) {
  would_help = false;
  ASSAY_TRY_ASSIGN(const ArchiveHandle handle, open(archives, kMaterialArchive));
  if (const auto named = find_typed(handle, name, mat0::kTypeTag)) {
    return FoundMaterial{.entry = *named};
  }
  const auto other = fallback(handle);
  const bool is_enabled = archives.context().rules.enabled(RuleId::kMaterialFallback);
  if (other && is_enabled) {
    return *other;
  }
  would_help = other.has_value();
  return fail({.code = Code::kMissingMaterial, .field = "entry"});
}

Result<FoundEntry> find_texture(Archives& archives, std::string_view name) {
  return find_picture(archives, kTextureArchive, name, Code::kMissingTexture);
}

Result<FoundEntry> find_lightmap(Archives& archives, std::string_view name) {
  return find_picture(archives, kLightmapArchive, name, Code::kMissingLightmap);
}

std::string wear_name(std::string_view mesh) {
  return std::string(stem_of(mesh)) + ".wea";
}

Result<FoundEntry> find_wear(const FoundEntry& mesh) {
  const std::string name = wear_name(as_text(mesh.member().name));
  const auto index = mesh.archive->container().find(as_bytes(name));
  if (!index) {
    return fail({.code = Code::kMissingEntry, .field = "entry"});
  }
  return FoundEntry{.archive = mesh.archive, .index = *index};
}

}  // namespace assay::resource
