#include "synth/content.h"

#include <array>
#include <string_view>

#include "parsers/base/byte_writer.h"

namespace assay::synth {
namespace {

constexpr std::array<std::string_view, 20> kWords{
    "iron ",  "assay ", "ore ",    "furnace ", "slag ",      "ingot ", "hull ", "turret ", "wheel ",  "track ",
    "north ", "south ", "engine ", "\r\n",     "  speed = ", "40 ",    "12.5 ", "; ",      "name = ", "armour "};

void add_text(ByteWriter& writer, Prng& prng) {
  writer.write_bytes(as_bytes(prng.pick(kWords)));
}

// Eight rows of one tile in which a few pixels differ.
void add_texture(ByteWriter& writer, Prng& prng) {
  const auto base = static_cast<std::uint16_t>(0xF000U | prng.below(0x1000));
  for (std::uint32_t pixel = 0; pixel < 64; ++pixel) {
    const bool is_noise = prng.below(32) == 0;
    const std::uint64_t shade = is_noise ? prng.below(16) : pixel % 8 / 4;
    writer.write(static_cast<std::uint16_t>(base ^ shade));
  }
}

// Halves and quarters only: exact in binary32, so that every compiler rounds alike.
void add_mesh(ByteWriter& writer, Prng& prng) {
  const auto row = static_cast<float>(prng.below(64));
  for (std::uint32_t column = 0; column < 4; ++column) {
    writer.write(static_cast<float>(column) * 0.5F);
    writer.write(row * 0.5F);
    writer.write(static_cast<float>(prng.below(16)) * 0.25F);
  }
}

void add_run(ByteWriter& writer, Prng& prng) {
  const std::uint8_t value = prng.byte();
  for (std::uint64_t left = prng.between(1, 100); left > 0; --left) {
    writer.write(value);
  }
}

void add_some(ContentKind kind, ByteWriter& writer, Prng& prng) {
  switch (kind) {
    case ContentKind::kText: return add_text(writer, prng);
    case ContentKind::kTexture: return add_texture(writer, prng);
    case ContentKind::kMesh: return add_mesh(writer, prng);
    case ContentKind::kRuns: return add_run(writer, prng);
    case ContentKind::kZeros: return writer.write<std::uint64_t>(0);
    case ContentKind::kSpaces: return writer.write<std::uint64_t>(0x2020'2020'2020'2020U);
    case ContentKind::kNoise:
    case ContentKind::kCount: return writer.write(prng.next());
  }
}

}  // namespace

Buffer make_content(ContentKind kind, std::size_t size_bytes, Prng& prng) {
  ByteWriter writer(size_bytes + 128);
  while (writer.position() < size_bytes) {
    add_some(kind, writer, prng);
  }
  Buffer bytes = std::move(writer).take();
  bytes.resize(size_bytes);
  return bytes;
}

Buffer make_any_content(std::size_t size_bytes, Prng& prng) {
  const auto kind = static_cast<ContentKind>(prng.below(static_cast<std::uint64_t>(ContentKind::kCount)));
  return make_content(kind, size_bytes, prng);
}

Buffer make_non_zero(std::size_t size_bytes, Prng& prng) {
  Buffer bytes(size_bytes);
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(prng.between(1, 255));
  }
  return bytes;
}

}  // namespace assay::synth
