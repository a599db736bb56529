-- What version 4 of the schema made of a database of version 3: two scans of five small files, and one that was cut off.
BEGIN TRANSACTION;
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
, scan_key BLOB) STRICT;
INSERT INTO run VALUES(1,'before','/games/tiny','compatible','deflate_eof_plus_one,invalid_presorted_fallback,nres_linear_lookup,registry_key_suffix,registry_name_trim,bas_stem_mesh,material_fallback','0.1.0','2026-01-01T00:00:00.000Z','2026-01-01T00:00:01.000Z',7,3,0,1,3,22046,NULL);
INSERT INTO run VALUES(2,'strict','/games/tiny','strict','','0.1.0','2026-01-02T00:00:00.000Z','2026-01-02T00:00:01.000Z',7,3,0,1,3,22046,NULL);
INSERT INTO run VALUES(3,'cut','/games/tiny','strict','','0.1.0','2026-01-03T00:00:00.000Z',NULL,0,0,0,0,0,0,NULL);
CREATE TABLE file(
  run_id INTEGER NOT NULL REFERENCES run(id),
  path TEXT NOT NULL,
  first_item INTEGER NOT NULL,
  items INTEGER NOT NULL,
  first_finding INTEGER NOT NULL,
  findings INTEGER NOT NULL,
  first_fact INTEGER NOT NULL,
  facts INTEGER NOT NULL, checksum INTEGER, reused INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(run_id, path)
) STRICT, WITHOUT ROWID;
INSERT INTO file VALUES(1,'DATA/none.rlb',1,1,1,0,1,13,NULL,0);
INSERT INTO file VALUES(1,'DATA/x.bin',2,1,1,0,14,0,NULL,0);
INSERT INTO file VALUES(1,'cut.rlb',3,1,1,1,14,0,NULL,0);
INSERT INTO file VALUES(1,'gamefont.rlb',4,3,2,0,14,17,NULL,0);
INSERT INTO file VALUES(1,'readme.txt',7,1,2,0,31,0,NULL,0);
INSERT INTO file VALUES(2,'DATA/none.rlb',8,1,2,0,31,13,NULL,0);
INSERT INTO file VALUES(2,'DATA/x.bin',9,1,2,0,44,0,NULL,0);
INSERT INTO file VALUES(2,'cut.rlb',10,1,2,1,44,0,NULL,0);
INSERT INTO file VALUES(2,'gamefont.rlb',11,3,3,0,44,17,NULL,0);
INSERT INTO file VALUES(2,'readme.txt',14,1,3,0,61,0,NULL,0);
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
INSERT INTO item VALUES(1,'','rsli',0,32,32,X'08bb2a471e37b68b0b0872b04e683a9ce2bfc0b118242898b37a5e2844b2046b',X'08bb2a471e37b68b0b0872b04e683a9ce2bfc0b118242898b37a5e2844b2046b',0,NULL,NULL,NULL,NULL);
INSERT INTO item VALUES(2,'','unknown',0,40,40,X'8a1aae702279574bceb0b46fb8ad2a03f13133cb23ed97956e65be5598e4a780',X'8a1aae702279574bceb0b46fb8ad2a03f13133cb23ed97956e65be5598e4a780',3,NULL,NULL,NULL,NULL);
INSERT INTO item VALUES(3,'','rsli',0,20,20,X'342684cf4ac1860154da6b62c89be17b3c8ac3835f03120b422ba1edfe63d69e',X'342684cf4ac1860154da6b62c89be17b3c8ac3835f03120b422ba1edfe63d69e',2,NULL,NULL,NULL,NULL);
INSERT INTO item VALUES(4,'','rsli',0,21942,21942,X'e4de2d459491d60b521291d61dc2cd252acff96c9c045b10d2cfffa7701d328a',X'e4de2d459491d60b521291d61dc2cd252acff96c9c045b10d2cfffa7701d328a',0,NULL,NULL,NULL,NULL);
INSERT INTO item VALUES(5,'PAL.PAL','unknown',96,11052,66564,X'992da046c37d9eb05082332acf92075260135f51d8044fc0d8e2ca6d3688fa48',X'0ec189606a7a1fc403b7d277c9626c375b80b7be57e7dec5354f910f81d9c9e8',3,'rsli.entry',0,32,X'50414c2e50414c0000000000000000004000010004040100600000002c2b0000');
INSERT INTO item VALUES(6,'ARIALTEX.TFT','tfnt',11148,10794,20532,X'c34388d7a228af42e05218f4ea6be8783d50fbd772fd8fcf157bfef5800cf1c7',X'd6681093d84e31818dca5cda478c472d8571c2b38f5ceea56c7611728d440ee6',0,'rsli.entry',1,64,X'415249414c5445582e5446540000000040000000345000008c2b00002a2a0000');
INSERT INTO item VALUES(7,'','unknown',0,12,12,X'7e7c22e739587dff41c64bd42309ff5146dcd2d30b7fd712ca9c7c65d8d94c42',X'7e7c22e739587dff41c64bd42309ff5146dcd2d30b7fd712ca9c7c65d8d94c42',3,NULL,NULL,NULL,NULL);
INSERT INTO item VALUES(8,'','rsli',0,32,32,X'08bb2a471e37b68b0b0872b04e683a9ce2bfc0b118242898b37a5e2844b2046b',X'08bb2a471e37b68b0b0872b04e683a9ce2bfc0b118242898b37a5e2844b2046b',0,NULL,NULL,NULL,NULL);
INSERT INTO item VALUES(9,'','unknown',0,40,40,X'8a1aae702279574bceb0b46fb8ad2a03f13133cb23ed97956e65be5598e4a780',X'8a1aae702279574bceb0b46fb8ad2a03f13133cb23ed97956e65be5598e4a780',3,NULL,NULL,NULL,NULL);
INSERT INTO item VALUES(10,'','rsli',0,20,20,X'342684cf4ac1860154da6b62c89be17b3c8ac3835f03120b422ba1edfe63d69e',X'342684cf4ac1860154da6b62c89be17b3c8ac3835f03120b422ba1edfe63d69e',2,NULL,NULL,NULL,NULL);
INSERT INTO item VALUES(11,'','rsli',0,21942,21942,X'e4de2d459491d60b521291d61dc2cd252acff96c9c045b10d2cfffa7701d328a',X'e4de2d459491d60b521291d61dc2cd252acff96c9c045b10d2cfffa7701d328a',0,NULL,NULL,NULL,NULL);
INSERT INTO item VALUES(12,'PAL.PAL','unknown',96,11052,66564,X'992da046c37d9eb05082332acf92075260135f51d8044fc0d8e2ca6d3688fa48',X'0ec189606a7a1fc403b7d277c9626c375b80b7be57e7dec5354f910f81d9c9e8',3,'rsli.entry',0,32,X'50414c2e50414c0000000000000000004000010004040100600000002c2b0000');
INSERT INTO item VALUES(13,'ARIALTEX.TFT','tfnt',11148,10794,20532,X'c34388d7a228af42e05218f4ea6be8783d50fbd772fd8fcf157bfef5800cf1c7',X'd6681093d84e31818dca5cda478c472d8571c2b38f5ceea56c7611728d440ee6',0,'rsli.entry',1,64,X'415249414c5445582e5446540000000040000000345000008c2b00002a2a0000');
INSERT INTO item VALUES(14,'','unknown',0,12,12,X'7e7c22e739587dff41c64bd42309ff5146dcd2d30b7fd712ca9c7c65d8d94c42',X'7e7c22e739587dff41c64bd42309ff5146dcd2d30b7fd712ca9c7c65d8d94c42',3,NULL,NULL,NULL,NULL);
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
INSERT INTO finding VALUES(1,3,'input_too_short',2,NULL,0,0,'file','the input ends before the fixed header does (expected at least 32, got 20)');
INSERT INTO finding VALUES(2,10,'input_too_short',2,NULL,0,0,'file','the input ends before the fixed header does (expected at least 32, got 20)');
CREATE TABLE fact(
  id INTEGER PRIMARY KEY,
  item_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL
) STRICT;
INSERT INTO fact VALUES(1,1,'header.magic','NL');
INSERT INTO fact VALUES(2,1,'header.reserved','0');
INSERT INTO fact VALUES(3,1,'header.version','1');
INSERT INTO fact VALUES(4,1,'header.entry_count','0');
INSERT INTO fact VALUES(5,1,'header.entry_count_copy','0');
INSERT INTO fact VALUES(6,1,'header.opaque08','000000000000');
INSERT INTO fact VALUES(7,1,'header.presorted_flag','0xabba');
INSERT INTO fact VALUES(8,1,'header.unpacked_total','0');
INSERT INTO fact VALUES(9,1,'header.xor_seed','0');
INSERT INTO fact VALUES(10,1,'header.opaque18','0000000000000000');
INSERT INTO fact VALUES(11,1,'bytes.confirmed','12');
INSERT INTO fact VALUES(12,1,'bytes.inferred','6');
INSERT INTO fact VALUES(13,1,'bytes.opaque','14');
INSERT INTO fact VALUES(14,4,'header.magic','NL');
INSERT INTO fact VALUES(15,4,'header.reserved','0');
INSERT INTO fact VALUES(16,4,'header.version','1');
INSERT INTO fact VALUES(17,4,'header.entry_count','2');
INSERT INTO fact VALUES(18,4,'header.entry_count_copy','2');
INSERT INTO fact VALUES(19,4,'header.opaque08','000000000000');
INSERT INTO fact VALUES(20,4,'header.presorted_flag','0xabba');
INSERT INTO fact VALUES(21,4,'header.unpacked_total','87096');
INSERT INTO fact VALUES(22,4,'header.xor_seed','21846');
INSERT INTO fact VALUES(23,4,'header.opaque18','0000000000000000');
INSERT INTO fact VALUES(24,4,'bytes.confirmed','68');
INSERT INTO fact VALUES(25,4,'bytes.inferred','6');
INSERT INTO fact VALUES(26,4,'bytes.opaque','22');
INSERT INTO fact VALUES(27,4,'bytes.payload','21846');
INSERT INTO fact VALUES(28,6,'texture_bytes','16416');
INSERT INTO fact VALUES(29,6,'bytes.inferred','4');
INSERT INTO fact VALUES(30,6,'bytes.opaque','20528');
INSERT INTO fact VALUES(31,8,'header.magic','NL');
INSERT INTO fact VALUES(32,8,'header.reserved','0');
INSERT INTO fact VALUES(33,8,'header.version','1');
INSERT INTO fact VALUES(34,8,'header.entry_count','0');
INSERT INTO fact VALUES(35,8,'header.entry_count_copy','0');
INSERT INTO fact VALUES(36,8,'header.opaque08','000000000000');
INSERT INTO fact VALUES(37,8,'header.presorted_flag','0xabba');
INSERT INTO fact VALUES(38,8,'header.unpacked_total','0');
INSERT INTO fact VALUES(39,8,'header.xor_seed','0');
INSERT INTO fact VALUES(40,8,'header.opaque18','0000000000000000');
INSERT INTO fact VALUES(41,8,'bytes.confirmed','12');
INSERT INTO fact VALUES(42,8,'bytes.inferred','6');
INSERT INTO fact VALUES(43,8,'bytes.opaque','14');
INSERT INTO fact VALUES(44,11,'header.magic','NL');
INSERT INTO fact VALUES(45,11,'header.reserved','0');
INSERT INTO fact VALUES(46,11,'header.version','1');
INSERT INTO fact VALUES(47,11,'header.entry_count','2');
INSERT INTO fact VALUES(48,11,'header.entry_count_copy','2');
INSERT INTO fact VALUES(49,11,'header.opaque08','000000000000');
INSERT INTO fact VALUES(50,11,'header.presorted_flag','0xabba');
INSERT INTO fact VALUES(51,11,'header.unpacked_total','87096');
INSERT INTO fact VALUES(52,11,'header.xor_seed','21846');
INSERT INTO fact VALUES(53,11,'header.opaque18','0000000000000000');
INSERT INTO fact VALUES(54,11,'bytes.confirmed','68');
INSERT INTO fact VALUES(55,11,'bytes.inferred','6');
INSERT INTO fact VALUES(56,11,'bytes.opaque','22');
INSERT INTO fact VALUES(57,11,'bytes.payload','21846');
INSERT INTO fact VALUES(58,13,'texture_bytes','16416');
INSERT INTO fact VALUES(59,13,'bytes.inferred','4');
INSERT INTO fact VALUES(60,13,'bytes.opaque','20528');
CREATE TABLE metric(
  run_id INTEGER NOT NULL REFERENCES run(id),
  name TEXT NOT NULL,
  metric TEXT NOT NULL,
  value REAL NOT NULL,
  unit TEXT NOT NULL,
  PRIMARY KEY(run_id, name, metric)
) STRICT, WITHOUT ROWID;
INSERT INTO metric VALUES(1,'scan','bytes',22046.0,'bytes');
INSERT INTO metric VALUES(1,'scan','wall_time',1.5,'s');
INSERT INTO metric VALUES(2,'scan','bytes',22046.0,'bytes');
INSERT INTO metric VALUES(2,'scan','wall_time',1.5,'s');
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
CREATE TABLE figure(
  measurement_id INTEGER NOT NULL REFERENCES measurement(id),
  name TEXT NOT NULL,
  metric TEXT NOT NULL,
  value REAL NOT NULL,
  unit TEXT NOT NULL,
  PRIMARY KEY(measurement_id, name, metric)
) STRICT, WITHOUT ROWID;
CREATE TABLE noise(name TEXT PRIMARY KEY, spread REAL NOT NULL) STRICT, WITHOUT ROWID;
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
CREATE VIEW v_metric(run_id, name, metric, value, unit) AS
  SELECT run_id, name, metric, value, unit FROM metric
  UNION ALL SELECT measurement_id, name, metric, value, unit FROM figure;
CREATE VIEW v_measurement(run_id, label, recorded_at) AS SELECT id, label, recorded_at FROM measurement;
CREATE VIEW v_fuzz_campaign(campaign_id, target, engine, started_at, seconds, executions, per_second, features, edges,
                            corpus_units, new_units, line_percent) AS
  SELECT id, target, engine, started_at, seconds, executions,
         CASE WHEN seconds > 0 THEN CAST(executions / seconds AS INTEGER) ELSE 0 END, features, edges, corpus_units,
         new_units, line_percent
  FROM fuzz_campaign;
CREATE VIEW v_fuzz_crash(target, kind, frames, reproducer, first_campaign, last_campaign) AS
  SELECT target, kind, frames, reproducer, first_campaign, last_campaign FROM fuzz_crash;
CREATE VIEW v_reuse(run_id, path, entry) AS
  SELECT file.run_id, file.path, item.entry
  FROM file JOIN item ON item.id BETWEEN file.first_item AND file.first_item + file.items - 1
  WHERE file.reused <> 0;
COMMIT;
PRAGMA application_id=1229026169;
PRAGMA user_version=4;
