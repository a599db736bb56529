#include <algorithm>

#include "parsers/formats/reference_array/reference_array.h"

namespace assay::reference_array {
namespace {

// The classes of prototypes and how many references their entries have in the shipped registry.
struct PrototypeClass {
  std::uint32_t tag;
  std::uint32_t usual_count;
  std::uint32_t other_count;
};

constexpr std::uint32_t kTypeTags[] = {
    0x54415453,  // STAT
    0x4F544E49,  // INTO
    0x4F545845,  // EXTO
    0x4C4C5542,  // BULL
    0x554C5442,  // BTLU
    0x54524F46,  // FORT
    0x534E5057,  // WPNS
    0x4F4E5553,  // SUNO
};

constexpr PrototypeClass kClasses[] = {
    {kTypeTags[0], 6, 6}, {kTypeTags[1], 5, 5}, {kTypeTags[2], 5, 5}, {kTypeTags[3], 5, 5},
    {kTypeTags[4], 5, 7}, {kTypeTags[5], 2, 2}, {kTypeTags[6], 5, 5}, {kTypeTags[7], 2, 2},
};

// Says where an array is longer or shorter than shipped ones of its class.
void check_count(std::uint32_t tag, std::size_t count, const RecordCursor& cursor, Findings& findings) {
  const auto* found = std::ranges::find(kClasses, tag, &PrototypeClass::tag);
  if (found != std::end(kClasses) && count != found->usual_count && count != found->other_count) {
    findings.note(
        cursor.diagnostic(Code::kCountMismatch, 0, "file", Datum::number(found->usual_count), Datum::number(count)));
  }
}

}  // namespace

Result<ReferenceArray> ReferenceArray::parse(Bytes image, const ParseContext& context, Findings& findings) {
  ASSAY_TRY(check_input_size(image, context));
  ByteMap map;
  RecordCursor cursor(image, context.origin, map);
  if (image.size() % kReferenceRecord.size_bytes != 0) {
    return fail(cursor.diagnostic(Code::kSizeMismatch, 0, "file", Datum::multiple_of(kReferenceRecord.size_bytes),
                                  Datum::number(image.size())));
  }
  ASSAY_TRY_ASSIGN(const auto references,
                   cursor.read_array<kReferenceRecord>("reference", image.size() / kReferenceRecord.size_bytes));
  if (context.hints.type_tag) {
    check_count(*context.hints.type_tag, references.size(), cursor, findings);
  }
  ReferenceArray array(image, std::move(map));
  array.references_ = references;
  array.type_tag_ = context.hints.type_tag;
  return array;
}

std::vector<DocumentFact> ReferenceArray::facts() const {
  std::size_t set_count = 0;
  for (std::size_t index = 0; index < references_.size(); ++index) {
    set_count += references_[index].is_set() ? 1U : 0U;
  }
  std::vector<DocumentFact> facts{{"references", std::to_string(references_.size())},
                                  {"set", std::to_string(set_count)}};
  if (type_tag_) {
    facts.emplace_back("tag", tag_text(*type_tag_));
  }
  return facts;
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kReferenceRecord>};

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(ReferenceArray array, ReferenceArray::parse(bytes, context, findings));
  return std::make_unique<ReferenceArray>(std::move(array));
}

constexpr Format kFormat{.id = "reference_array",
                         .title = "references of a prototype",
                         .documentation = "docs/formats/reference_array.md",
                         .records = kRecords,
                         .type_tags = kTypeTags,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::reference_array
