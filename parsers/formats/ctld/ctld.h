#pragma once

#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// Controllers of models, `*.ctl`: states of motion, channels that drive nodes, components and what happens on events
// (docs/formats/ctld.md).
namespace assay::ctld {

inline constexpr std::uint32_t kTypeTag = 0x444C5443;  // "CTLD" in file order
inline constexpr std::size_t kGroupIndexCount = 21;
inline constexpr std::int32_t kFirstClass = 1;
inline constexpr std::int32_t kLastClass = 30;
// No shipped component comes near it.
inline constexpr std::uint64_t kMaxComponentChannels = 4096;
// Stands for no group, no control point.
inline constexpr std::int32_t kNone = -1;

struct Header {
  std::int32_t state_count = 0;
  // Of each state.
  std::int32_t contact_count = 0;
  std::int32_t channel_count = 0;
  std::int32_t component_count = 0;
  std::int32_t group_count = 0;
};

struct Parameters {
  std::array<float, 3> acceleration{2.5F, 2.5F, 2.5F};
  std::array<float, 3> opaque0c{};
  std::array<float, 3> top_speed{};
  std::array<float, 3> turn_rate{6.28F, 6.28F, 6.28F};
  std::array<float, 3> spin_response{1, 1, 1};
  std::array<float, 3> lean_limit{6.28F, 6.28F, 6.28F};
  std::int32_t delete_delay_ms = 0;
  std::array<float, 2> opaque4c{};
  std::int32_t slope_mode = 0;
  float opaque58 = -1;
  float slope_cone = 1.57079F;
  std::uint32_t flags = 0;
  float opaque64 = -1;
  float payload_kg = 0;
};

struct StateHead {
  std::uint32_t box_flags = 0;
  std::uint32_t mode = 0;
  std::array<std::uint8_t, 3> lean_selectors{};
  std::uint8_t opaque0b = 0;
  std::array<float, 2> frames_a{};
  std::array<float, 2> frames_b{};
  float blend = 0;
  float step_ms = 0;
  std::array<float, 3> velocity_min{};
  std::array<float, 3> velocity_max{};
  std::array<float, 3> spin_min{};
  std::array<float, 3> spin_max{};
  float engine_factor = 0;
  std::array<std::uint8_t, 56> opaque58{};
  std::int32_t entry_group = kNone;
  std::int32_t use_count = -1;
  std::int32_t request_code = -1;
};

struct Contact {
  std::int32_t control_point = kNone;
  std::uint32_t flags = 0;
  std::int32_t group = kNone;
  std::int32_t opaque0c = 0;
};

struct Transition {
  float cost = 0;
};

struct Channel {
  std::int32_t node = 0;
  float first_frame = 0;
  float last_frame = 0;
  float initial = 0;
  std::int32_t second_control_point = kNone;
  std::int32_t control_point = kNone;
  float rate = 0;
  float span = 0;
  std::uint32_t flags = 0;
};

struct ComponentHead {
  std::int32_t class_id = kFirstClass;
  std::int32_t node = 0;
  std::uint32_t flags = 0;
  std::int32_t group = kNone;
  std::int32_t group2 = kNone;
  std::int32_t group3 = kNone;
  std::int32_t initial_state = -1;
  float mass_kg = 0;
  float power = 0;
  std::array<float, 2> input_weights{};
  std::array<float, 16> class_values{};
  FixedString<32> archive_name{};
  FixedString<32> resource_name{};
  std::int32_t channel_count = 0;
};

struct ComponentChannel {
  std::int32_t index = 0;
};

struct GroupIndex {
  std::int32_t group = kNone;
};

struct GroupHead {
  std::int32_t action_count = 0;
};

struct Action {
  std::uint32_t flags = 0;
  std::uint32_t mask = 0;
  std::uint32_t invert_mask = 0;
  std::uint32_t opcode = 0;
  std::array<std::int32_t, 4> arguments{};
  std::int32_t opaque20 = 0;
  FixedString<32> archive_name{};
  FixedString<32> resource_name{};
};

inline constexpr auto kHeaderRecord = record<Header>(
    "header", 20,
    field(0x00, "state_count", &Header::state_count, FieldStatus::kLayoutConfirmed).derived("it counts the states"),
    field(0x04, "contact_count", &Header::contact_count, FieldStatus::kLayoutConfirmed)
        .derived("it counts the contacts of each state"),
    field(0x08, "channel_count", &Header::channel_count, FieldStatus::kLayoutConfirmed)
        .derived("it counts the channels"),
    field(0x0C, "component_count", &Header::component_count, FieldStatus::kLayoutConfirmed)
        .derived("it counts the components"),
    field(0x10, "group_count", &Header::group_count, FieldStatus::kLayoutConfirmed).derived("it counts the groups"));

inline constexpr auto kParametersRecord = record<Parameters>(
    "parameters", 108,
    field(0x00, "acceleration", &Parameters::acceleration, FieldStatus::kConsumerInferred)
        .noted("2.5 on 324 of 531 controllers"),
    field(0x0C, "opaque0c", &Parameters::opaque0c, FieldStatus::kOpaque).noted("0 on 518; nothing reads it"),
    field(0x18, "top_speed", &Parameters::top_speed, FieldStatus::kConsumerInferred).noted("metres a second"),
    field(0x24, "turn_rate", &Parameters::turn_rate, FieldStatus::kConsumerInferred).noted("6.28 on 364"),
    field(0x30, "spin_response", &Parameters::spin_response, FieldStatus::kConsumerInferred)
        .noted("1 on 418; the meaning is weakly supported"),
    field(0x3C, "lean_limit", &Parameters::lean_limit, FieldStatus::kConsumerInferred).noted("radians; 6.28 on 422"),
    field(0x48, "delete_delay_ms", &Parameters::delete_delay_ms, FieldStatus::kConsumerInferred)
        .noted("0, 1000, 2000 or 5000"),
    field(0x4C, "opaque4c", &Parameters::opaque4c, FieldStatus::kOpaque).noted("0 on 512"),
    field(0x54, "slope_mode", &Parameters::slope_mode, FieldStatus::kConsumerInferred).noted("0, 2 or 3"),
    field(0x58, "opaque58", &Parameters::opaque58, FieldStatus::kOpaque).noted("-1 on 465"),
    field(0x5C, "slope_cone", &Parameters::slope_cone, FieldStatus::kConsumerInferred).noted("1.57079 on 509"),
    field(0x60, "flags", &Parameters::flags, FieldStatus::kConsumerInferred)
        .shown_as(Display::kHex)
        .noted("bits 0 to 4 are used"),
    field(0x64, "opaque64", &Parameters::opaque64, FieldStatus::kOpaque).noted("-1 on 433"),
    field(0x68, "payload_kg", &Parameters::payload_kg, FieldStatus::kConsumerInferred)
        .noted("the largest finite number on 502"));

inline constexpr auto kStateRecord = record<StateHead>(
    "state", 156,
    field(0x00, "box_flags", &StateHead::box_flags, FieldStatus::kConsumerInferred)
        .shown_as(Display::kHex)
        .noted("bits 0 to 2 axes of velocity, 4 to 6 axes of spin"),
    field(0x04, "mode", &StateHead::mode, FieldStatus::kConsumerInferred)
        .shown_as(Display::kHex)
        .noted("1 anchor, 4 ground contacts, 0x10000 by velocity, 0x100000 fixed step, 0x1000000 jitter"),
    field(0x08, "lean_selectors", &StateHead::lean_selectors, FieldStatus::kConsumerInferred),
    field(0x0B, "opaque0b", &StateHead::opaque0b, FieldStatus::kOpaque),
    field(0x0C, "frames_a", &StateHead::frames_a, FieldStatus::kConsumerInferred),
    field(0x14, "frames_b", &StateHead::frames_b, FieldStatus::kConsumerInferred),
    field(0x1C, "blend", &StateHead::blend, FieldStatus::kConsumerInferred),
    field(0x20, "step_ms", &StateHead::step_ms, FieldStatus::kConsumerInferred),
    field(0x24, "velocity_min", &StateHead::velocity_min, FieldStatus::kConsumerInferred)
        .noted("a box that is off reaches from the lowest to the highest finite number"),
    field(0x30, "velocity_max", &StateHead::velocity_max, FieldStatus::kConsumerInferred),
    field(0x3C, "spin_min", &StateHead::spin_min, FieldStatus::kConsumerInferred),
    field(0x48, "spin_max", &StateHead::spin_max, FieldStatus::kConsumerInferred),
    field(0x54, "engine_factor", &StateHead::engine_factor, FieldStatus::kConsumerInferred),
    field(0x58, "opaque58", &StateHead::opaque58, FieldStatus::kOpaque).noted("zero in all files"),
    field(0x90, "entry_group", &StateHead::entry_group, FieldStatus::kConsumerInferred)
        .noted("the group that runs on entry"),
    field(0x94, "use_count", &StateHead::use_count, FieldStatus::kConsumerInferred).noted("-1 is unlimited"),
    field(0x98, "request_code", &StateHead::request_code, FieldStatus::kConsumerInferred).noted("-1 is any"));

inline constexpr auto kContactRecord = record<Contact>(
    "contact", 16, field(0x00, "control_point", &Contact::control_point, FieldStatus::kConsumerInferred),
    field(0x04, "flags", &Contact::flags, FieldStatus::kConsumerInferred)
        .shown_as(Display::kHex)
        .noted("1 support, 0x100 node intact, 0x200 node destroyed; also 2, 4, 0x10, 0x20, 0x1000"),
    field(0x08, "group", &Contact::group, FieldStatus::kConsumerInferred).noted("-1 is none"),
    field(0x0C, "opaque0c", &Contact::opaque0c, FieldStatus::kOpaque).noted("0 in all files"));

inline constexpr auto kTransitionRecord =
    record<Transition>("transition", 4,
                       field(0x00, "cost", &Transition::cost, FieldStatus::kConsumerInferred)
                           .noted("to the state of the row; from 1,000,000 on there is no way"));

inline constexpr auto kChannelRecord = record<Channel>(
    "channel", 36,
    field(0x00, "node", &Channel::node, FieldStatus::kConsumerInferred).noted("of the model of the same stem"),
    field(0x04, "first_frame", &Channel::first_frame, FieldStatus::kConsumerInferred),
    field(0x08, "last_frame", &Channel::last_frame, FieldStatus::kConsumerInferred),
    field(0x0C, "initial", &Channel::initial, FieldStatus::kConsumerInferred).noted("between the two frames, 0 to 1"),
    field(0x10, "second_control_point", &Channel::second_control_point, FieldStatus::kConsumerInferred)
        .noted("-1 is none"),
    field(0x14, "control_point", &Channel::control_point, FieldStatus::kConsumerInferred),
    field(0x18, "rate", &Channel::rate, FieldStatus::kConsumerInferred).noted("a second"),
    field(0x1C, "span", &Channel::span, FieldStatus::kConsumerInferred).noted("radians"),
    field(0x20, "flags", &Channel::flags, FieldStatus::kConsumerInferred)
        .shown_as(Display::kHex)
        .noted("1 wraps, 2 inverted, 4 undriven, 8 list of turrets, 0x40 follows the one before"));

inline constexpr auto kComponentRecord = record<ComponentHead>(
    "component", 176,
    field(0x00, "class_id", &ComponentHead::class_id, FieldStatus::kLayoutConfirmed)
        .noted("1 to 30, of which 20 are used"),
    field(0x04, "node", &ComponentHead::node, FieldStatus::kConsumerInferred),
    field(0x08, "flags", &ComponentHead::flags, FieldStatus::kConsumerInferred)
        .shown_as(Display::kHex)
        .noted("0x1000000 and 0x2000000 side of the drive, 0x4000000 mounting, 0x8000000 headquarters"),
    field(0x0C, "group", &ComponentHead::group, FieldStatus::kConsumerInferred),
    field(0x10, "group2", &ComponentHead::group2, FieldStatus::kConsumerInferred).noted("on generic devices"),
    field(0x14, "group3", &ComponentHead::group3, FieldStatus::kConsumerInferred).noted("on generic devices"),
    field(0x18, "initial_state", &ComponentHead::initial_state, FieldStatus::kConsumerInferred)
        .noted("-1 is the default of the class"),
    field(0x1C, "mass_kg", &ComponentHead::mass_kg, FieldStatus::kConsumerInferred),
    field(0x20, "power", &ComponentHead::power, FieldStatus::kConsumerInferred),
    field(0x24, "input_weights", &ComponentHead::input_weights, FieldStatus::kConsumerInferred),
    field(0x2C, "class_values", &ComponentHead::class_values, FieldStatus::kConsumerInferred),
    field(0x6C, "archive_name", &ComponentHead::archive_name, FieldStatus::kLayoutConfirmed),
    field(0x8C, "resource_name", &ComponentHead::resource_name, FieldStatus::kLayoutConfirmed),
    field(0xAC, "channel_count", &ComponentHead::channel_count, FieldStatus::kLayoutConfirmed)
        .derived("it counts the channels of the component"));

inline constexpr auto kComponentChannelRecord = record<ComponentChannel>(
    "component_channel", 4, field(0x00, "index", &ComponentChannel::index, FieldStatus::kLayoutConfirmed));

inline constexpr TextRecord kComponentLabel =
    text_record("component_label", "label", FieldType::kLabel, FieldStatus::kLayoutConfirmed)
        .noted("the beginning of the key of an INTO prototype; may be empty");

inline constexpr auto kGroupIndexRecord = record<GroupIndex>(
    "group_index", 4, field(0x00, "group", &GroupIndex::group, FieldStatus::kConsumerInferred).noted("-1 is none"));

inline constexpr auto kGroupRecord =
    record<GroupHead>("group", 4,
                      field(0x00, "action_count", &GroupHead::action_count, FieldStatus::kLayoutConfirmed)
                          .derived("it counts the actions of the group"));

inline constexpr auto kActionRecord = record<Action>(
    "action", 100,
    field(0x00, "flags", &Action::flags, FieldStatus::kConsumerInferred)
        .shown_as(Display::kHex)
        .noted("0x80000000 begins a run, 0x40000000 any, 0x20000000 all, 0x10000000 else"),
    field(0x04, "mask", &Action::mask, FieldStatus::kConsumerInferred).shown_as(Display::kHex),
    field(0x08, "invert_mask", &Action::invert_mask, FieldStatus::kConsumerInferred).shown_as(Display::kHex),
    field(0x0C, "opcode", &Action::opcode, FieldStatus::kConsumerInferred),
    field(0x10, "arguments", &Action::arguments, FieldStatus::kConsumerInferred),
    field(0x20, "opaque20", &Action::opaque20, FieldStatus::kOpaque).noted("the bits of 1.0 on two actions, else 0"),
    field(0x24, "archive_name", &Action::archive_name, FieldStatus::kLayoutConfirmed),
    field(0x44, "resource_name", &Action::resource_name, FieldStatus::kLayoutConfirmed));

struct State {
  StateHead head{};
  Records<kContactRecord> contacts{};
};

struct Component {
  ComponentHead head{};
  // Indices of channels of the controller.
  Records<kComponentChannelRecord> channels{};
  Bytes label{};
};

// What a controller consists of, in file order.
struct ControllerParts {
  Header header{};
  Parameters parameters{};
  std::vector<State> states{};
  // One row for each state as the destination, one cost in it for each state as the source.
  std::vector<Records<kTransitionRecord>> transitions{};
  // The rows that give a node its initial pose (docs/formats/poses.md, P6).
  Records<kChannelRecord> channels{};
  std::vector<Component> components{};
  // By event: on load, hit, ground surface and so on (docs/formats/ctld.md, CT5).
  Records<kGroupIndexRecord> group_indices{};
  std::vector<Records<kActionRecord>> groups{};
};

// A parsed controller. Views refer to the bytes it was parsed from.
class Controller final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/ctld.md in their order. Cost: O(size); allocates by counts only after they
  // are known to fit.
  [[nodiscard]] static Result<Controller> parse(Bytes image, const ParseContext& context, Findings& findings);

  [[nodiscard]] const ControllerParts& parts() const { return parts_; }
  [[nodiscard]] const Records<kChannelRecord>& channels() const { return parts_.channels; }
  // Each names a resource, or leaves both names empty.
  [[nodiscard]] const std::vector<Component>& components() const { return parts_.components; }
  // The actions of each group; each names a resource, or leaves both names empty.
  [[nodiscard]] const std::vector<Records<kActionRecord>>& groups() const { return parts_.groups; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  Controller(Bytes image, ByteMap map, ControllerParts parts)
      : PlainDocument(image, std::move(map)), parts_(std::move(parts)) {}

  ControllerParts parts_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::ctld
