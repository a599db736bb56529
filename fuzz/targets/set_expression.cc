#include <algorithm>

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

// Of a text: a backslash starts an escape, and a NUL sets the tail as well.
constexpr std::string_view kNotItself("\\\0", 2);

// Bytes behind the terminator of a text stay, as far as the new text does not reach into them.
void require_tail(const FieldInfo& info, std::string_view text) {
  Buffer old(info.size_bytes, 'z');
  old[info.size_bytes / 2] = 0;
  const auto raw = encode_field_text(info, text, old);
  fuzz::require(raw.has_value(), "what stands in a field does not decide whether it takes a text");
  const std::size_t kept_from = std::max<std::size_t>(text.size() + 1, info.size_bytes / 2 + 1);
  for (std::size_t index = kept_from; index < raw->size(); ++index) {
    fuzz::require((*raw)[index] == old[index], "a text keeps what stands behind its terminator");
  }
}

// Whether `text` is a number in the only way in which the field would show it.
bool is_number_of(const FieldInfo& info, std::string_view text) {
  const bool is_whole = info.type == FieldType::kU8 || info.type == FieldType::kI8 || info.type == FieldType::kU16 ||
                        info.type == FieldType::kI16 || info.type == FieldType::kU32 || info.type == FieldType::kI32;
  return is_whole && info.count == 1 && info.display == Display::kDecimal && !text.empty() && text.front() != '0' &&
         std::ranges::all_of(text, [](char letter) { return letter >= '0' && letter <= '9'; });
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
  if (info.type == FieldType::kText && text.find_first_of(kNotItself) == std::string_view::npos) {
    require_tail(info, text);
  }
  const std::string shown = field_text(info, *raw);
  if (is_number_of(info, text)) {
    fuzz::require(shown == text, "a number is stored as it was given, not modulo anything");
  }
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
