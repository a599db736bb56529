#pragma once

#include <optional>
#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/mat0/blend.h"
#include "parsers/formats/plain_document.h"

// MAT0 materials: colours and textures, one phase or several, and how they play (docs/formats/mat0.md).
namespace assay::mat0 {

inline constexpr std::uint32_t kTypeTag = 0x3054414D;
// Of a material that comes without a directory row; every shipped one has it.
inline constexpr std::uint32_t kUsualVersion = 6;
inline constexpr std::uint16_t kMaxAnimationBlocks = 19;

struct Header {
  std::uint16_t phase_count = 0;
  std::uint16_t animation_block_count = 0;
};

// What newer versions have behind the header; the defaults hold where a version lacks it.
struct Metadata {
  std::uint8_t a = 0xFF;
  std::uint8_t b = 0xFF;
  float c = 1.0F;
  float d = 0.0F;
};

struct Phase {
  std::array<std::uint8_t, 3> ambient{};
  std::uint8_t ambient_alpha = 0;
  std::array<std::uint8_t, 3> diffuse{};
  std::uint8_t diffuse_alpha = 0;
  std::array<std::uint8_t, 3> specular{};
  std::uint8_t specular_alpha = 0;
  std::array<std::uint8_t, 3> emissive{};
  std::uint8_t emissive_alpha = 0;
  std::uint8_t power = 0;
  std::int8_t cell = -1;
  FixedString<16> texture_name{};
};

struct AnimationBlock {
  std::uint32_t header = 0;
  std::uint16_t key_count = 0;
};

struct Key {
  std::uint16_t phase = 0;
  std::uint16_t time = 0;
  std::uint16_t reserved = 0;
};

inline constexpr auto kHeaderRecord =
    record<Header>("header", 4,
                   field(0x00, "phase_count", &Header::phase_count, FieldStatus::kLayoutConfirmed)
                       .derived("it counts the phases that follow"),
                   field(0x02, "animation_block_count", &Header::animation_block_count, FieldStatus::kLayoutConfirmed)
                       .derived("it counts the animation blocks that follow"));

namespace detail {

inline constexpr auto kFieldA = field(0x00, "a", &Metadata::a, FieldStatus::kLayoutConfirmed)
                                    .noted("read as the kind of ground, 0 to 10; 255 none");
inline constexpr auto kFieldB =
    field(0x01, "b", &Metadata::b, FieldStatus::kLayoutConfirmed).noted("255 in everything seen");
inline constexpr auto kFieldC =
    field(0x02, "c", &Metadata::c, FieldStatus::kLayoutConfirmed).noted("read as a factor of speed; 1 in all seen");
inline constexpr auto kFieldD =
    field(0x06, "d", &Metadata::d, FieldStatus::kLayoutConfirmed).noted("read as damage a second");

}  // namespace detail

inline constexpr auto kMetadata2Record = record<Metadata>("metadata_version_2", 2, detail::kFieldA, detail::kFieldB);
inline constexpr auto kMetadata3Record =
    record<Metadata>("metadata_version_3", 6, detail::kFieldA, detail::kFieldB, detail::kFieldC);
inline constexpr auto kMetadataRecord =
    record<Metadata>("metadata", 10, detail::kFieldA, detail::kFieldB, detail::kFieldC, detail::kFieldD);

inline constexpr auto kPhaseRecord = record<Phase>(
    "phase", 34, field(0x00, "ambient", &Phase::ambient, FieldStatus::kConsumerInferred).noted("red, green, blue"),
    field(0x03, "ambient_alpha", &Phase::ambient_alpha, FieldStatus::kConsumerInferred).noted("in hundredths"),
    field(0x04, "diffuse", &Phase::diffuse, FieldStatus::kConsumerInferred).noted("red, green, blue"),
    field(0x07, "diffuse_alpha", &Phase::diffuse_alpha, FieldStatus::kConsumerInferred).noted("scale is disputed"),
    field(0x08, "specular", &Phase::specular, FieldStatus::kConsumerInferred).noted("red, green, blue"),
    field(0x0B, "specular_alpha", &Phase::specular_alpha, FieldStatus::kConsumerInferred).noted("scale is disputed"),
    field(0x0C, "emissive", &Phase::emissive, FieldStatus::kConsumerInferred).noted("red, green, blue"),
    field(0x0F, "emissive_alpha", &Phase::emissive_alpha, FieldStatus::kConsumerInferred).noted("scale is disputed"),
    field(0x10, "power", &Phase::power, FieldStatus::kConsumerInferred),
    field(0x11, "cell", &Phase::cell, FieldStatus::kConsumerInferred)
        .noted("which rectangle of the texture's page; -1 the whole texture"),
    field(0x12, "texture_name", &Phase::texture_name, FieldStatus::kLayoutConfirmed)
        .noted("may fill all 16 bytes; empty means no texture"));

inline constexpr auto kAnimationRecord =
    record<AnimationBlock>("animation", 6,
                           field(0x00, "header", &AnimationBlock::header, FieldStatus::kLayoutConfirmed)
                               .shown_as(Display::kHex)
                               .noted("bits 0 to 2: how it plays; above: what is interpolated"),
                           field(0x04, "key_count", &AnimationBlock::key_count, FieldStatus::kLayoutConfirmed)
                               .derived("it counts the keys that follow"));

inline constexpr auto kKeyRecord =
    record<Key>("key", 6, field(0x00, "phase", &Key::phase, FieldStatus::kConsumerInferred).noted("layout confirmed"),
                field(0x02, "time", &Key::time, FieldStatus::kConsumerInferred).noted("layout confirmed; milliseconds"),
                field(0x04, "reserved", &Key::reserved, FieldStatus::kOpaque).noted("0 in everything seen"));

// One animation block with its keys.
struct Animation {
  AnimationBlock block{};
  Records<kKeyRecord> keys{};

  // Which parts are interpolated between phases: 1 ambient, 2 diffuse, 4 specular, 8 emissive, 16 the ambient alpha; 0
  // takes whole phases. Inferred.
  [[nodiscard]] std::int32_t interpolation_mask() const { return static_cast<std::int32_t>(block.header) >> 3; }
};

// A parsed material. Views refer to the bytes it was parsed from.
class Mat0 final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/mat0.md in their order. Version and flags are attributes 2 and 1 of the
  // directory row in `context.hints`. Cost: O(keys).
  [[nodiscard]] static Result<Mat0> parse(Bytes image, const ParseContext& context, Findings& findings);

  [[nodiscard]] std::uint32_t version() const { return version_; }
  // Nothing for a material without a directory row.
  [[nodiscard]] std::optional<MaterialFlags> flags() const { return flags_; }
  [[nodiscard]] const Metadata& metadata() const { return metadata_; }
  [[nodiscard]] const Records<kPhaseRecord>& phases() const { return phases_; }
  [[nodiscard]] std::span<const Animation> animations() const { return animations_; }
  // What to look the texture of a phase up by: up to the first NUL, without blanks around it. Empty where the phase has
  // no texture. Requires: index < phases().size().
  [[nodiscard]] Bytes texture_name(std::size_t index) const;

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  Mat0(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}

  std::uint32_t version_ = kUsualVersion;
  std::optional<MaterialFlags> flags_;
  Metadata metadata_{};
  Records<kPhaseRecord> phases_;
  std::vector<Animation> animations_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::mat0
