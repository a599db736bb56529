#include <algorithm>
#include <stdexcept>

#include "fuzz/seeds/seed_functions.h"
#include "synth/seeds/seeds.h"

namespace assay::fuzz {
namespace {

// How many archives the editor target knows: every seed of a format that can be edited.
std::size_t archive_count() {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(
      synth::all_seeds(), [](const synth::FormatSeed& base) { return base.format->edit != nullptr; }));
  // ByteScript::index() takes one byte up to here.
  if (count > 256) {
    throw std::logic_error("the editor's seeds name an archive with one byte");
  }
  return count;
}

}  // namespace

// The first byte names the archive; the steps are those of Session::edit().
std::vector<TargetSeed> editor_seeds(std::string_view /*target*/) {
  std::vector<TargetSeed> seeds;
  const std::size_t archives = archive_count();
  for (std::size_t index = 0; index < archives; ++index) {
    // Each of the edits once, a build between them, and the last entry removed.
    const auto archive = static_cast<std::uint8_t>(index);
    const std::uint8_t method = archive % 7;
    seeds.push_back(
        {"each_edit_on_" + std::to_string(archive),
         {archive, 0, 0,   5,   'h', 'e', 'l', 'l', 'o', 2, 1, 3, 'N', 'E', 'W', 7, 0, 6,    method, 4, 'A', 'D', 'D',
          'D',     6, 'p', 'a', 'y', 'p', 'a', 'y', 4,   0, 1, 7, 0,   0,   0,   5, 8, 0x34, 0x12,   0, 0,   3,   0}});
  }
  return seeds;
}

}  // namespace assay::fuzz
