#include "parsers/base/accounting.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace assay {
namespace {

void add_record_shares(ByteShares& shares, const ByteRun& run) {
  const bool is_fixed = run.record->has_fixed_size();
  const std::uint64_t record_count = is_fixed ? run.size / run.record->size_bytes : 1;
  for (const FieldInfo& info : run.record->fields) {
    const std::uint64_t bytes = is_fixed ? record_count * info.size_bytes : run.size;
    switch (info.status) {
      case FieldStatus::kLayoutConfirmed: shares.confirmed += bytes; break;
      case FieldStatus::kConsumerInferred: shares.inferred += bytes; break;
      case FieldStatus::kOpaque: shares.opaque += bytes; break;
    }
  }
}

// Takes `[DIGITS]` from the front of `text`.
std::optional<std::size_t> take_index(std::string_view& text) {
  std::size_t index = 0;
  const char* const end = text.data() + text.size();
  if (!text.starts_with('[')) {
    return std::nullopt;
  }
  const auto [stop, error] = std::from_chars(text.data() + 1, end, index);
  if (error != std::errc() || stop == end || *stop != ']') {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(stop + 1 - text.data()));
  return index;
}

std::optional<FieldView> find_in_run(const ByteRun& run, std::string_view path) {
  const std::string prefix = run.path.to_text();
  if (run.record == nullptr || !path.starts_with(prefix)) {
    return std::nullopt;
  }
  path.remove_prefix(prefix.size());
  const auto index = run.is_array ? take_index(path) : std::optional<std::size_t>(0);
  const std::uint64_t record_bytes = run.record->has_fixed_size() ? run.record->size_bytes : run.size;
  if (!index || *index >= run.size / record_bytes || !path.starts_with('.')) {
    return std::nullopt;
  }
  const FieldInfo* info = run.record->find(path.substr(1));
  if (info == nullptr) {
    return std::nullopt;
  }
  const auto offset = static_cast<std::size_t>(*index * record_bytes + info->offset);
  const FieldPath record_path = run.is_array ? run.path.at(*index) : run.path;
  return FieldView{info, run.offset + offset, record_path.then(info->name),
                   run.record->has_fixed_size() ? run.plain.subspan(offset, info->size_bytes) : run.plain};
}

}  // namespace

std::string_view byte_kind_text(ByteKind kind) {
  switch (kind) {
    case ByteKind::kRecord: return "record";
    case ByteKind::kPayload: return "payload";
    case ByteKind::kPadding: return "padding";
    case ByteKind::kGap: return "gap";
    case ByteKind::kUnindexed: return "unindexed";
    case ByteKind::kOpaque: return "opaque";
    case ByteKind::kData: return "data";
  }
  return "opaque";
}

std::array<std::pair<std::string_view, std::uint64_t>, 7> ByteShares::parts() const {
  return {{{"confirmed", confirmed},
           {"inferred", inferred},
           {"opaque", opaque},
           {"payload", payload},
           {"padding", padding},
           {"gap", gap},
           {"unindexed", unindexed}}};
}

std::uint64_t ByteShares::total() const {
  std::uint64_t sum = 0;
  for (const auto& [name, bytes] : parts()) {
    sum += bytes;
  }
  return sum;
}

Result<void> ByteMap::close(std::uint64_t size) {
  const auto by_offset = [](const ByteRun& left, const ByteRun& right) { return left.offset < right.offset; };
  if (!std::is_sorted(runs_.begin(), runs_.end(), by_offset)) {
    std::sort(runs_.begin(), runs_.end(), by_offset);
  }
  std::uint64_t end = 0;
  for (const ByteRun& run : runs_) {
    if (run.offset != end) {
      return fail({.code = Code::kUnaccountedBytes,
                   .offset = std::min(run.offset, end),
                   .field = run.path,
                   .expected = Datum::number(end),
                   .got = Datum::number(run.offset)});
    }
    end += run.size;
  }
  if (end != size) {
    return fail({.code = Code::kUnaccountedBytes,
                 .offset = std::min(end, size),
                 .field = "file",
                 .expected = Datum::number(size),
                 .got = Datum::number(end)});
  }
  return {};
}

ByteShares ByteMap::shares() const {
  ByteShares shares;
  for (const ByteRun& run : runs_) {
    switch (run.kind) {
      case ByteKind::kRecord: add_record_shares(shares, run); break;
      case ByteKind::kPayload: shares.payload += run.size; break;
      case ByteKind::kPadding: shares.padding += run.size; break;
      case ByteKind::kGap: shares.gap += run.size; break;
      case ByteKind::kUnindexed: shares.unindexed += run.size; break;
      case ByteKind::kOpaque: shares.opaque += run.size; break;
      case ByteKind::kData: shares.confirmed += run.size; break;
    }
  }
  return shares;
}

std::optional<FieldView> ByteMap::find(std::string_view path) const {
  for (const ByteRun& run : runs_) {
    if (auto found = find_in_run(run, path)) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace assay
