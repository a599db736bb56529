#include "parsers/resource/edit_script.h"

#include <gtest/gtest.h>

#include "parsers/formats/decode_scratch.h"
#include "parsers/formats/msh/msh_test_support.h"
#include "parsers/formats/nres/nres.h"
#include "parsers/formats/rsli/rsli.h"
#include "synth/game_parts.h"
#include "synth/rsli_builder.h"

namespace assay {
namespace {

using Kind = EditStep::Kind;

Buffer bytes_of(std::string_view text) {
  return {as_bytes(text).begin(), as_bytes(text).end()};
}

Buffer nres_with(std::initializer_list<std::pair<std::string_view, Buffer>> members) {
  std::vector<nres::NewEntry> rows;
  for (const auto& [name, payload] : members) {
    rows.push_back({.row = {.type_id = 7, .name = FixedString<36>::from_text(as_bytes(name))}, .payload = payload});
  }
  return *nres::build_canonical(rows);
}

Buffer rsli_with(rsli::Method method, std::string_view name, const Buffer& payload) {
  const Buffer packed = rsli::pack(method, payload, kDefaultLevel);
  const rsli::PackedEntry row{.row = {.name = FixedString<12>::from_text(as_bytes(name)),
                                      .flags = static_cast<std::uint16_t>(method),
                                      .unpacked_size = static_cast<std::uint32_t>(payload.size())},
                              .packed = packed};
  return *rsli::build({.xor_seed = 5}, std::span(&row, 1));
}

Buffer edited(const Buffer& image, std::initializer_list<EditStep> steps) {
  std::size_t failed = 0;
  const std::vector<EditStep> list(steps);
  const auto result = apply_edits(image, {.rules = RuleSet::compatible()}, list, false, failed);
  EXPECT_TRUE(result) << code_text(result.error().code) << " in step " << failed;
  return result ? result->bytes : Buffer{};
}

Code refusal(const Buffer& image, EditStep step) {
  std::size_t failed = 9;
  const auto result = apply_edits(image, {.rules = RuleSet::compatible()}, std::span(&step, 1), false, failed);
  EXPECT_EQ(failed, 0U);
  return result ? Code::kInternal : result.error().code;
}

Buffer payload_at(Bytes image, std::initializer_list<std::size_t> indexes) {
  Buffer current(image.begin(), image.end());
  for (const std::size_t index : indexes) {
    Findings findings;
    DecodeScratch scratch;
    const bool is_nres = current[0] == 'N' && current[1] == 'R';
    const auto document = (is_nres ? nres::format() : rsli::format()).parse(current, {}, findings);
    const Bytes payload = *(*document)->container()->load(index, scratch, findings);
    current = Buffer(payload.begin(), payload.end());
  }
  return current;
}

TEST(EditScript, AppliesStepsInOrder) {
  const Buffer image = nres_with({{"a", bytes_of("one")}, {"b", bytes_of("two")}});
  const Buffer result = edited(image, {{.kind = Kind::kRename, .target = {"a"}, .name = "c"},
                                       {.kind = Kind::kReplace, .target = {"c"}, .payload = bytes_of("three")},
                                       {.kind = Kind::kRemove, .target = {"#1"}},
                                       {.kind = Kind::kAdd, .target = {}, .name = "d", .payload = bytes_of("four")}});
  EXPECT_EQ(payload_at(result, {0}), bytes_of("three"));
  EXPECT_EQ(payload_at(result, {1}), bytes_of("four"));
  EXPECT_EQ(result.size(), nres_with({{"c", bytes_of("three")}, {"d", bytes_of("four")}}).size());
}

TEST(EditScript, AnExactNameBeatsOneThatDiffersInCase) {
  const Buffer image = nres_with({{"NAME", bytes_of("upper")}, {"name", bytes_of("lower")}});
  const auto replaced = [&](const char* step) {
    const Buffer result = edited(image, {{.kind = Kind::kReplace, .target = {step}, .payload = bytes_of("12345")}});
    return std::pair(payload_at(result, {0}) == bytes_of("12345"), payload_at(result, {1}) == bytes_of("12345"));
  };
  EXPECT_EQ(replaced("name"), std::pair(false, true));
  EXPECT_EQ(replaced("NAME"), std::pair(true, false));
  EXPECT_EQ(replaced("Name"), std::pair(true, false)) << "of two that differ in case the first";
}

TEST(EditScript, SetsAFieldByIndexAndByName) {
  const Buffer image = nres_with({{"a", bytes_of("one")}, {"b", bytes_of("two")}});
  for (const char* field : {"entry[1].attr2", "entry[b].attr2", "entry[B].attr2"}) {
    const Buffer result = edited(image, {{.kind = Kind::kSet, .target = {}, .name = field, .value = "0x01020304"}});
    Buffer expected = image;
    const std::size_t at =
        image.size() - nres::kEntryRecord.size_bytes + nres::kEntryRecord.info_of(&nres::Entry::attr2).offset;
    store_little_endian<std::uint32_t>(0x01020304, MutableBytes(expected).subspan(at));
    EXPECT_EQ(result, expected) << field << ": nothing but the field's four bytes may differ";
  }
}

TEST(EditScript, ReachesThroughPackedArchives) {
  const Buffer inner = nres_with({{"stream", bytes_of("before")}, {"other", bytes_of("kept")}});
  for (const rsli::Method method :
       {rsli::Method::kStored, rsli::Method::kLzss, rsli::Method::kXorLzhuf, rsli::Method::kDeflate}) {
    const Buffer image = nres_with({{"pack", rsli_with(method, "MODEL.MSH", inner)}, {"tail", bytes_of("end")}});
    const Buffer result = edited(
        image, {{.kind = Kind::kReplace, .target = {"pack", "model.msh", "stream"}, .payload = bytes_of("after!!")},
                {.kind = Kind::kSet, .target = {"pack", "MODEL.MSH"}, .name = "entry[0].attr1", .value = "9"}});
    EXPECT_EQ(payload_at(result, {0, 0, 0}), bytes_of("after!!"));
    EXPECT_EQ(payload_at(result, {0, 0, 1}), bytes_of("kept"));
    EXPECT_EQ(payload_at(result, {1}), bytes_of("end"));
  }
}

// What no parser reads any more is written all the same, and said.
TEST(EditScript, SaysThatAnItemIsRefusedNow) {
  const Buffer mission = synth::make_mission({.objects = {"tree"}});
  const EditStep position{.kind = Kind::kSet, .target = {}, .name = "object[0].position", .value = "nan,0,0"};
  const EditStep indices{.kind = Kind::kSet, .target = {}, .name = "batch[0].index_start", .value = "99"};
  const EditStep harmless{.kind = Kind::kSet, .target = {}, .name = "batch[0].flags", .value = "1"};
  const EditStep stride{.kind = Kind::kSet, .target = {}, .name = "entry[0].attr3", .value = "37"};
  const struct {
    const char* file;
    Buffer image;
    std::vector<EditStep> steps;
    // Empty: nothing is said.
    std::string field;
  } cases[] = {
      {"data.tma", mission, {position}, "object[0].position"},
      {"a.msh", msh::full_b(), {harmless}, ""},
      {"a.msh", msh::full_b(), {indices}, "batch[0].index_start"},
      {"a.msh", msh::full_b(), {harmless, stride}, "entry[0].attr3"},
      {"a.msh", msh::full_b(), {stride}, "entry[0].attr3"},
      {"a.msh", msh::full_b(), {{.kind = Kind::kRemove, .target = {"#0"}}}, "stream[1]"},
  };
  for (const auto& one : cases) {
    const ParseContext context{.rules = RuleSet::compatible(), .hints = ItemHints::of_file(as_bytes(one.file))};
    std::size_t failed = 0;
    const auto result = apply_edits(one.image, context, one.steps, false, failed);
    ASSERT_TRUE(result) << one.field;
    ASSERT_EQ(result->notes.size(), one.field.empty() ? 0U : 1U) << one.field;
    if (!one.field.empty()) {
      EXPECT_TRUE(result->notes[0].starts_with("the edited item is refused by its own format now: " + one.field + ": "))
          << result->notes[0];
    }
    EXPECT_NE(result->bytes, one.image) << one.field;
  }
}

TEST(EditScript, NamesWhatItRefuses) {
  const Buffer image = nres_with({{"a", bytes_of("one")}});
  EXPECT_EQ(refusal(image, {.kind = Kind::kRemove, .target = {"z"}}), Code::kNoSuchEntry);
  EXPECT_EQ(refusal(image, {.kind = Kind::kRemove, .target = {"#1"}}), Code::kNoSuchEntry);
  EXPECT_EQ(refusal(image, {.kind = Kind::kRemove, .target = {}}), Code::kNoSuchEntry);
  EXPECT_EQ(refusal(image, {.kind = Kind::kReplace, .target = {"a", "b"}}), Code::kNotAContainer);
  EXPECT_EQ(refusal(image, {.kind = Kind::kSet, .target = {}, .name = "entry[0].nothing", .value = "1"}),
            Code::kNoSuchField);
  EXPECT_EQ(refusal(image, {.kind = Kind::kSet, .target = {}, .name = "nothing", .value = "1"}), Code::kNoSuchField);
  EXPECT_EQ(refusal(image, {.kind = Kind::kSet, .target = {}, .name = "entry[0", .value = "1"}), Code::kNoSuchField);
  EXPECT_EQ(refusal(image, {.kind = Kind::kSet, .target = {}, .name = "entry[9].attr1", .value = "1"}),
            Code::kNoSuchEntry);
  EXPECT_EQ(refusal(image, {.kind = Kind::kSet, .target = {}, .name = "header.version", .value = "1"}),
            Code::kDerivedField);
  EXPECT_EQ(refusal(image, {.kind = Kind::kSet, .target = {}, .name = "entry[0].attr1", .value = "x"}),
            Code::kInvalidValue);
  EXPECT_EQ(refusal(image, {.kind = Kind::kRename, .target = {"a"}, .name = std::string(36, 'n')}), Code::kNameTooLong);
}

// What is written has to be readable again.
TEST(EditScript, RefusesAResultBeyondTheLimits) {
  const Buffer image = nres_with({{"one", Buffer(10)}});
  const EditStep add{.kind = EditStep::Kind::kAdd, .target = {}, .name = "two", .payload = Buffer(1000)};
  ParseContext context{.rules = RuleSet::compatible()};
  std::size_t failed = 0;
  context.limits.input_bytes = 1200;
  EXPECT_TRUE(apply_edits(image, context, std::span(&add, 1), false, failed));
  context.limits.input_bytes = 1000;
  const auto refused = apply_edits(image, context, std::span(&add, 1), false, failed);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kLimitExceeded);
  EXPECT_EQ(refused.error().field.to_text(), "file");
  const Buffer packed = rsli_with(rsli::Method::kDeflate, "ONE", Buffer(10));
  const EditStep grow{.kind = EditStep::Kind::kReplace, .target = {"ONE"}, .payload = Buffer(1000)};
  context.limits = {};
  EXPECT_TRUE(apply_edits(packed, context, std::span(&grow, 1), false, failed));
  context.limits.unpacked_bytes = 999;
  const auto too_large = apply_edits(packed, context, std::span(&grow, 1), false, failed);
  ASSERT_FALSE(too_large);
  EXPECT_EQ(too_large.error().code, Code::kLimitExceeded);
  EXPECT_EQ(too_large.error().field.to_text(), "entry[0].unpacked_size");
}

// A member that was too large before is no reason to leave the others as they are.
TEST(EditScript, EditsAnArchiveThatIsBeyondTheLimitsAlready) {
  const synth::RsliLayout layout{
      .items = {synth::make_rsli_item("BIG", rsli::Method::kStored, bytes_of("more than five bytes")),
                synth::make_rsli_item("SMALL", rsli::Method::kStored, bytes_of("small"))}};
  const Buffer image = synth::build_rsli(layout);
  const EditStep rename{.kind = Kind::kRename, .target = {"SMALL"}, .name = "TINY"};
  ParseContext context{.rules = RuleSet::compatible()};
  context.limits.unpacked_bytes = 5;
  std::size_t failed = 0;
  const auto result = apply_edits(image, context, std::span(&rename, 1), false, failed);
  ASSERT_TRUE(result) << code_text(result.error().code);
  Findings findings;
  const auto archive = rsli::Archive::parse(result->bytes, {}, findings);
  ASSERT_TRUE(archive);
  EXPECT_EQ(as_text(archive->member(1).name), "TINY");
  EXPECT_EQ(payload_at(result->bytes, {0}), bytes_of("more than five bytes"));
}

TEST(EditScript, GoesAsDeepAsTheLimitAndNoDeeper) {
  const Buffer inner = nres_with({{"stream", bytes_of("one")}});
  const Buffer image = nres_with({{"outer", nres_with({{"stream", bytes_of("one")}, {"inner", inner}})}});
  ParseContext context{.rules = RuleSet::compatible()};
  context.limits.nesting_depth = 1;
  std::size_t failed = 0;
  const EditStep allowed{.kind = Kind::kReplace, .target = {"outer", "stream"}, .payload = bytes_of("two")};
  const auto result = apply_edits(image, context, std::span(&allowed, 1), false, failed);
  ASSERT_TRUE(result);
  EXPECT_EQ(payload_at(result->bytes, {0, 0}), bytes_of("two"));
  const EditStep deeper{.kind = Kind::kReplace, .target = {"outer", "inner", "stream"}, .payload = bytes_of("two")};
  const auto refused = apply_edits(image, context, std::span(&deeper, 1), false, failed);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kNestingTooDeep);
  EXPECT_EQ(refused.error().field.to_text(), "entry[1]");
  EXPECT_EQ(refused.error().offset, 16U + 24U) << "behind two headers and the first stream, from the start of the file";
}

TEST(EditScript, WhatIsRefusedInsideCountsFromTheStartOfTheFile) {
  Buffer inner = nres_with({{"stream", bytes_of("one")}});
  inner[4] = 0xEE;
  const Buffer image = nres_with({{"pad", bytes_of("12345678")}, {"outer", nres_with({{"inner", inner}})}});
  const EditStep step{.kind = Kind::kRemove, .target = {"outer", "inner", "stream"}};
  std::size_t failed = 0;
  const auto refused = apply_edits(image, {}, std::span(&step, 1), false, failed);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kUnsupportedVersion);
  EXPECT_EQ(refused.error().offset, 16U + 8 + 16 + 4);
}

TEST(EditScript, ReadsSetExpressions) {
  const auto top = parse_set_expression("@entry[2].attr1=7");
  ASSERT_TRUE(top);
  EXPECT_TRUE(top->target.empty());
  EXPECT_EQ(top->field, "entry[2].attr1");
  EXPECT_EQ(top->value, "7");
  const auto nested = parse_set_expression("r_h_01.msh::#2@entry[0].name=a=b@c");
  ASSERT_TRUE(nested);
  EXPECT_EQ(nested->target, (std::vector<std::string>{"r_h_01.msh", "#2"}));
  EXPECT_EQ(nested->field, "entry[0].name");
  EXPECT_EQ(nested->value, "a=b@c");
  for (const char* text : {"", "=", "@", "@=1", "x=1", "a@b", "entry[0].attr1=7"}) {
    EXPECT_FALSE(parse_set_expression(text)) << text;
  }
}

TEST(EditScript, ReadsAssignments) {
  EXPECT_EQ(parse_assignment("a=b=c")->left, "a");
  EXPECT_EQ(parse_assignment("a=b=c")->right, "b=c");
  EXPECT_EQ(parse_assignment("a=")->right, "");
  EXPECT_FALSE(parse_assignment("=b"));
  EXPECT_FALSE(parse_assignment("ab"));
}

}  // namespace
}  // namespace assay
