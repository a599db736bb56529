#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "parsers/formats/catalogue.h"
#include "parsers/formats/format_test_support.h"

// What is known by its structure alone, under a name that says nothing.
namespace assay {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

struct Row {
  const char* what;
  Buffer content;
  const char* format;
  ClaimedBy claim;
};

void expect_rows(std::span<const Row> rows) {
  for (const Row& row : rows) {
    // In memory of its own size, for the address sanitizer.
    const Buffer content(row.content.begin(), row.content.end());
    const Identification found = identify(content, ItemHints::of_file(as_bytes("x.bin")));
    EXPECT_EQ(found.format == nullptr ? "" : found.format->id, row.format) << row.what;
    EXPECT_EQ(found.claim, row.claim) << row.what;
  }
}

// Two components, zero throughout.
Buffer unit() {
  return joined(hex("f1 f0 00 00 00 80 00 01"), Buffer(224));
}

TEST(Probe, KnowsAUnitByItsHeaderAndSize) {
  const Buffer whole = unit();
  const Row rows[] = {
      {"two components", whole, "unit_dat", ClaimedBy::kProbe},
      {"another type word", with_u32(whole, 4, 0), "unit_dat", ClaimedBy::kProbe},
      {"no components", truncated(whole, 8), "unit_dat", ClaimedBy::kProbe},
      {"seven bytes", truncated(whole, 7), "", ClaimedBy::kNothing},
      {"nothing", {}, "", ClaimedBy::kNothing},
      {"first byte", with_byte(whole, 0, 0xF0), "", ClaimedBy::kNothing},
      {"second byte", with_byte(whole, 1, 0xF1), "", ClaimedBy::kNothing},
      {"third byte", with_byte(whole, 2, 1), "", ClaimedBy::kNothing},
      {"fourth byte", with_byte(whole, 3, 1), "", ClaimedBy::kNothing},
      {"a byte less", truncated(whole, whole.size() - 1), "", ClaimedBy::kNothing},
      {"a byte more", joined(whole, Buffer{0}), "", ClaimedBy::kNothing},
      {"half a component", truncated(whole, 8 + 56), "", ClaimedBy::kNothing},
      {"components without a header", truncated(whole, 224), "", ClaimedBy::kNothing},
  };
  expect_rows(rows);
}

// Of version 5, with one section.
Buffer sky() {
  return joined(hex("ff ff ff ff 05 00 00 00 01 00 00 00"), Buffer(60));
}

TEST(Probe, KnowsASkyByItsHeader) {
  const Buffer whole = sky();
  const Row rows[] = {
      {"one section", whole, "ske", ClaimedBy::kProbe},
      {"sixteen sections", with_u32(whole, 8, 16), "ske", ClaimedBy::kProbe},
      {"the header alone", truncated(whole, 12), "ske", ClaimedBy::kProbe},
      {"eleven bytes", truncated(whole, 11), "", ClaimedBy::kNothing},
      {"four bytes", truncated(whole, 4), "", ClaimedBy::kNothing},
      {"no sections", with_u32(whole, 8, 0), "", ClaimedBy::kNothing},
      {"seventeen sections", with_u32(whole, 8, 17), "", ClaimedBy::kNothing},
      {"marker", with_byte(whole, 0, 0xFE), "", ClaimedBy::kNothing},
      {"end of the marker", with_byte(whole, 3, 0x7F), "", ClaimedBy::kNothing},
      {"version 4", with_u32(whole, 4, 4), "", ClaimedBy::kNothing},
      {"version 6", with_u32(whole, 4, 6), "", ClaimedBy::kNothing},
  };
  expect_rows(rows);
}

// An NRes archive of nothing but rows of 64 bytes, which begin with their type.
Buffer archive_of(const std::vector<std::string>& types) {
  Buffer image = hex("4e 52 65 73 00 01 00 00 00 00 00 00 00 00 00 00");
  image = with_u32(std::move(image), 8, static_cast<std::uint32_t>(types.size()));
  for (const std::string& type : types) {
    image = joined(std::move(image), with_text(Buffer(64), 0, type));
  }
  return with_u32(image, 12, static_cast<std::uint32_t>(image.size()));
}

TEST(Probe, KnowsATreeByItsStreamsAlone) {
  std::vector<std::string> streams;
  for (const char number : std::string_view("0123456789AB")) {
    streams.push_back(std::string("TRF") + number);
  }
  std::vector<std::string> foreign_first = streams;
  foreign_first.insert(foreign_first.begin(), "NOTE");
  std::vector<std::string> foreign_last = streams;
  foreign_last.emplace_back("NOTE");
  const Buffer whole = archive_of(streams);
  const Row rows[] = {
      {"all streams", whole, "trf", ClaimedBy::kProbe},
      {"one stream", archive_of({streams.back()}), "trf", ClaimedBy::kProbe},
      {"a stream of another type first", archive_of(foreign_first), "nres", ClaimedBy::kMagic},
      {"a stream of another type last", archive_of(foreign_last), "nres", ClaimedBy::kMagic},
      {"a stream of a thirteenth type", archive_of({"TRFC"}), "nres", ClaimedBy::kMagic},
      {"no stream", archive_of({}), "nres", ClaimedBy::kMagic},
      {"more streams than fit", with_u32(whole, 8, 1000), "nres", ClaimedBy::kMagic},
      {"a directory that is cut", truncated(whole, whole.size() - 1), "nres", ClaimedBy::kMagic},
  };
  expect_rows(rows);
}

}  // namespace
}  // namespace assay
