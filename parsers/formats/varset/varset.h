#pragma once

#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// Binary sets of variables, `*.var` in behpsp.res: the behaviour of a unit (docs/formats/varset.md).
namespace assay::varset {

inline constexpr std::uint32_t kValueBytes = 4;
inline constexpr std::uint32_t kBool = 2;
inline constexpr std::uint32_t kFloat = 3;
inline constexpr std::uint32_t kDword = 5;

struct Header {
  std::uint32_t count = 0;
};

struct Item {
  std::uint32_t value_size = kValueBytes;
  std::uint32_t kind = kDword;
  std::uint32_t reserved08 = 0;
};

struct FloatValues {
  float value = 0;
  float default_value = 0;
  float least = 0;
  float most = 0;
};

struct WordValues {
  std::uint32_t value = 0;
  std::uint32_t default_value = 0;
  std::uint32_t least = 0;
  std::uint32_t most = 0;
};

inline constexpr auto kHeaderRecord = record<Header>(
    "header", 4,
    field(0x00, "count", &Header::count, FieldStatus::kConsumerInferred).derived("it is the number of items"));

inline constexpr auto kItemRecord =
    record<Item>("item", 12,
                 field(0x00, "value_size", &Item::value_size, FieldStatus::kConsumerInferred)
                     .derived("it is the size of the values, always 4"),
                 field(0x04, "kind", &Item::kind, FieldStatus::kConsumerInferred)
                     .derived("it selects how the values read")
                     .noted("2 bool, 3 float, 5 dword"),
                 field(0x08, "reserved08", &Item::reserved08, FieldStatus::kOpaque).noted("0"));

inline constexpr auto kNameRecord = text_record("name", "name", FieldType::kString, FieldStatus::kConsumerInferred);

inline constexpr auto kSecondTextRecord =
    text_record("second_text", "second_text", FieldType::kString, FieldStatus::kOpaque).noted("empty");

inline constexpr auto kFloatValuesRecord =
    record<FloatValues>("float_values", 16, field(0x00, "value", &FloatValues::value, FieldStatus::kConsumerInferred),
                        field(0x04, "default_value", &FloatValues::default_value, FieldStatus::kConsumerInferred),
                        field(0x08, "least", &FloatValues::least, FieldStatus::kConsumerInferred),
                        field(0x0C, "most", &FloatValues::most, FieldStatus::kConsumerInferred));

inline constexpr auto kWordValuesRecord =
    record<WordValues>("word_values", 16, field(0x00, "value", &WordValues::value, FieldStatus::kConsumerInferred),
                       field(0x04, "default_value", &WordValues::default_value, FieldStatus::kConsumerInferred),
                       field(0x08, "least", &WordValues::least, FieldStatus::kConsumerInferred),
                       field(0x0C, "most", &WordValues::most, FieldStatus::kConsumerInferred));

// A parsed set. Refers to the bytes it was parsed from.
class VariableSet final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/varset.md in their order. Cost: O(bytes).
  [[nodiscard]] static Result<VariableSet> parse(Bytes image, const ParseContext& context, Findings& findings);

  // The names of the variables, in stored order.
  [[nodiscard]] const std::vector<Bytes>& names() const { return names_; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  VariableSet(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}

  std::vector<Bytes> names_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::varset
