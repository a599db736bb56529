#include "parsers/formats/fxid/fxid.h"
#include "parsers/base/byte_writer.h"
#include "synth/nres_builder.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> fxid_seeds();

namespace {

Seed seed(std::string name, std::initializer_list<std::uint32_t> opcodes, Verdict verdict = Verdict::kOk) {
  ByteWriter writer;
  fxid::kHeaderRecord.write(
      {.command_count = static_cast<std::uint32_t>(opcodes.size()), .time_mode = 1, .duration = 2, .scale = {1, 1, 1}},
      writer.grow(fxid::kHeaderRecord.size_bytes));
  for (const std::uint32_t opcode : opcodes) {
    const fxid::Command command{.opcode = opcode};
    writer.write(opcode);
    // The bodies are opaque; bytes that differ show that they stay.
    for (std::size_t at = 4; command.type() < fxid::kCommandBytes.size() && at < fxid::kCommandBytes[command.type()];
         ++at) {
      writer.write(static_cast<std::uint8_t>(at * 7 + opcode));
    }
  }
  return {.name = std::move(name),
          .bytes = std::move(writer).take(),
          .item_name = "fx_boom",
          .type_tag = type_tag("FXID"),
          .strict = verdict,
          .compatible = verdict};
}

}  // namespace

std::vector<Seed> fxid_seeds() {
  std::vector<Seed> seeds;
  seeds.push_back(seed("no_commands", {}));
  seeds.push_back(seed("every_shipped_type", {1, 2, 3, 4, 5, 7, 8, 9, 10}));
  seeds.push_back(seed("flagged_commands", {0x105, 0x102}));
  seeds.push_back(seed("a_type_never_shipped", {6, 5}));
  seeds.push_back(seed("an_unknown_type", {5, 11}, Verdict::kFail));
  Seed cut = seed("a_command_is_cut", {5, 5}, Verdict::kFail);
  cut.bytes.pop_back();
  seeds.push_back(std::move(cut));
  return seeds;
}

}  // namespace assay::synth
