#include "tools/verbs/model_pose.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "golden/scan/corpus.h"
#include "parsers/base/escape.h"
#include "parsers/formats/msh/views.h"
#include "parsers/resource/skeleton.h"
#include "tools/arguments.h"
#include "tools/console.h"

namespace assay::tools {
namespace {

const msh::Model& model_of(const OpenedItem& item, const std::string& address) {
  const auto* model = dynamic_cast<const msh::Model*>(item.document());
  if (model == nullptr) {
    throw CannotWork(fmt::format("{}: not a model, its format is {}", golden::display_path(address),
                                 item.format() == nullptr ? "unknown" : item.format()->id));
  }
  return *model;
}

// A skeleton does not know where it lay; the model's map does. What is no field of it is about the model's start.
[[noreturn]] void refuse(const OpenedItem& item, Diagnostic diagnostic) {
  const auto place = item.document()->account().find(diagnostic.field.to_text());
  diagnostic.offset = item.origin().at(place ? place->offset : 0);
  throw ReadingRefused(diagnostic_text(item.file(), fmt::format("{}", fmt::join(item.steps(), "::")), diagnostic),
                       diagnostic);
}

std::vector<pose::NodePose> poses_of(const OpenedItem& item, const msh::Model& model, const PoseOptions& options) {
  const ModelSkeleton skeleton(model);
  const auto hierarchy = pose::Hierarchy::from(skeleton.view());
  if (!hierarchy) {
    refuse(item, hierarchy.error());
  }
  const std::vector<std::optional<float>> times(hierarchy->node_count(), options.time);
  pose::Request request = pose::AtFallback{};
  if (options.frame) {
    request = pose::AtFrame{*options.frame};
  } else if (options.time) {
    request = pose::AtTimes{times};
  }
  const auto blend = options.blend == "slerp" ? pose::RotationBlend::kSlerp : pose::RotationBlend::kNlerp;
  auto nodes = hierarchy->evaluate(request, blend);
  if (!nodes) {
    refuse(item, nodes.error());
  }
  return std::move(*nodes);
}

std::string request_text(const PoseOptions& options) {
  if (options.frame) {
    return fmt::format("frame {}", *options.frame);
  }
  return options.time ? fmt::format("time {}", *options.time) : "fallback";
}

// Adding 0 turns a minus sign before it into none.
std::array<float, 3> numbers_of(pose::Vec3 vector) {
  return {vector.x + 0.0F, vector.y + 0.0F, vector.z + 0.0F};
}
std::array<float, 4> numbers_of(pose::Quat rotation) {
  return {rotation.x + 0.0F, rotation.y + 0.0F, rotation.z + 0.0F, rotation.w + 0.0F};
}

Json pose_json(const pose::Pose& pose) {
  return {{"translation", numbers_of(pose.translation)}, {"rotation", numbers_of(pose.rotation)}};
}

std::string pose_text(const pose::Pose& pose) {
  return fmt::format("{:<36}  {:<48}", fmt::format("{}", fmt::join(numbers_of(pose.translation), ",")),
                     fmt::format("{}", fmt::join(numbers_of(pose.rotation), ",")));
}

// Columns are padded, lines are not.
void print_line(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  print(line + '\n');
}

void print_node(const msh::Model& model, std::size_t index, const pose::NodePose& pose, bool json) {
  const std::uint16_t parent = model.streams().nodes[index].parent_or_link;
  const std::string name = escape_bytes(msh::name_of_node(model, index));
  if (json) {
    print_json({{"node", index},
                {"name", name},
                {"parent", parent == msh::kNoIndex ? Json() : Json(parent)},
                {"key", pose.key},
                {"local", pose_json(pose.local)},
                {"global", pose_json(pose.global)}});
    return;
  }
  print_line(fmt::format("{:>5}  {:>6}  {:>5}  {:<6}  {}  {}", index,
                         parent == msh::kNoIndex ? "-" : std::to_string(parent), pose.key, "local",
                         pose_text(pose.local), name));
  print_line(fmt::format("{:>5}  {:>6}  {:>5}  {:<6}  {}", "", "", "", "global", pose_text(pose.global)));
}

}  // namespace

void add_pose_options(CLI::App& app, PoseOptions& options) {
  CLI::Option* wanted =
      app.add_flag("--pose", options.wanted, "show the pose of every node of a model instead of its bytes");
  CLI::Option* time = app.add_option("--time", options.time, "the pose at this time, in frames; fractions are allowed")
                          ->type_name("T")
                          ->check(finite_number())
                          ->needs(wanted);
  app.add_option("--frame", options.frame, "the pose at this frame; without time and frame it is the fallback pose")
      ->type_name("F")
      ->needs(wanted)
      ->excludes(time);
  app.add_option("--blend", options.blend, "how rotations between two keys are found: nlerp or slerp")
      ->check(CLI::IsMember({"nlerp", "slerp"}))
      ->needs(wanted)
      ->capture_default_str();
}

ExitStatus print_pose(const OpenedItem& item, const std::string& address, const PoseOptions& options, bool json) {
  const msh::Model& model = model_of(item, address);
  const std::vector<pose::NodePose> nodes = poses_of(item, model, options);
  if (json) {
    print_json({{"item", golden::display_path(address)},
                {"format", item.format()->id},
                {"nodes", nodes.size()},
                {"pose", request_text(options)},
                {"blend", options.blend}});
  } else {
    print(fmt::format("{}  {}, {}, pose: {}, {}\n\n{:>5}  {:>6}  {:>5}  {:<6}  {:<36}  {:<48}  {}\n",
                      golden::display_path(address), item.format()->id, counted(nodes.size(), "node"),
                      request_text(options), options.blend, "node", "parent", "key", "in", "translation",
                      "rotation (x,y,z,w)", "name"));
  }
  for (std::size_t index = 0; index < nodes.size(); ++index) {
    print_node(model, index, nodes[index], json);
  }
  return ExitStatus::kFine;
}

}  // namespace assay::tools
