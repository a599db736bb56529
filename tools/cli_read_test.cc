#include <sys/stat.h>

#include <set>
#include <string>

#include "tools/cli_test_support.h"

// ls, inspect and cat: what one item is.
namespace assay::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CliRead : public CliTest {
 protected:
  void write_small_archives() {
    const Buffer inner = rsli_archive({{"PLAIN.TXT", rsli::Method::kStored, bytes_of("plain"), 5},
                                       {"KEYED.TXT", rsli::Method::kXor, bytes_of("keyed"), 5}});
    write("small.lib", nres_archive({{"tagged", bytes_of("one"), 0x41544144},
                                     {"pack.rlb", inner, 7},
                                     {"empty", {}, 0},
                                     {"\xE9t\\\xE9", bytes_of("name"), 9}}));
    write("small.rlb", inner);
  }
  // The second entry does not decode; the first and the third do.
  void write_damaged_archive() {
    write("bad.rlb", rsli_archive({{"A", rsli::Method::kStored, bytes_of("a"), 1},
                                   {"B", rsli::Method::kDeflate, bytes_of("\xFF\xFF\xFF"), 10},
                                   {"C", rsli::Method::kStored, bytes_of("c"), 1}}));
  }
};

TEST_F(CliRead, LsGivesTheFixedKeysInOrder) {
  write_small_archives();
  for (const char* name : {"small.lib", "small.rlb"}) {
    const Outcome outcome = run({"ls", name, "--json"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    for (const OrderedJson& row : json_lines(outcome.out)) {
      EXPECT_THAT(keys_of(row),
                  ElementsAre("index", "name", "name_hex", "type_id", "type", "attr1", "attr2", "attr3", "offset",
                              "size", "packed_size", "method", "flags", "sort", "sha256", "error"));
      const bool is_nres = std::string_view(name) == "small.lib";
      for (const char* key : {"type_id", "type", "attr1", "attr2", "attr3"}) {
        EXPECT_EQ(row[key].is_null(), !is_nres) << name << ": " << key;
      }
      EXPECT_EQ(row["flags"].is_null(), is_nres) << name;
      EXPECT_TRUE(row["error"].is_null());
    }
    expect_file(std::string("ls_") + name + ".jsonl", outcome.out);
    expect_file(std::string("ls_") + name + ".txt", run({"ls", name}).out);
  }
}

TEST_F(CliRead, LsGivesEachAttributeUnderItsName) {
  Buffer archive = nres_archive({{"x", bytes_of("1")}});
  const std::size_t row = archive.size() - 64;
  archive[row + 4] = 11;
  archive[row + 8] = 12;
  archive[row + 0x10] = 13;
  write("a.lib", archive);
  const OrderedJson entry = json_lines(run({"ls", "a.lib", "--json"}).out).front();
  EXPECT_EQ(entry["attr1"], 11);
  EXPECT_EQ(entry["attr2"], 12);
  EXPECT_EQ(entry["attr3"], 13);
}

TEST_F(CliRead, LsSaysWhereInTheFileTheEntriesOfAStoredArchiveAre) {
  write_small_archives();
  EXPECT_EQ(read_text("small.lib").find("plain"), 0x78U);
  EXPECT_EQ(json_lines(run({"ls", "small.lib::pack.rlb", "--json"}).out).front()["offset"], 0x78);
  EXPECT_THAT(run({"ls", "small.lib::pack.rlb"}).out,
              HasSubstr(" PLAIN.TXT                             -             0x78  "));
}

TEST_F(CliRead, WhatIsPackedIsWhereItsEntryIs) {
  const Buffer inner = nres_archive({{"x", bytes_of("payload")}});
  write("a.rlb", rsli_archive({{"FIRST", rsli::Method::kStored, bytes_of("first"), 5},
                               {"IN.LIB", rsli::Method::kLzss, rsli::pack(rsli::Method::kLzss, inner, kDefaultLevel),
                                inner.size()}}));
  constexpr std::uint64_t kPlace = 0x65;
  EXPECT_EQ(json_lines(run({"ls", "a.rlb", "--json"}).out)[1]["offset"], kPlace);
  EXPECT_EQ(json_lines(run({"ls", "a.rlb::IN.LIB", "--json"}).out).front()["offset"], kPlace);
  for (const char* item : {"a.rlb::IN.LIB", "a.rlb::IN.LIB::x"}) {
    std::set<std::uint64_t> places;
    for (const OrderedJson& line : json_lines(run({"inspect", item, "--json"}).out)) {
      if (line.contains("file_offset")) {
        places.insert(line["file_offset"].get<std::uint64_t>());
      }
    }
    EXPECT_THAT(places, ElementsAre(kPlace)) << item;
  }
}

TEST_F(CliRead, TheOverlayOptionDecidesWhereAnEntryIs) {
  write("a.rlb", overlay_archive());
  const struct {
    std::vector<std::string> options;
    std::uint64_t offset;
    const char* payload;
  } kCases[] = {{{}, 0x41, "bcde"}, {{"--overlay", "on"}, 0x41, "bcde"}, {{"--overlay", "off"}, 0x40, "abcd"}};
  for (const auto& [options, offset, payload] : kCases) {
    const auto read_with = [&](std::vector<std::string> arguments) {
      arguments.insert(arguments.end(), options.begin(), options.end());
      return run(arguments).out;
    };
    const OrderedJson row = json_lines(read_with({"ls", "a.rlb", "--json"})).front();
    EXPECT_EQ(row["offset"], offset);
    EXPECT_EQ(row["sha256"], sha256_text(bytes_of(payload)));
    EXPECT_EQ(read_with({"cat", "a.rlb::A"}), payload);
  }
}

TEST_F(CliRead, LsReportsAnEntryThatDoesNotDecodeAndTheOthers) {
  write_damaged_archive();
  const Outcome outcome = run({"ls", "bad.rlb", "--json"});
  EXPECT_EQ(outcome.status, 1);
  const auto rows = json_lines(outcome.out);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0]["sha256"], sha256_text(bytes_of("a")));
  EXPECT_EQ(rows[2]["sha256"], sha256_text(bytes_of("c")));
  EXPECT_TRUE(rows[1]["sha256"].is_null());
  EXPECT_THAT(keys_of(rows[1]["error"]), ElementsAre("code", "offset", "field", "message"));
  EXPECT_EQ(rows[1]["error"]["code"], "invalid_stream");
  EXPECT_EQ(rows[1]["error"]["offset"], 0x80 + 1);
  EXPECT_EQ(rows[1]["error"]["field"], "entry[1].payload");
  const Outcome text = run({"ls", "bad.rlb"});
  EXPECT_EQ(text.status, 1);
  EXPECT_THAT(text.out, HasSubstr("error  invalid_stream at 0x81, field entry[1].payload: "));
}

TEST_F(CliRead, RefusedArchivesAreFindingsWithPlaceAndField) {
  Buffer archive = nres_archive({{"x", bytes_of("1")}});
  archive[0x0C] ^= 1;
  write("size.lib", archive);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"ls", "size.lib"},
                                             {"inspect", "size.lib"},
                                             {"cat", "size.lib::x"},
                                             {"extract", "size.lib", "-o", "out"},
                                             {"repack", "size.lib", "-o", "out"},
                                             {"edit", "size.lib", "--remove", "x"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 1) << arguments.front();
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("size.lib: total_size_mismatch at offset 0xC, field header.total_size: "));
  }
  EXPECT_FALSE(fs::exists(at("out")));
  EXPECT_EQ(read("size.lib"), archive);
}

// What only one of the decoders accepts is there, and no verb gives it away without a word.
TEST_F(CliRead, ADoubtfulEntryIsGivenWithAWord) {
  const std::string text(259, 'a');
  write("a.rlb", rsli_archive({{"A", rsli::Method::kDeflate, {0x4B, 0x1C, 0x03, 0x00}, 259}}));
  const Outcome cat = run({"cat", "a.rlb::A"});
  EXPECT_EQ(cat.status, 1);
  EXPECT_EQ(cat.out, text);
  EXPECT_THAT(cat.err, HasSubstr("a.rlb: entry A: decoder_disagreement at offset "));
  const Outcome extract = run({"extract", "a.rlb", "-o", "out"});
  EXPECT_EQ(extract.status, 1);
  EXPECT_EQ(read_text("out/A"), text);
  EXPECT_THAT(extract.err, HasSubstr("a.rlb: entry A: decoder_disagreement at offset "));
  const Outcome ls = run({"ls", "a.rlb", "--json"});
  EXPECT_EQ(ls.status, 1);
  EXPECT_EQ(json_lines(ls.out).at(0)["sha256"], sha256_text(bytes_of(text)));
  EXPECT_EQ(json_lines(ls.out).at(0)["error"]["code"], "decoder_disagreement");
  EXPECT_EQ(run({"inspect", "a.rlb::A"}).status, 1);
  for (const char* verb : {"cat", "inspect"}) {
    const Outcome fast = run({verb, "a.rlb::A", "--no-confirm"});
    EXPECT_EQ(fast.status, 0) << verb;
    EXPECT_EQ(fast.err, "") << verb;
  }
}

TEST_F(CliRead, CatWritesAlsoWhatIsRefused) {
  Buffer archive = nres_archive({{"x", bytes_of("1")}});
  archive[0x0C] ^= 1;
  write("size.lib", archive);
  write("outer.lib", nres_archive({{"size.lib", archive}}));
  for (const char* item : {"size.lib", "outer.lib::size.lib"}) {
    const Outcome outcome = run({"cat", item});
    EXPECT_EQ(outcome.status, 0) << item << ": " << outcome.err;
    EXPECT_EQ(bytes_of(outcome.out), archive) << item;
  }
}

TEST_F(CliRead, WhatHoldsNoEntriesIsNoArchive) {
  write("plain.txt", "just text");
  write("a.lib", nres_archive({{"x", bytes_of("1")}}));
  fs::create_directory(at("folder"));
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } kCases[] = {
      {{"ls", "plain.txt"}, "plain.txt: not an archive, its format is unknown"},
      {{"cat", "plain.txt::x"}, "plain.txt: not an archive, its format is unknown"},
      {{"ls", "a.lib::x"}, "a.lib::x: not an archive, its format is unknown"},
      {{"cat", "a.lib::x::y"}, "a.lib::x: not an archive, its format is unknown"},
      {{"repack", "plain.txt", "-o", "out"}, "plain.txt: not an archive"},
      {{"edit", "plain.txt", "--remove", "x"}, "--remove 'x': plain.txt: "},
      {{"cat", "a.lib::y"}, "a.lib: no entry 'y'; it has 1 entry, `assay ls` lists them"},
      {{"cat", "a.lib::"}, "a.lib: no entry ''"},
      {{"cat", "a.lib::#1"}, "a.lib: no entry '#1'"},
      {{"cat", "a.lib::#-1"}, "a.lib: no entry '#-1'"},
      {{"cat", "a.lib::#99999999999999999999999"}, "a.lib: no entry '#9"},
      {{"ls", "folder"}, "folder: is a folder, expected a file"},
      {{"cat", "folder"}, "folder: is a folder, expected a file"},
      {{"inspect", "folder"}, "folder: is a folder, expected a file"},
      {{"edit", "folder", "--remove", "x"}, "folder: is a folder, expected a file"},
  };
  for (const auto& [arguments, says] : kCases) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << says;
    EXPECT_EQ(outcome.out, "") << says;
    EXPECT_THAT(outcome.err, HasSubstr(says));
  }
}

TEST_F(CliRead, InspectShowsEveryByteOnce) {
  write_small_archives();
  const struct {
    const char* item;
    // Where its bytes begin in the file.
    std::uint64_t start;
    // Of its findings, in order.
    std::vector<std::uint64_t> offsets;
  } kCases[] = {{"small.lib", 0, {}},
                {"small.rlb", 0, {0x6, 0x10}},
                {"small.lib::pack.rlb", 24, {24 + 0x6, 24 + 0x10}},
                {"small.lib::empty", 136, {}},
                {"small.lib::tagged", 16, {}}};
  for (const auto& [item, start, offsets] : kCases) {
    const Outcome outcome = run({"inspect", item, "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const auto lines = json_lines(outcome.out);
    EXPECT_THAT(keys_of(lines.front()), ElementsAre("item", "format", "size"));
    const auto size = lines.front()["size"].get<std::uint64_t>();
    std::uint64_t next = 0;
    std::vector<std::uint64_t> found;
    for (const OrderedJson& line : lines) {
      if (line.contains("finding")) {
        EXPECT_EQ(line["finding"]["code"], "header_copy_mismatch") << item;
        found.push_back(line["finding"]["offset"]);
      }
      if (!line.contains("field")) {
        continue;
      }
      EXPECT_THAT(keys_of(line), ElementsAre("offset", "file_offset", "size", "field", "value", "kind", "status"));
      EXPECT_EQ(line["offset"], next) << item << " " << line["field"];
      EXPECT_EQ(line["file_offset"], start + next) << item << " " << line["field"];
      EXPECT_EQ(line["status"].is_null(), line["kind"] != "field") << item;
      next += line["size"].get<std::uint64_t>();
    }
    EXPECT_EQ(next, size) << item;
    EXPECT_EQ(found, offsets) << item;
    const OrderedJson& sums = lines.back()["accounting"];
    std::uint64_t sum = 0;
    for (const auto& [part, bytes] : sums.items()) {
      sum += part == "total" ? 0 : bytes.get<std::uint64_t>();
    }
    EXPECT_EQ(sums["total"], size) << item;
    EXPECT_EQ(sum, size) << item;
  }
  expect_file("inspect_small.rlb.txt", run({"inspect", "small.rlb"}).out);
  expect_file("inspect_nested.txt", run({"inspect", "small.lib::pack.rlb"}).out);
}

TEST_F(CliRead, InspectEndsWith1ForWhatIsReadableAndFails) {
  Buffer archive = nres_archive({{"x", bytes_of("1")}, {"y", bytes_of("2")}});
  write("good.lib", archive);
  EXPECT_EQ(run({"inspect", "good.lib"}).status, 0);
  // Row y: its payload begins one byte late.
  archive[archive.size() - 8] = 25;
  write("odd.lib", archive);
  const Outcome outcome = run({"inspect", "odd.lib"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("strict  misaligned_payload at "));
  EXPECT_THAT(outcome.out, HasSubstr("Every byte, by what it is")) << "all is shown nevertheless";
}

TEST_F(CliRead, CatWritesTheDecodedBytes) {
  write_small_archives();
  const struct {
    const char* address;
    std::string_view bytes;
  } kCases[] = {{"small.lib::tagged", "one"},          {"small.lib::#0", "one"},
                {"small.lib::TAGGED", "one"},          {"small.lib::empty", ""},
                {"small.lib::pack.rlb::#1", "keyed"},  {"small.lib::pack.rlb::keyed.txt", "keyed"},
                {"small.lib::#1::PLAIN.TXT", "plain"}, {"small.lib::\\xe9t\\\\\\xe9", "name"}};
  for (const auto& [address, bytes] : kCases) {
    const Outcome outcome = run({"cat", address});
    EXPECT_EQ(outcome.status, 0) << address << ": " << outcome.err;
    EXPECT_EQ(outcome.out, bytes) << address;
  }
  EXPECT_EQ(run({"cat", "small.rlb"}).out, read_text("small.rlb"));
  write_damaged_archive();
  const Outcome damaged = run({"cat", "bad.rlb::B"});
  EXPECT_EQ(damaged.status, 1);
  EXPECT_EQ(damaged.out, "");
  EXPECT_THAT(damaged.err, HasSubstr("bad.rlb: entry B: invalid_stream at offset 0x81, field entry[1].payload: "));
}

TEST_F(CliRead, FileNamesMayLookLikeAnything) {
  const Buffer archive = nres_archive({{"x", bytes_of("1")}});
  for (const char* name : {"[b]", "{}", "%%", "a::b", "ü.lib", "\xFF.lib", "new\nline", "-dash", "a b"}) {
    write(name, archive);
    const Outcome list = run({"ls", "--json", "--", name});
    EXPECT_EQ(list.status, 0) << name << list.err;
    EXPECT_EQ(json_lines(list.out).size(), 1U) << name;
    const Outcome verified = run({"verify", "--", name});
    EXPECT_EQ(verified.status, 0) << name << verified.err;
    EXPECT_THAT(verified.out, HasSubstr("2 items: 1 ok")) << name;
  }
  const Outcome several = run({"verify", "[b]", "a b", "[b]", "-v"});
  EXPECT_THAT(several.out, HasSubstr("ok  [b]  nres, 88 bytes\n")) << several.err;
  EXPECT_THAT(several.out, HasSubstr("6 items: 3 ok"));
  EXPECT_EQ(run({"[verify]"}).err, "assay: '[verify]' is no verb; see assay --help\n");
  EXPECT_EQ(run({"ls", "\xFF.none"}).err, "assay: \\xff.none: No such file or directory\n");
}

TEST_F(CliRead, TheProfileDecidesWhatIsReadable) {
  make_corpus("c");
  EXPECT_EQ(run({"ls", "c/sprites.lib"}).status, 0);
  EXPECT_EQ(run({"ls", "c/sprites.lib", "--profile", "strict"}).status, 1);
  EXPECT_EQ(run({"ls", "c/sprites.lib", "--profile", "strict", "--rule", "deflate_eof_plus_one"}).status, 0);
  EXPECT_EQ(run({"ls", "c/sprites.lib", "--no-rule", "deflate_eof_plus_one"}).status, 1);
  const Outcome refused = run({"cat", "c/sprites.lib::INTERF8.TEX", "--profile", "strict"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, HasSubstr("packed_size_past_eof"));
}

TEST_F(CliRead, PathsMayHoldWhatSeparatesEntries) {
  write("a::b.rlb", nres_archive({{"one", bytes_of("1")}, {"pack", nres_archive({{"deep", bytes_of("2")}})}}));
  write("dir::x/o.rlb", read("a::b.rlb"));
  for (const std::string file : {"a::b.rlb", "dir::x/o.rlb"}) {
    EXPECT_EQ(run({"cat", file + "::one"}).out, "1") << file;
    EXPECT_EQ(run({"cat", file + "::pack::#0"}).out, "2") << file;
    EXPECT_EQ(run({"ls", file}).status, 0) << file;
  }
}

// A sparse file takes no disk, but reading it would take memory.
TEST_F(CliRead, WhatIsBeyondTheLimitsIsRefusedBeforeItIsRead) {
  write("huge.rlb", nres_archive({}));
  fs::resize_file(at("huge.rlb"), std::uintmax_t{1} << 40);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"ls", "huge.rlb"},
                                             {"inspect", "huge.rlb"},
                                             {"cat", "huge.rlb::x"},
                                             {"edit", "huge.rlb", "--remove", "x"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 1) << arguments.front();
    EXPECT_THAT(outcome.err, HasSubstr("huge.rlb: limit_exceeded at offset 0x0, field file: "));
  }
  write("a.rlb", nres_archive({}));
  EXPECT_THAT(run({"edit", "a.rlb", "--add", "x=huge.rlb"}).err, HasSubstr("huge.rlb: has 1099511627776 bytes"));
}

TEST_F(CliRead, AFileThatHoldsMoreThanItSaysIsNoEmptyFile) {
  const std::string file = "/proc/cpuinfo";
  if (!fs::exists(file)) {
    GTEST_SKIP() << file << " is not there";
  }
  write("a.lib", nres_archive({}));
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"ls", file}, {"cat", file}, {"inspect", file}, {"edit", "a.lib", "--add", "x=" + file}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments.front();
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "assay: /proc/cpuinfo: Input/output error\n");
  }
  const Outcome verified = run({"verify", file});
  EXPECT_EQ(verified.status, 1);
  EXPECT_THAT(verified.out, HasSubstr("unreadable_file"));
}

TEST_F(CliRead, PipesAndDevicesAreRefusedAtOnce) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0666), 0);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"ls", "pipe"},
                                             {"cat", "pipe"},
                                             {"inspect", "pipe"},
                                             {"cat", "/dev/zero"},
                                             {"edit", "pipe", "--remove", "x"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments.front();
    EXPECT_THAT(outcome.err, HasSubstr("is a pipe or a device, expected a regular file"));
  }
  EXPECT_THAT(run({"verify", "pipe"}).err, HasSubstr("pipe: neither a file nor a folder"));
}

}  // namespace
}  // namespace assay::tools
