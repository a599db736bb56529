#pragma once

#include "golden/item.h"

// What is recorded of items, findings and facts, value by value in the order of their columns: said once, so that what
// is inserted is what the checksum stands for. `Values` takes integer, size, text, blob, null and hash (RowValues).
namespace assay::golden {

template <typename Values>
void give_values(Values& values, const Item& item) {
  values.text(item.entry);
  values.text(item.format);
  values.size(item.offset);
  values.size(item.stored_size);
  values.size(item.size);
  values.hash(item.stored_sha256);
  values.hash(item.sha256);
  values.integer(static_cast<std::int64_t>(item.verdict));
  if (item.row.record.empty()) {
    for (int column = 0; column < 4; ++column) {
      values.null();
    }
  } else {
    values.text(item.row.record);
    values.size(item.row.index);
    values.size(item.row.offset);
    values.blob(item.row.bytes);
  }
}

template <typename Values>
void give_values(Values& values, const ItemFinding& finding) {
  values.text(finding.code);
  values.integer(static_cast<std::int64_t>(finding.severity));
  if (finding.rule.empty()) {
    values.null();
  } else {
    values.text(finding.rule);
  }
  values.integer(std::int64_t{finding.applied});
  values.size(finding.offset);
  values.text(finding.field);
  values.text(finding.message);
}

template <typename Values>
void give_values(Values& values, const Fact& fact) {
  values.text(fact.key);
  values.text(fact.value);
}

}  // namespace assay::golden
