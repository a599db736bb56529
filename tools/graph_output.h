#pragma once

#include <string>
#include <vector>

#include "parsers/resource/reach.h"

// A dependency graph as text, as JSON lines and as DOT; prints to stdout.
namespace assay::tools {

struct GraphReport {
  std::string corpus;
  const resource::Graph* graph = nullptr;
  // The chosen missions, and how many there are.
  std::vector<std::size_t> missions;
  std::size_t mission_count = 0;
  resource::Reach reach{};
  resource::Health health{};
  // Whether the text lists what fails though no chosen mission needs it.
  bool lists_health = false;
};

// "FILE" or "FILE::ENTRY", printable.
[[nodiscard]] std::string node_address(const resource::Node& node);

void print_graph_text(const GraphReport& report);
void print_graph_json(const GraphReport& report);
void print_graph_dot(const GraphReport& report);

}  // namespace assay::tools
