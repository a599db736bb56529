#include "parsers/formats/ani/ani.h"
#include "parsers/base/byte_writer.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> ani_seeds();

namespace {

Buffer chunk(std::uint32_t tag, Bytes body) {
  ByteWriter writer;
  ani::kChunkHeaderRecord.write({.tag = tag, .size = static_cast<std::uint32_t>(body.size())},
                                writer.grow(ani::kChunkHeaderRecord.size_bytes));
  writer.write_bytes(body);
  writer.align(2);
  return std::move(writer).take();
}

Buffer words(const std::vector<std::uint32_t>& values) {
  ByteWriter writer;
  for (const std::uint32_t value : values) {
    writer.write(value);
  }
  return std::move(writer).take();
}

Buffer header(std::uint32_t frames, std::uint32_t steps) {
  Buffer body(ani::kAnimationHeaderRecord.size_bytes);
  ani::kAnimationHeaderRecord.write(
      {.frames = frames, .steps = steps, .width = 32, .height = 32, .bits = 4, .planes = 1, .jiffies = 6, .flags = 1},
      body);
  return chunk(ani::kHeaderTag, body);
}

// Icons of 1, 2, ... bytes, so that odd ones are padded.
Buffer icons(std::size_t count) {
  ByteWriter writer;
  writer.write(ani::kFramesType);
  for (std::size_t index = 0; index < count; ++index) {
    writer.write_bytes(chunk(ani::kIconTag, Buffer(index + 1, std::uint8_t{0xEE})));
  }
  return chunk(ani::kListTag, std::move(writer).take());
}

Buffer file(const std::vector<Buffer>& chunks) {
  ByteWriter writer;
  ani::kFileHeaderRecord.write({}, writer.grow(ani::kFileHeaderRecord.size_bytes));
  for (const Buffer& one : chunks) {
    writer.write_bytes(one);
  }
  Buffer image = std::move(writer).take();
  ani::kFileHeaderRecord.write({.size = static_cast<std::uint32_t>(image.size() - 8)}, image);
  return image;
}

Seed seed(std::string name, Buffer bytes, Verdict verdict = Verdict::kOk) {
  return {.name = std::move(name),
          .bytes = std::move(bytes),
          .item_name = "arrow.ani",
          .is_file = true,
          .strict = verdict,
          .compatible = verdict};
}

}  // namespace

std::vector<Seed> ani_seeds() {
  const Buffer rates = chunk(ani::kRateTag, words({5, 6, 7}));
  const Buffer sequence = chunk(ani::kSequenceTag, words({0, 1, 0}));
  std::vector<Seed> seeds;
  seeds.push_back(seed("one_frame", file({header(1, 1), icons(1)})));
  seeds.push_back(seed("rates_and_sequence", file({header(2, 3), rates, sequence, icons(2)})));
  seeds.push_back(seed("other_chunks", file({chunk(0x4B4E554A, Buffer(5)), header(3, 3), icons(3)})));
  Seed trailing = seed("bytes_behind", file({header(1, 1), icons(1)}));
  trailing.bytes.push_back(0);
  seeds.push_back(std::move(trailing));
  seeds.push_back(seed("no_riff_file", {0x00, 0x00, 0x02, 0x00, 0x01, 0x00}));
  seeds.push_back(seed("nothing", {}));
  seeds.push_back(seed("an_icon_is_missing", file({header(2, 2), icons(1)}), Verdict::kFail));
  Seed past = seed("a_list_past_its_parent", file({header(1, 1), icons(1)}), Verdict::kFail);
  past.bytes[12 + 44 + 4] += 2;
  seeds.push_back(std::move(past));
  return seeds;
}

}  // namespace assay::synth
