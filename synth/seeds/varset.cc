#include "parsers/formats/varset/varset.h"
#include "parsers/base/byte_writer.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> varset_seeds();

namespace {

struct Variable {
  std::uint32_t kind;
  std::string_view name;
  std::array<std::uint32_t, 4> values;
  std::string_view second_text{};
};

void write_text(ByteWriter& writer, std::string_view text) {
  writer.write(static_cast<std::uint32_t>(text.size()));
  writer.write_bytes(as_bytes(text));
}

Seed seed(std::string name, const std::vector<Variable>& variables, Verdict verdict = Verdict::kOk) {
  ByteWriter writer;
  writer.write(static_cast<std::uint32_t>(variables.size()));
  for (const Variable& variable : variables) {
    varset::kItemRecord.write({.kind = variable.kind}, writer.grow(varset::kItemRecord.size_bytes));
    write_text(writer, variable.name);
    write_text(writer, variable.second_text);
    for (const std::uint32_t value : variable.values) {
      writer.write(value);
    }
  }
  return {.name = std::move(name),
          .bytes = std::move(writer).take(),
          .item_name = "r_h_01.var",
          .strict = verdict,
          .compatible = verdict};
}

}  // namespace

std::vector<Seed> varset_seeds() {
  constexpr std::uint32_t kHalf = 0x3F000000;
  constexpr std::uint32_t kOne = 0x3F800000;
  const Variable fear{varset::kFloat, "Fear", {kHalf, kOne, 0, kOne}};
  std::vector<Seed> seeds;
  seeds.push_back(seed("no_variables", {}));
  seeds.push_back(seed("one_of_each_kind",
                       {fear, {varset::kBool, "Run", {1, 0, 0, 1}}, {varset::kDword, "", {9, 0, 0, 0xFFFFFFFF}}}));
  seeds.push_back(seed("an_unknown_kind", {fear, {4, "Odd", {1, 2, 3, 4}}}, Verdict::kFail));
  seeds.push_back(seed("a_second_text", {{varset::kBool, "Run", {0, 0, 0, 1}, "why"}}, Verdict::kFail));
  Seed cut = seed("the_last_value_is_cut", {fear}, Verdict::kFail);
  cut.bytes.pop_back();
  seeds.push_back(std::move(cut));
  return seeds;
}

}  // namespace assay::synth
