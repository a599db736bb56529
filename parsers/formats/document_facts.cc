#include "parsers/formats/document_facts.h"

#include "parsers/base/field_text.h"

namespace assay {

std::vector<DocumentFact> record_facts(const RecordInfo& record, Bytes raw) {
  std::vector<DocumentFact> facts;
  facts.reserve(record.fields.size());
  for (const FieldInfo& info : record.fields) {
    facts.emplace_back(std::string(record.name) + '.' + info.name,
                       field_text(info, raw.subspan(info.offset, info.size_bytes)));
  }
  return facts;
}

}  // namespace assay
