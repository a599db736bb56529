#include "golden/glob.h"

#include <cstddef>

namespace assay::golden {
namespace {

// Where to go on when what followed the last star did not match: the star takes one character more.
struct Retry {
  std::size_t pattern = 0;
  std::size_t path = 0;
  bool is_set = false;
};

}  // namespace

// Going back to the last star of each sort is enough: whatever an earlier one could take, the later one can too. A
// single star that meets '/' hands over to the last double star.
bool glob_matches(std::string_view pattern, std::string_view path) {
  Retry single;
  Retry twice;
  std::size_t at_pattern = 0;
  std::size_t at_path = 0;
  while (at_path < path.size() || at_pattern < pattern.size()) {
    if (pattern.substr(at_pattern).starts_with("**")) {
      at_pattern += 2;
      twice = {at_pattern, at_path, true};
      single.is_set = false;
    } else if (at_pattern < pattern.size() && pattern[at_pattern] == '*') {
      single = {++at_pattern, at_path, true};
    } else if (at_pattern < pattern.size() && at_path < path.size() &&
               (pattern[at_pattern] == path[at_path] || (pattern[at_pattern] == '?' && path[at_path] != '/'))) {
      ++at_pattern;
      ++at_path;
    } else if (single.is_set && single.path < path.size() && path[single.path] != '/') {
      at_path = ++single.path;
      at_pattern = single.pattern;
    } else if (twice.is_set && twice.path < path.size()) {
      at_path = ++twice.path;
      at_pattern = twice.pattern;
      single.is_set = false;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace assay::golden
