#include "parsers/formats/reference_array/reference_array.h"
#include "parsers/base/byte_writer.h"
#include "synth/nres_builder.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> reference_array_seeds();

namespace {

using reference_array::Reference;

Reference reference(std::string_view archive, std::string_view resource) {
  return {.archive_name = FixedString<32>::from_text(as_bytes(archive)),
          .resource_name = FixedString<32>::from_text(as_bytes(resource))};
}

Seed seed(std::string name, std::string_view tag, const std::vector<Reference>& references) {
  ByteWriter writer;
  for (const Reference& one : references) {
    reference_array::kReferenceRecord.write(one, writer.grow(reference_array::kReferenceRecord.size_bytes));
  }
  return {.name = std::move(name),
          .bytes = std::move(writer).take(),
          .item_name = "a_prototype",
          .type_tag = type_tag(tag)};
}

}  // namespace

std::vector<Seed> reference_array_seeds() {
  Reference tailed = reference("static.rlb", "s_tree_0_04.wea");
  tailed.resource_name.raw[20] = 0xCD;
  std::vector<Seed> seeds;
  seeds.push_back(seed(
      "scenery", "STAT",
      {reference("static.rlb", "s_tree_0_04.msh"), tailed, reference("static.rlb", "s_tree_0_04.cpt"),
       reference("static.rlb", "s_tree_0_04.ndp"), reference("static.rlb", "s_tree_0_04.ctl"), reference("", "")}));
  seeds.push_back(
      seed("building", "FORT", {reference("objects.rlb", "fr_m_brige"), reference("fortif.rlb", "fr_m_brige.bas")}));
  seeds.push_back(seed("names_without_nul", "SUNO",
                       {reference(std::string(32, 'a'), std::string(32, 'b')), reference("effects.rlb", "sun")}));
  seeds.push_back(seed("no_references", "WPNS", {}));
  Seed odd = seed("not_a_whole_reference", "INTO", {reference("intsys.rlb", "i_eng.msh")});
  odd.bytes.pop_back();
  odd.strict = odd.compatible = Verdict::kFail;
  seeds.push_back(std::move(odd));
  return seeds;
}

}  // namespace assay::synth
