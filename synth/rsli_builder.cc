#include "synth/rsli_builder.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "parsers/codecs/xor_stream/xor_stream.h"
#include "synth/stable_pack.h"

namespace assay::synth {
namespace {

// Rows by name as unsigned bytes, as std::string compares; equal names in row order.
std::vector<std::uint16_t> sort_map_of(const RsliLayout& layout) {
  std::vector<std::pair<std::string_view, std::uint16_t>> keys;
  for (std::size_t row = 0; row < layout.items.size(); ++row) {
    keys.emplace_back(as_text(layout.items[row].name.text()), static_cast<std::uint16_t>(row));
  }
  std::ranges::sort(keys);
  std::vector<std::uint16_t> map;
  for (const auto& [name, row] : keys) {
    map.push_back(row);
  }
  return map;
}

void write_payload(const RsliItem& item, std::uint16_t key, ByteWriter& writer) {
  writer.write_bytes(item.packed);
  if (rsli::uses_key(item.method)) {
    const MutableBytes stored = writer.written(writer.position() - item.packed.size(), item.packed.size());
    xor_stream::apply(key, stored, stored);
  }
}

bool ends_like_a_trailer(ByteWriter& writer, std::size_t data_start) {
  constexpr std::size_t kTrailerBytes = rsli::kTrailerRecord.size_bytes;
  return writer.position() - data_start >= kTrailerBytes &&
         equal_bytes(writer.written(writer.position() - kTrailerBytes, 2), rsli::kTrailerMagic);
}

rsli::Header header_of(const RsliLayout& layout) {
  std::uint64_t packed_total = 0;
  std::uint64_t unpacked_total = 0;
  for (const RsliItem& item : layout.items) {
    packed_total += item.packed.size() + item.excess_bytes;
    unpacked_total += item.unpacked_size;
  }
  const auto count = static_cast<std::uint16_t>(layout.items.size());
  const std::uint32_t step = layout.header_in_step ? 0 : 1;
  return {.entry_count = static_cast<std::int16_t>(count),
          .entry_count_copy = static_cast<std::uint16_t>(count + step),
          .opaque08 = layout.opaque08,
          .presorted_flag = layout.is_presorted ? rsli::kPresorted : std::uint16_t{0},
          .unpacked_total = static_cast<std::uint32_t>(unpacked_total) + step,
          .xor_seed = layout.seed_is_packed_total ? static_cast<std::uint32_t>(packed_total) : layout.seed,
          .opaque18 = layout.opaque18};
}

rsli::Entry row_of(const RsliItem& item) {
  return {.name = item.name,
          .service = item.service,
          .flags = static_cast<std::uint16_t>(static_cast<std::uint16_t>(item.method) | item.opaque_flags),
          .unpacked_size = item.unpacked_size,
          .packed_size = static_cast<std::uint32_t>(item.packed.size()) + item.excess_bytes};
}

void fill_in_table(const rsli::Header& header, std::span<const rsli::Entry> rows, ByteWriter& writer) {
  rsli::kHeaderRecord.write(header, writer.written(0, rsli::kHeaderRecord.size_bytes));
  const MutableBytes table =
      writer.written(rsli::kHeaderRecord.size_bytes, rows.size() * rsli::kEntryRecord.size_bytes);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rsli::kEntryRecord.write(rows[row], table.subspan(row * rsli::kEntryRecord.size_bytes));
  }
  xor_stream::apply(static_cast<std::uint16_t>(header.xor_seed & 0xFFFF), table, table);
}

}  // namespace

RsliName rsli_name(std::string_view text, std::string_view tail) {
  RsliName name = RsliName::from_text(as_bytes(text));
  const std::size_t tail_start = text.size() + 1;
  for (std::size_t index = 0; index < tail.size() && tail_start + index < name.raw.size(); ++index) {
    name.raw[tail_start + index] = static_cast<std::uint8_t>(tail[index]);
  }
  return name;
}

RsliItem make_rsli_item(std::string_view name, rsli::Method method, Bytes plain) {
  return {.name = rsli_name(name),
          .method = method,
          .unpacked_size = static_cast<std::uint32_t>(plain.size()),
          .packed = pack_stably(method, plain)};
}

Buffer build_rsli(const RsliLayout& layout) {
  const std::vector<std::uint16_t> map = layout.sort_map.empty() ? sort_map_of(layout) : layout.sort_map;
  std::vector<std::size_t> order = layout.physical_order;
  if (order.empty()) {
    order.resize(layout.items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
  }
  std::vector<rsli::Entry> rows(layout.items.size());
  ByteWriter writer;
  writer.write_zeros(rsli::kHeaderRecord.size_bytes + rows.size() * rsli::kEntryRecord.size_bytes);
  const std::size_t data_start = writer.position();
  const std::uint32_t overlay = layout.overlay.value_or(0);
  for (const std::size_t index : order) {
    const RsliItem& item = layout.items[index];
    writer.write_bytes(item.gap_before);
    rows[index] = row_of(item);
    rows[index].data_offset_raw = static_cast<std::uint32_t>(writer.position()) - overlay;
    const std::uint16_t stored_map = layout.is_presorted ? map[index] : static_cast<std::uint16_t>(~map[index]);
    rows[index].sort_to_original = static_cast<std::int16_t>(stored_map);
    write_payload(item, map[index], writer);
  }
  writer.write_bytes(layout.trailing);
  if (layout.overlay) {
    rsli::kTrailerRecord.write({.overlay = overlay}, writer.grow(rsli::kTrailerRecord.size_bytes));
  } else if (ends_like_a_trailer(writer, data_start)) {
    writer.write_zeros(1);
  }
  fill_in_table(header_of(layout), rows, writer);
  return std::move(writer).take();
}

}  // namespace assay::synth
