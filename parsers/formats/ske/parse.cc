#include <algorithm>

#include "parsers/formats/ske/ske.h"

namespace assay::ske {
namespace {

constexpr std::uint64_t kLengthBytes = 4;
constexpr std::uint64_t kMinSectionBytes = kSectionRecord.size_bytes + 2 * std::uint64_t{kTimeRecord.size_bytes};
constexpr std::uint64_t kMinKeyframeBytes = kKeyframeRecord.size_bytes + kTimeRecord.size_bytes +
                                            kEventRecord.size_bytes + kFirstSlotsRecord.size_bytes +
                                            kTextCount * kLengthBytes + kValuesRecord.size_bytes;

}  // namespace

// Runs the checks in the order of docs/formats/ske.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_) {}

  Result<Sky> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (image_.size() < kHeaderRecord.size_bytes) {
      return fail(cursor_.diagnostic(Code::kInputTooShort, 0, "file", Datum::at_least(kHeaderRecord.size_bytes),
                                     Datum::number(image_.size())));
    }
    ASSAY_TRY_ASSIGN(const std::uint32_t count, read_header());
    std::vector<Section> sections;
    sections.reserve(count);
    for (std::size_t index = 0; index < count; ++index) {
      ASSAY_TRY_ASSIGN(Section section, read_section(FieldPath("section", index)));
      sections.push_back(std::move(section));
    }
    ASSAY_TRY_ASSIGN(const Time clock_start, cursor_.read<kTimeRecord>(FieldPath("trailer").then("clock_start")));
    ASSAY_TRY(cursor_.read<kTrailerRecord>("trailer"));
    ASSAY_TRY(cursor_.expect_end());
    return Sky(image_, std::move(map_), std::move(sections), clock_start);
  }

 private:
  // Where a member of the record that was read last stands.
  template <const auto& Table, typename Struct, typename Member>
  FieldPlace just_read(Member Struct::* member, const FieldPath& path) const {
    return Table.place(member, cursor_.offset() - Table.size_bytes, path);
  }

  Failure refuse(Code code, const FieldPlace& place, Datum expected, std::uint64_t got) const {
    return fail(cursor_.diagnostic(code, place, expected, Datum::number(got)));
  }

  Result<void> check_room(const FieldPlace& place, std::uint64_t count, std::uint64_t min_element_bytes) const {
    const std::uint64_t room = cursor_.remaining() / min_element_bytes;
    if (count > room) {
      return refuse(Code::kCountOutOfBounds, place, Datum::at_most(room), count);
    }
    return {};
  }

  Result<std::uint32_t> read_header() {
    const FieldPath path("header");
    ASSAY_TRY_ASSIGN(const Header header, cursor_.read<kHeaderRecord>(path));
    if (header.marker != kMarker) {
      return fail(cursor_.diagnostic(Code::kInvalidMagic, just_read<kHeaderRecord>(&Header::marker, path),
                                     Datum::hex(kMarker), Datum::hex(header.marker)));
    }
    if (header.version != kVersion) {
      return refuse(Code::kUnsupportedVersion, just_read<kHeaderRecord>(&Header::version, path),
                    Datum::number(kVersion), header.version);
    }
    const FieldPlace place = just_read<kHeaderRecord>(&Header::section_count, path);
    if (header.section_count > kMaxSections) {
      return refuse(Code::kLimitExceeded, place, Datum::at_most(kMaxSections), header.section_count);
    }
    ASSAY_TRY(check_room(place, header.section_count, kMinSectionBytes));
    if (header.section_count == 0 || header.section_count > kUsualSections) {
      findings_.strict(cursor_.diagnostic(Code::kCountOutOfRange, place, Datum::words("1 or 2 sections"),
                                          Datum::number(header.section_count)));
    }
    return header.section_count;
  }

  Result<Section> read_section(const FieldPath& path) {
    ASSAY_TRY_ASSIGN(const SectionHead head, cursor_.read<kSectionRecord>(path));
    if (head.version != kSectionVersion) {
      return refuse(Code::kUnsupportedVersion, just_read<kSectionRecord>(&SectionHead::version, path),
                    Datum::number(kSectionVersion), head.version);
    }
    const FieldPlace count_place = just_read<kSectionRecord>(&SectionHead::keyframe_count, path);
    Section section;
    ASSAY_TRY_ASSIGN(section.unused_end, cursor_.read<kTimeRecord>(path.then("unused_end")));
    ASSAY_TRY_ASSIGN(section.day_length, cursor_.read<kTimeRecord>(path.then("day_length")));
    ASSAY_TRY(check_room(count_place, head.keyframe_count, kMinKeyframeBytes));
    section.keyframes.reserve(head.keyframe_count);
    for (std::size_t index = 0; index < head.keyframe_count; ++index) {
      ASSAY_TRY_ASSIGN(Keyframe keyframe, read_keyframe(path.then("keyframe", index)));
      section.keyframes.push_back(std::move(keyframe));
    }
    return section;
  }

  Result<Keyframe> read_keyframe(const FieldPath& path) {
    Keyframe keyframe;
    ASSAY_TRY_ASSIGN(const KeyframeHead head, cursor_.read<kKeyframeRecord>(path));
    keyframe.version = head.version;
    if (head.version == 0 || head.version > kNewestKeyframeVersion) {
      return refuse(Code::kUnsupportedVersion, just_read<kKeyframeRecord>(&KeyframeHead::version, path),
                    Datum::words("1, 2 or 3"), head.version);
    }
    ASSAY_TRY_ASSIGN(keyframe.time, cursor_.read<kTimeRecord>(path.then("time")));
    ASSAY_TRY_ASSIGN(const Event event, cursor_.read<kEventRecord>(path));
    keyframe.event = event.event;
    if (event.event > kLastEvent) {
      findings_.strict(cursor_.diagnostic(Code::kUnexpectedValue, just_read<kEventRecord>(&Event::event, path),
                                          Datum::at_most(kLastEvent), Datum::number(event.event)));
    }
    ASSAY_TRY_ASSIGN(keyframe.slots, read_slots(path, head.version));
    for (std::size_t index = 0; index < kTextCount; ++index) {
      ASSAY_TRY_ASSIGN(keyframe.texts[index], cursor_.read_text<kText>(path.then("string", index), kMaxTextBytes));
    }
    ASSAY_TRY_ASSIGN(const Values values, cursor_.read<kValuesRecord>(path));
    keyframe.values = values.values;
    if (head.version >= kExtraTextsSince) {
      ASSAY_TRY_ASSIGN(keyframe.extra_texts, read_extra_texts(path));
    }
    return keyframe;
  }

  Result<std::array<std::uint32_t, kSlotCount>> read_slots(const FieldPath& path, std::uint32_t version) {
    if (version >= kAllSlotsSince) {
      ASSAY_TRY_ASSIGN(const Slots all, cursor_.read<kSlotsRecord>(path));
      return all.slots;
    }
    ASSAY_TRY_ASSIGN(const FirstSlots first, cursor_.read<kFirstSlotsRecord>(path));
    std::array<std::uint32_t, kSlotCount> slots{};
    std::ranges::copy(first.slots, slots.begin());
    return slots;
  }

  Result<std::vector<Bytes>> read_extra_texts(const FieldPath& path) {
    ASSAY_TRY_ASSIGN(const ExtraCount count, cursor_.read<kExtraCountRecord>(path));
    const FieldPlace place = just_read<kExtraCountRecord>(&ExtraCount::extra_count, path);
    if (count.extra_count > kMaxExtraTexts) {
      return refuse(Code::kLimitExceeded, place, Datum::at_most(kMaxExtraTexts), count.extra_count);
    }
    ASSAY_TRY(check_room(place, count.extra_count, kLengthBytes));
    std::vector<Bytes> texts(count.extra_count);
    for (std::size_t index = 0; index < texts.size(); ++index) {
      ASSAY_TRY_ASSIGN(texts[index], cursor_.read_text<kText>(path.then("extra", index), kMaxTextBytes));
    }
    return texts;
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
};

Result<Sky> Sky::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<DocumentFact> Sky::facts() const {
  std::size_t keyframes = 0;
  for (const Section& section : sections_) {
    keyframes += section.keyframes.size();
  }
  return {{"sections", std::to_string(sections_.size())}, {"keyframes", std::to_string(keyframes)}};
}

namespace {

constexpr RecordInfo kRecords[] = {
    kInfoOf<kHeaderRecord>, kInfoOf<kSectionRecord>,    kInfoOf<kTimeRecord>,       kInfoOf<kKeyframeRecord>,
    kInfoOf<kEventRecord>,  kInfoOf<kSlotsRecord>,      kInfoOf<kFirstSlotsRecord>, kInfoOf<kText>,
    kInfoOf<kValuesRecord>, kInfoOf<kExtraCountRecord>, kInfoOf<kTrailerRecord>,
};

constexpr NamePattern kNamePatterns[] = {{.pattern = "*.ske", .files_only = true}};

bool probe(Bytes bytes) {
  if (bytes.size() < kHeaderRecord.size_bytes) {
    return false;
  }
  const Header header = kHeaderRecord.read(bytes);
  return header.marker == kMarker && header.version == kVersion && header.section_count >= 1 &&
         header.section_count <= kMaxSections;
}

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Sky sky, Sky::parse(bytes, context, findings));
  return std::make_unique<Sky>(std::move(sky));
}

constexpr Format kFormat{.id = "ske",
                         .title = "sky",
                         .documentation = "docs/formats/ske.md",
                         .records = kRecords,
                         .name_patterns = kNamePatterns,
                         .probe = probe,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::ske
