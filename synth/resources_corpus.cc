#include <algorithm>
#include <string>

#include "parsers/formats/catalogue.h"
#include "synth/content.h"
#include "synth/corpus.h"
#include "synth/nres_builder.h"
#include "synth/numbered.h"
#include "synth/seeds/seeds.h"

// Files and archives with items of every format, made from the seeds of the formats, so that a new format is in them
// without further work.
namespace assay::synth {
namespace {

constexpr std::size_t kMostNameBytes = 35;
// Random archives are many seeds, each with entries of its own; the corpus of containers has them all.
constexpr std::size_t kMostArchives = 8;

// `unit.dat` and 7 give `unit_007.dat`, so that names differ and still say what they are.
std::string numbered_name(std::string_view item_name, std::uint64_t number) {
  const std::size_t dot = std::min(item_name.rfind('.'), item_name.size());
  const std::string stem(item_name.substr(0, std::min<std::size_t>(dot, 16)));
  return numbered(stem + '_', number, 3, item_name.substr(dot).substr(0, kMostNameBytes - 24));
}

// The seeds of a format that the compatible profile accepts.
std::vector<Seed> accepted_seeds(const Format& format) {
  std::vector<Seed> seeds = seeds_of(format.id);
  std::erase_if(seeds,
                [](const Seed& seed) { return seed.compatible != Verdict::kOk && seed.compatible != Verdict::kQuirk; });
  if (format.edit != nullptr && format.refines.empty() && seeds.size() > kMostArchives) {
    seeds.resize(kMostArchives);
  }
  return seeds;
}

// Whether the seed can be an entry of an archive and is still what it is.
bool can_be_an_entry(const Format& format, const Seed& seed) {
  ItemHints hints = seed.hints();
  hints.is_file = false;
  hints.folder = {};
  return identify(seed.bytes, hints).format == &format;
}

NresItem entry_of(const Seed& seed, std::uint64_t number) {
  NresItem item;
  item.row.name = nres_name(numbered_name(seed.item_name.empty() ? seed.name : seed.item_name, number));
  item.row.type_id = seed.type_tag.value_or(0);
  if (seed.attributes) {
    item.row.attr1 = (*seed.attributes)[0];
    item.row.attr2 = (*seed.attributes)[1];
    item.row.attr3 = (*seed.attributes)[2];
  }
  item.payload = seed.bytes;
  return item;
}

// What the payloads of an archive are drawn from.
struct Pool {
  std::vector<Seed> seeds;

  Pool() {
    for (const Format* format : all_formats()) {
      for (Seed& seed : accepted_seeds(*format)) {
        if (can_be_an_entry(*format, seed)) {
          seeds.push_back(std::move(seed));
        }
      }
    }
  }
};

// About the shares that the larger game has: models and textures are few, and most of the bytes.
NresItem mixed_entry(const Pool& pool, std::uint64_t number, Prng& prng) {
  const std::uint64_t share = prng.below(100);
  if (share < 6) {
    const auto cells = static_cast<std::uint32_t>(prng.between(2, 24));
    return entry_of(
        {.name = "model", .bytes = make_model(cells, prng), .item_name = "model.msh", .type_tag = type_tag("MESH")},
        number);
  }
  if (share < 14) {
    const auto edge = static_cast<std::uint32_t>(std::uint64_t{16} << prng.below(5));
    return entry_of({.name = "texture",
                     .bytes = make_texture(edge, edge, prng),
                     .item_name = "texture.tex",
                     .type_tag = type_tag("Texm")},
                    number);
  }
  return entry_of(prng.pick(pool.seeds), number);
}

}  // namespace

std::vector<CorpusFile> make_resources_corpus() {
  std::vector<CorpusFile> files;
  for (const Format* format : all_formats()) {
    NresLayout archive;
    std::uint64_t number = 0;
    for (const Seed& seed : accepted_seeds(*format)) {
      ++number;
      if (can_be_an_entry(*format, seed)) {
        archive.items.push_back(entry_of(seed, number));
      }
      if (seed.is_file) {
        const std::string folder = seed.folder.empty() ? "resources/files/" : "resources/" + seed.folder + "/";
        files.push_back({folder + numbered_name(seed.item_name, number), seed.bytes, 0});
      }
    }
    if (!archive.items.empty()) {
      files.push_back({"resources/" + std::string(format->id) + ".rlb", build_nres(archive), archive.items.size()});
    }
  }
  return files;
}

void make_mixed_corpus(std::uint64_t seed, std::uint64_t entries, const CorpusSink& sink) {
  const Pool pool;
  Prng prng(seed);
  std::uint64_t made = 0;
  for (std::uint64_t file_index = 0; made < entries; ++file_index) {
    Prng own = prng.fork();
    const std::uint64_t count = std::min(entries - made, own.between(1, own.chance(10) ? 1'200 : 100));
    NresLayout layout;
    for (std::uint64_t index = 0; index < count; ++index) {
      layout.items.push_back(mixed_entry(pool, index, own));
    }
    sink({numbered("mixed/arc_", file_index, 5, ".rlb"), build_nres(layout), count});
    made += count;
  }
}

}  // namespace assay::synth
