#include "parsers/formats/msh/views.h"

#include "parsers/formats/msh/msh_test_support.h"

// What packed fields stand for: the vectors of docs/formats/msh.md, M6.
namespace assay::msh {
namespace {

TEST(MshViews, TextureCoordinatesAreUnsigned1024ths) {
  const struct {
    std::uint16_t packed;
    float value;
  } rows[] = {{0, 0},    {1, 0.0009765625F},      {512, 0.5F}, {1023, 0.9990234375F},  {1024, 1},
              {2048, 2}, {32767, 31.9990234375F}, {32768, 32}, {65535, 63.9990234375F}};
  for (const auto& row : rows) {
    EXPECT_EQ(decoded(TextureCoordinate{.u = row.packed})[0], row.value) << row.packed;
    EXPECT_EQ(decoded(TextureCoordinate{.v = row.packed})[1], row.value) << row.packed;
  }
}

TEST(MshViews, NormalsAre127thsAndClamped) {
  const struct {
    std::uint8_t byte;
    float value;
  } rows[] = {{0x00, 0},  {0x01, 0.0078740157F}, {0x40, 0.503937F},     {0x7E, 0.992126F}, {0x7F, 1}, {0x80, -1},
              {0x81, -1}, {0xC0, -0.503937F},    {0xFF, -0.0078740157F}};
  for (const auto& row : rows) {
    const auto raw = static_cast<std::int8_t>(row.byte);
    const auto normal = decoded(Normal{.xyz = {raw, 0, raw}, .w = 5});
    EXPECT_FLOAT_EQ(normal[0], row.value) << int{row.byte};
    EXPECT_EQ(normal[1], 0);
    EXPECT_EQ(normal[2], normal[0]);
  }
}

TEST(MshViews, TriangleNormalsAreNotClamped) {
  const struct {
    std::int16_t raw;
    float value;
  } rows[] = {{32767, 1}, {-32767, -1}, {23170, 0.70711386F}, {-32768, -1.0000305F}};
  for (const auto& row : rows) {
    EXPECT_FLOAT_EQ(normal_of({.normal = {0, 0, row.raw}})[2], row.value) << row.raw;
  }
}

TEST(MshViews, SelectorsAreTwoBitsEach) {
  using Selectors = std::array<std::uint16_t, 3>;
  const struct {
    std::uint16_t packed;
    Selectors selectors;
  } rows[] = {{0x003F, {kNoIndex, kNoIndex, kNoIndex}},
              {0x0000, {0, 0, 0}},
              {0x0024, {0, 1, 2}},
              {0x001B, {kNoIndex, 2, 1}},
              {0x0039, {1, 2, kNoIndex}},
              {0x0040, {0, 0, 0}}};
  for (const auto& row : rows) {
    EXPECT_EQ(selectors_of({.sel_packed = row.packed}), row.selectors) << row.packed;
  }
}

// A node whose slots by state and level are all different.
TEST(MshViews, SlotsAreByStateThenLevel) {
  Node node = node_of(kNoIndex, kNoIndex, 0);
  for (std::uint16_t place = 0; place < 15; ++place) {
    node.slot_index[place] = place;
  }
  node.slot_index[7] = kNoIndex;
  Parts parts = Parts::of(full_b());
  const Buffer old_slots = parts.at(StreamType::kSlots).payload;
  Buffer slots = old_slots;
  for (int more = 0; more < 14; ++more) {
    slots = joined(slots, Bytes(old_slots).subspan(0x8C));
  }
  parts.set(StreamType::kSlots, slots, 15);
  parts.set(StreamType::kNodes, records_of<kNodeRecord>({node}), 1);
  const Buffer image = parts.build();
  Findings findings;
  const auto model = Model::parse(image, {}, findings);
  ASSERT_TRUE(model);
  EXPECT_EQ(slot_of(*model, 0, 0, 0), 0U);
  EXPECT_EQ(slot_of(*model, 0, 0, 4), 4U);
  EXPECT_EQ(slot_of(*model, 0, 2, 3), 13U);
  EXPECT_EQ(slot_of(*model, 0, 1, 2), std::nullopt) << "nothing drawn";
  EXPECT_EQ(slot_of(*model, 1, 0, 0), std::nullopt) << "no such node";
  EXPECT_EQ(slot_of(*model, 0, 3, 0), std::nullopt) << "no such state";
  EXPECT_EQ(slot_of(*model, 0, 0, 5), std::nullopt) << "no such level";
}

TEST(MshViews, NamesLabelsAndVertices) {
  Parts parts = Parts::of(chain_of_three());
  parts.set(StreamType::kLabels, hex("00 00 00 00 02 00 00 00 68 69 00 00 00 00 00"), 3);
  const Buffer image = parts.build();
  Findings findings;
  const auto model = Model::parse(image, {}, findings);
  ASSERT_TRUE(model);
  EXPECT_EQ(text_of(name_of_node(*model, 0)), "root");
  EXPECT_EQ(text_of(name_of_node(*model, 1)), "");
  EXPECT_EQ(text_of(name_of_node(*model, 3)), "");
  EXPECT_EQ(text_of(label_of_node(*model, 0)), "");
  EXPECT_EQ(text_of(label_of_node(*model, 1)), "hi");
  EXPECT_EQ(text_of(label_of_node(*model, 3)), "");
  EXPECT_EQ(vertex_of(*model, 0, 2), 2U);
  EXPECT_EQ(vertex_of(*model, 0, 3), std::nullopt);
  EXPECT_EQ(vertex_of(*model, 1, 0), std::nullopt);
}

}  // namespace
}  // namespace assay::msh
