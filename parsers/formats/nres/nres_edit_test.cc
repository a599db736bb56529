#include <gtest/gtest.h>

#include <deque>

#include "parsers/formats/nres/nres_test_support.h"

namespace assay::nres {
namespace {

using Texts = std::vector<std::string>;

// The reference: what the archive should hold, entry by entry.
struct ModelEntry {
  std::string name;
  std::array<std::uint32_t, 4> type_and_attributes{};
  Buffer payload;
  // The 36 bytes of the name field.
  std::array<std::uint8_t, kMaxNameBytes + 1> name_field{};
};

using Model = std::vector<ModelEntry>;

Model model_of(const Archive& archive) {
  Model model;
  for (std::size_t index = 0; index < archive.entries().size(); ++index) {
    const Entry& entry = archive.entries()[index];
    const Bytes payload = archive.payload(index);
    model.push_back({text_of(entry.name.text()),
                     {entry.type_id, entry.attr1, entry.attr2, entry.attr3},
                     {payload.begin(), payload.end()},
                     entry.name.raw});
  }
  return model;
}

void expect_model(const Archive& archive, const Model& expected, const std::string& what) {
  const Model found = model_of(archive);
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t index = 0; index < found.size(); ++index) {
    EXPECT_EQ(found[index].name_field, expected[index].name_field) << what << ' ' << index;
    EXPECT_EQ(found[index].type_and_attributes, expected[index].type_and_attributes) << what << ' ' << index;
    EXPECT_EQ(found[index].payload, expected[index].payload) << what << ' ' << index;
  }
}

// A run that no payload of the generator can hold.
Buffer foreign_run(Random& random) {
  Buffer run(1 + random.below(20));
  for (std::uint8_t& byte : run) {
    byte = static_cast<std::uint8_t>(0xF0 + random.below(16));
  }
  return run;
}

struct Generated {
  Buffer image;
  // Runs that belong to no entry and have to survive.
  std::vector<Buffer> foreign;
};

// Payloads in any physical order, aligned, with foreign runs between them when asked for; sorted map; name tails.
Generated random_archive(Random& random, bool with_foreign_runs) {
  const std::size_t count = random.below(7);
  std::vector<Entry> rows(count);
  std::vector<std::size_t> physical(count);
  for (std::size_t index = 0; index < count; ++index) {
    std::string name(random.below(4), 'A');
    for (char& letter : name) {
      letter = static_cast<char>("aAbB_9\xE4"[random.below(7)]);
    }
    rows[index].name = FixedString<kMaxNameBytes + 1>::from_text(as_bytes(name));
    rows[index].name.raw[20] = random.byte();
    rows[index].type_id = static_cast<std::uint32_t>(random.below(1000));
    rows[index].attr1 = random.byte();
    rows[index].attr3 = random.byte();
    physical[index] = index;
    std::swap(physical[index], physical[random.below(index + 1)]);
  }
  Generated generated;
  ByteWriter writer;
  writer.write_zeros(kHeaderRecord.size_bytes);
  const auto maybe_foreign = [&] {
    if (with_foreign_runs && random.one_in(3)) {
      generated.foreign.push_back(foreign_run(random));
      writer.write_bytes(generated.foreign.back());
      writer.align(kAlignment);
    }
  };
  for (const std::size_t index : physical) {
    maybe_foreign();
    const Buffer payload = random.payload(random.below(30) * random.below(2));
    rows[index].data_offset = static_cast<std::uint32_t>(writer.position());
    rows[index].size = static_cast<std::uint32_t>(payload.size());
    writer.write_bytes(payload);
    writer.align(kAlignment);
  }
  maybe_foreign();
  write_directory(rows, /*recompute_sort_map=*/true, writer);
  generated.image = std::move(writer).take();
  return generated;
}

// One random edit, made on the editor and on the model.
void edit_at_random(Random& random, Editor& editor, Model& model, std::deque<Buffer>& payloads) {
  const auto new_payload = [&]() -> Bytes { return payloads.emplace_back(random.payload(random.below(40))); };
  const std::string name = "n" + std::to_string(random.below(5));
  const auto name_field = FixedString<kMaxNameBytes + 1>::from_text(as_bytes(name)).raw;
  const std::size_t action = random.below(5);
  if (model.empty() || action == 0) {
    const Bytes payload = new_payload();
    ASSERT_TRUE(editor.add(as_bytes(name), payload, {}));
    model.push_back({name, {}, {payload.begin(), payload.end()}, name_field});
    return;
  }
  const std::size_t index = random.below(model.size());
  ModelEntry& entry = model[index];
  if (action == 1) {
    ASSERT_TRUE(editor.remove(index));
    model.erase(model.begin() + static_cast<std::ptrdiff_t>(index));
  } else if (action == 2) {
    ASSERT_TRUE(editor.rename(index, as_bytes(name)));
    entry.name_field = entry.name == name ? entry.name_field : name_field;
    entry.name = name;
  } else if (action == 3) {
    const auto value = static_cast<std::uint32_t>(random.below(100'000));
    const std::size_t field = random.below(4);
    constexpr const char* kFields[] = {"type_id", "attr1", "attr2", "attr3"};
    ASSERT_TRUE(editor.set_field(index, kFields[field], std::to_string(value)));
    entry.type_and_attributes[field] = value;
  } else {
    const Bytes payload = new_payload();
    ASSERT_TRUE(editor.replace(index, payload));
    entry.payload.assign(payload.begin(), payload.end());
  }
}

TEST(NresEdit, SequencesOfEditsGiveWhatAPlainModelGives) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const Generated generated = random_archive(random, seed % 2 == 0);
    const auto [archive, findings] = parsed(generated.image);
    ASSERT_TRUE(archive.has_value()) << seed;
    ASSERT_EQ(described(findings, Severity::kStrict), Texts{}) << seed;
    const auto editor = edit(*archive);
    EXPECT_EQ(*editor->build(), generated.image) << seed;
    Model model = model_of(*archive);
    std::deque<Buffer> payloads;
    for (int step = 0; step < 6; ++step) {
      edit_at_random(random, *editor, model, payloads);
      const std::string what = std::to_string(seed) + '.' + std::to_string(step);
      const auto built = editor->build();
      ASSERT_TRUE(built.has_value()) << what;
      const Parsed again = parsed(*built);
      ASSERT_TRUE(again.archive.has_value()) << what;
      EXPECT_EQ(described(again.findings, Severity::kStrict), Texts{}) << what;
      expect_model(*again.archive, model, what);
      expect_lossless(*again.archive, *built, what);
      expect_lookups_agree(*again.archive, what);
      EXPECT_TRUE(holds_in_order(*built, generated.foreign)) << what;
      EXPECT_EQ(*edit(*again.archive)->build(), *built) << what;
      if (HasFailure()) {
        return;
      }
    }
  }
}

TEST(NresEdit, ReplacingAndPuttingBackGivesTheSameBytes) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Buffer image = random_archive(random, false).image;
    const auto [archive, findings] = parsed(image);
    for (std::size_t index = 0; index < archive->entries().size(); ++index) {
      if (archive->entries()[index].size == 0) {
        continue;
      }
      const Buffer other = random.payload(1 + random.below(40));
      const auto editor = edit(*archive);
      ASSERT_TRUE(editor->replace(index, other));
      const Buffer changed = *editor->build();
      const Parsed again = parsed(changed);
      const auto back = edit(*again.archive);
      ASSERT_TRUE(back->replace(index, archive->payload(index)));
      EXPECT_EQ(*back->build(), image) << seed << ' ' << index;
    }
  }
}

// The bytes that one edit of the three entries changes: a list of [start, end).
std::vector<std::pair<std::size_t, std::size_t>> changed_ranges(const Buffer& before, const Buffer& after) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (std::size_t at = 0; at < std::min(before.size(), after.size()); ++at) {
    if (before[at] != after[at] && !ranges.empty() && ranges.back().second == at) {
      ranges.back().second = at + 1;
    } else if (before[at] != after[at]) {
      ranges.emplace_back(at, at + 1);
    }
  }
  return ranges;
}

TEST(NresEdit, ChangesNothingButWhatWasEditedAndFollowsFromIt) {
  const Buffer image = three_entries();
  const auto [archive, findings] = parsed(image);
  const auto result_of = [&](auto edit_it) {
    const auto editor = edit(*archive);
    edit_it(*editor);
    return *editor->build();
  };
  using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;
  const Buffer longer = result_of([](Editor& editor) { (void)editor.replace(0, as_bytes("ABCDE")); });
  EXPECT_EQ(changed_ranges(image, longer), (Ranges{{0x13, 0x15}, {0x2C, 0x2D}}));
  const Buffer same = result_of([](Editor& editor) { (void)editor.replace(1, as_bytes("12x45678")); });
  EXPECT_EQ(changed_ranges(image, same), (Ranges{{0x1A, 0x1B}}));
  const Buffer attribute = result_of([](Editor& editor) { (void)editor.set_field(2, "attr1", "7"); });
  EXPECT_EQ(changed_ranges(image, attribute), (Ranges{{0xA4, 0xA5}}));
  // A name that sorts the same: its own bytes alone. The tail "old" goes with the old name.
  const Buffer renamed = result_of([](Editor& editor) { (void)editor.rename(1, as_bytes("Zedb.bin")); });
  EXPECT_EQ(changed_ranges(image, renamed), (Ranges{{0x77, 0x78}, {0x7D, 0x80}}));
  const Buffer same_name = result_of([](Editor& editor) { (void)editor.rename(1, as_bytes("Zeda.bin")); });
  EXPECT_EQ(same_name, image);
  // Nine bytes need one unit of eight more: the file grows by it and everything behind moves.
  const Buffer nine = result_of([](Editor& editor) { (void)editor.replace(0, as_bytes("123456789")); });
  EXPECT_EQ(nine.size(), image.size() + 8);
  EXPECT_EQ(parsed(nine).archive->entries()[1].data_offset, 0x20U);
  EXPECT_EQ(parsed(nine).archive->entries()[2].data_offset, 0x28U);
}

// docs/formats/decisions.md, 7.
TEST(NresEdit, RecomputesTheMapOnlyWhenNamesOrTheirNumberChange) {
  const Buffer image = with_u32(three_entries(), kThreeRow1 + 0x3C, 99);
  const auto [archive, findings] = parsed(image);
  const auto map_after = [&](auto edit_it) {
    const auto editor = edit(*archive);
    edit_it(*editor);
    const Buffer built = *editor->build();
    return stored_map(*parsed(built).archive);
  };
  using Map = std::vector<std::uint32_t>;
  const Map broken{2, 99, 1};
  EXPECT_EQ(map_after([](Editor& editor) { (void)editor.replace(0, as_bytes("longer than before")); }), broken);
  EXPECT_EQ(map_after([](Editor& editor) { (void)editor.set_field(0, "attr2", "1"); }), broken);
  EXPECT_EQ(map_after([](Editor& editor) { (void)editor.rename(0, as_bytes("zed_1.bin")); }), broken);
  EXPECT_EQ(map_after([](Editor& editor) {
              (void)editor.rename(0, as_bytes("other"));
              (void)editor.rename(0, as_bytes("zed_1.bin"));
            }),
            broken);
  EXPECT_EQ(map_after([](Editor& editor) { (void)editor.rename(0, as_bytes("a")); }), (Map{0, 2, 1}));
  EXPECT_EQ(map_after([](Editor& editor) { (void)editor.remove(2); }), (Map{0, 1}));
  EXPECT_EQ(map_after([](Editor& editor) { (void)editor.add(as_bytes("m"), {}, {}); }), (Map{2, 3, 0, 1}));
}

TEST(NresEdit, KeepsAMisalignedDirectoryAndEmptyEntriesInside) {
  // "ABC", five zeros, "xyz", directory at 27; an empty entry points into the padding.
  std::vector<Entry> rows{named("a"), named("b"), named("c")};
  rows[0].data_offset = 16;
  rows[0].size = 3;
  rows[1].data_offset = 24;
  rows[1].size = 3;
  rows[2].data_offset = 22;
  ByteWriter writer;
  writer.write_zeros(16);
  writer.write_bytes(as_bytes(std::string_view("ABC\0\0\0\0\0xyz", 11)));
  write_directory(rows, true, writer);
  const Buffer image = std::move(writer).take();
  const auto [archive, findings] = parsed(image);
  ASSERT_TRUE(findings.empty());
  const auto editor = edit(*archive);
  ASSERT_TRUE(editor->remove(1));
  const Buffer built = *editor->build();
  const Parsed again = parsed(built);
  ASSERT_TRUE(again.archive.has_value());
  EXPECT_EQ(described(again.findings), Texts{});
  EXPECT_EQ(again.archive->directory_offset(), 19U);
  EXPECT_EQ(again.archive->entries()[1].data_offset, 19U);
}

TEST(NresEdit, AnEmptyEntryMovesWithThePayloadItPointsInto) {
  const Buffer image = with_u32(three_entries(), kThreeRow2 + 0x38, 0x1B);
  const auto [archive, findings] = parsed(image);
  const auto editor = edit(*archive);
  ASSERT_TRUE(editor->replace(0, as_bytes("123456789")));
  const Buffer built = *editor->build();
  const Parsed again = parsed(built);
  EXPECT_EQ(again.archive->entries()[1].data_offset, 0x20U);
  EXPECT_EQ(again.archive->entries()[2].data_offset, 0x23U);
}

TEST(NresEdit, OnlyAPayloadThatWasAlignedStaysAligned) {
  std::vector<Entry> rows{named("a"), named("b")};
  rows[0].data_offset = 16;
  rows[0].size = 3;
  rows[1].data_offset = 19;
  rows[1].size = 5;
  ByteWriter writer;
  writer.write_zeros(16);
  writer.write_bytes(as_bytes("ABC12345"));
  write_directory(rows, true, writer);
  const Buffer image = std::move(writer).take();
  const auto [archive, findings] = parsed(image);
  const auto editor = edit(*archive);
  ASSERT_TRUE(editor->replace(0, as_bytes("ABCD")));
  const Buffer built = *editor->build();
  const Parsed again = parsed(built);
  EXPECT_EQ(again.archive->entries()[1].data_offset, 20U);
  EXPECT_EQ(as_text(again.archive->payload(1)), "12345");
}

TEST(NresEdit, KeepsALargePrefixVerbatim) {
  const Buffer image = with_prefix();
  const auto [archive, findings] = parsed(image);
  const auto editor = edit(*archive);
  ASSERT_TRUE(editor->replace(0, as_bytes("a longer payload")));
  const Buffer built = *editor->build();
  EXPECT_TRUE(equal_bytes(Bytes(built).subspan(16, 8), Bytes(image).subspan(16, 8)));
  EXPECT_EQ(described(parsed(built).findings), Texts{"note non_zero_gap @16 region[0]"});
}

TEST(NresEdit, RefusalsChangeNothingAndNameTheField) {
  const Buffer image = three_entries();
  const auto [archive, findings] = parsed(image);
  const auto editor = edit(*archive);
  const auto expect_refused = [&](const Result<void>& result, const char* expected) {
    ASSERT_FALSE(result.has_value()) << expected;
    EXPECT_EQ(described(result.error(), "refused"), expected);
    EXPECT_EQ(*editor->build(), image) << expected;
  };
  const std::string long_name(36, 'n');
  expect_refused(editor->rename(1, as_bytes(long_name)), "refused name_too_long @0 entry[1].name");
  expect_refused(editor->set_field(1, "name", long_name), "refused name_too_long @0 entry[1].name");
  expect_refused(editor->set_field(1, "name", std::string(37, 'n')), "refused name_too_long @0 entry[1].name");
  expect_refused(editor->rename(1, as_bytes(std::string_view("a\0b", 3))),
                 "refused name_contains_nul @0 entry[1].name");
  expect_refused(editor->add(as_bytes(long_name), {}, {}), "refused name_too_long @0 entry[3].name");
  expect_refused(editor->add(as_bytes("n"), {}, {.method = "lzss"}), "refused unsupported_method @0 entry[3]");
  expect_refused(editor->set_field(0, "nothing", "1"), "refused no_such_field @0 entry[0]");
  expect_refused(editor->set_field(0, "attr1", "x"), "refused invalid_value @0 entry[0].attr1");
  expect_refused(editor->set_field(0, "attr1", "4294967296"), "refused invalid_value @0 entry[0].attr1");
  for (const char* field : {"size", "data_offset", "sort_index"}) {
    expect_refused(editor->set_field(0, field, "1"),
                   ("refused derived_field @0 entry[0]." + std::string(field)).c_str());
  }
  for (const char* field : {"magic", "version", "entry_count", "total_size"}) {
    expect_refused(editor->set_field(std::nullopt, field, "1"),
                   ("refused derived_field @0 header." + std::string(field)).c_str());
  }
  EXPECT_EQ(editor->entry_count(), 3U);
  const std::string longest(35, 'n');
  EXPECT_TRUE(editor->rename(1, as_bytes(longest)).has_value());
  EXPECT_EQ(as_text(editor->entry_name(1)), longest);
}

TEST(NresEdit, BrokenArchivesAreEditableWhereNothingHasToMove) {
  struct Row {
    const char* name;
    Buffer image;
    const char* field;
  };
  const Row rows[] = {{"overlap", with_u32(three_entries(), kThreeRow0 + 0x0C, 9), "file"},
                      {"entry error", with_u32(three_entries(), kThreeRow0 + 0x38, 15), "entry[0].data_offset"}};
  for (const Row& row : rows) {
    const auto [archive, findings] = parsed(row.image);
    ASSERT_TRUE(archive.has_value());
    const auto editor = edit(*archive);
    ASSERT_TRUE(editor->set_field(1, "attr1", "5"));
    ASSERT_TRUE(editor->rename(2, as_bytes("b")));
    const auto built = editor->build();
    ASSERT_TRUE(built.has_value()) << row.name;
    EXPECT_EQ(parsed(*built).findings.list().size(), findings.list().size());
    ASSERT_TRUE(editor->replace(1, as_bytes("longer than it was")));
    const auto refused = editor->build();
    ASSERT_FALSE(refused.has_value()) << row.name;
    EXPECT_EQ(refused.error().code, Code::kNotEditable);
    EXPECT_EQ(refused.error().field.to_text(), row.field);
  }
  // A payload of the same size moves nothing.
  const Buffer image = with_u32(three_entries(), kThreeRow0 + 0x38, 15);
  const auto [archive, findings] = parsed(image);
  const auto editor = edit(*archive);
  ASSERT_TRUE(editor->replace(1, as_bytes("87654321")));
  const auto built = editor->build();
  ASSERT_TRUE(built.has_value());
  EXPECT_EQ(*built, with_text(image, 0x18, "87654321"));
}

// In place the new bytes would go where others have theirs, or where the row only claims to have some.
TEST(NresEdit, ANewPayloadOfTheOldSizeNeedsAPlaceOfItsOwn) {
  struct Row {
    Buffer image;
    std::size_t index;
    const char* payload;
    const char* refusal;
  };
  const Row rows[] = {
      {with_u32(three_entries(), kThreeRow0 + 0x0C, 9), 1, "87654321", "refused not_editable @0 file"},
      {with_u32(three_entries(), kThreeRow0 + 0x38, 15), 0, "xyz", "refused not_editable @88 entry[0].data_offset"}};
  for (const Row& row : rows) {
    const auto [archive, findings] = parsed(row.image);
    const auto editor = edit(*archive);
    ASSERT_TRUE(editor->replace(row.index, as_bytes(row.payload)));
    const auto built = editor->build();
    ASSERT_FALSE(built.has_value()) << row.refusal;
    EXPECT_EQ(described(built.error(), "refused"), row.refusal);
  }
}

TEST(NresEdit, GivesPayloadsAsTheyStand) {
  const Buffer image = with_u32(three_entries(), kThreeRow0 + 0x38, 15);
  const auto [archive, findings] = parsed(image);
  const auto editor = edit(*archive);
  DecodeScratch scratch;
  EXPECT_EQ(editor->payload(0, scratch).error().code, Code::kEntryDataOutOfBounds);
  EXPECT_EQ(as_text(*editor->payload(1, scratch)), "12345678");
  ASSERT_TRUE(editor->replace(1, as_bytes("new")));
  ASSERT_TRUE(editor->replace(0, as_bytes("as well")));
  EXPECT_EQ(as_text(*editor->payload(1, scratch)), "new");
  EXPECT_EQ(as_text(*editor->payload(0, scratch)), "as well");
}

}  // namespace
}  // namespace assay::nres
