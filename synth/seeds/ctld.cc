#include "parsers/formats/ctld/ctld.h"
#include "parsers/base/byte_writer.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> ctld_seeds();

namespace {

template <const auto& Table>
void write_record(ByteWriter& writer, const typename std::remove_cvref_t<decltype(Table)>::Value& value) {
  Table.write(value, writer.grow(Table.size_bytes));
}

FixedString<32> fixed(std::string_view text) {
  return FixedString<32>::from_text(as_bytes(text));
}

struct StatePlan {
  ctld::StateHead head{};
  std::vector<ctld::Contact> contacts{};
};

struct ComponentPlan {
  ctld::ComponentHead head{};
  std::vector<std::int32_t> channels{};
  std::string label{};
};

struct ControllerPlan {
  std::size_t contacts_each = 0;
  std::vector<StatePlan> states{};
  std::vector<ctld::Channel> channels{};
  std::vector<ComponentPlan> components{};
  // Of the events from the first on; the others have none.
  std::vector<std::int32_t> group_indices{};
  std::vector<std::vector<ctld::Action>> groups{};
};

void write_component(ByteWriter& writer, ComponentPlan plan) {
  plan.head.channel_count = static_cast<std::int32_t>(plan.channels.size());
  write_record<ctld::kComponentRecord>(writer, plan.head);
  for (const std::int32_t channel : plan.channels) {
    writer.write(channel);
  }
  writer.write(static_cast<std::uint32_t>(plan.label.size()));
  if (!plan.label.empty()) {
    writer.write_bytes(as_bytes(plan.label));
    writer.write(std::uint8_t{0});
  }
}

void write_states(ByteWriter& writer, const ControllerPlan& plan) {
  for (const StatePlan& state : plan.states) {
    write_record<ctld::kStateRecord>(writer, state.head);
    for (std::size_t index = 0; index < plan.contacts_each; ++index) {
      write_record<ctld::kContactRecord>(writer,
                                         index < state.contacts.size() ? state.contacts[index] : ctld::Contact{});
    }
  }
  for (std::size_t row = 0; row < plan.states.size(); ++row) {
    for (std::size_t column = 0; column < plan.states.size(); ++column) {
      writer.write(row == column ? 0.0F : 1'000'000.0F);
    }
  }
}

Buffer controller_of(const ControllerPlan& plan) {
  ByteWriter writer;
  write_record<ctld::kHeaderRecord>(writer, {.state_count = static_cast<std::int32_t>(plan.states.size()),
                                             .contact_count = static_cast<std::int32_t>(plan.contacts_each),
                                             .channel_count = static_cast<std::int32_t>(plan.channels.size()),
                                             .component_count = static_cast<std::int32_t>(plan.components.size()),
                                             .group_count = static_cast<std::int32_t>(plan.groups.size())});
  write_record<ctld::kParametersRecord>(writer, {.payload_kg = 3.4e38F});
  write_states(writer, plan);
  for (const ctld::Channel& channel : plan.channels) {
    write_record<ctld::kChannelRecord>(writer, channel);
  }
  for (const ComponentPlan& component : plan.components) {
    write_component(writer, component);
  }
  for (std::size_t event = 0; event < ctld::kGroupIndexCount; ++event) {
    writer.write(event < plan.group_indices.size() ? plan.group_indices[event] : ctld::kNone);
  }
  for (const auto& group : plan.groups) {
    writer.write(static_cast<std::int32_t>(group.size()));
    for (const ctld::Action& action : group) {
      write_record<ctld::kActionRecord>(writer, action);
    }
  }
  return std::move(writer).take();
}

ctld::Action action(std::uint32_t opcode, std::string_view archive, std::string_view resource) {
  return {.flags = 0x80000000, .opcode = opcode, .archive_name = fixed(archive), .resource_name = fixed(resource)};
}

ControllerPlan walker() {
  return {
      .contacts_each = 2,
      .states = {{.head = {.mode = 1, .entry_group = 1}},
                 {.head = {.mode = 4, .frames_a = {0, 12}, .use_count = 3},
                  .contacts = {{.control_point = 0, .flags = 1}, {.control_point = 1, .flags = 0x101, .group = 0}}}},
      .channels = {{.node = 1, .last_frame = 20, .initial = 0.5F, .rate = 2},
                   {.node = 2, .first_frame = 4, .last_frame = 8, .initial = 1.25F, .flags = 3}},
      .components = {{.head = {.class_id = 5, .archive_name = fixed("parts.rlb")}},
                     {.head = {.class_id = 1, .node = 2, .resource_name = fixed("t_r_01.msh")},
                      .channels = {1, 0},
                      .label = "i_turret"}},
      .group_indices = {0, -1, 1},
      .groups = {{action(3, "effects.rlb", "fx_hit")}, {}, {action(1, "sounds.lib", "step"), action(27, "", "")}}};
}

ControllerPlan one_component() {
  return {.components = {{.head = {.class_id = 3}}}};
}

Seed seed(std::string name, const ControllerPlan& plan, Verdict verdict = Verdict::kOk) {
  return {.name = std::move(name),
          .bytes = controller_of(plan),
          .item_name = "r_h_01.ctl",
          .type_tag = ctld::kTypeTag,
          .strict = verdict,
          .compatible = verdict};
}

}  // namespace

std::vector<Seed> ctld_seeds() {
  std::vector<Seed> seeds;
  seeds.push_back(seed("nothing", {}));
  seeds.push_back(seed("one_component", one_component()));
  seeds.push_back(seed("walker", walker()));
  ControllerPlan state = walker();
  state.states[0].head.entry_group = 9;
  seeds.push_back(seed("state_of_no_group", state));
  ControllerPlan index = walker();
  index.components[1].channels[1] = 2;
  seeds.push_back(seed("channel_out_of_range", index, Verdict::kFail));
  ControllerPlan event = walker();
  event.group_indices[0] = 3;
  seeds.push_back(seed("event_without_group", event, Verdict::kFail));
  ControllerPlan other = one_component();
  other.components[0].head.class_id = 31;
  seeds.push_back(seed("another_class", other, Verdict::kFail));
  return seeds;
}

}  // namespace assay::synth
