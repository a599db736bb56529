#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden/store.h"
#include "golden/test_items.h"

namespace assay::golden {
namespace {

class PerfStoreTest : public testing::Test {
 protected:
  Store open() { return Store::open(folder_ / "a.db", Store::Mode::kReadWriteCreate); }

  test::ScratchFolder folder_;
};

Measurement sample(const std::string& label) {
  return {.label = label,
          .context = {{"cpu", "a CPU"}, {"commit", "abc"}},
          .series = {{"BM_A", "cpu_time", "ns", {3, 1, 2}}, {"BM_B/text/16", "cpu_time", "ns", {7}}}};
}

TEST_F(PerfStoreTest, GivesBackWhatWasRecorded) {
  Store store = open();
  const std::int64_t id = store.perf().record(sample("first"));
  const MeasurementRecord record = store.perf().find(std::to_string(id));
  EXPECT_EQ(record.label, "first");
  EXPECT_EQ(record.benchmarks, 2U);
  const Measurement loaded = store.perf().load(record);
  EXPECT_EQ(loaded.series, sample("").series);
  EXPECT_EQ(loaded.context, sample("").context);
}

TEST_F(PerfStoreTest, SharesNumbersWithRunsAndIsNone) {
  Store store = open();
  const std::int64_t first = store.perf().record(sample("first"));
  RunWriter writer = store.begin_run({"scan", "", "", "", ""});
  writer.finish({});
  const std::int64_t second = store.perf().record(sample("second"));
  EXPECT_LT(first, writer.run_id());
  EXPECT_LT(writer.run_id(), second);
  ASSERT_EQ(store.runs().size(), 1U);
  EXPECT_EQ(store.find_run("latest").id, writer.run_id());
}

TEST_F(PerfStoreTest, FindsByNumberLabelAndPlace) {
  Store store = open();
  store.perf().record(sample("a"));
  store.perf().record(sample("b"));
  const std::int64_t last = store.perf().record(sample("a"));
  EXPECT_EQ(store.perf().find("latest").id, last);
  EXPECT_EQ(store.perf().find("previous").label, "b");
  EXPECT_EQ(store.perf().find("a").id, last);
  EXPECT_THROW(static_cast<void>(store.perf().find("c")), StoreError);
}

TEST_F(PerfStoreTest, TheMediansAreMetrics) {
  Store store = open();
  store.perf().record(sample("a"));
  Database database((folder_ / "a.db").string(), Database::Mode::kReadOnly);
  EXPECT_EQ(database.text("SELECT group_concat(name || ' ' || metric || ' ' || value || ' ' || unit, ', ') FROM "
                          "(SELECT * FROM v_metric ORDER BY name)"),
            "BM_A cpu_time 2.0 ns, BM_B/text/16 cpu_time 7.0 ns");
}

TEST_F(PerfStoreTest, NoticesALostRepetition) {
  Store store = open();
  store.perf().record(sample("a"));
  {
    Database database((folder_ / "a.db").string(), Database::Mode::kReadWriteCreate);
    database.run("DELETE FROM sample WHERE name = 'BM_A' AND repetition = 1");
  }
  EXPECT_THROW(static_cast<void>(store.perf().load(store.perf().find("a"))), StoreError);
}

TEST_F(PerfStoreTest, NoticesFiguresThatCannotBe) {
  for (const char* damage : {"UPDATE sample SET value = 0 WHERE metric = 'cpu_time'", "UPDATE sample SET value = -1",
                             "UPDATE sample SET value = 9e999"}) {
    Store store = open();
    store.perf().record(sample("a"));
    Database((folder_ / "a.db").string(), Database::Mode::kReadWriteCreate).run(damage);
    EXPECT_THROW(static_cast<void>(store.perf().load(store.perf().find("a"))), StoreError) << damage;
  }
  for (const char* spread : {"0.99", "0", "9e999"}) {
    Store store = open();
    store.perf().record_noise({{"BM_A", 1}});
    EXPECT_EQ(store.perf().noise(), (NoiseTable{{"BM_A", 1}}));
    Database((folder_ / "a.db").string(), Database::Mode::kReadWriteCreate)
        .run((std::string("UPDATE noise SET spread = ") + spread).c_str());
    EXPECT_THROW(static_cast<void>(store.perf().noise()), StoreError) << spread;
  }
}

TEST_F(PerfStoreTest, NoiseIsReplacedByName) {
  Store store = open();
  store.perf().record_noise({{"BM_A", 1.01}, {"BM_B", 1.02}});
  store.perf().record_noise({{"BM_B", 1.5}});
  EXPECT_EQ(store.perf().noise(), (NoiseTable{{"BM_A", 1.01}, {"BM_B", 1.5}}));
}

}  // namespace
}  // namespace assay::golden
