#include <algorithm>
#include <cmath>

#include "parsers/formats/count_check.h"
#include "parsers/formats/ctpt/ctpt.h"

namespace assay::ctpt {

// Runs the checks in the order of docs/formats/ctpt.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_) {}

  Result<ControlPoints> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (image_.size() < kHeaderRecord.size_bytes) {
      return fail(cursor_.diagnostic(Code::kInputTooShort, 0, "file", Datum::at_least(kHeaderRecord.size_bytes),
                                     Datum::number(image_.size())));
    }
    ASSAY_TRY_ASSIGN(const Header header, cursor_.read<kHeaderRecord>("header"));
    ASSAY_TRY(check_count(cursor_, kHeaderRecord.place(&Header::count, 0, "header"), header.count,
                          kPointRecord.size_bytes + kNameRecord.size_bytes, context_.limits));
    ASSAY_TRY_ASSIGN(points_, cursor_.read_array<kPointRecord>("point", header.count));
    ASSAY_TRY_ASSIGN(names_, cursor_.read_array<kNameRecord>("name", header.count));
    ASSAY_TRY(cursor_.expect_end());
    for (std::size_t index = 0; index < points_.size(); ++index) {
      note_point(index);
      note_name(index);
    }
    return finish();
  }

 private:
  static constexpr std::uint32_t kKnownFlag = 0x80000000;

  template <typename Member>
  void note(Code code, std::size_t index, Member Point::* member, Datum got = {}) {
    findings_.note(cursor_.diagnostic(
        code, kPointRecord.place(member, points_.offset_of(index), FieldPath("point", index)), {}, got));
  }

  void note_point(std::size_t index) {
    const auto is_finite = [](float value) { return std::isfinite(value); };
    const Point point = points_[index];
    if (point.flags_raw != 0 && point.flags_raw != kKnownFlag) {
      note(Code::kUnexpectedValue, index, &Point::flags_raw, Datum::hex(point.flags_raw));
    }
    if (!std::ranges::all_of(point.position, is_finite)) {
      note(Code::kNonFinite, index, &Point::position);
    }
    if (!std::ranges::all_of(point.direction, is_finite)) {
      note(Code::kNonFinite, index, &Point::direction);
    }
  }

  void note_name(std::size_t index) {
    if (names_[index].text.text().empty()) {
      findings_.note(cursor_.diagnostic(
          Code::kEmptyName, kNameRecord.place(&Name::text, names_.offset_of(index), FieldPath("name", index))));
    }
  }

  Result<ControlPoints> finish() {
    ControlPoints points(image_, std::move(map_));
    points.points_ = points_;
    points.names_ = names_;
    return points;
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
  Records<kPointRecord> points_;
  Records<kNameRecord> names_;
};

Result<ControlPoints> ControlPoints::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<DocumentFact> ControlPoints::facts() const {
  return {{"points", std::to_string(points_.size())}};
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kHeaderRecord>, kInfoOf<kPointRecord>, kInfoOf<kNameRecord>};
constexpr std::uint32_t kTypeTags[] = {0x54505443};  // CTPT
constexpr NamePattern kNamePatterns[] = {{.pattern = "*.cpt"}};

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(ControlPoints points, ControlPoints::parse(bytes, context, findings));
  return std::make_unique<ControlPoints>(std::move(points));
}

constexpr Format kFormat{.id = "ctpt",
                         .title = "control points of a model",
                         .documentation = "docs/formats/ctpt.md",
                         .records = kRecords,
                         .type_tags = kTypeTags,
                         .name_patterns = kNamePatterns,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::ctpt
