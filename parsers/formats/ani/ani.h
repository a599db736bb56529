#pragma once

#include <optional>
#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// Animated cursors, `*.ani`: RIFF files of form ACON (docs/formats/ani.md).
namespace assay::ani {

inline constexpr std::uint32_t kRiff = 0x46464952;         // RIFF
inline constexpr std::uint32_t kForm = 0x4E4F4341;         // ACON
inline constexpr std::uint32_t kHeaderTag = 0x68696E61;    // anih
inline constexpr std::uint32_t kRateTag = 0x65746172;      // rate
inline constexpr std::uint32_t kSequenceTag = 0x20716573;  // seq, blank
inline constexpr std::uint32_t kListTag = 0x5453494C;      // LIST
inline constexpr std::uint32_t kFramesType = 0x6D617266;   // fram
inline constexpr std::uint32_t kIconTag = 0x6E6F6369;      // icon

struct FileHeader {
  std::uint32_t magic = kRiff;
  std::uint32_t size = 0;
  std::uint32_t form = kForm;
};

struct ChunkHeader {
  std::uint32_t tag = 0;
  std::uint32_t size = 0;
};

struct ListHeader {
  std::uint32_t type = kFramesType;
};

struct AnimationHeader {
  std::uint32_t size = 36;
  std::uint32_t frames = 0;
  std::uint32_t steps = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t bits = 0;
  std::uint32_t planes = 0;
  std::uint32_t jiffies = 0;
  std::uint32_t flags = 0;
};

struct Rate {
  std::uint32_t jiffies = 0;
};

struct Sequence {
  std::uint32_t frame = 0;
};

inline constexpr auto kFileHeaderRecord = record<FileHeader>(
    "header", 12,
    field(0x00, "magic", &FileHeader::magic, FieldStatus::kConsumerInferred)
        .shown_as(Display::kTag)
        .derived("it marks the format"),
    field(0x04, "size", &FileHeader::size, FieldStatus::kConsumerInferred).derived("it is the size of what follows"),
    field(0x08, "form", &FileHeader::form, FieldStatus::kConsumerInferred)
        .shown_as(Display::kTag)
        .derived("it marks the format"));

inline constexpr auto kChunkHeaderRecord = record<ChunkHeader>(
    "chunk", 8,
    field(0x00, "tag", &ChunkHeader::tag, FieldStatus::kConsumerInferred)
        .shown_as(Display::kTag)
        .derived("it says what the chunk holds"),
    field(0x04, "size", &ChunkHeader::size, FieldStatus::kConsumerInferred).derived("it is the size of the chunk"));

inline constexpr auto kListHeaderRecord =
    record<ListHeader>("list", 4,
                       field(0x00, "type", &ListHeader::type, FieldStatus::kConsumerInferred)
                           .shown_as(Display::kTag)
                           .derived("it says what the list holds"));

inline constexpr auto kAnimationHeaderRecord = record<AnimationHeader>(
    "anih", 36,
    field(0x00, "size", &AnimationHeader::size, FieldStatus::kConsumerInferred).derived("it is the size of the record"),
    field(0x04, "frames", &AnimationHeader::frames, FieldStatus::kConsumerInferred)
        .derived("it is the number of icons"),
    field(0x08, "steps", &AnimationHeader::steps, FieldStatus::kConsumerInferred)
        .derived("it is the number of rates and of sequence steps"),
    field(0x0C, "width", &AnimationHeader::width, FieldStatus::kConsumerInferred),
    field(0x10, "height", &AnimationHeader::height, FieldStatus::kConsumerInferred),
    field(0x14, "bits", &AnimationHeader::bits, FieldStatus::kConsumerInferred),
    field(0x18, "planes", &AnimationHeader::planes, FieldStatus::kConsumerInferred),
    field(0x1C, "jiffies", &AnimationHeader::jiffies, FieldStatus::kConsumerInferred)
        .noted("a step lasts as long, in sixtieths of a second, unless there are rates"),
    field(0x20, "flags", &AnimationHeader::flags, FieldStatus::kConsumerInferred).shown_as(Display::kHex));

inline constexpr auto kRateRecord = record<Rate>("rate", 4,
                                                 field(0x00, "jiffies", &Rate::jiffies, FieldStatus::kConsumerInferred)
                                                     .noted("how long the step lasts, in sixtieths of a second"));

inline constexpr auto kSequenceRecord = record<Sequence>(
    "sequence", 4,
    field(0x00, "frame", &Sequence::frame, FieldStatus::kConsumerInferred).noted("the icon that the step shows"));

// A parsed cursor. Views refer to the bytes it was parsed from.
class Animation final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/ani.md in their order; what is no RIFF file of form ACON is kept raw. Cost:
  // O(chunks + steps).
  [[nodiscard]] static Result<Animation> parse(Bytes image, const ParseContext& context, Findings& findings);

  // Whether it is a RIFF file of form ACON.
  [[nodiscard]] bool is_animation() const { return is_animation_; }
  [[nodiscard]] const std::optional<AnimationHeader>& header() const { return header_; }
  [[nodiscard]] std::uint64_t icon_count() const { return icon_count_; }
  // One for each step, or none.
  [[nodiscard]] const Records<kRateRecord>& rates() const { return rates_; }
  [[nodiscard]] const Records<kSequenceRecord>& sequence() const { return sequence_; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  Animation(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}

  bool is_animation_ = false;
  std::optional<AnimationHeader> header_;
  std::uint64_t icon_count_ = 0;
  Records<kRateRecord> rates_;
  Records<kSequenceRecord> sequence_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::ani
