#include "parsers/formats/ske/ske.h"
#include "parsers/base/byte_writer.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> ske_seeds();

namespace {

template <const auto& Table>
void write_record(ByteWriter& writer, const typename std::remove_cvref_t<decltype(Table)>::Value& value) {
  Table.write(value, writer.grow(Table.size_bytes));
}

void write_text(ByteWriter& writer, std::string_view text) {
  writer.write(static_cast<std::uint32_t>(text.size()));
  writer.write_bytes(as_bytes(text));
}

struct KeyframePlan {
  std::uint32_t version = ske::kNewestKeyframeVersion;
  std::uint32_t hour = 0;
  std::uint32_t event = 0;
  std::array<std::string_view, ske::kTextCount> texts{};
  std::vector<std::string_view> extra_texts{};
};

using SectionPlan = std::vector<KeyframePlan>;

ske::Time time_at(std::uint32_t hour, std::uint32_t minute) {
  return {.opaque04 = 1, .hour = hour, .minute = minute, .opaque18 = {0xCD, 0xCD, 0xCD, 0xCD, 1, 2, 3, 4}};
}

void write_keyframe(ByteWriter& writer, const KeyframePlan& plan) {
  write_record<ske::kKeyframeRecord>(writer, {plan.version});
  write_record<ske::kTimeRecord>(writer, time_at(plan.hour, 30));
  writer.write(plan.event);
  const std::size_t slots = plan.version >= ske::kAllSlotsSince ? ske::kSlotCount : ske::kFirstSlotCount;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    writer.write(static_cast<std::uint32_t>(0xFF000000U + slot * 0x010305U));
  }
  for (const std::string_view text : plan.texts) {
    write_text(writer, text);
  }
  write_record<ske::kValuesRecord>(writer, {{0.25F, 0.5F, 1, 2}});
  if (plan.version >= ske::kExtraTextsSince) {
    writer.write(static_cast<std::uint32_t>(plan.extra_texts.size()));
    for (const std::string_view text : plan.extra_texts) {
      write_text(writer, text);
    }
  }
}

Buffer sky_of(const std::vector<SectionPlan>& sections) {
  ByteWriter writer;
  write_record<ske::kHeaderRecord>(writer, {.section_count = static_cast<std::uint32_t>(sections.size())});
  for (const SectionPlan& section : sections) {
    write_record<ske::kSectionRecord>(writer, {.keyframe_count = static_cast<std::uint32_t>(section.size())});
    write_record<ske::kTimeRecord>(writer, time_at(23, 59));
    write_record<ske::kTimeRecord>(writer, time_at(20, 0));
    for (const KeyframePlan& keyframe : section) {
      write_keyframe(writer, keyframe);
    }
  }
  write_record<ske::kTimeRecord>(writer, time_at(12, 0));
  write_record<ske::kTrailerRecord>(writer, {.opaque00 = 1});
  return std::move(writer).take();
}

Seed seed(std::string name, const std::vector<SectionPlan>& sections, Verdict verdict = Verdict::kOk) {
  return {.name = std::move(name),
          .bytes = sky_of(sections),
          .item_name = "sky.ske",
          .folder = "MISSIONS/CAMPAIGN/Tut.01",
          .is_file = true,
          .strict = verdict,
          .compatible = verdict};
}

}  // namespace

std::vector<Seed> ske_seeds() {
  const KeyframePlan dawn{.hour = 6, .texts = {"SUN", "", "CLOUDS", "", "", "STARS"}};
  const KeyframePlan rain{.hour = 9, .event = 3, .extra_texts = {"rain.wav", ""}};
  std::vector<Seed> seeds;
  seeds.push_back(seed("one_empty_section", {{}}));
  seeds.push_back(seed("two_sections", {{dawn, rain}, {dawn}}));
  seeds.push_back(seed("older_keyframes", {{{.version = 1, .hour = 1}, {.version = 2, .hour = 2}}}));
  seeds.push_back(seed("three_sections", {{}, {}, {}}, Verdict::kFail));
  seeds.push_back(seed("another_event", {{{.event = 10}}}, Verdict::kFail));
  return seeds;
}

}  // namespace assay::synth
