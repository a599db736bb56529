#include "parsers/base/accounting.h"

#include <algorithm>

namespace assay {
namespace {

void add_record_shares(ByteShares& shares, const RecordInfo& record) {
  for (const FieldInfo& info : record.fields) {
    switch (info.status) {
      case FieldStatus::kLayoutConfirmed: shares.confirmed += info.size_bytes; break;
      case FieldStatus::kConsumerInferred: shares.inferred += info.size_bytes; break;
      case FieldStatus::kOpaque: shares.opaque += info.size_bytes; break;
    }
  }
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
      case ByteKind::kRecord: add_record_shares(shares, *run.record); break;
      case ByteKind::kPayload: shares.payload += run.size; break;
      case ByteKind::kPadding: shares.padding += run.size; break;
      case ByteKind::kGap: shares.gap += run.size; break;
      case ByteKind::kUnindexed: shares.unindexed += run.size; break;
      case ByteKind::kOpaque: shares.opaque += run.size; break;
    }
  }
  return shares;
}

}  // namespace assay
