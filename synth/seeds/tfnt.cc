#include "parsers/formats/tfnt/tfnt.h"
#include "parsers/base/byte_writer.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> tfnt_seeds();

namespace {

// Bytes that differ everywhere show that opaque ones stay.
Buffer font(std::string_view texture) {
  ByteWriter writer;
  writer.write(tfnt::kMagic);
  while (writer.position() < tfnt::kTextureOffset) {
    writer.write(static_cast<std::uint8_t>(writer.position() * 7));
  }
  writer.write_bytes(as_bytes(texture));
  return std::move(writer).take();
}

Seed seed(std::string name, Buffer bytes, Verdict verdict = Verdict::kOk) {
  return {.name = std::move(name),
          .bytes = std::move(bytes),
          .item_name = "ARIALTEX.TFT",
          .strict = verdict,
          .compatible = verdict};
}

}  // namespace

std::vector<Seed> tfnt_seeds() {
  std::vector<Seed> seeds;
  seeds.push_back(seed("font_with_a_texture", font("Texm and what follows")));
  seeds.push_back(seed("no_texture", font(""), Verdict::kFail));
  Seed cut = seed("the_last_glyph_is_cut", font(""), Verdict::kFail);
  cut.bytes.pop_back();
  seeds.push_back(std::move(cut));
  return seeds;
}

}  // namespace assay::synth
