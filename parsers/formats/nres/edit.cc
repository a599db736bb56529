#include <algorithm>
#include <limits>

#include "parsers/base/byte_writer.h"
#include "parsers/formats/field_edit.h"
#include "parsers/formats/nres/nres.h"

namespace assay::nres {
namespace {

constexpr std::uint64_t kMaxFileBytes = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kNotInOriginal = static_cast<std::size_t>(-1);

// One entry as it stands after the edits so far.
struct Row {
  Entry entry;
  // Its index in the original directory, or kNotInOriginal.
  std::size_t original = kNotInOriginal;
  Bytes payload{};
  bool is_replaced = false;
};

// A run of the old data region in physical order: a payload or preserved bytes.
struct Segment {
  ByteRange old_range;
  ByteKind kind = ByteKind::kPayload;
  // For payloads: the original entry.
  std::size_t original = kNotInOriginal;
  // Where it went, filled in while the new file is written.
  ByteRange new_range{};
};

// Writes the data region again around changed payloads. Gaps and unindexed runs are copied where they were; padding is
// derived anew; a payload that was aligned stays aligned.
class Relayout {
 public:
  Relayout(const Archive& archive, Bytes image, std::span<const Row> rows)
      : archive_(archive), image_(image), rows_(rows), row_of_original_(archive.entries().size(), kNotInOriginal) {
    for (std::size_t index = 0; index < rows.size(); ++index) {
      if (rows[index].original != kNotInOriginal) {
        row_of_original_[rows[index].original] = index;
      }
    }
    collect_segments();
  }

  Result<Buffer> run(bool recompute_sort_map) {
    writer_.write_zeros(kHeaderRecord.size_bytes);
    std::vector<Entry> entries(rows_.size());
    for (std::size_t index = 0; index < rows_.size(); ++index) {
      entries[index] = rows_[index].entry;
      entries[index].size = static_cast<std::uint32_t>(rows_[index].payload.size());
    }
    std::vector<bool> placed(rows_.size());
    for (Segment& segment : segments_) {
      ASSAY_TRY(write_segment(segment, entries, placed));
    }
    ASSAY_TRY(append_new_payloads(entries, placed));
    if (archive_.directory_offset() % kAlignment == 0) {
      writer_.align(kAlignment);
    }
    place_empty_entries(entries, placed);
    ASSAY_TRY(check_room(std::uint64_t{rows_.size()} * kEntryRecord.size_bytes));
    write_directory(entries, recompute_sort_map, writer_);
    return std::move(writer_).take();
  }

 private:
  void collect_segments() {
    for (const Region& region : archive_.regions()) {
      segments_.push_back({{region.offset, region.offset + region.size}, region.kind});
    }
    for (std::size_t index = 0; index < archive_.entries().size(); ++index) {
      const Entry& entry = archive_.entries()[index];
      if (entry.size != 0) {
        segments_.push_back(
            {{entry.data_offset, std::uint64_t{entry.data_offset} + entry.size}, ByteKind::kPayload, index});
      }
    }
    std::sort(segments_.begin(), segments_.end(),
              [](const Segment& left, const Segment& right) { return left.old_range < right.old_range; });
  }

  Result<void> check_room(std::uint64_t more_bytes) const {
    const std::uint64_t total = writer_.position() + more_bytes;
    if (total > kMaxFileBytes) {
      return fail({.code = Code::kIntegerOverflow,
                   .field = FieldPath("header").then("total_size"),
                   .expected = Datum::at_most(kMaxFileBytes),
                   .got = Datum::number(total)});
    }
    return {};
  }

  Result<void> write_segment(Segment& segment, std::vector<Entry>& entries, std::vector<bool>& placed) {
    if (segment.kind == ByteKind::kPayload) {
      return write_payload(segment, entries, placed);
    }
    const std::uint64_t start = writer_.position();
    if (segment.kind == ByteKind::kPadding) {
      // Derived: the next payload or the directory aligns itself.
      segment.new_range = {start, (start + kAlignment - 1) / kAlignment * kAlignment};
      return {};
    }
    const std::uint64_t size = segment.old_range.end - segment.old_range.start;
    ASSAY_TRY(check_room(size));
    writer_.write_bytes(
        image_.subspan(static_cast<std::size_t>(segment.old_range.start), static_cast<std::size_t>(size)));
    segment.new_range = {start, writer_.position()};
    return {};
  }

  Result<void> write_payload(Segment& segment, std::vector<Entry>& entries, std::vector<bool>& placed) {
    const std::size_t row = row_of_original_[segment.original];
    if (row == kNotInOriginal) {
      segment.new_range = {writer_.position(), writer_.position()};
      return {};
    }
    if (segment.old_range.start % kAlignment == 0) {
      writer_.align(kAlignment);
    }
    ASSAY_TRY(check_room(rows_[row].payload.size()));
    const std::uint64_t start = writer_.position();
    writer_.write_bytes(rows_[row].payload);
    segment.new_range = {start, writer_.position()};
    entries[row].data_offset = static_cast<std::uint32_t>(start);
    placed[row] = true;
    return {};
  }

  // Added entries, and entries that were empty and now have a payload, go behind everything else.
  Result<void> append_new_payloads(std::vector<Entry>& entries, std::vector<bool>& placed) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (placed[row] || (rows_[row].payload.empty() && rows_[row].original != kNotInOriginal)) {
        continue;
      }
      writer_.align(kAlignment);
      ASSAY_TRY(check_room(rows_[row].payload.size()));
      entries[row].data_offset = static_cast<std::uint32_t>(writer_.position());
      writer_.write_bytes(rows_[row].payload);
      placed[row] = true;
    }
    return {};
  }

  // An entry without bytes keeps its place relative to the run that it pointed into.
  void place_empty_entries(std::vector<Entry>& entries, const std::vector<bool>& placed) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (!placed[row]) {
        entries[row].data_offset = static_cast<std::uint32_t>(moved(entries[row].data_offset));
      }
    }
  }

  std::uint64_t moved(std::uint64_t old_offset) const {
    const auto after =
        std::upper_bound(segments_.begin(), segments_.end(), old_offset,
                         [](std::uint64_t offset, const Segment& segment) { return offset < segment.old_range.start; });
    if (old_offset >= archive_.directory_offset() || after == segments_.begin()) {
      return old_offset >= archive_.directory_offset() ? writer_.position() : old_offset;
    }
    const Segment& segment = *std::prev(after);
    // Padding at the end may be gone, so the end of the data bounds it, too.
    return std::min({segment.new_range.start + (old_offset - segment.old_range.start), segment.new_range.end,
                     std::uint64_t{writer_.position()}});
  }

  const Archive& archive_;
  Bytes image_;
  std::span<const Row> rows_;
  std::vector<std::size_t> row_of_original_;
  std::vector<Segment> segments_;
  ByteWriter writer_;
};

class NresEditor final : public Editor {
 public:
  explicit NresEditor(const Archive& archive) : archive_(archive), image_(archive.image()) {
    rows_.reserve(archive.entries().size());
    for (std::size_t index = 0; index < archive.entries().size(); ++index) {
      rows_.push_back({archive.entries()[index], index, archive.payload(index)});
    }
  }

  std::size_t entry_count() const override { return rows_.size(); }
  ItemHints entry_hints(std::size_t index) const override {
    const Entry& entry = rows_[index].entry;
    return {
        .name = entry.name.text(), .type_tag = entry.type_id, .attributes = {{entry.attr1, entry.attr2, entry.attr3}}};
  }

  std::optional<std::size_t> original_of(std::size_t index) const override {
    const Row& row = rows_[index];
    return row.is_replaced || row.original == kNotInOriginal ? std::nullopt : std::optional(row.original);
  }

  Result<Bytes> payload(std::size_t index, DecodeScratch& /*scratch*/) const override {
    const std::size_t original = rows_[index].original;
    if (!rows_[index].is_replaced && original != kNotInOriginal && archive_.entry_error(original) != nullptr) {
      return fail(*archive_.entry_error(original));
    }
    return rows_[index].payload;
  }

  Result<void> replace(std::size_t index, Bytes payload) override {
    rows_[index].payload = payload;
    rows_[index].is_replaced = true;
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
    if (options.method != "stored") {
      return fail({.code = Code::kUnsupportedMethod, .field = path, .expected = Datum::words("stored")});
    }
    if (rows_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      return fail({.code = Code::kInvalidEntryCount, .field = path});
    }
    Row row{.entry = {}, .payload = payload};
    ASSAY_TRY(check_entry_name(name, rows_.size(), kMaxNameBytes));
    row.entry.name = decltype(Entry::name)::from_text(name);
    rows_.push_back(row);
    return {};
  }

  Result<void> remove(std::size_t index) override {
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(index));
    return {};
  }

  Result<void> set_field(std::optional<std::size_t> index, std::string_view field_name,
                         std::string_view value) override {
    const RecordInfo& record = index ? kInfoOf<kEntryRecord> : kInfoOf<kHeaderRecord>;
    const FieldPath path = index ? FieldPath("entry", *index) : FieldPath("header");
    ASSAY_TRY_ASSIGN(const FieldInfo* info, settable_field(record, path, field_name));
    // Every header field is derived, so what is left is a row.
    Buffer raw(record.size_bytes);
    kEntryRecord.write(rows_[*index].entry, raw);
    ASSAY_TRY(set_field_text(*info, path, value, raw));
    const Entry changed = kEntryRecord.read(raw);
    if (info->type == FieldType::kText) {
      ASSAY_TRY(check_entry_name(changed.name.text(), *index, kMaxNameBytes));
    }
    rows_[*index].entry = changed;
    return {};
  }

  void sync_header() override {}

  Result<Buffer> build() const override {
    if (layout_changed()) {
      ASSAY_TRY(check_rebuildable());
      return Relayout(archive_, image_, rows_).run(names_changed());
    }
    return rewrite_in_place();
  }

  std::vector<std::string> notes() const override { return {}; }

 private:
  // Whether entries were added or removed.
  bool has_other_rows() const {
    bool differs = rows_.size() != archive_.entries().size();
    for (std::size_t index = 0; index < rows_.size() && !differs; ++index) {
      differs = rows_[index].original != index;
    }
    return differs;
  }

  bool names_changed() const {
    bool differs = has_other_rows();
    for (std::size_t index = 0; index < rows_.size() && !differs; ++index) {
      differs = !equal_bytes(rows_[index].entry.name.text(), archive_.entries()[index].name.text());
    }
    return differs;
  }

  // A payload of the old size takes the old one's place, unless others share its bytes.
  bool layout_changed() const {
    bool changes = has_other_rows();
    for (std::size_t index = 0; index < rows_.size() && !changes; ++index) {
      const bool fits = !archive_.has_overlap() && archive_.entry_error(index) == nullptr &&
                        rows_[index].payload.size() == archive_.entries()[index].size;
      changes = rows_[index].is_replaced && !fits;
    }
    return changes;
  }

  Buffer rewrite_in_place() const {
    Buffer image = archive_.write();
    std::vector<Entry> entries;
    entries.reserve(rows_.size());
    for (const Row& row : rows_) {
      entries.push_back(row.entry);
      if (row.is_replaced) {
        std::ranges::copy(row.payload, image.begin() + static_cast<std::ptrdiff_t>(row.entry.data_offset));
      }
    }
    const bool renews_map = names_changed();
    const std::vector<std::uint32_t> order = renews_map ? sort_map(entries) : std::vector<std::uint32_t>{};
    for (std::size_t index = 0; index < entries.size(); ++index) {
      if (renews_map) {
        entries[index].sort_index = order[index];
      }
      const std::uint64_t row_offset = archive_.directory_offset() + index * kEntryRecord.size_bytes;
      kEntryRecord.write(entries[index], MutableBytes(image).subspan(static_cast<std::size_t>(row_offset)));
    }
    return image;
  }

  // Moving payloads is only safe when it is known which bytes belong to whom.
  Result<void> check_rebuildable() const {
    ASSAY_TRY(archive_.entry_errors().require_none());
    if (archive_.has_overlap()) {
      return fail({.code = Code::kNotEditable, .field = "file", .got = Datum::words("payloads that share bytes")});
    }
    return {};
  }

  const Archive& archive_;
  Bytes image_;
  std::vector<Row> rows_;
};

}  // namespace

std::unique_ptr<Editor> edit(const Archive& archive) {
  return std::make_unique<NresEditor>(archive);
}

}  // namespace assay::nres
