#include "reports/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/report_test_support.h"

namespace assay::reports {
namespace {

using golden::FileResult;
using golden::test::sample_file;
using test::broken_file;
using test::quirky_file;
using test::report_of;
using test::unknown_file;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// "NAME COUNT", a line a group.
std::vector<std::string> summary(const PlaceGroups& groups) {
  std::vector<std::string> lines;
  for (const PlaceGroup& group : groups.groups) {
    lines.push_back(group.name + " " + std::to_string(group.count));
  }
  return lines;
}

TEST(ItemCollector, CountsItemsByFormatAndVerdictWithUnknownLast) {
  const ItemSummary items = report_of({broken_file("a.lib"), quirky_file("b.lib"), unknown_file("c.bin")}).items;
  ASSERT_THAT(items.formats, SizeIs(3));
  EXPECT_EQ(items.formats[0].format, "msh");
  EXPECT_EQ(items.formats[0].items, 6U);
  EXPECT_THAT(items.formats[0].verdicts, ElementsAre(4, 1, 1, 0));
  EXPECT_EQ(items.formats[0].bytes, 6U * 18U);
  EXPECT_EQ(items.formats[1].format, "nres");
  EXPECT_THAT(items.formats[1].verdicts, ElementsAre(1, 0, 1, 0));
  EXPECT_EQ(items.formats[2].format, "unknown");
  EXPECT_THAT(items.formats[2].verdicts, ElementsAre(0, 0, 0, 1));
}

TEST(ItemCollector, GroupsWhatFailsByCodeAndFieldWithoutIndexes) {
  FileResult other = sample_file("b.lib");
  golden::test::break_entry(other, 3);
  other.items[1].findings = {golden::test::error_finding("truncated_stream", "entry[0].data", 1)};
  const ItemSummary items = report_of({broken_file("a.lib"), other}).items;
  EXPECT_THAT(summary(items.failures),
              ElementsAre("invalid_stream entry[*].data 2", "truncated_stream entry[*].data 1"));
  EXPECT_EQ(items.failing_archives, 2U) << "archives fail without a finding of their own";
  const Place& place = items.failures.groups[0].places[0];
  EXPECT_EQ(place.path + "::" + place.entry, "a.lib::B");
  EXPECT_EQ(place.offset, 0x40U);
  EXPECT_EQ(place.field, "entry[1].data");
  EXPECT_EQ(place.message, "it is broken");
}

TEST(ItemCollector, ABrokenRuleThatNothingAllowsFails) {
  FileResult file = sample_file("a.lib");
  file.items[1].findings = {golden::test::rule_finding("nres_linear_lookup", false)};
  file.items[1].verdict = Verdict::kFail;
  const ItemSummary items = report_of({file, quirky_file("b.lib")}).items;
  EXPECT_THAT(summary(items.failures), ElementsAre("sort_order_mismatch entry[*].sort_index 1"));
  EXPECT_THAT(summary(items.refused_rules), ElementsAre("nres_linear_lookup 1"));
  EXPECT_THAT(summary(items.applied_rules), ElementsAre("nres_linear_lookup 1"));
  EXPECT_EQ(items.applied_rules.groups[0].places[0].path, "b.lib");
}

TEST(ItemCollector, NamesTheKindOfWhatIsUnknown) {
  FileResult archive = sample_file("a.lib");
  archive.items[1].verdict = archive.items[2].verdict = Verdict::kUnknown;
  archive.items[2].entry = "PART.Bin";
  const ItemSummary items =
      report_of({archive, unknown_file("b/c.d/none"), unknown_file("d.BIN"), unknown_file("e.bin"),
                 unknown_file("f.ending_that_is_none"), unknown_file("g.")})
          .items;
  EXPECT_THAT(summary(items.unknown), ElementsAre("no ending 4", ".bin 3"));
}

struct TypedRow {
  std::uint32_t attr1 = 0;
  std::uint32_t type_id = 0;
};

constexpr auto kTypedRow = record<TypedRow>(
    "entry", 8, field<TypedRow>(0x00, "attr1", &TypedRow::attr1, FieldStatus::kOpaque),
    field<TypedRow>(0x04, "type_id", &TypedRow::type_id, FieldStatus::kLayoutConfirmed).shown_as(Display::kTag));

FileResult typed_file(const std::string& path) {
  FileResult file = unknown_file(path);
  file.items[0].row = {.record = "typed.entry", .index = 0, .offset = 0, .bytes = Buffer(8)};
  kTypedRow.write({7, load_little_endian<std::uint32_t>(as_bytes("DATA"))}, file.items[0].row.bytes);
  return file;
}

TEST(ItemCollector, NamesTheTypeOfTheDirectoryRowInFrontOfTheEnding) {
  ItemCollector collector([](std::string_view) { return &kInfoOf<kTypedRow>; }, {});
  FileResult cut = typed_file("c.bin");
  cut.items[0].row.bytes.pop_back();
  for (const FileResult& file : {typed_file("a.bin"), typed_file("b"), cut}) {
    collector.add(file);
  }
  EXPECT_THAT(summary(collector.take().unknown), ElementsAre(".bin 1", "type DATA 1", "type DATA, .bin 1"));
}

TEST(ItemCollector, KeepsNotesApart) {
  FileResult file = sample_file("a.lib");
  file.items[0].findings = {test::gap_note()};
  const ItemSummary items = report_of({file}).items;
  EXPECT_THAT(summary(items.notes), ElementsAre("non_zero_gap 1"));
  EXPECT_TRUE(items.failures.empty());
}

TEST(PlaceCounter, KeepsTheFirstPlacesOfTheLargestGroupsAndCountsTheRest) {
  PlaceCounter counter({.places = 2, .groups = 2, .rows = 2});
  for (const char* name : {"small", "middle", "large", "middle", "large", "large", "least"}) {
    counter.add(name, {.path = std::string(name)});
  }
  const PlaceGroups groups = counter.take();
  EXPECT_THAT(summary(groups), ElementsAre("large 3", "middle 2"));
  EXPECT_THAT(groups.groups[0].places, SizeIs(2));
  EXPECT_EQ(groups.count, 7U);
  EXPECT_EQ(groups.more_groups, 2U);
  EXPECT_EQ(groups.more_count, 2U);
}

TEST(PlaceCounter, HoldsABoundedNumberOfNames) {
  PlaceCounter counter({.places = 1, .groups = 10, .rows = 1});
  for (int number = 0; number < 12'000; ++number) {
    counter.add(std::to_string(number), {});
  }
  const PlaceGroups groups = counter.take();
  EXPECT_THAT(groups.groups, SizeIs(10));
  EXPECT_EQ(groups.count, 12'000U);
  EXPECT_EQ(groups.more_count, 11'990U);
}

golden::FuzzCampaign campaign(std::int64_t id, const std::string& target, const std::string& engine,
                              std::vector<golden::FuzzCrash> crashes = {}) {
  golden::FuzzCampaign made;
  made.id = id;
  made.target = target;
  made.engine = engine;
  made.crashes = std::move(crashes);
  return made;
}

TEST(LatestCampaigns, KeepTheCrashesOfEarlierOnes) {
  const auto targets = latest_campaigns({campaign(1, "nres", "libfuzzer", {{"overflow", "a < b", "crash-1", true}}),
                                         campaign(2, "msh", "libfuzzer"), campaign(3, "nres", "libfuzzer"),
                                         campaign(4, "nres", "afl", {{"abort", "c", "crash-2", false}})});
  ASSERT_THAT(targets, SizeIs(3));
  EXPECT_EQ(targets[0].latest.target, "msh");
  EXPECT_EQ(targets[1].latest.engine, "afl");
  EXPECT_EQ(targets[2].latest.id, 3);
  ASSERT_THAT(targets[2].crashes, SizeIs(1));
  EXPECT_EQ(targets[2].crashes[0].campaign, 1);
  EXPECT_EQ(targets[2].crashes[0].crash.reproducer, "crash-1");
}

class GatherReport : public ::testing::Test {
 protected:
  GatherReport() : store_(golden::Store::open(folder_ / "db", golden::Store::Mode::kReadWriteCreate)) {}

  golden::RunRecord record(const std::vector<FileResult>& files) {
    golden::RunWriter writer =
        store_.begin_run({.label = "l", .corpus = "/c", .profile = "strict", .tool_version = "1", .rules = "none"});
    for (const FileResult& file : files) {
      writer.add(file);
    }
    writer.finish(golden::test::totals_of(files));
    return store_.find_run(std::to_string(writer.run_id()));
  }

  void measure(const std::string& label, const std::string& benchmark, double nanoseconds) {
    const golden::Measurement measurement{
        .label = label, .context = {}, .series = {{benchmark, "cpu_time", "ns", std::vector<double>(9, nanoseconds)}}};
    store_.perf().record(measurement);
  }

  Report gather(const golden::RunRecord& run, const std::optional<golden::RunRecord>& against) {
    return gather_report(store_, run, against, golden::test::find_sample_record);
  }

  golden::test::ScratchFolder folder_;
  golden::Store store_;
};

TEST_F(GatherReport, TakesItemsAndChangesFromOnePass) {
  const auto before = record({sample_file("a.lib"), sample_file("gone.lib")});
  const auto after = record({broken_file("a.lib")});
  const Report report = gather(after, before);
  EXPECT_EQ(report.changes.count(Category::kRegressed), 2U);
  EXPECT_EQ(report.changes.count(Category::kRemoved), 4U);
  EXPECT_EQ(report.items.failures.count, 1U);
  EXPECT_EQ(report.against->id, before.id);
}

TEST_F(GatherReport, WithoutAnotherRunThereAreNoChanges) {
  const Report report = gather(record({broken_file("a.lib")}), std::nullopt);
  EXPECT_EQ(report.items.failures.count, 1U);
  EXPECT_FALSE(report.against.has_value());
  EXPECT_TRUE(report.changes.empty());
  EXPECT_THAT(report.fuzzing, IsEmpty());
  EXPECT_THAT(report.benchmarks.measurements, IsEmpty());
}

TEST_F(GatherReport, ComparesTheLatestMeasurementWithTheOneBefore) {
  const auto run = record({sample_file("a.lib")});
  measure("one", "BM_A", 100);
  EXPECT_FALSE(gather(run, std::nullopt).benchmarks.is_compared);
  measure("two", "BM_A", 200);
  const PerfSummary compared = gather(run, std::nullopt).benchmarks;
  EXPECT_TRUE(compared.is_compared);
  EXPECT_EQ(compared.latest.count(PerfOutcome::kSlower), 1U);
  measure("three", "BM_Other", 5);
  const PerfSummary alone = gather(run, std::nullopt).benchmarks;
  EXPECT_FALSE(alone.is_compared) << "the two have no benchmark in common";
  ASSERT_THAT(alone.latest.rows, SizeIs(1));
  EXPECT_EQ(alone.latest.rows[0].after_ns, 5);
}

TEST_F(GatherReport, ListsTheTimesOfALoneMeasurementWithoutItsCounters) {
  const golden::Measurement measurement{
      .label = "one",
      .context = {},
      .series = {
          {"BM_A", "bytes_per_second", "", {9}}, {"BM_A", "cpu_time", "ns", {5}}, {"BM_B", "instructions", "", {9}}}};
  store_.perf().record(measurement);
  const auto rows = gather(record({sample_file("a.lib")}), std::nullopt).benchmarks.latest.rows;
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].name, "BM_A");
  EXPECT_EQ(rows[0].after_ns, 5);
}

}  // namespace
}  // namespace assay::reports
