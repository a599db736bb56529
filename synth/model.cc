#include <array>
#include <vector>

#include "parsers/base/byte_writer.h"
#include "synth/content.h"
#include "synth/nres_builder.h"

// A small model in the stream layout of the games' models.
namespace assay::synth {
namespace {

// The order in which the streams of a model without light maps stand.
constexpr std::array<std::uint32_t, 14> kStreamOrder{1, 2, 3, 4, 5, 15, 13, 6, 7, 8, 19, 9, 10, 17};

struct Stream {
  std::uint32_t count = 0;
  std::uint32_t frames = 0;
  std::uint32_t stride = 0;
  Buffer bytes{};
};

// A square grid of vertices half a unit apart, two triangles a cell.
struct Grid {
  std::uint32_t cells;
  std::vector<float> heights{};

  [[nodiscard]] std::uint32_t side() const { return cells + 1; }
  [[nodiscard]] std::uint32_t vertex_count() const { return side() * side(); }
  [[nodiscard]] std::uint32_t triangle_count() const { return cells * cells * 2; }
};

constexpr float kSpacing = 0.5F;
constexpr float kHighest = 4.0F;
constexpr std::uint16_t kNone = 0xFFFF;

Buffer node_stream() {
  ByteWriter writer;
  writer.write<std::uint16_t>(0);  // flags
  writer.write(kNone);             // no parent
  writer.write(kNone);             // no frame map
  writer.write<std::uint16_t>(0);  // fallback key
  writer.write<std::uint16_t>(0);  // slot of state 0, level 0
  for (int slot = 1; slot < 15; ++slot) {
    writer.write(kNone);
  }
  return std::move(writer).take();
}

void write_all(ByteWriter& writer, std::initializer_list<float> numbers) {
  for (const float number : numbers) {
    writer.write(number);
  }
}

Buffer slot_stream(const Grid& grid) {
  const float width = static_cast<float>(grid.cells) * kSpacing;
  ByteWriter writer;
  for (const float z : {0.0F, kHighest}) {
    write_all(writer, {0, 0, z, width, 0, z, width, width, z, 0, width, z});
  }
  const float middle = width * 0.5F;
  const float radius = width + kHighest;
  write_all(writer, {middle, middle, kHighest * 0.5F, radius});
  write_all(writer, {middle, middle, 0, middle, middle, kHighest, width});
  writer.write<std::uint16_t>(0);
  writer.write(static_cast<std::uint16_t>(grid.triangle_count()));
  writer.write<std::uint16_t>(0);
  writer.write<std::uint16_t>(1);
  write_all(writer, {0, 0, 0, width, width, kHighest, middle, middle, kHighest * 0.5F, radius});
  writer.write_zeros(20);
  return std::move(writer).take();
}

Buffer position_stream(const Grid& grid) {
  ByteWriter writer;
  for (std::uint32_t vertex = 0; vertex < grid.vertex_count(); ++vertex) {
    const std::uint32_t row = vertex / grid.side();
    const std::uint32_t column = vertex % grid.side();
    write_all(writer,
              {static_cast<float>(column) * kSpacing, static_cast<float>(row) * kSpacing, grid.heights[vertex]});
  }
  return std::move(writer).take();
}

Buffer normal_stream(const Grid& grid) {
  ByteWriter writer;
  for (std::uint32_t vertex = 0; vertex < grid.vertex_count(); ++vertex) {
    writer.write_bytes(std::array<std::uint8_t, 4>{0, 0, 127, 0});
  }
  return std::move(writer).take();
}

Buffer coordinate_stream(const Grid& grid) {
  ByteWriter writer;
  for (std::uint32_t vertex = 0; vertex < grid.vertex_count(); ++vertex) {
    writer.write(static_cast<std::uint16_t>(vertex % grid.side() * 1024 / grid.cells));
    writer.write(static_cast<std::uint16_t>(vertex / grid.side() * 1024 / grid.cells));
  }
  return std::move(writer).take();
}

Buffer batch_stream(const Grid& grid) {
  ByteWriter writer;
  writer.write<std::uint32_t>(0);  // flags, high selector
  writer.write<std::uint8_t>(0);   // material
  writer.write<std::uint8_t>(0xFF);
  writer.write(kNone);
  writer.write(static_cast<std::uint16_t>(grid.triangle_count() * 3));
  writer.write<std::uint32_t>(0);
  writer.write(static_cast<std::uint16_t>(grid.vertex_count()));
  writer.write<std::uint32_t>(0);
  return std::move(writer).take();
}

Buffer index_stream(const Grid& grid) {
  ByteWriter writer;
  for (std::uint32_t cell = 0; cell < grid.cells * grid.cells; ++cell) {
    const std::uint32_t corner = cell / grid.cells * grid.side() + cell % grid.cells;
    const std::uint32_t above = corner + grid.side();
    for (const std::uint32_t index : {corner, corner + 1, above, corner + 1, above + 1, above}) {
      writer.write(static_cast<std::uint16_t>(index));
    }
  }
  return std::move(writer).take();
}

// Flat normals and no neighbours: framing is what these descriptors are for here.
Buffer triangle_stream(const Grid& grid) {
  ByteWriter writer;
  for (std::uint32_t triangle = 0; triangle < grid.triangle_count(); ++triangle) {
    writer.write<std::uint16_t>(0);
    for (int link = 0; link < 3; ++link) {
      writer.write(kNone);
    }
    for (const int value : {0, 0, 32767, 0x3F}) {
      writer.write(static_cast<std::uint16_t>(value));
    }
  }
  return std::move(writer).take();
}

Buffer key_stream() {
  ByteWriter writer(24);
  write_all(writer, {0, 0, 0, 0});
  for (const int component : {32767, 0, 0, 0}) {
    writer.write(static_cast<std::uint16_t>(component));
  }
  return std::move(writer).take();
}

Buffer name_stream() {
  Buffer name(32);
  std::memcpy(name.data(), "root_m1o1", 9);
  return name;
}

Stream stream_of(std::uint32_t type, const Grid& grid) {
  const std::uint32_t vertices = grid.vertex_count();
  switch (type) {
    case 1: return {1, 0, 38, node_stream()};
    case 2: return {1, 0, 68, slot_stream(grid)};
    case 3: return {vertices, 0, 12, position_stream(grid)};
    case 4: return {vertices, 0, 4, normal_stream(grid)};
    case 5: return {vertices, 0, 4, coordinate_stream(grid)};
    case 6: return {grid.triangle_count() * 3, 0, 2, index_stream(grid)};
    case 7: return {grid.triangle_count(), 0, 16, triangle_stream(grid)};
    case 8: return {1, 0, 24, key_stream()};
    case 9: return {1, 0, 32, name_stream()};
    case 10: return {1, 0, 0, Buffer(4)};
    case 13: return {1, 0, 20, batch_stream(grid)};
    case 15: return {vertices, 0, 8, Buffer(std::size_t{vertices} * 8)};
    case 17: return {0, 0, 0, {}};
    default: return {0, 1, 2, {}};
  }
}

}  // namespace

Buffer make_model(std::uint32_t cells, Prng& prng) {
  Grid grid{.cells = cells};
  for (std::uint32_t vertex = 0; vertex < grid.vertex_count(); ++vertex) {
    grid.heights.push_back(static_cast<float>(prng.below(17)) * 0.25F);
  }
  NresLayout layout;
  for (const std::uint32_t type : kStreamOrder) {
    Stream stream = stream_of(type, grid);
    NresItem item;
    item.row.type_id = type;
    item.row.attr1 = stream.count;
    item.row.attr2 = stream.frames;
    item.row.attr3 = stream.stride;
    item.row.name = nres_name("Model");
    item.payload = std::move(stream.bytes);
    layout.items.push_back(std::move(item));
  }
  return build_nres(layout);
}

}  // namespace assay::synth
