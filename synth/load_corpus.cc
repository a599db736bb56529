#include <algorithm>
#include <array>

#include "synth/content.h"
#include "synth/corpus.h"
#include "synth/nres_builder.h"
#include "synth/numbered.h"
#include "synth/rsli_builder.h"

// Many archives for measuring. Neutral names and types, so that no later format takes an entry for its own.
namespace assay::synth {
namespace {

constexpr std::uint64_t kFilesAFolder = 100;
constexpr std::array kMethods{rsli::Method::kDeflate, rsli::Method::kLzss,    rsli::Method::kDeflate,
                              rsli::Method::kStored,  rsli::Method::kLzhuf,   rsli::Method::kXor,
                              rsli::Method::kXorLzss, rsli::Method::kXorLzhuf};

// 1.2 KiB on average.
Buffer load_payload(Prng& prng) {
  const std::uint64_t most = prng.chance(1) ? 16'384 : 2'200;
  return make_any_content(static_cast<std::size_t>(prng.below(most)), prng);
}

std::uint64_t draw_count(Prng& prng, bool is_rsli) {
  if (is_rsli) {
    return prng.between(1, prng.chance(2) ? 2'000 : 120);
  }
  return prng.between(1, prng.chance(10) ? 2'000 : prng.chance(40) ? 300 : 40);
}

void add_item(NresLayout& layout, Buffer payload) {
  NresItem item;
  item.row.type_id = type_tag("DATA");
  item.row.attr1 = static_cast<std::uint32_t>(layout.items.size());
  item.row.name = nres_name(numbered("item_", layout.items.size() * 7919 % 10'000, 4, ".bin"));
  item.payload = std::move(payload);
  layout.items.push_back(std::move(item));
}

Buffer load_rsli(Prng& prng, std::uint64_t count) {
  RsliLayout layout;
  layout.seed = prng.word();
  layout.is_presorted = prng.chance(80);
  for (std::uint64_t index = 0; index < count; ++index) {
    const std::string name = numbered("I", index * 7919 % 100'000, 7, ".BIN");
    // One draw a statement: compilers differ in the order in which they evaluate arguments.
    const rsli::Method method = prng.pick(kMethods);
    layout.items.push_back(make_rsli_item(name, method, load_payload(prng)));
  }
  return build_rsli(layout);
}

// Of `count` rows some may be those of an archive inside.
Buffer load_nres(Prng& prng, std::uint64_t count) {
  NresLayout layout;
  const std::uint64_t inner_count = count >= 24 && prng.chance(30) ? prng.between(1, count / 4) : 0;
  for (std::uint64_t index = inner_count; index < count; ++index) {
    const bool holds_archive = inner_count != 0 && index + 1 == count;
    add_item(layout, holds_archive ? prng.chance(50) ? load_nres(prng, inner_count) : load_rsli(prng, inner_count)
                                   : load_payload(prng));
  }
  return build_nres(layout);
}

}  // namespace

void make_load_corpus(std::uint64_t seed, std::uint64_t entries, const CorpusSink& sink) {
  Prng prng(seed);
  std::uint64_t left = entries;
  std::uint64_t file_index = 0;
  do {
    Prng own = prng.fork();
    const bool is_rsli = own.chance(15);
    const std::uint64_t count = std::min(left, draw_count(own, is_rsli));
    const std::string folder = numbered("load/", file_index / kFilesAFolder, 3, "/");
    const std::string path = folder + numbered("arc_", file_index, 5, ".rlb");
    sink({path, is_rsli ? load_rsli(own, count) : load_nres(own, count), count});
    left -= count;
    ++file_index;
  } while (left != 0);
}

}  // namespace assay::synth
