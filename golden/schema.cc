#include "golden/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <thread>

namespace assay::golden {
namespace {

// Version 1. Verdict and severity are the numbers of the enumerations in parsers/base/findings.h; both only grow.
constexpr const char* kTablesAndViews = R"sql(
CREATE TABLE run(
  id INTEGER PRIMARY KEY,
  label TEXT NOT NULL,
  corpus TEXT NOT NULL,
  profile TEXT NOT NULL,
  rules TEXT NOT NULL,
  tool_version TEXT NOT NULL,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  items INTEGER NOT NULL DEFAULT 0,
  ok INTEGER NOT NULL DEFAULT 0,
  quirk INTEGER NOT NULL DEFAULT 0,
  fail INTEGER NOT NULL DEFAULT 0,
  unknown INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The items of a file are numbered from first_item on without a hole, and so are its findings and facts. Appending to
-- tables that are keyed by a number alone is what SQLite does fastest; the counts also let a reader notice lost rows,
-- which it checks instead of a foreign key from every row.
CREATE TABLE file(
  run_id INTEGER NOT NULL REFERENCES run(id),
  path TEXT NOT NULL,
  first_item INTEGER NOT NULL,
  items INTEGER NOT NULL,
  first_finding INTEGER NOT NULL,
  findings INTEGER NOT NULL,
  first_fact INTEGER NOT NULL,
  facts INTEGER NOT NULL,
  PRIMARY KEY(run_id, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE item(
  id INTEGER PRIMARY KEY,
  entry TEXT NOT NULL,
  format TEXT NOT NULL,
  offset INTEGER NOT NULL,
  stored_size INTEGER NOT NULL,
  size INTEGER NOT NULL,
  stored_sha256 BLOB CHECK(length(stored_sha256) = 32),
  sha256 BLOB CHECK(length(sha256) = 32),
  verdict INTEGER NOT NULL CHECK(verdict BETWEEN 0 AND 3),
  row_record TEXT,
  row_index INTEGER,
  row_offset INTEGER,
  row_bytes BLOB
) STRICT;

CREATE TABLE finding(
  id INTEGER PRIMARY KEY,
  item_id INTEGER NOT NULL,
  code TEXT NOT NULL,
  severity INTEGER NOT NULL CHECK(severity BETWEEN 0 AND 2),
  rule TEXT,
  applied INTEGER NOT NULL CHECK(applied BETWEEN 0 AND 1),
  offset INTEGER NOT NULL,
  field TEXT NOT NULL,
  message TEXT NOT NULL
) STRICT;

CREATE TABLE fact(
  id INTEGER PRIMARY KEY,
  item_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL
) STRICT;

-- What was measured in or for a run, e.g. how long the scan took. Never compared when runs are.
CREATE TABLE metric(
  run_id INTEGER NOT NULL REFERENCES run(id),
  name TEXT NOT NULL,
  metric TEXT NOT NULL,
  value REAL NOT NULL,
  unit TEXT NOT NULL,
  PRIMARY KEY(run_id, name, metric)
) STRICT, WITHOUT ROWID;

CREATE VIEW v_run(run_id, label, corpus, profile, started_at, finished_at, tool_version, items, ok, quirk, fail,
                  unknown) AS
  SELECT id, label, corpus, profile, started_at, finished_at, tool_version, items, ok, quirk, fail, unknown FROM run;

CREATE VIEW v_item(run_id, path, entry, format, size, stored_sha256, sha256, verdict) AS
  SELECT file.run_id, file.path, item.entry, item.format, item.size,
         CASE WHEN item.stored_sha256 IS NOT NULL THEN lower(hex(item.stored_sha256)) END,
         CASE WHEN item.sha256 IS NOT NULL THEN lower(hex(item.sha256)) END,
         CASE item.verdict WHEN 0 THEN 'ok' WHEN 1 THEN 'quirk' WHEN 2 THEN 'fail' WHEN 3 THEN 'unknown' END
  FROM file JOIN item ON item.id BETWEEN file.first_item AND file.first_item + file.items - 1;

CREATE VIEW v_finding(run_id, path, entry, code, severity, rule, offset, field, message) AS
  SELECT file.run_id, file.path, item.entry, finding.code,
         CASE finding.severity WHEN 0 THEN 'note' WHEN 1 THEN 'strict' WHEN 2 THEN 'error' END,
         finding.rule, finding.offset, finding.field, finding.message
  FROM file JOIN finding ON finding.id BETWEEN file.first_finding AND file.first_finding + file.findings - 1
            JOIN item ON item.id = finding.item_id;

CREATE VIEW v_quirk(run_id, path, entry, rule, offset, applied) AS
  SELECT file.run_id, file.path, item.entry, finding.rule, finding.offset, finding.applied
  FROM file JOIN finding ON finding.id BETWEEN file.first_finding AND file.first_finding + file.findings - 1
            JOIN item ON item.id = finding.item_id
  WHERE finding.rule IS NOT NULL;

CREATE VIEW v_fact(run_id, path, entry, key, value) AS
  SELECT file.run_id, file.path, item.entry, fact.key, fact.value
  FROM file JOIN fact ON fact.id BETWEEN file.first_fact AND file.first_fact + file.facts - 1
            JOIN item ON item.id = fact.item_id;

CREATE VIEW v_range(run_id, path, entry, offset, stored_size) AS
  SELECT file.run_id, file.path, item.entry, item.offset, item.stored_size
  FROM file JOIN item ON item.id BETWEEN file.first_item AND file.first_item + file.items - 1;

CREATE VIEW v_metric(run_id, name, metric, value, unit) AS SELECT run_id, name, metric, value, unit FROM metric;
)sql";

// Version 2: benchmark results. Measurements and runs share one sequence of numbers.
constexpr const char* kMeasurements = R"sql(
CREATE TABLE measurement(
  id INTEGER PRIMARY KEY,
  label TEXT NOT NULL,
  recorded_at TEXT NOT NULL
) STRICT;

CREATE TABLE measurement_context(
  measurement_id INTEGER NOT NULL REFERENCES measurement(id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY(measurement_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE sample(
  measurement_id INTEGER NOT NULL REFERENCES measurement(id),
  name TEXT NOT NULL,
  metric TEXT NOT NULL,
  repetition INTEGER NOT NULL,
  value REAL NOT NULL,
  unit TEXT NOT NULL,
  PRIMARY KEY(measurement_id, name, metric, repetition)
) STRICT, WITHOUT ROWID;

-- The medians of the repetitions.
CREATE TABLE figure(
  measurement_id INTEGER NOT NULL REFERENCES measurement(id),
  name TEXT NOT NULL,
  metric TEXT NOT NULL,
  value REAL NOT NULL,
  unit TEXT NOT NULL,
  PRIMARY KEY(measurement_id, name, metric)
) STRICT, WITHOUT ROWID;

-- How much one build differs from itself: the largest ratio between the medians of two of its measurements.
CREATE TABLE noise(name TEXT PRIMARY KEY, spread REAL NOT NULL) STRICT, WITHOUT ROWID;

DROP VIEW v_metric;
CREATE VIEW v_metric(run_id, name, metric, value, unit) AS
  SELECT run_id, name, metric, value, unit FROM metric
  UNION ALL SELECT measurement_id, name, metric, value, unit FROM figure;

CREATE VIEW v_measurement(run_id, label, recorded_at) AS SELECT id, label, recorded_at FROM measurement;
)sql";

// Version 3: what fuzzing did and found. A crash is one fault: the same target, kind and top frames are the same crash,
// however many inputs show it.
constexpr const char* kFuzzing = R"sql(
CREATE TABLE fuzz_campaign(
  id INTEGER PRIMARY KEY,
  target TEXT NOT NULL,
  engine TEXT NOT NULL,
  started_at TEXT NOT NULL,
  seconds REAL NOT NULL,
  executions INTEGER NOT NULL,
  features INTEGER NOT NULL,
  edges INTEGER NOT NULL,
  corpus_units INTEGER NOT NULL,
  new_units INTEGER NOT NULL,
  line_percent REAL
) STRICT;

CREATE TABLE fuzz_crash(
  id INTEGER PRIMARY KEY,
  target TEXT NOT NULL,
  kind TEXT NOT NULL,
  frames TEXT NOT NULL,
  reproducer TEXT NOT NULL,
  first_campaign INTEGER NOT NULL REFERENCES fuzz_campaign(id),
  last_campaign INTEGER NOT NULL REFERENCES fuzz_campaign(id),
  UNIQUE(target, kind, frames)
) STRICT;

CREATE VIEW v_fuzz_campaign(campaign_id, target, engine, started_at, seconds, executions, per_second, features, edges,
                            corpus_units, new_units, line_percent) AS
  SELECT id, target, engine, started_at, seconds, executions,
         CASE WHEN seconds > 0 THEN CAST(executions / seconds AS INTEGER) ELSE 0 END, features, edges, corpus_units,
         new_units, line_percent
  FROM fuzz_campaign;

CREATE VIEW v_fuzz_crash(target, kind, frames, reproducer, first_campaign, last_campaign) AS
  SELECT target, kind, frames, reproducer, first_campaign, last_campaign FROM fuzz_crash;
)sql";

// Version 4: what a later scan needs in order to take results over. `scan_key` stands for everything but the files that
// results depend on, `checksum` for the rows of a file; neither is there for what older versions wrote, which is never
// taken over. `reused` marks files whose results were. No column has a CHECK: adding one reads every row.
constexpr const char* kReuse = R"sql(
ALTER TABLE run ADD COLUMN scan_key BLOB;
ALTER TABLE file ADD COLUMN checksum INTEGER;
ALTER TABLE file ADD COLUMN reused INTEGER NOT NULL DEFAULT 0;

CREATE VIEW v_reuse(run_id, path, entry) AS
  SELECT file.run_id, file.path, item.entry
  FROM file JOIN item ON item.id BETWEEN file.first_item AND file.first_item + file.items - 1
  WHERE file.reused <> 0;
)sql";

// Version 5: runs of shards. What older versions wrote counts as whole, since they did not note it. `corpus_files` is
// how many files the corpus had, those of all shards; only complete runs know it.
constexpr const char* kShards = R"sql(
ALTER TABLE run ADD COLUMN shard_index INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN shard_count INTEGER NOT NULL DEFAULT 1;
ALTER TABLE run ADD COLUMN corpus_files INTEGER;

CREATE VIEW v_shard(run_id, shard_index, shard_count, corpus_files) AS
  SELECT id, shard_index, shard_count, corpus_files FROM run WHERE shard_count > 1;
)sql";

struct Migration {
  const char* sql;
  // The tables and views that exist from this version on, apart by blanks.
  const char* adds;
};

// Migration i leads to version i + 1. The list only grows: a published migration never changes.
constexpr std::array kMigrations{
    Migration{kTablesAndViews,
              "run file item finding fact metric v_run v_item v_finding v_quirk v_fact v_range v_metric"},
    Migration{kMeasurements, "measurement measurement_context sample figure noise v_measurement"},
    Migration{kFuzzing, "fuzz_campaign fuzz_crash v_fuzz_campaign v_fuzz_crash"},
    Migration{kReuse, "v_reuse"},
    Migration{kShards, "v_shard"},
};

struct Identity {
  std::int64_t application_id = 0;
  std::int64_t version = 0;
  std::int64_t objects = 0;

  [[nodiscard]] bool is_new() const { return application_id == 0 && version == 0 && objects == 0; }
};

Identity read_identity(Database& database) {
  return {database.number("PRAGMA application_id"), database.number("PRAGMA user_version"),
          database.number("SELECT count(*) FROM sqlite_schema")};
}

// The three values at one moment, since another process may be creating the database.
Identity read_identity_at_once(Database& database) {
  database.run("BEGIN");
  const Identity identity = read_identity(database);
  database.run("COMMIT");
  return identity;
}

void check_identity(const Database& database, const Identity& identity) {
  if (!identity.is_new() && identity.application_id != kApplicationId) {
    throw StoreError(fmt::format("{}: is a database of another program; give another file", database.path()));
  }
  if (identity.version > schema_version()) {
    throw StoreError(
        fmt::format("{}: was written by a newer version of Iron Assay (schema {}, this program knows {}); "
                    "use that version, or give another file",
                    database.path(), identity.version, schema_version()));
  }
  if (!identity.is_new() && identity.version < 1) {
    database.fail_damaged(fmt::format("its schema version is {}", identity.version));
  }
}

// A database in memory has no log to write ahead to, and nobody else who reads it.
bool is_settled(std::string_view journal_mode) {
  return journal_mode == "wal" || journal_mode == "memory";
}

// Switching needs the database for itself, and SQLite does not wait for that by itself.
void switch_to_write_ahead_log(Database& database) {
  constexpr std::chrono::milliseconds kPause{5};
  const auto give_up_at = std::chrono::steady_clock::now() + database.lock_timeout();
  while (!is_settled(database.text_unless_locked("PRAGMA journal_mode=WAL"))) {
    if (std::chrono::steady_clock::now() > give_up_at) {
      throw StoreError(fmt::format(
          "{}: cannot be switched to write-ahead logging; wait for other programs that use it, or choose a local disk",
          database.path()));
    }
    std::this_thread::sleep_for(kPause);
  }
}

void migrate(Database& database) {
  for (std::int64_t version = 0; version < schema_version(); ++version) {
    WriteTransaction transaction(database);
    const Identity identity = read_identity(database);
    check_identity(database, identity);
    if (identity.version == version) {
      database.run(kMigrations[static_cast<std::size_t>(version)].sql);
      database.run(fmt::format("PRAGMA application_id={}", kApplicationId).c_str());
      database.run(fmt::format("PRAGMA user_version={}", version + 1).c_str());
    }
    transaction.commit();
  }
}

void check_objects(const Database& database) {
  std::set<std::string, std::less<>> present;
  Statement names(database, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')");
  while (names.step()) {
    present.emplace(names.text(0));
  }
  for (const Migration& migration : kMigrations) {
    std::string_view rest = migration.adds;
    while (!rest.empty()) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      if (!present.contains(name)) {
        database.fail_damaged(fmt::format("the table or view {} is missing", name));
      }
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    }
  }
}

// What the database is, once it is known to be ours.
Identity usable_identity(Database& database, NewDatabase unused) {
  const Identity identity = read_identity_at_once(database);
  check_identity(database, identity);
  if (identity.is_new() && unused == NewDatabase::kRefused) {
    throw StoreError(
        fmt::format("{}: is empty, no run was recorded; record a run first, or give another file", database.path()));
  }
  return identity;
}

}  // namespace

std::int64_t schema_version() {
  return static_cast<std::int64_t>(kMigrations.size());
}

void require_schema(Database& database) {
  if (const Identity identity = usable_identity(database, NewDatabase::kRefused); identity.version < schema_version()) {
    throw StoreError(fmt::format(
        "{}: was written by an older version of Iron Assay (schema {}, this program needs {}) and is left as it is; "
        "scan again with this version, or let `assay runs` upgrade the database",
        database.path(), identity.version, schema_version()));
  }
  check_objects(database);
}

void prepare_schema(Database& database, NewDatabase unused) {
  if (usable_identity(database, unused).version < schema_version()) {
    switch_to_write_ahead_log(database);
    migrate(database);
  }
  check_objects(database);
}

}  // namespace assay::golden
