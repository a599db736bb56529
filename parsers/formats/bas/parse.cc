#include <algorithm>
#include <cmath>

#include "parsers/formats/bas/bas.h"
#include "parsers/formats/count_check.h"

namespace assay::bas {

// Runs the checks in the order of docs/formats/bas.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_) {}

  Result<Base> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (image_.size() < kContourCountRecord.size_bytes) {
      return fail(cursor_.diagnostic(Code::kInputTooShort, 0, "file", Datum::at_least(kContourCountRecord.size_bytes),
                                     Datum::number(image_.size())));
    }
    ASSAY_TRY_ASSIGN(std::vector<Contour> inner, read_contours(kInner));
    ASSAY_TRY_ASSIGN(std::vector<Contour> outer, read_contours(kOuter));
    ASSAY_TRY(cursor_.expect_end());
    note_contours(kInner, inner);
    note_contours(kOuter, outer);
    Base base(image_, std::move(map_));
    base.inner_ = std::move(inner);
    base.outer_ = std::move(outer);
    return base;
  }

 private:
  // What tells the two kinds of contours apart.
  struct Kind {
    const char* label;
    bool has_triangles;
  };
  static constexpr Kind kInner{"inner", true};
  static constexpr Kind kOuter{"outer", false};

  // A polygon has three sides; the engine's readers stop at 256.
  static constexpr std::uint32_t kLeastSides = 3;
  static constexpr std::uint32_t kMostSides = 256;

  Result<std::vector<Contour>> read_contours(const Kind& kind) {
    const FieldPlace place = kContourCountRecord.place(&ContourCount::count, cursor_.offset(), kind.label);
    ASSAY_TRY_ASSIGN(const ContourCount contours, cursor_.read<kContourCountRecord>(kind.label));
    ASSAY_TRY(check_count(cursor_, place, contours.count, kContourHeaderRecord.size_bytes + kPointRecord.size_bytes,
                          context_.limits));
    if (contours.count != 1) {
      findings_.strict(
          cursor_.diagnostic(Code::kCountOutOfRange, place, Datum::number(1), Datum::number(contours.count)));
    }
    std::vector<Contour> list;
    list.reserve(contours.count);
    for (std::uint32_t index = 0; index < contours.count; ++index) {
      ASSAY_TRY_ASSIGN(const Contour contour, read_contour(kind, FieldPath(kind.label, index)));
      list.push_back(contour);
    }
    return list;
  }

  Result<Contour> read_contour(const Kind& kind, const FieldPath& path) {
    const FieldPlace place = kContourHeaderRecord.place(&ContourHeader::side_count, cursor_.offset(), path);
    ASSAY_TRY_ASSIGN(const ContourHeader header, cursor_.read<kContourHeaderRecord>(path));
    const std::uint64_t sides = header.side_count;
    ASSAY_TRY(check_sides(kind, place, sides));
    Contour contour;
    ASSAY_TRY_ASSIGN(contour.points, cursor_.read_array<kPointRecord>(path.then("point"), sides + 1));
    if (kind.has_triangles) {
      ASSAY_TRY_ASSIGN(contour.triangles, cursor_.read_array<kTriangleRecord>(path.then("triangle"), sides));
      ASSAY_TRY_ASSIGN(contour.corners, cursor_.read_array<kCornerRecord>(path.then("corner"), sides));
    }
    return contour;
  }

  Result<void> check_sides(const Kind& kind, const FieldPlace& place, std::uint64_t sides) {
    const std::uint64_t per_side =
        kPointRecord.size_bytes + (kind.has_triangles ? kTriangleRecord.size_bytes + kCornerRecord.size_bytes : 0);
    if (kPointRecord.size_bytes + sides * per_side > cursor_.remaining()) {
      return fail(cursor_.diagnostic(Code::kCountOutOfBounds, place, {}, Datum::number(sides)));
    }
    if (sides < kLeastSides || sides > kMostSides) {
      findings_.strict(
          cursor_.diagnostic(Code::kCountOutOfRange, place, Datum::words("3 to 256"), Datum::number(sides)));
    }
    return {};
  }

  void note_contours(const Kind& kind, const std::vector<Contour>& contours) {
    for (std::size_t index = 0; index < contours.size(); ++index) {
      const FieldPath path(kind.label, index);
      note_points(contours[index].points, path);
      note_corners(contours[index].corners, path);
    }
  }

  // Whether the contour closes, and the first point that is no point. Of each contour at most one note a kind.
  void note_points(const Records<kPointRecord>& points, const FieldPath& path) {
    const auto note = [&](Code code, std::size_t index) {
      findings_.note(cursor_.diagnostic(
          code, kPointRecord.place(&Point::position, points.offset_of(index), path.then("point", index))));
    };
    const std::size_t last = points.size() - 1;
    const Bytes raw = points.bytes();
    if (!equal_bytes(raw.first(kPointRecord.size_bytes), raw.last(kPointRecord.size_bytes))) {
      note(Code::kUnexpectedValue, last);
    }
    for (std::size_t index = 0; index <= last; ++index) {
      if (!std::ranges::all_of(points[index].position, [](float value) { return std::isfinite(value); })) {
        note(Code::kNonFinite, index);
        return;
      }
    }
  }

  // The first corner that no triangle has.
  void note_corners(const Records<kCornerRecord>& corners, const FieldPath& path) {
    constexpr std::uint32_t kCorners = 3;
    for (std::size_t index = 0; index < corners.size(); ++index) {
      const std::uint32_t corner = corners[index].index;
      if (corner >= kCorners) {
        findings_.note(cursor_.diagnostic(
            Code::kIndexOutOfRange,
            kCornerRecord.place(&Corner::index, corners.offset_of(index), path.then("corner", index)),
            Datum::below(kCorners), Datum::number(corner)));
        return;
      }
    }
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
};

Result<Base> Base::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<DocumentFact> Base::facts() const {
  std::size_t point_count = 0;
  for (const auto* contours : {&inner_, &outer_}) {
    for (const Contour& contour : *contours) {
      point_count += contour.points.size();
    }
  }
  return {{"inner_contours", std::to_string(inner_.size())},
          {"outer_contours", std::to_string(outer_.size())},
          {"points", std::to_string(point_count)}};
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kContourCountRecord>, kInfoOf<kContourHeaderRecord>, kInfoOf<kPointRecord>,
                                   kInfoOf<kTriangleRecord>, kInfoOf<kCornerRecord>};
constexpr std::uint32_t kTypeTags[] = {0x45534142};  // BASE
constexpr NamePattern kNamePatterns[] = {{.pattern = "*.bas"}};

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Base base, Base::parse(bytes, context, findings));
  return std::make_unique<Base>(std::move(base));
}

constexpr Format kFormat{.id = "bas",
                         .title = "outline of a building's base",
                         .documentation = "docs/formats/bas.md",
                         .records = kRecords,
                         .type_tags = kTypeTags,
                         .name_patterns = kNamePatterns,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::bas
