#pragma once

#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// Control points of a model, `*.cpt`: two parallel arrays, points and names (docs/formats/ctpt.md).
namespace assay::ctpt {

struct Header {
  std::uint32_t count = 0;
};

struct Point {
  std::uint32_t flags_raw = 0;
  std::int32_t node = 0;
  std::int32_t second_node = 0;
  std::array<float, 3> position{};
  std::array<float, 3> direction{};
};

struct Name {
  FixedString<32> text{};
};

inline constexpr auto kHeaderRecord = record<Header>("header", 4,
                                                     field(0x00, "count", &Header::count, FieldStatus::kLayoutConfirmed)
                                                         .derived("it is the number of points, and of names"));

inline constexpr auto kPointRecord = record<Point>(
    "point", 36,
    field(0x00, "flags_raw", &Point::flags_raw, FieldStatus::kOpaque)
        .shown_as(Display::kHex)
        .noted("0 on nearly all, also 0x80000000; never read as a float"),
    field(0x04, "node", &Point::node, FieldStatus::kConsumerInferred).noted("the node that the point sits on"),
    field(0x08, "second_node", &Point::second_node, FieldStatus::kConsumerInferred)
        .noted("the same as node on 3,338 of 3,599"),
    field(0x0C, "position", &Point::position, FieldStatus::kConsumerInferred).noted("in the frame of the node"),
    field(0x18, "direction", &Point::direction, FieldStatus::kConsumerInferred)
        .noted("its length is a magnitude of its own; a size has one component that is not zero"));

inline constexpr auto kNameRecord =
    record<Name>("name", 32,
                 field(0x00, "text", &Name::text, FieldStatus::kLayoutConfirmed)
                     .noted("of the point with that index; bytes after the NUL are kept"));

// A parsed list of control points. Views refer to the bytes it was parsed from.
class ControlPoints final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/ctpt.md in their order. Cost: O(points).
  [[nodiscard]] static Result<ControlPoints> parse(Bytes image, const ParseContext& context, Findings& findings);

  // As long as each other: name i is that of point i.
  [[nodiscard]] const Records<kPointRecord>& points() const { return points_; }
  [[nodiscard]] const Records<kNameRecord>& names() const { return names_; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  ControlPoints(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}

  Records<kPointRecord> points_;
  Records<kNameRecord> names_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::ctpt
