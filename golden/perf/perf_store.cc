#include "golden/perf/perf_store.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>

namespace assay::golden {
namespace {

std::int64_t insert_measurement(Database& database, const std::string& label) {
  // Runs and measurements share their numbers, so that v_metric can name either.
  Statement insert(database,
                   "INSERT INTO measurement(id, label, recorded_at) VALUES((SELECT 1 + max("
                   "(SELECT coalesce(max(id), 0) FROM run), (SELECT coalesce(max(id), 0) FROM measurement))), ?1, "
                   "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))");
  insert.bind(1, label);
  insert.run();
  return database.number("SELECT max(id) FROM measurement");
}

void insert_context(const Database& database, std::int64_t id, const Measurement& measurement) {
  Statement insert(database, "INSERT INTO measurement_context(measurement_id, key, value) VALUES(?1, ?2, ?3)");
  for (const auto& [key, value] : measurement.context) {
    insert.bind(1, id);
    insert.bind(2, key);
    insert.bind(3, value);
    insert.run();
  }
}

void insert_samples(const Database& database, std::int64_t id, const Measurement& measurement) {
  Statement insert(database,
                   "INSERT INTO sample(measurement_id, name, metric, repetition, value, unit) "
                   "VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
  for (const Series& series : measurement.series) {
    for (std::size_t repetition = 0; repetition < series.values.size(); ++repetition) {
      insert.bind(1, id);
      insert.bind(2, series.name);
      insert.bind(3, series.metric);
      insert.bind_size(4, repetition);
      insert.bind_real(5, series.values[repetition]);
      insert.bind(6, series.unit);
      insert.run();
    }
  }
}

void insert_figures(const Database& database, std::int64_t id, const Measurement& measurement) {
  Statement insert(database,
                   "INSERT INTO figure(measurement_id, name, metric, value, unit) VALUES(?1, ?2, ?3, ?4, ?5)");
  for (const Series& series : measurement.series) {
    insert.bind(1, id);
    insert.bind(2, series.name);
    insert.bind(3, series.metric);
    insert.bind_real(4, median(series.values));
    insert.bind(5, series.unit);
    insert.run();
  }
}

std::map<std::string, std::string> read_context(const Database& database, std::int64_t id) {
  std::map<std::string, std::string> context;
  Statement rows(database, "SELECT key, value FROM measurement_context WHERE measurement_id = ?1");
  rows.bind(1, id);
  while (rows.step()) {
    context.emplace(rows.text(0), rows.text(1));
  }
  return context;
}

const MeasurementRecord* select(const std::vector<MeasurementRecord>& all, std::string_view selector) {
  if (selector == "latest") {
    return all.empty() ? nullptr : &all.back();
  }
  if (selector == "previous") {
    return all.size() < 2 ? nullptr : &all[all.size() - 2];
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(selector.data(), selector.data() + selector.size(), number);
  const bool is_number = error == std::errc() && end == selector.data() + selector.size();
  const MeasurementRecord* found = nullptr;
  for (const MeasurementRecord& record : all) {
    if (is_number && record.id == number) {
      return &record;
    }
    if (record.label == selector) {
      found = &record;
    }
  }
  return found;
}

}  // namespace

std::int64_t PerfStore::record(const Measurement& measurement) {
  WriteTransaction transaction(*database_);
  const std::int64_t id = insert_measurement(*database_, measurement.label);
  insert_context(*database_, id, measurement);
  insert_samples(*database_, id, measurement);
  insert_figures(*database_, id, measurement);
  transaction.commit();
  return id;
}

std::vector<MeasurementRecord> PerfStore::list() const {
  std::vector<MeasurementRecord> records;
  Statement rows(*database_,
                 "SELECT id, label, recorded_at, (SELECT count(DISTINCT name) FROM sample WHERE measurement_id = id) "
                 "FROM measurement ORDER BY id");
  while (rows.step()) {
    MeasurementRecord& record = records.emplace_back();
    record.id = rows.integer(0);
    record.label = rows.text(1);
    record.recorded_at = rows.text(2);
    record.benchmarks = rows.size(3);
  }
  for (MeasurementRecord& record : records) {
    record.context = read_context(*database_, record.id);
  }
  return records;
}

MeasurementRecord PerfStore::find(std::string_view selector) const {
  const auto all = list();
  const MeasurementRecord* found = select(all, selector);
  if (found == nullptr) {
    throw StoreError(fmt::format("{}: no measurement has the number or label {}; `assay perf list` shows them",
                                 database_->path(), selector));
  }
  return *found;
}

Measurement PerfStore::load(const MeasurementRecord& record) const {
  Measurement measurement{.label = record.label, .context = record.context, .series = {}};
  Statement rows(*database_,
                 "SELECT name, metric, unit, repetition, value FROM sample WHERE measurement_id = ?1 "
                 "ORDER BY name, metric, repetition");
  rows.bind(1, record.id);
  while (rows.step()) {
    auto& list = measurement.series;
    if (list.empty() || list.back().name != rows.text(0) || list.back().metric != rows.text(1)) {
      list.push_back({.name = std::string(rows.text(0)),
                      .metric = std::string(rows.text(1)),
                      .unit = std::string(rows.text(2)),
                      .values = {}});
    }
    if (rows.size(3) != list.back().values.size()) {
      database_->fail_damaged(fmt::format("measurement {} lacks a repetition of {}", record.id, list.back().name));
    }
    const double value = rows.real(4);
    if (!std::isfinite(value) || value < 0 || (value == 0 && list.back().metric == kTimeMetric)) {
      database_->fail_damaged(
          fmt::format("measurement {} has {} for {} of {}", record.id, value, list.back().metric, list.back().name));
    }
    list.back().values.push_back(value);
  }
  return measurement;
}

void PerfStore::record_noise(const NoiseTable& noise) {
  WriteTransaction transaction(*database_);
  Statement insert(*database_, "INSERT OR REPLACE INTO noise(name, spread) VALUES(?1, ?2)");
  for (const auto& [name, spread] : noise) {
    insert.bind(1, name);
    insert.bind_real(2, spread);
    insert.run();
  }
  transaction.commit();
}

NoiseTable PerfStore::noise() const {
  NoiseTable table;
  Statement rows(*database_, "SELECT name, spread FROM noise");
  while (rows.step()) {
    const double spread = rows.real(1);
    if (!std::isfinite(spread) || spread < 1) {
      database_->fail_damaged(fmt::format("the noise of {} is {}", rows.text(0), spread));
    }
    table.emplace(rows.text(0), spread);
  }
  return table;
}

}  // namespace assay::golden
