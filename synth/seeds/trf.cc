#include "parsers/formats/trf/trf.h"
#include "parsers/base/byte_writer.h"
#include "synth/nres_builder.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> trf_seeds();

namespace {

using trf::Stream;

// The streams of one tree, by Stream; what is nothing is left out.
struct TreePlan {
  std::uint32_t item_count = 0;
  std::array<std::optional<Buffer>, trf::kStreamCount> streams{};

  std::optional<Buffer>& at(Stream stream) { return streams[static_cast<std::size_t>(stream)]; }
};

Buffer pool_of(const std::vector<std::string>& texts) {
  ByteWriter writer;
  for (const std::string& text : texts) {
    writer.write_bytes(as_bytes(text));
    writer.write(std::uint8_t{0});
  }
  return std::move(writer).take();
}

Buffer words_of(const std::vector<std::uint32_t>& words) {
  ByteWriter writer;
  for (const std::uint32_t word : words) {
    writer.write(word);
  }
  return std::move(writer).take();
}

// Three items: the first leads to both others, and the second to the third.
TreePlan small_tree() {
  TreePlan plan{.item_count = 3};
  ByteWriter items;
  for (std::uint16_t item = 0; item < 3; ++item) {
    trf::kItemRecord.write({.research_energy = 100,
                            .research_ore = 50,
                            .build_energy = 20,
                            .build_ore = 10,
                            .code_offset = 3 * item,
                            .name_offset = item == 2 ? 7 : 0,
                            .template_offset = 1,
                            .part = item,
                            .kind = 2,
                            .level = static_cast<std::uint8_t>(item)},
                           items.grow(trf::kItemRecord.size_bytes));
  }
  ByteWriter parts;
  for (std::uint16_t part = 0; part < 4; ++part) {
    trf::kPartRecord.write(
        {.id_offset = static_cast<std::uint16_t>(7 * part), .item = static_cast<std::uint16_t>(part % 3)},
        parts.grow(trf::kPartRecord.size_bytes));
  }
  plan.at(Stream::kItems) = std::move(items).take();
  plan.at(Stream::kStates) = Buffer{7, 5, 4};
  plan.at(Stream::kLinkCounts) = words_of({2, 1, 0});
  plan.at(Stream::kLinks) = words_of({1, 2, 2});
  plan.at(Stream::kBackLinkCounts) = words_of({0, 1, 2});
  plan.at(Stream::kBackLinks) = words_of({0, 0, 1});
  plan.at(Stream::kPartIds) = pool_of({"i_eng1", "i_eng2", "t_gun1", "t_gun2"});
  plan.at(Stream::kCodes) = pool_of({"E1", "E2", "G1"});
  plan.at(Stream::kNames) = pool_of({"Engine", "Gun \xC0"});
  plan.at(Stream::kDescriptions) = pool_of({"Something to build."});
  plan.at(Stream::kTemplates) = pool_of({"", "power %d"});
  plan.at(Stream::kParts) = std::move(parts).take();
  return plan;
}

NresLayout layout_of(const TreePlan& plan) {
  NresLayout layout;
  for (std::size_t stream = 0; stream < trf::kStreamCount; ++stream) {
    if (!plan.streams[stream]) {
      continue;
    }
    NresItem item;
    item.row.type_id = trf::stream_infos()[stream].type_id;
    item.row.name = nres_name("ResTree");
    item.row.attr3 = 1;
    if (static_cast<Stream>(stream) == Stream::kItems) {
      item.row.attr1 = plan.item_count;
      item.row.attr2 = trf::kItemsVersion;
      item.row.attr3 = trf::kItemRecord.size_bytes;
    }
    item.payload = *plan.streams[stream];
    layout.items.push_back(std::move(item));
  }
  return layout;
}

Seed seed(std::string name, const NresLayout& layout, Verdict verdict = Verdict::kOk) {
  return {.name = std::move(name),
          .bytes = build_nres(layout),
          .item_name = "auto.trf",
          .folder = "MISSIONS/SCRIPTS",
          .is_file = true,
          .strict = verdict,
          .compatible = verdict};
}

}  // namespace

std::vector<Seed> trf_seeds() {
  std::vector<Seed> seeds;
  seeds.push_back(seed("small_tree", layout_of(small_tree())));
  TreePlan unlinked = small_tree();
  unlinked.at(Stream::kLinks).reset();
  unlinked.at(Stream::kBackLinks).reset();
  seeds.push_back(seed("without_links", layout_of(unlinked)));
  TreePlan skewed = small_tree();
  skewed.at(Stream::kBackLinks) = words_of({1, 1, 0});
  seeds.push_back(seed("links_that_lead_elsewhere", layout_of(skewed)));
  // Gaps, another order of payloads, and a member of another type.
  NresLayout odd = layout_of(small_tree());
  odd.physical_order = {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 12};
  odd.items[4].gap_before = Buffer(3, 0xEE);
  odd.items.push_back({.row = {.type_id = type_tag("NOTE"), .name = nres_name("notes")}, .payload = {'h', 'i'}});
  seeds.push_back(seed("another_layout", odd));
  TreePlan partial = small_tree();
  partial.at(Stream::kTemplates).reset();
  seeds.push_back(seed("without_templates", layout_of(partial), Verdict::kFail));
  TreePlan ragged = small_tree();
  ragged.at(Stream::kItems)->push_back(1);
  ragged.at(Stream::kNames)->back() = 'x';
  seeds.push_back(seed("ragged_streams", layout_of(ragged), Verdict::kFail));
  NresLayout twice = layout_of(small_tree());
  twice.items.push_back(twice.items[1]);
  seeds.push_back(seed("states_twice", twice, Verdict::kFail));
  return seeds;
}

}  // namespace assay::synth
