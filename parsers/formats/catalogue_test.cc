#include "parsers/formats/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace assay {
namespace {

struct Row {
  const char* what;
  Buffer content;
  const char* name;
  bool is_file;
  const char* format;
  ClaimedBy claim;
  const char* contradicted;
};

Buffer empty_nres() {
  return {'N', 'R', 'e', 's', 0, 1, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0};
}

Buffer empty_rsli() {
  Buffer bytes(32);
  bytes[0] = 'N';
  bytes[1] = 'L';
  bytes[3] = 1;
  return bytes;
}

Buffer with(Buffer bytes, std::size_t offset, std::uint8_t value) {
  bytes[offset] = value;
  return bytes;
}

// An empty presorted RsLi archive whose first letter is damaged.
Buffer damaged_rsli() {
  return with(with(with(empty_rsli(), 0, 'M'), 14, 0xBA), 15, 0xAB);
}

// The same of an NRes archive.
Buffer damaged_nres() {
  return with(empty_nres(), 0, 'M');
}

Buffer with_count_minus_one(Buffer nres) {
  store_little_endian(std::int32_t{-1}, MutableBytes(nres).subspan(8));
  return nres;
}

// docs/formats/README.md, detection.
TEST(Identify, AsksMagicThenNameThenStructure) {
  const Row rows[] = {
      {"magic decides", empty_nres(), "any.bin", true, "nres", ClaimedBy::kMagic, ""},
      {"magic beats structure", empty_nres(), "a.lib", true, "nres", ClaimedBy::kMagic, ""},
      {"a name refines the magic", empty_nres(), "a.msh", true, "msh", ClaimedBy::kName, ""},
      {"a longer name keeps terrain out of it", empty_nres(), "LAND.MSH", true, "nres", ClaimedBy::kMagic, ""},
      {"magic beats a name that says otherwise", empty_rsli(), "A.MSH", true, "rsli", ClaimedBy::kMagic, "msh"},
      {"archive names allow both kinds", empty_nres(), "SPRITES.LIB", true, "nres", ClaimedBy::kMagic, ""},
      {"magic of the other kind", empty_rsli(), "x.rlb", true, "rsli", ClaimedBy::kMagic, ""},
      {"and under its other extension", empty_rsli(), "x.lib", true, "rsli", ClaimedBy::kMagic, ""},
      {"an extension of one kind alone", empty_rsli(), "x.dlb", true, "rsli", ClaimedBy::kMagic, "nres"},
      {"an exact name beats an extension", Buffer{1, 2}, "Sprites.Lib", true, "rsli", ClaimedBy::kName, ""},
      {"an extension claims a damaged file", with(empty_nres(), 0, 'M'), "a.LIB", true, "nres", ClaimedBy::kName, ""},
      {"an empty file with an archive's name", Buffer{}, "palettes.lib", true, "nres", ClaimedBy::kName, ""},
      {"archive extensions count for files only", Buffer{1}, "a.lib", false, "", ClaimedBy::kNothing, ""},
      {"a model's extension counts for entries", Buffer{1}, "a.msh", false, "msh", ClaimedBy::kName, ""},
      {"structure claims a damaged magic", with(empty_nres(), 0, 'M'), "x", true, "nres", ClaimedBy::kProbe, ""},
      {"a damaged reserved byte", with(empty_rsli(), 2, 9), "x", true, "rsli", ClaimedBy::kProbe, ""},
      {"a damaged version", with(empty_rsli(), 3, 9), "x", true, "rsli", ClaimedBy::kProbe, ""},
      {"a damaged letter", damaged_rsli(), "x", true, "rsli", ClaimedBy::kProbe, ""},
      {"a damaged letter without the flag", with(damaged_rsli(), 14, 0), "x", true, "", ClaimedBy::kNothing, ""},
      {"a damaged letter and reserved byte", with(damaged_rsli(), 2, 9), "x", true, "", ClaimedBy::kNothing, ""},
      {"a damaged letter and version", with(damaged_rsli(), 3, 9), "x", true, "", ClaimedBy::kNothing, ""},
      {"a damaged letter and count", with(damaged_rsli(), 4, 1), "x", true, "", ClaimedBy::kNothing, ""},
      {"a damaged reserved byte and version", with(with(empty_rsli(), 2, 9), 3, 9), "x", true, "", ClaimedBy::kNothing,
       ""},
      {"a damaged magic and version", with(damaged_nres(), 4, 1), "x", true, "", ClaimedBy::kNothing, ""},
      {"a damaged magic and total size", with(damaged_nres(), 12, 17), "x", true, "", ClaimedBy::kNothing, ""},
      {"a damaged magic and count", with_count_minus_one(damaged_nres()), "x", true, "", ClaimedBy::kNothing, ""},
      {"text that starts like one", Buffer{'N', 'L', ' ', 'x'}, "x.txt", true, "", ClaimedBy::kNothing, ""},
  };
  for (const Row& row : rows) {
    const Identification found =
        identify(row.content, {.name = as_bytes(row.name), .type_tag = {}, .is_file = row.is_file});
    EXPECT_EQ(found.format == nullptr ? "" : found.format->id, row.format) << row.what;
    EXPECT_EQ(found.claim, row.claim) << row.what;
    EXPECT_EQ(found.contradicted == nullptr ? "" : found.contradicted->id, row.contradicted) << row.what;
  }
}

// What lies behind the content would make a header of it.
TEST(Identify, ReadsNothingBehindTheContent) {
  const Buffer nres = empty_nres();
  const Buffer rsli = empty_rsli();
  const Buffer nres_by_structure = with(damaged_nres(), 12, 15);
  const Buffer rsli_by_structure = damaged_rsli();
  for (const Bytes content : {Bytes(nres).first(3), Bytes(rsli).first(3), Bytes(nres_by_structure).first(15),
                              Bytes(rsli_by_structure).first(31)}) {
    EXPECT_EQ(identify(content, {.name = as_bytes("x")}).format, nullptr) << content.size();
  }
}

std::uint32_t tag(std::string_view text) {
  return load_little_endian<std::uint32_t>(as_bytes(text));
}

TEST(Identify, AsksTheTypeTagOfAnEntry) {
  const struct {
    const char* what;
    Buffer content;
    const char* name;
    const char* type_tag;
    const char* format;
    ClaimedBy claim;
    const char* contradicted;
  } rows[] = {
      {"a tag alone", Buffer{1}, "x", "MAT0", "mat0", ClaimedBy::kTypeTag, ""},
      {"a tag that nobody has", Buffer{1}, "x", "ZZZZ", "", ClaimedBy::kNothing, ""},
      {"a tag beats a name", Buffer{1}, "a.wea", "MAT0", "mat0", ClaimedBy::kTypeTag, "wear"},
      {"a tag and its own name", Buffer{1}, "a.wea", "WEAR", "wear", ClaimedBy::kTypeTag, ""},
      {"a name under a tag that nobody has", Buffer{1}, "a.wea", "ZZZZ", "wear", ClaimedBy::kName, ""},
      {"magic beats a tag", empty_nres(), "x", "MAT0", "nres", ClaimedBy::kMagic, "mat0"},
      {"a tag refines the magic", empty_nres(), "x", "MESH", "msh", ClaimedBy::kTypeTag, ""},
      {"a tag refines and the name agrees", empty_nres(), "a.msh", "MESH", "msh", ClaimedBy::kTypeTag, ""},
      {"a tag refines and the name does not", empty_nres(), "a.wea", "MESH", "msh", ClaimedBy::kTypeTag, "wear"},
      {"a name refines and the tag does not", empty_nres(), "a.msh", "MAT0", "msh", ClaimedBy::kName, "mat0"},
      {"the tag is the stronger claim", empty_rsli(), "a.msh", "MAT0", "rsli", ClaimedBy::kMagic, "mat0"},
  };
  for (const auto& row : rows) {
    const Identification found = identify(row.content, {.name = as_bytes(row.name), .type_tag = tag(row.type_tag)});
    EXPECT_EQ(found.format == nullptr ? "" : found.format->id, row.format) << row.what;
    EXPECT_EQ(found.claim, row.claim) << row.what;
    EXPECT_EQ(found.contradicted == nullptr ? "" : found.contradicted->id, row.contradicted) << row.what;
  }
}

TEST(Identify, ClaimsNamesOnlyWhereTheyCount) {
  const auto format_of = [](const char* path, bool is_file) {
    ItemHints hints = ItemHints::of_file(as_bytes(path));
    hints.is_file = is_file;
    const Format* format = identify(Buffer{1, 2, 3}, hints).format;
    return format == nullptr ? std::string_view() : format->id;
  };
  EXPECT_EQ(format_of("game/UNITS/tank/a.DAT", true), "unit_dat");
  EXPECT_EQ(format_of("game/unitsX/a.dat", true), "") << "a whole folder name";
  EXPECT_EQ(format_of("a.dat", true), "");
  EXPECT_EQ(format_of("units/a.dat", false), "") << "for files only";
  EXPECT_EQ(format_of("a.var", false), "varset");
  EXPECT_EQ(format_of("a.var", true), "") << "for entries only";
  EXPECT_EQ(format_of("PRELOAD.txt", true), "preload") << "what a name starts with";
  EXPECT_EQ(format_of("a.preload", true), "");
}

// What content without magic is taken for by the name of its file or entry alone. The extensions of archives do not
// tell their kind, so the usual one has them. Each pattern of each format has a row.
TEST(Identify, TakesContentWithoutMagicForWhatItsNameSays) {
  const struct {
    const char* path;
    const char* of_file;
    const char* of_entry;
  } rows[] = {
      {"a.rlb", "nres", ""},        {"a.lib", "nres", ""},       {"a.dlb", "nres", ""},
      {"a.res", "nres", ""},        {"land.msh", "nres", "msh"}, {"land.map", "nres", ""},
      {"gamefont.rlb", "rsli", ""}, {"sprites.lib", "rsli", ""}, {"units/a.dat", "unit_dat", ""},
      {"a.wea", "wear", "wear"},    {"a.mat0", "mat0", ""},      {"a.tma", "tma", ""},
      {"a.ctl", "ctld", "ctld"},    {"a.ske", "ske", ""},        {"a.trf", "trf", ""},
      {"a.msh", "msh", "msh"},      {"a.cpt", "ctpt", "ctpt"},   {"a.ndp", "ndpr", "ndpr"},
      {"a.exp", "expl", "expl"},    {"a.sun", "sund", "sund"},   {"preload", "preload", ""},
      {"a.ani", "ani", "ani"},      {"a.bas", "bas", "bas"},     {"a.tft", "tfnt", "tfnt"},
      {"a.var", "", "varset"},
  };
  for (const auto& row : rows) {
    for (const bool is_file : {true, false}) {
      ItemHints hints = ItemHints::of_file(as_bytes(row.path));
      hints.is_file = is_file;
      const Identification found = identify(Buffer{1, 2, 3}, hints);
      EXPECT_EQ(found.format == nullptr ? "" : found.format->id, is_file ? row.of_file : row.of_entry) << row.path;
    }
  }
  for (const Format* format : all_formats()) {
    for (const NamePattern& pattern : format->name_patterns) {
      std::string name(pattern.pattern);
      std::erase(name, '*');
      EXPECT_TRUE(
          std::ranges::any_of(rows, [&](const auto& row) { return std::string_view(row.path).ends_with(name); }))
          << format->id << ' ' << pattern.pattern;
    }
  }
}

TEST(Catalogue, FindsRecordsByQualifiedName) {
  ASSERT_NE(find_record("nres.entry"), nullptr);
  EXPECT_EQ(find_record("nres.entry")->size_bytes, 64U);
  EXPECT_EQ(find_record("rsli.entry")->size_bytes, 32U);
  EXPECT_EQ(find_record("rsli.trailer")->size_bytes, 6U);
  for (const char* name : {"", "nres", "nres.", "nres.nothing", "nothing.entry", ".entry"}) {
    EXPECT_EQ(find_record(name), nullptr) << name;
  }
}

TEST(Catalogue, EveryFormatIsComplete) {
  for (const Format* format : all_formats()) {
    EXPECT_EQ(find_format(format->id), format);
    // A format without records is one of which no byte is understood.
    EXPECT_TRUE(!format->records.empty() || format->id == "sund" || format->id == "preload") << format->id;
    EXPECT_NE(format->parse, nullptr) << format->id;
    EXPECT_FALSE(format->documentation.empty()) << format->id;
  }
}

}  // namespace
}  // namespace assay
