#include <algorithm>
#include <cmath>

#include "parsers/formats/tma/tma.h"

namespace assay::tma {
namespace {

constexpr std::string_view kUnitExtension = ".dat";

// The least bytes that one element of a list takes, so that a count cannot ask for more than there is.
constexpr std::uint64_t kLengthBytes = 4;
constexpr std::uint64_t kMinObjectBytes =
    kObjectRecord.size_bytes + kLengthBytes + kPlacementRecord.size_bytes + kLengthBytes + kLinksRecord.size_bytes;
constexpr std::uint64_t kMinPropertyBytes = kPropertyRecord.size_bytes + kLengthBytes;
constexpr std::uint64_t kMinRelationBytes = kLengthBytes + kRelationRecord.size_bytes;

// Each version above the first brought one text or count of four bytes at least.
constexpr std::uint64_t min_clan_bytes(std::uint32_t version) {
  return kLengthBytes + kClanRecord.size_bytes + std::uint64_t{version - 1} * kLengthBytes;
}

bool all_finite(const std::array<float, 3>& values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

// As paths are resolved: ASCII case ignored, either separator.
bool names_map_folder(Bytes path) {
  const auto same = [](std::uint8_t left, std::uint8_t right) {
    const auto plain = [](std::uint8_t byte) { return byte == '/' ? std::uint8_t{'\\'} : ascii_lower(byte); };
    return plain(left) == plain(right);
  };
  const Bytes folder = as_bytes(kMapFolder);
  return std::search(path.begin(), path.end(), folder.begin(), folder.end(), same) != path.end();
}

}  // namespace

bool is_unit_path(Bytes resource_name) {
  return resource_name.size() >= kUnitExtension.size() &&
         equal_folded(resource_name.last(kUnitExtension.size()), as_bytes(kUnitExtension));
}

// Runs the checks in the order of docs/formats/tma.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_) {}

  Result<Mission> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (image_.size() < kHeaderRecord.size_bytes) {
      return fail(cursor_.diagnostic(Code::kInputTooShort, 0, "file", Datum::at_least(kHeaderRecord.size_bytes),
                                     Datum::number(image_.size())));
    }
    MissionParts parts;
    ASSAY_TRY(read_paths(parts.paths));
    ASSAY_TRY(read_clans(parts));
    ASSAY_TRY(read_objects(parts.objects));
    ASSAY_TRY_ASSIGN(parts.land_path, read_land_path());
    ASSAY_TRY(cursor_.read<kMissionFlagRecord>("mission"));
    ASSAY_TRY_ASSIGN(parts.description, text<kDescription>("mission"));
    ASSAY_TRY_ASSIGN(parts.extras, read_extras());
    ASSAY_TRY(cursor_.expect_end());
    return Mission(image_, std::move(map_), std::move(parts));
  }

 private:
  template <const TextRecord& Table>
  Result<Bytes> text(const FieldPath& path) {
    return cursor_.read_text<Table>(path, kMaxStringBytes);
  }

  // Where a member of the record that was read last stands.
  template <const auto& Table, typename Struct, typename Member>
  FieldPlace just_read(Member Struct::* member, const FieldPath& path) const {
    return Table.place(member, cursor_.offset() - Table.size_bytes, path);
  }

  Failure refuse(Code code, const FieldPlace& place, std::uint64_t expected, std::uint64_t got) const {
    return fail(cursor_.diagnostic(code, place, Datum::number(expected), Datum::number(got)));
  }

  Result<void> check_version(const FieldPlace& place, std::uint32_t version, std::uint32_t known) const {
    if (version != known) {
      return refuse(Code::kUnsupportedVersion, place, known, version);
    }
    return {};
  }

  Result<void> check_count(const FieldPlace& place, std::uint64_t count, std::uint64_t limit,
                           std::uint64_t min_element_bytes) const {
    if (count > limit) {
      return fail(cursor_.diagnostic(Code::kLimitExceeded, place, Datum::at_most(limit), Datum::number(count)));
    }
    const std::uint64_t room = cursor_.remaining() / min_element_bytes;
    if (count > room) {
      return fail(cursor_.diagnostic(Code::kCountOutOfBounds, place, Datum::at_most(room), Datum::number(count)));
    }
    return {};
  }

  // The count behind a version that must be the one that is known.
  template <const auto& Table>
  Result<std::uint32_t> read_section(const FieldPath& path, std::uint32_t known, std::uint64_t min_element_bytes) {
    ASSAY_TRY_ASSIGN(const Section section, cursor_.read<Table>(path));
    ASSAY_TRY(check_version(just_read<Table>(&Section::version, path), section.version, known));
    ASSAY_TRY(check_count(just_read<Table>(&Section::count, path), section.count, kMaxListed, min_element_bytes));
    return section.count;
  }

  Result<void> read_paths(std::vector<Path>& paths) {
    ASSAY_TRY_ASSIGN(const Header header, cursor_.read<kHeaderRecord>("header"));
    ASSAY_TRY(check_version(just_read<kHeaderRecord>(&Header::format_version, "header"), header.format_version,
                            kFormatVersion));
    ASSAY_TRY(check_count(just_read<kHeaderRecord>(&Header::path_count, "header"), header.path_count, kMaxPaths,
                          kPathRecord.size_bytes));
    paths.reserve(header.path_count);
    for (std::size_t index = 0; index < header.path_count; ++index) {
      const FieldPath path("path", index);
      ASSAY_TRY_ASSIGN(const PathHead head, cursor_.read<kPathRecord>(path));
      ASSAY_TRY(check_count(just_read<kPathRecord>(&PathHead::point_count, path), head.point_count, kMaxListed,
                            kPointRecord.size_bytes));
      ASSAY_TRY_ASSIGN(const auto points, cursor_.read_array<kPointRecord>(path.then("point"), head.point_count));
      paths.push_back({head.id, points});
    }
    return {};
  }

  Result<void> read_clans(MissionParts& parts) {
    const FieldPath path("clan_section");
    ASSAY_TRY_ASSIGN(const Section section, cursor_.read<kClanSectionRecord>(path));
    const FieldPlace version = just_read<kClanSectionRecord>(&Section::version, path);
    if (section.version == 0 || section.version > kNewestClanVersion) {
      return refuse(Code::kUnsupportedVersion, version, kNewestClanVersion, section.version);
    }
    if (section.version != kNewestClanVersion) {
      findings_.note(cursor_.diagnostic(Code::kUnexpectedValue, version, Datum::number(kNewestClanVersion),
                                        Datum::number(section.version)));
    }
    ASSAY_TRY(check_count(just_read<kClanSectionRecord>(&Section::count, path), section.count, kMaxClans,
                          min_clan_bytes(section.version)));
    parts.clan_version = section.version;
    parts.clans.reserve(section.count);
    for (std::size_t index = 0; index < section.count; ++index) {
      ASSAY_TRY_ASSIGN(Clan clan, read_clan(FieldPath("clan", index), section.version));
      parts.clans.push_back(std::move(clan));
    }
    return {};
  }

  Result<Clan> read_clan(const FieldPath& path, std::uint32_t version) {
    Clan clan;
    ASSAY_TRY_ASSIGN(clan.name, text<kClanName>(path));
    ASSAY_TRY_ASSIGN(clan.head, cursor_.read<kClanRecord>(path));
    if (clan.head.mode > static_cast<std::uint32_t>(ClanMode::kNeutral)) {
      return fail(cursor_.diagnostic(Code::kUnexpectedValue, just_read<kClanRecord>(&ClanHead::mode, path),
                                     Datum::at_most(static_cast<std::uint32_t>(ClanMode::kNeutral)),
                                     Datum::number(clan.head.mode)));
    }
    if (version >= kScriptSince) {
      ASSAY_TRY_ASSIGN(clan.script_base, text<kClanScript>(path));
    }
    if (version >= kZonesSince) {
      ASSAY_TRY_ASSIGN(clan.zones, read_zones(path, clan.head.mode));
    }
    if (version >= kTreeSince) {
      ASSAY_TRY_ASSIGN(clan.tree_path, text<kClanTree>(path));
    }
    if (version >= kMindsSince) {
      ASSAY_TRY_ASSIGN(const Word minds, cursor_.read<kMindsRecord>(path));
      clan.minds = minds.value;
    }
    if (version >= kRelationsSince) {
      ASSAY_TRY_ASSIGN(clan.relations, read_relations(path));
    }
    return clan;
  }

  // One layout for all modes. Readers that know only nature's zones agree with it on every shipped mission, so what
  // they could not read is noted.
  Result<Records<kZoneRecord>> read_zones(const FieldPath& path, std::uint32_t mode) {
    ASSAY_TRY_ASSIGN(const Word count, cursor_.read<kZoneCountRecord>(path));
    const FieldPlace place = just_read<kZoneCountRecord>(&Word::value, path);
    ASSAY_TRY(check_count(place, count.value, kMaxZones, kZoneRecord.size_bytes));
    if (count.value != 0 && mode != static_cast<std::uint32_t>(ClanMode::kNature)) {
      findings_.note(cursor_.diagnostic(Code::kUnexpectedValue, place, Datum::number(0), Datum::number(count.value)));
    }
    ASSAY_TRY_ASSIGN(const auto zones, cursor_.read_array<kZoneRecord>(path.then("zone"), count.value));
    note_zones(zones, path);
    return zones;
  }

  // Of a clan's zones the first that is odd speaks for all, so that findings do not outgrow the input.
  void note_zones(const Records<kZoneRecord>& zones, const FieldPath& path) {
    for (std::size_t index = 0; index < zones.size(); ++index) {
      if (const std::uint32_t kind = zones[index].kind; kind != 1) {
        findings_.note(cursor_.diagnostic(
            Code::kUnexpectedValue, kZoneRecord.place(&Zone::kind, zones.offset_of(index), path.then("zone", index)),
            Datum::number(1), Datum::number(kind)));
        return;
      }
    }
  }

  Result<std::vector<Relation>> read_relations(const FieldPath& path) {
    ASSAY_TRY_ASSIGN(const Word count, cursor_.read<kRelationCountRecord>(path));
    ASSAY_TRY(check_count(just_read<kRelationCountRecord>(&Word::value, path), count.value, kMaxRelations,
                          kMinRelationBytes));
    std::vector<Relation> relations;
    relations.reserve(count.value);
    for (std::size_t index = 0; index < count.value; ++index) {
      const FieldPath relation = path.then("relation", index);
      ASSAY_TRY_ASSIGN(const Bytes other_clan, text<kRelationClan>(relation));
      ASSAY_TRY_ASSIGN(const RelationValue stored, cursor_.read<kRelationRecord>(relation));
      relations.push_back({other_clan, stored.value});
    }
    return relations;
  }

  Result<void> read_objects(std::vector<Object>& objects) {
    ASSAY_TRY_ASSIGN(const std::uint32_t count,
                     read_section<kObjectSectionRecord>("object_section", kObjectVersion, kMinObjectBytes));
    objects.reserve(count);
    for (std::size_t index = 0; index < count; ++index) {
      ASSAY_TRY_ASSIGN(Object object, read_object(FieldPath("object", index)));
      objects.push_back(std::move(object));
    }
    return {};
  }

  Result<Object> read_object(const FieldPath& path) {
    Object object;
    ASSAY_TRY_ASSIGN(object.head, cursor_.read<kObjectRecord>(path));
    if (object.head.class_word != kClassWord) {
      findings_.strict(cursor_.diagnostic(Code::kUnexpectedValue,
                                          just_read<kObjectRecord>(&ObjectHead::class_word, path),
                                          Datum::hex(kClassWord), Datum::hex(object.head.class_word)));
    }
    ASSAY_TRY_ASSIGN(object.resource_name, text<kObjectResource>(path));
    ASSAY_TRY_ASSIGN(object.placement, read_placement(path));
    ASSAY_TRY_ASSIGN(object.instance_name, text<kObjectInstance>(path));
    ASSAY_TRY_ASSIGN(object.links, cursor_.read<kLinksRecord>(path));
    ASSAY_TRY(check_version(just_read<kLinksRecord>(&ObjectLinks::property_schema_version, path),
                            object.links.property_schema_version, kPropertySchemaVersion));
    const std::uint32_t count = object.links.property_count;
    ASSAY_TRY(
        check_count(just_read<kLinksRecord>(&ObjectLinks::property_count, path), count, kMaxListed, kMinPropertyBytes));
    object.properties.reserve(count);
    has_odd_property_ = false;
    for (std::size_t index = 0; index < count; ++index) {
      ASSAY_TRY_ASSIGN(const Property property, read_property(path.then("property", index)));
      object.properties.push_back(property);
    }
    return object;
  }

  Result<Placement> read_placement(const FieldPath& path) {
    ASSAY_TRY_ASSIGN(const Placement placement, cursor_.read<kPlacementRecord>(path));
    for (const auto member : {&Placement::position, &Placement::orientation, &Placement::scale}) {
      if (!all_finite(placement.*member)) {
        return fail(cursor_.diagnostic(Code::kNonFinite, just_read<kPlacementRecord>(member, path)));
      }
    }
    return placement;
  }

  Result<Property> read_property(const FieldPath& path) {
    Property property;
    ASSAY_TRY_ASSIGN(property.value, cursor_.read<kPropertyRecord>(path));
    constexpr auto kLast = static_cast<std::uint32_t>(PropertyType::kInteger);
    if (property.value.type > kLast && !has_odd_property_) {
      has_odd_property_ = true;
      findings_.strict(cursor_.diagnostic(Code::kUnexpectedValue,
                                          just_read<kPropertyRecord>(&PropertyValue::type, path), Datum::at_most(kLast),
                                          Datum::number(property.value.type)));
    }
    ASSAY_TRY_ASSIGN(property.name, text<kPropertyName>(path));
    return property;
  }

  Result<Bytes> read_land_path() {
    const std::uint64_t start = cursor_.offset();
    ASSAY_TRY_ASSIGN(const Bytes path, text<kLandPath>("mission"));
    if (!names_map_folder(path)) {
      findings_.strict(cursor_.diagnostic(Code::kUnexpectedValue, start, FieldPath("mission").then("land_path"),
                                          Datum::words("a path through DATA\\MAPS\\")));
    }
    return path;
  }

  Result<Records<kExtraRecord>> read_extras() {
    ASSAY_TRY_ASSIGN(const std::uint32_t count,
                     read_section<kExtraSectionRecord>("extra_section", kExtraVersion, kExtraRecord.size_bytes));
    return cursor_.read_array<kExtraRecord>("extra", count);
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
  // Of an object's properties the first that is odd speaks for all.
  bool has_odd_property_ = false;
};

Result<Mission> Mission::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<DocumentFact> Mission::facts() const {
  const auto units =
      std::ranges::count_if(objects(), [](const Object& object) { return is_unit_path(object.resource_name); });
  return {{"paths", std::to_string(paths().size())},
          {"clans", std::to_string(clans().size())},
          {"objects", std::to_string(objects().size())},
          {"objects.units", std::to_string(units)},
          {"extras", std::to_string(extras().size())}};
}

namespace {

constexpr RecordInfo kRecords[] = {
    kInfoOf<kHeaderRecord>,      kInfoOf<kPathRecord>,         kInfoOf<kPointRecord>,
    kInfoOf<kClanSectionRecord>, kInfoOf<kClanName>,           kInfoOf<kClanRecord>,
    kInfoOf<kClanScript>,        kInfoOf<kZoneCountRecord>,    kInfoOf<kZoneRecord>,
    kInfoOf<kClanTree>,          kInfoOf<kMindsRecord>,        kInfoOf<kRelationCountRecord>,
    kInfoOf<kRelationClan>,      kInfoOf<kRelationRecord>,     kInfoOf<kObjectSectionRecord>,
    kInfoOf<kObjectRecord>,      kInfoOf<kObjectResource>,     kInfoOf<kPlacementRecord>,
    kInfoOf<kObjectInstance>,    kInfoOf<kLinksRecord>,        kInfoOf<kPropertyRecord>,
    kInfoOf<kPropertyName>,      kInfoOf<kLandPath>,           kInfoOf<kMissionFlagRecord>,
    kInfoOf<kDescription>,       kInfoOf<kExtraSectionRecord>, kInfoOf<kExtraRecord>,
};

constexpr NamePattern kNamePatterns[] = {{.pattern = "*.tma", .files_only = true}};

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Mission mission, Mission::parse(bytes, context, findings));
  return std::make_unique<Mission>(std::move(mission));
}

constexpr Format kFormat{.id = "tma",
                         .title = "mission",
                         .documentation = "docs/formats/tma.md",
                         .records = kRecords,
                         .name_patterns = kNamePatterns,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::tma
