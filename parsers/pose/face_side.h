#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "parsers/pose/transform.h"

// Which faces of a batch are drawn, and how a graphics card would say it (docs/formats/poses.md, P9).
//
// Only for the colour pass over model geometry: terrain, shadows and queries from the sun have other rules.
namespace assay::pose {

// Corners in the order of the indices.
using Face = std::array<Vec3, 3>;

inline constexpr std::uint16_t kBatchSkipsSideTest = 0x0002;
inline constexpr std::uint16_t kBatchTestsFirstFace = 0x4000;

enum class SideTest : std::uint8_t {
  kEveryFace,  // each face by itself
  kNone,       // all faces, both sides
  kFirstFace,  // the first face decides for the whole range
};

// What `batch_flags` ask for. No source says what both bits mean together; then nothing is tested, as without the
// second.
[[nodiscard]] SideTest side_test(std::uint16_t batch_flags);

// d = dot(eye - v0, cross(v1 - v0, v2 - v0)), eye and face in one space: more than 0 on the side that is drawn.
[[nodiscard]] float side_of_face(Vec3 eye, const Face& face);

// The same for a face in world space that a placement with a determinant of this sign (-1, 0, +1) carried there. A
// mirror turns faces over, which the sign undoes. Rotations of nodes have +1.
[[nodiscard]] float side_of_world_face(Vec3 eye, const Face& face, int determinant_sign);

// The numbers of the faces of one batch that are drawn this frame, ascending.
//
// `faces` is the batch's original range in world space and in index order; the range's index count is three times the
// result's size. A refused first face gives 0 for this frame only: call again with the original range for the next. A
// side of 0 and one that is not a number refuse the face. Under a determinant of 0, which no source covers, nothing is
// drawn, whatever the flags. Cost: O(faces), or one test under kBatchTestsFirstFace.
[[nodiscard]] std::vector<std::uint32_t> drawn_faces(std::uint16_t batch_flags, std::span<const Face> faces, Vec3 eye,
                                                     int determinant_sign);

// Which side the rasteriser drops.
enum class CullMode : std::uint8_t { kNone, kFront, kBack };

// Whether a rasteriser that calls clockwise faces front, in a viewport of positive height whose y points down, sees the
// front of a face with this world-space side. `view_sign` is the sign of det L, with L the linear map from (world -
// eye) to the x, y and w of clip space; a view that flips y in clip space usually has +1. Only for faces before the
// eye.
[[nodiscard]] bool is_front_face(float world_side, int view_sign);

// The cull mode, in the sense of is_front_face(), that keeps the faces with a side above 0 in model space; or nothing
// where a sign is 0 and nothing can be drawn. `placement_sign` is that of the placement's determinant.
[[nodiscard]] std::optional<CullMode> cull_mode(std::uint16_t batch_flags, int placement_sign, int view_sign);

}  // namespace assay::pose
