#pragma once

#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// Skies of missions, `sky.ske`: what the atmosphere looks like at which time of the day (docs/formats/ske.md).
namespace assay::ske {

inline constexpr std::uint32_t kMarker = 0xFFFFFFFF;
inline constexpr std::uint32_t kVersion = 5;
inline constexpr std::uint32_t kSectionVersion = 1;
inline constexpr std::uint32_t kNewestKeyframeVersion = 3;
inline constexpr std::uint32_t kLastEvent = 9;
// What shipped skies have at most.
inline constexpr std::uint32_t kUsualSections = 2;
// No shipped sky comes near these; they keep a damaged count from costing anything.
inline constexpr std::uint64_t kMaxSections = 16;
inline constexpr std::uint64_t kMaxExtraTexts = 64;
inline constexpr std::uint64_t kMaxTextBytes = 4096;

inline constexpr std::size_t kTextCount = 6;
// The first version had two slots fewer; the third brought the extra texts.
inline constexpr std::size_t kSlotCount = 22;
inline constexpr std::size_t kFirstSlotCount = 20;
inline constexpr std::uint32_t kAllSlotsSince = 2;
inline constexpr std::uint32_t kExtraTextsSince = 3;

struct Header {
  std::uint32_t marker = kMarker;
  std::uint32_t version = kVersion;
  std::uint32_t section_count = 0;
};

struct SectionHead {
  std::uint32_t version = kSectionVersion;
  std::uint32_t keyframe_count = 0;
};

struct Time {
  std::uint32_t section = 0;
  std::uint32_t opaque04 = 0;
  std::uint32_t opaque08 = 0;
  std::uint32_t hour = 0;
  std::uint32_t minute = 0;
  std::uint32_t opaque14 = 0;
  std::array<std::uint8_t, 8> opaque18{};
};

struct KeyframeHead {
  std::uint32_t version = kNewestKeyframeVersion;
};

struct Event {
  std::uint32_t event = 0;
};

struct Slots {
  std::array<std::uint32_t, kSlotCount> slots{};
};

struct FirstSlots {
  std::array<std::uint32_t, kFirstSlotCount> slots{};
};

struct Values {
  std::array<float, 4> values{};
};

struct ExtraCount {
  std::uint32_t extra_count = 0;
};

struct Trailer {
  std::uint32_t opaque00 = 0;
  std::uint32_t opaque04 = 0;
};

inline constexpr auto kHeaderRecord = record<Header>(
    "header", 12,
    field(0x00, "marker", &Header::marker, FieldStatus::kLayoutConfirmed)
        .shown_as(Display::kHex)
        .derived("it marks the format"),
    field(0x04, "version", &Header::version, FieldStatus::kLayoutConfirmed).derived("only one version is known"),
    field(0x08, "section_count", &Header::section_count, FieldStatus::kLayoutConfirmed)
        .derived("it counts the sections"));

inline constexpr auto kSectionRecord = record<SectionHead>(
    "section", 8,
    field(0x00, "version", &SectionHead::version, FieldStatus::kLayoutConfirmed).derived("only one version is known"),
    field(0x04, "keyframe_count", &SectionHead::keyframe_count, FieldStatus::kLayoutConfirmed)
        .derived("it counts the keyframes"));

inline constexpr auto kTimeRecord = record<Time>(
    "time", 32, field(0x00, "section", &Time::section, FieldStatus::kOpaque),
    field(0x04, "opaque04", &Time::opaque04, FieldStatus::kOpaque).shown_as(Display::kHex),
    field(0x08, "opaque08", &Time::opaque08, FieldStatus::kOpaque).shown_as(Display::kHex),
    field(0x0C, "hour", &Time::hour, FieldStatus::kLayoutConfirmed),
    field(0x10, "minute", &Time::minute, FieldStatus::kLayoutConfirmed),
    field(0x14, "opaque14", &Time::opaque14, FieldStatus::kOpaque).shown_as(Display::kHex),
    field(0x18, "opaque18", &Time::opaque18, FieldStatus::kOpaque).noted("may be what memory held before"));

inline constexpr auto kKeyframeRecord =
    record<KeyframeHead>("keyframe", 4,
                         field(0x00, "version", &KeyframeHead::version, FieldStatus::kLayoutConfirmed)
                             .derived("it selects what a keyframe consists of"));

inline constexpr auto kEventRecord = record<Event>(
    "event", 4,
    field(0x00, "event", &Event::event, FieldStatus::kConsumerInferred)
        .noted("0 and 1 sun starts and stops, 3 and 4 rain, 5 and 6 snow, 8 and 9 lightning, 2 and 7 nothing"));

inline constexpr auto kSlotsRecord = record<Slots>("slots", 88,
                                                   field(0x00, "slots", &Slots::slots, FieldStatus::kOpaque)
                                                       .shown_as(Display::kHex)
                                                       .noted("mostly colours, blue first; some are numbers, like the "
                                                              "seventh"));

inline constexpr auto kFirstSlotsRecord =
    record<FirstSlots>("first_slots", 80,
                       field(0x00, "slots", &FirstSlots::slots, FieldStatus::kOpaque)
                           .shown_as(Display::kHex)
                           .noted("of a keyframe of version 1"));

inline constexpr TextRecord kText = text_record("text", "text", FieldType::kString, FieldStatus::kOpaque);

inline constexpr auto kValuesRecord =
    record<Values>("values", 16, field(0x00, "values", &Values::values, FieldStatus::kOpaque));

inline constexpr auto kExtraCountRecord =
    record<ExtraCount>("extra_texts", 4,
                       field(0x00, "extra_count", &ExtraCount::extra_count, FieldStatus::kLayoutConfirmed)
                           .derived("it counts the extra texts"));

inline constexpr auto kTrailerRecord = record<Trailer>(
    "trailer", 8, field(0x00, "opaque00", &Trailer::opaque00, FieldStatus::kOpaque).shown_as(Display::kHex),
    field(0x04, "opaque04", &Trailer::opaque04, FieldStatus::kOpaque).shown_as(Display::kHex));

struct Keyframe {
  std::uint32_t version = kNewestKeyframeVersion;
  Time time{};
  std::uint32_t event = 0;
  // The last two are 0 in version 1.
  std::array<std::uint32_t, kSlotCount> slots{};
  std::array<Bytes, kTextCount> texts{};
  std::array<float, 4> values{};
  std::vector<Bytes> extra_texts{};
};

struct Section {
  // The end of the day that nothing uses, and the length that the day really has.
  Time unused_end{};
  Time day_length{};
  std::vector<Keyframe> keyframes{};
};

// A parsed sky. Texts are views into the bytes that it was parsed from.
class Sky final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/ske.md in their order. Cost: O(size); allocates by counts only after they
  // are known to fit.
  [[nodiscard]] static Result<Sky> parse(Bytes image, const ParseContext& context, Findings& findings);

  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  // Where the clock starts.
  [[nodiscard]] const Time& clock_start() const { return clock_start_; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  Sky(Bytes image, ByteMap map, std::vector<Section> sections, const Time& clock_start)
      : PlainDocument(image, std::move(map)), sections_(std::move(sections)), clock_start_(clock_start) {}

  std::vector<Section> sections_;
  Time clock_start_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::ske
