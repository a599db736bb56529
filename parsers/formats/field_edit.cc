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

Result<void> check_entry_name(Bytes name, std::size_t index, std::size_t max_name_bytes) {
  const FieldPath path = FieldPath("entry", index).then("name");
  const std::size_t text_bytes = until_nul(name).size();
  if (text_bytes != name.size()) {
    return fail({.code = Code::kNameContainsNul, .field = path, .got = Datum::number(text_bytes)});
  }
  if (name.size() > max_name_bytes) {
    return fail({.code = Code::kNameTooLong,
                 .field = path,
                 .expected = Datum::at_most(max_name_bytes),
                 .got = Datum::number(name.size())});
  }
  return {};
}

}  // namespace assay
