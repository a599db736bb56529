#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "parsers/formats/catalogue.h"
#include "synth/content.h"
#include "synth/corpus.h"
#include "synth/nres_builder.h"
#include "synth/numbered.h"
#include "synth/rsli_builder.h"
#include "synth/seeds/seeds.h"

// Files and archives with items of every format, made from the seeds of the formats, so that a new format is in them
// without further work.
namespace assay::synth {
namespace {

constexpr std::size_t kMostNameBytes = 35;
// Random archives are many seeds, each with entries of its own; the corpus of containers has them all.
constexpr std::size_t kMostArchives = 8;
constexpr std::uint64_t kModelsPercent = 6;
constexpr std::uint64_t kModelsAndTexturesPercent = 14;
// What an entry of a mixed corpus takes on average apart from textures.
constexpr std::uint64_t kMeanOtherBytes = 2'700;
// Of the bytes of a sized corpus; the rest is in NRes archives.
constexpr std::uint64_t kPackedPercent = 5;
// The methods that the games' files have (docs/formats/rsli.md).
constexpr std::array kPackedMethods{rsli::Method::kLzss, rsli::Method::kDeflate};

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

// What the payloads of an archive are drawn from, apart from models and textures. No archives: the games have none
// inside another but models.
struct Pool {
  std::vector<Seed> seeds;

  Pool() {
    for (const Format* format : all_formats()) {
      for (Seed& seed : accepted_seeds(*format)) {
        if (format->edit == nullptr && can_be_an_entry(*format, seed)) {
          seeds.push_back(std::move(seed));
        }
      }
    }
  }
};

// A texture of about that many bytes, as wide as a power of two.
Buffer texture_of(std::uint64_t size_bytes, Prng& prng) {
  constexpr std::uint64_t kPixelBytes = 2;
  constexpr std::uint64_t kMostRows = 32'767;
  std::uint64_t width = 1;
  while (4 * width * width * kPixelBytes <= size_bytes) {
    width *= 2;
  }
  const std::uint64_t height = std::clamp<std::uint64_t>(size_bytes / (width * kPixelBytes), 1, kMostRows);
  return make_texture(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), prng);
}

// Of `mean_bytes` on average; 0: of the sizes that textures have without a size to reach.
Buffer mixed_texture(std::uint64_t mean_bytes, Prng& prng) {
  if (mean_bytes != 0) {
    return texture_of(prng.between(mean_bytes / 4, mean_bytes + mean_bytes * 3 / 4), prng);
  }
  const auto edge = static_cast<std::uint32_t>(std::uint64_t{16} << prng.below(5));
  return make_texture(edge, edge, prng);
}

// About the shares that the larger game has: models and textures are few, and most of the bytes.
NresItem mixed_entry(const Pool& pool, std::uint64_t number, std::uint64_t texture_bytes, Prng& prng) {
  const std::uint64_t share = prng.below(100);
  if (share < kModelsPercent) {
    const auto cells = static_cast<std::uint32_t>(prng.between(2, 24));
    return entry_of(
        {.name = "model", .bytes = make_model(cells, prng), .item_name = "model.msh", .type_tag = type_tag("MESH")},
        number);
  }
  if (share < kModelsAndTexturesPercent) {
    return entry_of({.name = "texture",
                     .bytes = mixed_texture(texture_bytes, prng),
                     .item_name = "texture.tex",
                     .type_tag = type_tag("Texm")},
                    number);
  }
  return entry_of(prng.pick(pool.seeds), number);
}

// Members as large as those of the games' RsLi archives, a few hundred KB at most.
Buffer packed_archive(std::uint64_t count, Prng& prng) {
  RsliLayout layout;
  layout.seed = prng.word();
  for (std::uint64_t index = 0; index < count; ++index) {
    // One draw a statement: compilers differ in the order in which they evaluate arguments.
    const rsli::Method method = prng.pick(kPackedMethods);
    const ContentKind kind = prng.chance(70) ? ContentKind::kTexture : ContentKind::kText;
    const auto size = static_cast<std::size_t>(prng.between(2'000, 250'000));
    Buffer payload = make_content(kind, size, prng);
    layout.items.push_back(make_rsli_item(numbered("I", index, 7, ".BIN"), method, std::move(payload)));
  }
  return build_rsli(layout);
}

// How far a corpus is that is to have a size.
struct Progress {
  std::uint64_t entries_left = 0;
  std::uint64_t bytes_left = 0;
  std::uint64_t bytes_made = 0;
  std::uint64_t packed_bytes = 0;

  [[nodiscard]] bool wants_packed() const { return packed_bytes * 100 < bytes_made * kPackedPercent; }

  // What textures need on average so that the entries that are left fill the bytes that are left.
  [[nodiscard]] std::uint64_t mean_texture_bytes() const {
    constexpr std::uint64_t kLeast = 512;
    const std::uint64_t others = entries_left * kMeanOtherBytes;
    const std::uint64_t textures = entries_left * (kModelsAndTexturesPercent - kModelsPercent);
    return bytes_left <= others ? kLeast : std::max(kLeast, (bytes_left - others) / textures * 100);
  }

  void count(const CorpusFile& file) {
    entries_left -= file.archive_entries;
    bytes_left -= std::min<std::uint64_t>(bytes_left, file.bytes.size());
    bytes_made += file.bytes.size();
  }
};

}  // namespace

std::vector<CorpusFile> make_resources_corpus(std::uint64_t seed) {
  Prng prng(seed);
  std::vector<CorpusFile> files;
  for (const Format* format : all_formats()) {
    NresLayout archive;
    std::uint64_t number = 0;
    for (const Seed& sample : accepted_seeds(*format)) {
      ++number;
      if (can_be_an_entry(*format, sample)) {
        archive.items.push_back(entry_of(sample, number));
      }
      if (sample.is_file) {
        const std::string folder = sample.folder.empty() ? "resources/files/" + std::string(format->id) + "/"
                                                         : "resources/" + sample.folder + "/";
        files.push_back({folder + numbered_name(sample.item_name, number), sample.bytes, 0});
      }
    }
    prng.shuffle(archive.items);
    if (!archive.items.empty()) {
      files.push_back({"resources/" + std::string(format->id) + ".rlb", build_nres(archive), archive.items.size()});
    }
  }
  return files;
}

void make_mixed_corpus(std::uint64_t seed, std::uint64_t entries, std::optional<std::uint64_t> size_bytes,
                       const CorpusSink& sink) {
  const Pool pool;
  Prng prng(seed);
  Progress progress{.entries_left = entries, .bytes_left = size_bytes.value_or(0)};
  for (std::uint64_t file_index = 0; progress.entries_left != 0; ++file_index) {
    Prng own = prng.fork();
    CorpusFile file;
    if (size_bytes && progress.wants_packed()) {
      const std::uint64_t count = std::min(progress.entries_left, own.between(2, 24));
      file = {numbered("mixed/packed_", file_index, 5, ".lib"), packed_archive(count, own), count};
      progress.packed_bytes += file.bytes.size();
    } else {
      const std::uint64_t count = std::min(progress.entries_left, own.between(1, own.chance(10) ? 1'200 : 100));
      const std::uint64_t texture_bytes = size_bytes ? progress.mean_texture_bytes() : 0;
      NresLayout layout;
      for (std::uint64_t index = 0; index < count; ++index) {
        layout.items.push_back(mixed_entry(pool, index, texture_bytes, own));
      }
      file = {numbered("mixed/arc_", file_index, 5, ".rlb"), build_nres(layout), count};
    }
    progress.count(file);
    sink(file);
  }
}

}  // namespace assay::synth
