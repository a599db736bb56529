#include <algorithm>
#include <limits>

#include "parsers/formats/msh/checks.h"
#include "parsers/formats/plain_document.h"

namespace assay::msh {
namespace {

constexpr std::uint64_t kHallNodeBytes = kHallNodeRecord.size_bytes;
constexpr std::uint64_t kHallLinkBytes = kHallLinkRecord.size_bytes;

}  // namespace

// Runs the checks in the order of docs/formats/msh.md and fills in the model.
class Parser {
 public:
  Parser(nres::Archive archive, const ParseContext& context, Findings& findings)
      : context_(context), model_(std::move(archive)), reporter_(context.origin, findings) {}

  Result<Model> run() {
    ASSAY_TRY(refuse_damaged_entries());
    ASSAY_TRY(find_streams());
    for (const StreamRow& row : stream_rows()) {
      if (model_.has(row.type)) {
        ASSAY_TRY(read_stream(row));
      }
    }
    keep_other_streams();
    ASSAY_TRY(check_counts(model_, reporter_));
    ASSAY_TRY(check_nodes(model_, reporter_));
    ASSAY_TRY(check_slots(model_, reporter_));
    ASSAY_TRY(check_batches(model_, reporter_));
    check_positions(model_, reporter_);
    check_triangles(model_, reporter_);
    ASSAY_TRY(check_keys(model_, reporter_));
    check_hall(model_, reporter_);
    check_shared_vertices(model_, reporter_);
    return std::move(model_);
  }

 private:
  [[nodiscard]] std::span<const nres::Entry> entries() const { return model_.archive_.entries(); }
  [[nodiscard]] Streams& streams() { return model_.streams_; }
  [[nodiscard]] std::size_t entry_index(StreamType type) const { return *model_.entry_of(type); }
  [[nodiscard]] const nres::Entry& entry(StreamType type) const { return entries()[entry_index(type)]; }

  [[nodiscard]] RecordCursor cursor_over(StreamType type) {
    return {model_.archive_.payload(entry_index(type)), context_.origin, model_.stream_map_, entry(type).data_offset};
  }

  // An archive goes on without an entry that it cannot read; a model cannot.
  Result<void> refuse_damaged_entries() const {
    for (std::size_t index = 0; index < entries().size(); ++index) {
      if (const Diagnostic* error = model_.archive_.entry_error(index)) {
        return fail(*error);
      }
    }
    return {};
  }

  Result<void> find_streams() {
    const auto rows = stream_rows();
    std::array<std::optional<std::size_t>, 16> repeated{};
    for (std::size_t index = 0; index < entries().size(); ++index) {
      if (const StreamRow* row = find_stream_row(entries()[index].type_id)) {
        const auto position = static_cast<std::size_t>(row - rows.data());
        if (!model_.entries_[position]) {
          model_.entries_[position] = index;
        } else if (!repeated[position]) {
          repeated[position] = index;
        }
      }
    }
    for (std::size_t position = 0; position < rows.size(); ++position) {
      if (rows[position].is_required && !model_.entries_[position]) {
        return fail(missing(rows[position].type));
      }
      if (repeated[position]) {
        ASSAY_TRY(reporter_.report(rows[position].is_required ? Severity::kError : Severity::kStrict,
                                   twice(rows[position].type, *repeated[position])));
      }
    }
    note_order();
    return {};
  }

  [[nodiscard]] Diagnostic missing(StreamType type) const {
    return reporter_.at(Code::kMissingStream, {model_.archive_.directory_offset(), FieldPath("stream", number(type))});
  }

  [[nodiscard]] Diagnostic twice(StreamType type, std::size_t index) const {
    return reporter_.at_entry(Code::kDuplicateStream, model_.archive_, index, &nres::Entry::type_id,
                              Datum::words("a type that is not there before"), Datum::number(number(type)));
  }

  static std::uint32_t number(StreamType type) { return static_cast<std::uint32_t>(type); }

  void note_order() const {
    std::vector<std::uint32_t> type_ids;
    type_ids.reserve(entries().size());
    for (const nres::Entry& row : entries()) {
      type_ids.push_back(row.type_id);
    }
    if (!is_known_order(type_ids)) {
      reporter_.note(reporter_.at(Code::kUnusualStreams, {model_.archive_.directory_offset(), "stream"}, {},
                                  Datum::number(type_ids.size())));
    }
  }

  // Its record size, its framing, then the count in its row.
  Result<void> read_stream(const StreamRow& row) {
    ASSAY_TRY(check_stride(row));
    switch (row.type) {
      case StreamType::kNodes: return read_nodes(row);
      case StreamType::kSlots: return read_slots(row);
      case StreamType::kPositions: return read_records(row, streams().positions, Severity::kError);
      case StreamType::kNormals: return read_records(row, streams().normals, Severity::kStrict);
      case StreamType::kUv0: return read_records(row, streams().uv0, Severity::kStrict);
      case StreamType::kIndices: return read_records(row, streams().indices, Severity::kError);
      case StreamType::kTriangles: return read_records(row, streams().triangles, Severity::kError);
      case StreamType::kKeys: return read_records(row, streams().keys, Severity::kError);
      case StreamType::kNodeNames: return read_records(row, streams().node_names, Severity::kNote);
      case StreamType::kLabels: return read_labels(row);
      case StreamType::kBatches: return read_records(row, streams().batches, Severity::kError);
      case StreamType::kAuxiliary: return read_records(row, streams().auxiliary, Severity::kStrict);
      case StreamType::kHall: return read_hall();
      case StreamType::kUv1: return read_records(row, streams().uv1, Severity::kError);
      case StreamType::kFrameMap:
        streams().frame_count = entry(row.type).attr2;
        return read_records(row, streams().frame_map, Severity::kError);
      case StreamType::kProbes: return read_records(row, streams().probes, Severity::kStrict);
    }
    return {};
  }

  Result<void> check_stride(const StreamRow& row) const {
    const std::uint32_t stored = entry(row.type).attr3;
    const auto diagnostic = [&](Datum expected) {
      return reporter_.at_row(Code::kInvalidStride, model_, row.type, &nres::Entry::attr3, expected,
                              Datum::number(stored));
    };
    if (row.type == StreamType::kNodes && stored != kNodeBytes && stored != kOtherNodeBytes) {
      return fail(diagnostic(Datum::words("38 or 24")));
    }
    if (row.stride != 0 && stored != row.stride) {
      return reporter_.report(row.stride_severity, diagnostic(Datum::number(row.stride)));
    }
    return {};
  }

  // `count` is how many records the payload holds.
  Result<void> check_count(const StreamRow& row, std::uint64_t count) const {
    const std::uint32_t stored = entry(row.type).attr1;
    if (stored == count) {
      return {};
    }
    return reporter_.report(row.count_severity,
                            reporter_.at_row(Code::kAttributeMismatch, model_, row.type, &nres::Entry::attr1,
                                             Datum::number(count), Datum::number(stored)));
  }

  [[nodiscard]] Diagnostic wrong_size(StreamType type, Datum expected) const {
    return reporter_.at_row(Code::kSizeMismatch, model_, type, &nres::Entry::size, expected,
                            Datum::number(entry(type).size));
  }

  template <const auto& Table>
  Result<void> read_records(const StreamRow& row, Records<Table>& records, Severity partial) {
    RecordCursor cursor = cursor_over(row.type);
    if (cursor.remaining() % Table.size_bytes != 0) {
      ASSAY_TRY(reporter_.report(partial, wrong_size(row.type, Datum::multiple_of(Table.size_bytes))));
      ASSAY_TRY(cursor.read_opaque(Table.name, cursor.remaining()));
      return {};
    }
    ASSAY_TRY_ASSIGN(records, cursor.read_array<Table>(Table.name, cursor.remaining() / Table.size_bytes));
    return check_count(row, records.size());
  }

  Result<void> read_nodes(const StreamRow& row) {
    const nres::Entry& stored = entry(row.type);
    streams().node_record_bytes = stored.attr3;
    streams().node_count = stored.size / stored.attr3;
    if (stored.attr3 == kNodeBytes) {
      return read_records(row, streams().nodes, Severity::kError);
    }
    if (stored.size % stored.attr3 != 0) {
      return fail(wrong_size(row.type, Datum::multiple_of(stored.attr3)));
    }
    reporter_.note(reporter_.at_row(Code::kUnsupportedVariant, model_, row.type, &nres::Entry::attr3,
                                    Datum::number(kNodeBytes), Datum::number(stored.attr3)));
    RecordCursor cursor = cursor_over(row.type);
    ASSAY_TRY(cursor.read_opaque("node", cursor.remaining()));
    return check_count(row, streams().node_count);
  }

  Result<void> read_slots(const StreamRow& row) {
    RecordCursor cursor = cursor_over(row.type);
    if (cursor.remaining() < kSlotHeaderRecord.size_bytes) {
      return fail(wrong_size(row.type, Datum::at_least(kSlotHeaderRecord.size_bytes)));
    }
    if ((cursor.remaining() - kSlotHeaderRecord.size_bytes) % kSlotRecord.size_bytes != 0) {
      return fail(wrong_size(row.type, Datum::words("140 + 68 n bytes")));
    }
    ASSAY_TRY_ASSIGN(streams().slot_header, cursor.read<kSlotHeaderRecord>(kSlotHeaderRecord.name));
    ASSAY_TRY_ASSIGN(streams().slots,
                     cursor.read_array<kSlotRecord>(kSlotRecord.name, cursor.remaining() / kSlotRecord.size_bytes));
    return check_count(row, streams().slots.size());
  }

  // One string a node, then nothing.
  Result<void> read_labels(const StreamRow& row) {
    RecordCursor cursor = cursor_over(row.type);
    // A string takes four bytes at least, so that a count that cannot be right reserves nothing.
    streams().labels.reserve(std::min<std::size_t>(streams().node_count, cursor.remaining() / sizeof(std::uint32_t)));
    for (std::size_t node = 0; node < streams().node_count; ++node) {
      const FieldPath path(kLabelRecord.name, node);
      const std::uint64_t start = cursor.offset();
      const Bytes rest = cursor.rest();
      ASSAY_TRY_ASSIGN(const Bytes text,
                       cursor.read_text<kLabelRecord>(path, std::numeric_limits<std::uint32_t>::max()));
      streams().labels.push_back(text);
      if (!text.empty() && rest[static_cast<std::size_t>(cursor.offset() - start) - 1] != 0) {
        reporter_.strict(reporter_.at(Code::kMissingTerminator, {start, path.then(kLabelRecord.infos[0].name)}));
      }
    }
    if (!cursor.at_end()) {
      reporter_.strict(cursor.diagnostic(Code::kTrailingBytes, cursor.offset(), "label_tail", Datum::number(0),
                                         Datum::number(cursor.remaining())));
      ASSAY_TRY(cursor.read_opaque("label_tail", cursor.remaining()));
    }
    return check_count(row, streams().node_count);
  }

  // Both counts stand in the row alone.
  Result<void> read_hall() {
    const nres::Entry& stored = entry(StreamType::kHall);
    RecordCursor cursor = cursor_over(StreamType::kHall);
    const std::uint64_t size = kHallNodeBytes * stored.attr1 + kHallLinkBytes * stored.attr2;
    if (size != stored.size) {
      reporter_.strict(wrong_size(StreamType::kHall, Datum::number(size)));
      ASSAY_TRY(cursor.read_opaque("hall", cursor.remaining()));
      return {};
    }
    ASSAY_TRY_ASSIGN(streams().hall_nodes, cursor.read_array<kHallNodeRecord>(kHallNodeRecord.name, stored.attr1));
    ASSAY_TRY_ASSIGN(streams().hall_links, cursor.read_array<kHallLinkRecord>(kHallLinkRecord.name, stored.attr2));
    return {};
  }

  // Streams of unknown types, and those whose type was there before.
  void keep_other_streams() {
    for (std::size_t index = 0; index < entries().size(); ++index) {
      const StreamRow* row = find_stream_row(entries()[index].type_id);
      if (row == nullptr || model_.entry_of(row->type) != index) {
        const Bytes payload = model_.archive_.payload(index);
        model_.stream_map_.add_opaque(entries()[index].data_offset, FieldPath("entry", index).then("payload"), payload);
      }
    }
  }

  const ParseContext& context_;
  Model model_;
  Reporter reporter_;
};

Result<Model> Model::parse(Bytes image, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(nres::Archive archive, nres::Archive::parse(image, context, findings));
  return Parser(std::move(archive), context, findings).run();
}

}  // namespace assay::msh
