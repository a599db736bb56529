#pragma once

#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// What the nodes of a model withstand and what their loss looks like, `*.ndp` (docs/formats/ndpr.md).
namespace assay::ndpr {

struct Header {
  std::int32_t count = 0;
};

struct NodeDamage {
  std::uint32_t flags = 0;
  float hit_points = 0;
  float density = 0;
  FixedString<32> archive_name{};
  FixedString<32> resource_name{};
};

inline constexpr auto kHeaderRecord = record<Header>(
    "header", 4,
    field(0x00, "count", &Header::count, FieldStatus::kLayoutConfirmed).derived("it is the number of records"));

inline constexpr auto kNodeDamageRecord =
    record<NodeDamage>("record", 76,
                       field(0x00, "flags", &NodeDamage::flags, FieldStatus::kConsumerInferred)
                           .shown_as(Display::kHex)
                           .noted("1 scenery, 0x70 projectiles, 0x20 left and 0x40 right running gear"),
                       field(0x04, "hit_points", &NodeDamage::hit_points, FieldStatus::kConsumerInferred)
                           .noted("1,000,000 is indestructible; also read as a greatest volume"),
                       field(0x08, "density", &NodeDamage::density, FieldStatus::kConsumerInferred)
                           .noted("mass of the node by its volume; also read as a share of mobility"),
                       field(0x0C, "archive_name", &NodeDamage::archive_name, FieldStatus::kLayoutConfirmed)
                           .noted("empty: the archive that the table lies in"),
                       field(0x2C, "resource_name", &NodeDamage::resource_name, FieldStatus::kLayoutConfirmed)
                           .noted("an explosion (`.exp`), or empty"));

// A parsed table. Views refer to the bytes it was parsed from.
class NodeDamages final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/ndpr.md in their order. Cost: O(records).
  [[nodiscard]] static Result<NodeDamages> parse(Bytes image, const ParseContext& context, Findings& findings);

  // Record i is that of the model's node i.
  [[nodiscard]] const Records<kNodeDamageRecord>& records() const { return records_; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  NodeDamages(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}

  Records<kNodeDamageRecord> records_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::ndpr
