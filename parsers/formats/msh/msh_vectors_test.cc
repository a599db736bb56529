#include "parsers/formats/msh/msh_test_support.h"

// The vectors of docs/formats/msh.md, M6, byte for byte, and every mutation that the page lists.
namespace assay::msh {
namespace {

TEST(MshVectors, AreThoseOfTheSharedFolder) {
  const Buffer minimal = shared_vector("msh_minimal_a.msh");
  const Buffer full = shared_vector("msh_full_b.msh");
  if (minimal.empty() || full.empty()) {
    GTEST_SKIP() << "no shared test vectors; ASSAY_SHARED names their folder";
  }
  EXPECT_EQ(minimal_a(), minimal);
  EXPECT_EQ(full_b(), full);
}

TEST(MshVectors, MinimalIsSoundAndNotesItsStreams) {
  EXPECT_EQ(said_of(minimal_a(), Severity::kNote), Lines{"note unusual_streams @336 stream"});
}

TEST(MshVectors, FullIsSound) {
  EXPECT_EQ(said_of(full_b(), Severity::kNote), Lines{});
  EXPECT_EQ(said_of(chain_of_three(), Severity::kNote), Lines{});
  EXPECT_EQ(said_of(animated_model(), Severity::kNote), Lines{});
}

struct Mutation {
  const char* name;
  Buffer image;
  Lines said;
};

void expect_said(std::span<const Mutation> mutations) {
  for (const Mutation& mutation : mutations) {
    EXPECT_EQ(said_of(mutation.image), mutation.said) << mutation.name;
  }
}

TEST(MshVectors, EveryMutationOfMinimalIsFound) {
  const Buffer a = minimal_a();
  const Mutation mutations[] = {
      {"slot index", with_u16(a, 0x18, 1), {"refused index_out_of_range @24 node[0].slot_index"}},
      {"self parent", with_u16(a, 0x12, 0), {"strict invalid_parent @18 node[0].parent_or_link"}},
      {"slot's batches", with_byte(a, 0xC8, 1), {"refused range_out_of_bounds @202 slot[0].batch_count"}},
      {"box upside down", with_u32(a, 0xCC, 0x40000000), {"refused invalid_bounds @204 slot[0].aabb_min"}},
      {"box not a number", with_u32(a, 0xCC, 0x7FC00000), {"refused invalid_bounds @204 slot[0].aabb_min"}},
      {"negative radius", with_u32(a, 0xF0, 0xBF800000), {"refused invalid_bounds @240 slot[0].sphere_radius"}},
      {"index", with_u16(a, 0x130, 3), {"refused index_out_of_range @304 index[0].vertex"}},
      {"batch starts later", with_byte(a, 0x142, 1), {"refused range_out_of_bounds @320 batch[0].index_count"}},
      {"batch is longer", with_byte(a, 0x140, 4), {"refused range_out_of_bounds @320 batch[0].index_count"}},
      {"base vertex", with_byte(a, 0x148, 1), {"refused index_out_of_range @308 index[2].vertex"}},
      {"base vertex that would wrap",
       with_u32(a, 0x148, 0xFFFFFFFD),
       {"refused index_out_of_range @328 batch[0].base_vertex"}},
      {"node record of 37", with_byte(a, 0x160, 0x25), {"refused invalid_stride @352 entry[0].attr3"}},
      {"slots of 207 bytes", with_byte(a, 0x19C, 0xCF), {"refused size_mismatch @412 entry[1].size"}},
      {"vertex count", with_byte(a, 0x1D4, 4), {"strict attribute_mismatch @468 entry[2].attr1"}},
      {"indices twice", with_byte(a, 0x250, 6), {"refused duplicate_stream @592 entry[4].type_id"}},
      {"no indices", with_byte(a, 0x210, 7), {"refused missing_stream @336 stream[6]"}},
      {"sort map",
       with_byte(a, 0x28C, 0),
       {"strict sort_index_duplicate @652 entry[4].sort_index [nres_linear_lookup-]"}},
      {"last byte gone", truncated(a, 655), {"refused total_size_mismatch @12 header.total_size"}},
  };
  expect_said(mutations);
}

TEST(MshVectors, ASelfParentLeavesTheGeometry) {
  Findings findings;
  const Buffer image = with_u16(minimal_a(), 0x12, 0);
  const auto model = Model::parse(image, {}, findings);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->streams().positions.size(), 3U);
  EXPECT_EQ(model->streams().batches.size(), 1U);
}

// B with the second pair of coordinates: `attr1`, `attr3` and the number of bytes.
Buffer with_uv1(std::uint32_t attr1, std::uint32_t attr3, std::size_t size_bytes) {
  Parts parts = Parts::of(full_b());
  parts.add(18, {attr1, 0, attr3}, Buffer(size_bytes));
  std::rotate(parts.parts.begin() + 5, parts.parts.end() - 1, parts.parts.end());
  return parts.build();
}

TEST(MshVectors, EveryMutationOfSecondCoordinatesIsFound) {
  // The directory begins at 0x1E8, the row of stream 18 at 0x328.
  const Mutation mutations[] = {
      {"sound", with_uv1(3, 4, 12), {}},
      {"record size", with_uv1(3, 8, 12), {"refused invalid_stride @824 entry[5].attr3"}},
      {"count", with_uv1(2, 4, 12), {"refused attribute_mismatch @812 entry[5].attr1"}},
      {"8 bytes", with_uv1(3, 4, 8), {"refused attribute_mismatch @804 entry[5].attr1"}},
      {"8 bytes that are counted", with_uv1(2, 4, 8), {"refused count_mismatch @812 entry[5].size"}},
      {"13 bytes", with_uv1(3, 4, 13), {"refused size_mismatch @820 entry[5].size"}},
  };
  expect_said(mutations);
}

TEST(MshVectors, RefuseOrReadEveryPrefix) {
  const Buffer full = full_b();
  for (std::size_t size = 0; size < full.size(); ++size) {
    Findings findings;
    const Buffer prefix = truncated(full, size);
    const auto model = Model::parse(prefix, {}, findings);
    ASSERT_FALSE(model) << size;
    expect_sound_diagnostic(model.error(), prefix.size(), std::to_string(size));
  }
}

}  // namespace
}  // namespace assay::msh
