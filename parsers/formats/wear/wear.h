#pragma once

#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// WEAR tables, `*.wea`: the materials and lightmaps of one model or landscape, as text (docs/formats/wear.md).
namespace assay::wear {

inline constexpr std::uint32_t kTypeTag = 0x52414557;
inline constexpr std::string_view kMarker = "LIGHTMAPS";

// One row. Its position in the table is what models refer to; the id in front is never used for lookup.
struct Row {
  Bytes legacy_id{};
  Bytes name{};
};

// The words of the text, each a record of its own, and what lies between them.
inline constexpr auto kMaterialCountRecord =
    text_record("material_count", "material_count", FieldType::kWord, FieldStatus::kLayoutConfirmed)
        .derived("it counts the rows that follow");
inline constexpr auto kLegacyIdRecord =
    text_record("legacy_id", "legacy_id", FieldType::kWord, FieldStatus::kLayoutConfirmed)
        .noted("kept as text; rows are found by their position");
inline constexpr auto kNameRecord = text_record("name", "name", FieldType::kWord, FieldStatus::kLayoutConfirmed);
inline constexpr auto kMarkerRecord =
    text_record("marker", "marker", FieldType::kWord, FieldStatus::kLayoutConfirmed).derived("it marks the section");
inline constexpr auto kLightmapCountRecord =
    text_record("lightmap_count", "count", FieldType::kWord, FieldStatus::kLayoutConfirmed)
        .derived("it counts the rows that follow");
inline constexpr auto kSeparatorRecord =
    text_record("separator", "text", FieldType::kWord, FieldStatus::kLayoutConfirmed)
        .derived("blanks and line ends separate the words");

// A parsed table. Views refer to the bytes it was parsed from.
class Wear final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/wear.md in their order. Cost: O(bytes).
  [[nodiscard]] static Result<Wear> parse(Bytes image, const ParseContext& context, Findings& findings);

  // In file order: the index is what a batch of a model holds.
  [[nodiscard]] std::span<const Row> materials() const { return materials_; }
  // Empty where the text has no such section.
  [[nodiscard]] std::span<const Row> lightmaps() const { return lightmaps_; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  Wear(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}

  std::vector<Row> materials_;
  std::vector<Row> lightmaps_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::wear
