#pragma once

#include <array>
#include <optional>
#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/nres/stream_archive.h"

// Research trees, `MISSIONS/SCRIPTS/*.trf`: an NRes archive whose members are the twelve streams of one tree
// (docs/formats/trf.md).
namespace assay::trf {

// In the order of their tags, TRF0 to TRF9, TRFA, TRFB.
enum class Stream : std::uint8_t {
  kItems,
  kStates,
  kLinkCounts,
  kLinks,
  kBackLinkCounts,
  kBackLinks,
  kPartIds,
  kCodes,
  kNames,
  kDescriptions,
  kTemplates,
  kParts,
};
inline constexpr std::size_t kStreamCount = 12;

struct StreamInfo {
  std::uint32_t type_id = 0;
  // What a member is claimed as, and how a diagnostic names the whole stream.
  const char* claim = "";
  const char* path = "";
  bool is_mandatory = true;
};

// Indexed by Stream.
[[nodiscard]] const std::array<StreamInfo, kStreamCount>& stream_infos();
[[nodiscard]] inline const StreamInfo& info_of(Stream stream) {
  return stream_infos()[static_cast<std::size_t>(stream)];
}
// The stream that has that type, or nothing.
[[nodiscard]] std::optional<Stream> stream_of_type(std::uint32_t type_id);

// The value of attr2 of the items' row; the engine takes no other.
inline constexpr std::uint32_t kItemsVersion = 3;
// An item without a part.
inline constexpr std::uint16_t kNoPart = 0xFFFF;

struct Item {
  float research_energy = 0;
  float research_ore = 0;
  float build_energy = 0;
  float build_ore = 0;
  std::int32_t code_offset = 0;
  std::int32_t name_offset = 0;
  std::int32_t description_offset = 0;
  std::int32_t template_offset = 0;
  std::uint16_t part = kNoPart;
  std::uint8_t role = 0;
  std::uint8_t kind = 0;
  std::uint8_t sub_kind = 0;
  std::uint8_t branch = 0;
  std::uint8_t size = 0;
  std::uint8_t level = 0;
};

struct State {
  std::uint8_t bits = 0;
};

struct Count {
  std::uint32_t count = 0;
};

struct Link {
  std::uint32_t item = 0;
};

struct Part {
  std::uint16_t id_offset = 0;
  std::uint16_t item = 0;
};

inline constexpr auto kItemRecord = record<Item>(
    "item", 40,
    field(0x00, "research_energy", &Item::research_energy, FieldStatus::kConsumerInferred)
        .noted("the four prices agree with objects.dlb"),
    field(0x04, "research_ore", &Item::research_ore, FieldStatus::kConsumerInferred),
    field(0x08, "build_energy", &Item::build_energy, FieldStatus::kConsumerInferred),
    field(0x0C, "build_ore", &Item::build_ore, FieldStatus::kConsumerInferred),
    field(0x10, "code_offset", &Item::code_offset, FieldStatus::kLayoutConfirmed).derived("it points into the codes"),
    field(0x14, "name_offset", &Item::name_offset, FieldStatus::kLayoutConfirmed).derived("it points into the names"),
    field(0x18, "description_offset", &Item::description_offset, FieldStatus::kLayoutConfirmed)
        .derived("it points into the descriptions"),
    field(0x1C, "template_offset", &Item::template_offset, FieldStatus::kLayoutConfirmed)
        .derived("it points into the templates"),
    field(0x20, "part", &Item::part, FieldStatus::kLayoutConfirmed).noted("the item's own entry among the parts"),
    field(0x22, "role", &Item::role, FieldStatus::kConsumerInferred),
    field(0x23, "kind", &Item::kind, FieldStatus::kConsumerInferred),
    field(0x24, "sub_kind", &Item::sub_kind, FieldStatus::kConsumerInferred),
    field(0x25, "branch", &Item::branch, FieldStatus::kConsumerInferred),
    field(0x26, "size", &Item::size, FieldStatus::kConsumerInferred),
    field(0x27, "level", &Item::level, FieldStatus::kConsumerInferred));

inline constexpr auto kStateRecord = record<State>("state", 1,
                                                   field(0x00, "bits", &State::bits, FieldStatus::kLayoutConfirmed)
                                                       .shown_as(Display::kHex)
                                                       .noted("1 available, 2 researched, 4 in the tree"));

inline constexpr auto kLinkCountRecord = record<Count>(
    "link_count", 4,
    field(0x00, "count", &Count::count, FieldStatus::kLayoutConfirmed).derived("it counts the links of an item"));

inline constexpr auto kLinkRecord =
    record<Link>("link", 4, field(0x00, "item", &Link::item, FieldStatus::kLayoutConfirmed));

inline constexpr auto kBackLinkCountRecord = record<Count>(
    "back_link_count", 4,
    field(0x00, "count", &Count::count, FieldStatus::kLayoutConfirmed).derived("it counts the back links of an item"));

inline constexpr auto kBackLinkRecord =
    record<Link>("back_link", 4, field(0x00, "item", &Link::item, FieldStatus::kLayoutConfirmed));

inline constexpr auto kPartRecord = record<Part>(
    "part", 4,
    field(0x00, "id_offset", &Part::id_offset, FieldStatus::kLayoutConfirmed).derived("it points into the part ids"),
    field(0x02, "item", &Part::item, FieldStatus::kLayoutConfirmed));

inline constexpr const char* kWhyPoolsAreFixed = "other streams point into its pool by offset";

inline constexpr TextRecord kPartId =
    text_record("part_id", "text", FieldType::kCString, FieldStatus::kLayoutConfirmed).derived(kWhyPoolsAreFixed);
inline constexpr TextRecord kCode =
    text_record("code", "text", FieldType::kCString, FieldStatus::kLayoutConfirmed).derived(kWhyPoolsAreFixed);
inline constexpr TextRecord kName =
    text_record("name", "text", FieldType::kCString, FieldStatus::kLayoutConfirmed).derived(kWhyPoolsAreFixed);
inline constexpr TextRecord kDescription =
    text_record("description", "text", FieldType::kCString, FieldStatus::kLayoutConfirmed).derived(kWhyPoolsAreFixed);
inline constexpr TextRecord kTemplate =
    text_record("template", "text", FieldType::kCString, FieldStatus::kLayoutConfirmed).derived(kWhyPoolsAreFixed);

// Strings one after another, each with its NUL, that others refer to by offset.
struct Pool {
  Bytes bytes{};
  // Where each string begins, rising; the last may lack its NUL.
  std::vector<std::uint32_t> starts{};
};

// The streams as records. A stream that is missing or cannot be read is empty; where the size is no whole number of
// records, what is left at the end is not among them. Views into the archive's bytes.
struct Streams {
  Records<kItemRecord> items{};
  Records<kStateRecord> states{};
  Records<kLinkCountRecord> link_counts{};
  Records<kLinkRecord> links{};
  Records<kBackLinkCountRecord> back_link_counts{};
  Records<kBackLinkRecord> back_links{};
  Pool part_ids{};
  Pool codes{};
  Pool names{};
  Pool descriptions{};
  Pool templates{};
  Records<kPartRecord> parts{};
};

// A parsed research tree. As a container its members are its streams, which are not items of other formats.
//
// Streams are found by type, whatever their order and names; of a type that is there twice the first is used.
class Tree final : public nres::StreamArchive {
 public:
  // Parses with the checks of docs/formats/trf.md in their order. What is about one stream has the index of its entry.
  // Cost: O(size), and O(n log n) for n directory rows and for n links.
  [[nodiscard]] static Result<Tree> parse(Bytes image, const ParseContext& context, Findings& findings);

  [[nodiscard]] const Streams& streams() const { return streams_; }
  // The directory row of a stream, or nothing.
  [[nodiscard]] std::optional<std::size_t> entry_of(Stream stream) const {
    return entries_[static_cast<std::size_t>(stream)];
  }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;
  [[nodiscard]] Member member(std::size_t index) const override;

 private:
  friend class Parser;
  explicit Tree(nres::Archive archive) : StreamArchive(std::move(archive)) {}

  // By Stream.
  std::array<std::optional<std::size_t>, kStreamCount> entries_{};
  Streams streams_;
};

// The checks between streams, which need all of them read (docs/formats/trf.md, TR3).
void check_streams(const Tree& tree, const Origin& origin, Findings& findings);

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::trf
