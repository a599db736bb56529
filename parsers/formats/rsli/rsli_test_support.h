#pragma once

#include <optional>

#include "parsers/codecs/xor_stream/xor_stream.h"
#include "parsers/formats/format_test_support.h"
#include "parsers/formats/rsli/rsli.h"

namespace assay::rsli {

// Every test of the format uses these verbs.
using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)
using Texts = std::vector<std::string>;

// Local offsets of fields: in the header, and in a row (docs/formats/rsli.md).
inline constexpr std::size_t kCount = 0x04;
inline constexpr std::size_t kCountCopy = 0x06;
inline constexpr std::size_t kFlag = 0x0E;
inline constexpr std::size_t kUnpackedTotal = 0x10;
inline constexpr std::size_t kRowFlags = 0x10;
inline constexpr std::size_t kRowMap = 0x12;
inline constexpr std::size_t kRowUnpacked = 0x14;
inline constexpr std::size_t kRowOffset = 0x18;
inline constexpr std::size_t kRowPacked = 0x1C;

// The whole-file vectors of docs/formats/rsli.md.
inline Buffer stored_vector() {
  return hex(
      "4E 4C 00 01 01 00 01 00 00 00 00 00 00 00 BA AB 03 00 00 00 34 12 00 00 00 00 00 00 00 00 00 00"
      "28 C6 E7 A1 A4 1F F9 D4 21 27 5B E7 01 64 9F 8A C4 24 3A 77 9B 93 E4 4D D5 B8 81 FB 72 D0 69 DF 61 62 63");
}

inline Buffer lzss_vector() {
  return hex(
      "4E 4C 00 01 01 00 01 00 00 00 00 00 00 00 BA AB 06 00 00 00 34 12 00 00 00 00 00 00 00 00 00 00"
      "36 DD 9E CD AF 18 B7 D4 21 27 5B E7 01 64 9F 8A 84 24 3A 77 9E 93 E4 4D D5 B8 81 FB 74 D0 69 DF"
      "03 61 62 EE F1");
}

inline Buffer lzhuf_vector() {
  return hex(
      "4E 4C 00 01 01 00 01 00 00 00 00 00 00 00 BA AB 0C 00 00 00 34 12 00 00 00 00 00 00 00 00 00 00"
      "32 C1 9E CD AF 18 B7 D4 21 27 5B E7 01 64 9F 8A 44 24 3A 77 94 93 E4 4D D5 B8 81 FB 78 D0 69 DF"
      "FA 7C 7F 18 7F BD 64 78 14");
}

inline Buffer deflate_vector() {
  return hex(
      "4E 4C 00 01 01 00 01 00 00 00 00 00 00 00 BA AB 03 00 00 00 34 12 00 00 00 00 00 00 00 00 00 00"
      "3E C1 9E CD AF 18 B7 D4 21 27 5B E7 01 64 9F 8A C4 25 3A 77 9B 93 E4 4D D5 B8 81 FB 79 D0 69 DF"
      "01 03 00 FC FF 61 62 63");
}

inline Buffer xor_vector() {
  return hex(
      "4E 4C 00 01 02 00 02 00 00 00 00 00 00 00 BA AB 07 00 00 00 34 12 00 00 00 00 00 00 00 00 00 00"
      "38 A9 F2 C6 A8 56 B7 D4 21 27 5B E7 01 64 9F 8A E4 24 3B 77 9E 93 E4 4D F5 B8 81 FB 77 D0 69 DF"
      "26 EB 08 F7 99 2C 35 69 BA FA 49 85 84 CB 3C 11 07 1B 27 61 B5 E7 6E E2 5F 35 7C 8F AB A4 94 D2"
      "71 63 68 6C 43 13 78");
}

inline Buffer xor_lzss_vector() {
  return hex(
      "4E 4C 00 01 02 00 02 00 00 00 00 00 00 00 BA AB 07 00 00 00 34 12 00 00 00 00 00 00 00 00 00 00"
      "38 A9 F2 C6 A8 56 B7 D4 21 27 5B E7 01 64 9F 8A A4 24 3B 77 9E 93 E4 4D F5 B8 81 FB 74 D0 69 DF"
      "26 EB 08 F7 99 2C 35 69 BA FA 49 85 84 CB 3C 11 07 1B 27 61 B5 E7 6E E2 5C 35 7C 8F AB A4 94 D2"
      "01 67 69 F0 D7 78");
}

inline Buffer xor_lzhuf_vector() {
  return hex(
      "4E 4C 00 01 02 00 02 00 00 00 00 00 00 00 BA AB 0D 00 00 00 34 12 00 00 00 00 00 00 00 00 00 00"
      "38 A9 F2 C6 A8 56 B7 D4 21 27 5B E7 01 64 9F 8A 64 24 3B 77 94 93 E4 4D F5 B8 81 FB 78 D0 69 DF"
      "26 EB 08 F7 99 2C 35 69 BA FA 49 85 84 CB 3C 11 07 1B 27 61 B5 E7 6E E2 50 35 7C 8F AB A4 94 D2"
      "F8 7A 74 06 59 DA D8 85 51 78");
}

inline Buffer overlay_vector() {
  return hex(
      "4E 4C 00 01 01 00 01 00 00 00 00 00 00 00 BA AB 05 00 00 00 34 12 00 00 00 00 00 00 00 00 00 00"
      "3B 87 B0 8F E6 56 B7 D4 21 27 5B E7 01 64 9F 8A C4 24 3A 77 9D 93 E4 4D A9 B8 81 FB 74 D0 69 DF"
      "6D 65 64 69 61 41 4F 04 00 00 00");
}

inline Buffer eof_vector() {
  return hex(
      "4E 4C 00 01 01 00 01 00 00 00 00 00 00 00 BA AB 03 00 00 00 34 12 00 00 00 00 00 00 00 00 00 00"
      "33 C9 E4 CA B4 10 8F FA 75 62 03 E7 01 64 9F 8A C4 25 3A 77 9B 93 E4 4D D5 B8 81 FB 78 D0 69 DF"
      "01 03 00 FC FF 61 62 63");
}

// A copy in which `change` has edited the plain entry table.
template <typename Change>
Buffer with_table(Buffer image, Change change) {
  const auto count = static_cast<std::size_t>(load_little_endian<std::uint16_t>(Bytes(image).subspan(kCount)));
  const auto key = load_little_endian<std::uint16_t>(Bytes(image).subspan(0x14));
  const MutableBytes table = MutableBytes(image).subspan(0x20, count * 0x20);
  xor_stream::apply(key, table, table);
  change(table);
  xor_stream::apply(key, table, table);
  return image;
}

template <Scalar T>
Buffer with_row(Buffer image, std::size_t row, std::size_t field, T value) {
  return with_table(std::move(image),
                    [&](MutableBytes table) { store_little_endian(value, table.subspan(row * 0x20 + field)); });
}

inline Buffer with_row_u32(Buffer image, std::size_t row, std::size_t field, std::uint32_t value) {
  return with_row(std::move(image), row, field, value);
}

inline Buffer with_row_u16(Buffer image, std::size_t row, std::size_t field, std::uint16_t value) {
  return with_row(std::move(image), row, field, value);
}

inline Buffer with_row_name(Buffer image, std::size_t row, std::string_view name) {
  return with_table(std::move(image), [&](MutableBytes table) {
    const auto field = FixedString<kMaxNameBytes>::from_text(as_bytes(name));
    std::ranges::copy(field.raw, table.subspan(row * 0x20).begin());
  });
}

struct Parsed {
  Result<Archive> archive;
  Findings findings;
};

inline Parsed parsed(Bytes image, const ParseContext& context = {}) {
  Findings findings;
  auto archive = Archive::parse(image, context, findings);
  return {std::move(archive), std::move(findings)};
}

inline ParseContext in_file(std::string_view name, const RuleSet& rules) {
  ParseContext context = with_rules(rules);
  context.hints = {.name = as_bytes(name), .is_file = true};
  return context;
}

// The decoded payload, or the refusal as a text.
inline std::string loaded(const Container& archive, std::size_t index) {
  DecodeScratch scratch;
  Findings findings;
  const auto payload = archive.load(index, scratch, findings);
  return payload ? text_of(*payload) : described(payload.error(), "refused");
}

inline Texts all_that_is_said(const Parsed& result) {
  Texts texts = described(result.findings);
  if (!result.archive) {
    texts.push_back(described(result.archive.error(), "refused"));
  }
  return texts;
}

// A row for archive_of(): a payload and how to pack it.
struct Plain {
  std::string name;
  std::string payload;
  Method method = Method::kStored;
};

// An archive of those rows in canonical layout, seed 0x1234, presorted, header copies in step.
inline Buffer archive_of(const std::vector<Plain>& rows) {
  Header header;
  header.xor_seed = 0x1234;
  header.entry_count_copy = static_cast<std::uint16_t>(rows.size());
  std::vector<Buffer> packed;
  packed.reserve(rows.size());
  std::vector<PackedEntry> entries;
  for (const Plain& row : rows) {
    packed.push_back(pack(row.method, as_bytes(row.payload), kDefaultLevel));
    const auto size = static_cast<std::uint32_t>(row.payload.size());
    header.unpacked_total += size;
    Entry entry;
    entry.name = FixedString<kMaxNameBytes>::from_text(as_bytes(row.name));
    entry.flags = static_cast<std::uint16_t>(row.method);
    entry.unpacked_size = size;
    entries.push_back({entry, packed.back()});
  }
  return *build(header, entries);
}

// Row 0 "B" at 0x60, row 1 "A" at 0x63, presorted map 1, 0.
inline Buffer two_rows() {
  return archive_of({{"B", "abc"}, {"A", "xyz12"}});
}

inline constexpr std::uint32_t kTwoRowsSize = 0x60 + 8;

}  // namespace assay::rsli
