#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "synth/corpus.h"
#include "tools/cli_test_support.h"

namespace assay::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CliVerify : public CliTest {};

// The item lines by "path::entry", and the summary.
std::map<std::string, OrderedJson> items_of(const std::vector<OrderedJson>& lines) {
  std::map<std::string, OrderedJson> items;
  for (const OrderedJson& line : lines) {
    if (line.contains("path")) {
      items[line["path"].get<std::string>() + "::" + line["entry"].get<std::string>()] = line;
    }
  }
  return items;
}

TEST_F(CliVerify, JsonGivesTheFixedKeysAndASummaryThatAddsUp) {
  make_corpus("c");
  const Outcome outcome = run({"verify", "c", "--json"});
  EXPECT_EQ(outcome.status, 1) << "the strict profile refuses one entry of sprites.lib";
  EXPECT_EQ(outcome.err, "");
  const auto lines = json_lines(outcome.out);
  std::map<std::string, std::uint64_t> counts;
  std::uint64_t bytes = 0;
  for (std::size_t index = 0; index + 1 < lines.size(); ++index) {
    const OrderedJson& item = lines[index];
    EXPECT_THAT(keys_of(item),
                ElementsAre("path", "entry", "format", "size", "sha256", "verdict", "rules", "findings"));
    EXPECT_TRUE(item["sha256"].is_string() || item["sha256"].is_null());
    EXPECT_TRUE(item["rules"].is_array());
    for (const OrderedJson& finding : item["findings"]) {
      for (const char* key : {"code", "severity", "rule", "offset", "field", "message"}) {
        EXPECT_TRUE(finding.contains(key)) << key;
      }
      EXPECT_TRUE(finding["rule"].is_string() || finding["rule"].is_null());
      EXPECT_THAT(finding["severity"].get<std::string>(), ::testing::AnyOf("error", "strict", "note"));
    }
    ++counts[item["verdict"]];
    bytes += item["entry"] == "" ? item["size"].get<std::uint64_t>() : 0;
  }
  EXPECT_THAT(keys_of(lines.back()), ElementsAre("summary"));
  const OrderedJson& summary = lines.back()["summary"];
  EXPECT_THAT(keys_of(summary), ElementsAre("items", "ok", "quirk", "fail", "unknown", "bytes"));
  EXPECT_EQ(summary["items"], lines.size() - 1);
  for (const char* verdict : {"ok", "quirk", "fail", "unknown"}) {
    EXPECT_EQ(summary[verdict], counts[verdict]) << verdict;
  }
  EXPECT_EQ(summary["bytes"], bytes);
  EXPECT_EQ(summary["fail"], 2) << "the entry and its archive";
}

TEST_F(CliVerify, TheQuirkOfSpritesIsNamedInEitherProfile) {
  make_corpus("c");
  const Outcome strict = run({"verify", "c/sprites.lib", "--json"});
  EXPECT_EQ(strict.status, 1);
  const auto refused = items_of(json_lines(strict.out)).at("c/sprites.lib::INTERF8.TEX");
  EXPECT_EQ(refused["verdict"], "fail");
  EXPECT_EQ(refused["rules"], OrderedJson::array());
  EXPECT_EQ(refused["findings"][0]["rule"], "deflate_eof_plus_one");
  EXPECT_TRUE(refused["sha256"].is_null());
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--profile", "compatible"}, {"--rule", "deflate_eof_plus_one"}}) {
    std::vector<std::string> arguments{"verify", "c/sprites.lib", "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome compatible = run(arguments);
    EXPECT_EQ(compatible.status, 0) << options.front();
    const auto items = items_of(json_lines(compatible.out));
    for (const char* address : {"c/sprites.lib::", "c/sprites.lib::INTERF8.TEX"}) {
      EXPECT_EQ(items.at(address)["verdict"], "quirk") << address;
      EXPECT_EQ(items.at(address)["rules"], OrderedJson::array({"deflate_eof_plus_one"})) << address;
    }
  }
  EXPECT_EQ(run({"verify", "c", "--profile", "compatible", "--no-rule", "deflate_eof_plus_one"}).status, 1);
}

TEST_F(CliVerify, TextListsWhatIsNotFine) {
  make_corpus("c");
  expect_file("verify_sprites.txt", run({"verify", "c/sprites.lib"}).out);
  const Outcome calm = run({"verify", "c/palettes.lib", "c/readme.txt"});
  EXPECT_EQ(calm.status, 0) << "unknown alone does not fail";
  EXPECT_EQ(calm.out, "2 items: 1 ok, 0 quirk, 0 fail, 1 unknown; 916 bytes\n");
  const Outcome verbose = run({"verify", "-v", "c/palettes.lib", "c/readme.txt"});
  EXPECT_EQ(verbose.out,
            "ok  c/palettes.lib  nres, 16 bytes\nunknown  c/readme.txt  unknown, 900 bytes\n"
            "2 items: 1 ok, 0 quirk, 0 fail, 1 unknown; 916 bytes\n");
}

TEST_F(CliVerify, NotesAreListedOnlyWhenAskedFor) {
  Buffer archive = nres_archive({{"x", bytes_of("1")}});
  archive[17] = 9;  // behind the payload, where zeros align
  write("a.lib", archive);
  const std::string summary = "2 items: 1 ok, 0 quirk, 0 fail, 1 unknown; 88 bytes\n";
  EXPECT_EQ(run({"verify", "a.lib"}).out, summary);
  EXPECT_EQ(run({"verify", "a.lib", "-v"}).out,
            "ok  a.lib  nres, 88 bytes\n"
            "    note  non_zero_gap at 0x11, field region[0]: bytes that belong to no entry are not zero (got 7)\n"
            "unknown  a.lib::x  unknown, 1 byte\n" +
                summary);
}

TEST_F(CliVerify, AFolderMayEndInASlash) {
  write("c/a.lib", nres_archive({{"x", bytes_of("1")}}));
  write("c/d/b.txt", "text");
  const std::string without = run({"verify", "c", "-v"}).out;
  EXPECT_THAT(without, HasSubstr("\nunknown  c/d/b.txt  unknown, 4 bytes\n"));
  EXPECT_EQ(run({"verify", "c/", "-v"}).out, without);
}

TEST_F(CliVerify, TheOverlayOptionDecidesWhatAnEntryIs) {
  write("a.rlb", overlay_archive());
  for (const auto& [overlay, payload] : {std::pair("on", "bcde"), std::pair("off", "abcd")}) {
    const Outcome outcome = run({"verify", "a.rlb", "--json", "--overlay", overlay});
    EXPECT_EQ(outcome.status, 0) << overlay;
    const auto items = items_of(json_lines(outcome.out));
    EXPECT_EQ(items.at("a.rlb::A")["sha256"], sha256_text(bytes_of(payload))) << overlay;
  }
  write("beyond.rlb", with_trailer(rsli_archive({}), 0x7FFFFFFF));
  EXPECT_THAT(run({"verify", "beyond.rlb"}).out, HasSubstr("media_overlay_out_of_bounds at 0x22"));
  EXPECT_EQ(run({"verify", "beyond.rlb", "--overlay", "off"}).status, 0);
}

// A literal 'a' and length symbol 286, which libdeflate takes for the longest match and zlib refuses
// (docs/formats/decisions.md, 15).
TEST_F(CliVerify, WhatOnlyOneDecoderAcceptsFailsUnlessNoneIsToConfirm) {
  write("a.rlb", rsli_archive({{"A", rsli::Method::kDeflate, {0x4B, 0x1C, 0x03, 0x00}, 259}}));
  const Outcome confirmed = run({"verify", "a.rlb", "--json"});
  EXPECT_EQ(confirmed.status, 1);
  const auto items = items_of(json_lines(confirmed.out));
  ASSERT_EQ(items.at("a.rlb::A")["findings"].size(), 1U);
  EXPECT_EQ(items.at("a.rlb::A")["findings"][0]["code"], "decoder_disagreement");
  EXPECT_EQ(items.at("a.rlb::A")["sha256"], sha256_text(bytes_of(std::string(259, 'a'))));
  const Outcome fast = run({"verify", "a.rlb", "--no-confirm"});
  EXPECT_EQ(fast.status, 0) << fast.out;
}

TEST_F(CliVerify, ResultsDoNotDependOnThreads) {
  make_corpus("c");
  const Outcome one = run({"verify", "c", "--json", "--jobs", "1"});
  EXPECT_EQ(run({"verify", "c", "--json", "--jobs", "7"}).out, one.out);
  EXPECT_EQ(run({"verify", "c", "--json"}).out, one.out);
}

TEST_F(CliVerify, EmptyFoldersPassWithANote) {
  fs::create_directory(at("empty"));
  const Outcome outcome = run({"verify", "empty"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "0 items: 0 ok, 0 quirk, 0 fail, 0 unknown; 0 bytes\n");
  EXPECT_EQ(outcome.err, "assay: note: there was no file to verify\n");
}

void make_socket(const fs::path& path) {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.native().size(), sizeof address.sun_path);
  path.native().copy(address.sun_path, path.native().size());
  EXPECT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(descriptor);
}

TEST_F(CliVerify, OddFilesAreNamedAndNeverHang) {
  const Buffer archive = nres_archive({});
  for (const char* name : {"odd/\xFF.lib", "odd/a\nb.lib", "odd/a\\b.lib", "odd/\xC3\xBC.lib"}) {
    write(name, archive);
  }
  ASSERT_EQ(::mkfifo(at("odd/pipe").c_str(), 0666), 0);
  make_socket(at("odd/socket"));
  fs::create_symlink(".", at("odd/loop"));
  fs::create_symlink("self", at("odd/self"));
  fs::create_symlink("nowhere", at("odd/dangling"));
  fs::create_symlink("\xC3\xBC.lib", at("odd/link"));
  const Outcome outcome = run({"verify", "-v", "odd"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(
      outcome.out,
      "ok  odd/\\xff.lib  nres, 16 bytes\nok  odd/a\\\\b.lib  nres, 16 bytes\nok  odd/a\\x0ab.lib  nres, 16 bytes\n"
      "ok  odd/link  nres, 16 bytes\nok  odd/\xC3\xBC.lib  nres, 16 bytes\n"
      "5 items: 5 ok, 0 quirk, 0 fail, 0 unknown; 80 bytes\n");
  std::string skipped;
  for (const char* name : {"dangling", "loop", "pipe", "self", "socket"}) {
    skipped += std::string("assay: odd/") + name + ": skipped, neither a file nor a folder, or a link to a folder\n";
  }
  EXPECT_EQ(outcome.err, skipped);
  for (const OrderedJson& line : json_lines(run({"verify", "odd", "--json"}).out)) {
    EXPECT_FALSE(line.is_discarded()) << "every name is valid JSON";
  }
}

TEST_F(CliVerify, WhatMayNotBeLookedAtIsNotLeftOut) {
  write("c/good.lib", nres_archive({}));
  write("c/listed/x.lib", "x");
  fs::permissions(at("c/listed"), fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  const Outcome outcome = run({"verify", "c", "--json"}, {.as_nobody = true});
  fs::permissions(at("c/listed"), fs::perms::owner_all);
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_EQ(items_of(json_lines(outcome.out)).at("c/listed/x.lib::")["findings"][0]["code"], "unreadable_file");
}

TEST_F(CliVerify, AFileByItselfIsWhatInspectSaysItIs) {
  write("UNITS/BUILDS/x.dat", "NOTMAGIC");
  const std::string file = "UNITS/BUILDS/x.dat";
  EXPECT_THAT(run({"inspect", file}).err, HasSubstr("invalid_magic"));
  const Outcome verified = run({"verify", file});
  EXPECT_THAT(verified.out, HasSubstr("unit_dat"));
  EXPECT_THAT(verified.out, HasSubstr("invalid_magic"));
}

TEST_F(CliVerify, ResultsDoNotDependOnWhetherMessagesCanBeWritten) {
  write("c/good.lib", nres_archive({{"one", bytes_of("1")}}));
  fs::create_directory_symlink(".", at("c/self"));
  const Outcome plain = run({"verify", "c", "--json"});
  const Outcome lost = run({"verify", "c", "--json"}, {.stderr_path = "/dev/full"});
  EXPECT_NE(plain.err, "");
  EXPECT_EQ(lost.status, plain.status);
  EXPECT_EQ(lost.out, plain.out);
}

TEST_F(CliVerify, UnreadableFilesFailAndUnreadableFoldersCannotWork) {
  write("c/good.lib", nres_archive({}));
  write("c/locked.lib", nres_archive({}));
  fs::permissions(at("c/locked.lib"), fs::perms::none);
  const Outcome file = run({"verify", "c", "--json"}, {.as_nobody = true});
  EXPECT_EQ(file.status, 1) << file.err;
  const auto items = items_of(json_lines(file.out));
  EXPECT_EQ(items.at("c/good.lib::")["verdict"], "ok");
  EXPECT_EQ(items.at("c/locked.lib::")["findings"][0]["code"], "unreadable_file");
  EXPECT_THAT(items.at("c/locked.lib::")["findings"][0]["message"], HasSubstr("Permission denied"));
  write("big/locked.bin", "");
  fs::resize_file(at("big/locked.bin"), std::uintmax_t{300} << 20);
  fs::permissions(at("big/locked.bin"), fs::perms::none);
  const Outcome big = run({"verify", "big"}, {.as_nobody = true});
  EXPECT_EQ(big.status, 1) << "over the input limit, and still not readable: " << big.out;
  write("c/closed/x", "x");
  fs::permissions(at("c/closed"), fs::perms::none);
  const Outcome folder = run({"verify", "c"}, {.as_nobody = true});
  fs::permissions(at("c/closed"), fs::perms::owner_all);
  EXPECT_EQ(folder.status, 2);
  EXPECT_THAT(folder.err, HasSubstr("c/closed"));
  EXPECT_THAT(folder.err, HasSubstr("Permission denied"));
}

TEST_F(CliVerify, FilesOverTheInputLimitAreHashedInPieces) {
  constexpr std::uintmax_t kSparseBytes = std::uintmax_t{300} << 20;
  write("big/a.bin", "");
  write("big/b.lib", nres_archive({}));
  fs::resize_file(at("big/a.bin"), kSparseBytes);
  fs::resize_file(at("big/b.lib"), kSparseBytes);
  const Outcome outcome = run({"verify", "big", "--json"});
  EXPECT_EQ(outcome.status, 1);
  const auto items = items_of(json_lines(outcome.out));
  EXPECT_EQ(items.at("big/a.bin::")["verdict"], "unknown");
  // sha256sum of 300 MiB of zeros.
  EXPECT_EQ(items.at("big/a.bin::")["sha256"], "17a88af83717f68b8bd97873ffcf022c8aed703416fe9b08e0fa9e3287692bf0");
  EXPECT_EQ(items.at("big/b.lib::")["format"], "nres");
  EXPECT_EQ(items.at("big/b.lib::")["findings"][0]["code"], "limit_exceeded");
  EXPECT_EQ(run({"ls", "big/b.lib"}).status, 1);
}

TEST_F(CliVerify, NestingIsBounded) {
  constexpr int kDepth = 1000;
  Buffer archive = bytes_of("core");
  for (int depth = 0; depth < kDepth; ++depth) {
    archive = nres_archive({{"in", archive}});
  }
  write("deep.lib", archive);
  const Outcome outcome = run({"verify", "deep.lib"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, ::testing::AnyOf(HasSubstr("nesting_too_deep"), HasSubstr("limit_exceeded")));
  std::string address = "deep.lib";
  for (int depth = 0; depth < kDepth; ++depth) {
    address += "::in";
  }
  EXPECT_EQ(run({"cat", address}).out, "core");
}

TEST_F(CliVerify, NestingUpToTheLimitIsFine) {
  constexpr int kLimit = 16;
  for (const int depth : {kLimit, kLimit + 1}) {
    Buffer archive = bytes_of("core");
    for (int level = 0; level <= depth; ++level) {
      archive = nres_archive({{"in", archive}});
    }
    write("deep.lib", archive);
    const Outcome outcome = run({"verify", "deep.lib"});
    EXPECT_EQ(outcome.status, depth == kLimit ? 0 : 1) << depth;
    EXPECT_EQ(outcome.out.find("nesting_too_deep") != std::string::npos, depth != kLimit) << outcome.out;
  }
}

// A thousand rows that all point at one payload of ten million zeros.
TEST_F(CliVerify, OverlappingMembersAreBounded) {
  constexpr std::size_t kUnpackedBytes = 10'000'000;
  constexpr std::size_t kRows = 1000;
  const Buffer packed = rsli::pack(rsli::Method::kDeflate, Buffer(kUnpackedBytes), kDefaultLevel);
  std::vector<std::string> names;
  std::vector<RsliMember> members;
  for (std::size_t row = 0; row < kRows; ++row) {
    names.push_back("M" + std::to_string(row));
  }
  for (std::size_t row = 0; row < kRows; ++row) {
    members.push_back({names[row], rsli::Method::kDeflate, row == 0 ? packed : Buffer{}, kUnpackedBytes});
  }
  write("bomb.rlb", rsli_archive(members));
  const Outcome truncated = run({"verify", "bomb.rlb", "--no-confirm"});
  EXPECT_EQ(truncated.status, 1);
  for (RsliMember& member : members) {
    member.packed = packed;
  }
  write("bomb.rlb", rsli_archive(members));
  const Outcome outcome = run({"verify", "bomb.rlb", "--no-confirm"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("limit_exceeded"));
}

TEST_F(CliVerify, InterruptedEndsWith130) {
  constexpr std::uint64_t kEntries = 100'000;
  constexpr int kTries = 5;
  const auto has_output = [this] {
    std::error_code missing;
    return fs::file_size(output_of("run"), missing) != 0 && !missing;
  };
  synth::write_corpus({.folder = at("load"), .entries = kEntries});
  Outcome outcome;
  for (int tries = 0; tries < kTries && outcome.status != 130; ++tries) {
    const pid_t child = start({"verify", "load", "--json", "--jobs", "1"});
    for (int waits = 0; waits < 10'000 && !has_output(); ++waits) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ::kill(child, SIGINT);
    outcome = finish(child);
  }
  EXPECT_EQ(outcome.status, 130);
  EXPECT_EQ(outcome.err, "assay: interrupted\n");
  EXPECT_EQ(outcome.out.find("summary"), std::string::npos) << "what was cut off must not look complete";
}

}  // namespace
}  // namespace assay::tools
