#include "parsers/formats/bas/bas.h"
#include "parsers/base/byte_writer.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> bas_seeds();

namespace {

using Outline = std::vector<std::array<float, 3>>;

void write_contours(ByteWriter& writer, const std::vector<Outline>& contours, bool has_triangles) {
  writer.write(static_cast<std::uint32_t>(contours.size()));
  for (const Outline& outline : contours) {
    writer.write(static_cast<std::uint32_t>(outline.size()));
    for (std::size_t index = 0; index <= outline.size(); ++index) {
      bas::kPointRecord.write({.position = outline[index % outline.size()]}, writer.grow(bas::kPointRecord.size_bytes));
    }
    for (std::uint32_t index = 0; has_triangles && index < outline.size(); ++index) {
      writer.write(index + 20);
    }
    for (std::uint32_t index = 0; has_triangles && index < outline.size(); ++index) {
      writer.write(index % 3);
    }
  }
}

Seed seed(std::string name, const std::vector<Outline>& inner, const std::vector<Outline>& outer,
          Verdict verdict = Verdict::kOk) {
  ByteWriter writer;
  write_contours(writer, inner, true);
  write_contours(writer, outer, false);
  return {.name = std::move(name),
          .bytes = std::move(writer).take(),
          .item_name = "fr_m_brige.bas",
          .strict = verdict,
          .compatible = verdict};
}

}  // namespace

std::vector<Seed> bas_seeds() {
  const Outline triangle{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const Outline square{{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}};
  std::vector<Seed> seeds;
  seeds.push_back(seed("triangle_in_a_square", {triangle}, {square}));
  seeds.push_back(seed("square_in_a_triangle", {square}, {triangle}));
  Seed open = seed("open_contour", {triangle}, {square});
  open.bytes.back() = 1;
  seeds.push_back(std::move(open));
  seeds.push_back(seed("two_inner_contours", {triangle, triangle}, {square}, Verdict::kFail));
  seeds.push_back(seed("no_contours", {}, {}, Verdict::kFail));
  Seed longer = seed("bytes_behind", {triangle}, {square}, Verdict::kFail);
  longer.bytes.push_back(0);
  seeds.push_back(std::move(longer));
  return seeds;
}

}  // namespace assay::synth
