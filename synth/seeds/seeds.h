#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/base/findings.h"
#include "parsers/formats/format.h"

// Small inputs for every format: at least one for each way to be accepted and for each rule. They feed the contract
// test, the property tests of edits, the fuzz targets and the pages in docs/formats.
namespace assay::synth {

struct Seed {
  // What it shows, in snake_case; unique within its format.
  std::string name;
  Buffer bytes;
  // What its place would say of it.
  std::string item_name{};
  std::string folder{};
  std::optional<std::uint32_t> type_tag{};
  std::optional<std::array<std::uint32_t, 3>> attributes{};
  bool is_file = false;
  // What the two profiles make of it. Rules that are opt-in are enabled in neither.
  Verdict strict = Verdict::kOk;
  Verdict compatible = Verdict::kOk;

  // Valid while the seed lives.
  [[nodiscard]] ItemHints hints() const;
};

// The seeds of one format of parsers/formats.def; each is written in synth/seeds/FORMAT.cc. Requires: the format
// exists. Always the same. Cost: O(bytes).
[[nodiscard]] std::vector<Seed> seeds_of(std::string_view format_id);

struct FormatSeed {
  const Format* format = nullptr;
  Seed seed;
};

// The seeds of all formats, in the order of the catalogue: fuzz inputs name them by their place in it. Cost: O(bytes).
[[nodiscard]] std::vector<FormatSeed> all_seeds();

}  // namespace assay::synth
