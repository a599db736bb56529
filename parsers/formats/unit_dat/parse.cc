#include "parsers/formats/unit_dat/unit_dat.h"

namespace assay::unit_dat {

// Runs the checks in the order of docs/formats/unit_dat.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_) {}

  Result<UnitDat> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (image_.size() < kHeaderRecord.size_bytes) {
      return fail(whole(Code::kInputTooShort, Datum::at_least(kHeaderRecord.size_bytes)));
    }
    const Header header = kHeaderRecord.read(image_);
    if (header.magic != kMagic) {
      return fail(cursor_.diagnostic(Code::kInvalidMagic, kHeaderRecord.place(&Header::magic, 0, "header"),
                                     Datum::hex(kMagic), Datum::hex(header.magic)));
    }
    if ((image_.size() - kHeaderRecord.size_bytes) % kComponentRecord.size_bytes != 0) {
      return read_binding();
    }
    ASSAY_TRY_ASSIGN(header_, cursor_.read<kHeaderRecord>("header"));
    ASSAY_TRY_ASSIGN(components_, cursor_.read_array<kComponentRecord>(
                                      "component", cursor_.remaining() / kComponentRecord.size_bytes));
    check_header();
    for (std::size_t index = 0; index < components_.size(); ++index) {
      check_component(index);
    }
    check_tree();
    return finish();
  }

 private:
  Diagnostic whole(Code code, Datum expected) const {
    return cursor_.diagnostic(code, 0, "file", expected, Datum::number(image_.size()));
  }

  template <typename Member>
  Diagnostic at(Code code, std::size_t index, Member Component::* member, Datum expected, Datum got) const {
    return cursor_.diagnostic(
        code, kComponentRecord.place(member, components_.offset_of(index), FieldPath("component", index)), expected,
        got);
  }

  // The size is no whole number of components: an error, unless the rule for the short form covers it.
  Result<UnitDat> read_binding() {
    const Diagnostic refused = whole(Code::kSizeMismatch, Datum::words("8 + 112 n bytes"));
    if (!looks_like_binding()) {
      return fail(refused);
    }
    const bool applied = context_.rules.enabled(RuleId::kLegacyUnitBinding);
    findings_.covered(refused, RuleId::kLegacyUnitBinding, applied, Severity::kError);
    if (applied) {
      ASSAY_TRY_ASSIGN(binding_, cursor_.read<kBindingRecord>("binding"));
    }
    ASSAY_TRY(cursor_.read_opaque("rest", cursor_.remaining()));
    return finish();
  }

  bool looks_like_binding() const {
    if (image_.size() < kBindingRecord.size_bytes) {
      return false;
    }
    const Binding binding = kBindingRecord.read(image_);
    return binding.magic == kMagic && !binding.archive_name.text().empty() && !binding.model_name.text().empty();
  }

  void check_header() {
    if (!all_zero(header_.opaque02)) {
      findings_.note(cursor_.diagnostic(Code::kUnexpectedValue, kHeaderRecord.place(&Header::opaque02, 0, "header"),
                                        Datum::number(0),
                                        Datum::hex(load_little_endian<std::uint16_t>(header_.opaque02))));
    }
  }

  void check_component(std::size_t index) {
    const Component component = components_[index];
    if (!equal_folded(component.archive_name.text(), as_bytes(kRegistryFile))) {
      findings_.strict(at(Code::kUnexpectedValue, index, &Component::archive_name, Datum::words("objects.rlb"), {}));
    }
    if (component.kind != 1) {
      findings_.strict(
          at(Code::kUnexpectedValue, index, &Component::kind, Datum::number(1), Datum::number(component.kind)));
    }
  }

  // Components form one depth-first tree by their child counts. An inferred reading, so a note.
  void check_tree() {
    std::uint64_t owed = 1;
    for (std::size_t index = 0; index < components_.size(); ++index) {
      const std::uint32_t children = components_[index].tail1;
      if (owed == 0 || children > components_.size()) {
        findings_.note(at(Code::kCountMismatch, index, &Component::tail1, {}, Datum::number(children)));
        return;
      }
      owed += children - std::uint64_t{1};
    }
    if (owed != 0 && !components_.empty()) {
      const std::size_t last = components_.size() - 1;
      findings_.note(at(Code::kCountMismatch, last, &Component::tail1, {}, Datum::number(components_[last].tail1)));
    }
  }

  Result<UnitDat> finish() {
    UnitDat unit(image_, std::move(map_));
    unit.header_ = header_;
    unit.components_ = components_;
    unit.binding_ = binding_;
    return unit;
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
  Header header_{};
  Records<kComponentRecord> components_;
  std::optional<Binding> binding_;
};

Result<UnitDat> UnitDat::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<DocumentFact> UnitDat::facts() const {
  return {{"components", std::to_string(components_.size())}};
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kHeaderRecord>, kInfoOf<kComponentRecord>, kInfoOf<kBindingRecord>};

// Many programs call their data *.dat; those of units lie in one folder.
constexpr NamePattern kNamePatterns[] = {{.pattern = "*.dat", .files_only = true, .folder = "units"}};

bool probe(Bytes bytes) {
  if (bytes.size() < kHeaderRecord.size_bytes) {
    return false;
  }
  const Header header = kHeaderRecord.read(bytes);
  return header.magic == kMagic && all_zero(header.opaque02) &&
         (bytes.size() - kHeaderRecord.size_bytes) % kComponentRecord.size_bytes == 0;
}

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(UnitDat unit, UnitDat::parse(bytes, context, findings));
  return std::make_unique<UnitDat>(std::move(unit));
}

constexpr Format kFormat{.id = "unit_dat",
                         .title = "unit description",
                         .documentation = "docs/formats/unit_dat.md",
                         .records = kRecords,
                         .name_patterns = kNamePatterns,
                         .probe = probe,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::unit_dat
