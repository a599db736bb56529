#include "parsers/formats/sund/sund.h"
#include "synth/nres_builder.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> sund_seeds();

// Stand-ins: no layout is known that could be written.
std::vector<Seed> sund_seeds() {
  const auto seed = [](std::string name, Buffer bytes) {
    return Seed{.name = std::move(name),
                .bytes = std::move(bytes),
                .item_name = "sun_01.sun",
                .type_tag = type_tag("SUND"),
                .attributes = std::array<std::uint32_t, 3>{2, 0, 6}};
  };
  return {seed("nothing", {}), seed("bytes_of_any_kind", {0xFF, 0x00, 0x80, 0x7F, 0x0A}),
          seed("rows_by_the_directory", {9, 9, 9, 9, 9, 9, 8, 8, 8, 8, 8, 8}),
          seed("rows_by_the_first_word", {3, 0, 0, 0, 1, 2, 1, 2, 1, 2})};
}

}  // namespace assay::synth
