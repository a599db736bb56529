#include "fuzz/seeds/target_seeds.h"

#include "fuzz/seeds/seed_functions.h"
#include "parsers/base/byte_writer.h"
#include "parsers/formats/catalogue.h"
#include "synth/content.h"
#include "synth/prng.h"
#include "synth/seeds/seeds.h"

namespace assay::fuzz {

namespace {

std::vector<TargetSeed> format_seeds(std::string_view name) {
  std::vector<TargetSeed> seeds;
  for (synth::Seed& seed : synth::seeds_of(name)) {
    seeds.push_back({std::move(seed.name), std::move(seed.bytes)});
  }
  return seeds;
}

}  // namespace

std::vector<FuzzTarget> all_targets() {
  std::vector<FuzzTarget> targets;
  for (const Format* format : all_formats()) {
    targets.push_back({format->id, format_seeds, format});
  }
#define ASSAY_FUZZ_TARGET(name, file) targets.push_back({#name, file##_seeds, nullptr});
#include "fuzz/fuzz_targets.def"
#undef ASSAY_FUZZ_TARGET
  return targets;
}

Buffer with_size(std::size_t size_bytes, Bytes packed) {
  ByteWriter writer;
  writer.write(static_cast<std::uint32_t>(size_bytes));
  writer.write_bytes(packed);
  return std::move(writer).take();
}

std::vector<TargetSeed> codec_seeds(std::string_view name, void (*pack)(Bytes plain, Buffer& out)) {
  std::vector<TargetSeed> seeds;
  synth::Prng prng(1);
  for (int kind = 0; kind < static_cast<int>(synth::ContentKind::kCount); ++kind) {
    const Buffer plain = synth::make_content(static_cast<synth::ContentKind>(kind), 300, prng);
    Buffer packed;
    pack(plain, packed);
    seeds.push_back(
        {"content" + std::to_string(kind), name.ends_with("_encode") ? plain : with_size(plain.size(), packed)});
  }
  return seeds;
}

void append_format_seeds(std::string_view format, std::vector<TargetSeed>& seeds) {
  for (synth::Seed& seed : synth::seeds_of(format)) {
    seeds.push_back({std::string(format) + '_' + seed.name, std::move(seed.bytes)});
  }
}

TargetSeed text_seed(std::string name, std::string_view text) {
  return {std::move(name), copy_of(as_bytes(text))};
}

}  // namespace assay::fuzz
