#include "parsers/formats/tma/tma.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "parsers/base/byte_writer.h"
#include "parsers/formats/format_test_support.h"

namespace assay::tma {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

// The first vector of docs/formats/tma.md: nothing but the path of the land.
Buffer empty_mission() {
  return hex(
      "01 00 00 00 00 00 00 00 06 00 00 00 00 00 00 00 0a 00 00 00 00 00 00 00 14 00 00 00"
      "44 41 54 41 5c 4d 41 50 53 5c 54 75 74 5f 31 5c 6c 61 6e 64 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00");
}

// The second: a path, two clans, two objects, a lode.
Buffer sample_mission() {
  return hex(R"(
      01000000 01000000  07000000 02000000 0000803f 00000040 00004040 00008040 0000a040 0000c040
      06000000 02000000
      03000000 506c72 ffffffff 00002041 0000a041 01000000
      18000000 4d495353494f4e535c534352495054535c747574315f706c 00000000
      19000000 4d495353494f4e535c534352495054535c6175746f2e747266 05000000
      02000000 03000000 506c72 01000000 05000000 4e61747572 00000000
      05000000 4e61747572 ffffffff 00000000 00000000 00000000
      18000000 4d495353494f4e535c534352495054535c64656661756c74
      01000000 01000000 0000803f 00000040 00004040 0000a041 00002042
      00000000 03000000 02000000 03000000 506c72 00000000 05000000 4e61747572 01000000
      0a000000 02000000
      01000000 02000080 1b000000 554e4954535c554e4954535c4845524f5c747574315f702e646174
      00000000 05000000 0080d843 cd8cee43 9a996141 00000000 00000000 c1cad1bf 0000803f 0000803f 0000803f
      06000000 747574315f70 00000000 ffffffff ffffffff 01000000 02000000
      01000000 00000000 00000000 ffffffff 06000000 436c616e4944
      00000000 0000803f 00000000 0000803f 0a000000 4c696665207374617465
      02000000 02000080 09000000 735f747265655f3034
      ffffffff 00000000 0000c842 00004843 0000a040 00000000 00000000 00000000 00002040 00002040 00002040
      00000000 00000000 ffffffff ffffffff 01000000 00000000
      14000000 444154415c4d4150535c5475745f315c6c616e64 00000000
      12000000 4c696e65206f662066697265cdcd6a756e6b
      01000000 01000000 0000803f 00000040 00004040 01000000 00100010 00401c46 00000000)");
}

Lines said_of(const Buffer& image, const ParseContext& context = {}) {
  return said_by<Mission>(image, context);
}

// The file of that name among the shared vectors, or nothing.
std::optional<Buffer> shared_vector(const char* name) {
  const char* shared = std::getenv("ASSAY_SHARED");
  std::ifstream file(std::filesystem::path(shared == nullptr ? "../shared" : shared) / "vectors" / name,
                     std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  return Buffer(std::istreambuf_iterator<char>(file), {});
}

TEST(Tma, VectorsAreTheSharedFiles) {
  const auto empty = shared_vector("tma_empty.tma");
  const auto sample = shared_vector("tma_sample.tma");
  if (!empty || !sample) {
    GTEST_SKIP() << "the shared test data is absent; set ASSAY_SHARED";
  }
  EXPECT_EQ(*empty, empty_mission());
  EXPECT_EQ(*sample, sample_mission());
}

TEST(Tma, ReadsTheEmptyMission) {
  ASSERT_EQ(empty_mission().size(), 64U);
  EXPECT_EQ(said_of(empty_mission()), Lines{});
}

TEST(Tma, ReadsTheSample) {
  const Buffer image = sample_mission();
  ASSERT_EQ(image.size(), 633U);
  EXPECT_EQ(said_of(image), Lines{});
  Findings findings;
  const auto mission = Mission::parse(image, {}, findings);
  ASSERT_TRUE(mission);
  ASSERT_EQ(mission->paths().size(), 1U);
  EXPECT_EQ(mission->paths()[0].id, 7);
  EXPECT_EQ(mission->paths()[0].points[1].position, (std::array<float, 3>{4, 5, 6}));
  ASSERT_EQ(mission->clans().size(), 2U);
  const Clan& player = mission->clans()[0];
  EXPECT_EQ(text_of(player.name), "Plr");
  EXPECT_EQ(player.head.anchor_y, 20);
  EXPECT_EQ(text_of(player.script_base), "MISSIONS\\SCRIPTS\\tut1_pl");
  EXPECT_EQ(text_of(player.tree_path), "MISSIONS\\SCRIPTS\\auto.trf");
  EXPECT_EQ(player.minds, 5U);
  ASSERT_EQ(player.relations.size(), 2U);
  EXPECT_EQ(text_of(player.relations[1].other_clan), "Natur");
  EXPECT_EQ(player.relations[0].value, 1);
  const Clan& nature = mission->clans()[1];
  ASSERT_EQ(nature.zones.size(), 1U);
  EXPECT_EQ(nature.zones[0].outer_radius, 40);
  EXPECT_EQ(text_of(mission->land_path()), "DATA\\MAPS\\Tut_1\\land");
  EXPECT_EQ(text_of(mission->description()), "Line of fire\xCD\xCDjunk");
  ASSERT_EQ(mission->extras().size(), 1U);
  EXPECT_EQ(mission->extras()[0].amount, 10000);
}

TEST(Tma, ReadsTheObjectsOfTheSample) {
  const Buffer image = sample_mission();
  Findings findings;
  const auto mission = Mission::parse(image, {}, findings);
  ASSERT_TRUE(mission);
  ASSERT_EQ(mission->objects().size(), 2U);
  const Object& hero = mission->objects()[0];
  EXPECT_EQ(text_of(hero.resource_name), "UNITS\\UNITS\\HERO\\tut1_p.dat");
  EXPECT_TRUE(is_unit_path(hero.resource_name));
  EXPECT_EQ(text_of(hero.instance_name), "tut1_p");
  EXPECT_EQ(hero.placement.logical_id, 5);
  EXPECT_EQ(hero.placement.position, (std::array<float, 3>{433, 477.1F, 14.1F}));
  EXPECT_EQ(hero.placement.orientation[2], -1.639F);
  ASSERT_EQ(hero.properties.size(), 2U);
  EXPECT_EQ(text_of(hero.properties[1].name), "Life state");
  EXPECT_EQ(hero.properties[0].value.max, 0xFFFFFFFFU);
  const Object& tree = mission->objects()[1];
  EXPECT_EQ(text_of(tree.resource_name), "s_tree_04");
  EXPECT_FALSE(is_unit_path(tree.resource_name));
  EXPECT_EQ(tree.placement.scale[0], 2.5F);
}

TEST(Tma, KnowsUnitPathsByTheirExtensionAlone) {
  EXPECT_TRUE(is_unit_path(as_bytes("a.DaT")));
  EXPECT_TRUE(is_unit_path(as_bytes(".dat")));
  EXPECT_FALSE(is_unit_path(as_bytes("dat")));
  EXPECT_FALSE(is_unit_path(as_bytes("a.dat2")));
  EXPECT_FALSE(is_unit_path({}));
}

// Where the parts of the sample start.
constexpr std::size_t kClans = 40;
constexpr std::size_t kPlayer = kClans + 8;
constexpr std::size_t kNature = kPlayer + 116;
constexpr std::size_t kObjects = 281;
constexpr std::size_t kHero = kObjects + 8;
constexpr std::size_t kHeroPlacement = kHero + 8 + 4 + 27;
constexpr std::size_t kHeroLinks = kHeroPlacement + 44 + 4 + 6;
constexpr std::size_t kTree = kHeroLinks + 20 + 26 + 30;
constexpr std::size_t kLand = kTree + 8 + 4 + 9 + 44 + 4 + 20;
constexpr std::size_t kExtras = kLand + 24 + 4 + 22;
constexpr std::uint32_t kNan = 0x7FC00000;
constexpr std::uint32_t kInfinity = 0xFF800000;

struct Row {
  const char* name;
  Buffer image;
  const char* said;
};

void expect_rows(std::span<const Row> rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(said_of(row.image), Lines{row.said}) << row.name;
  }
}

TEST(Tma, SaysExactlyWhatIsWrongWithTheWhole) {
  const Buffer sample = sample_mission();
  const Row rows[] = {
      {"empty", {}, "refused input_too_short @0 file"},
      {"seven bytes", truncated(sample, 7), "refused input_too_short @0 file"},
      {"a trailing byte", joined(sample, Buffer{0}), "refused trailing_bytes @633 file"},
      {"format version", with_u32(sample, 0, 2), "refused unsupported_version @0 header.format_version"},
      {"too many paths", with_u32(sample, 4, 16385), "refused limit_exceeded @4 header.path_count"},
      {"most paths", with_u32(sample, 4, 16384), "refused count_out_of_bounds @4 header.path_count"},
      {"paths past the end", with_u32(sample, 4, 79), "refused count_out_of_bounds @4 header.path_count"},
      {"too many points", with_u32(sample, 12, 1'000'001), "refused limit_exceeded @12 path[0].point_count"},
      {"points past the end", with_u32(sample, 12, 52), "refused count_out_of_bounds @12 path[0].point_count"},
      {"extra version", with_u32(sample, kExtras, 2), "refused unsupported_version @597 extra_section.version"},
      {"too many extras", with_u32(sample, kExtras + 4, 0xFFFFFFFF), "refused limit_exceeded @601 extra_section.count"},
      {"one extra more", with_u32(sample, kExtras + 4, 2), "refused count_out_of_bounds @601 extra_section.count"},
      {"one extra less", with_u32(sample, kExtras + 4, 0), "refused trailing_bytes @605 file"},
      {"land path elsewhere", with_byte(sample, kLand + 4, 'X'), "strict unexpected_value @547 mission.land_path"},
      {"land path past the end", with_u32(sample, kLand, 65536), "refused input_too_short @547 mission.land_path"},
      {"land path over the limit", with_u32(sample, kLand, 65537), "refused limit_exceeded @547 mission.land_path"},
      {"description past the end", with_u32(sample, kLand + 28, 59),
       "refused input_too_short @575 mission.description"},
      {"cut in the flag", truncated(sample, kLand + 26), "refused input_too_short @571 mission.flag"},
  };
  expect_rows(rows);
}

TEST(Tma, SaysExactlyWhatIsWrongWithClans) {
  const Buffer sample = sample_mission();
  const std::size_t zones = kNature + 53;
  const Row rows[] = {
      {"clan version 7", with_u32(sample, kClans, 7), "refused unsupported_version @40 clan_section.version"},
      {"clan version 0", with_u32(sample, kClans, 0), "refused unsupported_version @40 clan_section.version"},
      {"too many clans", with_u32(sample, kClans + 4, 16385), "refused limit_exceeded @44 clan_section.count"},
      {"clans past the end", with_u32(sample, kClans + 4, 15), "refused count_out_of_bounds @44 clan_section.count"},
      {"name past the end", with_u32(sample, kPlayer, 600), "refused input_too_short @48 clan[0].name"},
      {"mode 4", with_u32(sample, kPlayer + 19, 4), "refused unexpected_value @67 clan[0].mode"},
      {"too many zones", with_u32(sample, zones, 65537), "refused limit_exceeded @217 clan[1].zone_count"},
      {"zones past the end", with_u32(sample, zones, 18), "refused count_out_of_bounds @217 clan[1].zone_count"},
      {"kind of a zone", with_u32(sample, zones + 4, 2), "note unexpected_value @221 clan[1].zone[0].kind"},
      {"zones of a player", with_u32(sample, kNature + 21, 1), "note unexpected_value @217 clan[1].zone_count"},
      {"too many relations", with_u32(sample, kPlayer + 88, 65537),
       "refused limit_exceeded @136 clan[0].relation_count"},
      {"relations past the end", with_u32(sample, kPlayer + 88, 62),
       "refused count_out_of_bounds @136 clan[0].relation_count"},
      {"relation past the end", with_u32(sample, kPlayer + 92, 600),
       "refused input_too_short @140 clan[0].relation[0].other_clan"},
  };
  expect_rows(rows);
}

TEST(Tma, SaysExactlyWhatIsWrongWithObjects) {
  const Buffer sample = sample_mission();
  const Row rows[] = {
      {"version 9", with_u32(sample, kObjects, 9), "refused unsupported_version @281 object_section.version"},
      {"absurd count", with_u32(sample, kObjects + 4, 0xFFFFFFFF), "refused limit_exceeded @285 object_section.count"},
      {"past the end", with_u32(sample, kObjects + 4, 5), "refused count_out_of_bounds @285 object_section.count"},
      {"class word", with_u32(sample, kHero + 4, 2), "strict unexpected_value @293 object[0].class_word"},
      {"name past the end", with_u32(sample, kHero + 8, 333), "refused input_too_short @297 object[0].resource_name"},
      {"position", with_u32(sample, kHeroPlacement + 8, kNan), "refused non_finite @336 object[0].position"},
      {"orientation", with_u32(sample, kHeroPlacement + 28, kInfinity),
       "refused non_finite @348 object[0].orientation"},
      {"scale", with_u32(sample, kHeroPlacement + 36, kNan), "refused non_finite @360 object[0].scale"},
      {"property schema", with_u32(sample, kHeroLinks + 12, 2),
       "refused unsupported_version @394 object[0].property_schema_version"},
      {"too many properties", with_u32(sample, kHeroLinks + 16, 1'000'001),
       "refused limit_exceeded @398 object[0].property_count"},
      {"properties past the end", with_u32(sample, kHeroLinks + 16, 12),
       "refused count_out_of_bounds @398 object[0].property_count"},
      {"property type", with_u32(sample, kHeroLinks + 20, 2),
       "strict unexpected_value @402 object[0].property[0].type"},
      {"property name past the end", with_u32(sample, kHeroLinks + 36, 400),
       "refused input_too_short @418 object[0].property[0].name"},
      {"two property types", with_u32(with_u32(sample, kHeroLinks + 20, 2), kHeroLinks + 46, 9),
       "strict unexpected_value @402 object[0].property[0].type"},
      {"second object", with_u32(sample, kTree + 4, 0), "strict unexpected_value @462 object[1].class_word"},
  };
  expect_rows(rows);
}

// A count and the elements that it counts.
struct Listed {
  std::uint32_t count = 0;
  Buffer elements{};
};

Listed listed(std::uint32_t count, const Buffer& element) {
  Listed list{.count = count};
  for (std::uint32_t index = 0; index < count; ++index) {
    list.elements = joined(std::move(list.elements), element);
  }
  return list;
}

void append(ByteWriter& writer, const Listed& list) {
  writer.write(list.count);
  writer.write_bytes(list.elements);
}

struct Plan {
  Listed paths{};
  std::uint32_t clan_version = kNewestClanVersion;
  Listed clans{};
  Listed objects{};
  std::string_view land_path = kMapFolder;
  Listed extras{};
};

Buffer mission_of(const Plan& plan) {
  ByteWriter writer;
  writer.write(kFormatVersion);
  append(writer, plan.paths);
  writer.write(plan.clan_version);
  append(writer, plan.clans);
  writer.write(kObjectVersion);
  append(writer, plan.objects);
  writer.write(static_cast<std::uint32_t>(plan.land_path.size()));
  writer.write_bytes(as_bytes(plan.land_path));
  // The flag and an empty description.
  writer.write_zeros(8);
  writer.write(kExtraVersion);
  append(writer, plan.extras);
  return std::move(writer).take();
}

Buffer path_with(const Listed& points) {
  ByteWriter writer;
  writer.write_zeros(4);
  append(writer, points);
  return std::move(writer).take();
}

// A clan of nature, of the newest version, with empty texts.
Buffer clan_with(const Listed& zones, const Listed& relations) {
  ByteWriter writer;
  writer.write_zeros(4 + kClanRecord.size_bytes + 4);
  append(writer, zones);
  writer.write_zeros(8);
  append(writer, relations);
  return std::move(writer).take();
}

// An object without names, of 80 bytes and its properties.
Buffer object_with(const Listed& properties) {
  ByteWriter writer;
  writer.write_zeros(4);
  writer.write(kClassWord);
  writer.write_zeros(4 + kPlacementRecord.size_bytes + 4 + 12);
  writer.write(kPropertySchemaVersion);
  append(writer, properties);
  return std::move(writer).take();
}

// As many that a byte more for each would not fit into what follows them.
constexpr std::uint32_t kMany = 100;

TEST(Tma, ReadsAsManyOfTheLeastElementsAsFit) {
  const auto expect_read = [](const char* name, Listed Plan::* list, Listed elements) {
    Plan plan;
    plan.*list = std::move(elements);
    EXPECT_EQ(said_of(mission_of(plan)), Lines{}) << name;
  };
  expect_read("paths", &Plan::paths, listed(kMany, path_with({})));
  expect_read("points", &Plan::paths, listed(1, path_with(listed(kMany, Buffer(12)))));
  expect_read("clans", &Plan::clans, listed(kMany, clan_with({}, {})));
  expect_read("zones", &Plan::clans, listed(1, clan_with(listed(kMany, with_u32(Buffer(24), 0, 1)), {})));
  expect_read("relations", &Plan::clans, listed(1, clan_with({}, listed(kMany, Buffer(8)))));
  expect_read("objects", &Plan::objects, listed(kMany, object_with({})));
  expect_read("properties", &Plan::objects, listed(1, object_with(listed(kMany, Buffer(20)))));
  expect_read("extras", &Plan::extras, listed(kMany, Buffer(28)));
}

TEST(Tma, ReadsAsManyOfTheLeastClansOfOlderVersionsAsFit) {
  for (std::uint32_t version = 1; version < kNewestClanVersion; ++version) {
    Plan plan;
    plan.clan_version = version;
    plan.clans = listed(kMany, Buffer(4 + 16 + std::size_t{version - 1} * 4));
    EXPECT_EQ(said_of(mission_of(plan)), Lines{"note unexpected_value @8 clan_section.version"}) << version;
  }
}

TEST(Tma, NamesTheFirstOddPropertyOfEachObject) {
  Plan plan;
  plan.objects = listed(2, object_with(listed(1, with_u32(Buffer(20), 0, 2))));
  const Lines expected{"strict unexpected_value @104 object[0].property[0].type",
                       "strict unexpected_value @204 object[1].property[0].type"};
  EXPECT_EQ(said_of(mission_of(plan)), expected);
}

TEST(Tma, NotesTheFirstOddZoneOfAClan) {
  Plan plan;
  plan.clans = listed(1, clan_with(listed(2, with_u32(Buffer(24), 0, 2)), {}));
  EXPECT_EQ(said_of(mission_of(plan)), Lines{"note unexpected_value @44 clan[0].zone[0].kind"});
}

TEST(Tma, AcceptsTheMapFolderHoweverItIsWritten) {
  EXPECT_EQ(said_of(with_text(empty_mission(), 28, "data/maps/")), Lines{});
  Plan plan;
  plan.land_path = "..\\DATA\\MAPS\\x";
  EXPECT_EQ(said_of(mission_of(plan)), Lines{}) << "behind other folders";
}

TEST(Tma, NeverLooksAtTheDescription) {
  Buffer image = sample_mission();
  for (std::size_t offset = kLand + 32; offset < kExtras; ++offset) {
    image[offset] = 0xCD;
  }
  EXPECT_EQ(said_of(image), Lines{});
}

TEST(Tma, NotesOlderClansAndReadsWhatTheyHave) {
  // A mission with one clan of version 3, which ends with its zones.
  const Buffer image = hex(
      "01 00 00 00 00 00 00 00 03 00 00 00 01 00 00 00 01 00 00 00 50 ff ff ff ff 00 00 00 00 00 00 00 00 02 00 00 00"
      "01 00 00 00 53 00 00 00 00 0a 00 00 00 00 00 00 00 0a 00 00 00 44 41 54 41 5c 4d 41 50 53 5c"
      "00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00");
  EXPECT_EQ(said_of(image), Lines{"note unexpected_value @8 clan_section.version"});
  Findings findings;
  const auto mission = Mission::parse(image, {}, findings);
  ASSERT_TRUE(mission);
  EXPECT_EQ(mission->clan_version(), 3U);
  ASSERT_EQ(mission->clans().size(), 1U);
  EXPECT_EQ(text_of(mission->clans()[0].script_base), "S");
  EXPECT_TRUE(mission->clans()[0].tree_path.empty());
  EXPECT_TRUE(mission->clans()[0].relations.empty());
}

TEST(Tma, RefusesEveryPrefix) {
  const Buffer sample = sample_mission();
  for (std::size_t size = 0; size < sample.size(); ++size) {
    Findings findings;
    const Buffer prefix = truncated(sample, size);
    const auto mission = Mission::parse(prefix, {}, findings);
    ASSERT_FALSE(mission) << size;
    expect_sound_diagnostic(mission.error(), size, std::to_string(size));
  }
}

TEST(Tma, RefusesInputsOverTheLimit) {
  ParseContext context;
  context.limits.input_bytes = 63;
  EXPECT_EQ(said_of(empty_mission(), context), Lines{"refused limit_exceeded @0 file"});
}

}  // namespace
}  // namespace assay::tma
