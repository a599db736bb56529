#include "parsers/resource/edit_script.h"

#include <deque>

#include "parsers/base/escape.h"
#include "parsers/formats/catalogue.h"
#include "parsers/formats/decode_scratch.h"
#include "parsers/resource/address.h"

namespace assay {
namespace {

Failure no_such_entry() {
  return fail({.code = Code::kNoSuchEntry, .field = "entry"});
}

// The entry that one step of an address names, in the archive as edited so far: `#INDEX`, the first with exactly that
// name, else the first with that name but for ASCII case.
std::optional<std::size_t> find_entry(const Editor& editor, std::string_view step) {
  if (step.starts_with('#')) {
    const auto index = parse_index(step.substr(1));
    return index && *index < editor.entry_count() ? index : std::nullopt;
  }
  const auto wanted = unescape_bytes(step);
  std::optional<std::size_t> folded;
  for (std::size_t index = 0; wanted && index < editor.entry_count(); ++index) {
    if (equal_bytes(editor.entry_name(index), *wanted)) {
      return index;
    }
    if (!folded && equal_folded(editor.entry_name(index), *wanted)) {
      folded = index;
    }
  }
  return folded;
}

// `LIST[KEY].FIELD` or `RECORD.FIELD`, e.g. `entry[2].attr1` or `header.version`.
struct FieldAddress {
  std::string_view record;
  std::optional<std::string_view> key;
  std::string_view field;
};

std::optional<FieldAddress> parse_field_address(std::string_view text) {
  FieldAddress address;
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) {
    return std::nullopt;
  }
  address.field = text.substr(dot + 1);
  address.record = text.substr(0, dot);
  if (const std::size_t bracket = address.record.find('['); bracket != std::string_view::npos) {
    if (!address.record.ends_with(']')) {
      return std::nullopt;
    }
    address.key = address.record.substr(bracket + 1, address.record.size() - bracket - 2);
    address.record = address.record.substr(0, bracket);
  }
  return address;
}

// The entry in `entry[KEY]`: an index, or a name.
std::optional<std::size_t> find_row(const Editor& editor, std::string_view key) {
  if (const auto index = parse_index(key)) {
    return *index < editor.entry_count() ? index : std::nullopt;
  }
  return find_entry(editor, key);
}

Result<void> set_field(Editor& editor, const EditStep& step) {
  const auto address = parse_field_address(step.name);
  if (!address) {
    return fail({.code = Code::kNoSuchField, .field = "field"});
  }
  if (!address->key && address->record == "header") {
    return editor.set_field(std::nullopt, address->field, step.value);
  }
  if (!address->key || address->record != "entry") {
    return fail({.code = Code::kNoSuchField, .field = "field"});
  }
  const auto row = find_row(editor, *address->key);
  if (!row) {
    return no_such_entry();
  }
  return editor.set_field(row, address->field, step.value);
}

// A document with an editor on it; both refer to bytes that the caller keeps.
class OpenArchive {
 public:
  static Result<OpenArchive> open(Bytes image, const ParseContext& context, const ItemHints& hints) {
    const Identification found = identify(image, hints);
    if (found.format == nullptr || found.format->edit == nullptr) {
      return fail({.code = Code::kNotAContainer, .offset = context.origin.at(0), .field = "file"});
    }
    OpenArchive archive;
    Findings findings;
    ASSAY_TRY_ASSIGN(archive.document_, found.format->parse(image, context, findings));
    ASSAY_TRY_ASSIGN(archive.editor_, found.format->edit(*archive.document_));
    return archive;
  }

  [[nodiscard]] Editor& editor() { return *editor_; }

 private:
  std::unique_ptr<Document> document_;
  std::unique_ptr<Editor> editor_;
};

class Applier {
 public:
  explicit Applier(const ParseContext& context, bool sync_header) : context_(context), sync_header_(sync_header) {}

  Result<EditedArchive> run(Bytes image, std::span<const EditStep> steps, std::size_t& failed_step) {
    failed_step = 0;
    ASSAY_TRY_ASSIGN(OpenArchive archive,
                     OpenArchive::open(image, context_, {.name = context_.file_name, .type_tag = {}, .is_file = true}));
    for (const EditStep& step : steps) {
      ASSAY_TRY(apply(archive.editor(), step, 0));
      ++failed_step;
    }
    return finish(archive.editor());
  }

 private:
  static bool is_at_target(const EditStep& step, std::size_t depth) {
    const bool names_an_entry = step.kind != EditStep::Kind::kAdd && step.kind != EditStep::Kind::kSet;
    return depth + (names_an_entry ? 1 : 0) == step.target.size();
  }

  Result<void> apply(Editor& editor, const EditStep& step, std::size_t depth) {
    if (is_at_target(step, depth)) {
      return apply_here(editor, step);
    }
    if (depth >= step.target.size()) {
      return no_such_entry();
    }
    const auto index = find_entry(editor, step.target[depth]);
    if (!index) {
      return no_such_entry();
    }
    if (depth >= context_.limits.nesting_depth) {
      return fail({.code = Code::kNestingTooDeep, .field = FieldPath("entry", *index)});
    }
    return apply_inside(editor, *index, step, depth);
  }

  Result<void> apply_here(Editor& editor, const EditStep& step) {
    if (step.kind == EditStep::Kind::kSet) {
      return set_field(editor, step);
    }
    if (step.kind == EditStep::Kind::kAdd) {
      const std::string_view method = step.method.empty() ? std::string_view("stored") : std::string_view(step.method);
      return editor.add(as_bytes(step.name), step.payload, {.method = method});
    }
    const auto index = find_entry(editor, step.target.back());
    if (!index) {
      return no_such_entry();
    }
    switch (step.kind) {
      case EditStep::Kind::kReplace: return editor.replace(*index, step.payload);
      case EditStep::Kind::kRename: return editor.rename(*index, as_bytes(step.name));
      default: return editor.remove(*index);
    }
  }

  Result<void> apply_inside(Editor& editor, std::size_t index, const EditStep& step, std::size_t depth) {
    DecodeScratch scratch;
    ASSAY_TRY_ASSIGN(const Bytes payload, editor.payload(index, scratch));
    ParseContext inner = context_;
    inner.file_name = {};
    ASSAY_TRY_ASSIGN(OpenArchive nested, OpenArchive::open(payload, inner, {.name = editor.entry_name(index)}));
    ASSAY_TRY(apply(nested.editor(), step, depth + 1));
    ASSAY_TRY_ASSIGN(EditedArchive edited, finish(nested.editor()));
    kept_.push_back(std::move(edited.bytes));
    return editor.replace(index, kept_.back());
  }

  Result<EditedArchive> finish(Editor& editor) {
    if (sync_header_) {
      editor.sync_header();
    }
    for (std::string& note : editor.notes()) {
      notes_.push_back(std::move(note));
    }
    ASSAY_TRY_ASSIGN(Buffer bytes, editor.build());
    return EditedArchive{std::move(bytes), notes_};
  }

  const ParseContext& context_;
  bool sync_header_;
  // Rebuilt nested archives that an outer editor refers to; their addresses must not change.
  std::deque<Buffer> kept_;
  std::vector<std::string> notes_;
};

}  // namespace

std::optional<SetExpression> parse_set_expression(std::string_view text) {
  const std::size_t at = text.find('@');
  const std::size_t equals = at == std::string_view::npos ? at : text.find('=', at);
  if (equals == std::string_view::npos || equals == at + 1) {
    return std::nullopt;
  }
  SetExpression expression;
  if (at != 0) {
    expression.target = split_address(text.substr(0, at));
  }
  expression.field = text.substr(at + 1, equals - at - 1);
  expression.value = text.substr(equals + 1);
  return expression;
}

std::optional<Assignment> parse_assignment(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return std::nullopt;
  }
  return Assignment{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

Result<EditedArchive> apply_edits(Bytes image, const ParseContext& context, std::span<const EditStep> steps,
                                  bool sync_header, std::size_t& failed_step) {
  return Applier(context, sync_header).run(image, steps, failed_step);
}

}  // namespace assay
