#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parsers/base/bytes.h"

// Whole folders of synthetic archives in the shape of a game's folder. Byte for byte the same for one seed on every
// machine and with every version of the libraries.
namespace assay::synth {

struct CorpusFile {
  // Below the corpus folder, with `/` between the parts.
  std::string path;
  Buffer bytes;
  // Directory rows of this archive and of all archives inside it; 0 for what is no archive.
  std::uint64_t archive_entries = 0;
};

// Gets the files one by one, in a fixed order.
using CorpusSink = std::function<void(const CorpusFile&)>;

// The two RsLi archives of the games, with their names, sizes, methods and quirks, and content of our own:
// `gamefont.rlb` and `sprites.lib` (docs/formats/rsli.md, B2 and B16).
[[nodiscard]] CorpusFile make_gamefont(std::uint64_t seed);
[[nodiscard]] CorpusFile make_sprites(std::uint64_t seed);

// The corpus of containers: every layout that NRes and RsLi allow, the known quirks, archives inside archives, and
// files that are no archives. About 300 items, a few MB. All of it is ok under the compatible profile.
[[nodiscard]] std::vector<CorpusFile> make_containers_corpus(std::uint64_t seed);

// A corpus of exactly `entries` directory rows, those of nested archives included, for measuring. Cost: O(bytes), about
// 1.3 KB an entry; one file at a time is in memory.
void make_load_corpus(std::uint64_t seed, std::uint64_t entries, const CorpusSink& sink);

// Files and archives with every seed of every format that the compatible profile accepts (synth/seeds).
[[nodiscard]] std::vector<CorpusFile> make_resources_corpus(std::uint64_t seed);

// Archives with `entries` items of all formats in about the shares of the larger game, for measuring. With a size the
// textures are as large as it takes to come near it, within some percent, and a twentieth of the bytes is in packed
// RsLi archives; sizes below 3 KB an entry are not reached. Cost: O(bytes), about 4 KB an entry without a size; one
// file at a time is in memory.
void make_mixed_corpus(std::uint64_t seed, std::uint64_t entries, std::optional<std::uint64_t> size_bytes,
                       const CorpusSink& sink);

// A small game folder: two missions, units, a registry, archives of models, materials and effects. The first mission
// leads only to what is sound; its faults are reached from the second mission or from none (docs/graph.md).
[[nodiscard]] std::vector<CorpusFile> make_game_corpus(std::uint64_t seed);

// What to write: archives of both kinds; items of every format; a game folder in which things refer to one another.
enum class CorpusProfile : std::uint8_t { kContainers, kResources, kGame };

struct CorpusOptions {
  std::filesystem::path folder;
  CorpusProfile profile = CorpusProfile::kContainers;
  std::uint64_t seed = 1;
  // A corpus of that many entries for measuring, instead of the small one. There is none of kGame.
  std::optional<std::uint64_t> entries{};
  // About how large the corpus of so many entries is to be. Only of kResources, and only with `entries`.
  std::optional<std::uint64_t> size_bytes{};
  // Write into a folder that has something in it already. Files of the same name are replaced, others stay.
  bool overwrite = false;
};

struct CorpusSummary {
  std::uint64_t files = 0;
  std::uint64_t archive_entries = 0;
  std::uint64_t bytes = 0;
};

// Writes a corpus into `options.folder`, which is created when it is not there. Throws std::runtime_error with a
// sentence that names the path: the folder is not empty and `overwrite` is not set, or something cannot be written.
CorpusSummary write_corpus(const CorpusOptions& options);

}  // namespace assay::synth
