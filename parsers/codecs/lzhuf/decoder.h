#pragma once

#include <array>

#include "parsers/codecs/lzhuf/lzhuf.h"

// The decoder behind lzhuf::decode(), with a choice of the ways in which it can work, for tests and benchmarks.
namespace assay::lzhuf {

// As decode(), which leaves the choice to the tree. Result, output and errors do not depend on `design`.
[[nodiscard]] Result<Decoded> decode_with(TreeDesign design, Bytes packed, MutableBytes output, Scratch& scratch);

// Every design there is; checks ask each of them.
struct NamedTreeDesign {
  const char* name = "";
  TreeDesign design{};
};
inline constexpr std::array<NamedTreeDesign, 6> kTreeDesigns = {{
    {"adaptive", {.root_table = TreeDesign::RootTable::kAdaptive, .simd = true}},
    {"adaptive, scalar", {.root_table = TreeDesign::RootTable::kAdaptive, .simd = false}},
    {"narrow", {.root_table = TreeDesign::RootTable::kNarrow, .simd = true}},
    {"narrow, scalar", {.root_table = TreeDesign::RootTable::kNarrow, .simd = false}},
    {"wide", {.root_table = TreeDesign::RootTable::kWide, .simd = true}},
    {"wide, scalar", {.root_table = TreeDesign::RootTable::kWide, .simd = false}},
}};

}  // namespace assay::lzhuf
