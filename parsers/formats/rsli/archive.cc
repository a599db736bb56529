#include <algorithm>

#include "parsers/formats/document_facts.h"
#include "parsers/formats/rsli/rsli.h"
#include "parsers/formats/sort_map.h"

namespace assay::rsli {
namespace {

constexpr const RecordInfo& kHeaderInfo = kInfoOf<kHeaderRecord>;
constexpr const RecordInfo& kEntryInfo = kInfoOf<kEntryRecord>;
constexpr const RecordInfo& kTrailerInfo = kInfoOf<kTrailerRecord>;

std::uint64_t row_offset_of(std::size_t index) {
  return kHeaderRecord.size_bytes + index * kEntryRecord.size_bytes;
}

}  // namespace

std::uint64_t Archive::table_end() const {
  return row_offset_of(static_cast<std::size_t>(header_.entry_count));
}

std::uint64_t Archive::data_end() const {
  return image_.size() - (trailer_ ? kTrailerRecord.size_bytes : 0);
}

Bytes Archive::packed(std::size_t index) const {
  const auto& range = ranges_[index];
  return range
             ? image_.subspan(static_cast<std::size_t>(range->offset), static_cast<std::size_t>(range->available_bytes))
             : Bytes{};
}

bool Archive::is_cut_by_rule(std::size_t index) const {
  return ranges_[index] && ranges_[index]->available_bytes != entries_[index].packed_size;
}

bool Archive::lacks_end(std::size_t index) const {
  if (!is_cut_by_rule(index)) {
    return false;
  }
  const Entry& entry = entries_[index];
  DecodeScratch scratch;
  return !decode_payload(Method::kDeflate, 0, packed(index), entry.unpacked_size,
                         {.confirm = false, .allow_missing_end = false}, scratch);
}

std::vector<std::pair<ByteRange, std::size_t>> Archive::data_ranges() const {
  std::vector<std::pair<ByteRange, std::size_t>> ranges;
  for (std::size_t index = 0; index < ranges_.size(); ++index) {
    if (!ranges_[index]) {
      continue;
    }
    const ByteRange cut{std::max(ranges_[index]->offset, table_end()),
                        std::min(ranges_[index]->offset + ranges_[index]->available_bytes, data_end())};
    if (cut.start < cut.end) {
      ranges.emplace_back(cut, index);
    }
  }
  std::sort(ranges.begin(), ranges.end());
  return ranges;
}

Buffer Archive::write() const {
  ByteWriter writer(image_.size());
  write_table(header_, entries_, writer);
  const MutableBytes data = writer.grow(static_cast<std::size_t>(data_end() - table_end()));
  const auto copy = [&](std::uint64_t offset, std::uint64_t size) {
    std::memcpy(data.data() + (offset - table_end()), image_.data() + offset, static_cast<std::size_t>(size));
  };
  for (const Region& region : regions_) {
    copy(region.offset, region.size);
  }
  // Each byte once, however many rows share it.
  std::uint64_t cursor = table_end();
  for (const auto& [range, row] : data_ranges()) {
    const std::uint64_t start = std::max(cursor, range.start);
    if (start < range.end) {
      copy(start, range.end - start);
      cursor = range.end;
    }
  }
  if (trailer_) {
    kTrailerRecord.write(*trailer_, writer.grow(kTrailerRecord.size_bytes));
  }
  return std::move(writer).take();
}

Result<Buffer> Archive::canonical() const {
  ASSAY_TRY(errors_.require_none());
  std::vector<PackedEntry> rows;
  rows.reserve(entries_.size());
  for (std::size_t index = 0; index < entries_.size(); ++index) {
    const std::uint16_t key = uses_key(*method_of(entries_[index].flags)) ? keys_[index] : std::uint16_t{0};
    // The sizes are those of the bytes there are, unless only the rule makes sense of what is left of the stream.
    const std::uint32_t missing_bytes = lacks_end(index) ? 1 : 0;
    rows.push_back({entries_[index], packed(index), key, missing_bytes});
  }
  return build(header_, rows);
}

ByteMap Archive::account() const {
  ByteMap map;
  map.add_record(0, kHeaderInfo, kHeaderRecord.name, image_.first(kHeaderRecord.size_bytes));
  for (std::size_t index = 0; index < entries_.size(); ++index) {
    map.add_record(row_offset_of(index), kEntryInfo, FieldPath("entry", index), member(index).row);
  }
  std::vector<ByteRange> active;
  std::vector<FieldPath> paths;
  for (const auto& [range, row] : data_ranges()) {
    active.push_back(range);
    paths.push_back(FieldPath("entry", row).then("payload"));
  }
  add_payloads(map, active, paths);
  add_regions(map, regions_);
  if (trailer_) {
    map.add_record(data_end(), kTrailerInfo, kTrailerRecord.name, trailer_bytes_);
  }
  return map;
}

std::vector<DocumentFact> Archive::facts() const {
  std::vector<DocumentFact> facts = record_facts(kHeaderInfo, image_.first(kHeaderRecord.size_bytes));
  if (trailer_) {
    facts.emplace_back("ao_overlay", std::to_string(trailer_->overlay));
  }
  return facts;
}

Member Archive::member(std::size_t index) const {
  const Entry& entry = entries_[index];
  const auto method = method_of(entry.flags);
  return {.name = entry.name.text(),
          .offset = ranges_[index] ? ranges_[index]->offset : std::uint64_t{entry.data_offset_raw} + overlay(),
          .packed_size = ranges_[index] ? ranges_[index]->available_bytes : entry.packed_size,
          .size = entry.unpacked_size,
          .error = entry_error(index),
          .flags = entry.flags,
          .sort = entry.sort_to_original,
          .method = method ? method_text(*method) : std::string_view{},
          .row_record = &kEntryInfo,
          .row_offset = row_offset_of(index),
          .row = Bytes(table_).subspan(index * kEntryRecord.size_bytes, kEntryRecord.size_bytes)};
}

Diagnostic Archive::payload_diagnostic(std::size_t index, const Diagnostic& cause) const {
  Diagnostic placed = cause;
  placed.offset = origin_.at(ranges_[index]->offset);
  placed.field = FieldPath("entry", index).then("payload");
  return placed;
}

Result<Bytes> Archive::load(std::size_t index, DecodeScratch& scratch, Findings& findings) const {
  if (const Diagnostic* error = entry_error(index)) {
    return fail(*error);
  }
  const Entry& entry = entries_[index];
  const Bytes stored = packed(index);
  const auto method = method_of(entry.flags);
  const auto decoded =
      decode_payload(*method, keys_[index], stored, entry.unpacked_size,
                     {.confirm = confirm_deflate_, .allow_missing_end = is_cut_by_rule(index)}, scratch);
  if (!decoded) {
    return fail(payload_diagnostic(index, decoded.error()));
  }
  const auto entry_index = static_cast<std::int64_t>(index);
  if (decoded->zlib_refused) {
    findings.strict(payload_diagnostic(index, {.code = Code::kDecoderDisagreement}), entry_index);
  }
  if (decoded->missing_end) {
    findings.note(
        payload_diagnostic(index, {.code = Code::kTruncatedStream, .got = Datum::words("all bytes, no end mark")}),
        entry_index);
  }
  if (decoded->used_bytes < stored.size()) {
    findings.note(payload_diagnostic(index, {.code = Code::kUnusedPackedBytes,
                                             .got = Datum::number(stored.size() - decoded->used_bytes),
                                             .local_offset = decoded->used_bytes}),
                  entry_index);
  }
  return decoded->bytes;
}

namespace {

// The fixed key of the engine's lookup: cut at NUL, ASCII upper case; nothing when it cannot equal a stored name
// (docs/formats/decisions.md, 13).
std::optional<FixedString<kMaxNameBytes>> lookup_key(Bytes query) {
  const Bytes wanted = until_nul(query);
  if (wanted.size() > kMaxNameBytes) {
    return std::nullopt;
  }
  auto key = FixedString<kMaxNameBytes>::from_text(wanted);
  for (std::uint8_t& byte : key.raw) {
    byte = ascii_upper(byte);
  }
  return key;
}

}  // namespace

std::optional<std::size_t> Archive::find(Bytes query) const {
  if (!uses_sort_map()) {
    return find_linear(query);
  }
  const auto key = lookup_key(query);
  if (!key) {
    return std::nullopt;
  }
  return find_by_map(
      map_.size(), [&](std::size_t position) { return map_[position]; },
      [&](std::size_t row) { return compare_bytes(entries_[row].name.text(), key->text()); });
}

std::optional<std::size_t> Archive::find_linear(Bytes query) const {
  const auto key = lookup_key(query);
  for (std::size_t index = 0; key && index < entries_.size(); ++index) {
    if (equal_bytes(entries_[index].name.text(), key->text())) {
      return index;
    }
  }
  return std::nullopt;
}

namespace {

constexpr RecordInfo kRecords[] = {kHeaderInfo, kEntryInfo, kTrailerInfo};

// The two archives of this kind in the games. Other archives with these extensions may be of either kind; what is
// neither counts as a damaged NRes, which comes first in formats.def.
constexpr NamePattern kNamePatterns[] = {
    {"gamefont.rlb", true}, {"sprites.lib", true}, {"*.rlb", true}, {"*.lib", true}};

bool starts_with_magic(Bytes bytes) {
  return bytes.size() >= kMagic.size() && equal_bytes(bytes.first(kMagic.size()), kMagic);
}

bool has_magic(Bytes bytes) {
  return starts_with_magic(bytes) && bytes.size() >= 4 && bytes[2] == 0 && bytes[3] == kVersion;
}

// One damaged byte of the four leaves an archive, not an unknown file.
bool probe(Bytes bytes) {
  if (bytes.size() < kHeaderRecord.size_bytes) {
    return false;
  }
  const Header header = kHeaderRecord.read(bytes);
  const bool has_letters = header.magic.raw == kMagic;
  const bool count_is_sound = header.entry_count_copy == header.entry_count;
  return (has_letters && (header.reserved == 0 || header.version == kVersion)) ||
         (header.reserved == 0 && header.version == kVersion && count_is_sound && header.presorted_flag == kPresorted);
}

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Archive archive, Archive::parse(bytes, context, findings));
  return std::make_unique<Archive>(std::move(archive));
}

Result<std::unique_ptr<Editor>> edit_document(const Document& document) {
  return edit(static_cast<const Archive&>(document));
}

constexpr Format kFormat{.id = "rsli",
                         .title = "RsLi archive",
                         .documentation = "docs/formats/rsli.md",
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

}  // namespace assay::rsli
