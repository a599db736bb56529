#include "synth/seeds/seeds.h"

#include <cassert>
#include <utility>

#include "parsers/formats/catalogue.h"

namespace assay::synth {

// Each format's seeds are a function `FORMAT_seeds` in the file of that name.
#define ASSAY_FORMAT(id, ...) [[nodiscard]] std::vector<Seed> id##_seeds();
#include "parsers/formats.def"
#undef ASSAY_FORMAT

ItemHints Seed::hints() const {
  return {.name = as_bytes(item_name),
          .folder = as_bytes(folder),
          .type_tag = type_tag,
          .attributes = attributes,
          .is_file = is_file};
}

std::vector<Seed> seeds_of(std::string_view format_id) {
  struct Row {
    std::string_view id;
    std::vector<Seed> (*make)();
  };
  static constexpr Row kRows[] = {
#define ASSAY_FORMAT(id, ...) {#id, &id##_seeds},
#include "parsers/formats.def"
#undef ASSAY_FORMAT
  };
  for (const Row& row : kRows) {
    if (row.id == format_id) {
      return row.make();
    }
  }
  assert(false && "no such format");
  return {};
}

std::vector<FormatSeed> all_seeds() {
  std::vector<FormatSeed> seeds;
  for (const Format* format : all_formats()) {
    for (Seed& seed : seeds_of(format->id)) {
      seeds.push_back({format, std::move(seed)});
    }
  }
  return seeds;
}

}  // namespace assay::synth
