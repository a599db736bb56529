#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What a parser says about an input it refuses, or about something odd in one it accepts.
namespace assay {

// How a diagnostic came about. `internal` is our own defect: no input may produce it.
enum class Category : std::uint8_t { kMalformed, kUnsupported, kOverLimit, kInternal };

enum class Code : std::uint16_t {
#define ASSAY_CODE(enumerator, text, category, meaning) enumerator,
#include "parsers/base/codes.def"
#undef ASSAY_CODE
};

// The stable text of a code, e.g. "invalid_magic"; its category; and a sentence on what it means.
[[nodiscard]] std::string_view code_text(Code code);
[[nodiscard]] Category code_category(Code code);
[[nodiscard]] std::string_view code_meaning(Code code);
// The code with that text, or nothing.
[[nodiscard]] std::optional<Code> find_code(std::string_view text);
[[nodiscard]] std::string_view category_text(Category category);

// One step of a field path: a label with static storage and, for lists, an index.
struct FieldStep {
  const char* label = "";
  std::int64_t index = kNoIndex;
  static constexpr std::int64_t kNoIndex = -1;

  friend bool operator==(const FieldStep& left, const FieldStep& right);
};

// A dotted path to a field, e.g. `entry[2].data_offset`.
//
// Holds pointers to static labels, so that parsers can report without formatting or allocating; to_text()
// joins them when somebody looks. Trivially copyable. Steps beyond kMaxSteps are an assertion failure.
class FieldPath {
 public:
  static constexpr std::size_t kMaxSteps = 4;

  constexpr FieldPath() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a single label is the common path and reads best as one.
  constexpr FieldPath(const char* label) : steps_{FieldStep{label}}, count_(1) {}
  constexpr FieldPath(const char* label, std::uint64_t index)
      : steps_{FieldStep{label, static_cast<std::int64_t>(index)}}, count_(1) {}

  // The same path with one more step.
  [[nodiscard]] FieldPath then(const char* label) const;
  [[nodiscard]] FieldPath then(const char* label, std::uint64_t index) const;
  // The same path with an index on its last step. Requires: !empty().
  [[nodiscard]] FieldPath at(std::uint64_t index) const;

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::string to_text() const;

  friend bool operator==(const FieldPath& left, const FieldPath& right);

 private:
  void push(FieldStep step);

  std::array<FieldStep, kMaxSteps> steps_{};
  std::uint8_t count_ = 0;
};

// One side of "expected this, got that": a number or a static text, and how it relates to the other side.
struct Datum {
  enum class Kind : std::uint8_t { kNone, kUnsigned, kSigned, kHex, kBytes4, kText };
  enum class Relation : std::uint8_t { kEqual, kAtMost, kAtLeast, kBelow, kMultipleOf };

  Kind kind = Kind::kNone;
  Relation relation = Relation::kEqual;
  std::uint64_t bits = 0;
  const char* text = "";

  [[nodiscard]] static constexpr Datum number(std::uint64_t value) {
    return {Kind::kUnsigned, Relation::kEqual, value, ""};
  }
  [[nodiscard]] static constexpr Datum signed_number(std::int64_t value) {
    return {Kind::kSigned, Relation::kEqual, static_cast<std::uint64_t>(value), ""};
  }
  [[nodiscard]] static constexpr Datum hex(std::uint64_t value) { return {Kind::kHex, Relation::kEqual, value, ""}; }
  // Four bytes in file order, as loaded by load_little_endian<uint32_t>.
  [[nodiscard]] static constexpr Datum bytes4(std::uint32_t value) {
    return {Kind::kBytes4, Relation::kEqual, value, ""};
  }
  // `text` must have static storage.
  [[nodiscard]] static constexpr Datum words(const char* text) { return {Kind::kText, Relation::kEqual, 0, text}; }
  [[nodiscard]] static constexpr Datum at_most(std::uint64_t value) {
    return {Kind::kUnsigned, Relation::kAtMost, value, ""};
  }
  [[nodiscard]] static constexpr Datum at_least(std::uint64_t value) {
    return {Kind::kUnsigned, Relation::kAtLeast, value, ""};
  }
  [[nodiscard]] static constexpr Datum below(std::uint64_t value) {
    return {Kind::kUnsigned, Relation::kBelow, value, ""};
  }
  [[nodiscard]] static constexpr Datum multiple_of(std::uint64_t value) {
    return {Kind::kUnsigned, Relation::kMultipleOf, value, ""};
  }

  [[nodiscard]] std::string to_text() const;
};

// A refusal or an observation, with the place it is about.
//
// `offset` counts bytes from the start of the outermost stored input to the start of the refused field; for
// data inside a decoded (decompressed or transformed) payload it is the offset of that stored payload.
// `local_offset` counts from the start of the item that was being read, so that nothing is lost for decoded
// payloads; for stream errors it is the position in the packed stream. Trivially copyable, no allocation.
struct Diagnostic {
  Code code = Code::kInternal;
  std::uint64_t offset = 0;
  FieldPath field{};
  Datum expected{};
  Datum got{};
  std::uint64_t local_offset = 0;

  // One sentence without the place, e.g. "the stored total size is not the length of the input (expected 224, got
  // 225)".
  [[nodiscard]] std::string message() const;
};

}  // namespace assay
