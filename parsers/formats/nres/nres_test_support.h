#pragma once

#include <optional>

#include "parsers/formats/format_test_support.h"
#include "parsers/formats/nres/nres.h"

namespace assay::nres {

// Every test of the format uses these verbs.
using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

// The vectors of docs/formats/nres.md.
inline Buffer empty_archive() {
  return hex("4E 52 65 73 00 01 00 00 00 00 00 00 10 00 00 00");
}

inline constexpr std::size_t kThreeRow0 = 0x20;
inline constexpr std::size_t kThreeRow1 = 0x60;
inline constexpr std::size_t kThreeRow2 = 0xA0;

// zed_1.bin "ABC", Zeda.bin "12345678" with the name tail "old", alpha empty; sort map 2, 0, 1.
inline Buffer three_entries() {
  return hex(
      "4E 52 65 73 00 01 00 00 03 00 00 00 E0 00 00 00 41 42 43 00 00 00 00 00 31 32 33 34 35 36 37 38"
      "54 45 53 54 01 00 00 00 02 00 00 00 03 00 00 00 03 00 00 00 7A 65 64 5F 31 2E 62 69 6E 00 00 00"
      "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 10 00 00 00 02 00 00 00"
      "54 45 53 54 00 00 00 00 00 00 00 00 08 00 00 00 00 00 00 00 5A 65 64 61 2E 62 69 6E 00 6F 6C 64"
      "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 18 00 00 00 00 00 00 00"
      "54 45 53 54 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 61 6C 70 68 61 00 00 00 00 00 00 00"
      "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 20 00 00 00 01 00 00 00");
}

// One entry behind eight bytes that no entry claims.
inline Buffer with_prefix() {
  return hex(
      "4E 52 65 73 00 01 00 00 01 00 00 00 60 00 00 00 DE AD BE EF 01 02 03 04 78 00 00 00 00 00 00 00"
      "54 45 53 54 00 00 00 00 00 00 00 00 01 00 00 00 01 00 00 00 6F 6E 65 00 00 00 00 00 00 00 00 00"
      "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 18 00 00 00 00 00 00 00");
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

inline Entry named(std::string_view name) {
  return {.name = FixedString<kMaxNameBytes + 1>::from_text(as_bytes(name))};
}

// A canonical archive of those names, with an empty payload each.
inline Buffer archive_of(const std::vector<std::string>& names) {
  std::vector<NewEntry> entries;
  for (const std::string& name : names) {
    entries.push_back({named(name), {}});
  }
  return *build_canonical(entries);
}

inline std::vector<std::uint32_t> stored_map(const Archive& archive) {
  std::vector<std::uint32_t> map;
  for (const Entry& entry : archive.entries()) {
    map.push_back(entry.sort_index);
  }
  return map;
}

}  // namespace assay::nres
