#include "synth/nres_builder.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace assay::synth {
namespace {

std::vector<std::size_t> indices_of(std::size_t count) {
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

// The name as the directory is ordered by it: A..Z as a..z, other bytes as they are. std::string compares as unsigned.
std::string sort_key(const NresName& name) {
  std::string key;
  for (const std::uint8_t byte : name.raw) {
    if (byte == 0) {
      break;
    }
    key += static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 0x20 : byte);
  }
  return key;
}

std::vector<std::uint32_t> sort_map_of(const NresLayout& layout) {
  std::vector<std::pair<std::string, std::uint32_t>> keys;
  for (std::size_t index = 0; index < layout.items.size(); ++index) {
    keys.emplace_back(sort_key(layout.items[index].row.name), static_cast<std::uint32_t>(index));
  }
  std::ranges::sort(keys);
  std::vector<std::uint32_t> map;
  for (const auto& [key, index] : keys) {
    map.push_back(index);
  }
  return map;
}

}  // namespace

NresName nres_name(std::string_view text, std::string_view tail) {
  NresName name = NresName::from_text(as_bytes(text));
  const std::size_t tail_start = text.size() + 1;
  for (std::size_t index = 0; index < tail.size() && tail_start + index < name.raw.size(); ++index) {
    name.raw[tail_start + index] = static_cast<std::uint8_t>(tail[index]);
  }
  return name;
}

std::uint32_t type_tag(std::string_view four_characters) {
  return load_little_endian<std::uint32_t>(as_bytes(four_characters));
}

Buffer build_nres(const NresLayout& layout) {
  const auto& items = layout.items;
  std::vector<nres::Entry> rows;
  for (const NresItem& item : items) {
    rows.push_back(item.row);
  }
  ByteWriter writer;
  writer.write_zeros(nres::kHeaderRecord.size_bytes);
  for (const std::size_t index : layout.physical_order.empty() ? indices_of(items.size()) : layout.physical_order) {
    writer.write_bytes(items[index].gap_before);
    writer.align(items[index].payload.empty() ? 1 : nres::kAlignment);
    rows[index].size = static_cast<std::uint32_t>(items[index].payload.size());
    rows[index].data_offset = static_cast<std::uint32_t>(writer.position());
    writer.write_bytes(items[index].payload);
  }
  writer.write_bytes(layout.trailing);
  writer.align(layout.aligns_directory ? nres::kAlignment : 1);
  const std::vector<std::uint32_t> map = layout.sort_map.empty() ? sort_map_of(layout) : layout.sort_map;
  for (std::size_t index = 0; index < rows.size(); ++index) {
    rows[index].sort_index = map[index];
    nres::kEntryRecord.write(rows[index], writer.grow(nres::kEntryRecord.size_bytes));
  }
  const nres::Header header{.entry_count = static_cast<std::int32_t>(rows.size()),
                            .total_size = static_cast<std::uint32_t>(writer.position())};
  nres::kHeaderRecord.write(header, writer.written(0, nres::kHeaderRecord.size_bytes));
  return std::move(writer).take();
}

}  // namespace assay::synth
