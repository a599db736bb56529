#include "parsers/formats/ani/ani.h"

namespace assay::ani {
namespace {

bool has_magic(Bytes bytes) {
  if (bytes.size() < kFileHeaderRecord.size_bytes) {
    return false;
  }
  const FileHeader header = kFileHeaderRecord.read(bytes);
  return header.magic == kRiff && header.form == kForm;
}

}  // namespace

// Runs the checks in the order of docs/formats/ani.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_) {}

  Result<Animation> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (!has_magic(image_)) {
      ASSAY_TRY(cursor_.read_opaque("content", image_.size()));
      return finish(false);
    }
    ASSAY_TRY_ASSIGN(const std::uint64_t end, read_file_header());
    for (std::uint64_t index = 0; cursor_.offset() < end; ++index) {
      ASSAY_TRY(read_chunk(index, end));
    }
    ASSAY_TRY(read_trailing());
    check_counts();
    note_sequence();
    return finish(true);
  }

 private:
  // Rates or a sequence: how many there are, the field that says so, and the path of the list.
  struct StepTable {
    std::uint64_t count = 0;
    FieldPlace place{};
    FieldPath list{};
  };

  // Where the RIFF chunk ends.
  Result<std::uint64_t> read_file_header() {
    // What the size counts begins with the form.
    constexpr std::uint64_t kBeforeForm = 8;
    constexpr std::uint64_t kFormBytes = 4;
    ASSAY_TRY_ASSIGN(const FileHeader header, cursor_.read<kFileHeaderRecord>("header"));
    const std::uint64_t room = image_.size() - kBeforeForm;
    if (header.size < kFormBytes || header.size > room) {
      return fail(cursor_.diagnostic(Code::kRangeOutOfBounds, kFileHeaderRecord.place(&FileHeader::size, 0, "header"),
                                     Datum::at_most(room), Datum::number(header.size)));
    }
    return kBeforeForm + header.size;
  }

  // The head of a chunk that lies with all it holds before `end`, which is where its parent ends.
  Result<ChunkHeader> read_head(const FieldPath& path, std::uint64_t end) {
    const std::uint64_t start = cursor_.offset();
    const std::uint64_t room = end - start;
    if (++chunk_count_ > context_.limits.entry_count) {
      return fail(cursor_.diagnostic(Code::kLimitExceeded, start, path, Datum::at_most(context_.limits.entry_count),
                                     Datum::number(chunk_count_)));
    }
    if (room < kChunkHeaderRecord.size_bytes) {
      return fail(cursor_.diagnostic(Code::kRangeOutOfBounds, start, path,
                                     Datum::at_least(kChunkHeaderRecord.size_bytes), Datum::number(room)));
    }
    ASSAY_TRY_ASSIGN(const ChunkHeader head, cursor_.read<kChunkHeaderRecord>(path));
    const std::uint64_t body_room = room - kChunkHeaderRecord.size_bytes;
    if (head.size > body_room) {
      return fail(cursor_.diagnostic(Code::kRangeOutOfBounds, size_place(start, path), Datum::at_most(body_room),
                                     Datum::number(head.size)));
    }
    return head;
  }

  static FieldPlace size_place(std::uint64_t chunk_start, const FieldPath& path) {
    return kChunkHeaderRecord.place(&ChunkHeader::size, chunk_start, path);
  }

  Result<void> read_chunk(std::uint64_t index, std::uint64_t end) {
    const FieldPath path("chunk", index);
    const std::uint64_t start = cursor_.offset();
    ASSAY_TRY_ASSIGN(const ChunkHeader head, read_head(path, end));
    switch (head.tag) {
      case kHeaderTag: ASSAY_TRY(read_animation_header(path, start, head)); break;
      case kRateTag: ASSAY_TRY(read_steps<kRateRecord>(path, "rate", start, head, rate_table_, rates_)); break;
      case kSequenceTag:
        ASSAY_TRY(read_steps<kSequenceRecord>(path, "sequence", start, head, sequence_table_, sequence_));
        break;
      case kListTag: ASSAY_TRY(read_list(path, start, head)); break;
      default: ASSAY_TRY(cursor_.read_opaque(path.then("body"), head.size));
    }
    read_padding(path, head, end);
    return {};
  }

  Result<void> read_animation_header(const FieldPath& path, std::uint64_t start, const ChunkHeader& head) {
    if (head.size != kAnimationHeaderRecord.size_bytes) {
      return keep_raw(path, start, head, Datum::number(kAnimationHeaderRecord.size_bytes));
    }
    const std::uint64_t body = cursor_.offset();
    ASSAY_TRY_ASSIGN(const AnimationHeader header, cursor_.read<kAnimationHeaderRecord>(path.then("anih")));
    if (header_) {
      note_repeated(path, start);
      return {};
    }
    header_ = header;
    frames_place_ = kAnimationHeaderRecord.place(&AnimationHeader::frames, body, path.then("anih"));
    if (header.size != kAnimationHeaderRecord.size_bytes) {
      findings_.note(cursor_.diagnostic(Code::kUnexpectedValue,
                                        kAnimationHeaderRecord.place(&AnimationHeader::size, body, path.then("anih")),
                                        Datum::number(kAnimationHeaderRecord.size_bytes), Datum::number(header.size)));
    }
    return {};
  }

  // One word for each step. The first such chunk counts.
  template <const auto& Table>
  Result<void> read_steps(const FieldPath& path, const char* label, std::uint64_t start, const ChunkHeader& head,
                          std::optional<StepTable>& table, Records<Table>& steps) {
    if (head.size % Table.size_bytes != 0) {
      return keep_raw(path, start, head, Datum::multiple_of(Table.size_bytes));
    }
    const std::uint64_t count = head.size / Table.size_bytes;
    ASSAY_TRY_ASSIGN(const Records<Table> found, cursor_.read_array<Table>(path.then(label), count));
    if (table) {
      note_repeated(path, start);
      return {};
    }
    table = {count, size_place(start, path), path.then(label)};
    steps = found;
    return {};
  }

  // A chunk whose size is not one that its kind has.
  Result<void> keep_raw(const FieldPath& path, std::uint64_t start, const ChunkHeader& head, Datum expected) {
    findings_.strict(
        cursor_.diagnostic(Code::kSizeMismatch, size_place(start, path), expected, Datum::number(head.size)));
    ASSAY_TRY(cursor_.read_opaque(path.then("body"), head.size));
    return {};
  }

  void note_repeated(const FieldPath& path, std::uint64_t start) {
    findings_.note(
        cursor_.diagnostic(Code::kDuplicateStream, kChunkHeaderRecord.place(&ChunkHeader::tag, start, path)));
  }

  Result<void> read_list(const FieldPath& path, std::uint64_t start, const ChunkHeader& head) {
    if (head.size < kListHeaderRecord.size_bytes) {
      return keep_raw(path, start, head, Datum::at_least(kListHeaderRecord.size_bytes));
    }
    const std::uint64_t end = cursor_.offset() + head.size;
    ASSAY_TRY_ASSIGN(const ListHeader list, cursor_.read<kListHeaderRecord>(path.then("list")));
    for (std::uint64_t index = 0; cursor_.offset() < end; ++index) {
      const FieldPath part = path.then("part", index);
      ASSAY_TRY_ASSIGN(const ChunkHeader inner, read_head(part, end));
      const bool is_icon = list.type == kFramesType && inner.tag == kIconTag;
      icon_count_ += is_icon ? 1U : 0U;
      ASSAY_TRY(cursor_.read_opaque(part.then(is_icon ? "icon" : "body"), inner.size));
      read_padding(part, inner, end);
    }
    return {};
  }

  void read_padding(const FieldPath& path, const ChunkHeader& head, std::uint64_t end) {
    if (head.size % 2 == 0) {
      return;
    }
    const std::uint64_t start = cursor_.offset();
    if (start == end) {
      findings_.note(
          cursor_.diagnostic(Code::kSizeMismatch, start, path.then("padding"), Datum::number(1), Datum::number(0)));
      return;
    }
    if (!all_zero(cursor_.read_padding(path.then("padding"), 1))) {
      findings_.note(cursor_.diagnostic(Code::kNonZeroGap, start, path.then("padding")));
    }
  }

  Result<void> read_trailing() {
    if (!cursor_.at_end()) {
      findings_.note(cursor_.diagnostic(Code::kTrailingBytes, cursor_.offset(), "trailing", Datum::number(0),
                                        Datum::number(cursor_.remaining())));
      ASSAY_TRY(cursor_.read_opaque("trailing", cursor_.remaining()));
    }
    return {};
  }

  void check_counts() {
    if (!header_) {
      findings_.strict(cursor_.diagnostic(Code::kMissingStream, kFileHeaderRecord.size_bytes, "anih"));
      return;
    }
    if (header_->frames != icon_count_) {
      findings_.strict(cursor_.diagnostic(Code::kCountMismatch, frames_place_, Datum::number(icon_count_),
                                          Datum::number(header_->frames)));
    }
    for (const auto& table : {rate_table_, sequence_table_}) {
      if (table && table->count != header_->steps) {
        findings_.strict(cursor_.diagnostic(Code::kCountMismatch, table->place, Datum::number(header_->steps),
                                            Datum::number(table->count)));
      }
    }
  }

  // The first step that shows an icon which is not there.
  void note_sequence() {
    for (std::size_t index = 0; index < sequence_.size(); ++index) {
      const std::uint32_t frame = sequence_[index].frame;
      if (frame >= icon_count_) {
        findings_.note(cursor_.diagnostic(Code::kIndexOutOfRange, sequence_.offset_of(index),
                                          sequence_table_->list.at(index).then("frame"), Datum::below(icon_count_),
                                          Datum::number(frame)));
        return;
      }
    }
  }

  Result<Animation> finish(bool is_animation) {
    Animation animation(image_, std::move(map_));
    animation.is_animation_ = is_animation;
    animation.header_ = header_;
    animation.icon_count_ = icon_count_;
    animation.rates_ = rates_;
    animation.sequence_ = sequence_;
    return animation;
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
  std::uint64_t chunk_count_ = 0;
  std::uint64_t icon_count_ = 0;
  std::optional<AnimationHeader> header_;
  FieldPlace frames_place_{};
  std::optional<StepTable> rate_table_;
  std::optional<StepTable> sequence_table_;
  Records<kRateRecord> rates_;
  Records<kSequenceRecord> sequence_;
};

Result<Animation> Animation::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<DocumentFact> Animation::facts() const {
  if (!is_animation_) {
    return {{"layout", "raw"}};
  }
  return {{"icons", std::to_string(icon_count_)}, {"steps", std::to_string(header_ ? header_->steps : 0)}};
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kFileHeaderRecord>, kInfoOf<kChunkHeaderRecord>,
                                   kInfoOf<kListHeaderRecord>, kInfoOf<kAnimationHeaderRecord>,
                                   kInfoOf<kRateRecord>,       kInfoOf<kSequenceRecord>};
constexpr NamePattern kNamePatterns[] = {{.pattern = "*.ani"}};

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Animation animation, Animation::parse(bytes, context, findings));
  return std::make_unique<Animation>(std::move(animation));
}

constexpr Format kFormat{.id = "ani",
                         .title = "animated cursor",
                         .documentation = "docs/formats/ani.md",
                         .records = kRecords,
                         .has_magic = has_magic,
                         .name_patterns = kNamePatterns,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::ani
