#pragma once

#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// Missions, `MISSIONS/**/data.tma`: paths, clans, placed objects and mineral lodes (docs/formats/tma.md).
namespace assay::tma {

inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::uint32_t kNewestClanVersion = 6;
inline constexpr std::uint32_t kObjectVersion = 10;
inline constexpr std::uint32_t kPropertySchemaVersion = 1;
inline constexpr std::uint32_t kExtraVersion = 1;
inline constexpr std::uint32_t kClassWord = 0x80000002;
inline constexpr std::string_view kMapFolder = "DATA\\MAPS\\";

// No shipped mission comes near these; they keep a damaged count from costing anything.
inline constexpr std::uint64_t kMaxStringBytes = 65536;
inline constexpr std::uint64_t kMaxPaths = 16384;
inline constexpr std::uint64_t kMaxClans = 16384;
inline constexpr std::uint64_t kMaxRelations = 65536;
inline constexpr std::uint64_t kMaxZones = 65536;
inline constexpr std::uint64_t kMaxListed = 1'000'000;  // points, objects, properties, extras

// The clan versions that brought something new; older clans end before it.
inline constexpr std::uint32_t kScriptSince = 2;
inline constexpr std::uint32_t kZonesSince = 3;
inline constexpr std::uint32_t kTreeSince = 4;
inline constexpr std::uint32_t kMindsSince = 5;
inline constexpr std::uint32_t kRelationsSince = 6;

enum class ClanMode : std::uint32_t { kNature, kPlayer, kEnemy, kNeutral };
enum class ObjectKind : std::uint32_t { kBuilding, kUnit, kVegetation, kRock };
enum class PropertyType : std::uint32_t { kFloat, kInteger };

struct Header {
  std::uint32_t format_version = kFormatVersion;
  std::uint32_t path_count = 0;
};

// What clans, objects and extras begin with.
struct Section {
  std::uint32_t version = 0;
  std::uint32_t count = 0;
};

// A number that stands alone between texts.
struct Word {
  std::uint32_t value = 0;
};

struct PathHead {
  std::int32_t id = 0;
  std::uint32_t point_count = 0;
};

struct Point {
  std::array<float, 3> position{};
};

struct ClanHead {
  std::int32_t raw_id = -1;
  float anchor_x = 0;
  float anchor_y = 0;
  std::uint32_t mode = 0;
};

struct Zone {
  std::uint32_t kind = 1;
  std::array<float, 3> centre{};
  float inner_radius = 0;
  float outer_radius = 0;
};

struct RelationValue {
  std::int32_t value = 0;
};

struct ObjectHead {
  std::uint32_t raw_kind = 0;
  std::uint32_t class_word = kClassWord;
};

struct Placement {
  std::uint32_t owner_clan = 0;
  std::int32_t logical_id = 0;
  std::array<float, 3> position{};
  std::array<float, 3> orientation{};
  std::array<float, 3> scale{1, 1, 1};
};

struct ObjectLinks {
  std::uint32_t start_flag = 0;
  std::int32_t link0 = -1;
  std::int32_t link1 = -1;
  std::uint32_t property_schema_version = kPropertySchemaVersion;
  std::uint32_t property_count = 0;
};

struct PropertyValue {
  std::uint32_t type = 0;
  std::uint32_t value = 0;
  std::uint32_t min = 0;
  std::uint32_t max = 0;
};

struct Extra {
  std::array<float, 3> position{};
  std::uint32_t found = 0;
  std::uint32_t type = 0;
  float amount = 0;
  std::uint32_t raw18 = 0;
};

inline constexpr auto kHeaderRecord = record<Header>(
    "header", 8,
    field(0x00, "format_version", &Header::format_version, FieldStatus::kLayoutConfirmed)
        .derived("only one version is known"),
    field(0x04, "path_count", &Header::path_count, FieldStatus::kLayoutConfirmed).derived("it counts the paths"));

inline constexpr auto kPathRecord = record<PathHead>(
    "path", 8,
    field(0x00, "id", &PathHead::id, FieldStatus::kLayoutConfirmed).noted("what refers to a path names this"),
    field(0x04, "point_count", &PathHead::point_count, FieldStatus::kLayoutConfirmed).derived("it counts the points"));

inline constexpr auto kPointRecord =
    record<Point>("point", 12, field(0x00, "position", &Point::position, FieldStatus::kLayoutConfirmed));

inline constexpr auto kClanSectionRecord = record<Section>(
    "clan_section", 8,
    field(0x00, "version", &Section::version, FieldStatus::kLayoutConfirmed)
        .derived("it selects what a clan consists of"),
    field(0x04, "count", &Section::count, FieldStatus::kLayoutConfirmed).derived("it counts the clans"));

inline constexpr TextRecord kClanName =
    text_record("clan_name", "name", FieldType::kString, FieldStatus::kLayoutConfirmed);

inline constexpr auto kClanRecord = record<ClanHead>(
    "clan", 16, field(0x00, "raw_id", &ClanHead::raw_id, FieldStatus::kLayoutConfirmed).noted("-1 in all missions"),
    field(0x04, "anchor_x", &ClanHead::anchor_x, FieldStatus::kLayoutConfirmed),
    field(0x08, "anchor_y", &ClanHead::anchor_y, FieldStatus::kLayoutConfirmed),
    field(0x0C, "mode", &ClanHead::mode, FieldStatus::kLayoutConfirmed)
        .noted("0 nature, 1 player, 2 enemy, 3 neutral"));

inline constexpr TextRecord kClanScript =
    text_record("clan_script", "script_base", FieldType::kString, FieldStatus::kLayoutConfirmed)
        .noted("a path without its extension, `.scr`");

inline constexpr auto kZoneCountRecord =
    record<Word>("clan_zones", 4,
                 field(0x00, "zone_count", &Word::value, FieldStatus::kLayoutConfirmed).derived("it counts the zones"));

inline constexpr auto kZoneRecord = record<Zone>(
    "zone", 24, field(0x00, "kind", &Zone::kind, FieldStatus::kConsumerInferred).noted("1 in all missions"),
    field(0x04, "centre", &Zone::centre, FieldStatus::kLayoutConfirmed),
    field(0x10, "inner_radius", &Zone::inner_radius, FieldStatus::kLayoutConfirmed),
    field(0x14, "outer_radius", &Zone::outer_radius, FieldStatus::kLayoutConfirmed));

inline constexpr TextRecord kClanTree =
    text_record("clan_tree", "tree_path", FieldType::kString, FieldStatus::kLayoutConfirmed)
        .noted("a `.trf`; may be empty");

inline constexpr auto kMindsRecord = record<Word>(
    "clan_minds", 4, field(0x00, "minds", &Word::value, FieldStatus::kConsumerInferred).noted("2 to 17 in missions"));

inline constexpr auto kRelationCountRecord = record<Word>(
    "clan_relations", 4,
    field(0x00, "relation_count", &Word::value, FieldStatus::kLayoutConfirmed).derived("it counts the relations"));

inline constexpr TextRecord kRelationClan =
    text_record("relation_clan", "other_clan", FieldType::kString, FieldStatus::kLayoutConfirmed);

inline constexpr auto kRelationRecord = record<RelationValue>(
    "relation", 4, field(0x00, "value", &RelationValue::value, FieldStatus::kLayoutConfirmed).noted("0 or 1"));

inline constexpr auto kObjectSectionRecord = record<Section>(
    "object_section", 8,
    field(0x00, "version", &Section::version, FieldStatus::kLayoutConfirmed).derived("only one version is known"),
    field(0x04, "count", &Section::count, FieldStatus::kLayoutConfirmed).derived("it counts the objects"));

inline constexpr auto kObjectRecord =
    record<ObjectHead>("object", 8,
                       field(0x00, "raw_kind", &ObjectHead::raw_kind, FieldStatus::kConsumerInferred)
                           .noted("layout confirmed; 0 building, 1 unit, 2 vegetation, 3 rock"),
                       field(0x04, "class_word", &ObjectHead::class_word, FieldStatus::kLayoutConfirmed)
                           .shown_as(Display::kHex)
                           .noted("0x80000002 in all missions"));

inline constexpr TextRecord kObjectResource =
    text_record("object_resource", "resource_name", FieldType::kString, FieldStatus::kLayoutConfirmed)
        .noted("the path of a unit `.dat`, or the key of a prototype");

inline constexpr auto kPlacementRecord = record<Placement>(
    "placement", 44,
    field(0x00, "owner_clan", &Placement::owner_clan, FieldStatus::kConsumerInferred)
        .noted("the index of a clan; leftovers on scenery"),
    field(0x04, "logical_id", &Placement::logical_id, FieldStatus::kConsumerInferred),
    field(0x08, "position", &Placement::position, FieldStatus::kLayoutConfirmed),
    field(0x14, "orientation", &Placement::orientation, FieldStatus::kLayoutConfirmed)
        .noted("radians around x, y and z; x and y are 0 in all missions"),
    field(0x20, "scale", &Placement::scale, FieldStatus::kLayoutConfirmed).noted("all three equal in all missions"));

inline constexpr TextRecord kObjectInstance =
    text_record("object_instance", "instance_name", FieldType::kString, FieldStatus::kLayoutConfirmed)
        .noted("may be empty");

inline constexpr auto kLinksRecord = record<ObjectLinks>(
    "object_links", 20, field(0x00, "start_flag", &ObjectLinks::start_flag, FieldStatus::kOpaque),
    field(0x04, "link0", &ObjectLinks::link0, FieldStatus::kConsumerInferred)
        .noted("the logical id of the building that holds the object, or -1"),
    field(0x08, "link1", &ObjectLinks::link1, FieldStatus::kConsumerInferred)
        .noted("a vertex of that building's hallway, or -1"),
    field(0x0C, "property_schema_version", &ObjectLinks::property_schema_version, FieldStatus::kLayoutConfirmed)
        .derived("only one version is known"),
    field(0x10, "property_count", &ObjectLinks::property_count, FieldStatus::kLayoutConfirmed)
        .derived("it counts the properties"));

inline constexpr auto kPropertyRecord = record<PropertyValue>(
    "property", 16,
    field(0x00, "type", &PropertyValue::type, FieldStatus::kLayoutConfirmed).noted("0 float, 1 integer"),
    field(0x04, "value", &PropertyValue::value, FieldStatus::kLayoutConfirmed)
        .shown_as(Display::kHex)
        .noted("the bits of a number of that type"),
    field(0x08, "min", &PropertyValue::min, FieldStatus::kLayoutConfirmed).shown_as(Display::kHex),
    field(0x0C, "max", &PropertyValue::max, FieldStatus::kLayoutConfirmed).shown_as(Display::kHex));

inline constexpr TextRecord kPropertyName =
    text_record("property_name", "name", FieldType::kString, FieldStatus::kLayoutConfirmed)
        .noted("names may repeat, and their order counts");

inline constexpr TextRecord kLandPath =
    text_record("land_path", "land_path", FieldType::kString, FieldStatus::kLayoutConfirmed)
        .noted("`DATA\\MAPS\\`, the map, and the stem of its files");

inline constexpr auto kMissionFlagRecord = record<Word>(
    "mission_flag", 4, field(0x00, "flag", &Word::value, FieldStatus::kOpaque).noted("1 on seven missions, else 0"));

inline constexpr TextRecord kDescription =
    text_record("description", "description", FieldType::kString, FieldStatus::kLayoutConfirmed)
        .noted("leftovers lie behind the text, within the length");

inline constexpr auto kExtraSectionRecord = record<Section>(
    "extra_section", 8,
    field(0x00, "version", &Section::version, FieldStatus::kLayoutConfirmed).derived("only one version is known"),
    field(0x04, "count", &Section::count, FieldStatus::kLayoutConfirmed).derived("it counts the extras"));

inline constexpr auto kExtraRecord =
    record<Extra>("extra", 28, field(0x00, "position", &Extra::position, FieldStatus::kLayoutConfirmed),
                  field(0x0C, "found", &Extra::found, FieldStatus::kConsumerInferred),
                  field(0x10, "type", &Extra::type, FieldStatus::kConsumerInferred).shown_as(Display::kHex),
                  field(0x14, "amount", &Extra::amount, FieldStatus::kConsumerInferred).noted("of a mineral lode"),
                  field(0x18, "raw18", &Extra::raw18, FieldStatus::kOpaque));

struct Path {
  std::int32_t id = 0;
  Records<kPointRecord> points{};
};

struct Relation {
  Bytes other_clan{};
  std::int32_t value = 0;
};

// What the clan's version has not is empty or 0.
struct Clan {
  Bytes name{};
  ClanHead head{};
  // Without the extension `.scr`.
  Bytes script_base{};
  Records<kZoneRecord> zones{};
  Bytes tree_path{};
  std::uint32_t minds = 0;
  std::vector<Relation> relations{};
};

struct Property {
  PropertyValue value{};
  Bytes name{};
};

struct Object {
  ObjectHead head{};
  Bytes resource_name{};
  Placement placement{};
  Bytes instance_name{};
  ObjectLinks links{};
  // An ordered bag: names may repeat.
  std::vector<Property> properties{};
};

// What a mission consists of, in file order.
struct MissionParts {
  std::vector<Path> paths{};
  std::uint32_t clan_version = kNewestClanVersion;
  std::vector<Clan> clans{};
  std::vector<Object> objects{};
  Bytes land_path{};
  Bytes description{};
  Records<kExtraRecord> extras{};
};

// Whether an object's resource name is the path of a unit description rather than the key of a prototype: it ends in
// `.dat`, ASCII case ignored (docs/formats/tma.md, TM3).
[[nodiscard]] bool is_unit_path(Bytes resource_name);

// A parsed mission. Texts are raw bytes in the engine's code page; they and the lists are views into the bytes that it
// was parsed from.
class Mission final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/tma.md in their order. Cost: O(size); allocates by counts only after they
  // are known to fit.
  [[nodiscard]] static Result<Mission> parse(Bytes image, const ParseContext& context, Findings& findings);

  [[nodiscard]] const std::vector<Path>& paths() const { return parts_.paths; }
  [[nodiscard]] std::uint32_t clan_version() const { return parts_.clan_version; }
  [[nodiscard]] const std::vector<Clan>& clans() const { return parts_.clans; }
  [[nodiscard]] const std::vector<Object>& objects() const { return parts_.objects; }
  [[nodiscard]] Bytes land_path() const { return parts_.land_path; }
  // With what lies behind its text.
  [[nodiscard]] Bytes description() const { return parts_.description; }
  [[nodiscard]] const Records<kExtraRecord>& extras() const { return parts_.extras; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  Mission(Bytes image, ByteMap map, MissionParts parts)
      : PlainDocument(image, std::move(map)), parts_(std::move(parts)) {}

  MissionParts parts_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::tma
