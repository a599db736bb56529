#include "synth/game_parts.h"

#include <algorithm>

#include "parsers/base/byte_writer.h"

namespace assay::synth {
namespace {

constexpr std::size_t kNameBytes = 32;
constexpr std::uint32_t kNothing = 0xFFFFFFFF;
constexpr std::uint32_t kMaterialVersion = 6;

void write_fixed(ByteWriter& writer, std::string_view text, std::size_t width = kNameBytes) {
  writer.write_bytes(as_bytes(text.substr(0, width)));
  writer.write_zeros(width - std::min(text.size(), width));
}

void write_reference(ByteWriter& writer, const GameReference& reference) {
  write_fixed(writer, reference.archive);
  write_fixed(writer, reference.resource);
}

// A length and the bytes.
void write_text(ByteWriter& writer, std::string_view text) {
  writer.write(static_cast<std::uint32_t>(text.size()));
  writer.write_bytes(as_bytes(text));
}

void write_words(ByteWriter& writer, std::initializer_list<std::uint32_t> words) {
  for (const std::uint32_t word : words) {
    writer.write(word);
  }
}

void write_floats(ByteWriter& writer, std::initializer_list<float> numbers) {
  for (const float number : numbers) {
    writer.write(number);
  }
}

void write_rows(std::string& text, const std::vector<std::string_view>& names) {
  text += std::to_string(names.size()) + "\r\n";
  for (std::size_t row = 0; row < names.size(); ++row) {
    text += std::to_string(row) + ' ' + std::string(names[row]) + "\r\n";
  }
}

void write_object(ByteWriter& writer, std::string_view resource) {
  const bool is_unit = resource.ends_with(".dat");
  write_words(writer, {is_unit ? 1U : 2U, 0x80000002U});
  write_text(writer, resource);
  write_words(writer, {0, 0});
  write_floats(writer, {100, 200, 5, 0, 0, 0, 1, 1, 1});
  write_text(writer, "");
  write_words(writer, {0, kNothing, kNothing, 1, 0});
}

// A closed triangle; an inner one has a mesh triangle and a corner for each side.
void write_contour(ByteWriter& writer, bool is_inner) {
  writer.write<std::uint32_t>(3);
  write_floats(writer, {0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 0});
  if (is_inner) {
    write_words(writer, {0, 0, 0, 0, 1, 2});
  }
}

}  // namespace

Buffer make_reference_array(const std::vector<GameReference>& references) {
  ByteWriter writer;
  for (const GameReference& reference : references) {
    write_reference(writer, reference);
  }
  return std::move(writer).take();
}

Buffer make_unit(std::uint32_t type_word, const std::vector<std::string_view>& keys) {
  ByteWriter writer;
  write_words(writer, {0xF0F1, type_word});
  for (std::size_t index = 0; index < keys.size(); ++index) {
    const bool is_root = index == 0;
    write_reference(writer, {"objects.rlb", keys[index]});
    write_words(writer, {1, is_root ? kNothing : 0});
    write_fixed(writer, "a part");
    write_words(writer, {is_root ? 0U : 3U, is_root ? static_cast<std::uint32_t>(keys.size() - 1) : 0});
  }
  return std::move(writer).take();
}

Buffer make_wear(const std::vector<std::string_view>& materials, const std::vector<std::string_view>& lightmaps) {
  std::string text;
  write_rows(text, materials);
  if (!lightmaps.empty()) {
    text += "\r\nLIGHTMAPS\r\n";
    write_rows(text, lightmaps);
  }
  const Bytes bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

Buffer make_material(const std::vector<std::string_view>& textures) {
  ByteWriter writer;
  writer.write(static_cast<std::uint16_t>(textures.size()));
  writer.write<std::uint16_t>(0);
  writer.write<std::uint16_t>(0xFFFF);
  write_floats(writer, {1, 0});
  for (const std::string_view texture : textures) {
    writer.write_zeros(17);
    writer.write<std::int8_t>(-1);
    write_fixed(writer, texture, 16);
  }
  return std::move(writer).take();
}

Buffer make_control_points(const std::vector<std::string_view>& names) {
  ByteWriter writer;
  writer.write(static_cast<std::uint32_t>(names.size()));
  for (std::size_t index = 0; index < names.size(); ++index) {
    write_words(writer, {0, 0, 0});
    write_floats(writer, {0, 0, 1, 0, 1, 0});
  }
  for (const std::string_view name : names) {
    write_fixed(writer, name);
  }
  return std::move(writer).take();
}

Buffer make_damage_table(const std::vector<GameReference>& explosions) {
  ByteWriter writer;
  writer.write(static_cast<std::uint32_t>(explosions.size()));
  for (const GameReference& explosion : explosions) {
    writer.write<std::uint32_t>(1);
    write_floats(writer, {100, 1});
    write_reference(writer, explosion);
  }
  return std::move(writer).take();
}

Buffer make_explosion(const GameReference& effect) {
  constexpr std::size_t kSlots = 12;
  ByteWriter writer;
  writer.write<std::uint32_t>(1);
  write_floats(writer, {0, 2, 1, 1});
  writer.write<std::uint32_t>(0);
  write_reference(writer, effect);
  writer.write_zeros((kSlots - 1) * 2 * kNameBytes);
  return std::move(writer).take();
}

Buffer make_controller(const GameReference& component, const GameReference& action) {
  constexpr std::size_t kParameterBytes = 108;
  ByteWriter writer;
  write_words(writer, {0, 0, 0, 1, 1});
  writer.write_zeros(kParameterBytes);
  write_words(writer, {1, 0, 0, 0, 0, 0, kNothing});
  writer.write_zeros(0x6C - 0x1C);
  write_reference(writer, component);
  write_words(writer, {0, 0});
  writer.write<std::uint32_t>(0);
  for (int index = 1; index < 21; ++index) {
    writer.write(kNothing);
  }
  writer.write<std::uint32_t>(1);
  write_words(writer, {0x80000000, 0, 0, 1, 0, 0, 0, 0, 0});
  write_reference(writer, action);
  return std::move(writer).take();
}

Buffer make_outline() {
  ByteWriter writer;
  writer.write<std::uint32_t>(1);
  write_contour(writer, true);
  writer.write<std::uint32_t>(1);
  write_contour(writer, false);
  return std::move(writer).take();
}

Buffer make_effect() {
  ByteWriter writer;
  writer.write_zeros(48);
  write_floats(writer, {1, 1, 1});
  return std::move(writer).take();
}

Buffer make_behaviour() {
  constexpr std::uint32_t kNumber = 3;
  ByteWriter writer;
  write_words(writer, {1, 4, kNumber, 0});
  write_text(writer, "Courage");
  write_text(writer, "");
  write_floats(writer, {0.5F, 0.5F, 0, 1});
  return std::move(writer).take();
}

Buffer make_sky() {
  ByteWriter writer;
  write_words(writer, {kNothing, 5, 1});
  write_words(writer, {1, 0});
  write_words(writer, {0, 0, 0, 23, 59, 0, 0, 0});
  write_words(writer, {0, 0, 0, 24, 0, 0, 0, 0});
  write_words(writer, {0, 0, 0, 12, 0, 0, 0, 0, 0, 0});
  return std::move(writer).take();
}

Buffer make_mission(const GameMission& mission) {
  ByteWriter writer;
  write_words(writer, {1, 0, 6, 1});
  write_text(writer, "Player");
  write_words(writer, {kNothing, 0, 0, 1});
  write_text(writer, mission.script_base);
  writer.write<std::uint32_t>(0);
  write_text(writer, mission.tree_path);
  write_words(writer, {5, 0, 10, static_cast<std::uint32_t>(mission.objects.size())});
  for (const std::string& object : mission.objects) {
    write_object(writer, object);
  }
  write_text(writer, mission.land_path);
  writer.write<std::uint32_t>(0);
  write_text(writer, "A synthetic mission");
  write_words(writer, {1, 0});
  return std::move(writer).take();
}

Buffer make_archive(std::vector<GameMember> members) {
  NresLayout layout;
  for (GameMember& member : members) {
    const bool is_material = member.tag == "MAT0";
    layout.items.push_back({.row = {.type_id = type_tag(member.tag),
                                    .attr1 = member.attr1,
                                    .attr2 = is_material ? kMaterialVersion : member.attr2,
                                    .name = nres_name(member.name)},
                            .payload = std::move(member.payload)});
  }
  return build_nres(layout);
}

}  // namespace assay::synth
