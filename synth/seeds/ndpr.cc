#include "parsers/formats/ndpr/ndpr.h"
#include "parsers/base/byte_writer.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> ndpr_seeds();

namespace {

using ndpr::NodeDamage;

NodeDamage damage(std::uint32_t flags, float hit_points, std::string_view archive, std::string_view resource) {
  return {.flags = flags,
          .hit_points = hit_points,
          .density = 0.25F,
          .archive_name = FixedString<32>::from_text(as_bytes(archive)),
          .resource_name = FixedString<32>::from_text(as_bytes(resource))};
}

Buffer table(std::int32_t count, const std::vector<NodeDamage>& records) {
  ByteWriter writer;
  ndpr::kHeaderRecord.write({.count = count}, writer.grow(ndpr::kHeaderRecord.size_bytes));
  for (const NodeDamage& one : records) {
    ndpr::kNodeDamageRecord.write(one, writer.grow(ndpr::kNodeDamageRecord.size_bytes));
  }
  return std::move(writer).take();
}

Seed seed(std::string name, Buffer bytes, Verdict verdict = Verdict::kOk) {
  return {.name = std::move(name),
          .bytes = std::move(bytes),
          .item_name = "r_h_01.ndp",
          .strict = verdict,
          .compatible = verdict};
}

}  // namespace

std::vector<Seed> ndpr_seeds() {
  const NodeDamage linked = damage(0x40, 120, "weapon.rlb", "x_big.exp");
  NodeDamage tailed = damage(0, 1'000'000, "", "x_own.exp");
  tailed.resource_name.raw[12] = 0xCD;
  std::vector<Seed> seeds;
  seeds.push_back(seed("no_records", table(0, {})));
  seeds.push_back(seed("nodes_with_and_without_explosion", table(3, {linked, tailed, damage(1, 5, "", "")})));
  seeds.push_back(seed("names_without_nul", table(1, {damage(0x70, 1, std::string(32, 'a'), std::string(32, 'b'))})));
  seeds.push_back(seed("negative_count", table(-1, {linked}), Verdict::kFail));
  seeds.push_back(seed("one_record_less_than_counted", table(2, {linked}), Verdict::kFail));
  return seeds;
}

}  // namespace assay::synth
