#include <cmath>

#include "parsers/formats/expl/expl.h"

namespace assay::expl {

// Runs the checks in the order of docs/formats/expl.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_) {}

  Result<Explosion> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (image_.size() < sizeof version_) {
      return fail(whole(Code::kInputTooShort, Datum::at_least(sizeof version_)));
    }
    version_ = load_little_endian<std::int32_t>(image_);
    if (version_ < 1 || version_ > kLastVersion) {
      return fail(at(Code::kUnsupportedVersion, &Header::kind_or_version, Datum::words("1, 2 or 3"),
                     Datum::signed_number(version_)));
    }
    if (image_.size() != kSizeBytes) {
      findings_.strict(whole(Code::kSizeMismatch, Datum::number(kSizeBytes)));
      ASSAY_TRY(cursor_.read_opaque("content", image_.size()));
      return finish();
    }
    ASSAY_TRY_ASSIGN(header_, cursor_.read<kHeaderRecord>("header"));
    ASSAY_TRY_ASSIGN(slots_, cursor_.read_array<kSlotRecord>("slot", kSlotCount));
    note_numbers();
    return finish();
  }

 private:
  static constexpr std::int32_t kLastVersion = 3;

  Diagnostic whole(Code code, Datum expected) const {
    return cursor_.diagnostic(code, 0, "file", expected, Datum::number(image_.size()));
  }

  template <typename Member>
  Diagnostic at(Code code, Member Header::* member, Datum expected, Datum got) const {
    return cursor_.diagnostic(code, kHeaderRecord.place(member, 0, "header"), expected, got);
  }

  void note_numbers() {
    for (const auto member : {&Header::damage, &Header::radius}) {
      if (!std::isfinite((*header_).*member)) {
        findings_.note(at(Code::kNonFinite, member, {}, {}));
      }
    }
  }

  Result<Explosion> finish() {
    Explosion explosion(image_, std::move(map_));
    explosion.version_ = version_;
    explosion.header_ = header_;
    explosion.slots_ = slots_;
    return explosion;
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
  std::int32_t version_ = 0;
  std::optional<Header> header_;
  Records<kSlotRecord> slots_;
};

Result<Explosion> Explosion::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<DocumentFact> Explosion::facts() const {
  std::size_t set_count = 0;
  for (std::size_t index = 0; index < slots_.size(); ++index) {
    set_count += slots_[index].is_set() ? 1U : 0U;
  }
  return {{"version", std::to_string(version_)}, {"effects", std::to_string(set_count)}};
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kHeaderRecord>, kInfoOf<kSlotRecord>};
constexpr std::uint32_t kTypeTags[] = {0x4C505845};  // EXPL
constexpr NamePattern kNamePatterns[] = {{.pattern = "*.exp"}};

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Explosion explosion, Explosion::parse(bytes, context, findings));
  return std::make_unique<Explosion>(std::move(explosion));
}

constexpr Format kFormat{.id = "expl",
                         .title = "explosion",
                         .documentation = "docs/formats/expl.md",
                         .records = kRecords,
                         .type_tags = kTypeTags,
                         .name_patterns = kNamePatterns,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::expl
