#include "parsers/formats/expl/expl.h"
#include "parsers/base/byte_writer.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> expl_seeds();

namespace {

// An explosion of `version` whose first `slots_set` slots name an effect.
Buffer explosion(std::int32_t version, std::size_t slots_set) {
  constexpr std::array<std::uint8_t, 4> kOne{0x00, 0x00, 0x80, 0x3F};
  ByteWriter writer;
  expl::kHeaderRecord.write(
      {.kind_or_version = version, .damage = 250, .radius = 1.5F, .opaque0c = kOne, .opaque10 = kOne, .placement = 7},
      writer.grow(expl::kHeaderRecord.size_bytes));
  for (std::size_t index = 0; index < expl::kSlotCount; ++index) {
    expl::Slot slot;
    if (index < slots_set) {
      slot.archive_name = FixedString<32>::from_text(as_bytes("effects.rlb"));
      slot.resource_name = FixedString<32>::from_text(as_bytes("fx_boom"));
    }
    expl::kSlotRecord.write(slot, writer.grow(expl::kSlotRecord.size_bytes));
  }
  return std::move(writer).take();
}

Seed seed(std::string name, Buffer bytes, Verdict verdict = Verdict::kOk) {
  return {.name = std::move(name),
          .bytes = std::move(bytes),
          .item_name = "x_big.exp",
          .strict = verdict,
          .compatible = verdict};
}

}  // namespace

std::vector<Seed> expl_seeds() {
  std::vector<Seed> seeds;
  seeds.push_back(seed("no_damage", explosion(1, 0)));
  seeds.push_back(seed("direct_hit", explosion(2, 1)));
  seeds.push_back(seed("blast_on_every_ground", explosion(3, 12)));
  Seed tailed = seed("tails_behind_names", explosion(3, 2));
  tailed.bytes[expl::kHeaderRecord.size_bytes + 20] = 0xCD;
  seeds.push_back(std::move(tailed));
  seeds.push_back(seed("a_version_never_shipped", explosion(4, 1), Verdict::kFail));
  Seed longer = seed("a_known_version_of_another_size", explosion(1, 1), Verdict::kFail);
  longer.bytes.push_back(0);
  seeds.push_back(std::move(longer));
  return seeds;
}

}  // namespace assay::synth
