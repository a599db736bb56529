#pragma once

#include <vector>

#include "parsers/formats/msh/msh.h"
#include "parsers/pose/hierarchy.h"

// What poses are made from, out of a model (docs/formats/msh.md, M5). Models and poses do not know each other; this is
// where they meet.
namespace assay {

// The nodes, keys and frame map of one model, decoded. Owns its memory and refers to no model.
class ModelSkeleton {
 public:
  // Never fails: what leaves a model without a hierarchy is for pose::Hierarchy to say. Cost: O(nodes + keys + frame
  // map), one allocation each.
  explicit ModelSkeleton(const msh::Model& model);

  // Valid while this object lives and does not move.
  [[nodiscard]] pose::Skeleton view() const;

 private:
  std::uint32_t node_record_bytes_;
  std::vector<pose::Node> nodes_;
  std::vector<pose::Key> keys_;
  std::vector<std::uint16_t> frame_map_;
  std::uint32_t frame_count_;
  bool has_keys_;
  bool has_frame_map_;
};

}  // namespace assay
