#include "parsers/formats/ctld/ctld.h"

#include "parsers/base/byte_writer.h"
#include "parsers/formats/format_test_support.h"

namespace assay::ctld {
namespace {

using namespace assay::format_testing;  // NOLINT(google-build-using-namespace)

template <const auto& Table>
void append(ByteWriter& writer, const typename std::remove_cvref_t<decltype(Table)>::Value& value) {
  Table.write(value, writer.grow(Table.size_bytes));
}

// The smallest controller of docs/formats/ctld.md: no counts, and 0xFF from 0x80 on.
Buffer smallest() {
  Buffer image(212);
  std::fill(image.begin() + 128, image.end(), std::uint8_t{0xFF});
  return image;
}

// The commonest: one component without channels and label.
Buffer commonest() {
  ByteWriter writer;
  append<kHeaderRecord>(writer, {.component_count = 1});
  append<kParametersRecord>(writer, {});
  append<kComponentRecord>(writer, {.class_id = 3});
  writer.write(std::uint32_t{0});
  for (std::size_t event = 0; event < kGroupIndexCount; ++event) {
    writer.write(kNone);
  }
  return std::move(writer).take();
}

// Where the parts of full() start.
constexpr std::size_t kState = 128;
constexpr std::size_t kContacts = kState + 156;
constexpr std::size_t kTransition = kContacts + 2 * 16;
constexpr std::size_t kChannel = kTransition + 4;
constexpr std::size_t kComponent = kChannel + 2 * 36;
constexpr std::size_t kIndices = kComponent + 176;
constexpr std::size_t kLabel = kIndices + 2 * 4;
constexpr std::size_t kEvents = kLabel + 4 + 5 + 1;
constexpr std::size_t kGroups = kEvents + 84;
constexpr std::size_t kEnd = kGroups + 4 + 100 + 4;

// One state with two contacts, two channels, one component with both and a label, two groups of one and no actions.
Buffer full() {
  ByteWriter writer;
  append<kHeaderRecord>(
      writer, {.state_count = 1, .contact_count = 2, .channel_count = 2, .component_count = 1, .group_count = 2});
  append<kParametersRecord>(writer, {});
  append<kStateRecord>(writer, {.entry_group = 1});
  append<kContactRecord>(writer, {.control_point = 4, .group = 0});
  append<kContactRecord>(writer, {.control_point = 5});
  append<kTransitionRecord>(writer, {.cost = 1'000'000});
  append<kChannelRecord>(writer, {.node = 1, .last_frame = 20, .initial = 0.5F});
  append<kChannelRecord>(writer, {.node = 2, .first_frame = 3, .flags = 7});
  append<kComponentRecord>(writer, {.class_id = 30,
                                    .archive_name = FixedString<32>::from_text(as_bytes("guns.rlb")),
                                    .resource_name = FixedString<32>::from_text(as_bytes("g_01.msh")),
                                    .channel_count = 2});
  writer.write(std::int32_t{1});
  writer.write(std::int32_t{0});
  writer.write(std::uint32_t{5});
  writer.write_bytes(as_bytes("i_gun"));
  writer.write(std::uint8_t{0});
  for (std::size_t event = 0; event < kGroupIndexCount; ++event) {
    writer.write(event == 20 ? 1 : kNone);
  }
  writer.write(std::int32_t{1});
  append<kActionRecord>(writer, {.opcode = 3, .resource_name = FixedString<32>::from_text(as_bytes("fx_hit"))});
  writer.write(std::int32_t{0});
  return std::move(writer).take();
}

Lines said_of(const Buffer& image, const ParseContext& context = {}) {
  return said_by<Controller>(image, context);
}

TEST(Ctld, ReadsTheSmallestController) {
  EXPECT_EQ(said_of(smallest()), Lines{});
}

TEST(Ctld, ReadsTheCommonestController) {
  ASSERT_EQ(commonest().size(), 392U);
  EXPECT_EQ(said_of(commonest()), Lines{});
}

TEST(Ctld, ReadsEveryPart) {
  const Buffer image = full();
  ASSERT_EQ(image.size(), kEnd);
  EXPECT_EQ(said_of(image), Lines{});
  Findings findings;
  const auto controller = Controller::parse(image, {}, findings);
  ASSERT_TRUE(controller);
  const ControllerParts& parts = controller->parts();
  ASSERT_EQ(parts.states.size(), 1U);
  ASSERT_EQ(parts.states[0].contacts.size(), 2U);
  EXPECT_EQ(parts.states[0].contacts[1].control_point, 5);
  ASSERT_EQ(parts.transitions.size(), 1U);
  EXPECT_EQ(parts.transitions[0][0].cost, 1'000'000);
  ASSERT_EQ(controller->channels().size(), 2U);
  EXPECT_EQ(controller->channels()[0].initial, 0.5F);
  EXPECT_EQ(controller->channels()[1].node, 2);
  EXPECT_EQ(controller->channels()[1].flags, 7U);
  ASSERT_EQ(controller->components().size(), 1U);
  const Component& component = controller->components()[0];
  EXPECT_EQ(text_of(component.head.archive_name.text()), "guns.rlb");
  EXPECT_EQ(text_of(component.label), "i_gun");
  ASSERT_EQ(component.channels.size(), 2U);
  EXPECT_EQ(component.channels[0].index, 1);
  EXPECT_EQ(parts.group_indices[20].group, 1);
  ASSERT_EQ(controller->groups().size(), 2U);
  EXPECT_EQ(text_of(controller->groups()[0][0].resource_name.text()), "fx_hit");
  EXPECT_TRUE(controller->groups()[1].empty());
}

struct Row {
  const char* name;
  Buffer image;
  const char* said;
};

void expect_rows(std::span<const Row> rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(said_of(row.image), Lines{row.said}) << row.name;
  }
}

constexpr std::uint32_t kMinusOne = 0xFFFFFFFF;
constexpr std::uint32_t kHighest = 0x7FFFFFFF;

TEST(Ctld, SaysExactlyWhichCountIsWrong) {
  const Buffer image = full();
  const Row rows[] = {
      {"empty", {}, "refused input_too_short @0 file"},
      {"19 bytes", truncated(image, 19), "refused input_too_short @0 file"},
      {"negative states", with_u32(image, 0, kMinusOne), "refused count_out_of_range @0 header.state_count"},
      {"negative contacts", with_u32(image, 4, kMinusOne), "refused count_out_of_range @4 header.contact_count"},
      {"negative channels", with_u32(image, 8, kMinusOne), "refused count_out_of_range @8 header.channel_count"},
      {"negative components", with_u32(image, 12, kMinusOne), "refused count_out_of_range @12 header.component_count"},
      {"negative groups", with_u32(image, 16, kMinusOne), "refused count_out_of_range @16 header.group_count"},
      {"states", with_u32(image, 0, 5), "refused count_out_of_bounds @0 header.state_count"},
      {"absurd states", with_u32(image, 0, kHighest), "refused count_out_of_bounds @0 header.state_count"},
      {"contacts", with_u32(image, 4, 31), "refused count_out_of_bounds @4 header.contact_count"},
      {"absurd contacts", with_u32(image, 4, kHighest), "refused count_out_of_bounds @4 header.contact_count"},
      {"channels", with_u32(image, 8, 13), "refused count_out_of_bounds @8 header.channel_count"},
      {"components", with_u32(image, 12, 3), "refused count_out_of_bounds @12 header.component_count"},
      {"groups", with_u32(image, 16, 28), "refused count_out_of_bounds @16 header.group_count"},
      {"a byte more", joined(image, Buffer{0}), "refused trailing_bytes @778 file"},
      {"one group less", with_u32(with_u32(with_u32(image, 16, 1), kEvents + 80, 0), kState + 0x90, 0),
       "refused trailing_bytes @774 file"},
  };
  expect_rows(rows);
}

TEST(Ctld, RefusesATransitionTableThatDoesNotFit) {
  // 50 states of 156 bytes fit, the 2,500 costs do not.
  Buffer image(128 + 50 * 156 + 9'996);
  EXPECT_EQ(said_of(with_u32(image, 0, 50)), Lines{"refused count_out_of_bounds @0 header.state_count"});
  image.resize(image.size() + 4);
  EXPECT_EQ(said_of(with_u32(image, 0, 50)), Lines{"refused input_too_short @17928 group_index[0].group"});
}

TEST(Ctld, SaysExactlyWhatIsWrongBehindTheHeader) {
  const Buffer image = full();
  const Row rows[] = {
      {"cut parameters", truncated(image, 127), "refused input_too_short @124 parameters.payload_kg"},
      {"parameter", with_u32(image, 0x38 + 8, 0x7FC00000), "note non_finite @56 parameters.turn_rate"},
      {"entry group", with_u32(image, kState + 0x90, 2), "note index_out_of_range @272 state[0].entry_group"},
      {"contact group", with_u32(image, kContacts + 24, 2), "note index_out_of_range @308 state[0].contact[1].group"},
      {"two bad contact groups", with_u32(with_u32(image, kContacts + 8, 2), kContacts + 24, 2),
       "note index_out_of_range @292 state[0].contact[0].group"},
      {"class 0", with_u32(image, kComponent, 0), "strict unexpected_value @392 component[0].class_id"},
      {"class 31", with_u32(image, kComponent, 31), "strict unexpected_value @392 component[0].class_id"},
      {"negative channels", with_u32(image, kComponent + 0xAC, kMinusOne),
       "refused count_out_of_range @564 component[0].channel_count"},
      {"too many channels", with_u32(image, kComponent + 0xAC, 4097),
       "refused limit_exceeded @564 component[0].channel_count"},
      {"channels past the end", with_u32(image, kComponent + 0xAC, 4096),
       "refused count_out_of_bounds @564 component[0].channel_count"},
      {"channel 2 of 2", with_u32(image, kIndices + 4, 2),
       "strict index_out_of_range @572 component[0].channel[1].index"},
      {"channel -1", with_u32(image, kIndices, kMinusOne),
       "strict index_out_of_range @568 component[0].channel[0].index"},
      {"two bad channels", with_u32(with_u32(image, kIndices, 2), kIndices + 4, 2),
       "strict index_out_of_range @568 component[0].channel[0].index"},
      {"negative label", with_u32(image, kLabel, kMinusOne), "refused count_out_of_range @576 component[0].label"},
      {"label past the end", with_u32(image, kLabel, 198), "refused input_too_short @576 component[0].label"},
      {"label without NUL", with_byte(image, kLabel + 9, 'x'), "strict missing_terminator @576 component[0].label"},
      {"event of group 2", with_u32(image, kEvents + 4, 2), "strict index_out_of_range @590 group_index[1].group"},
      {"event of group -2", with_u32(image, kEvents, 0xFFFFFFFE),
       "strict index_out_of_range @586 group_index[0].group"},
      {"cut events", truncated(image, kEvents + 83), "refused input_too_short @666 group_index[20].group"},
      {"negative actions", with_u32(image, kGroups, kMinusOne),
       "refused count_out_of_range @670 group[0].action_count"},
      {"actions past the end", with_u32(image, kGroups, 2), "refused count_out_of_bounds @670 group[0].action_count"},
  };
  expect_rows(rows);
}

TEST(Ctld, RefusesEveryPrefix) {
  for (const Buffer& image : {smallest(), commonest(), full()}) {
    for (std::size_t size = 0; size < image.size(); ++size) {
      Findings findings;
      const Buffer prefix = truncated(image, size);
      const auto controller = Controller::parse(prefix, {}, findings);
      ASSERT_FALSE(controller) << size;
      expect_sound_diagnostic(controller.error(), size, std::to_string(size));
    }
  }
}

TEST(Ctld, RefusesInputsOverTheLimit) {
  ParseContext context;
  context.limits.input_bytes = 211;
  EXPECT_EQ(said_of(smallest(), context), Lines{"refused limit_exceeded @0 file"});
}

}  // namespace
}  // namespace assay::ctld
