#include <gtest/gtest.h>

#include "parsers/formats/rsli/rsli_test_support.h"

// Where bytes go when an edit moves them, and what becomes of the end of the file.
namespace assay::rsli {
namespace {

// Bytes that were read as no trailer are none after an edit that leaves them alone.
TEST(RsliLayout, AnEditElsewhereLeavesLastBytesThatLookLikeATrailer) {
  const Buffer image = archive_of({{"A", "abc"}, {"B", std::string("xxAO\x04\0\0\0", 8)}});
  Findings findings;
  const auto archive = Archive::parse(image, {.apply_overlay = false}, findings);
  ASSERT_TRUE(archive.has_value());
  const auto editor = edit(*archive);
  ASSERT_TRUE(editor->replace(0, as_bytes("xyz")));
  Buffer expected = image;
  const auto place = static_cast<std::size_t>(archive->packed_range(0)->offset);
  std::ranges::copy(as_bytes("xyz"), expected.begin() + static_cast<std::ptrdiff_t>(place));
  EXPECT_EQ(*editor->build(), expected);
  ASSERT_TRUE(editor->replace(0, as_bytes("longer")));
  const Buffer longer = *editor->build();
  EXPECT_EQ(longer.size(), image.size() + 3);
  EXPECT_TRUE(equal_bytes(Bytes(longer).last(8), Bytes(image).last(8)));
}

// A payload that ends like a trailer must not shift every offset of the file.
TEST(RsliLayout, APayloadThatEndsLikeATrailerIsReadAsItself) {
  const std::string payload("AO\x05\0\0\0", 6);
  const Buffer image = archive_of({{"A", "sixsix"}});
  const auto [archive, findings] = parsed(image);
  for (const std::string& text : {payload, "longer " + payload}) {
    const auto editor = edit(*archive);
    ASSERT_TRUE(editor->replace(0, as_bytes(text)));
    const Buffer built = *editor->build();
    const Parsed again = parsed(built);
    ASSERT_TRUE(again.archive.has_value());
    EXPECT_EQ(again.archive->overlay(), 0U);
    EXPECT_EQ(loaded(*again.archive, 0), text);
  }
}

// Offsets count from the overlay, and none of them can be negative.
TEST(RsliLayout, RefusesToMoveAPayloadBeforeTheOverlay) {
  Buffer image = archive_of({{"A", "abc"}, {"B", "de"}});
  image = with_row_u32(with_row_u32(image, 0, kRowOffset, 0), 1, kRowOffset, 3);
  image = joined(image, hex("41 4F 60 00 00 00"));
  const auto [archive, findings] = parsed(image);
  ASSERT_EQ(described(findings), Texts{});
  const auto editor = edit(*archive);
  ASSERT_TRUE(editor->remove(1));
  const auto built = editor->build();
  ASSERT_FALSE(built.has_value());
  EXPECT_EQ(described(built.error(), "refused"), "refused not_editable @0 entry[0]");
}

// Without payloads no offset counts from it, and it still has to lie in the file.
TEST(RsliLayout, RefusesToMakeAFileSmallerThanItsOverlay) {
  const Buffer image = archive_of({{"A", std::string(40, 'a')}, {"B", "de"}});
  for (const std::uint32_t overlay : {38U, 39U}) {
    Buffer moved = with_row_u32(with_row_u32(image, 0, kRowOffset, 96 - overlay), 1, kRowOffset, 136 - overlay);
    moved = joined(moved, hex("41 4F 00 00 00 00"));
    store_little_endian(overlay, MutableBytes(moved).last(4));
    const auto [archive, findings] = parsed(moved);
    ASSERT_EQ(described(findings), Texts{});
    const auto editor = edit(*archive);
    ASSERT_TRUE(editor->remove(1));
    ASSERT_TRUE(editor->remove(0));
    const auto built = editor->build();
    EXPECT_EQ(built.has_value(), overlay == 38) << overlay;
    if (!built) {
      EXPECT_EQ(described(built.error(), "refused"), "refused not_editable @0 trailer.overlay");
    }
  }
}

}  // namespace
}  // namespace assay::rsli
