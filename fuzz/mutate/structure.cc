#include "fuzz/mutate/structure.h"

#include <utility>

namespace assay::fuzz {

bool FieldSpot::is_integer() const {
  switch (info->type) {
    case FieldType::kU8:
    case FieldType::kI8:
    case FieldType::kU16:
    case FieldType::kI16:
    case FieldType::kU32:
    case FieldType::kI32: return true;
    default: return false;
  }
}

std::size_t FieldSpot::scalar_bytes() const {
  switch (info->type) {
    case FieldType::kU8:
    case FieldType::kI8: return 1;
    case FieldType::kU16:
    case FieldType::kI16: return 2;
    case FieldType::kU32:
    case FieldType::kI32:
    case FieldType::kF32: return 4;
    default: return info->size_bytes;
  }
}

std::uint64_t FieldSpot::value() const {
  std::uint64_t value = 0;
  for (std::size_t index = scalar_bytes(); index-- > 0;) {
    value = value << 8 | plain[index];
  }
  return value;
}

void FieldSpot::write(MutableBytes image, Bytes wanted) const {
  for (std::size_t index = 0; index < wanted.size() && index < plain.size(); ++index) {
    image[offset + index] = static_cast<std::uint8_t>(image[offset + index] ^ plain[index] ^ wanted[index]);
  }
}

void FieldSpot::write_value(MutableBytes image, std::uint64_t value) const {
  std::array<std::uint8_t, 8> raw{};
  store_little_endian(value, raw);
  write(image, Bytes(raw).first(scalar_bytes()));
}

FieldSpot RecordList::field(std::size_t index, const FieldInfo& info) const {
  const std::size_t at = index * record->size_bytes + info.offset;
  return {&info, offset + at, plain.subspan(at, info.size_bytes)};
}

std::optional<Structure> Structure::read(const Format& format, Bytes bytes) {
  Findings findings;
  auto parsed = format.parse(bytes, mutation_context(), findings);
  if (!parsed) {
    return std::nullopt;
  }
  Structure structure;
  structure.document_ = std::move(*parsed);
  ByteMap map = structure.document_->account();
  if (!map.close(bytes.size())) {
    return std::nullopt;
  }
  for (const ByteRun& run : map.runs()) {
    if (run.kind != ByteKind::kRecord || run.plain.size() != run.size) {
      continue;
    }
    const auto offset = static_cast<std::size_t>(run.offset);
    if (!run.record->has_fixed_size()) {
      structure.texts_.push_back({&run.record->fields.front(), offset, run.plain});
      continue;
    }
    auto& lists = structure.lists_;
    RecordList* last = lists.empty() ? nullptr : &lists.back();
    // Records that follow each other in the file and in memory make one list.
    if (last != nullptr && last->record == run.record && last->offset + last->plain.size() == offset &&
        last->plain.data() + last->plain.size() == run.plain.data()) {
      last->plain = Bytes(last->plain.data(), last->plain.size() + run.plain.size());
      last->is_repeated = true;
    } else {
      lists.push_back({run.record, offset, run.plain, run.is_array});
    }
  }
  return structure;
}

std::vector<FieldSpot> Structure::integers(bool only_derived) const {
  std::vector<FieldSpot> spots;
  for (const RecordList& list : lists_) {
    for (std::size_t index = 0; index < list.size(); ++index) {
      for (const FieldInfo& info : list.record->fields) {
        const FieldSpot spot = list.field(index, info);
        if (spot.is_integer() && info.count == 1 && (info.is_derived() || !only_derived)) {
          spots.push_back(spot);
        }
      }
    }
  }
  return spots;
}

ParseContext mutation_context() {
  ParseContext context;
  context.limits.input_bytes = std::uint64_t{1} << 20;
  context.limits.unpacked_bytes = std::uint64_t{1} << 16;
  context.limits.unpacked_total_bytes = std::uint64_t{1} << 18;
  context.rules = RuleSet::compatible();
  context.confirm_deflate = false;
  return context;
}

}  // namespace assay::fuzz
