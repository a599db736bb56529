#pragma once

#include <vector>

#include "parsers/base/record.h"
#include "parsers/formats/format.h"

namespace assay {

// The fields of one record as facts, `RECORD.FIELD` and the text that `assay inspect` shows. `raw` are the bytes of the
// record.
[[nodiscard]] std::vector<DocumentFact> record_facts(const RecordInfo& record, Bytes raw);

}  // namespace assay
