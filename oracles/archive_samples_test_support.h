#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "synth/nres_builder.h"
#include "synth/rsli_builder.h"
#include "synth/seeds/seeds.h"

// What tests that pin answers ask of each format: its seeds; of the two archives samples of their own, because their
// seeds are random and hold what the encoders of parsers/ make, which may pack better one day.
namespace assay::oracles {

// An entry for each method, the names in no order, the payloads in another one than the rows.
inline synth::RsliLayout every_method() {
  constexpr std::array kMethods{rsli::Method::kStored,  rsli::Method::kXor,   rsli::Method::kLzss,
                                rsli::Method::kXorLzss, rsli::Method::kLzhuf, rsli::Method::kXorLzhuf,
                                rsli::Method::kDeflate};
  constexpr std::array kNames{"GOLF", "ALPHA", "FOX", "BRAVO", "ECHO", "CHARLIE", "DELTA"};
  synth::RsliLayout layout{.physical_order = {6, 0, 5, 1, 4, 2, 3}, .seed = 0x1234};
  for (std::size_t index = 0; index < kMethods.size(); ++index) {
    const std::string plain = std::string(kNames[index]) + " says " + std::string(20 + index, '=') + " and ends";
    layout.items.push_back(synth::make_rsli_item(kNames[index], kMethods[index], as_bytes(plain)));
  }
  layout.items[2].gap_before = {1, 2, 3};
  // A byte that the decoder does not need.
  layout.items[4].packed.push_back(0x55);
  return layout;
}

// What rule deflate_eof_plus_one reads, where the file is called sprites.lib.
inline synth::RsliLayout one_byte_short() {
  synth::RsliLayout layout{.seed_is_packed_total = true};
  layout.items.push_back(synth::make_rsli_item("COCKPIT.TEX", rsli::Method::kDeflate, as_bytes("a cockpit")));
  layout.items.push_back(synth::make_rsli_item("INTERF8.TEX", rsli::Method::kDeflate, as_bytes("an interface")));
  layout.items.back().excess_bytes = 1;
  return layout;
}

inline std::vector<synth::Seed> rsli_samples() {
  const auto sample = [](const char* name, const synth::RsliLayout& layout, const char* file_name = "a.lib") {
    return synth::Seed{.name = name, .bytes = synth::build_rsli(layout), .item_name = file_name, .is_file = true};
  };
  synth::RsliLayout with_overlay = every_method();
  with_overlay.overlay = 32;
  synth::RsliLayout without_map = every_method();
  without_map.is_presorted = false;
  synth::RsliLayout row_twice_in_the_map = every_method();
  row_twice_in_the_map.sort_map = {1, 3, 5, 6, 4, 2, 2};
  return {sample("every_method", every_method()),
          sample("overlay", with_overlay),
          sample("map_made_by_the_reader", without_map),
          sample("row_twice_in_the_map", row_twice_in_the_map),
          sample("one_byte_past_the_end", one_byte_short(), "sprites.lib"),
          sample("the_same_under_another_name", one_byte_short()),
          sample("no_entries", {})};
}

// Four entries, one of them empty, the payloads in another order than the rows, with bytes that belong to none.
inline synth::NresLayout four_entries() {
  const auto item = [](std::string_view name, std::string_view payload, std::uint32_t attribute) {
    synth::NresItem made;
    made.row.type_id = synth::type_tag("TEXT");
    made.row.attr1 = attribute;
    made.row.attr2 = attribute + 1;
    made.row.attr3 = attribute + 2;
    made.row.name = synth::nres_name(name, "tail");
    made.payload.assign(payload.begin(), payload.end());
    return made;
  };
  synth::NresLayout layout{.physical_order = {2, 0, 3, 1}};
  layout.items = {item("delta", "12345", 1), item("Alpha.txt", "123456789", 10), item("charlie", "1234567", 100),
                  item("BRAVO", "", 1000)};
  layout.items[0].gap_before = {9, 9, 9};
  layout.trailing = {7, 7};
  return layout;
}

inline std::vector<synth::Seed> nres_samples() {
  const auto sample = [](const char* name, const synth::NresLayout& layout) {
    return synth::Seed{.name = name, .bytes = synth::build_nres(layout), .item_name = "a.lib", .is_file = true};
  };
  synth::NresLayout names_out_of_order = four_entries();
  names_out_of_order.sort_map = {1, 2, 3, 0};
  return {sample("four_entries", four_entries()), sample("names_out_of_order_in_the_map", names_out_of_order),
          sample("no_entries", {})};
}

inline std::vector<synth::Seed> samples_of(std::string_view format_id) {
  if (format_id == "rsli") {
    return rsli_samples();
  }
  return format_id == "nres" ? nres_samples() : synth::seeds_of(format_id);
}

}  // namespace assay::oracles
