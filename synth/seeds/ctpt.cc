#include "parsers/formats/ctpt/ctpt.h"
#include "parsers/base/byte_writer.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> ctpt_seeds();

namespace {

struct NamedPoint {
  ctpt::Point point;
  std::string_view name;
};

Buffer control_points(const std::vector<NamedPoint>& points) {
  ByteWriter writer;
  ctpt::kHeaderRecord.write({.count = static_cast<std::uint32_t>(points.size())},
                            writer.grow(ctpt::kHeaderRecord.size_bytes));
  for (const NamedPoint& one : points) {
    ctpt::kPointRecord.write(one.point, writer.grow(ctpt::kPointRecord.size_bytes));
  }
  for (const NamedPoint& one : points) {
    ctpt::kNameRecord.write({.text = FixedString<32>::from_text(as_bytes(one.name))},
                            writer.grow(ctpt::kNameRecord.size_bytes));
  }
  return std::move(writer).take();
}

Seed seed(std::string name, Buffer bytes) {
  return {.name = std::move(name), .bytes = std::move(bytes), .item_name = "r_h_01.cpt"};
}

}  // namespace

std::vector<Seed> ctpt_seeds() {
  std::vector<Seed> seeds;
  seeds.push_back(seed("no_points", control_points({})));
  seeds.push_back(seed("points_of_a_robot", control_points({
                                                {{.position = {0, 0, 1.5F}, .direction = {0, 0, 1}}, "Root"},
                                                {{.node = 2, .second_node = 2, .direction = {0, 1, 0}}, "TurretDirect"},
                                                {{.node = 1, .second_node = 3, .direction = {6, 0, 0}}, "Width"},
                                            })));
  seeds.push_back(
      seed("flags_and_a_full_name",
           control_points({{{.flags_raw = 0x80000000}, std::string_view("a_name_of_thirty_two_characters_")}})));
  seeds.push_back(seed("rare_flags", control_points({{{.flags_raw = 3}, "Dir"}})));
  Seed cut = seed("a_name_is_missing", control_points({{{}, "Exp_X"}}));
  cut.bytes.resize(cut.bytes.size() - 32);
  cut.strict = cut.compatible = Verdict::kFail;
  seeds.push_back(std::move(cut));
  return seeds;
}

}  // namespace assay::synth
