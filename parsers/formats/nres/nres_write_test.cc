#include <gtest/gtest.h>

#include "parsers/formats/nres/nres_test_support.h"

namespace assay::nres {
namespace {

Buffer canonical_of(const Buffer& image) {
  return *parsed(image).archive->canonical();
}

TEST(NresCanonical, LeavesACanonicalArchiveAlone) {
  for (const Buffer& image : {empty_archive(), three_entries()}) {
    EXPECT_EQ(canonical_of(image), image);
  }
}

TEST(NresCanonical, DropsWhatNoEntryClaims) {
  const Buffer canonical = canonical_of(with_prefix());
  EXPECT_EQ(canonical.size(), 88U);
  const auto [archive, findings] = parsed(canonical);
  ASSERT_TRUE(archive.has_value());
  EXPECT_TRUE(findings.empty());
  EXPECT_EQ(archive->entries()[0].data_offset, 0x10U);
  EXPECT_EQ(as_text(archive->payload(0)), "x");
  EXPECT_EQ(canonical_of(canonical), canonical);
}

TEST(NresCanonical, LaysPayloadsInDirectoryOrderAndKeepsRows) {
  // Entries that point the other way round, overlap, and have tails and attributes.
  Buffer image = with_u32(three_entries(), kThreeRow0 + 0x38, 0x18);
  image = with_u32(image, kThreeRow1 + 0x38, 0x10);
  image = with_u32(image, kThreeRow0 + 0x3C, 77);
  const Buffer canonical = canonical_of(image);
  const auto [archive, findings] = parsed(canonical);
  ASSERT_TRUE(archive.has_value());
  EXPECT_TRUE(findings.empty());
  const Parsed before = parsed(image);
  for (std::size_t index = 0; index < 3; ++index) {
    EXPECT_TRUE(equal_bytes(archive->payload(index), before.archive->payload(index)));
    EXPECT_EQ(archive->entries()[index].name, before.archive->entries()[index].name);
    EXPECT_EQ(archive->entries()[index].attr1, before.archive->entries()[index].attr1);
  }
  EXPECT_EQ(archive->entries()[0].data_offset, 0x10U);
  EXPECT_EQ(archive->entries()[1].data_offset, 0x18U);
  EXPECT_EQ(canonical_of(canonical), canonical);
}

TEST(NresCanonical, IsRefusedWhereAnEntryCannotBeRead) {
  const Parsed result = parsed(with_u32(three_entries(), kThreeRow1 + 0x38, 15));
  const auto canonical = result.archive->canonical();
  ASSERT_FALSE(canonical.has_value());
  EXPECT_EQ(canonical.error().code, Code::kNotEditable);
  EXPECT_EQ(canonical.error().field.to_text(), "entry[1].data_offset");
}

TEST(NresFormat, ParsesAndEditsThroughTheCatalogueEntry) {
  const Buffer image = three_entries();
  Findings findings;
  const auto document = format().parse(image, {}, findings);
  ASSERT_TRUE(document.has_value());
  ASSERT_NE((*document)->container(), nullptr);
  EXPECT_EQ((*document)->write(), image);
  const auto editor = format().edit(**document);
  ASSERT_TRUE(editor.has_value());
  EXPECT_EQ(*(*editor)->build(), image);
  const std::vector<DocumentFact> expected{
      {"header.magic", "NRes"}, {"header.version", "0x100"}, {"header.entry_count", "3"}, {"header.total_size", "224"}};
  EXPECT_EQ((*document)->facts(), expected);
}

}  // namespace
}  // namespace assay::nres
