#pragma once

#include <optional>
#include <vector>

#include "parsers/base/accounting.h"
#include "parsers/formats/format.h"

// An input as its format reads it, for mutators: which fields stand where, and how to write them.
namespace assay::fuzz {

// Where one field of a fixed size stands in the stored bytes, and how it reads. A transformed table reads differently
// from what is stored; all transforms of these formats are additions without carry, so a difference carries over.
struct FieldSpot {
  const FieldInfo* info = nullptr;
  std::size_t offset = 0;
  Bytes plain{};

  [[nodiscard]] bool is_integer() const;
  // Little-endian, without sign. Requires: is_integer(). The first one of a row of numbers.
  [[nodiscard]] std::uint64_t value() const;
  [[nodiscard]] std::size_t scalar_bytes() const;
  // Makes the field read `wanted` in `image`, whose bytes at `offset` are still the ones that read `plain`.
  void write(MutableBytes image, Bytes wanted) const;
  void write_value(MutableBytes image, std::uint64_t value) const;
};

// Records of one table one after another, whether they were read as an array or one by one.
struct RecordList {
  const RecordInfo* record = nullptr;
  std::size_t offset = 0;
  Bytes plain{};
  // Whether it is a list by its nature, not one record such as a header.
  bool is_repeated = false;

  [[nodiscard]] std::size_t size() const { return plain.size() / record->size_bytes; }
  [[nodiscard]] std::size_t size_bytes() const { return plain.size(); }
  [[nodiscard]] FieldSpot field(std::size_t index, const FieldInfo& info) const;
};

// A text without fixed size, with its length or its NUL.
struct TextSpot {
  const FieldInfo* info = nullptr;
  std::size_t offset = 0;
  Bytes raw{};
};

// A parsed input. Refers to the bytes.
class Structure {
 public:
  // Nothing where the format refuses the input, or has no map of it.
  [[nodiscard]] static std::optional<Structure> read(const Format& format, Bytes bytes);

  [[nodiscard]] const Document& document() const { return *document_; }
  [[nodiscard]] const std::vector<RecordList>& lists() const { return lists_; }
  [[nodiscard]] const std::vector<TextSpot>& texts() const { return texts_; }
  // Every field that is a single integer and, where asked, says something that follows from the rest.
  [[nodiscard]] std::vector<FieldSpot> integers(bool only_derived) const;

 private:
  std::unique_ptr<Document> document_;
  std::vector<RecordList> lists_;
  std::vector<TextSpot> texts_;
};

// The limits and rules that mutators read with.
[[nodiscard]] ParseContext mutation_context();

}  // namespace assay::fuzz
