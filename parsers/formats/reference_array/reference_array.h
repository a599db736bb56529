#pragma once

#include <optional>
#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// Reference arrays, the entries of objects.rlb: what one prototype consists of (docs/formats/reference_array.md).
namespace assay::reference_array {

struct Reference {
  FixedString<32> archive_name{};
  FixedString<32> resource_name{};

  // Whether the slot names something; shipped slots that do not are zero throughout.
  [[nodiscard]] bool is_set() const { return !archive_name.text().empty() && !resource_name.text().empty(); }
};

inline constexpr auto kReferenceRecord =
    record<Reference>("reference", 64,
                      field(0x00, "archive_name", &Reference::archive_name, FieldStatus::kLayoutConfirmed)
                          .noted("objects.rlb names a parent; bytes after the NUL are kept"),
                      field(0x20, "resource_name", &Reference::resource_name, FieldStatus::kLayoutConfirmed)
                          .noted("an entry of that archive; bytes after the NUL are kept"));

// A parsed array. Views refer to the bytes it was parsed from.
class ReferenceArray final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/reference_array.md in their order. No bytes are no references. Cost: O(n).
  [[nodiscard]] static Result<ReferenceArray> parse(Bytes image, const ParseContext& context, Findings& findings);

  // In stored order, which is the order of resolution.
  [[nodiscard]] const Records<kReferenceRecord>& references() const { return references_; }
  // The class of the prototype as its directory row says, e.g. `STAT`.
  [[nodiscard]] std::optional<std::uint32_t> type_tag() const { return type_tag_; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  ReferenceArray(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}

  Records<kReferenceRecord> references_;
  std::optional<std::uint32_t> type_tag_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::reference_array
