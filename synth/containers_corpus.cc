#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "synth/content.h"
#include "synth/corpus.h"
#include "synth/nres_builder.h"
#include "synth/numbered.h"
#include "synth/rsli_builder.h"

// The corpus of containers. Types and names that a format of the games claims are used for whole archives and models
// only; everything else is called DATA or TEST, so that the corpus stays valid when more formats are known.
namespace assay::synth {
namespace {

constexpr std::uint64_t kModelStreams = 14;
constexpr std::array kMethods{rsli::Method::kStored,  rsli::Method::kXor,   rsli::Method::kLzss,
                              rsli::Method::kXorLzss, rsli::Method::kLzhuf, rsli::Method::kXorLzhuf,
                              rsli::Method::kDeflate};

// An archive that is being planned, with the rows of what is nested in it.
struct NresPlan {
  NresLayout layout{};
  std::uint64_t nested_entries = 0;

  NresItem& add(std::string_view name, std::string_view type, Buffer payload) {
    NresItem item;
    item.row.type_id = type_tag(type);
    item.row.name = nres_name(name);
    item.row.attr1 = static_cast<std::uint32_t>(layout.items.size());
    item.row.attr3 = 1;
    item.payload = std::move(payload);
    layout.items.push_back(std::move(item));
    return layout.items.back();
  }
  void add_archive(std::string_view name, CorpusFile inner) {
    nested_entries += inner.archive_entries;
    add(name, "DATA", std::move(inner.bytes));
  }
  void add_model(std::string_view name, std::uint32_t cells, Prng& prng) {
    nested_entries += kModelStreams;
    add(name, "MESH", make_model(cells, prng));
  }
  [[nodiscard]] CorpusFile finish(std::string path) const {
    return {std::move(path), build_nres(layout), layout.items.size() + nested_entries};
  }
};

CorpusFile finish(const RsliLayout& layout, std::string path, std::uint64_t nested_entries = 0) {
  return {std::move(path), build_rsli(layout), layout.items.size() + nested_entries};
}

Buffer some_content(Prng& prng) {
  return make_any_content(static_cast<std::size_t>(prng.between(1, 4'000)), prng);
}

// Names in which `_` meets letters of either case: the order of the two folds differs.
CorpusFile underscore_names(Prng& prng) {
  NresPlan plan;
  for (const std::string_view name : {"zed_1.bin", "Zeda.bin", "ZEDB.bin", "zed^.bin", "alpha", "ALPHA_2", "alphab",
                                      "a_b", "aAb", "A[b", "a`b", "a-b", "aZb", "a~b", "_first", "Last_", "LastA"}) {
    plan.add(name, "TEST", some_content(prng));
  }
  return plan.finish("system.rlb");
}

// Tails behind the NUL, names of 35 bytes, bytes above 0x7F, equal names, all three attributes.
CorpusFile odd_names(Prng& prng) {
  NresPlan plan;
  plan.add("tail.bin", "TEST", some_content(prng)).row.name = nres_name("tail.bin", "old name.bin");
  plan.add("x", "TEST", some_content(prng)).row.name = nres_name("x", std::string(34, '\xEE'));
  plan.add(std::string(35, 'n'), "TEST", some_content(prng));
  plan.add(std::string(34, 'n') + "_", "TEST", some_content(prng));
  plan.add("\xC4\xE0\xED\xED\xFB\xE5.bin", "TEST", some_content(prng));
  plan.add("\xE4\xE0\xED\xED\xFB\xE5.bin", "TEST", some_content(prng));
  for (const std::string_view name : {"same", "SAME", "Same"}) {
    nres::Entry& row = plan.add(name, "TEST", some_content(prng)).row;
    row.attr1 = prng.word();
    row.attr2 = prng.word();
    row.attr3 = prng.word();
  }
  return plan.finish("DATA/names.res");
}

// Gaps of zeros and of other bytes, payloads in another order than the rows, empty payloads at either end.
CorpusFile gaps(Prng& prng) {
  NresPlan plan;
  plan.add("empty_first", "TEST", {});
  for (std::uint64_t index = 0; index < 12; ++index) {
    NresItem& item = plan.add(numbered("gap_", index, 2, ".bin"), "TEST", some_content(prng));
    if (index % 3 == 1) {
      item.gap_before = Buffer(16 + index);
    } else if (index % 3 == 2) {
      item.gap_before = make_non_zero(5 + index, prng);
    }
  }
  plan.add("empty_last", "TEST", {});
  plan.layout.physical_order.resize(plan.layout.items.size());
  std::iota(plan.layout.physical_order.rbegin(), plan.layout.physical_order.rend(), std::size_t{0});
  plan.layout.trailing = make_non_zero(13, prng);
  plan.layout.aligns_directory = false;
  return plan.finish("DATA/MAPS/Tut_1/decals.rlb");
}

// The second game's archive of this name starts with a large region that no entry names.
CorpusFile leading_region(Prng& prng) {
  NresPlan plan;
  for (std::uint64_t index = 0; index < 16; ++index) {
    plan.add(numbered(index % 2 == 0 ? "ROCK_" : "rockA", index, 2, ".0"), "DATA", some_content(prng));
  }
  plan.layout.items.front().gap_before = make_non_zero(90'000, prng);
  return plan.finish("Textures.lib");
}

CorpusFile models(std::string path, std::string_view stem, std::uint64_t count, Prng& prng) {
  NresPlan plan;
  for (std::uint64_t index = 0; index < count; ++index) {
    plan.add_model(numbered(stem, index, 2, ".msh"), static_cast<std::uint32_t>(prng.between(1, 9)), prng);
  }
  plan.add("notes", "DATA", make_content(ContentKind::kText, 300, prng));
  return plan.finish(std::move(path));
}

CorpusFile plain_archive(std::string path, std::uint64_t count, Prng& prng) {
  NresPlan plan;
  for (std::uint64_t index = 0; index < count; ++index) {
    plan.add(numbered("part", index * 37 % 100, 2, ".bin"), "DATA", some_content(prng));
  }
  return plan.finish(std::move(path));
}

// Every method twice, once with a short and once with a long payload.
CorpusFile all_methods(Prng& prng) {
  RsliLayout layout;
  layout.seed = 0x1234;
  for (const rsli::Method method : kMethods) {
    const auto number = static_cast<std::uint64_t>(method) >> 5;
    layout.items.push_back(make_rsli_item(numbered("LONG", number, 2, ".BIN"), method,
                                          make_content(ContentKind::kText, 9'000 + 100 * number, prng)));
    layout.items.push_back(make_rsli_item(numbered("A", number, 2, "_1234.BIN"), method, some_content(prng)));
  }
  layout.items.push_back(make_rsli_item("EMPTY", rsli::Method::kLzss, {}));
  return finish(layout, "methods.rlb");
}

// No stored map, opaque bits and bytes everywhere, header copies out of step, gaps, payloads in another order.
CorpusFile unsorted(Prng& prng) {
  RsliLayout layout;
  layout.seed = 0xABCD'9A3C;
  layout.is_presorted = false;
  layout.header_in_step = false;
  layout.opaque08 = {1, 2, 3, 4, 5, 6};
  layout.opaque18 = {8, 7, 6, 5, 4, 3, 2, 1};
  for (std::uint64_t index = 0; index < 14; ++index) {
    RsliItem item =
        make_rsli_item(numbered("R", index * 5 % 14, 2, ".PCK"), kMethods[index % kMethods.size()], some_content(prng));
    item.service = {prng.byte(), prng.byte(), prng.byte(), prng.byte()};
    item.opaque_flags = index % 2 == 0 ? 0x8011 : 0x0600;
    item.gap_before = index % 5 == 4 ? make_non_zero(9, prng) : Buffer(index % 3);
    layout.items.push_back(std::move(item));
  }
  layout.physical_order = {3, 1, 0, 2, 13, 12, 4, 5, 6, 11, 10, 7, 8, 9};
  return finish(layout, "ui/unsorted.lib");
}

CorpusFile overlaid(Prng& prng) {
  RsliLayout layout;
  layout.seed = 0xFFFF;
  layout.overlay = 0x40;
  for (std::uint64_t index = 0; index < kMethods.size(); ++index) {
    layout.items.push_back(make_rsli_item(numbered("MEDIA", index, 1, ".BIN"), kMethods[index], some_content(prng)));
  }
  return finish(layout, "DATA/media.rlb");
}

// Archives in archives of either kind, four deep.
CorpusFile nested(Prng& prng) {
  NresPlan innermost;
  innermost.add("core", "TEST", some_content(prng));
  innermost.add("core_2", "TEST", some_content(prng));
  RsliLayout packed;
  packed.seed = 0x77;
  const CorpusFile first = innermost.finish("");
  packed.items.push_back(make_rsli_item("INNER.RLB", rsli::Method::kDeflate, first.bytes));
  packed.items.push_back(make_rsli_item("COPY.RLB", rsli::Method::kXorLzss, first.bytes));
  packed.items.push_back(make_rsli_item("TEXT.BIN", rsli::Method::kLzhuf, make_content(ContentKind::kText, 700, prng)));
  NresPlan outer;
  outer.add_archive("packed.rlb", finish(packed, "", 2 * first.archive_entries));
  outer.add_model("wheel.msh", 3, prng);
  NresPlan outermost;
  outermost.add_archive("outer.rlb", outer.finish(""));
  outermost.add("beside", "TEST", some_content(prng));
  return outermost.finish("MISSIONS/CAMPAIGN/nested.rlb");
}

CorpusFile unclaimed(std::string path, ContentKind kind, std::size_t size, Prng& prng) {
  return {std::move(path), make_content(kind, size, prng), 0};
}

}  // namespace

std::vector<CorpusFile> make_containers_corpus(std::uint64_t seed) {
  Prng prng(seed);
  std::vector<CorpusFile> files;
  files.push_back(make_gamefont(prng.next()));
  files.push_back(make_sprites(prng.next()));
  files.push_back({"palettes.lib", build_nres({}), 0});
  files.push_back(underscore_names(prng));
  files.push_back(odd_names(prng));
  files.push_back(gaps(prng));
  files.push_back(leading_region(prng));
  files.push_back(models("objects.rlb", "r_h_", 5, prng));
  files.push_back(models("bunkers.rlb", "fr_l_bunker_", 3, prng));
  files.push_back(plain_archive("UNITS/BUILDS/parts.rlb", 12, prng));
  files.push_back(plain_archive("UNITS/UNITS/armour.dlb", 9, prng));
  files.push_back(plain_archive("ui/hud.lib", 15, prng));
  files.push_back(plain_archive("DATA/MAPS/Autodemo/props.res", 11, prng));
  files.push_back(all_methods(prng));
  files.push_back(unsorted(prng));
  files.push_back(overlaid(prng));
  files.push_back(nested(prng));
  files.push_back({"DATA/none.rlb", build_rsli({}), 0});
  files.push_back(unclaimed("readme.txt", ContentKind::kText, 900, prng));
  files.push_back(unclaimed("MISSIONS/CAMPAIGN/briefing.txt", ContentKind::kText, 2'500, prng));
  files.push_back(unclaimed("ui/noise.bin", ContentKind::kNoise, 777, prng));
  files.push_back(unclaimed("UNITS/zeros.bin", ContentKind::kZeros, 64, prng));
  files.push_back(unclaimed("DATA/empty.bin", ContentKind::kZeros, 0, prng));
  return files;
}

}  // namespace assay::synth
