#include "parsers/formats/document_facts.h"
#include "parsers/formats/nres/nres.h"
#include "parsers/formats/sort_map.h"

namespace assay::nres {
namespace {

constexpr const RecordInfo& kHeaderInfo = kInfoOf<kHeaderRecord>;
constexpr const RecordInfo& kEntryInfo = kInfoOf<kEntryRecord>;

}  // namespace

std::uint64_t Archive::directory_offset() const {
  return image_.size() - static_cast<std::uint64_t>(header_.entry_count) * kEntryRecord.size_bytes;
}

Bytes Archive::payload(std::size_t index) const {
  if (entry_error(index) != nullptr) {
    return {};
  }
  return image_.subspan(entries_[index].data_offset, entries_[index].size);
}

Buffer Archive::write() const {
  Buffer image(image_.size());
  kHeaderRecord.write(header_, image);
  for (const Region& region : regions_) {
    std::memcpy(image.data() + region.offset, image_.data() + region.offset, static_cast<std::size_t>(region.size));
  }
  for (const ByteRange& range : active_) {
    std::memcpy(image.data() + range.start, image_.data() + range.start,
                static_cast<std::size_t>(range.end - range.start));
  }
  MutableBytes row = MutableBytes(image).subspan(static_cast<std::size_t>(directory_offset()));
  for (const Entry& entry : entries_) {
    kEntryRecord.write(entry, row);
    row = row.subspan(kEntryRecord.size_bytes);
  }
  return image;
}

Result<Buffer> Archive::canonical() const {
  ASSAY_TRY(errors_.require_none());
  std::vector<NewEntry> rows;
  rows.reserve(entries_.size());
  for (std::size_t index = 0; index < entries_.size(); ++index) {
    rows.push_back({entries_[index], payload(index)});
  }
  return build_canonical(rows);
}

ByteMap Archive::account() const {
  ByteMap map;
  map.add_record(0, kHeaderInfo, kHeaderRecord.name, image_.first(kHeaderRecord.size_bytes));
  std::vector<FieldPath> paths;
  paths.reserve(active_entries_.size());
  for (const std::size_t index : active_entries_) {
    paths.push_back(FieldPath("entry", index).then("payload"));
  }
  add_payloads(map, active_, paths);
  add_regions(map, regions_);
  for (std::size_t index = 0; index < entries_.size(); ++index) {
    const Member row = member(index);
    map.add_record(row.row_offset, kEntryInfo, FieldPath("entry", index), row.row);
  }
  return map;
}

std::vector<DocumentFact> Archive::facts() const {
  return record_facts(kHeaderInfo, image_.first(kHeaderRecord.size_bytes));
}

Member Archive::member(std::size_t index) const {
  const Entry& entry = entries_[index];
  const std::uint64_t row_offset = directory_offset() + index * kEntryRecord.size_bytes;
  return {.name = entry.name.text(),
          .offset = entry.data_offset,
          .packed_size = entry.size,
          .size = entry.size,
          .error = entry_error(index),
          .type_id = entry.type_id,
          .attributes = {{entry.attr1, entry.attr2, entry.attr3}},
          .sort = entry.sort_index,
          .row_record = &kEntryInfo,
          .row_offset = row_offset,
          .row = image_.subspan(static_cast<std::size_t>(row_offset), kEntryRecord.size_bytes)};
}

Result<Bytes> Archive::load(std::size_t index, DecodeScratch& /*scratch*/, Findings& /*findings*/) const {
  if (const Diagnostic* error = entry_error(index)) {
    return fail(*error);
  }
  return payload(index);
}

std::optional<std::size_t> Archive::find(Bytes query) const {
  if (!sort_map_is_sound_) {
    return find_linear(query);
  }
  const Bytes wanted = until_nul(query);
  return find_by_map(
      entries_.size(), [&](std::size_t position) { return entries_[position].sort_index; },
      [&](std::size_t row) { return compare_folded(entries_[row].name.text(), wanted); });
}

std::optional<std::size_t> Archive::find_linear(Bytes query) const {
  const Bytes wanted = until_nul(query);
  for (std::size_t index = 0; index < entries_.size(); ++index) {
    if (equal_folded(entries_[index].name.text(), wanted)) {
      return index;
    }
  }
  return std::nullopt;
}

namespace {

constexpr RecordInfo kRecords[] = {kHeaderInfo, kEntryInfo};

// Terrain has the extension of models, whose own format is a shorter pattern (docs/formats/nres.md, where it is used).
constexpr NamePattern kNamePatterns[] = {
    {"*.rlb", true}, {"*.lib", true}, {"*.dlb", true}, {"*.res", true}, {"land.msh", true}, {"land.map", true},
};

bool has_magic(Bytes bytes) {
  return bytes.size() >= 4 && load_little_endian<std::uint32_t>(bytes) == kMagic;
}

// A header whose other fixed fields hold is an NRes archive with a damaged magic, not an unknown file.
bool probe(Bytes bytes) {
  if (bytes.size() < kHeaderRecord.size_bytes) {
    return false;
  }
  const Header header = kHeaderRecord.read(bytes);
  return header.version == kVersion && header.total_size == bytes.size() && header.entry_count >= 0;
}

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Archive archive, Archive::parse(bytes, context, findings));
  return std::make_unique<Archive>(std::move(archive));
}

Result<std::unique_ptr<Editor>> edit_document(const Document& document) {
  return edit(static_cast<const Archive&>(document));
}

constexpr Format kFormat{.id = "nres",
                         .title = "NRes archive",
                         .documentation = "docs/formats/nres.md",
                         .records = kRecords,
                         .has_magic = has_magic,
                         .type_tags = {},
                         .name_patterns = kNamePatterns,
                         .probe = probe,
                         .parse = parse_document,
                         .edit = edit_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::nres
