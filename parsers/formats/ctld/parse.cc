#include <cmath>
#include <limits>

#include "parsers/formats/ctld/ctld.h"

namespace assay::ctld {
namespace {

constexpr std::uint64_t kLabelLengthBytes = 4;

bool names_group(std::int32_t index, std::int32_t group_count) {
  return index == kNone || (index >= 0 && index < group_count);
}

bool all_finite(const FieldInfo& info, Bytes raw) {
  for (std::size_t index = 0; index < info.count; ++index) {
    if (!std::isfinite(load_little_endian<float>(raw.subspan(info.offset + index * sizeof(float))))) {
      return false;
    }
  }
  return true;
}

}  // namespace

// Runs the checks in the order of docs/formats/ctld.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_) {}

  Result<Controller> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (image_.size() < kHeaderRecord.size_bytes) {
      return fail(cursor_.diagnostic(Code::kInputTooShort, 0, "file", Datum::at_least(kHeaderRecord.size_bytes),
                                     Datum::number(image_.size())));
    }
    ASSAY_TRY(read_header());
    ASSAY_TRY(read_parameters());
    ASSAY_TRY(read_states());
    ASSAY_TRY(read_transitions());
    ASSAY_TRY(check_room(&Header::channel_count, kChannelRecord.size_bytes));
    ASSAY_TRY_ASSIGN(parts_.channels, cursor_.read_array<kChannelRecord>("channel", count_of(&Header::channel_count)));
    ASSAY_TRY(read_components());
    ASSAY_TRY(read_group_indices());
    ASSAY_TRY(read_groups());
    ASSAY_TRY(cursor_.expect_end());
    return Controller(image_, std::move(map_), std::move(parts_));
  }

 private:
  using CountMember = std::int32_t Header::*;

  std::uint64_t count_of(CountMember member) const { return static_cast<std::uint64_t>(parts_.header.*member); }

  Failure refuse_count(CountMember member, Code code, Datum expected) const {
    return fail(cursor_.diagnostic(code, kHeaderRecord.place(member, 0, "header"), expected,
                                   Datum::signed_number(parts_.header.*member)));
  }

  Result<void> check_room(CountMember member, std::uint64_t min_element_bytes) const {
    const std::uint64_t room = cursor_.remaining() / min_element_bytes;
    if (count_of(member) > room) {
      return refuse_count(member, Code::kCountOutOfBounds, Datum::at_most(room));
    }
    return {};
  }

  // Where a member of the record that was read last stands.
  template <const auto& Table, typename Struct, typename Member>
  FieldPlace just_read(Member Struct::* member, const FieldPath& path) const {
    return Table.place(member, cursor_.offset() - Table.size_bytes, path);
  }

  Result<void> read_header() {
    ASSAY_TRY_ASSIGN(parts_.header, cursor_.read<kHeaderRecord>("header"));
    for (const CountMember member : {&Header::state_count, &Header::contact_count, &Header::channel_count,
                                     &Header::component_count, &Header::group_count}) {
      if (parts_.header.*member < 0) {
        return refuse_count(member, Code::kCountOutOfRange, Datum::at_least(0));
      }
    }
    return {};
  }

  Result<void> read_parameters() {
    const std::uint64_t start = cursor_.offset();
    ASSAY_TRY_ASSIGN(parts_.parameters, cursor_.read<kParametersRecord>("parameters"));
    const Bytes raw = image_.subspan(static_cast<std::size_t>(start), kParametersRecord.size_bytes);
    for (const FieldInfo& info : kParametersRecord.infos) {
      if (info.type == FieldType::kF32 && !all_finite(info, raw)) {
        findings_.note(
            cursor_.diagnostic(Code::kNonFinite, start + info.offset, FieldPath("parameters").then(info.name)));
      }
    }
    return {};
  }

  Result<void> read_states() {
    ASSAY_TRY(check_room(&Header::state_count, kStateRecord.size_bytes));
    const std::uint64_t states = count_of(&Header::state_count);
    if (states == 0) {
      return {};
    }
    const std::uint64_t room = cursor_.remaining() / states;
    const std::uint64_t contacts = count_of(&Header::contact_count);
    if (kStateRecord.size_bytes + contacts * kContactRecord.size_bytes > room) {
      return refuse_count(&Header::contact_count, Code::kCountOutOfBounds,
                          Datum::at_most((room - kStateRecord.size_bytes) / kContactRecord.size_bytes));
    }
    parts_.states.reserve(static_cast<std::size_t>(states));
    for (std::size_t index = 0; index < states; ++index) {
      ASSAY_TRY(read_state(FieldPath("state", index)));
    }
    return {};
  }

  Result<void> read_state(const FieldPath& path) {
    State state;
    ASSAY_TRY_ASSIGN(state.head, cursor_.read<kStateRecord>(path));
    note_group(just_read<kStateRecord>(&StateHead::entry_group, path), state.head.entry_group);
    ASSAY_TRY_ASSIGN(state.contacts,
                     cursor_.read_array<kContactRecord>(path.then("contact"), count_of(&Header::contact_count)));
    note_contacts(state.contacts, path);
    parts_.states.push_back(state);
    return {};
  }

  Diagnostic no_such_group(const FieldPlace& place, std::int32_t group) const {
    return cursor_.diagnostic(Code::kIndexOutOfRange, place, Datum::below(count_of(&Header::group_count)),
                              Datum::signed_number(group));
  }

  // That these are groups is inferred, so that another value is no more than odd.
  void note_group(const FieldPlace& place, std::int32_t group) {
    if (!names_group(group, parts_.header.group_count)) {
      findings_.note(no_such_group(place, group));
    }
  }

  // Of a state's contacts the first that is odd speaks for all, so that findings do not outgrow the input.
  void note_contacts(const Records<kContactRecord>& contacts, const FieldPath& path) {
    for (std::size_t index = 0; index < contacts.size(); ++index) {
      if (const std::int32_t group = contacts[index].group; !names_group(group, parts_.header.group_count)) {
        note_group(kContactRecord.place(&Contact::group, contacts.offset_of(index), path.then("contact", index)),
                   group);
        return;
      }
    }
  }

  Result<void> read_transitions() {
    // The states fit, so their square fits 64 bits.
    const std::uint64_t states = count_of(&Header::state_count);
    if (states * states > cursor_.remaining() / kTransitionRecord.size_bytes) {
      return refuse_count(&Header::state_count, Code::kCountOutOfBounds, Datum::words("a table of the states squared"));
    }
    parts_.transitions.reserve(static_cast<std::size_t>(states));
    for (std::size_t row = 0; row < states; ++row) {
      ASSAY_TRY_ASSIGN(const auto costs,
                       cursor_.read_array<kTransitionRecord>(FieldPath("transition", row).then("from"), states));
      parts_.transitions.push_back(costs);
    }
    return {};
  }

  Result<void> read_components() {
    ASSAY_TRY(check_room(&Header::component_count, kComponentRecord.size_bytes + kLabelLengthBytes));
    const std::uint64_t count = count_of(&Header::component_count);
    parts_.components.reserve(static_cast<std::size_t>(count));
    for (std::size_t index = 0; index < count; ++index) {
      ASSAY_TRY_ASSIGN(const Component component, read_component(FieldPath("component", index)));
      parts_.components.push_back(component);
    }
    return {};
  }

  Result<Component> read_component(const FieldPath& path) {
    Component component;
    ASSAY_TRY_ASSIGN(component.head, cursor_.read<kComponentRecord>(path));
    const std::int32_t class_id = component.head.class_id;
    if (class_id < kFirstClass || class_id > kLastClass) {
      findings_.strict(cursor_.diagnostic(Code::kUnexpectedValue,
                                          just_read<kComponentRecord>(&ComponentHead::class_id, path),
                                          Datum::words("a class from 1 to 30"), Datum::signed_number(class_id)));
    }
    ASSAY_TRY_ASSIGN(component.channels, read_component_channels(path, component.head.channel_count));
    ASSAY_TRY_ASSIGN(component.label, read_label(path));
    return component;
  }

  Result<Records<kComponentChannelRecord>> read_component_channels(const FieldPath& path, std::int32_t count) {
    const FieldPlace place = just_read<kComponentRecord>(&ComponentHead::channel_count, path);
    const std::uint64_t room = cursor_.remaining() / kComponentChannelRecord.size_bytes;
    const auto refuse = [&](Code code, Datum expected) {
      return fail(cursor_.diagnostic(code, place, expected, Datum::signed_number(count)));
    };
    if (count < 0) {
      return refuse(Code::kCountOutOfRange, Datum::at_least(0));
    }
    if (static_cast<std::uint64_t>(count) > kMaxComponentChannels) {
      return refuse(Code::kLimitExceeded, Datum::at_most(kMaxComponentChannels));
    }
    if (static_cast<std::uint64_t>(count) > room) {
      return refuse(Code::kCountOutOfBounds, Datum::at_most(room));
    }
    ASSAY_TRY_ASSIGN(const auto channels, cursor_.read_array<kComponentChannelRecord>(
                                              path.then("channel"), static_cast<std::uint64_t>(count)));
    check_channels(channels, path);
    return channels;
  }

  // As with contacts, the first that is wrong speaks for all.
  void check_channels(const Records<kComponentChannelRecord>& channels, const FieldPath& path) {
    for (std::size_t index = 0; index < channels.size(); ++index) {
      const std::int32_t channel = channels[index].index;
      if (channel < 0 || channel >= parts_.header.channel_count) {
        const FieldPlace place = kComponentChannelRecord.place(&ComponentChannel::index, channels.offset_of(index),
                                                               path.then("channel", index));
        findings_.strict(cursor_.diagnostic(Code::kIndexOutOfRange, place,
                                            Datum::below(count_of(&Header::channel_count)),
                                            Datum::signed_number(channel)));
        return;
      }
    }
  }

  Result<Bytes> read_label(const FieldPath& path) {
    constexpr std::uint64_t kMaxBytes = std::numeric_limits<std::int32_t>::max();
    const std::uint64_t start = cursor_.offset();
    const FieldPath field = path.then(kComponentLabel.infos[0].name);
    if (cursor_.remaining() >= kLabelLengthBytes) {
      const auto stored = load_little_endian<std::int32_t>(cursor_.rest());
      if (stored < 0) {
        return fail(
            cursor_.diagnostic(Code::kCountOutOfRange, start, field, Datum::at_least(0), Datum::signed_number(stored)));
      }
    }
    ASSAY_TRY_ASSIGN(const Bytes label, cursor_.read_text<kComponentLabel>(path, kMaxBytes));
    if (!label.empty() && image_[static_cast<std::size_t>(cursor_.offset() - 1)] != 0) {
      findings_.strict(cursor_.diagnostic(Code::kMissingTerminator, start, field));
    }
    return label;
  }

  Result<void> read_group_indices() {
    ASSAY_TRY_ASSIGN(parts_.group_indices, cursor_.read_array<kGroupIndexRecord>("group_index", kGroupIndexCount));
    for (std::size_t index = 0; index < kGroupIndexCount; ++index) {
      const std::int32_t group = parts_.group_indices[index].group;
      if (!names_group(group, parts_.header.group_count)) {
        findings_.strict(
            no_such_group(kGroupIndexRecord.place(&GroupIndex::group, parts_.group_indices.offset_of(index),
                                                  FieldPath("group_index", index)),
                          group));
      }
    }
    return {};
  }

  Result<void> read_groups() {
    ASSAY_TRY(check_room(&Header::group_count, kGroupRecord.size_bytes));
    const std::uint64_t count = count_of(&Header::group_count);
    parts_.groups.reserve(static_cast<std::size_t>(count));
    for (std::size_t index = 0; index < count; ++index) {
      ASSAY_TRY_ASSIGN(const auto actions, read_group(FieldPath("group", index)));
      parts_.groups.push_back(actions);
    }
    return {};
  }

  Result<Records<kActionRecord>> read_group(const FieldPath& path) {
    ASSAY_TRY_ASSIGN(const GroupHead head, cursor_.read<kGroupRecord>(path));
    const FieldPlace place = just_read<kGroupRecord>(&GroupHead::action_count, path);
    const std::uint64_t room = cursor_.remaining() / kActionRecord.size_bytes;
    const Datum got = Datum::signed_number(head.action_count);
    if (head.action_count < 0) {
      return fail(cursor_.diagnostic(Code::kCountOutOfRange, place, Datum::at_least(0), got));
    }
    const auto count = static_cast<std::uint64_t>(head.action_count);
    if (count > room) {
      return fail(cursor_.diagnostic(Code::kCountOutOfBounds, place, Datum::at_most(room), got));
    }
    return cursor_.read_array<kActionRecord>(path.then("action"), count);
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
  ControllerParts parts_;
};

Result<Controller> Controller::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<DocumentFact> Controller::facts() const {
  std::size_t actions = 0;
  for (const auto& group : groups()) {
    actions += group.size();
  }
  return {{"states", std::to_string(parts_.states.size())},
          {"contacts", std::to_string(parts_.states.empty() ? 0 : parts_.header.contact_count)},
          {"channels", std::to_string(channels().size())},
          {"components", std::to_string(components().size())},
          {"groups", std::to_string(groups().size())},
          {"actions", std::to_string(actions)}};
}

namespace {

constexpr RecordInfo kRecords[] = {
    kInfoOf<kHeaderRecord>,     kInfoOf<kParametersRecord>, kInfoOf<kStateRecord>,     kInfoOf<kContactRecord>,
    kInfoOf<kTransitionRecord>, kInfoOf<kChannelRecord>,    kInfoOf<kComponentRecord>, kInfoOf<kComponentChannelRecord>,
    kInfoOf<kComponentLabel>,   kInfoOf<kGroupIndexRecord>, kInfoOf<kGroupRecord>,     kInfoOf<kActionRecord>,
};

constexpr std::uint32_t kTypeTags[] = {kTypeTag};
constexpr NamePattern kNamePatterns[] = {{.pattern = "*.ctl"}};

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Controller controller, Controller::parse(bytes, context, findings));
  return std::make_unique<Controller>(std::move(controller));
}

constexpr Format kFormat{.id = "ctld",
                         .title = "model controller",
                         .documentation = "docs/formats/ctld.md",
                         .records = kRecords,
                         .type_tags = kTypeTags,
                         .name_patterns = kNamePatterns,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::ctld
