#include "fuzz/harness.h"
#include "parsers/base/field_text.h"
#include "parsers/formats/catalogue.h"
#include "parsers/resource/edit_script.h"

namespace {

using namespace assay;

// Every field of every record table.
const std::vector<const FieldInfo*>& fields() {
  static const std::vector<const FieldInfo*> kFields = [] {
    std::vector<const FieldInfo*> found;
    for (const Format* format : all_formats()) {
      for (const RecordInfo& record : format->records) {
        for (const FieldInfo& info : record.fields) {
          found.push_back(&info);
        }
      }
    }
    return found;
  }();
  return kFields;
}

// A value that a field takes reads back as what it was taken for.
void encode(const FieldInfo& info, std::string_view text) {
  const Buffer zeros(info.size_bytes);
  const auto raw = encode_field_text(info, text, zeros);
  if (!raw) {
    fuzz::require(code_category(raw.error().code) != Category::kInternal, "a value is refused for a reason");
    return;
  }
  fuzz::require(info.size_bytes == 0 || raw->size() == info.size_bytes, "a value is as wide as its field");
  const std::string shown = field_text(info, *raw);
  const auto again = encode_field_text(info, shown, *raw);
  fuzz::require(again && *again == *raw, "what a field shows can be set again");
}

}  // namespace

// `[ENTRY[::ENTRY]...]@FIELD=VALUE`: its parts make up the expression, and the value goes through a field and back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxExpressionBytes = 4096;
  if (size > kMaxExpressionBytes) {
    return 0;
  }
  const std::string_view text = as_text(Bytes(data, size));
  if (const auto assignment = parse_assignment(text)) {
    fuzz::require(assignment->left + "=" + assignment->right == text, "an assignment loses nothing");
  }
  if (const auto expression = parse_set_expression(text)) {
    const std::string tail = "@" + expression->field + "=" + expression->value;
    fuzz::require(!expression->field.empty() && text.ends_with(tail), "a set expression loses nothing");
    encode(*fields()[fuzz::hash_of(as_bytes(expression->field)) % fields().size()], expression->value);
  }
  if (const auto tag = parse_tag(text)) {
    fuzz::require(parse_tag(tag_text(*tag)) == tag, "a tag keeps its value");
  }
  return 0;
}
