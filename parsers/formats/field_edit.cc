#include "parsers/formats/field_edit.h"

namespace assay {

Result<const FieldInfo*> settable_field(const RecordInfo& record, const FieldPath& path, std::string_view field_name) {
  const FieldInfo* info = record.find(field_name);
  if (info == nullptr) {
    return fail({.code = Code::kNoSuchField, .field = path});
  }
  if (info->is_derived()) {
    return fail({.code = Code::kDerivedField, .field = path.then(info->name), .got = Datum::words(info->derived)});
  }
  return info;
}

Result<void> set_field_text(const FieldInfo& info, const FieldPath& path, std::string_view value, MutableBytes row) {
  auto parsed = parse_field_text(info, value, row.subspan(info.offset, info.size_bytes));
  if (!parsed) {
    Diagnostic refused = parsed.error();
    refused.field = path.then(info.name);
    return fail(refused);
  }
  return {};
}

}  // namespace assay
