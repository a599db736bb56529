#include "golden/expectation.h"

#include <fmt/format.h>

#include <algorithm>

#include "parsers/base/escape.h"
#include "parsers/base/field_text.h"

namespace assay::golden {
namespace {

std::vector<Fact> row_fields(const DirectoryRow& row, const RecordFinder& find_record) {
  if (row.record.empty()) {
    return {};
  }
  const RecordInfo* record = find_record(row.record);
  if (record == nullptr || record->size_bytes != row.bytes.size()) {
    return {{.key = "bytes", .value = to_hex(row.bytes)}};
  }
  std::vector<Fact> fields;
  fields.reserve(record->fields.size());
  for (const FieldInfo& field : record->fields) {
    fields.push_back(
        {.key = field.name, .value = field_text(field, Bytes(row.bytes).subspan(field.offset, field.size_bytes))});
  }
  return fields;
}

}  // namespace

std::string finding_text(const ItemFinding& finding) {
  std::string text = fmt::format("{} {} {}", severity_text(finding.severity), finding.code, finding.field);
  if (!finding.rule.empty()) {
    text += fmt::format(" {}", finding.rule);
  }
  return text;
}

Expectation expectation_of(const Item& item, const RecordFinder& find_record) {
  Expectation expected{.entry = item.entry,
                       .format = item.format,
                       .size = item.size,
                       .sha256 = item.sha256,
                       .stored_sha256 = item.stored_sha256,
                       .verdict = item.verdict,
                       .rules = {},
                       .findings = {},
                       .row = row_fields(item.row, find_record),
                       .facts = item.facts,
                       .reason = {}};
  for (const ItemFinding& finding : item.findings) {
    if (is_applied_rule(finding)) {
      expected.rules.push_back(finding.rule);
    } else {
      expected.findings.push_back(finding_text(finding));
    }
  }
  std::ranges::sort(expected.rules);
  const auto repeated = std::ranges::unique(expected.rules);
  expected.rules.erase(repeated.begin(), repeated.end());
  std::ranges::sort(expected.facts, {}, &Fact::key);
  return expected;
}

ExpectedFile expectation_of(const FileResult& file, const RecordFinder& find_record) {
  ExpectedFile expected{.path = file.path, .items = {}};
  expected.items.reserve(file.items.size());
  for (const Item& item : file.items) {
    expected.items.push_back(expectation_of(item, find_record));
  }
  std::ranges::sort(expected.items, {}, &Expectation::entry);
  return expected;
}

}  // namespace assay::golden
