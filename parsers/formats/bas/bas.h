#pragma once

#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// Outlines of a building's base, `*.bas`: inner and outer contours (docs/formats/bas.md).
namespace assay::bas {

struct ContourCount {
  std::uint32_t count = 0;
};

struct ContourHeader {
  std::uint32_t side_count = 0;
};

struct Point {
  std::array<float, 3> position{};
};

struct Triangle {
  std::uint32_t index = 0;
};

struct Corner {
  std::uint32_t index = 0;
};

inline constexpr auto kContourCountRecord = record<ContourCount>(
    "contours", 4,
    field(0x00, "count", &ContourCount::count, FieldStatus::kLayoutConfirmed).derived("it is the number of contours"));

inline constexpr auto kContourHeaderRecord =
    record<ContourHeader>("contour", 4,
                          field(0x00, "side_count", &ContourHeader::side_count, FieldStatus::kLayoutConfirmed)
                              .derived("it is one less than the number of points"));

inline constexpr auto kPointRecord =
    record<Point>("point", 12,
                  field(0x00, "position", &Point::position, FieldStatus::kLayoutConfirmed)
                      .noted("anticlockwise; the last repeats the first"));

inline constexpr auto kTriangleRecord =
    record<Triangle>("triangle", 4,
                     field(0x00, "index", &Triangle::index, FieldStatus::kConsumerInferred)
                         .noted("of a triangle in the building's own mesh, exact on 15 of 30"));

inline constexpr auto kCornerRecord = record<Corner>(
    "corner", 4,
    field(0x00, "index", &Corner::index, FieldStatus::kConsumerInferred).noted("0 to 2, of that triangle"));

// One closed contour: a point more than it has sides.
struct Contour {
  Records<kPointRecord> points{};
  // Of inner contours one for each side; of outer contours none.
  Records<kTriangleRecord> triangles{};
  Records<kCornerRecord> corners{};
};

// A parsed base. Views refer to the bytes it was parsed from.
class Base final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/bas.md in their order. Cost: O(points).
  [[nodiscard]] static Result<Base> parse(Bytes image, const ParseContext& context, Findings& findings);

  [[nodiscard]] const std::vector<Contour>& inner() const { return inner_; }
  [[nodiscard]] const std::vector<Contour>& outer() const { return outer_; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  Base(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}

  std::vector<Contour> inner_;
  std::vector<Contour> outer_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::bas
