#include "parsers/formats/unit_dat/unit_dat.h"
#include "parsers/base/byte_writer.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> unit_dat_seeds();

namespace {

using unit_dat::Component;

template <std::size_t Width>
FixedString<Width> with_tail(std::string_view text, std::string_view tail) {
  std::string whole(text);
  whole.append(1, '\0').append(tail);
  return FixedString<Width>::from_text(as_bytes(whole));
}

Component component(std::string_view key, std::int32_t link, std::uint32_t part_class, std::uint32_t children) {
  return {.archive_name = with_tail<32>("objects.rlb", "b\x01z"),
          .resource_name = with_tail<32>(key, "old tail"),
          .parent_or_link = link,
          .description = FixedString<32>::from_text(as_bytes("a part")),
          .tail0 = part_class,
          .tail1 = children};
}

Buffer unit(std::uint32_t type_word, const std::vector<Component>& components) {
  ByteWriter writer;
  unit_dat::kHeaderRecord.write({.type_word = type_word}, writer.grow(unit_dat::kHeaderRecord.size_bytes));
  for (const Component& part : components) {
    unit_dat::kComponentRecord.write(part, writer.grow(unit_dat::kComponentRecord.size_bytes));
  }
  return std::move(writer).take();
}

Seed seed(std::string name, Buffer bytes) {
  return {.name = std::move(name),
          .bytes = std::move(bytes),
          .item_name = "unit.dat",
          .folder = "UNITS/UNITS",
          .is_file = true};
}

}  // namespace

std::vector<Seed> unit_dat_seeds() {
  std::vector<Seed> seeds;
  seeds.push_back(seed("no_components", unit(0x01008000, {})));
  seeds.push_back(
      seed("tree_of_components", unit(0x01008000, {component("r_h_01", -1, 0, 2), component("t_01", 1, 1, 1),
                                                   component("g_01", 2, 4, 0), component("i_eng", 0, 3, 0)})));
  Component full = component("r_b_02", -1, 0, 0);
  full.description = FixedString<32>::from_text(as_bytes("a description of thirty-two byte"));
  seeds.push_back(seed("description_without_nul", unit(0x80010000, {full})));
  Component other = component("r_b_02", -1, 0, 7);
  other.kind = 2;
  seeds.push_back(seed("another_kind", unit(0x20000000, {other})));
  seeds.back().strict = seeds.back().compatible = Verdict::kFail;
  ByteWriter binding;
  unit_dat::kBindingRecord.write(
      {.archive_name = with_tail<32>("bases.rlb", ""), .model_name = with_tail<32>("r_h_01.msh", "")},
      binding.grow(unit_dat::kBindingRecord.size_bytes));
  seeds.push_back(seed("legacy_binding", std::move(binding).take()));
  seeds.back().strict = seeds.back().compatible = Verdict::kFail;
  return seeds;
}

}  // namespace assay::synth
