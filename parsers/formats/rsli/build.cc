#include <algorithm>
#include <limits>

#include "parsers/base/byte_writer.h"
#include "parsers/codecs/xor_stream/xor_stream.h"
#include "parsers/formats/rsli/rsli.h"

namespace assay::rsli {
namespace {

constexpr std::uint64_t kMaxFileBytes = std::numeric_limits<std::uint32_t>::max();

Result<void> check_size(std::span<const PackedEntry> entries) {
  if (entries.size() > kMaxEntryCount) {
    return fail({.code = Code::kInvalidEntryCount,
                 .field = FieldPath("header").then("entry_count"),
                 .expected = Datum::at_most(kMaxEntryCount),
                 .got = Datum::number(entries.size())});
  }
  std::uint64_t total = kHeaderRecord.size_bytes + entries.size() * kEntryRecord.size_bytes;
  for (std::size_t index = 0; index < entries.size(); ++index) {
    total += entries[index].packed.size();
    if (total > kMaxFileBytes) {
      return fail({.code = Code::kIntegerOverflow,
                   .field = FieldPath("entry", index).then("packed_size"),
                   .expected = Datum::at_most(kMaxFileBytes),
                   .got = Datum::number(total)});
    }
  }
  return {};
}

}  // namespace

void write_table(const Header& header, std::span<const Entry> rows, ByteWriter& writer) {
  kHeaderRecord.write(header, writer.grow(kHeaderRecord.size_bytes));
  const MutableBytes table = writer.grow(rows.size() * kEntryRecord.size_bytes);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    kEntryRecord.write(rows[index], table.subspan(index * kEntryRecord.size_bytes));
  }
  xor_stream::apply(static_cast<std::uint16_t>(header.xor_seed & 0xFFFF), table, table);
}

Bytes packed_before_transform(const Archive& archive, std::size_t index, Buffer& holder) {
  const Bytes stored = archive.packed(index);
  if (!uses_key(*method_of(archive.entries()[index].flags))) {
    return stored;
  }
  holder.resize(stored.size());
  xor_stream::apply(archive.key(index), stored, holder);
  return holder;
}

Result<Buffer> build(const Header& header, std::span<const PackedEntry> entries) {
  ASSAY_TRY(check_size(entries));
  Header new_header = header;
  new_header.entry_count = static_cast<std::int16_t>(entries.size());
  std::vector<Entry> rows;
  rows.reserve(entries.size());
  std::uint64_t offset = kHeaderRecord.size_bytes + entries.size() * kEntryRecord.size_bytes;
  for (const PackedEntry& entry : entries) {
    Entry row = entry.row;
    row.data_offset_raw = static_cast<std::uint32_t>(offset);
    row.packed_size = static_cast<std::uint32_t>(entry.packed.size() + entry.missing_bytes);
    offset += entry.packed.size();
    rows.push_back(row);
  }
  const std::vector<std::uint16_t> map = sort_map(rows);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    rows[index].sort_to_original = static_cast<std::int16_t>(map[index]);
  }
  ByteWriter writer(static_cast<std::size_t>(offset));
  write_table(new_header, rows, writer);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const MutableBytes target = writer.grow(entries[index].packed.size());
    if (entries[index].key != 0) {
      xor_stream::apply(entries[index].key, entries[index].packed, target);
    } else {
      std::ranges::copy(entries[index].packed, target.begin());
    }
    const auto method = method_of(rows[index].flags);
    if (method && uses_key(*method)) {
      xor_stream::apply(map[index], target, target);
    }
  }
  Buffer image = std::move(writer).take();
  shield_last_bytes(kHeaderRecord.size_bytes + rows.size() * kEntryRecord.size_bytes, image);
  return image;
}

void shield_last_bytes(std::uint64_t table_end, Buffer& image) {
  constexpr std::size_t kTrailerBytes = kTrailerRecord.size_bytes;
  if (image.size() - table_end < kTrailerBytes ||
      kTrailerRecord.read(Bytes(image).last(kTrailerBytes)).magic.raw != kTrailerMagic) {
    return;
  }
  image.resize(image.size() + kTrailerBytes);
  kTrailerRecord.write({}, MutableBytes(image).last(kTrailerBytes));
}

}  // namespace assay::rsli
