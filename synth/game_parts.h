#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/base/bytes.h"
#include "synth/nres_builder.h"

// The payloads of a small synthetic game folder, each written from its byte table (docs/formats). They are made of what
// refers to something; everything else is as plain as the format allows.
namespace assay::synth {

// An archive and a resource in it.
struct GameReference {
  std::string_view archive;
  std::string_view resource;
};

// What a prototype consists of; slots without names stay empty.
[[nodiscard]] Buffer make_reference_array(const std::vector<GameReference>& references);
// A unit whose components are these keys of objects.rlb, all of them below the first.
[[nodiscard]] Buffer make_unit(std::uint32_t type_word, const std::vector<std::string_view>& keys);
// Rows of materials and, where there are any, of lightmaps.
[[nodiscard]] Buffer make_wear(const std::vector<std::string_view>& materials,
                               const std::vector<std::string_view>& lightmaps = {});
// One phase for each texture; an empty name is a phase without one.
[[nodiscard]] Buffer make_material(const std::vector<std::string_view>& textures);
[[nodiscard]] Buffer make_control_points(const std::vector<std::string_view>& names);
[[nodiscard]] Buffer make_damage_table(const std::vector<GameReference>& explosions);
// Slot 0 is the effect.
[[nodiscard]] Buffer make_explosion(const GameReference& effect);
// A controller with one component and one group of one action, which name a resource each.
[[nodiscard]] Buffer make_controller(const GameReference& component, const GameReference& action);
// A building's outline: one inner and one outer triangle.
[[nodiscard]] Buffer make_outline();
// An effect without commands.
[[nodiscard]] Buffer make_effect();
// A behaviour profile of one number.
[[nodiscard]] Buffer make_behaviour();
// An atmosphere without keyframes.
[[nodiscard]] Buffer make_sky();

struct GameMission {
  std::string land_path{};
  std::string script_base{};
  std::string tree_path{};
  // Paths of units and keys of prototypes.
  std::vector<std::string> objects{};
};
[[nodiscard]] Buffer make_mission(const GameMission& mission);

// An archive of named members: name, type tag, payload; attributes 1 to 3.
struct GameMember {
  std::string_view name;
  std::string_view tag;
  Buffer payload;
  std::uint32_t attr1 = 0;
  std::uint32_t attr2 = 0;
};
[[nodiscard]] Buffer make_archive(std::vector<GameMember> members);

}  // namespace assay::synth
