#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "golden/perf/measurement.h"
#include "golden/sqlite.h"

// Measurements in the database of runs (docs/database.md). A measurement shares the numbers of runs and is no run.
namespace assay::golden {

struct MeasurementRecord {
  std::int64_t id = 0;
  std::string label;
  // ISO 8601, UTC.
  std::string recorded_at;
  std::map<std::string, std::string> context;
  std::uint64_t benchmarks = 0;
};

// How much the medians of one build differ between runs, as a ratio above 1, by benchmark.
using NoiseTable = std::map<std::string, double>;

// Works on an open database of runs. Everything throws StoreError.
class PerfStore {
 public:
  // The database must outlive the object.
  explicit PerfStore(Database& database) : database_(&database) {}

  // Records a measurement in one transaction and gives its number.
  std::int64_t record(const Measurement& measurement);
  // All measurements by number.
  [[nodiscard]] std::vector<MeasurementRecord> list() const;
  // The measurement that `selector` means: a number, `latest`, `previous`, or a label, of which the latest counts.
  [[nodiscard]] MeasurementRecord find(std::string_view selector) const;
  // The figures of a measurement.
  [[nodiscard]] Measurement load(const MeasurementRecord& record) const;

  // Replaces the noise of the benchmarks that `noise` names.
  void record_noise(const NoiseTable& noise);
  [[nodiscard]] NoiseTable noise() const;

 private:
  Database* database_;
};

}  // namespace assay::golden
