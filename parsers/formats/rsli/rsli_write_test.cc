#include <gtest/gtest.h>

#include "parsers/formats/rsli/rsli_test_support.h"

namespace assay::rsli {
namespace {

// canonical(x) parses to the same model, and doing it again changes nothing. Gives canonical(x).
Buffer expect_canonical(const Buffer& image, const ParseContext& context, const std::string& what) {
  const Parsed before = parsed(image, context);
  const auto canonical = before.archive->canonical();
  EXPECT_TRUE(canonical.has_value()) << what;
  const Parsed after = parsed(*canonical, context);
  EXPECT_TRUE(after.archive.has_value()) << what;
  EXPECT_EQ(*after.archive->canonical(), *canonical) << what;
  EXPECT_EQ(after.archive->overlay(), 0U) << what;
  EXPECT_TRUE(equal_bytes(Bytes(image).subspan(8, 24), Bytes(*canonical).subspan(8, 24))) << what << ": header";
  for (std::size_t index = 0; index < before.archive->member_count(); ++index) {
    const Entry& old_row = before.archive->entries()[index];
    const Entry& new_row = after.archive->entries()[index];
    EXPECT_EQ(new_row.name, old_row.name) << what;
    EXPECT_EQ(new_row.flags, old_row.flags) << what;
    EXPECT_EQ(new_row.service, old_row.service) << what;
    EXPECT_EQ(loaded(*after.archive, index), loaded(*before.archive, index)) << what;
  }
  return *canonical;
}

TEST(RsliCanonical, LeavesCanonicalVectorsAlone) {
  for (const Buffer& image : {stored_vector(), lzss_vector(), lzhuf_vector(), deflate_vector(), xor_vector(),
                              xor_lzss_vector(), xor_lzhuf_vector(), archive_of({})}) {
    EXPECT_EQ(expect_canonical(image, {}, "vector"), image);
  }
}

TEST(RsliCanonical, FoldsTheOverlayAndDropsTheTrailer) {
  const Buffer canonical = expect_canonical(overlay_vector(), {}, "overlay");
  EXPECT_EQ(canonical.size(), 69U);
  EXPECT_EQ(parsed(canonical).archive->entries()[0].data_offset_raw, 0x40U);
  EXPECT_FALSE(parsed(canonical).archive->trailer().has_value());
}

TEST(RsliCanonical, WritesSharedRangesOncePerRowInRowOrder) {
  Buffer image = archive_of({{"B", "shared"}, {"A", ""}});
  image = with_row_u32(with_row_u32(with_row_u32(image, 1, kRowOffset, 96), 1, kRowPacked, 6), 1, kRowUnpacked, 6);
  image = joined(image, hex("01 02 03"));
  const Buffer canonical = expect_canonical(image, {}, "shared");
  EXPECT_EQ(canonical.size(), 96U + 12);
  EXPECT_EQ(parsed(canonical).archive->entries()[1].data_offset_raw, 102U);
}

TEST(RsliCanonical, RebuildsTheMapAndEncryptsWithIt) {
  // A stored map that is none; the payload was encrypted with the stored value 7.
  Buffer image = with_row_u16(xor_vector(), 0, kRowMap, 7);
  const MutableBytes payload = MutableBytes(image).subspan(0x60, 6);
  xor_stream::apply(1, payload, payload);
  xor_stream::apply(7, payload, payload);
  EXPECT_EQ(expect_canonical(image, compatible(), "map"), xor_vector());
  EXPECT_EQ(verdict_of(parsed(xor_vector()).findings.list()), Verdict::kOk);
}

TEST(RsliCanonical, KeepsTheFlagOfAnArchiveWithoutAMap) {
  const Buffer image = with_row_u16(with_u16(xor_lzss_vector(), kFlag, 0), 0, kRowMap, 0x7777);
  const Buffer canonical = expect_canonical(image, {}, "flag");
  EXPECT_EQ(canonical, with_u16(xor_lzss_vector(), kFlag, 0));
}

TEST(RsliCanonical, SetsSizesToTheBytesThereAre) {
  const ParseContext context = in_file("sprites.lib", RuleSet::compatible());
  const Buffer canonical = expect_canonical(eof_vector(), context, "eof");
  EXPECT_EQ(parsed(canonical).archive->entries()[0].packed_size, 8U);
  EXPECT_TRUE(parsed(canonical).findings.empty());
}

TEST(RsliCanonical, KeepsARowReadableThatNeedsItsRule) {
  const ParseContext context = in_file("sprites.lib", RuleSet::compatible());
  const Buffer image = with_row_u32(joined(truncated(eof_vector(), 64), hex("4B 4C 4A 06")), 0, kRowPacked, 5);
  EXPECT_EQ(expect_canonical(image, context, "no end"), image);
  EXPECT_EQ(loaded(*parsed(image, context).archive, 0), "abc");
}

TEST(RsliCanonical, NeverMakesATrailerOfAPayload) {
  // The packed range reaches over the trailer, so its last bytes are "AO" and an overlay.
  const Buffer image = with_row_u32(with_row_u32(overlay_vector(), 0, kRowPacked, 11), 0, kRowUnpacked, 11);
  const Buffer canonical = expect_canonical(image, {}, "trailer");
  EXPECT_EQ(parsed(canonical).archive->overlay(), 0U);
}

TEST(RsliCanonical, IsRefusedWhereARowCannotBeRead) {
  const Buffer image = with_row_u16(stored_vector(), 0, kRowFlags, 0xC0);
  const auto canonical = parsed(image).archive->canonical();
  ASSERT_FALSE(canonical.has_value());
  EXPECT_EQ(canonical.error().code, Code::kNotEditable);
  EXPECT_EQ(canonical.error().field.to_text(), "entry[0].flags");
}

TEST(RsliBuild, RefusesMoreRowsThanTheCountHolds) {
  const std::vector<PackedEntry> rows(kMaxEntryCount + 1);
  const auto refused = build({}, rows);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::kInvalidEntryCount);
}

TEST(RsliFormat, ParsesAndEditsThroughTheCatalogueEntry) {
  const Buffer image = overlay_vector();
  Findings findings;
  const auto document = format().parse(image, {}, findings);
  ASSERT_TRUE(document.has_value());
  ASSERT_NE((*document)->container(), nullptr);
  const auto editor = format().edit(**document);
  ASSERT_TRUE(editor.has_value());
  EXPECT_EQ(*(*editor)->build(), image);
}

}  // namespace
}  // namespace assay::rsli
