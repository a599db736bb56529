#include "parsers/base/diagnostic.h"

#include <cassert>
#include <cstdio>
#include <iterator>

#include "parsers/base/escape.h"

namespace assay {
namespace {

struct CodeRow {
  std::string_view text;
  Category category;
  std::string_view meaning;
};

constexpr CodeRow kCodeRows[] = {
#define ASSAY_CODE(enumerator, text, category, meaning) {text, Category::category, meaning},
#include "parsers/base/codes.def"
#undef ASSAY_CODE
};

const CodeRow& row_of(Code code) {
  return kCodeRows[static_cast<std::size_t>(code)];
}

std::string hex_text(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llX", static_cast<unsigned long long>(value));
  return text;
}

std::string bytes4_text(std::uint32_t value) {
  std::uint8_t raw[4];
  store_little_endian(value, raw);
  return "'" + escape_bytes(raw) + "'";
}

std::string value_text(const Datum& datum) {
  switch (datum.kind) {
    case Datum::Kind::kNone: return {};
    case Datum::Kind::kUnsigned: return std::to_string(datum.bits);
    case Datum::Kind::kSigned: return std::to_string(static_cast<std::int64_t>(datum.bits));
    case Datum::Kind::kHex: return hex_text(datum.bits);
    case Datum::Kind::kBytes4: return bytes4_text(static_cast<std::uint32_t>(datum.bits));
    case Datum::Kind::kText: return datum.text;
  }
  return {};
}

std::string_view relation_prefix(Datum::Relation relation) {
  switch (relation) {
    case Datum::Relation::kEqual: return "";
    case Datum::Relation::kAtMost: return "at most ";
    case Datum::Relation::kAtLeast: return "at least ";
    case Datum::Relation::kBelow: return "below ";
    case Datum::Relation::kMultipleOf: return "a multiple of ";
  }
  return "";
}

}  // namespace

std::string_view code_text(Code code) {
  return row_of(code).text;
}
Category code_category(Code code) {
  return row_of(code).category;
}
std::string_view code_meaning(Code code) {
  return row_of(code).meaning;
}

std::optional<Code> find_code(std::string_view text) {
  for (std::size_t index = 0; index < std::size(kCodeRows); ++index) {
    if (kCodeRows[index].text == text) {
      return static_cast<Code>(index);
    }
  }
  return std::nullopt;
}

std::string_view category_text(Category category) {
  switch (category) {
    case Category::kMalformed: return "malformed";
    case Category::kUnsupported: return "unsupported";
    case Category::kOverLimit: return "over limit";
    case Category::kInternal: return "internal";
  }
  return "internal";
}

bool operator==(const FieldStep& left, const FieldStep& right) {
  return std::string_view(left.label) == right.label && left.index == right.index;
}

void FieldPath::push(FieldStep step) {
  assert(count_ < kMaxSteps);
  steps_[count_] = step;
  ++count_;
}

FieldPath FieldPath::then(const char* label) const {
  FieldPath longer = *this;
  longer.push({label});
  return longer;
}

FieldPath FieldPath::then(const char* label, std::uint64_t index) const {
  FieldPath longer = *this;
  longer.push({label, static_cast<std::int64_t>(index)});
  return longer;
}

FieldPath FieldPath::at(std::uint64_t index) const {
  assert(count_ > 0);
  FieldPath indexed = *this;
  indexed.steps_[count_ - 1U].index = static_cast<std::int64_t>(index);
  return indexed;
}

std::string FieldPath::to_text() const {
  std::string text;
  for (std::size_t position = 0; position < count_; ++position) {
    const FieldStep& step = steps_[position];
    if (position != 0) {
      text += '.';
    }
    text += step.label;
    if (step.index != FieldStep::kNoIndex) {
      text += '[' + std::to_string(step.index) + ']';
    }
  }
  return text;
}

bool operator==(const FieldPath& left, const FieldPath& right) {
  return left.count_ == right.count_ && left.steps_ == right.steps_;
}

std::string Datum::to_text() const {
  return std::string(relation_prefix(relation)) + value_text(*this);
}

std::string Diagnostic::message() const {
  std::string text(code_meaning(code));
  const bool has_expected = expected.kind != Datum::Kind::kNone;
  const bool has_got = got.kind != Datum::Kind::kNone;
  if (!has_expected && !has_got) {
    return text;
  }
  text += " (";
  if (has_expected) {
    text += "expected " + expected.to_text();
  }
  if (has_got) {
    text += std::string(has_expected ? ", " : "") + "got " + got.to_text();
  }
  text += ')';
  return text;
}

}  // namespace assay
