#include <sys/stat.h>

#include <algorithm>
#include <string>

#include "parsers/base/byte_reader.h"
#include "parsers/formats/nres/nres.h"
#include "tools/cli_test_support.h"

// edit: each operation, their order, and what is refused.
namespace assay::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CliEdit : public CliTest {
 protected:
  void SetUp() override {
    write("a.lib",
          nres_archive({{"one", bytes_of("first")}, {"two", bytes_of("second")}, {"three", bytes_of("third")}}));
    const Buffer mesh = nres_archive({{"s0", bytes_of("stream0")}, {"s1", bytes_of("stream1")}});
    const Buffer pack = rsli_archive(
        {{"NESTED.RES", rsli::Method::kXorLzss, rsli::pack(rsli::Method::kXorLzss, mesh, kDefaultLevel), mesh.size()},
         {"PLAIN", rsli::Method::kStored, bytes_of("plain"), 5}});
    write("nested.lib", nres_archive({{"pack", pack}, {"tail", bytes_of("end")}}));
    write("new", "new payload");
  }

  // Runs one edit into `out.lib`, which has to succeed.
  void edit(const std::string& archive, std::vector<std::string> edits) {
    edits.insert(edits.begin(), {"edit", archive, "-o", "out.lib"});
    const Outcome outcome = run(edits);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }

  std::vector<std::string> names(const std::string& archive) {
    std::vector<std::string> result;
    for (const auto& [name, hash] : listing(archive)) {
      result.push_back(name);
    }
    return result;
  }

  std::string cat(const std::string& address) {
    const Outcome outcome = run({"cat", address});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }

  // The bytes that differ between an archive and out.lib.
  std::vector<std::size_t> changed_bytes(const std::string& archive) {
    const Buffer before = read(archive);
    const Buffer after = read("out.lib");
    EXPECT_EQ(before.size(), after.size());
    std::vector<std::size_t> changed;
    for (std::size_t at = 0; at < std::min(before.size(), after.size()); ++at) {
      if (before[at] != after[at]) {
        changed.push_back(at);
      }
    }
    return changed;
  }
};

TEST_F(CliEdit, EachOperationAtTheTop) {
  edit("a.lib", {"--replace", "two=new"});
  EXPECT_THAT(names("out.lib"), ElementsAre("one", "two", "three"));
  EXPECT_EQ(cat("out.lib::two"), "new payload");
  EXPECT_EQ(cat("out.lib::three"), "third");
  edit("a.lib", {"--rename", "two=2"});
  EXPECT_THAT(names("out.lib"), ElementsAre("one", "2", "three"));
  edit("a.lib", {"--add", "four=new"});
  EXPECT_THAT(names("out.lib"), ElementsAre("one", "two", "three", "four"));
  edit("a.lib", {"--remove", "two"});
  EXPECT_THAT(names("out.lib"), ElementsAre("one", "three"));
  edit("a.lib", {"--remove", "#0", "--remove", "#0", "--remove", "#0"});
  EXPECT_EQ(read("out.lib"), nres_archive({}));
  EXPECT_EQ(run({"verify", "out.lib"}).status, 0);
}

TEST_F(CliEdit, EachOperationNested) {
  edit("nested.lib", {"--replace", "pack::NESTED.RES::s1=new"});
  EXPECT_EQ(cat("out.lib::pack::NESTED.RES::s1"), "new payload");
  edit("nested.lib", {"--rename", "pack::NESTED.RES::s1=S"});
  EXPECT_THAT(names("out.lib::pack::NESTED.RES"), ElementsAre("s0", "S"));
  edit("nested.lib", {"--add", "pack::NESTED.RES::s2=new"});
  EXPECT_THAT(names("out.lib::pack::NESTED.RES"), ElementsAre("s0", "s1", "s2"));
  edit("nested.lib", {"--remove", "pack::#0::s0"});
  EXPECT_THAT(names("out.lib::pack::NESTED.RES"), ElementsAre("s1"));
  edit("nested.lib", {"--set", "pack::NESTED.RES@entry[s1].attr3=77"});
  EXPECT_EQ(json_lines(run({"ls", "out.lib::pack::NESTED.RES", "--json"}).out)[1]["attr3"], 77);
  EXPECT_EQ(cat("out.lib::tail"), "end");
  EXPECT_EQ(cat("out.lib::pack::PLAIN"), "plain");
  EXPECT_EQ(run({"verify", "out.lib"}).status, 0);
}

TEST_F(CliEdit, MixedOperationsKeepTheOrderOfTheCommandLine) {
  edit("a.lib", {"--remove", "two", "--add", "two=new", "--rename", "#1=middle", "--remove", "one", "--add", "one=new",
                 "--rename", "two=last", "--remove", "middle"});
  EXPECT_THAT(names("out.lib"), ElementsAre("last", "one"));
  EXPECT_EQ(cat("out.lib::one"), "new payload");
  // The same options in another order mean something else.
  edit("a.lib", {"--rename", "#1=middle", "--remove", "middle", "--add", "two=new"});
  EXPECT_THAT(names("out.lib"), ElementsAre("one", "three", "two"));
  edit("a.lib", {"--set", "@entry[0].attr1=1", "--rename", "one=x", "--set", "@entry[x].attr1=2", "--set",
                 "@entry[0].name=y", "--replace", "y=new"});
  EXPECT_EQ(json_lines(run({"ls", "out.lib", "--json"}).out)[0]["attr1"], 2);
  EXPECT_EQ(cat("out.lib::y"), "new payload");
}

TEST_F(CliEdit, SetChangesTheBytesOfItsFieldAndNoOther) {
  edit("a.lib", {"--set", "@entry[2].attr1=0x01020304"});
  const std::size_t row = read("a.lib").size() - nres::kEntryRecord.size_bytes;
  EXPECT_THAT(changed_bytes("a.lib"), ElementsAre(row + 4, row + 5, row + 6, row + 7));
  edit("a.lib", {"--set", "@entry[2].attr1=7"});
  EXPECT_THAT(changed_bytes("a.lib"), ElementsAre(row + 4));
  edit("a.lib", {"--set", "@entry[2].type_id=MESH"});
  EXPECT_EQ(json_lines(run({"ls", "out.lib", "--json"}).out)[2]["type"], "MESH");
  edit("a.lib", {"--set", "@entry[2].attr1=0"});
  EXPECT_EQ(read("out.lib"), read("a.lib"));
}

TEST_F(CliEdit, DryRunListsTheRangesAndWritesNothing) {
  const Buffer before = read("a.lib");
  const auto names_before = names_in();
  const std::size_t row = before.size() - nres::kEntryRecord.size_bytes;
  const Outcome text = run({"edit", "a.lib", "--dry-run", "--set", "@entry[2].attr1=0x01020304"});
  EXPECT_EQ(text.status, 0);
  EXPECT_EQ(text.out, "a.lib: 232 bytes now, 232 bytes after\n  [0xAC,0xB0)  00000000 -> 04030201\n");
  const Outcome json = run(
      {"edit", "a.lib", "--dry-run", "--json", "--set", "@entry[2].attr1=1", "--set", "@entry[2].attr2=0x01000100"});
  const OrderedJson change = json_lines(json.out).front();
  EXPECT_THAT(keys_of(change), ElementsAre("path", "size_before", "size_after", "changed"));
  EXPECT_EQ(change["size_before"], before.size());
  OrderedJson ranges = OrderedJson::array();
  for (const std::size_t offset : {row + 4, row + 9, row + 11}) {
    ranges.push_back({{"offset", offset}, {"size", 1}});
  }
  EXPECT_EQ(change["changed"], ranges) << "exactly, however close they are";
  EXPECT_EQ(run({"edit", "a.lib", "--dry-run", "--set", "@entry[0].attr1=0"}).out,
            "a.lib: 232 bytes now, 232 bytes after\n  nothing would change\n");
  const Outcome shorter = run({"edit", "a.lib", "--dry-run", "--json", "--remove", "two"});
  EXPECT_EQ(json_lines(shorter.out).front()["size_after"], 160);
  EXPECT_EQ(run({"edit", "a.lib", "--dry-run", "--remove", "two", "-o", "never"}).status, 0);
  EXPECT_EQ(read("a.lib"), before);
  EXPECT_EQ(names_in(), names_before);
}

TEST_F(CliEdit, DryRunJoinsChangesForReadersLessThanEightBytesApart) {
  const auto changes = [&](const std::string& first, const std::string& second) {
    return run({"edit", "a.lib", "--dry-run", "--set", "@entry[2]." + first, "--set", "@entry[2]." + second}).out;
  };
  const std::string sizes = "a.lib: 232 bytes now, 232 bytes after\n";
  EXPECT_EQ(changes("type_id=6", "attr2=1"), sizes + "  [0xA8,0xB1)  0700000000000000... -> 0600000000000000...\n");
  EXPECT_EQ(changes("type_id=6", "attr2=0x100"), sizes + "  [0xA8,0xA9)  07 -> 06\n  [0xB1,0xB2)  00 -> 01\n");
  EXPECT_EQ(changes("attr1=0x01010101", "attr2=0x01010101"),
            sizes + "  [0xAC,0xB4)  0000000000000000 -> 0101010101010101\n");
}

TEST_F(CliEdit, DryRunSaysWhereOneOfTheFilesHasNothing) {
  write("empty", "");
  write("b.lib", nres_archive({{"x", bytes_of("1")}, {"y", {}}}));
  EXPECT_EQ(run({"edit", "b.lib", "--dry-run", "--remove", "y"}).out,
            "b.lib: 152 bytes now, 88 bytes after\n  [0x8,0xD)  0200000098 -> 0100000058\n"
            "  [0x58,0x98)  0700000000000000... -> nothing\n");
  EXPECT_EQ(run({"edit", "b.lib", "--dry-run", "--add", "z=empty"}).out,
            "b.lib: 152 bytes now, 216 bytes after\n  [0x8,0xD)  0200000098 -> 03000000d8\n"
            "  [0x98,0xD8)  nothing -> 0000000000000000...\n");
}

TEST_F(CliEdit, TheOverlayOptionDecidesWhatIsReplaced) {
  write("a.rlb", overlay_archive());
  write("other", "wxyz");
  for (const auto& [overlay, offset] : {std::pair("on", 0x41U), std::pair("off", 0x40U)}) {
    Buffer expected = overlay_archive();
    std::ranges::copy(bytes_of("wxyz"), expected.begin() + offset);
    edit("a.rlb", {"--replace", "A=other", "--overlay", overlay});
    EXPECT_EQ(read("out.lib"), expected) << overlay;
  }
}

TEST_F(CliEdit, RefusesWithTheReasonAndLeavesTheFile) {
  const Buffer before = read("a.lib");
  const auto names_before = names_in();
  const struct {
    std::vector<std::string> edits;
    const char* says;
  } kCases[] = {
      {{"--set", "@entry[0].size=7"},
       "--set '@entry[0].size=7': a.lib: field entry[0].size cannot be set: it is the length of the payload; use "
       "--replace"},
      {{"--set", "@entry[0].data_offset=7"}, "cannot be set: it follows from the layout of the payloads"},
      {{"--set", "@entry[0].sort_index=7"}, "cannot be set: it follows from the names"},
      {{"--set", "@header.entry_count=7"}, "cannot be set: it counts the entries; use --add and --remove"},
      {{"--set", "@header.magic=NRes"}, "cannot be set: it marks the format"},
      {{"--set", "@entry[0].nothing=7"}, "a.lib: no such field can be set, `assay inspect` lists them"},
      {{"--set", "@nothing=7"}, "no such field can be set"},
      {{"--set", "@entry[3].attr1=7"}, "no entry answers to that address"},
      {{"--set", "@entry[0].attr1=seven"}, "a.lib: field entry[0].attr1: the value does not fit the field"},
      {{"--set", "@entry[0].attr1=4294967296"}, "the value does not fit the field"},
      {{"--set", "entry[0].attr1=7"}, "--set 'entry[0].attr1=7': expected [ENTRY[::ENTRY]...]@FIELD=VALUE"},
      {{"--set", "one@entry[0].attr1=7"}, "--set 'one@entry[0].attr1=7': a.lib: "},
      {{"--remove", "none"}, "--remove 'none': a.lib: no entry answers to that address, `assay ls` lists them"},
      {{"--remove", "one::x"}, "--remove 'one::x': a.lib: "},
      {{"--rename", "one"}, "--rename 'one': expected ENTRY=NAME"},
      {{"--rename", "one=0123456789012345678901234567890123456"}, "the name does not fit its field"},
      {{"--rename", "one=a\\x00b"}, "a name may not contain NUL"},
      {{"--rename", "one=a\\qb"}, "'a\\qb': a backslash in a name starts \\\\ or \\xNN"},
      {{"--add", "x"}, "--add 'x': expected [ENTRY::]NAME=PATH"},
      {{"--add", "x=."}, ".: is a folder, expected a file"},
      {{"--add", "x=new", "--method", "lzss"}, "a.lib: field entry[3]: the packing method is none that is known"},
      {{"--replace", "one=none"}, "none: No such file or directory"},
      // What was fine before the refused step is not kept either.
      {{"--remove", "two", "--remove", "two"}, "--remove 'two': a.lib: no entry answers"},
  };
  for (const auto& [edits, says] : kCases) {
    std::vector<std::string> arguments{"edit", "a.lib"};
    arguments.insert(arguments.end(), edits.begin(), edits.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << says << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith("assay: "));
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_EQ(read("a.lib"), before) << says;
  }
  EXPECT_EQ(names_in(), names_before) << "no temporary file stays";
}

TEST_F(CliEdit, AwkwardNamesHaveAnAddress) {
  edit("a.lib",
       {"--add", "a\\x3db=new", "--add", "c\\x40d=new", "--add", "e\\x3a\\x3af=new", "--add", "[n]=new", "--add",
        "{}=new", "--add=-rf=new", "--add", "%%=new", "--add", "\\xff\\\\=new", "--rename", "#0=x=y@z::w"});
  EXPECT_THAT(names("out.lib"),
              ElementsAre("x=y@z::w", "two", "three", "a=b", "c@d", "e::f", "[n]", "{}", "-rf", "%%", "\\xff\\\\"));
  fs::rename(at("out.lib"), at("odd.lib"));
  edit("odd.lib", {"--set", "@entry[c\\x40d].attr1=9", "--replace", "a\\x3db=a.lib"});
  EXPECT_EQ(json_lines(run({"ls", "out.lib", "--json"}).out)[4]["attr1"], 9);
  EXPECT_EQ(cat("out.lib::a=b"), read_text("a.lib"));
  edit("odd.lib", {"--remove", "{}", "--remove=-rf", "--remove", "[n]", "--remove", "%%", "--remove", "e\\x3a\\x3af",
                   "--remove", "\\xff\\\\", "--remove", "a=b", "--remove", "#0"});
  EXPECT_THAT(names("out.lib"), ElementsAre("two", "three", "c@d"));
}

TEST_F(CliEdit, PipesAsPayloadsAreRefusedNotReadAsEmpty) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0666), 0);
  const Outcome outcome = run({"edit", "a.lib", "--replace", "one=pipe"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "assay: pipe: is a pipe or a device, expected a regular file\n");
}

TEST_F(CliEdit, NotesAboutTheHeaderGoToStderrAndSyncHeaderFollows) {
  make_corpus("c");
  const Outcome noted = run({"edit", "c/sprites.lib", "--remove", "LOGO.TEX", "-o", "out.lib"});
  EXPECT_EQ(noted.status, 0);
  EXPECT_EQ(noted.out, "");
  EXPECT_EQ(noted.err,
            "assay: note: header.entry_count_copy was equal to the entry count and no longer is; --sync-header updates "
            "it\nassay: note: header.unpacked_total was the sum of the unpacked sizes and no longer is; --sync-header "
            "updates it\n");
  EXPECT_THAT(run({"inspect", "out.lib"}).out, HasSubstr("entry_count_copy           24 "));
  const Outcome synced = run({"edit", "c/sprites.lib", "--remove", "LOGO.TEX", "-o", "out.lib", "--sync-header"});
  EXPECT_EQ(synced.err, "");
  EXPECT_THAT(run({"inspect", "out.lib"}).out, HasSubstr("entry_count_copy           23 "));
}

TEST_F(CliEdit, WhatIsUnreadableNowIsWrittenAndSaid) {
  EXPECT_EQ(run({"synth", "game", "-o", "g"}).status, 0);
  const Outcome mission = run({"edit", "g/MISSIONS/Single.01/data.tma", "--set", "@clan[0].mode=99"});
  EXPECT_EQ(mission.status, 0);
  EXPECT_EQ(mission.out, "");
  EXPECT_THAT(mission.err, StartsWith("assay: note: the edited item is refused by its own format now: clan[0].mode: "));
  EXPECT_EQ(run({"inspect", "g/MISSIONS/Single.01/data.tma"}).status, 1);
  const Outcome model = run({"edit", "g/bases.rlb", "--set", "r_h_01.msh@entry[0].attr3=37"});
  EXPECT_EQ(model.status, 0);
  EXPECT_THAT(model.err, StartsWith("assay: note: the edited item is refused by its own format now: entry[0].attr3: "));
  EXPECT_THAT(run({"inspect", "g/bases.rlb::r_h_01.msh"}).err, HasSubstr("(expected 38 or 24, got 37)"));
}

TEST_F(CliEdit, TheArchiveWithTheQuirkCanBeEdited) {
  make_corpus("c");
  const auto before = listing("c/sprites.lib");
  fs::create_directory(at("o"));
  const auto edit_sprites = [&](std::vector<std::string> edits) {
    edits.insert(edits.begin(), {"edit", "c/sprites.lib", "-o", "o/sprites.lib"});
    const Outcome outcome = run(edits);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(run({"verify", "o/sprites.lib", "--profile", "compatible"}).status, 0);
    return listing("o/sprites.lib");
  };
  auto expected = before;
  expected[1].first = "L.TEX";
  EXPECT_EQ(edit_sprites({"--rename", "LOGO.TEX=L.TEX"}), expected);
  expected = before;
  expected[1].second = sha256_text(bytes_of("new payload"));
  EXPECT_EQ(edit_sprites({"--replace", "LOGO.TEX=new"}), expected);
  expected = before;
  expected.emplace_back("ZZ", sha256_text(bytes_of("new payload")));
  EXPECT_EQ(edit_sprites({"--add", "ZZ=new", "--method", "xor+lzhuf"}), expected);
  expected = before;
  expected.back().first = "X.TEX";
  EXPECT_EQ(edit_sprites({"--rename", "INTERF8.TEX=X.TEX"}), expected);
  expected = before;
  expected.pop_back();
  EXPECT_EQ(edit_sprites({"--remove", "INTERF8.TEX"}), expected);
  expected = before;
  EXPECT_EQ(edit_sprites({"--set", "@header.xor_seed=99"}), expected);
  fs::copy_file(at("c/sprites.lib"), at("other.lib"));
  const Outcome refused = run({"edit", "other.lib", "--add", "ZZ=new"});
  EXPECT_EQ(refused.status, 1) << "under another name the rule does not apply";
  EXPECT_THAT(refused.err, HasSubstr("other.lib: not_editable"));
  EXPECT_EQ(read("other.lib"), read("c/sprites.lib"));
}

}  // namespace
}  // namespace assay::tools
