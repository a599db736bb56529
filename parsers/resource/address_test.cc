#include "parsers/resource/address.h"

#include <gtest/gtest.h>

#include "parsers/formats/decode_scratch.h"
#include "parsers/formats/nres/nres.h"

namespace assay {
namespace {

// An archive with these names, in this order.
Buffer archive_named(std::initializer_list<std::string_view> names) {
  std::vector<nres::NewEntry> rows;
  for (const std::string_view name : names) {
    rows.push_back({.row = {.name = FixedString<36>::from_text(as_bytes(name))}, .payload = {}});
  }
  return *nres::build_canonical(rows);
}

nres::Archive parsed(Bytes image) {
  Findings findings;
  return *nres::Archive::parse(image, {}, findings);
}

TEST(Address, EveryMemberHasItsOwnAndIsFoundByIt) {
  const Buffer image = archive_named({"a", "A", "a", "", "#0", "x::y", "b:", ":b", "back\\slash", "\xC0\x01", "a b"});
  const nres::Archive archive = parsed(image);
  const std::vector<std::string> addresses = member_addresses(archive);
  const std::vector<std::string> expected{"a",          "A",  "#2", "#3", "#4", "#5", "#6", "#7", "back\\\\slash",
                                          "\\xc0\\x01", "a b"};
  EXPECT_EQ(addresses, expected);
  for (std::size_t index = 0; index < addresses.size(); ++index) {
    EXPECT_EQ(find_member(archive, addresses[index]), index) << addresses[index];
  }
}

TEST(Address, FallsBackToTheLookupOfTheEngine) {
  const Buffer image = archive_named({"Model.msh"});
  const nres::Archive archive = parsed(image);
  EXPECT_EQ(find_member(archive, "MODEL.MSH"), 0U);
  for (const char* step : {"model", "", "#1", "#-1", "#", "#0x0", "#99999999999999999999", "a\\b"}) {
    EXPECT_EQ(find_member(archive, step), std::nullopt) << step;
  }
}

TEST(Address, SplitsAtDoubleColons) {
  EXPECT_EQ(split_address("a.lib::B::#3"), (std::vector<std::string>{"a.lib", "B", "#3"}));
  EXPECT_EQ(split_address("a:b"), (std::vector<std::string>{"a:b"}));
  EXPECT_EQ(split_address(""), (std::vector<std::string>{""}));
  EXPECT_EQ(split_address("a::"), (std::vector<std::string>{"a", ""}));
}

}  // namespace
}  // namespace assay
