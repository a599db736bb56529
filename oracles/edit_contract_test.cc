#include <gtest/gtest.h>

#include "parsers/base/field_text.h"
#include "parsers/formats/catalogue.h"
#include "parsers/formats/decode_scratch.h"
#include "parsers/resource/edit_script.h"
#include "synth/nres_builder.h"
#include "synth/rsli_builder.h"
#include "synth/seeds/seeds.h"

// Every field of every record table can be set by its path, at the top and inside archives, and nothing else changes.
namespace assay {
namespace {

// Fields of long arrays are all alike.
constexpr std::size_t kElementsTried = 3;

struct Place {
  const FieldInfo* info;
  std::uint64_t offset;
  std::string path;
  Buffer raw;
};

bool is_of_a_row(const std::string& path) {
  return path.starts_with("entry[") || path.starts_with("header.");
}

std::vector<Place> settable_places(const ByteMap& map) {
  std::vector<Place> places;
  for (const ByteRun& run : map.runs()) {
    if (run.record == nullptr) {
      continue;
    }
    const std::size_t most = kElementsTried * run.record->fields.size();
    std::size_t seen = 0;
    visit_fields(run, [&](const FieldView& field) {
      if (seen++ < most) {
        places.push_back({field.info, field.offset, field.path.to_text(), Buffer(field.raw.begin(), field.raw.end())});
      }
    });
  }
  return places;
}

// Another value for a field, as text: what its bytes would say if they were a little different.
std::string other_value(const Place& place) {
  const FieldInfo& info = *place.info;
  switch (info.type) {
    case FieldType::kText: return place.raw[0] == 'Q' ? "R" : "Q";
    case FieldType::kString:
    case FieldType::kLabel:
    case FieldType::kCString:
    case FieldType::kWord: return field_text(info, place.raw) + "Q";
    case FieldType::kF32: {
      std::string text;
      for (std::size_t index = 0; index < info.count; ++index) {
        const auto value = load_little_endian<float>(Bytes(place.raw).subspan(index * 4));
        text += (index == 0 ? "" : ",") + std::string(value == 1.5F ? "2.5" : "1.5");
      }
      return text;
    }
    default: {
      Buffer changed = place.raw;
      changed[0] ^= 1U;
      return field_text(info, changed);
    }
  }
}

struct Outcome {
  Result<EditedArchive> edited;
};

Result<EditedArchive> set(Bytes image, const ItemHints& hints, std::vector<std::string> target, const std::string& path,
                          const std::string& value) {
  ParseContext context;
  context.rules = RuleSet::compatible();
  context.hints = hints;
  const EditStep step{.kind = EditStep::Kind::kSet, .target = std::move(target), .name = path, .value = value};
  std::size_t failed_step = 0;
  return apply_edits(image, context, std::span(&step, 1), false, failed_step);
}

// The payload that `steps` lead to.
Buffer payload_at(Bytes image, const std::vector<std::size_t>& steps) {
  Buffer current(image.begin(), image.end());
  for (const std::size_t index : steps) {
    Findings findings;
    const auto scratch = std::make_unique<DecodeScratch>();
    const auto document = identify(current, {}).format->parse(current, {}, findings);
    const auto payload = (*document)->container()->load(index, *scratch, findings);
    current = Buffer(payload->begin(), payload->end());
  }
  return current;
}

// An archive that holds the seed, beside two members that must not change.
Buffer wrap_in_nres(const synth::Seed& seed, Bytes payload, std::uint32_t tag) {
  synth::NresLayout layout;
  layout.items.resize(3);
  for (synth::NresItem& item : layout.items) {
    item.row.name = synth::nres_name("beside");
    item.payload = Buffer{'k', 'e', 'p', 't'};
    item.row.attr1 = 77;
  }
  synth::NresItem& held = layout.items[1];
  held.row.name = synth::nres_name(seed.item_name.substr(0, 35));
  held.row.type_id = tag;
  if (seed.attributes) {
    held.row.attr1 = (*seed.attributes)[0];
    held.row.attr2 = (*seed.attributes)[1];
    held.row.attr3 = (*seed.attributes)[2];
  }
  held.payload = Buffer(payload.begin(), payload.end());
  return synth::build_nres(layout);
}

class EditContract : public testing::TestWithParam<const Format*> {};

// `before` with the field's bytes replaced by what `value` encodes to.
Buffer expected_bytes(const Buffer& before, const Place& place, const std::string& value) {
  const Buffer encoded = *encode_field_text(*place.info, value, place.raw);
  const auto start = static_cast<std::ptrdiff_t>(place.offset);
  Buffer after(before.begin(), before.begin() + start);
  after.insert(after.end(), encoded.begin(), encoded.end());
  after.insert(after.end(), before.begin() + start + static_cast<std::ptrdiff_t>(place.raw.size()), before.end());
  return after;
}

void check_refusal(const Result<EditedArchive>& edited, const std::string& what) {
  ASSERT_FALSE(edited) << what;
  EXPECT_EQ(edited.error().code, Code::kDerivedField) << what;
  EXPECT_NE(edited.error().got.kind, Datum::Kind::kNone) << what << ": no reason given";
}

TEST_P(EditContract, SetsEveryFieldAndNothingElse) {
  const Format& format = *GetParam();
  if (format.edit != nullptr && format.refines.empty()) {
    GTEST_SKIP() << "rows of archives are edited by their own editors, which have their own tests";
  }
  for (const synth::Seed& seed : synth::seeds_of(format.id)) {
    ParseContext context;
    context.rules = RuleSet::compatible();
    context.hints = seed.hints();
    Findings findings;
    const auto document = format.parse(seed.bytes, context, findings);
    if (!document) {
      continue;
    }
    ByteMap map = (*document)->account();
    ASSERT_TRUE(map.close(seed.bytes.size()));
    const std::uint32_t tag = seed.type_tag.value_or(0);
    const Buffer inner = wrap_in_nres(seed, seed.bytes, tag);
    synth::Seed middle;
    middle.item_name = "inner.rlb";
    const Buffer outer = wrap_in_nres(middle, inner, 0);
    const bool nests = !seed.is_file || identify(seed.bytes, {.name = as_bytes(seed.item_name)}).format == &format;
    for (const Place& place : settable_places(map)) {
      if (!format.refines.empty() && is_of_a_row(place.path)) {
        continue;
      }
      const std::string what = seed.name + ": " + place.path;
      const std::string value = place.info->is_derived() ? "1" : other_value(place);
      const auto alone = set(seed.bytes, seed.hints(), {}, place.path, value);
      const auto nested =
          set(outer, {.name = as_bytes("outer.rlb"), .is_file = true}, {"inner.rlb", "#1"}, place.path, value);
      if (place.info->is_derived()) {
        check_refusal(alone, what);
        if (nests) {
          check_refusal(nested, what + ", nested");
        }
        continue;
      }
      ASSERT_TRUE(alone) << what << ": " << code_text(alone.error().code);
      if (format.refines.empty() || place.info->size_bytes != 0) {
        EXPECT_EQ(alone->bytes, expected_bytes(seed.bytes, place, value)) << what;
      }
      if (nests) {
        ASSERT_TRUE(nested) << what << ": " << code_text(nested.error().code);
        EXPECT_EQ(payload_at(nested->bytes, {1, 1}), alone->bytes) << what << ", nested";
        EXPECT_EQ(payload_at(nested->bytes, {1, 0}), payload_at(outer, {1, 0})) << what;
        EXPECT_EQ(payload_at(nested->bytes, {1, 2}), payload_at(outer, {1, 2})) << what;
        EXPECT_EQ(payload_at(nested->bytes, {0}), payload_at(outer, {0})) << what;
        EXPECT_EQ(payload_at(nested->bytes, {2}), payload_at(outer, {2})) << what;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, EditContract, testing::ValuesIn(all_formats().begin(), all_formats().end()),
                         [](const auto& each) { return std::string(each.param->id); });

}  // namespace
}  // namespace assay
