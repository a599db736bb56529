#include "golden/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "golden/test_items.h"

namespace assay::golden {
namespace {

using test::error_of;
using test::find_sample_record;
using test::sample_file;
using test::ScratchFolder;
using test::VectorSource;
using ::testing::HasSubstr;

std::vector<ExpectedFile> read_all(const std::filesystem::path& path) {
  ManifestReader reader(path);
  std::vector<ExpectedFile> files;
  while (auto file = reader.next()) {
    files.push_back(std::move(*file));
  }
  return files;
}

ManifestHeader write(const std::filesystem::path& path, std::vector<FileResult> files) {
  VectorSource source(std::move(files));
  return write_manifest(path, "demo", "compatible", source, find_sample_record);
}

// An archive has a fact for each gap. As long as each was looked for among those before it, this took minutes.
TEST(Manifest, ManyFactsTakeTimeThatGrowsWithThem) {
  FileResult file = sample_file("a.lib");
  file.items[0].facts.clear();
  for (int fact = 100'000; fact < 200'000; ++fact) {
    file.items[0].facts.push_back({.key = "gap[" + std::to_string(fact) + "]", .value = "1 byte"});
  }
  const ScratchFolder folder;
  const auto started = std::chrono::steady_clock::now();
  write(folder / "m.jsonl", {file});
  EXPECT_TRUE(read_all(folder / "m.jsonl").at(0).items.at(0).facts == file.items[0].facts);
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(20));
}

TEST(Manifest, ReadsBackWhatWasWrittenWhateverItHolds) {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    const ScratchFolder folder;
    const auto files = test::RandomFiles(seed).files(150);
    const ManifestHeader header = write(folder / "m.jsonl", files);
    EXPECT_EQ(header.files, 150U);
    EXPECT_EQ(ManifestReader(folder / "m.jsonl").header(), header);
    const auto read = read_all(folder / "m.jsonl");
    ASSERT_EQ(read.size(), files.size());
    for (std::size_t index = 0; index < files.size(); ++index) {
      EXPECT_EQ(read[index], expectation_of(files[index], find_sample_record)) << "seed " << seed << " file " << index;
    }
  }
}

TEST(Manifest, IsTextThatAPersonCanRead) {
  const ScratchFolder folder;
  auto file = sample_file("a.lib");
  file.items.resize(2);
  file.items[1].stored_sha256 = test::hash_of(0xAA);
  file.items[1].verdict = Verdict::kFail;
  file.items[1].findings = {test::rule_finding("some_rule", true), test::rule_finding("refused_rule", false),
                            test::error_finding("invalid_stream", "entry[0].data", 64)};
  write(folder / "m.jsonl", {file});
  const auto hash = [](const std::string& byte) {
    std::string digits = "\"";
    for (int count = 0; count < 32; ++count) {
      digits += byte;
    }
    return digits + "\"";
  };
  const std::string header = R"({"iron_assay_manifest":1,"corpus":"demo","profile":"compatible","files":1,"items":2})";
  const std::string archive = R"({"path":"a.lib","entry":"","format":"nres","size":572,"sha256":)" + hash("01") +
                              R"(,"verdict":"ok","rules":[],"findings":[],"row":{},)"
                              R"("facts":{"header.version":"256"}})";
  const std::string entry =
      R"({"path":"a.lib","entry":"A","format":"msh","size":18,"sha256":)" + hash("10") + R"(,"stored_sha256":)" +
      hash("aa") +
      R"(,"verdict":"fail","rules":["some_rule"],"findings":["strict sort_order_mismatch entry[0].sort_index )"
      R"(refused_rule","error invalid_stream entry[0].data"],"row":{"name":"A","attr1":"7","data_offset":"64",)"
      R"("sort_index":"0"},"facts":{"nodes":"3"}})";
  EXPECT_EQ(test::read_text(folder / "m.jsonl"), header + "\n" + archive + "\n" + entry + "\n");
}

TEST(Manifest, SortsEntriesBehindTheirFile) {
  const ScratchFolder folder;
  auto file = sample_file("a.lib");
  std::swap(file.items[1], file.items[3]);
  write(folder / "m.jsonl", {file});
  const auto read = read_all(folder / "m.jsonl");
  ASSERT_EQ(read.at(0).items.size(), 4U);
  EXPECT_EQ(read[0].items[0].entry, "");
  EXPECT_EQ(read[0].items[1].entry, "A");
  EXPECT_EQ(read[0].items[3].entry, "C");
}

TEST(Manifest, KeepsARowWithoutARecordTableAsHex) {
  Item item = test::sample_entry(0, "A");
  item.row.record = "nobody.knows";
  const Expectation expected = expectation_of(item, find_sample_record);
  ASSERT_EQ(expected.row.size(), 1U);
  EXPECT_EQ(expected.row[0].key, "bytes");
  EXPECT_EQ(expected.row[0].value.size(), 40U);
}

TEST(Manifest, MayBeEmpty) {
  const ScratchFolder folder;
  write(folder / "m.jsonl", {});
  EXPECT_TRUE(read_all(folder / "m.jsonl").empty());
}

TEST(ManifestWriter, LeavesTheOldManifestAndNoOtherFileWhenAbandoned) {
  const ScratchFolder folder;
  write(folder / "m.jsonl", {sample_file("a.lib")});
  const std::string before = test::read_text(folder / "m.jsonl");
  {
    ManifestWriter writer(folder / "m.jsonl", "demo", "strict");
    writer.add(expectation_of(sample_file("b.lib"), find_sample_record));
  }
  EXPECT_EQ(test::read_text(folder / "m.jsonl"), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / ""), {}), 1);
}

TEST(ManifestWriter, SaysThatItsFolderIsNotThere) {
  const ScratchFolder folder;
  EXPECT_THAT(error_of<FileError>([&] { write(folder / "no/m.jsonl", {}); }),
              HasSubstr("no/m.jsonl: No such file or directory"));
}

TEST(ManifestWriter, RefusesTextThatIsNotUtf8) {
  const ScratchFolder folder;
  EXPECT_THAT(error_of<ManifestError>([&] { write(folder / "m.jsonl", {sample_file("a\xFF.lib")}); }),
              HasSubstr("not UTF-8"));
}

struct Damage {
  const char* name;
  std::function<void(std::vector<std::string>&)> damage;
  const char* says;
};

std::function<void(std::vector<std::string>&)> replace(std::size_t line, std::string from, std::string to) {
  return [=](std::vector<std::string>& lines) {
    const std::size_t at = lines[line].find(from);
    ASSERT_NE(at, std::string::npos);
    lines[line].replace(at, from.size(), to);
  };
}

// Lines count from 0 here and from 1 in the messages. Line 1 is a.lib itself, 2 to 4 its entries, 5 is b.lib itself.
const Damage kDamages[] = {
    {"empty_file", [](auto& lines) { lines.clear(); }, ":1: the file is empty"},
    {"header_not_json", replace(0, "{", "["), ":1: not JSON"},
    {"header_not_object", [](auto& lines) { lines[0] = "[]"; }, ":1: not a JSON object"},
    {"header_of_something_else", replace(0, "iron_assay_manifest", "other"),
     ":1: the key \"iron_assay_manifest\" is missing"},
    {"newer_version", replace(0, "\"iron_assay_manifest\":1", "\"iron_assay_manifest\":2"),
     ":1: version 2 of the manifest is newer"},
    {"version_zero", replace(0, "\"iron_assay_manifest\":1", "\"iron_assay_manifest\":0"), ":1: version 0"},
    {"version_text", replace(0, "\"iron_assay_manifest\":1", "\"iron_assay_manifest\":\"1\""),
     ":1: \"iron_assay_manifest\" must be a whole number"},
    {"header_without_profile", replace(0, "\"profile\":\"compatible\",", ""), ":1: the key \"profile\" is missing"},
    {"header_negative_count", replace(0, "\"files\":2", "\"files\":-2"), ":1: \"files\" must be a whole number"},
    {"header_unknown_key", replace(0, "\"files\"", "\"x\":1,\"files\""), ":1: the key \"x\" is unknown"},
    {"header_counts_items_wrong", replace(0, "\"items\":8", "\"items\":9"), "the header counts 2 files and 9 items"},
    {"header_counts_files_wrong", replace(0, "\"files\":2", "\"files\":3"), "the header counts 3 files and 8 items"},
    {"line_not_json", replace(3, "\"entry\":", "entry"), ":4: not JSON"},
    {"line_cut_off", [](auto& lines) { lines[8].resize(50); }, ":9: not JSON"},
    {"line_empty", [](auto& lines) { lines[4].clear(); }, ":5: not JSON"},
    {"line_not_object", [](auto& lines) { lines[4] = "7"; }, ":5: not a JSON object"},
    {"lines_lost_at_the_end", [](auto& lines) { lines.resize(8); },
     ":8: the header counts 2 files and 8 items, the manifest ends after 2 and 7"},
    {"missing_key", replace(2, "\"format\":\"msh\",", ""), ":3: the key \"format\" is missing"},
    {"missing_facts", replace(1, ",\"facts\":{\"header.version\":\"256\"}", ""), ":2: the key \"facts\" is missing"},
    {"unknown_key", replace(2, "\"format\"", "\"sha1\":\"\",\"format\""), ":3: the key \"sha1\" is unknown"},
    {"key_twice", replace(2, "\"format\"", "\"size\":18,\"format\""), ":3: the key \"size\" is there twice"},
    {"fact_twice", replace(2, "\"nodes\":\"3\"", "\"nodes\":\"2\",\"nodes\":\"3\""),
     ":3: the key \"nodes\" is there twice"},
    {"path_number", replace(2, "\"path\":\"a.lib\"", "\"path\":1"), ":3: \"path\" must be a text"},
    {"size_text", replace(2, "\"size\":18", "\"size\":\"18\""), ":3: \"size\" must be a whole number"},
    {"size_fraction", replace(2, "\"size\":18", "\"size\":18.5"), ":3: \"size\" must be a whole number"},
    {"hash_short", replace(2, "\"sha256\":\"1010", "\"sha256\":\"10"), ":3: \"sha256\" must be null or 64 hex digits"},
    {"hash_not_hex", replace(2, "\"sha256\":\"1010", "\"sha256\":\"xx10"),
     ":3: \"sha256\" must be null or 64 hex digits"},
    {"hash_number", replace(2, "\"verdict\"", "\"stored_sha256\":5,\"verdict\""),
     ":3: \"stored_sha256\" must be null or 64 hex digits"},
    {"verdict_unknown", replace(2, "\"verdict\":\"ok\"", "\"verdict\":\"good\""),
     ":3: \"verdict\" must be ok, quirk, fail or unknown"},
    {"rules_text", replace(2, "\"rules\":[]", "\"rules\":\"x\""), ":3: \"rules\" must be a list of texts"},
    {"findings_numbers", replace(2, "\"findings\":[]", "\"findings\":[1]"), ":3: \"findings\" must be a list of texts"},
    {"row_list", replace(1, "\"row\":{}", "\"row\":[]"), ":2: \"row\" must be an object of texts"},
    {"facts_numbers", replace(2, "\"nodes\":\"3\"", "\"nodes\":3"), ":3: \"facts\" must be an object of texts"},
    {"reason_number", replace(2, "\"rules\"", "\"reason\":1,\"rules\""), ":3: \"reason\" must be a text"},
    {"unsorted_entries", [](auto& lines) { std::swap(lines[2], lines[3]); }, ":4: not sorted: a.lib A comes after B"},
    {"unsorted_files", replace(5, "\"path\":\"b.lib\"", "\"path\":\"Z.lib\""),
     ":6: not sorted: Z.lib comes after a.lib"},
    {"duplicate_entry", [](auto& lines) { lines[3] = lines[2]; }, ":4: a.lib A is there twice"},
    {"duplicate_file", [](auto& lines) { lines[2] = lines[1]; }, ":3: a.lib  is there twice"},
    {"first_file_item_missing", [](auto& lines) { lines.erase(lines.begin() + 1); },
     "the item of the file a.lib itself is missing"},
    {"file_item_missing", [](auto& lines) { lines.erase(lines.begin() + 5); },
     ":6: the item of the file b.lib itself is missing"},
};

class ManifestReaderRefuses : public ::testing::TestWithParam<Damage> {};

TEST_P(ManifestReaderRefuses, WithFileLineAndReason) {
  const ScratchFolder folder;
  const auto path = folder / "m.jsonl";
  write(path, {sample_file("a.lib"), sample_file("b.lib")});
  std::vector<std::string> lines;
  std::istringstream input(test::read_text(path));
  for (std::string line; std::getline(input, line);) {
    lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), 9U);
  ASSERT_EQ(error_of<ManifestError>([&] { read_all(path); }), "(no error)");
  GetParam().damage(lines);
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  test::write_text(path, text);
  const std::string error = error_of<ManifestError>([&] { read_all(path); });
  EXPECT_THAT(error, HasSubstr(path.string() + ":"));
  EXPECT_THAT(error, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(Damages, ManifestReaderRefuses, ::testing::ValuesIn(kDamages),
                         [](const auto& test_case) { return std::string(test_case.param.name); });

TEST(ManifestReader, SaysThatThereIsNoSuchFile) {
  const ScratchFolder folder;
  for (const auto& path : {folder / "m.jsonl", folder / ""}) {
    EXPECT_THAT(error_of<ManifestError>([&] { read_all(path); }), HasSubstr("cannot be opened"));
  }
}

}  // namespace
}  // namespace assay::golden
