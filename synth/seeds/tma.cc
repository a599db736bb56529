#include "parsers/formats/tma/tma.h"
#include "parsers/base/byte_writer.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> tma_seeds();

namespace {

void write_text(ByteWriter& writer, std::string_view text) {
  writer.write(static_cast<std::uint32_t>(text.size()));
  writer.write_bytes(as_bytes(text));
}

template <const auto& Table>
void write_record(ByteWriter& writer, const typename std::remove_cvref_t<decltype(Table)>::Value& value) {
  Table.write(value, writer.grow(Table.size_bytes));
}

struct RelationPlan {
  std::string other_clan{};
  std::int32_t value = 0;
};

struct ClanPlan {
  std::string name{};
  tma::ClanHead head{};
  std::string script_base = "MISSIONS\\SCRIPTS\\default";
  std::vector<tma::Zone> zones{};
  std::string tree_path{};
  std::uint32_t minds = 3;
  std::vector<RelationPlan> relations{};
};

struct PropertyPlan {
  tma::PropertyValue value{};
  std::string name{};
};

struct ObjectPlan {
  tma::ObjectHead head{};
  std::string resource_name{};
  tma::Placement placement{};
  std::string instance_name{};
  std::vector<PropertyPlan> properties{};
};

struct MissionPlan {
  std::vector<std::vector<tma::Point>> paths{};
  std::uint32_t clan_version = tma::kNewestClanVersion;
  std::vector<ClanPlan> clans{};
  std::vector<ObjectPlan> objects{};
  std::string land_path = "DATA\\MAPS\\Tut_1\\land";
  std::string description{};
  std::vector<tma::Extra> extras{};
};

void write_clan(ByteWriter& writer, const ClanPlan& clan, std::uint32_t version) {
  write_text(writer, clan.name);
  write_record<tma::kClanRecord>(writer, clan.head);
  if (version >= tma::kScriptSince) {
    write_text(writer, clan.script_base);
  }
  if (version >= tma::kZonesSince) {
    writer.write(static_cast<std::uint32_t>(clan.zones.size()));
    for (const tma::Zone& zone : clan.zones) {
      write_record<tma::kZoneRecord>(writer, zone);
    }
  }
  if (version >= tma::kTreeSince) {
    write_text(writer, clan.tree_path);
  }
  if (version >= tma::kMindsSince) {
    writer.write(clan.minds);
  }
  if (version >= tma::kRelationsSince) {
    writer.write(static_cast<std::uint32_t>(clan.relations.size()));
    for (const RelationPlan& relation : clan.relations) {
      write_text(writer, relation.other_clan);
      writer.write(relation.value);
    }
  }
}

void write_object(ByteWriter& writer, const ObjectPlan& object) {
  write_record<tma::kObjectRecord>(writer, object.head);
  write_text(writer, object.resource_name);
  write_record<tma::kPlacementRecord>(writer, object.placement);
  write_text(writer, object.instance_name);
  write_record<tma::kLinksRecord>(writer, {.property_count = static_cast<std::uint32_t>(object.properties.size())});
  for (const PropertyPlan& property : object.properties) {
    write_record<tma::kPropertyRecord>(writer, property.value);
    write_text(writer, property.name);
  }
}

Buffer mission_of(const MissionPlan& plan) {
  ByteWriter writer;
  write_record<tma::kHeaderRecord>(writer, {.path_count = static_cast<std::uint32_t>(plan.paths.size())});
  for (std::size_t index = 0; index < plan.paths.size(); ++index) {
    write_record<tma::kPathRecord>(writer, {.id = static_cast<std::int32_t>(100 + index),
                                            .point_count = static_cast<std::uint32_t>(plan.paths[index].size())});
    for (const tma::Point& point : plan.paths[index]) {
      write_record<tma::kPointRecord>(writer, point);
    }
  }
  write_record<tma::kClanSectionRecord>(writer, {plan.clan_version, static_cast<std::uint32_t>(plan.clans.size())});
  for (const ClanPlan& clan : plan.clans) {
    write_clan(writer, clan, plan.clan_version);
  }
  write_record<tma::kObjectSectionRecord>(writer,
                                          {tma::kObjectVersion, static_cast<std::uint32_t>(plan.objects.size())});
  for (const ObjectPlan& object : plan.objects) {
    write_object(writer, object);
  }
  write_text(writer, plan.land_path);
  writer.write(std::uint32_t{0});
  write_text(writer, plan.description);
  write_record<tma::kExtraSectionRecord>(writer, {tma::kExtraVersion, static_cast<std::uint32_t>(plan.extras.size())});
  for (const tma::Extra& extra : plan.extras) {
    write_record<tma::kExtraRecord>(writer, extra);
  }
  return std::move(writer).take();
}

ClanPlan nature() {
  return {.name = "Natur",
          .zones = {{.centre = {1, 2, 3}, .inner_radius = 20, .outer_radius = 40}},
          .relations = {{"Plr", 0}, {"Natur", 1}}};
}

ClanPlan player() {
  return {.name = "Plr",
          .head = {.anchor_x = 10, .anchor_y = 20, .mode = 1},
          .script_base = "MISSIONS\\SCRIPTS\\tut1_pl",
          .tree_path = "MISSIONS\\SCRIPTS\\auto.trf",
          .minds = 5,
          .relations = {{"Plr", 1}, {"Natur", 0}}};
}

ObjectPlan unit() {
  return {.head = {.raw_kind = 1},
          .resource_name = "UNITS\\UNITS\\HERO\\tut1_p.dat",
          .placement = {.logical_id = 5, .position = {433, 477, 14}, .orientation = {0, 0, -1.5F}},
          .instance_name = "tut1_p",
          .properties = {{{.type = 1, .max = 0xFFFFFFFF}, "ClanID"},
                         {{.value = 0x3F800000, .max = 0x3F800000}, "Life state"},
                         {{.type = 1, .value = 7}, "ClanID"}}};
}

ObjectPlan tree() {
  return {.head = {.raw_kind = 2},
          .resource_name = "s_tree_04",
          .placement = {.owner_clan = 0xFFFFFFFF, .position = {100, 200, 5}, .scale = {2.5F, 2.5F, 2.5F}}};
}

MissionPlan small_mission() {
  return {.paths = {{{{1, 2, 3}}, {{4, 5, 6}}}, {}},
          .clans = {player(), nature()},
          .objects = {unit(), tree()},
          .description = "Line of fire\xCD\xCDjunk",
          .extras = {{.position = {1, 2, 3}, .found = 1, .type = 0x10001000, .amount = 10000}}};
}

Seed seed(std::string name, const MissionPlan& plan, Verdict verdict = Verdict::kOk) {
  return {.name = std::move(name),
          .bytes = mission_of(plan),
          .item_name = "data.tma",
          .folder = "MISSIONS/CAMPAIGN/Tut.01",
          .is_file = true,
          .strict = verdict,
          .compatible = verdict};
}

}  // namespace

std::vector<Seed> tma_seeds() {
  std::vector<Seed> seeds;
  seeds.push_back(seed("empty", {}));
  seeds.push_back(seed("small_mission", small_mission()));
  for (std::uint32_t version = 1; version < tma::kNewestClanVersion; ++version) {
    MissionPlan older = small_mission();
    older.clan_version = version;
    seeds.push_back(seed("clan_version_" + std::to_string(version), older));
  }
  MissionPlan zones = small_mission();
  zones.clans[0].zones = {{.kind = 2, .centre = {7, 8, 9}, .inner_radius = 1, .outer_radius = 2}};
  seeds.push_back(seed("zones_of_a_player", zones));
  MissionPlan word = small_mission();
  word.objects[1].head.class_word = 2;
  seeds.push_back(seed("another_class_word", word, Verdict::kFail));
  MissionPlan property = small_mission();
  property.objects[0].properties[1].value.type = 2;
  seeds.push_back(seed("another_property_type", property, Verdict::kFail));
  MissionPlan land = small_mission();
  land.land_path = "MAPS\\Tut_1\\land";
  seeds.push_back(seed("land_path_elsewhere", land, Verdict::kFail));
  return seeds;
}

}  // namespace assay::synth
