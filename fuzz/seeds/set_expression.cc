#include "fuzz/seeds/seed_functions.h"

namespace assay::fuzz {

std::vector<TargetSeed> set_expression_seeds(std::string_view /*target*/) {
  return {text_seed("number", "@entry[2].attr1=4294967295"),
          text_seed("hex", "A::B@header.xor_seed=0x1234"),
          text_seed("tag", "@entry[0].type_id='1234'"),
          text_seed("name", "#1@entry[0].name=A\\x00tail"),
          text_seed("bytes", "@header.opaque08=000102030405"),
          text_seed("floats", "@point[0].position=1.5,-0,nan"),
          text_seed("four_characters", "MESH"),
          text_seed("assignment", "left=right=more")};
}

}  // namespace assay::fuzz
