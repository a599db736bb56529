#include <limits>

#include "parsers/base/byte_writer.h"
#include "parsers/formats/nres/nres.h"

namespace assay::nres {
namespace {

constexpr std::uint64_t kMaxFileBytes = std::numeric_limits<std::uint32_t>::max();

// The length of the canonical file, or more than kMaxFileBytes when it does not fit.
std::uint64_t canonical_size(std::span<const NewEntry> entries) {
  std::uint64_t total = kHeaderRecord.size_bytes + std::uint64_t{entries.size()} * kEntryRecord.size_bytes;
  for (const NewEntry& entry : entries) {
    total += (std::uint64_t{entry.payload.size()} + kAlignment - 1) / kAlignment * kAlignment;
  }
  return total;
}

}  // namespace

Result<Buffer> build_canonical(std::span<const NewEntry> entries) {
  const std::uint64_t total = canonical_size(entries);
  if (total > kMaxFileBytes) {
    return fail({.code = Code::kIntegerOverflow,
                 .field = FieldPath("header").then("total_size"),
                 .expected = Datum::at_most(kMaxFileBytes),
                 .got = Datum::number(total)});
  }
  ByteWriter writer(static_cast<std::size_t>(total));
  writer.write_zeros(kHeaderRecord.size_bytes);
  std::vector<Entry> rows;
  rows.reserve(entries.size());
  for (const NewEntry& entry : entries) {
    Entry row = entry.row;
    row.size = static_cast<std::uint32_t>(entry.payload.size());
    row.data_offset = static_cast<std::uint32_t>(writer.position());
    writer.write_bytes(entry.payload);
    writer.align(kAlignment);
    rows.push_back(row);
  }
  write_directory(rows, /*recompute_sort_map=*/true, writer);
  return std::move(writer).take();
}

void write_directory(std::span<Entry> rows, bool recompute_sort_map, ByteWriter& writer) {
  if (recompute_sort_map) {
    const std::vector<std::uint32_t> order = sort_map(rows);
    for (std::size_t index = 0; index < rows.size(); ++index) {
      rows[index].sort_index = order[index];
    }
  }
  for (const Entry& row : rows) {
    kEntryRecord.write(row, writer.grow(kEntryRecord.size_bytes));
  }
  const Header header{.entry_count = static_cast<std::int32_t>(rows.size()),
                      .total_size = static_cast<std::uint32_t>(writer.position())};
  kHeaderRecord.write(header, writer.written(0, kHeaderRecord.size_bytes));
}

}  // namespace assay::nres
