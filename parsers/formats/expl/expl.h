#pragma once

#include <optional>
#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// Explosions, `*.exp`: what a hit does, and what it looks like on each ground (docs/formats/expl.md).
namespace assay::expl {

struct Header {
  std::int32_t kind_or_version = 1;
  float damage = 0;
  float radius = 0;
  std::array<std::uint8_t, 4> opaque0c{};
  std::array<std::uint8_t, 4> opaque10{};
  std::int32_t placement = 0;
};

struct Slot {
  FixedString<32> archive_name{};
  FixedString<32> resource_name{};

  [[nodiscard]] bool is_set() const { return !resource_name.text().empty(); }
};

inline constexpr std::size_t kSlotCount = 12;

inline constexpr auto kHeaderRecord = record<Header>(
    "header", 24,
    field(0x00, "kind_or_version", &Header::kind_or_version, FieldStatus::kLayoutConfirmed)
        .derived("it selects the layout")
        .noted("1, 2 or 3; read as no damage, direct hit, blast"),
    field(0x04, "damage", &Header::damage, FieldStatus::kConsumerInferred).noted("0 to 800,000"),
    field(0x08, "radius", &Header::radius, FieldStatus::kConsumerInferred)
        .noted("absolute on projectiles, else a multiple of the node's radius"),
    field(0x0C, "opaque0c", &Header::opaque0c, FieldStatus::kOpaque).noted("1.0 as a float in all shipped files"),
    field(0x10, "opaque10", &Header::opaque10, FieldStatus::kOpaque).noted("1.0 as a float in all shipped files"),
    field(0x14, "placement", &Header::placement, FieldStatus::kConsumerInferred).noted("7 on 63, 0 on 81"));

inline constexpr auto kSlotRecord =
    record<Slot>("slot", 64, field(0x00, "archive_name", &Slot::archive_name, FieldStatus::kLayoutConfirmed),
                 field(0x20, "resource_name", &Slot::resource_name, FieldStatus::kLayoutConfirmed)
                     .noted("slot 0 the effect, slots 1 to 11 the effect on ground surface 0 to 10"));

inline constexpr std::size_t kSizeBytes = kHeaderRecord.size_bytes + kSlotCount * kSlotRecord.size_bytes;

// A parsed explosion. Views refer to the bytes it was parsed from.
class Explosion final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/expl.md in their order. Cost: O(1).
  [[nodiscard]] static Result<Explosion> parse(Bytes image, const ParseContext& context, Findings& findings);

  [[nodiscard]] std::int32_t version() const { return version_; }
  // Nothing where the size is not that of the layout; the bytes are then kept raw.
  [[nodiscard]] const std::optional<Header>& header() const { return header_; }
  // kSlotCount of them, or none where there is no header.
  [[nodiscard]] const Records<kSlotRecord>& slots() const { return slots_; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  Explosion(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}

  std::int32_t version_ = 0;
  std::optional<Header> header_;
  Records<kSlotRecord> slots_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::expl
