#pragma once

#include <string_view>

#include "parsers/base/field_text.h"
#include "parsers/base/record.h"
#include "parsers/base/result.h"

// Setting one field of one record by name, and the names of entries, the same for every format.
namespace assay {

// The field of `record` called `field_name`. Errors: kNoSuchField; kDerivedField with the reason in `got`. `path` names
// the record in the diagnostic.
[[nodiscard]] Result<const FieldInfo*> settable_field(const RecordInfo& record, const FieldPath& path,
                                                      std::string_view field_name);

// Sets that field in `row`, the bytes of the whole record. Errors: those of parse_field_text(), under `path`.
[[nodiscard]] Result<void> set_field_text(const FieldInfo& info, const FieldPath& path, std::string_view value,
                                          MutableBytes row);

// Whether `name` may become the name of entry `index`. Errors: kNameContainsNul, kNameTooLong, at `entry[index].name`.
[[nodiscard]] Result<void> check_entry_name(Bytes name, std::size_t index, std::size_t max_name_bytes);

}  // namespace assay
