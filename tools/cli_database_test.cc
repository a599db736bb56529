#include <sqlite3.h>

#include <string>

#include "tools/cli_database_test_support.h"

// A database that cannot be used: exit status 2, a message that names it, and no change to it.
namespace assay::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CliDatabase : public CliDatabaseTest {
 protected:
  void SetUp() override { write("a.lib", nres_archive({{"x", bytes_of("1")}})); }

  void make_database(const std::string& name) { EXPECT_EQ(run({"scan", "a.lib", "--db", name}).status, 0); }

  // Every verb that uses a database refuses this one and leaves it alone.
  void expect_refused(const std::string& database, const char* says) {
    const Buffer before = read(database);
    write("m", "{}\n");
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"scan", "a.lib", "--db", database},
                                               {"runs", database},
                                               {"diff", "1", "1", "--db", database},
                                               {"merge", "--db", "fresh", database},
                                               {"report", "--db", database, "-o", "fresh"},
                                               {"golden", "new", "fresh", "--db", database},
                                               {"golden", "accept", "m", "--db", database}}) {
      const Outcome outcome = run(arguments);
      EXPECT_EQ(outcome.status, 2) << arguments.front() << " " << says;
      EXPECT_EQ(outcome.out, "") << arguments.front();
      EXPECT_THAT(outcome.err, StartsWith("assay: " + database + ": ")) << arguments.front();
      EXPECT_THAT(outcome.err, HasSubstr(says)) << arguments.front();
    }
    EXPECT_FALSE(fs::exists(at("fresh")));
    EXPECT_EQ(read(database), before) << says;
  }
};

TEST_F(CliDatabase, ANameThatSqliteTakesForAnotherPlaceIsAFile) {
  write("a.lib", nres_archive({}));
  for (const char* name : {":memory:", "file:x.db", ":"}) {
    EXPECT_EQ(run({"scan", "a.lib", "--db", name}).status, 0) << name;
    EXPECT_TRUE(fs::is_regular_file(at(name))) << name;
    EXPECT_EQ(run({"runs", name}).status, 0) << name;
  }
}

TEST_F(CliDatabase, CanBeReadWhereNothingMayBeWritten) {
  write("a.lib", nres_archive({}));
  fs::create_directory(at("odd %41?#"));
  EXPECT_EQ(run({"scan", "a.lib", "--db", "odd %41?#/db"}).status, 0);
  const std::string runs = run({"runs", "odd %41?#/db"}).out;
  fs::permissions(at("odd %41?#"),
                  fs::perms::all & ~(fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write));
  fs::permissions(at("odd %41?#/db"), fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  const Outcome outcome = run({"runs", "odd %41?#/db"}, {.as_nobody = true});
  const Outcome refused = run({"scan", "a.lib", "--db", "odd %41?#/db"}, {.as_nobody = true});
  fs::permissions(at("odd %41?#"), fs::perms::all);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, runs);
  EXPECT_NE(runs, "");
  EXPECT_EQ(refused.status, 2);
}

TEST_F(CliDatabase, ACorpusIsTheSameThroughALink) {
  write("real/UNITS/x.dat", "NOTMAGIC");
  fs::create_directory_symlink("real/UNITS", at("link"));
  EXPECT_EQ(run({"scan", "link", "--db", "db"}).status, run({"scan", "real/UNITS", "--db", "db"}).status);
  EXPECT_EQ(run({"diff", "previous", "latest", "--db", "db"}).status, 0);
}

TEST_F(CliDatabase, NoDatabaseAtAll) {
  write("db", std::string(5000, 'x'));
  expect_refused("db", "is not a SQLite database, or its header is damaged");
}

TEST_F(CliDatabase, Foreign) {
  change("db", "create table t(x); insert into t values(1)");
  expect_refused("db", "is a database of another program");
}

TEST_F(CliDatabase, Newer) {
  make_database("db");
  change("db", "pragma user_version=999");
  expect_refused("db", "was written by a newer version of Iron Assay (schema 999");
}

TEST_F(CliDatabase, Damaged) {
  make_database("db");
  change("db", "pragma journal_mode=delete");
  Buffer bytes = read("db");
  // Everything behind the schema's page.
  std::fill(bytes.begin() + 4096, bytes.end(), std::uint8_t{0xA5});
  write("db", bytes);
  const Outcome outcome = run({"runs", "db"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("db: is damaged"));
  EXPECT_EQ(run({"scan", "a.lib", "--db", "db"}).status, 2);
}

TEST_F(CliDatabase, CutShort) {
  make_database("db");
  change("db", "pragma journal_mode=delete");
  fs::resize_file(at("db"), fs::file_size(at("db")) / 2);
  const Outcome outcome = run({"runs", "db"});
  EXPECT_EQ(outcome.status, 2) << outcome.out;
  EXPECT_THAT(outcome.err, StartsWith("assay: db: is damaged"));
}

TEST_F(CliDatabase, FolderAndEmptyFile) {
  fs::create_directory(at("folder"));
  EXPECT_THAT(run({"runs", "folder"}).err, HasSubstr("folder: is a folder; give the name of a database file"));
  write("empty", "");
  const Outcome outcome = run({"runs", "empty"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("empty: is empty, no run was recorded"));
  EXPECT_EQ(run({"scan", "a.lib", "--db", "empty"}).status, 0) << "an empty file becomes a database";
}

TEST_F(CliDatabase, Locked) {
  make_database("db");
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(at("db").c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, "begin immediate", nullptr, nullptr, nullptr), SQLITE_OK);
  const Outcome refused = run({"scan", "a.lib", "--db", "db", "--lock-timeout", "1"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err,
            "assay: db: was locked by another process for 1.0 seconds; wait for that process to end and try again\n");
  EXPECT_EQ(run({"runs", "db"}).status, 0) << "readers do not wait for a writer";
  const pid_t patient = start({"scan", "a.lib", "--db", "db"});
  sqlite3_sleep(300);
  sqlite3_exec(handle, "commit", nullptr, nullptr, nullptr);
  EXPECT_EQ(finish(patient).status, 0);
  sqlite3_close(handle);
}

TEST_F(CliDatabase, ReadOnly) {
  make_database("db");
  change("db", "pragma journal_mode=delete");
  make_read_only(".");
  fs::permissions(at("db"), fs::perms::owner_read | fs::perms::others_read);
  const Outcome refused = run({"scan", "a.lib", "--db", "db"}, {.as_nobody = true});
  EXPECT_EQ(refused.status, 2) << refused.out;
  EXPECT_THAT(refused.err, StartsWith("assay: db: cannot be "));
  const Outcome elsewhere = run({"scan", "a.lib", "--db", "new"}, {.as_nobody = true});
  EXPECT_EQ(elsewhere.status, 2);
  EXPECT_THAT(elsewhere.err, StartsWith("assay: new: cannot be "));
  make_read_only(".", false);
}

TEST_F(CliDatabase, Full) {
  make_corpus("c");
  const Outcome refused = run({"scan", "c", "--db", "db"}, {.file_size_limit = 60'000});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, StartsWith("assay: db: cannot "));
  EXPECT_EQ(run({"runs", "db"}).status, 0) << "what is there can be read";
  EXPECT_EQ(run({"scan", "c", "--db", "db"}).status, 0) << "and with room again it goes on";
}

}  // namespace
}  // namespace assay::tools
