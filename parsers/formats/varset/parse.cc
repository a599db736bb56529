#include <cmath>

#include "parsers/formats/count_check.h"
#include "parsers/formats/varset/varset.h"

namespace assay::varset {
namespace {

// An item with two empty texts.
constexpr std::uint64_t kLeastItemBytes = std::uint64_t{kItemRecord.size_bytes} + 4 + 4 + kWordValuesRecord.size_bytes;

bool is_known(std::uint32_t kind) {
  return kind == kBool || kind == kFloat || kind == kDword;
}

}  // namespace

// Runs the checks in the order of docs/formats/varset.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_) {}

  Result<VariableSet> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (image_.size() < kHeaderRecord.size_bytes) {
      return fail(cursor_.diagnostic(Code::kInputTooShort, 0, "file", Datum::at_least(kHeaderRecord.size_bytes),
                                     Datum::number(image_.size())));
    }
    ASSAY_TRY_ASSIGN(const Header header, cursor_.read<kHeaderRecord>("header"));
    ASSAY_TRY(check_count(cursor_, kHeaderRecord.place(&Header::count, 0, "header"), header.count, kLeastItemBytes,
                          context_.limits));
    names_.reserve(header.count);
    for (std::uint32_t index = 0; index < header.count; ++index) {
      ASSAY_TRY(read_item(FieldPath("item", index)));
    }
    ASSAY_TRY(cursor_.expect_end());
    VariableSet set(image_, std::move(map_));
    set.names_ = std::move(names_);
    return set;
  }

 private:
  // Texts are views, so that only the input bounds them.
  static constexpr std::uint64_t kAnyLength = 0xFFFFFFFF;

  Result<void> read_item(const FieldPath& path) {
    const std::uint64_t start = cursor_.offset();
    ASSAY_TRY_ASSIGN(const Item item, cursor_.read<kItemRecord>(path));
    ASSAY_TRY(check_item(item, start, path));
    ASSAY_TRY_ASSIGN(const Bytes name, cursor_.read_text<kNameRecord>(path, kAnyLength));
    names_.push_back(name);
    const FieldPlace second{cursor_.offset(), path.then("second_text")};
    ASSAY_TRY_ASSIGN(const Bytes text, cursor_.read_text<kSecondTextRecord>(path, kAnyLength));
    if (!text.empty()) {
      findings_.strict(
          cursor_.diagnostic(Code::kUnexpectedValue, second, Datum::number(0), Datum::number(text.size())));
    }
    return read_values(item.kind, path);
  }

  Result<void> check_item(const Item& item, std::uint64_t start, const FieldPath& path) {
    if (item.value_size != kValueBytes) {
      return fail(cursor_.diagnostic(Code::kUnsupportedVariant, kItemRecord.place(&Item::value_size, start, path),
                                     Datum::number(kValueBytes), Datum::number(item.value_size)));
    }
    if (!is_known(item.kind)) {
      findings_.strict(cursor_.diagnostic(Code::kUnexpectedValue, kItemRecord.place(&Item::kind, start, path),
                                          Datum::words("2, 3 or 5"), Datum::number(item.kind)));
    }
    if (item.reserved08 != 0) {
      findings_.strict(cursor_.diagnostic(Code::kInvalidReserved, kItemRecord.place(&Item::reserved08, start, path),
                                          Datum::number(0), Datum::hex(item.reserved08)));
    }
    return {};
  }

  Result<void> read_values(std::uint32_t kind, const FieldPath& item) {
    const FieldPath path = item.then("values");
    const std::uint64_t start = cursor_.offset();
    if (kind == kFloat) {
      ASSAY_TRY_ASSIGN(const FloatValues values, cursor_.read<kFloatValuesRecord>(path));
      if (!std::isfinite(values.value)) {
        findings_.note(
            cursor_.diagnostic(Code::kNonFinite, kFloatValuesRecord.place(&FloatValues::value, start, path)));
      }
      return {};
    }
    ASSAY_TRY_ASSIGN(const WordValues values, cursor_.read<kWordValuesRecord>(path));
    if (kind == kBool && values.value > 1) {
      findings_.note(cursor_.diagnostic(Code::kUnexpectedValue,
                                        kWordValuesRecord.place(&WordValues::value, start, path), Datum::at_most(1),
                                        Datum::number(values.value)));
    }
    return {};
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
  std::vector<Bytes> names_;
};

Result<VariableSet> VariableSet::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<DocumentFact> VariableSet::facts() const {
  return {{"variables", std::to_string(names_.size())}};
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kHeaderRecord>,     kInfoOf<kItemRecord>,        kInfoOf<kNameRecord>,
                                   kInfoOf<kSecondTextRecord>, kInfoOf<kFloatValuesRecord>, kInfoOf<kWordValuesRecord>};
// Loose files of that name are texts; a loose set is known by its structure.
constexpr NamePattern kNamePatterns[] = {{.pattern = "*.var", .entries_only = true}};

// A first item as shipped sets have it.
bool probe(Bytes bytes) {
  if (bytes.size() < kHeaderRecord.size_bytes + kLeastItemBytes) {
    return false;
  }
  const Header header = kHeaderRecord.read(bytes);
  const Bytes items = bytes.subspan(kHeaderRecord.size_bytes);
  const Item first = kItemRecord.read(items);
  const auto name_bytes = load_little_endian<std::uint32_t>(items.subspan(kItemRecord.size_bytes));
  return header.count != 0 && header.count <= items.size() / kLeastItemBytes && first.value_size == kValueBytes &&
         is_known(first.kind) && first.reserved08 == 0 && name_bytes != 0 &&
         name_bytes <= items.size() - kLeastItemBytes;
}

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(VariableSet set, VariableSet::parse(bytes, context, findings));
  return std::make_unique<VariableSet>(std::move(set));
}

constexpr Format kFormat{.id = "varset",
                         .title = "binary set of variables",
                         .documentation = "docs/formats/varset.md",
                         .records = kRecords,
                         .name_patterns = kNamePatterns,
                         .probe = probe,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::varset
