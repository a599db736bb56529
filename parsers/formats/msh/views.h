#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "parsers/formats/msh/msh.h"

// What the packed fields of a model stand for (docs/formats/msh.md, M4). Plain numbers; nothing here fails on a parsed
// model, and what does not exist is nothing.
namespace assay::msh {

// i8 / 127, clamped to -1: -128 and -127 are both -1.
[[nodiscard]] std::array<float, 3> decoded(const Normal& normal);
// Unsigned, 1024 is 1; the same for both pairs of coordinates.
[[nodiscard]] std::array<float, 2> decoded(const TextureCoordinate& coordinate);
// i16 / 32767, not clamped.
[[nodiscard]] std::array<float, 3> normal_of(const Triangle& triangle);
// Three two-bit selectors from the lowest bits up; kNoIndex for 3.
[[nodiscard]] std::array<std::uint16_t, 3> selectors_of(const Triangle& triangle);

// The slot that a node draws in a state (0 intact, 1 and 2 damaged) at a level of detail (0 to 3; 4 is the collision
// hull), or nothing: no such node, state or level, no geometry there, or node records that are not understood.
[[nodiscard]] std::optional<std::size_t> slot_of(const Model& model, std::size_t node, std::size_t state,
                                                 std::size_t lod);
// The vertex at a place of the index buffer of a batch: `base_vertex` and its index. Nothing beyond the batch.
[[nodiscard]] std::optional<std::size_t> vertex_of(const Model& model, std::size_t batch, std::size_t place);
// The name of a node, raw bytes without terminator, valid while the model's bytes live; empty where there is none.
[[nodiscard]] Bytes name_of_node(const Model& model, std::size_t node);
// The label of a node, likewise; most have none.
[[nodiscard]] Bytes label_of_node(const Model& model, std::size_t node);

}  // namespace assay::msh
