#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/exit_status.h"
#include "tools/reading.h"

// The pose of a model, as `assay inspect --pose` shows it.
namespace assay::tools {

// The fallback pose, unless a frame or a time is given.
struct PoseOptions {
  bool wanted = false;
  std::optional<float> time;
  std::optional<std::uint16_t> frame;
  std::string blend = "nlerp";
};

// Adds --pose, --time, --frame and --blend.
void add_pose_options(CLI::App& app, PoseOptions& options);

// Prints a line a node. Throws CannotWork where the item is no model, ReadingRefused where it has no such pose.
ExitStatus print_pose(const OpenedItem& item, const std::string& address, const PoseOptions& options, bool json);

}  // namespace assay::tools
