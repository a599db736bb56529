#pragma once

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// A format that no game has: a magic, a count and that many pairs (docs/formats/toy.md).
namespace assay::toy {

inline constexpr std::uint32_t kMagic = 0x21594F54;  // "TOY!" in file order

struct Header {
  std::uint32_t magic = kMagic;
  std::uint32_t pair_count = 0;
};

struct Pair {
  std::uint16_t left = 0;
  std::uint16_t right = 0;
};

inline constexpr auto kHeaderRecord = record<Header>(
    "header", 8,
    field(0x00, "magic", &Header::magic, FieldStatus::kLayoutConfirmed)
        .shown_as(Display::kTag)
        .derived("it marks the format"),
    field(0x04, "pair_count", &Header::pair_count, FieldStatus::kLayoutConfirmed).derived("it counts the pairs"));

inline constexpr auto kPairRecord =
    record<Pair>("pair", 4, field(0x00, "left", &Pair::left, FieldStatus::kLayoutConfirmed),
                 field(0x02, "right", &Pair::right, FieldStatus::kOpaque));

class Toy final : public PlainDocument {
 public:
  [[nodiscard]] static Result<Toy> parse(Bytes image, const ParseContext& context, Findings& findings);

  [[nodiscard]] const Records<kPairRecord>& pairs() const { return pairs_; }

 private:
  Toy(Bytes image, ByteMap map, const Records<kPairRecord>& pairs)
      : PlainDocument(image, std::move(map)), pairs_(pairs) {}

  Records<kPairRecord> pairs_;
};

[[nodiscard]] const Format& format();

}  // namespace assay::toy
