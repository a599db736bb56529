#include <gtest/gtest.h>

#include <limits>

#include "parsers/formats/rsli/rsli_test_support.h"

namespace assay::rsli {
namespace {

struct Damage {
  const char* name;
  Buffer image;
  Texts expected;
};

std::vector<Damage> header_damages() {
  const Buffer valid = two_rows();
  return {
      {"nothing", valid, {}},
      {"no bytes", {}, {"refused input_too_short @0 file"}},
      {"a byte less than the header", truncated(valid, 31), {"refused input_too_short @0 file"}},
      {"magic", with_byte(valid, 1, 'M'), {"refused invalid_magic @0 header.magic"}},
      {"reserved", with_byte(valid, 2, 1), {"refused invalid_reserved @2 header.reserved"}},
      {"version 0", with_byte(valid, 3, 0), {"refused unsupported_version @3 header.version"}},
      {"version 2", with_byte(valid, 3, 2), {"refused unsupported_version @3 header.version"}},
      {"count -1", with_u16(valid, kCount, 0xFFFF), {"refused invalid_entry_count @4 header.entry_count"}},
      {"count 0x8000", with_u16(valid, kCount, 0x8000), {"refused invalid_entry_count @4 header.entry_count"}},
      {"count one too many", with_u16(valid, kCount, 3), {"refused entry_table_out_of_bounds @4 header.entry_count"}},
      {"count largest", with_u16(valid, kCount, 0x7FFF), {"refused entry_table_out_of_bounds @4 header.entry_count"}},
      {"count copy", with_u16(valid, kCountCopy, 0xA5), {"note header_copy_mismatch @6 header.entry_count_copy"}},
      {"unpacked total", with_u32(valid, kUnpackedTotal, 9), {"note header_copy_mismatch @16 header.unpacked_total"}},
      {"opaque bytes", with_byte(with_byte(valid, 8, 1), 0x1F, 1), {}},
      {"a byte behind the payloads", joined(valid, Buffer{1}), {"note non_zero_gap @104 region[0]"}},
      {"a zero behind the payloads", joined(valid, Buffer{0}), {}},
      {"overlay past the file",
       joined(valid, hex("41 4F 6F 00 00 00")),
       {"refused media_overlay_out_of_bounds @106 trailer.overlay"}},
  };
}

std::vector<Damage> row_damages() {
  const Buffer valid = two_rows();
  const auto row = [&](std::size_t index, std::size_t field, std::uint32_t value) {
    return with_row_u32(valid, index, field, value);
  };
  const std::string total = "note header_copy_mismatch @16 header.unpacked_total";
  const std::string rule = " [invalid_presorted_fallback-]";
  return {
      {"empty name", with_row_name(valid, 1, ""), {"note empty_name @64 entry[1].name"}},
      {"offset past the file",
       row(0, kRowOffset, kTwoRowsSize + 1),
       {"error packed_size_past_eof @56 entry[0].data_offset_raw", "note non_zero_gap @96 region[0]"}},
      {"offset largest",
       row(0, kRowOffset, 0xFFFFFFFF),
       {"error packed_size_past_eof @56 entry[0].data_offset_raw", "note non_zero_gap @96 region[0]"}},
      {"offset at the end of the file",
       row(0, kRowOffset, kTwoRowsSize),
       {"error packed_size_past_eof @60 entry[0].packed_size", "note non_zero_gap @96 region[0]"}},
      {"one past the file",
       row(1, kRowPacked, 6),
       {"error packed_size_past_eof @92 entry[1].packed_size", "note non_zero_gap @99 region[0]"}},
      {"packed 0x80000000 over the limit",
       row(1, kRowPacked, 0x80000000),
       {"error limit_exceeded @92 entry[1].packed_size", "note non_zero_gap @99 region[0]"}},
      {"unpacked 0x7FFFFFFF over the limit",
       row(1, kRowUnpacked, 0x7FFFFFFF),
       {"error limit_exceeded @84 entry[1].unpacked_size", total, "note non_zero_gap @99 region[0]"}},
      {"stored with two sizes",
       row(1, kRowUnpacked, 4),
       {"error stored_size_mismatch @92 entry[1].packed_size", total}},
      {"xor with two sizes",
       with_row_u16(row(1, kRowUnpacked, 6), 1, kRowFlags, 0x20),
       {"error stored_size_mismatch @92 entry[1].packed_size", total}},
      {"lzss that is too short for its size",
       with_row_u16(row(1, kRowUnpacked, 100), 1, kRowFlags, 0x40),
       {"error truncated_stream @84 entry[1].unpacked_size", total}},
      {"lzhuf that is too short for its size",
       with_row_u16(row(1, kRowUnpacked, 5 * 48 + 1), 1, kRowFlags, 0x80),
       {"error truncated_stream @84 entry[1].unpacked_size", total}},
      {"deflate that is too short for its size",
       with_row_u16(row(1, kRowUnpacked, 5 * 1032 + 1), 1, kRowFlags, 0x100),
       {"error output_size_mismatch @84 entry[1].unpacked_size", total}},
      {"method 0x0C0", with_row_u16(valid, 1, kRowFlags, 0xC0), {"error unsupported_method @80 entry[1].flags"}},
      {"opaque flag bits", with_row_u16(valid, 1, kRowFlags, 0xFE1F), {}},
      {"service bytes", row(1, 0x0C, 0xFFFFFFFF), {}},
      {"starts inside the table",
       row(0, kRowOffset, 0x5F),
       {"note payload_inside_table @56 entry[0].data_offset_raw", "note non_zero_gap @98 region[0]"}},
      {"starts at the table's end", row(0, kRowOffset, 0x60), {}},
      {"an empty row points into the table", with_row_u32(archive_of({{"A", "abc"}, {"B", ""}}), 1, kRowOffset, 0), {}},
      {"ranges share a byte", row(0, kRowOffset, 0x61), {"note non_zero_gap @96 region[0]"}},
      {"ranges are the same",
       with_row_u32(row(0, kRowOffset, 0x63), 1, kRowPacked, 5),
       {"note non_zero_gap @96 region[0]"}},
      {"map value -1",
       with_row_u16(valid, 0, kRowMap, 0xFFFF),
       {"strict sort_index_out_of_range @50 entry[0].sort_to_original" + rule}},
      {"map value N",
       with_row_u16(valid, 1, kRowMap, 2),
       {"strict sort_index_out_of_range @82 entry[1].sort_to_original" + rule}},
      {"map value twice",
       with_row_u16(valid, 1, kRowMap, 1),
       {"strict sort_index_duplicate @82 entry[1].sort_to_original" + rule}},
      {"map not in order",
       with_row_u16(with_row_u16(valid, 0, kRowMap, 0), 1, kRowMap, 1),
       {"strict sort_order_mismatch @82 entry[1].sort_to_original" + rule}},
      {"broken map without the flag", with_u16(with_row_u16(valid, 0, kRowMap, 0xFFFF), kFlag, 0xABBB), {}},
  };
}

TEST(RsliParse, SaysExactlyWhatIsWrongAndWhere) {
  auto damages = header_damages();
  for (Damage& damage : row_damages()) {
    damages.push_back(std::move(damage));
  }
  for (const Damage& damage : damages) {
    const Parsed result = parsed(damage.image);
    EXPECT_EQ(all_that_is_said(result), damage.expected) << damage.name;
    if (result.archive) {
      expect_lossless(*result.archive, damage.image, damage.name);
      expect_lookups_agree(*result.archive, damage.name);
    }
  }
}

TEST(RsliLoad, SaysExactlyWhatIsWrongAndWhere) {
  const Buffer lzss = lzss_vector();
  const Buffer deflate = deflate_vector();
  const Damage damages[] = {
      {"lzss short", with_row_u32(lzss, 0, kRowUnpacked, 7), {"refused truncated_stream @64 entry[0].payload"}},
      {"lzhuf short",
       with_row_u32(lzhuf_vector(), 0, kRowUnpacked, 99),
       {"refused truncated_stream @64 entry[0].payload"}},
      {"xor+lzss short",
       with_row_u32(xor_lzss_vector(), 0, kRowUnpacked, 8),
       {"refused truncated_stream @96 entry[0].payload"}},
      {"deflate gives more",
       with_row_u32(deflate, 0, kRowUnpacked, 2),
       {"refused output_size_mismatch @64 entry[0].payload"}},
      {"deflate gives less",
       with_row_u32(deflate, 0, kRowUnpacked, 4),
       {"refused output_size_mismatch @64 entry[0].payload"}},
      {"deflate ends early",
       with_row_u32(deflate, 0, kRowPacked, 7),
       {"refused truncated_stream @64 entry[0].payload"}},
      {"deflate block type 3", with_byte(deflate, 64, 7), {"refused invalid_stream @64 entry[0].payload"}},
      {"deflate with a zlib header",
       with_row_u32(joined(truncated(deflate, 64), hex("78 9C 4B 4C 4A 06 00 02 4D 01 27")), 0, kRowPacked, 11),
       {"refused invalid_stream @64 entry[0].payload"}},
      {"lzss leaves bytes",
       with_row_u32(joined(lzss, Buffer{1, 2, 3}), 0, kRowPacked, 8),
       {"note unused_packed_bytes @64 entry[0].payload = 3"}},
      {"lzhuf leaves bytes",
       with_row_u32(joined(lzhuf_vector(), Buffer{0}), 0, kRowPacked, 10),
       {"note unused_packed_bytes @64 entry[0].payload = 1"}},
      {"deflate leaves bytes",
       with_row_u32(joined(deflate, Buffer{9, 9}), 0, kRowPacked, 10),
       {"note unused_packed_bytes @64 entry[0].payload = 2"}},
      {"nothing declared from a full payload",
       with_row_u32(lzss, 0, kRowUnpacked, 0),
       {"note unused_packed_bytes @64 entry[0].payload = 5"}},
  };
  for (const Damage& damage : damages) {
    const auto [archive, findings] = parsed(damage.image);
    ASSERT_TRUE(archive.has_value()) << damage.name;
    ASSERT_EQ(archive->entry_error(0), nullptr) << damage.name;
    DecodeScratch scratch;
    Findings load_findings;
    const auto payload = archive->load(0, scratch, load_findings);
    Texts said;
    for (const Finding& finding : load_findings.list()) {
      EXPECT_EQ(finding.entry_index, 0);
      said.push_back(described(finding) + " = " + finding.diagnostic.got.to_text());
    }
    if (!payload) {
      said.push_back(described(payload.error(), "refused"));
    }
    EXPECT_EQ(said, damage.expected) << damage.name;
  }
}

// docs/formats/decisions.md, 15. A literal 'a' and length symbol 286, which RFC 1951 does not know and libdeflate takes
// for the longest match.
TEST(RsliLoad, TellsWhenOnlyOneDecoderAccepts) {
  Buffer image = joined(truncated(deflate_vector(), 64), hex("4B 1C 03 00"));
  image = with_row_u32(with_row_u32(image, 0, kRowPacked, 4), 0, kRowUnpacked, 259);
  ParseContext context;
  for (const bool confirm : {true, false}) {
    context.confirm_deflate = confirm;
    const auto [archive, findings] = parsed(image, context);
    DecodeScratch scratch;
    Findings load_findings;
    const auto payload = archive->load(0, scratch, load_findings);
    ASSERT_TRUE(payload.has_value());
    EXPECT_EQ(as_text(*payload), std::string(259, 'a'));
    EXPECT_EQ(described(load_findings), confirm ? Texts{"strict decoder_disagreement @64 entry[0].payload"} : Texts{});
  }
}

TEST(RsliLoad, DiagnosticsInsideDecodedDataPointToTheMember) {
  ParseContext context;
  context.origin = {.base_offset = 500, .is_decoded = true};
  const Buffer image = with_row_u32(lzss_vector(), 0, kRowUnpacked, 7);
  const auto [archive, findings] = parsed(image, context);
  EXPECT_EQ(loaded(*archive, 0), "refused truncated_stream @500 entry[0].payload");
}

TEST(RsliParse, ChecksInTheDocumentedOrder) {
  const auto code_of = [](const Buffer& image) { return parsed(image).archive.error().code; };
  Buffer image = with_byte(two_rows(), 0, 0);
  image = with_byte(with_byte(image, 2, 1), 3, 2);
  image = with_u16(image, kCount, 0xFFFF);
  EXPECT_EQ(code_of(image), Code::kInvalidMagic);
  image = with_byte(image, 0, 'N');
  EXPECT_EQ(code_of(image), Code::kInvalidReserved);
  image = with_byte(image, 2, 0);
  EXPECT_EQ(code_of(image), Code::kUnsupportedVersion);
  image = with_byte(image, 3, 1);
  EXPECT_EQ(code_of(image), Code::kInvalidEntryCount);
  ParseContext context;
  context.limits.entry_count = 1;
  EXPECT_EQ(parsed(with_u16(two_rows(), kCount, 3), context).archive.error().field.to_text(), "header.entry_count");
  EXPECT_EQ(parsed(with_u16(two_rows(), kCount, 3), context).archive.error().code, Code::kLimitExceeded);
  // The table before the trailer, the trailer before the rows.
  const Buffer trailer = joined(with_row_u32(two_rows(), 0, kRowOffset, 0xFFFFFFFF), hex("41 4F FF FF FF FF"));
  EXPECT_EQ(code_of(with_u16(trailer, kCount, 4)), Code::kEntryTableOutOfBounds);
  EXPECT_EQ(code_of(trailer), Code::kMediaOverlayOutOfBounds);
  // In a row: limits, range, method, sizes.
  image = with_row_u32(two_rows(), 1, kRowPacked, 0xFFFFFFFF);
  image = with_row_u32(with_row_u16(image, 1, kRowFlags, 0xC0), 1, kRowUnpacked, 0xFFFFFFFF);
  const auto row_code = [](const Buffer& bytes) { return parsed(bytes).archive->entry_error(1)->code; };
  EXPECT_EQ(parsed(image).archive->entry_error(1)->field.to_text(), "entry[1].packed_size");
  EXPECT_EQ(row_code(image), Code::kLimitExceeded);
  image = with_row_u32(image, 1, kRowPacked, 6);
  EXPECT_EQ(parsed(image).archive->entry_error(1)->field.to_text(), "entry[1].unpacked_size");
  image = with_row_u32(image, 1, kRowUnpacked, 1);
  EXPECT_EQ(row_code(image), Code::kPackedSizePastEof);
  image = with_row_u32(image, 1, kRowPacked, 5);
  EXPECT_EQ(row_code(image), Code::kUnsupportedMethod);
  image = with_row_u16(image, 1, kRowFlags, 0);
  EXPECT_EQ(row_code(image), Code::kStoredSizeMismatch);
}

TEST(RsliParse, RefusesOrReadsEveryPrefix) {
  for (const Buffer& whole : {two_rows(), overlay_vector(), xor_lzhuf_vector(), deflate_vector()}) {
    const std::size_t table_end =
        32 + std::size_t{32} * load_little_endian<std::uint16_t>(Bytes(whole).subspan(kCount));
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Buffer image = truncated(whole, size);
      const auto [archive, findings] = parsed(image, compatible());
      EXPECT_EQ(archive.has_value(), size >= table_end) << size;
      if (archive) {
        // Without its trailer the overlay vector is another valid file, whose payload starts inside the table.
        const bool lost_trailer = size >= table_end && whole == overlay_vector();
        EXPECT_EQ(verdict_of(findings.list()), lost_trailer && size > 64 ? Verdict::kOk : Verdict::kFail) << size;
        expect_lossless(*archive, image, "prefix");
      }
    }
  }
}

TEST(RsliLimits, HoldExactly) {
  struct Row {
    const char* name;
    std::uint64_t Limits::* limit;
    std::uint64_t needed;
    const char* refusal;
  };
  const Row rows[] = {
      {"input", &Limits::input_bytes, kTwoRowsSize, "refused limit_exceeded @0 file"},
      {"entries", &Limits::entry_count, 2, "refused limit_exceeded @4 header.entry_count"},
      {"packed", &Limits::packed_bytes, 5, "error limit_exceeded @92 entry[1].packed_size"},
      {"unpacked", &Limits::unpacked_bytes, 5, "error limit_exceeded @84 entry[1].unpacked_size"},
      {"sum", &Limits::unpacked_total_bytes, 8, "refused limit_exceeded @84 entry[1].unpacked_size"},
  };
  for (const Row& row : rows) {
    for (const std::uint64_t allowed : {row.needed - 1, row.needed, row.needed + 1}) {
      ParseContext context;
      context.limits.*row.limit = allowed;
      const Texts said = all_that_is_said(parsed(two_rows(), context));
      EXPECT_EQ(std::ranges::find(said, row.refusal) != said.end(), allowed < row.needed) << row.name << ' ' << allowed;
    }
  }
}

// A thousand rows on one payload, the overlap bomb.
Buffer thousand_rows_on_one_payload(Method method, const std::string& payload) {
  std::vector<Plain> rows(1000, Plain{"N", "", method});
  rows[0].payload = payload;
  Buffer image = archive_of(rows);
  const auto packed = static_cast<std::uint32_t>(pack(method, as_bytes(payload), kDefaultLevel).size());
  for (std::size_t row = 1; row < 1000; ++row) {
    image = with_table(std::move(image), [&](MutableBytes table) {
      store_little_endian(std::uint32_t{32 + 32'000}, table.subspan(row * 32 + kRowOffset));
      store_little_endian(packed, table.subspan(row * 32 + kRowPacked));
      store_little_endian(static_cast<std::uint32_t>(payload.size()), table.subspan(row * 32 + kRowUnpacked));
    });
  }
  return with_u32(image, kUnpackedTotal, static_cast<std::uint32_t>(payload.size() * 1000));
}

TEST(RsliLimits, RowsThatShareAPayloadCountOnceEach) {
  const Buffer image = thousand_rows_on_one_payload(Method::kDeflate, std::string(1000, 'x'));
  ParseContext context;
  context.limits.unpacked_total_bytes = 1'000'000;
  const auto [archive, findings] = parsed(image, context);
  ASSERT_TRUE(archive.has_value());
  EXPECT_EQ(described(findings, Severity::kStrict), Texts{});
  EXPECT_EQ(loaded(*archive, 999), std::string(1000, 'x'));
  expect_lossless(*archive, image, "bomb");
  context.limits.unpacked_total_bytes = 999'999;
  const auto refused = parsed(image, context).archive;
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().field.to_text(), "entry[999].unpacked_size");
}

TEST(RsliLimits, PackedBytesThatGiveNothingCountAsWell) {
  std::vector<Plain> rows(3, Plain{"N", "", Method::kXorLzss});
  Buffer image = joined(archive_of(rows), Buffer(1000));
  for (std::size_t row = 0; row < 3; ++row) {
    image = with_row_u32(with_row_u32(image, row, kRowPacked, 1000), row, kRowOffset, 128);
  }
  ParseContext context;
  context.limits.unpacked_total_bytes = 3000;
  EXPECT_TRUE(parsed(image, context).archive.has_value());
  context.limits.unpacked_total_bytes = 2999;
  const auto refused = parsed(image, context).archive;
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::kLimitExceeded);
  EXPECT_EQ(refused.error().field.to_text(), "entry[2].packed_size");
}

// As in sprites.lib: each row declares one byte more than it owns, the first byte of the next.
TEST(RsliParse, AcceptsNeighboursThatShareAByte) {
  Buffer image = archive_of({{"A", "first", Method::kDeflate}, {"B", "second", Method::kDeflate}});
  const auto packed = parsed(image).archive->entries()[0].packed_size;
  image = with_row_u32(image, 0, kRowPacked, packed + 1);
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  EXPECT_EQ(described(findings), Texts{});
  EXPECT_EQ(loaded(*archive, 0), "first");
  EXPECT_EQ(loaded(*archive, 1), "second");
  expect_lossless(*archive, image, "neighbours");
}

TEST(RsliTrailer, IsReadOnlyWhereItMayBe) {
  const Buffer image = overlay_vector();
  ParseContext context;
  context.apply_overlay = false;
  const auto [off, off_findings] = parsed(image, context);
  ASSERT_TRUE(off.has_value());
  EXPECT_FALSE(off->trailer().has_value());
  EXPECT_EQ(off->member(0).offset, 0x3CU);
  expect_lossless(*off, image, "overlay off");

  // Six bytes that reach into the table are no trailer.
  const Buffer empty = archive_of({});
  EXPECT_TRUE(parsed(joined(empty, hex("41 4F 00 00 00 00"))).archive->trailer().has_value());
  EXPECT_FALSE(parsed(with_text(joined(empty, hex("00 00 00 00 00")), 31, "AO")).archive->trailer().has_value());
  // The overlay may be as large as the file and no larger.
  EXPECT_TRUE(parsed(joined(empty, hex("41 4F 26 00 00 00"))).archive.has_value());
  EXPECT_FALSE(parsed(joined(empty, hex("41 4F 27 00 00 00"))).archive.has_value());
  EXPECT_FALSE(parsed(joined(empty, hex("41 50 26 00 00 00"))).archive->trailer().has_value());
}

TEST(RsliTrailer, RangesMayReachIntoIt) {
  const Buffer image = with_row_u32(with_row_u32(overlay_vector(), 0, kRowPacked, 11), 0, kRowUnpacked, 11);
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  EXPECT_EQ(described(findings, Severity::kStrict), Texts{});
  EXPECT_EQ(loaded(*archive, 0), std::string("mediaAO\x04\0\0\0", 11));
  expect_lossless(*archive, image, "trailer in range");
}

TEST(RsliMap, IsRebuiltWithoutTheFlagAndIsTheKey) {
  // Stored values that are no map at all; the names ask for 1, 0.
  Buffer image = with_u16(xor_vector(), kFlag, 0);
  image = with_row_u16(with_row_u16(image, 0, kRowMap, 0x7777), 1, kRowMap, 0xFFFF);
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(archive.has_value());
  EXPECT_EQ(described(findings), Texts{});
  EXPECT_FALSE(archive->is_presorted());
  EXPECT_TRUE(archive->uses_sort_map());
  EXPECT_EQ(archive->key(0), 1U);
  EXPECT_EQ(archive->key(1), 0U);
  EXPECT_EQ(loaded(*archive, 0), "secret");
  EXPECT_EQ(archive->member(0).sort, 0x7777);
  expect_lossless(*archive, image, "rebuilt");
  expect_lookups_agree(*archive, "rebuilt");
}

// Whatever one byte becomes: no crash, no internal error, what is accepted is lossless, every member can be asked for.
TEST(RsliParse, SurvivesEveryChangeOfOneByte) {
  for (const Buffer& valid : {xor_lzss_vector(), joined(two_rows(), hex("41 4F 00 00 00 00"))}) {
    for (std::size_t offset = 0; offset < valid.size(); ++offset) {
      for (unsigned value = 0; value < 256; ++value) {
        const Buffer image = with_byte(valid, offset, value);
        const std::string what = std::to_string(offset) + "=" + std::to_string(value);
        const auto [archive, findings] = parsed(image, in_file("sprites.lib", RuleSet::compatible()));
        Findings all = findings;
        if (!archive) {
          expect_sound_diagnostic(archive.error(), image.size(), what);
          continue;
        }
        DecodeScratch scratch;
        for (std::size_t index = 0; index < archive->member_count(); ++index) {
          if (const auto payload = archive->load(index, scratch, all); payload) {
            EXPECT_EQ(payload->size(), archive->member(index).size) << what;
          } else {
            expect_sound_diagnostic(payload.error(), image.size(), what);
          }
        }
        for (const Finding& finding : all.list()) {
          expect_sound_diagnostic(finding.diagnostic, image.size(), what);
        }
        expect_lossless(*archive, image, what);
        expect_lookups_agree(*archive, what);
        if (HasFailure()) {
          return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace assay::rsli
