#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What fuzzing did and found, as the database keeps it (docs/fuzzing.md).
namespace assay::golden {

// One fault. Target, kind and frames together are its identity.
struct FuzzCrash {
  // What the sanitizer or the harness calls it, e.g. "heap-buffer-overflow".
  std::string kind;
  // The topmost functions of ours, apart by " < ".
  std::string frames;
  // The path of the smallest input that shows it.
  std::string reproducer;
  bool is_new = false;
};

// One target under one engine for some time.
struct FuzzCampaign {
  std::int64_t id = 0;
  std::string target;
  std::string engine;
  // ISO 8601, UTC.
  std::string started_at;
  // Of all processes together.
  double seconds = 0;
  std::uint64_t executions = 0;
  std::uint64_t features = 0;
  std::uint64_t edges = 0;
  std::uint64_t corpus_units = 0;
  std::uint64_t new_units = 0;
  // Lines of the target's own code that the corpus runs; nothing where it was not measured.
  std::optional<double> line_percent{};
  std::vector<FuzzCrash> crashes{};

  // Executions a second of all processes together, 0 without time; as v_fuzz_campaign has it.
  [[nodiscard]] std::uint64_t per_second() const;
};

}  // namespace assay::golden
