#include "parsers/formats/nres/nres.h"
#include "synth/content.h"
#include "synth/corpus.h"
#include "synth/game_parts.h"
#include "synth/seeds/seeds.h"

// A small game folder in which everything refers to something. The first mission reaches only what is sound; every
// fault is reached from the second mission alone, or from none.
namespace assay::synth {
namespace {

constexpr std::uint32_t kUnitType = 0x01008000;
constexpr std::uint32_t kBuildingType = 0x80000002;
constexpr std::string_view kModelTag = "MESH";

class GamePlan {
 public:
  explicit GamePlan(std::uint64_t seed) : prng_(seed) {}

  std::vector<CorpusFile> run() {
    add_objects();
    add_models();
    add_materials();
    add_effects();
    add_units();
    add_environment();
    add_missions();
    return std::move(files_);
  }

 private:
  void add(std::string path, Buffer bytes, std::uint64_t archive_entries = 0) {
    files_.push_back({std::move(path), std::move(bytes), archive_entries});
  }
  void add_archive(std::string path, std::vector<GameMember> members) {
    std::uint64_t entries = members.size();
    for (const GameMember& member : members) {
      entries += member.tag == kModelTag ? kModelStreams : 0;
    }
    add(std::move(path), make_archive(std::move(members)), entries);
  }
  Buffer model() { return make_model(2, prng_); }
  Buffer text(std::string_view words) {
    const Bytes bytes = as_bytes(words);
    return {bytes.begin(), bytes.end()};
  }

  static GameMember prototype(std::string_view key, std::string_view tag,
                              const std::vector<GameReference>& references) {
    return {.name = key, .tag = tag, .payload = make_reference_array(references)};
  }

  void add_objects() {
    add_archive("objects.rlb",
                {prototype("r_h_01", "BTLU",
                           {{"bases.rlb", "r_h_01.msh"},
                            {"bases.rlb", "r_h_01.wea"},
                            {"bases.rlb", "r_h_01.cpt"},
                            {"bases.rlb", "r_h_01.ndp"},
                            {"bases.rlb", "r_h_01.ctl"},
                            {"behpsp.res", "r_h_01.var"},
                            {"", ""}}),
                 prototype("i_engine", "INTO", {{"bases.rlb", "i_engine.msh"}, {"bases.rlb", "i_engine.wea"}}),
                 prototype("s_tree_04", "STAT", {{"static.rlb", "s_tree_0_04.msh"}, {"static.rlb", "s_tree_0_04.wea"}}),
                 prototype("fr_base", "BTLU", {{"fortif.rlb", "fr_base.msh"}, {"fortif.rlb", "fr_base.wea"}}),
                 prototype("fr_l_01", "FORT", {{"objects.rlb", "fr_base"}, {"fortif.rlb", "fr_l_01.bas"}}),
                 prototype("sun_01", "SUNO", {{"system.rlb", "sun_01.sun"}, {"effects.rlb", "fx_sun"}}),
                 // What only the second mission reaches.
                 prototype("fr_old", "FORT", {{"fortif.rlb", "fr_old.bas"}}),
                 prototype("x_spare", "STAT", {{"static.rlb", "x_gone.msh"}, {"static.rlb", "s_tree_0_04.msh"}}),
                 prototype("x_cycle_a", "FORT", {{"objects.rlb", "x_cycle_b"}}),
                 prototype("x_cycle_b", "FORT", {{"objects.rlb", "x_cycle_a"}}),
                 prototype("x_orphan", "FORT", {{"objects.rlb", "x_nobody"}, {"fortif.rlb", "fr_l_01.bas"}}),
                 prototype("x_broken", "STAT", {{"static.rlb", "x_gone.msh"}, {"nowhere.rlb", "x_gone.msh"}}),
                 prototype("x_bare", "STAT", {{"static.rlb", "x_bare.msh"}, {"static.rlb", "x_gone.ctl"}}),
                 prototype("x_worn", "STAT", {{"static.rlb", "x_worn.msh"}}),
                 // What no mission reaches.
                 prototype("x_lost", "STAT", {{"static.rlb", "x_lost.msh"}}),
                 prototype("x_dull", "WPNS", {{"bases.rlb", "r_h_01.cpt"}})});
  }

  void add_models() {
    add_archive("bases.rlb",
                {{"r_h_01.msh", kModelTag, model()},
                 {"r_h_01.wea", "WEAR", make_wear({"M_HULL", "M_GLASS"})},
                 {"r_h_01.cpt", "CTPT", make_control_points({"Root", "TurretCenter"})},
                 {"r_h_01.ndp", "NDPR", make_damage_table({{"", "boom.exp"}, {"system.rlb", "bang.exp"}, {"", ""}})},
                 {"r_h_01.ctl", "CTLD", make_controller({"effects.rlb", "fx_engine"}, {"effects.rlb", "fx_step"})},
                 {"boom.exp", "EXPL", make_explosion({"effects.rlb", "fx_boom"})},
                 {"i_engine.msh", kModelTag, model()},
                 {"i_engine.wea", "WEAR", make_wear({"M_HULL"})}});
    add_archive("static.rlb", {{"s_tree_0_04.msh", kModelTag, model()},
                               {"s_tree_0_04.wea", "WEAR", make_wear({"M_LEAF"})},
                               {"x_bare.msh", kModelTag, model()},
                               {"x_bare.wea", "WEAR", make_wear({"M_NONE", "M_TORN"}, {"fr_base.0", "lm_gone"})},
                               {"x_worn.msh", kModelTag, model()}});
    add_archive("fortif.rlb", {{"fr_base.msh", kModelTag, model()},
                               {"fr_base.wea", "WEAR", make_wear({"M_HULL"}, {"fr_base.0"})},
                               {"fr_l_01.bas", "BASE", make_outline()},
                               {"fr_old.bas", "BASE", make_outline()},
                               {"fr_old.msh", kModelTag, model()},
                               {"fr_old.wea", "WEAR", make_wear({"M_GLASS"})}});
  }

  void add_materials() {
    add_archive("Material.lib", {{"M_HULL", "MAT0", make_material({"hull.0", "", "hull_lit.0"})},
                                 {"M_GLASS", "MAT0", make_material({""})},
                                 {"M_LEAF", "MAT0", make_material({"leaf.0"})},
                                 {"M_GROUND", "MAT0", make_material({"ground.0"})},
                                 {"M_TORN", "MAT0", make_material({"torn.0"})},
                                 {"DEFAULT", "MAT0", make_material({"hull.0"})}});
    std::vector<GameMember> textures;
    for (const std::string_view name : {"hull.0", "hull_lit.0", "leaf.0", "ground.0"}) {
      textures.push_back({name, "Texm", make_texture(8, 8, prng_)});
    }
    add_archive("Textures.lib", std::move(textures));
    add_archive("LightMap.lib", {{"fr_base.0", "Texm", make_texture(8, 8, prng_)}});
  }

  void add_effects() {
    std::vector<GameMember> effects;
    for (const std::string_view name : {"fx_engine", "fx_step", "fx_boom", "fx_bang", "fx_sun"}) {
      effects.push_back({name, "FXID", make_effect()});
    }
    add_archive("effects.rlb", std::move(effects));
    add_archive("system.rlb", {{"sun_01.sun", "SUND", text("parameters of a sun")},
                               {"bang.exp", "EXPL", make_explosion({"effects.rlb", "fx_bang"})}});
    add_archive("behpsp.res", {{"r_h_01.var", "VARS", make_behaviour()}});
  }

  void add_units() {
    add("UNITS/UNITS/HERO/hero.dat", make_unit(kUnitType, {"r_h_01", "i_engine", "i_engine"}));
    add("UNITS/UNITS/x_bad.dat", make_unit(kUnitType, {"r_h_01", "x_unknown"}));
    add("UNITS/BUILDS/fort.dat", make_unit(kBuildingType, {"fr_l_01"}));
    add("UNITS/BUILDS/x_lost.dat", make_unit(kBuildingType, {"x_nothing"}));
  }

  void add_environment() {
    add("DATA/MAPS/Map_1/Land.msh", make_model(4, prng_), kModelStreams);
    add_archive("DATA/MAPS/Map_1/Land.map", {{"Areal", "DATA", text("areas")}});
    add("DATA/MAPS/Map_1/Land1.wea", make_wear({"M_GROUND", "M_LEAF"}));
    add("DATA/MAPS/Map_1/Land2.wea", make_wear({"M_GROUND"}));
    add("MISSIONS/SCRIPTS/player.scr", text("a script"));
    add_tree("MISSIONS/SCRIPTS/auto.trf");
  }

  // A research tree refers to nothing, so that any will do.
  void add_tree(std::string path) {
    const Seed tree = seeds_of("trf").front();
    Findings findings;
    const auto archive = nres::Archive::parse(tree.bytes, {}, findings);
    add(std::move(path), tree.bytes, archive->member_count());
  }

  void add_mission(const std::string& folder, const std::string& map, std::vector<std::string> objects) {
    add(folder + "/data.tma", make_mission({.land_path = "DATA\\MAPS\\" + map + "\\land",
                                            .script_base = "MISSIONS\\SCRIPTS\\player",
                                            .tree_path = "MISSIONS\\SCRIPTS\\auto.trf",
                                            .objects = std::move(objects)}));
    add(folder + "/sky.wea", make_wear({"M_GLASS"}));
    add(folder + "/sky.ske", make_sky());
    add(folder + "/mission.cfg", text("[mission]\r\n"));
    add(folder + "/descr", text("A synthetic mission\r\n"));
    add(folder + "/Mistips.mis", text("0\r\n"));
  }

  void add_missions() {
    add_mission("MISSIONS/Single.01", "Map_1",
                {"UNITS\\UNITS\\HERO\\hero.dat", "units\\builds\\FORT.DAT", "s_tree_04", "S_TREE_04", "sun_01"});
    add_mission(
        "MISSIONS/Single.02", "Map_2",
        {"UNITS\\UNITS\\HERO\\hero.dat", "UNITS\\UNITS\\x_bad.dat", "UNITS\\x_gone.dat", "..\\x_out.dat",
         "s_tree_04.msh", "fr_old", "x_spare", "x_cycle_a", "x_orphan", "x_broken", "x_bare", "x_worn", "x_unknown"});
  }

  static constexpr std::uint64_t kModelStreams = 14;

  Prng prng_;
  std::vector<CorpusFile> files_;
};

}  // namespace

std::vector<CorpusFile> make_game_corpus(std::uint64_t seed) {
  return GamePlan(seed).run();
}

}  // namespace assay::synth
