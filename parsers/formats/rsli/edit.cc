#include <algorithm>
#include <limits>

#include "parsers/codecs/xor_stream/xor_stream.h"
#include "parsers/formats/field_edit.h"
#include "parsers/formats/rsli/layout.h"
#include "parsers/formats/rsli/rsli.h"

namespace assay::rsli {
namespace {

constexpr std::size_t kNotInOriginal = LayoutRow::kNotInOriginal;

// One row as it stands after the edits so far.
struct Row {
  Entry entry;
  std::size_t original = kNotInOriginal;
  // Set once the payload was replaced: the plain payload, and its packed bytes before the key transform.
  std::optional<Bytes> payload{};
  Buffer packed{};
};

class RsliEditor final : public Editor {
 public:
  explicit RsliEditor(const Archive& archive) : archive_(archive), header_(archive.header()) {
    for (std::size_t index = 0; index < archive.entries().size(); ++index) {
      rows_.push_back({.entry = archive.entries()[index], .original = index});
    }
  }

  std::size_t entry_count() const override { return rows_.size(); }
  ItemHints entry_hints(std::size_t index) const override { return {.name = rows_[index].entry.name.text()}; }

  std::optional<std::size_t> original_of(std::size_t index) const override {
    const Row& row = rows_[index];
    return row.payload || row.original == kNotInOriginal ? std::nullopt : std::optional(row.original);
  }

  Result<Bytes> payload(std::size_t index, DecodeScratch& scratch) const override {
    const Row& row = rows_[index];
    if (row.payload) {
      return *row.payload;
    }
    Findings ignored;
    return archive_.load(row.original, scratch, ignored);
  }

  Result<void> replace(std::size_t index, Bytes payload) override {
    Row& row = rows_[index];
    const auto method = method_of(row.entry.flags);
    const FieldPath path("entry", index);
    if (!method) {
      return fail({.code = Code::kUnsupportedMethod,
                   .field = path.then("flags"),
                   .got = Datum::hex(row.entry.flags & kMethodMask)});
    }
    ASSAY_TRY(check_payload_size(path, payload));
    // Packing the same payload anew would change bytes that nobody asked to change.
    if (is_payload(index, payload)) {
      return {};
    }
    row.payload = payload;
    row.packed = pack(*method, payload, kDefaultLevel);
    row.entry.unpacked_size = static_cast<std::uint32_t>(payload.size());
    row.entry.packed_size = static_cast<std::uint32_t>(row.packed.size());
    return {};
  }

  // A name that stays the same keeps its tail, too.
  Result<void> rename(std::size_t index, Bytes name) override {
    ASSAY_TRY(check_entry_name(name, index, kMaxNameBytes));
    if (!equal_bytes(name, entry_name(index))) {
      rows_[index].entry.name = decltype(Entry::name)::from_text(name);
    }
    return {};
  }

  Result<void> add(Bytes name, Bytes payload, const AddOptions& options) override {
    const FieldPath path("entry", rows_.size());
    const auto method = find_method(options.method);
    if (!method) {
      return fail({.code = Code::kUnsupportedMethod, .field = path.then("flags")});
    }
    if (rows_.size() >= kMaxEntryCount) {
      return fail({.code = Code::kInvalidEntryCount,
                   .field = FieldPath("header").then("entry_count"),
                   .expected = Datum::at_most(kMaxEntryCount)});
    }
    ASSAY_TRY(check_payload_size(path, payload));
    Row row{.entry = {.flags = static_cast<std::uint16_t>(*method)}};
    ASSAY_TRY(check_entry_name(name, rows_.size(), kMaxNameBytes));
    row.entry.name = decltype(Entry::name)::from_text(name);
    rows_.push_back(std::move(row));
    return replace(rows_.size() - 1, payload);
  }

  Result<void> remove(std::size_t index) override {
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(index));
    return {};
  }

  Result<void> set_field(std::optional<std::size_t> index, std::string_view field_name,
                         std::string_view value) override {
    return index ? set_row_field(*index, field_name, value) : set_header_field(field_name, value);
  }

  void sync_header() override { sync_header_ = true; }

  Result<Buffer> build() const override {
    std::vector<LayoutRow> rows;
    rows.reserve(rows_.size());
    for (const Row& row : rows_) {
      rows.push_back({.entry = row.entry, .original = row.original});
    }
    const std::vector<std::uint16_t> keys = update_map(rows);
    std::vector<Buffer> stored(rows_.size());
    bool moves_bytes = has_other_rows() || cut_row_is_renamed();
    const std::vector<bool> shares = rows_that_share(archive_);
    for (std::size_t index = 0; index < rows_.size(); ++index) {
      if (keeps_bytes(index, keys[index])) {
        continue;
      }
      ASSAY_TRY_ASSIGN(stored[index], stored_bytes(index, keys[index]));
      rows[index].keeps_bytes = false;
      rows[index].stored = stored[index];
      moves_bytes = moves_bytes || shares[index] || !fits_in_place(index, stored[index].size());
    }
    return moves_bytes ? lay_out(archive_, new_header(), rows) : rewrite_table(rows);
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    const bool is_synced = sync_header_;
    if (!is_synced && count_was_in_step() && header_.entry_count_copy != rows_.size()) {
      notes.emplace_back(
          "header.entry_count_copy was equal to the entry count and no longer is; --sync-header updates it");
    }
    if (!is_synced && total_was_in_step() && header_.unpacked_total != unpacked_total()) {
      notes.emplace_back(
          "header.unpacked_total was the sum of the unpacked sizes and no longer is; --sync-header updates it");
    }
    for (const Row& row : rows_) {
      const Bytes name = row.entry.name.text();
      const bool is_new_name =
          row.original == kNotInOriginal || row.entry.name.raw != archive_.entries()[row.original].name.raw;
      if (is_new_name &&
          std::any_of(name.begin(), name.end(), [](std::uint8_t byte) { return ascii_upper(byte) != byte; })) {
        notes.push_back(
            "name '" + std::string(as_text(name)) +
            "' has lower-case letters; the engine folds what it looks for to upper case and will not find it");
      }
    }
    return notes;
  }

 private:
  bool is_payload(std::size_t index, Bytes bytes) const {
    if (!rows_[index].payload && rows_[index].original == kNotInOriginal) {
      return false;
    }
    DecodeScratch scratch;
    const auto now = payload(index, scratch);
    return now && equal_bytes(*now, bytes);
  }

  static Result<void> check_payload_size(const FieldPath& path, Bytes payload) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max() / 2;
    if (payload.size() > kMost) {
      return fail({.code = Code::kIntegerOverflow,
                   .field = path.then("unpacked_size"),
                   .expected = Datum::at_most(kMost),
                   .got = Datum::number(payload.size())});
    }
    return {};
  }

  Result<void> set_row_field(std::size_t index, std::string_view field_name, std::string_view value) {
    const RecordInfo& record = kInfoOf<kEntryRecord>;
    const FieldPath path("entry", index);
    ASSAY_TRY_ASSIGN(const FieldInfo* info, settable_field(record, path, field_name));
    Buffer raw(record.size_bytes);
    kEntryRecord.write(rows_[index].entry, raw);
    ASSAY_TRY(set_field_text(*info, path, value, raw));
    const Entry changed = kEntryRecord.read(raw);
    if ((changed.flags & kMethodMask) != (rows_[index].entry.flags & kMethodMask)) {
      return fail(
          {.code = Code::kDerivedField,
           .field = path.then(info->name),
           .got = Datum::words("its method bits say how the payload is packed; remove the entry and add it anew")});
    }
    ASSAY_TRY(check_entry_name(changed.name.text(), index, kMaxNameBytes));
    rows_[index].entry = changed;
    return {};
  }

  Result<void> set_header_field(std::string_view field_name, std::string_view value) {
    const RecordInfo& record = kInfoOf<kHeaderRecord>;
    const FieldPath path("header");
    ASSAY_TRY_ASSIGN(const FieldInfo* info, settable_field(record, path, field_name));
    Buffer raw(record.size_bytes);
    kHeaderRecord.write(header_, raw);
    ASSAY_TRY(set_field_text(*info, path, value, raw));
    header_ = kHeaderRecord.read(raw);
    return {};
  }

  bool is_presorted() const { return header_.presorted_flag == kPresorted; }

  // Whether rows were added or removed.
  bool has_other_rows() const {
    bool differs = rows_.size() != archive_.entries().size();
    for (std::size_t index = 0; index < rows_.size() && !differs; ++index) {
      differs = rows_[index].original != index;
    }
    return differs;
  }

  // Requires: !has_other_rows().
  bool is_renamed(std::size_t index) const {
    return !equal_bytes(rows_[index].entry.name.text(), archive_.entries()[index].name.text());
  }

  bool names_changed() const {
    bool differs = has_other_rows();
    for (std::size_t index = 0; index < rows_.size() && !differs; ++index) {
      differs = is_renamed(index);
    }
    return differs;
  }

  // Under another name rule deflate_eof_plus_one does not read the row. Requires: !has_other_rows().
  bool cut_row_is_renamed() const {
    return !rows_.empty() && archive_.is_cut_by_rule(rows_.size() - 1) && is_renamed(rows_.size() - 1);
  }

  // Whether `size` new bytes take exactly the place of the row's old ones. Requires: !has_other_rows().
  bool fits_in_place(std::size_t index, std::size_t size) const {
    const auto& range = archive_.packed_range(index);
    return range && range->available_bytes == size && !archive_.is_cut_by_rule(index) &&
           (size == 0 || (range->offset >= archive_.table_end() && range->offset + size <= archive_.data_end()));
  }

  // Writes the map into the rows where names or their number changed or the map comes into use, and gives every row's
  // key.
  std::vector<std::uint16_t> update_map(std::vector<LayoutRow>& rows) const {
    std::vector<Entry> entries;
    entries.reserve(rows.size());
    for (const LayoutRow& row : rows) {
      entries.push_back(row.entry);
    }
    const std::vector<std::uint16_t> map = sort_map(entries);
    std::vector<std::uint16_t> keys(rows.size());
    const bool renews_map = is_presorted() && (names_changed() || !archive_.is_presorted());
    for (std::size_t index = 0; index < rows.size(); ++index) {
      const bool is_new = rows[index].original == kNotInOriginal;
      if (is_new || renews_map) {
        rows[index].entry.sort_to_original = static_cast<std::int16_t>(map[index]);
      }
      keys[index] = is_presorted() ? static_cast<std::uint16_t>(rows[index].entry.sort_to_original) : map[index];
    }
    return keys;
  }

  // Whether the stored bytes of a row can stay: not replaced, and not transformed with another key than before.
  bool keeps_bytes(std::size_t index, std::uint16_t key) const {
    const Row& row = rows_[index];
    if (row.payload) {
      return false;
    }
    const auto method = method_of(row.entry.flags);
    return !method || !uses_key(*method) || key == archive_.key(row.original);
  }

  Result<Buffer> stored_bytes(std::size_t index, std::uint16_t key) const {
    const Row& row = rows_[index];
    const auto method = method_of(row.entry.flags);
    if (!row.payload && !archive_.packed_range(row.original)) {
      return fail({.code = Code::kNotEditable,
                   .field = FieldPath("entry", index),
                   .got = Datum::words("a transformed payload out of bounds whose key would change")});
    }
    Buffer packed = row.packed;
    if (!row.payload) {
      Buffer holder;
      const Bytes plain = packed_before_transform(archive_, row.original, holder);
      packed.assign(plain.begin(), plain.end());
    }
    if (uses_key(*method)) {
      xor_stream::apply(key, packed, packed);
    }
    return packed;
  }

  bool count_was_in_step() const {
    return archive_.header().entry_count_copy == static_cast<std::uint16_t>(archive_.header().entry_count);
  }

  bool total_was_in_step() const {
    std::uint64_t total = 0;
    for (const Entry& entry : archive_.entries()) {
      total += entry.unpacked_size;
    }
    return archive_.header().unpacked_total == total;
  }

  std::uint64_t unpacked_total() const {
    std::uint64_t total = 0;
    for (const Row& row : rows_) {
      total += row.entry.unpacked_size;
    }
    return total;
  }

  Header new_header() const {
    Header header = header_;
    if (sync_header_ && count_was_in_step()) {
      header.entry_count_copy = static_cast<std::uint16_t>(rows_.size());
    }
    if (sync_header_ && total_was_in_step()) {
      header.unpacked_total = static_cast<std::uint32_t>(unpacked_total());
    }
    return header;
  }

  // No payload moves: what is behind the table stays but for payloads of the same size.
  Buffer rewrite_table(std::span<const LayoutRow> rows) const {
    std::vector<Entry> entries;
    entries.reserve(rows.size());
    for (const LayoutRow& row : rows) {
      entries.push_back(row.entry);
    }
    ByteWriter writer(archive_.image().size());
    write_table(new_header(), entries, writer);
    writer.write_bytes(archive_.image().subspan(static_cast<std::size_t>(archive_.table_end())));
    // Bytes that stay are read as before, also where the reader was told to see no trailer in them.
    const std::size_t last_bytes = archive_.image().size() - kTrailerRecord.size_bytes;
    bool are_last_bytes_new = false;
    for (std::size_t index = 0; index < rows.size(); ++index) {
      if (!rows[index].keeps_bytes && !rows[index].stored.empty()) {
        const auto offset = static_cast<std::size_t>(archive_.packed_range(index)->offset);
        std::ranges::copy(rows[index].stored, writer.written(offset, rows[index].stored.size()).begin());
        are_last_bytes_new = are_last_bytes_new || offset + rows[index].stored.size() > last_bytes;
      }
    }
    Buffer image = std::move(writer).take();
    if (are_last_bytes_new && !archive_.trailer()) {
      shield_last_bytes(archive_.table_end(), image);
    }
    return image;
  }

  const Archive& archive_;
  Header header_;
  std::vector<Row> rows_;
  bool sync_header_ = false;
};

}  // namespace

std::unique_ptr<Editor> edit(const Archive& archive) {
  return std::make_unique<RsliEditor>(archive);
}

}  // namespace assay::rsli
