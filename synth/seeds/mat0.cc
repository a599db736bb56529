#include "parsers/formats/mat0/mat0.h"

#include "parsers/base/byte_writer.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> mat0_seeds();

namespace {

using mat0::Key;
using mat0::Phase;

struct Track {
  std::uint32_t header = 0;
  std::vector<Key> keys{};
};

Phase phase(std::string_view texture) {
  return {.ambient = {0xFF, 0xFF, 0xFF},
          .ambient_alpha = 100,
          .diffuse = {0xC0, 0x80, 0x40},
          .diffuse_alpha = 100,
          .specular = {1, 2, 3},
          .power = 20,
          .texture_name = FixedString<16>::from_text(as_bytes(texture))};
}

template <const auto& Table, typename Value>
void append(ByteWriter& writer, const Value& value) {
  Table.write(value, writer.grow(Table.size_bytes));
}

void append_metadata(ByteWriter& writer, std::uint32_t version) {
  const mat0::Metadata metadata{.a = 3, .c = 1.5F, .d = 10'000.0F};
  switch (version) {
    case 0:
    case 1: return;
    case 2: return append<mat0::kMetadata2Record>(writer, metadata);
    case 3: return append<mat0::kMetadata3Record>(writer, metadata);
    default: return append<mat0::kMetadataRecord>(writer, metadata);
  }
}

Buffer material(std::uint32_t version, const std::vector<Phase>& phases, const std::vector<Track>& tracks) {
  ByteWriter writer;
  append<mat0::kHeaderRecord>(writer, mat0::Header{.phase_count = static_cast<std::uint16_t>(phases.size()),
                                                   .animation_block_count = static_cast<std::uint16_t>(tracks.size())});
  append_metadata(writer, version);
  for (const Phase& each : phases) {
    append<mat0::kPhaseRecord>(writer, each);
  }
  for (const Track& track : tracks) {
    append<mat0::kAnimationRecord>(
        writer,
        mat0::AnimationBlock{.header = track.header, .key_count = static_cast<std::uint16_t>(track.keys.size())});
    for (const Key& key : track.keys) {
      append<mat0::kKeyRecord>(writer, key);
    }
  }
  return std::move(writer).take();
}

Seed seed(std::string name, std::uint32_t version, std::uint32_t flags, Buffer bytes) {
  return {.name = std::move(name),
          .bytes = std::move(bytes),
          .item_name = "B_HULL.0",
          .type_tag = mat0::kTypeTag,
          .attributes = std::array{flags, version, 0U}};
}

}  // namespace

std::vector<Seed> mat0_seeds() {
  std::vector<Seed> seeds;
  seeds.push_back(seed("empty_version_0", 0, 0, material(0, {}, {})));
  seeds.push_back(seed("still", 6, 2, material(6, {phase("B_HULL.0")}, {{0, {{0, 0, 0}}}})));
  seeds.push_back(seed("version_2", 2, 4, material(2, {phase("")}, {})));
  seeds.push_back(seed("version_3", 3, 8, material(3, {phase("SIXTEEN_BYTES.00")}, {})));
  const std::vector<Phase> fire{phase("FIRE_0.0"), phase("FIRE_1.0 "), phase("FIRE_2.0")};
  seeds.push_back(seed("ping_pong", 6, 8, material(6, fire, {{1, {{0, 0, 0}, {1, 100, 0}, {2, 250, 0}}}, {0x12, {}}})));
  seeds.push_back(seed("without_a_row", 6, 0, material(6, {phase("B_HULL.0")}, {{3, {{0, 40, 0}}}})));
  seeds.back().item_name = "hull.mat0";
  seeds.back().type_tag.reset();
  seeds.back().attributes.reset();
  seeds.back().is_file = true;
  seeds.push_back(seed("odd_block", 6, 0x54, material(6, {phase("B_HULL.0")}, {{7, {{0, 0, 5}}}})));
  seeds.push_back(seed("key_without_phase", 6, 0, material(6, {phase("B_HULL.0")}, {{0, {{0, 0, 0}, {1, 0, 0}}}})));
  seeds.back().strict = seeds.back().compatible = Verdict::kFail;
  seeds.push_back(seed("twenty_blocks", 6, 0, material(6, {}, std::vector<Track>(20))));
  seeds.back().strict = seeds.back().compatible = Verdict::kFail;
  return seeds;
}

}  // namespace assay::synth
