#include "parsers/formats/wear/wear.h"

#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> wear_seeds();

namespace {

Seed seed(std::string name, std::string_view text) {
  const Bytes bytes = as_bytes(text);
  return {.name = std::move(name), .bytes = copy_of(bytes), .item_name = "model.wea", .type_tag = wear::kTypeTag};
}

Seed odd(std::string name, std::string_view text) {
  Seed made = seed(std::move(name), text);
  made.strict = made.compatible = Verdict::kFail;
  return made;
}

}  // namespace

std::vector<Seed> wear_seeds() {
  std::vector<Seed> seeds;
  seeds.push_back(seed("one_material", "1\r\n0 B_HULL.0\r\n"));
  seeds.push_back(seed("no_line_end", "2\n0 DEFAULT\n1 B_GLASS"));
  seeds.push_back(
      seed("lightmaps", "2\r\n0 R_WALL\r\n1 R_ROOF\r\n\r\nLIGHTMAPS\r\n2\r\n0 lm_wall.0\r\n1 lm_roof.0\r\n"));
  seeds.push_back(seed("no_lightmaps_in_the_section", "1\n0 R_WALL\n\nLIGHTMAPS\n0\n\n"));
  seeds.push_back(seed("loose_blanks", "  1 \n\t0   B_HULL.0  \n \n\n"));
  seeds.push_back(seed("loose_file", "1\r\n0 L_GRASS\r\n"));
  seeds.back().item_name = "Land1.wea";
  seeds.back().type_tag.reset();
  seeds.back().is_file = true;
  seeds.push_back(odd("ids_that_are_no_positions", "2\r\n100 MAT_A\r\n5 MAT_B\r\n"));
  seeds.push_back(odd("text_behind_a_name", "1\n0 B_HULL.0 painted red\n"));
  seeds.push_back(odd("no_blank_line", "1\n0 MAT\nLIGHTMAPS\n1\n0 LM\n"));
  return seeds;
}

}  // namespace assay::synth
