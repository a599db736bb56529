#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tools/cli_test_support.h"

// How edit and repack put their result in place.
namespace assay::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CliEditFiles : public CliTest {
 protected:
  void SetUp() override {
    write("d/a.lib", nres_archive({{"one", bytes_of("first")}, {"two", bytes_of("second")}}));
    write("d/b.lib", nres_archive({{"one", bytes_of("first")}}));
    write("new", "new payload");
  }
};

TEST_F(CliEditFiles, InPlaceEqualsElsewhere) {
  EXPECT_EQ(run({"edit", "d/a.lib", "--remove", "two", "-o", "d/out.lib"}).status, 0);
  EXPECT_EQ(read("d/out.lib"), read("d/b.lib"));
  EXPECT_EQ(run({"edit", "d/a.lib", "--remove", "two"}).status, 0);
  EXPECT_EQ(read("d/a.lib"), read("d/b.lib"));
  EXPECT_THAT(names_in("d"), ElementsAre("a.lib", "b.lib", "out.lib"));
}

TEST_F(CliEditFiles, PermissionsAreKept) {
  for (const mode_t mode : {0600U, 0640U, 0755U, 0444U}) {
    ASSERT_EQ(::chmod(at("d/a.lib").c_str(), mode), 0);
    EXPECT_EQ(run({"edit", "d/a.lib", "--replace", "one=new"}).status, 0);
    struct stat status{};
    ASSERT_EQ(::stat(at("d/a.lib").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, mode);
  }
  const mode_t mask = ::umask(027);
  EXPECT_EQ(run({"edit", "d/a.lib", "--replace", "one=new", "-o", "d/fresh.lib"}).status, 0);
  ::umask(mask);
  struct stat status{};
  ASSERT_EQ(::stat(at("d/fresh.lib").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0640U) << "a new file goes by the umask";
}

TEST_F(CliEditFiles, TheOwnerIsKept) {
  constexpr uid_t kOwner = 1234;
  if (::chown(at("d/a.lib").c_str(), kOwner, kOwner) != 0) {
    GTEST_SKIP() << "only root may give a file away";
  }
  EXPECT_EQ(run({"edit", "d/a.lib", "--remove", "two"}).status, 0);
  struct stat status{};
  ASSERT_EQ(::stat(at("d/a.lib").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, kOwner);
  EXPECT_EQ(status.st_gid, kOwner);
}

TEST_F(CliEditFiles, LinksAreFollowed) {
  fs::create_directory(at("links"));
  fs::create_symlink("../d/a.lib", at("links/link"));
  EXPECT_EQ(run({"edit", "links/link", "--remove", "two"}).status, 0);
  EXPECT_TRUE(fs::is_symlink(at("links/link")));
  EXPECT_EQ(read("d/a.lib"), read("d/b.lib"));
  fs::create_symlink("../d/b.lib", at("links/out"));
  EXPECT_EQ(run({"edit", "d/a.lib", "--remove", "one", "-o", "links/out"}).status, 0);
  EXPECT_TRUE(fs::is_symlink(at("links/out")));
  EXPECT_EQ(read("d/b.lib"), nres_archive({}));
  fs::create_symlink("nowhere", at("links/dangling"));
  const Outcome refused = run({"edit", "d/a.lib", "--remove", "one", "-o", "links/dangling"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err, "assay: links/dangling: is a link that leads nowhere\n");
  EXPECT_THAT(names_in("links"), ElementsAre("dangling", "link", "out"));
  EXPECT_THAT(names_in("d"), ElementsAre("a.lib", "b.lib"));
}

TEST_F(CliEditFiles, FailuresLeaveEverythingAsItWas) {
  write("large", std::string(100'000, 'x'));
  const Buffer before = read("d/a.lib");
  const auto unchanged = [&](const Outcome& outcome, const char* says) {
    EXPECT_EQ(outcome.status, 2) << says;
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_EQ(read("d/a.lib"), before) << says;
    EXPECT_THAT(names_in("d"), ElementsAre("a.lib", "b.lib")) << says;
  };
  unchanged(run({"edit", "d/a.lib", "--replace", "one=large"}, {.file_size_limit = 50'000}),
            "assay: d/a.lib: File too large\n");
  unchanged(run({"edit", "d/a.lib", "--replace", "one=large", "-o", "d/x"}, {.file_size_limit = 50'000}),
            "assay: d/x: File too large\n");
  unchanged(run({"edit", "d/a.lib", "--remove", "one", "-o", "none/x"}), "assay: none/x: No such file or directory\n");
  unchanged(run({"edit", "d/a.lib", "--remove", "one", "-o", "d"}), "assay: d: not a regular file\n");
  unchanged(run({"edit", "d/a.lib", "--remove", "one", "-o", "/dev/null"}), "assay: /dev/null: not a regular file\n");
  unchanged(run({"repack", "d/a.lib", "-o", "d"}), "assay: d: not a regular file\n");
  make_read_only("d");
  unchanged(run({"edit", "d/a.lib", "--remove", "one"}, {.as_nobody = true}), "assay: d/a.lib: Permission denied\n");
  make_read_only("d", false);
}

TEST_F(CliEditFiles, TheLongestNamesCanBeEdited) {
  const std::string name = "d/" + std::string(255, 'm');
  write(name, read("d/a.lib"));
  EXPECT_EQ(run({"edit", name, "--remove", "one"}).status, 0);
  EXPECT_NE(read(name), read("d/a.lib"));
}

TEST_F(CliEditFiles, RepackDropsWhatBelongsToNoEntryAndIsStable) {
  make_corpus("c");
  for (const char* name :
       {"Textures.lib", "sprites.lib", "methods.rlb", "DATA/media.rlb", "ui/unsorted.lib", "DATA/names.res"}) {
    const std::string from = std::string("c/") + name;
    const auto expected = listing(from);
    const Outcome outcome = run({"repack", from, "-o", "once"});
    EXPECT_EQ(outcome.status, 0) << name << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(listing("once"), expected) << name;
    EXPECT_EQ(run({"verify", "once"}).status, 0) << name << ": the canonical form is strict";
    EXPECT_EQ(run({"repack", "once", "-o", "twice"}).status, 0);
    EXPECT_EQ(read("twice"), read("once")) << name;
  }
  EXPECT_EQ(run({"repack", "c/MISSIONS/CAMPAIGN/nested.rlb::#0", "-o", "inner"}).status, 0);
  EXPECT_EQ(run({"repack", "twice", "-o", "twice"}).status, 0) << "onto itself";
}

TEST_F(CliEditFiles, RepackRefusesWhatItCannotRead) {
  make_corpus("c");
  fs::copy_file(at("c/sprites.lib"), at("other.lib"));
  const Outcome refused = run({"repack", "other.lib", "-o", "out"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, HasSubstr("other.lib: not_editable at offset 0x31C, field entry[23].packed_size: "));
  EXPECT_FALSE(fs::exists(at("out")));
}

}  // namespace
}  // namespace assay::tools
