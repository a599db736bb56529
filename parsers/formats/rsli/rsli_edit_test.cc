#include <gtest/gtest.h>

#include <deque>

#include "parsers/formats/rsli/rsli_test_support.h"

namespace assay::rsli {
namespace {

constexpr Method kAllMethods[] = {Method::kStored, Method::kXor,      Method::kLzss,   Method::kXorLzss,
                                  Method::kLzhuf,  Method::kXorLzhuf, Method::kDeflate};

// The reference: what the archive should hold, row by row.
struct ModelRow {
  Buffer name_field;
  std::uint16_t flags = 0;
  std::array<std::uint8_t, 4> service{};
  Buffer payload;
};

using Model = std::vector<ModelRow>;

Model model_of(const Archive& archive) {
  Model model;
  DecodeScratch scratch;
  Findings ignored;
  for (std::size_t index = 0; index < archive.entries().size(); ++index) {
    const Entry& entry = archive.entries()[index];
    const auto payload = archive.load(index, scratch, ignored);
    EXPECT_TRUE(payload.has_value()) << index;
    model.push_back({{entry.name.raw.begin(), entry.name.raw.end()}, entry.flags, entry.service, {}});
    if (payload) {
      model.back().payload.assign(payload->begin(), payload->end());
    }
  }
  return model;
}

void expect_model(const Archive& archive, const Model& expected, const std::string& what) {
  const Model found = model_of(archive);
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t index = 0; index < found.size(); ++index) {
    EXPECT_EQ(found[index].name_field, expected[index].name_field) << what << ' ' << index;
    EXPECT_EQ(found[index].flags, expected[index].flags) << what << ' ' << index;
    EXPECT_EQ(found[index].service, expected[index].service) << what << ' ' << index;
    EXPECT_EQ(found[index].payload, expected[index].payload) << what << ' ' << index;
  }
}

Buffer name_field(std::string_view name) {
  const auto field = FixedString<kMaxNameBytes>::from_text(as_bytes(name));
  return {field.raw.begin(), field.raw.end()};
}

struct Generated {
  Buffer image;
  std::vector<Buffer> foreign;
};

// Rows of every method in any physical order, with foreign runs between payloads, odd header and row bytes, with or
// without the presorted flag and the overlay.
Generated random_archive(Random& random) {
  const std::size_t count = random.below(7);
  Header header;
  header.entry_count = static_cast<std::int16_t>(count);
  header.entry_count_copy = static_cast<std::uint16_t>(random.one_in(2) ? count : 0xA5);
  header.presorted_flag = random.one_in(2) ? kPresorted : 0;
  header.xor_seed = static_cast<std::uint32_t>(random.below(0xFFFFFFFF));
  header.opaque08[3] = random.byte();
  const std::uint32_t overlay = random.one_in(3) ? 32 : 0;
  std::vector<Entry> rows(count);
  std::vector<std::size_t> physical(count);
  for (std::size_t index = 0; index < count; ++index) {
    std::string name(random.below(3), 'A');
    for (char& letter : name) {
      letter = static_cast<char>("ABCZ_9\xE4"[random.below(7)]);
    }
    rows[index].name = FixedString<kMaxNameBytes>::from_text(as_bytes(name));
    rows[index].name.raw[8] = random.byte();
    rows[index].service[1] = random.byte();
    rows[index].flags =
        static_cast<std::uint16_t>(static_cast<unsigned>(kAllMethods[random.below(7)]) | 0x1E00U | random.below(0x20));
    physical[index] = index;
    std::swap(physical[index], physical[random.below(index + 1)]);
  }
  const std::vector<std::uint16_t> map = sort_map(rows);
  Generated generated;
  ByteWriter data;
  const auto maybe_foreign = [&] {
    if (random.one_in(3)) {
      generated.foreign.emplace_back(Buffer{0xFE, 0xED, random.byte(), random.byte(), 0xF0, 0x0D});
      data.write_bytes(generated.foreign.back());
    }
  };
  for (const std::size_t index : physical) {
    maybe_foreign();
    const Buffer plain = random.payload(random.below(60) * random.below(2));
    const Method method = *method_of(rows[index].flags);
    Buffer packed = pack(method, plain, kDefaultLevel);
    if (uses_key(method)) {
      xor_stream::apply(map[index], packed, packed);
    }
    rows[index].sort_to_original = static_cast<std::int16_t>(header.presorted_flag == kPresorted ? map[index] : 0x5A5A);
    rows[index].unpacked_size = static_cast<std::uint32_t>(plain.size());
    rows[index].packed_size = static_cast<std::uint32_t>(packed.size());
    rows[index].data_offset_raw = static_cast<std::uint32_t>(32 + 32 * count + data.position() - overlay);
    header.unpacked_total += rows[index].unpacked_size;
    data.write_bytes(packed);
  }
  maybe_foreign();
  ByteWriter writer;
  write_table(header, rows, writer);
  writer.write_bytes(std::move(data).take());
  if (overlay != 0) {
    const Trailer trailer{.overlay = overlay};
    kTrailerRecord.write(trailer, writer.grow(kTrailerRecord.size_bytes));
  }
  generated.image = std::move(writer).take();
  return generated;
}

void edit_at_random(Random& random, Editor& editor, Model& model, std::deque<Buffer>& payloads) {
  const auto new_payload = [&]() -> Bytes { return payloads.emplace_back(random.payload(random.below(80))); };
  const std::string name = "N" + std::to_string(random.below(5));
  const std::size_t action = random.below(5);
  if (model.empty() || action == 0) {
    const Bytes payload = new_payload();
    const Method method = kAllMethods[random.below(7)];
    ASSERT_TRUE(editor.add(as_bytes(name), payload, {.method = method_text(method)}));
    model.push_back({name_field(name), static_cast<std::uint16_t>(method), {}, {payload.begin(), payload.end()}});
    return;
  }
  const std::size_t index = random.below(model.size());
  ModelRow& row = model[index];
  if (action == 1) {
    ASSERT_TRUE(editor.remove(index));
    model.erase(model.begin() + static_cast<std::ptrdiff_t>(index));
  } else if (action == 2) {
    ASSERT_TRUE(editor.rename(index, as_bytes(name)));
    row.name_field = as_text(until_nul(row.name_field)) == name ? row.name_field : name_field(name);
  } else if (action == 3) {
    ASSERT_TRUE(editor.set_field(index, "service", "01020304"));
    row.service = {1, 2, 3, 4};
  } else {
    const Bytes payload = new_payload();
    ASSERT_TRUE(editor.replace(index, payload));
    row.payload.assign(payload.begin(), payload.end());
  }
}

// Header bytes that an edit leaves alone (docs/formats/decisions.md, 12).
void expect_header_kept(const Buffer& before, const Buffer& after, const std::string& what) {
  for (const auto& [start, end] : {std::pair{0U, 4U}, {6U, 32U}}) {
    EXPECT_TRUE(equal_bytes(Bytes(before).subspan(start, end - start), Bytes(after).subspan(start, end - start)))
        << what;
  }
}

TEST(RsliEdit, SequencesOfEditsGiveWhatAPlainModelGives) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Generated generated = random_archive(random);
    const auto [archive, findings] = parsed(generated.image);
    ASSERT_TRUE(archive.has_value()) << seed;
    ASSERT_EQ(described(findings, Severity::kStrict), Texts{}) << seed;
    const auto editor = edit(*archive);
    EXPECT_EQ(*editor->build(), generated.image) << seed;
    Model model = model_of(*archive);
    std::deque<Buffer> payloads;
    for (int step = 0; step < 5; ++step) {
      edit_at_random(random, *editor, model, payloads);
      const std::string what = std::to_string(seed) + '.' + std::to_string(step);
      const auto built = editor->build();
      ASSERT_TRUE(built.has_value()) << what << described(built.error(), "");
      const Parsed again = parsed(*built);
      ASSERT_TRUE(again.archive.has_value()) << what;
      EXPECT_EQ(described(again.findings, Severity::kStrict), Texts{}) << what;
      expect_model(*again.archive, model, what);
      expect_lossless(*again.archive, *built, what);
      expect_lookups_agree(*again.archive, what);
      expect_header_kept(generated.image, *built, what);
      EXPECT_TRUE(holds_in_order(*built, generated.foreign)) << what;
      EXPECT_EQ(again.archive->trailer().has_value(), archive->trailer().has_value()) << what;
      if (HasFailure()) {
        return;
      }
    }
  }
}

TEST(RsliEdit, ReplacingAndPuttingBackGivesTheSameBytes) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const Buffer image = random_archive(random).image;
    const auto [archive, findings] = parsed(image);
    for (std::size_t index = 0; index < archive->entries().size(); ++index) {
      if (archive->entries()[index].packed_size == 0) {
        continue;
      }
      const Buffer other = random.payload(1 + random.below(90));
      const auto editor = edit(*archive);
      ASSERT_TRUE(editor->replace(index, other));
      const Buffer changed = *editor->build();
      const Parsed again = parsed(changed);
      DecodeScratch scratch;
      Findings ignored;
      const Bytes original = *archive->load(index, scratch, ignored);
      const auto back = edit(*again.archive);
      ASSERT_TRUE(back->replace(index, original));
      EXPECT_EQ(*back->build(), image) << seed << ' ' << index;
    }
  }
}

TEST(RsliEdit, EncryptsAgainWhenTheKeyChanges) {
  for (const Buffer& image : {xor_vector(), xor_lzss_vector(), xor_lzhuf_vector()}) {
    const auto [archive, findings] = parsed(image);
    const std::string before = loaded(*archive, 0);
    const auto editor = edit(*archive);
    ASSERT_TRUE(editor->rename(0, as_bytes("A")));
    const Buffer built = *editor->build();
    const Parsed again = parsed(built);
    EXPECT_EQ(described(again.findings), Texts{});
    EXPECT_EQ(again.archive->key(0), 0U);
    EXPECT_EQ(again.archive->key(1), 1U);
    EXPECT_EQ(loaded(*again.archive, 0), before);
    EXPECT_EQ(loaded(*again.archive, 1), "x");
    EXPECT_EQ(again.archive->member(0).method, archive->member(0).method);
    // And back.
    const auto back = edit(*again.archive);
    ASSERT_TRUE(back->rename(0, as_bytes("B.BIN")));
    EXPECT_EQ(*back->build(), image);
  }
}

TEST(RsliEdit, WritesTheMapWhenTheFlagBringsItIntoUse) {
  Buffer image = with_u16(xor_vector(), kFlag, 0);
  image = with_row_u16(with_row_u16(image, 0, kRowMap, 0x7777), 1, kRowMap, 0x7777);
  const auto [archive, findings] = parsed(image);
  const auto editor = edit(*archive);
  ASSERT_TRUE(editor->set_field(std::nullopt, "presorted_flag", "0xABBA"));
  EXPECT_EQ(*editor->build(), xor_vector());
  // Off again: the map in use is the rebuilt one, which is the same.
  const Buffer on = xor_vector();
  const Parsed presorted = parsed(on);
  const auto off = edit(*presorted.archive);
  ASSERT_TRUE(off->set_field(std::nullopt, "presorted_flag", "0"));
  EXPECT_EQ(*off->build(), with_u16(on, kFlag, 0));
}

TEST(RsliEdit, TransformsTheTableWithANewSeed) {
  const Buffer image = deflate_vector();
  const auto [archive, findings] = parsed(image);
  const auto editor = edit(*archive);
  ASSERT_TRUE(editor->set_field(std::nullopt, "xor_seed", "99633"));
  const Buffer built = *editor->build();
  EXPECT_NE(built, image);
  EXPECT_EQ(loaded(*parsed(built).archive, 0), "abc");
}

TEST(RsliEdit, SyncsHeaderFieldsThatWereInStepAndOnlyWhenAsked) {
  const Buffer image = archive_of({{"A", "abc"}, {"B", "de"}});
  const auto header_after = [](const Buffer& before, bool sync, std::size_t* notes) {
    const Parsed result = parsed(before);
    const auto editor = edit(*result.archive);
    EXPECT_TRUE(editor->add(as_bytes("C"), as_bytes("12345"), {}).has_value());
    if (sync) {
      editor->sync_header();
    }
    *notes = editor->notes().size();
    const Buffer built = *editor->build();
    return parsed(built).archive->header();
  };
  std::size_t notes = 0;
  Header header = header_after(image, false, &notes);
  EXPECT_EQ(header.entry_count_copy, 2U);
  EXPECT_EQ(header.unpacked_total, 5U);
  EXPECT_EQ(notes, 2U);
  header = header_after(image, true, &notes);
  EXPECT_EQ(header.entry_count_copy, 3U);
  EXPECT_EQ(header.unpacked_total, 10U);
  EXPECT_EQ(notes, 0U);
  header = header_after(with_u32(with_u16(image, kCountCopy, 0xA5), kUnpackedTotal, 77), true, &notes);
  EXPECT_EQ(header.entry_count_copy, 0xA5U);
  EXPECT_EQ(header.unpacked_total, 77U);
  EXPECT_EQ(notes, 0U);
}

TEST(RsliEdit, NotesNamesThatTheEngineCannotFind) {
  const Buffer image = stored_vector();
  const auto [archive, findings] = parsed(image);
  const auto editor = edit(*archive);
  EXPECT_TRUE(editor->notes().empty());
  ASSERT_TRUE(editor->rename(0, as_bytes("raw.bin")));
  EXPECT_EQ(editor->notes().size(), 1U);
}

TEST(RsliEdit, NotesOnlyNamesThatAreNew) {
  const Buffer image = archive_of({{"lower", "abc"}});
  const auto [archive, findings] = parsed(image);
  const auto editor = edit(*archive);
  ASSERT_TRUE(editor->set_field(0, "service", "01020304"));
  EXPECT_EQ(editor->notes(), Texts{});
  ASSERT_TRUE(editor->add(as_bytes("new"), {}, {}));
  editor->sync_header();
  const std::vector<std::string> notes = editor->notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(notes[0].starts_with("name 'new' ")) << notes[0];
}

TEST(RsliEdit, LeavesSharedBytesToTheOtherSharer) {
  // Both rows on one payload, and a third that shares its last byte with them.
  Buffer image = archive_of({{"A", "shared"}, {"B", ""}, {"C", "drest"}});
  image = with_row_u32(with_row_u32(with_row_u32(image, 1, kRowOffset, 128), 1, kRowPacked, 6), 1, kRowUnpacked, 6);
  image = with_row_u32(with_row_u32(image, 0, kRowPacked, 7), 0, kRowUnpacked, 7);
  for (std::size_t edited = 0; edited < 3; ++edited) {
    for (const std::string_view payload : {"", "FIVE5", "SIX666", "SEVEN77", "much longer than it was"}) {
      const auto [archive, findings] = parsed(image);
      ASSERT_EQ(described(findings, Severity::kStrict), Texts{});
      Model model = model_of(*archive);
      const auto editor = edit(*archive);
      ASSERT_TRUE(editor->replace(edited, as_bytes(payload)));
      model[edited].payload = text_bytes(payload);
      const Buffer built = *editor->build();
      const Parsed again = parsed(built);
      EXPECT_EQ(described(again.findings, Severity::kStrict), Texts{});
      expect_model(*again.archive, model, std::to_string(edited) + std::string(payload));
    }
    const auto [archive, findings] = parsed(image);
    Model model = model_of(*archive);
    const auto editor = edit(*archive);
    ASSERT_TRUE(editor->remove(edited));
    model.erase(model.begin() + static_cast<std::ptrdiff_t>(edited));
    const Buffer built = *editor->build();
    expect_model(*parsed(built).archive, model, "removed " + std::to_string(edited));
  }
}

// Rows as in sprites.lib: each declares one byte more than it owns, the last one past the end.
Buffer sprites(std::string_view last_stream) {
  Buffer image =
      archive_of({{"A", "first", Method::kDeflate}, {"B", "second", Method::kDeflate}, {"INTERF8.TEX", "abc"}});
  image = joined(truncated(image, image.size() - 3), hex(last_stream));
  const auto streams = static_cast<std::uint32_t>(hex(last_stream).size());
  image = with_row_u16(with_row_u32(image, 2, kRowPacked, streams + 1), 2, kRowFlags, 0x100);
  for (const std::size_t row : {0U, 1U}) {
    const std::uint32_t packed = parsed(image).archive->entries()[row].packed_size;
    image = with_row_u32(image, row, kRowPacked, packed + 1);
  }
  return image;
}

constexpr std::string_view kWholeStream = "01 03 00 FC FF 61 62 63";
constexpr std::string_view kStreamWithoutEnd = "4B 4C 4A 06";

TEST(RsliEditEofPlusOne, EditingOthersKeepsTheLastRowUnderItsRule) {
  const ParseContext context = in_file("sprites.lib", RuleSet::compatible());
  for (const std::string_view stream : {kWholeStream, kStreamWithoutEnd}) {
    const Buffer image = sprites(stream);
    for (const std::size_t edited : {0U, 1U}) {
      for (const std::string_view payload : {"", "x", "a payload that is longer than before, 0123456789"}) {
        const auto [archive, findings] = parsed(image, context);
        ASSERT_EQ(verdict_of(findings.list()), Verdict::kQuirk);
        const auto editor = edit(*archive);
        EXPECT_EQ(*editor->build(), image);
        ASSERT_TRUE(editor->replace(edited, as_bytes(payload)));
        const Buffer built = *editor->build();
        const Parsed again = parsed(built, context);
        EXPECT_EQ(verdict_of(again.findings.list()), Verdict::kQuirk);
        EXPECT_EQ(loaded(*again.archive, edited), payload);
        EXPECT_EQ(loaded(*again.archive, 1 - edited), edited == 0 ? "second" : "first");
        EXPECT_EQ(loaded(*again.archive, 2), "abc");
        EXPECT_EQ(again.archive->entries()[2].packed_size, archive->entries()[2].packed_size);
      }
    }
  }
}

TEST(RsliEditEofPlusOne, ARowThatLosesItsRuleDeclaresWhatThereIsOrIsNotEdited) {
  const ParseContext context = in_file("sprites.lib", RuleSet::compatible());
  const auto edits = {+[](Editor& editor) { return editor.add(as_bytes("NEW"), {}, {}); },
                      +[](Editor& editor) { return editor.add(as_bytes("NEW"), as_bytes("payload"), {}); },
                      +[](Editor& editor) { return editor.rename(2, as_bytes("OTHER")); }};
  for (const auto edit_it : edits) {
    const Buffer whole = sprites(kWholeStream);
    const Parsed before = parsed(whole, context);
    const auto editor = edit(*before.archive);
    ASSERT_TRUE(edit_it(*editor));
    const auto built = editor->build();
    ASSERT_TRUE(built.has_value());
    const Parsed again = parsed(*built, context);
    EXPECT_EQ(verdict_of(again.findings.list()), Verdict::kOk);
    EXPECT_EQ(loaded(*again.archive, 2), "abc");
    EXPECT_EQ(loaded(*again.archive, 0), "first");

    const Buffer unfinished = sprites(kStreamWithoutEnd);
    const Parsed cut = parsed(unfinished, context);
    const auto refused = edit(*cut.archive);
    ASSERT_TRUE(edit_it(*refused));
    ASSERT_FALSE(refused->build().has_value());
    EXPECT_EQ(refused->build().error().code, Code::kNotEditable);
  }
}

TEST(RsliEdit, RefusalsChangeNothingAndNameTheField) {
  const Buffer image = xor_vector();
  const auto [archive, findings] = parsed(image);
  const auto editor = edit(*archive);
  const auto expect_refused = [&](const Result<void>& result, const std::string& expected) {
    ASSERT_FALSE(result.has_value()) << expected;
    EXPECT_EQ(described(result.error(), "refused"), expected);
    EXPECT_EQ(*editor->build(), image) << expected;
    EXPECT_EQ(editor->entry_count(), 2U);
  };
  expect_refused(editor->rename(1, as_bytes("THIRTEENBYTES")), "refused name_too_long @0 entry[1].name");
  expect_refused(editor->set_field(1, "name", "THIRTEENBYTES"), "refused name_too_long @0 entry[1].name");
  expect_refused(editor->rename(1, as_bytes(std::string_view("A\0B", 3))),
                 "refused name_contains_nul @0 entry[1].name");
  expect_refused(editor->add(as_bytes("THIRTEENBYTES"), {}, {}), "refused name_too_long @0 entry[2].name");
  expect_refused(editor->add(as_bytes("N"), {}, {.method = "zip"}), "refused unsupported_method @0 entry[2].flags");
  expect_refused(editor->set_field(0, "nothing", "1"), "refused no_such_field @0 entry[0]");
  expect_refused(editor->set_field(std::nullopt, "nothing", "1"), "refused no_such_field @0 header");
  expect_refused(editor->set_field(0, "flags", "0x40"), "refused derived_field @0 entry[0].flags");
  expect_refused(editor->set_field(0, "flags", "0x10000"), "refused invalid_value @0 entry[0].flags");
  expect_refused(editor->set_field(0, "service", "0102"), "refused invalid_value @0 entry[0].service");
  for (const char* field : {"sort_to_original", "unpacked_size", "data_offset_raw", "packed_size"}) {
    expect_refused(editor->set_field(0, field, "1"), "refused derived_field @0 entry[0]." + std::string(field));
  }
  for (const char* field : {"magic", "reserved", "version", "entry_count"}) {
    expect_refused(editor->set_field(std::nullopt, field, "1"),
                   "refused derived_field @0 header." + std::string(field));
  }
  ASSERT_TRUE(editor->set_field(0, "flags", "0xFE3F"));
  ASSERT_TRUE(editor->set_field(std::nullopt, "entry_count_copy", "9"));
  ASSERT_TRUE(editor->set_field(std::nullopt, "unpacked_total", "8"));
  ASSERT_TRUE(editor->set_field(std::nullopt, "opaque08", "010203040506"));
  ASSERT_TRUE(editor->rename(1, as_bytes("TWELVEBYTES!")));
  const Buffer built = *editor->build();
  const Parsed again = parsed(built);
  EXPECT_EQ(again.archive->entries()[0].flags, 0xFE3F);
  EXPECT_EQ(again.archive->header().entry_count_copy, 9U);
  EXPECT_EQ(again.archive->header().unpacked_total, 8U);
  EXPECT_EQ(loaded(*again.archive, 0), "secret");
}

TEST(RsliEdit, BrokenArchivesAreEditableWhereNothingHasToMove) {
  struct Row {
    const char* name;
    Buffer image;
  };
  const Buffer valid = archive_of({{"B", "abc", Method::kXor}, {"A", "xyz12"}});
  const Row rows[] = {
      {"past the end", with_row_u32(valid, 1, kRowPacked, 9)},
      {"inside the table",
       with_row_u32(with_row_u32(with_row_u32(valid, 1, kRowOffset, 0x5E), 1, kRowPacked, 2), 1, kRowUnpacked, 2)},
      {"inside the trailer",
       with_row_u32(with_row_u32(joined(valid, hex("41 4F 00 00 00 00")), 1, kRowPacked, 6), 1, kRowUnpacked, 6)}};
  for (const Row& row : rows) {
    const auto [archive, findings] = parsed(row.image);
    const auto editor = edit(*archive);
    ASSERT_TRUE(editor->replace(0, as_bytes("new")));
    ASSERT_TRUE(editor->set_field(1, "service", "01020304"));
    // The key of row 0 changes, the place of its bytes does not.
    ASSERT_TRUE(editor->rename(0, as_bytes("0")));
    const auto built = editor->build();
    ASSERT_TRUE(built.has_value()) << row.name;
    EXPECT_EQ(built->size(), row.image.size());
    EXPECT_EQ(loaded(*parsed(*built).archive, 0), "new");
    ASSERT_TRUE(editor->replace(0, as_bytes("longer")));
    const auto refused = editor->build();
    ASSERT_FALSE(refused.has_value()) << row.name;
    EXPECT_EQ(refused.error().code, Code::kNotEditable);
    EXPECT_EQ(refused.error().field.to_text(), "entry[1]");
  }
  const Buffer unknown = with_row_u16(valid, 1, kRowFlags, 0xC0);
  const auto [archive, findings] = parsed(unknown);
  const auto editor = edit(*archive);
  EXPECT_EQ(editor->replace(1, as_bytes("x")).error().field.to_text(), "entry[1].flags");
  ASSERT_TRUE(editor->replace(0, as_bytes("longer")));
  const Buffer built = *editor->build();
  EXPECT_EQ(text_of(parsed(built).archive->packed(1)), "xyz12");
}

// What is packed already stays as it is when the same payload comes in: another packer made it.
TEST(RsliEdit, TheSamePayloadIsNotPackedAnew) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const Buffer image = random_archive(random).image;
    const auto [archive, findings] = parsed(image);
    const auto editor = edit(*archive);
    std::deque<Buffer> copies;
    for (std::size_t index = 0; index < archive->entries().size(); ++index) {
      DecodeScratch scratch;
      Findings ignored;
      ASSERT_TRUE(editor->replace(index, copies.emplace_back(copy_of(*archive->load(index, scratch, ignored)))));
    }
    EXPECT_EQ(*editor->build(), image) << seed;
  }
}

TEST(RsliEdit, HoldsAsManyRowsAsTheCountCan) {
  const Buffer image = archive_of(std::vector<Plain>(kMaxEntryCount, Plain{"N", ""}));
  const auto [archive, findings] = parsed(image);
  const auto editor = edit(*archive);
  const auto refused = editor->add(as_bytes("ONE"), {}, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(described(refused.error(), "refused"), "refused invalid_entry_count @0 header.entry_count");
  ASSERT_TRUE(editor->remove(5));
  EXPECT_TRUE(editor->add(as_bytes("ONE"), {}, {}).has_value());
  EXPECT_TRUE(editor->build().has_value());
}

}  // namespace
}  // namespace assay::rsli
