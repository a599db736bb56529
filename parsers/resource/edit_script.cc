#include "parsers/resource/edit_script.h"

#include <deque>

#include "parsers/base/escape.h"
#include "parsers/base/field_text.h"
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

// The bytes of an item, what they parse to, and the edits on it so far.
class OpenItem {
 public:
  // `image` and what `context` refers to must outlive the object. Errors: kNotAContainer where no format claims the
  // item, and what its parser refuses.
  static Result<OpenItem> open(Bytes image, const ParseContext& context) {
    OpenItem item(context);
    ASSAY_TRY(item.take(image));
    return item;
  }

  // Null where the item is no archive.
  [[nodiscard]] Editor* editor() { return editor_.get(); }

  // Where the payload of an entry is, in the outermost bytes as they were; of a new payload there is only the item.
  [[nodiscard]] Origin origin_of(std::size_t index) const {
    const auto original = editor_->original_of(index);
    if (!original) {
      return {.base_offset = context_.origin.at(0), .is_decoded = true};
    }
    const Member member = document_->container()->member(*original);
    return member.method == "stored" ? context_.origin.stored_part(member.offset)
                                     : context_.origin.decoded_part(member.offset);
  }

  // Why the item, or its first member that is too large to be read, is refused.
  [[nodiscard]] std::optional<Diagnostic> over_limit() const {
    if (refusal_ && code_category(refusal_->code) == Category::kOverLimit) {
      return refusal_;
    }
    const Container* members = document_ == nullptr ? nullptr : document_->container();
    for (std::size_t index = 0; members != nullptr && index < members->member_count(); ++index) {
      const Diagnostic* error = members->member(index).error;
      if (error != nullptr && code_category(error->code) == Category::kOverLimit) {
        return *error;
      }
    }
    return std::nullopt;
  }

  // Sets a field that a record table names. Rows and headers of archives are the editor's business; any other field is
  // found through the byte map.
  Result<void> set(const EditStep& step) {
    if (editor_ != nullptr) {
      ASSAY_TRY_ASSIGN(const bool is_done, set_row_field(step));
      if (is_done) {
        return {};
      }
      // The map is that of the bytes, so what was edited so far has to become bytes.
      ASSAY_TRY_ASSIGN(Buffer built, editor_->build());
      ASSAY_TRY(take_built(std::move(built)));
    }
    if (document_ == nullptr) {
      return fail({.code = Code::kNotEditable, .offset = context_.origin.at(0), .field = "file"});
    }
    ByteMap map = document_->account();
    ASSAY_TRY(map.close(image_.size()));
    const auto field = map.find(step.name);
    if (!field) {
      return fail({.code = Code::kNoSuchField, .field = "field"});
    }
    ASSAY_TRY_ASSIGN(const Buffer encoded, encode_field(*field, step.value));
    return editor_ == nullptr ? take_built(spliced(image_, field->offset, field->raw.size(), encoded))
                              : set_in_member(*field, encoded);
  }

  // The item with all edits. Adds what the user should know to `notes`.
  Result<Buffer> finish(bool sync_header, std::vector<std::string>& notes) {
    if (editor_ == nullptr) {
      add_refusal(notes);
      return copy_of(image_);
    }
    if (sync_header) {
      editor_->sync_header();
    }
    for (std::string& note : editor_->notes()) {
      notes.push_back(std::move(note));
    }
    // A stream that is gone or another can be refused as well as a field.
    ASSAY_TRY_ASSIGN(Buffer built, editor_->build());
    ASSAY_TRY(take_built(std::move(built)));
    add_refusal(notes);
    return copy_of(image_);
  }

 private:
  explicit OpenItem(const ParseContext& context) : context_(context) {}

  // Parses `image`. What refines an archive format and is refused is still such an archive, whose entries can be
  // edited; why it is refused stays in `refusal_`.
  Result<void> take(Bytes image) {
    image_ = image;
    const Identification found = identify(image, context_.hints);
    if (found.format == nullptr) {
      return fail({.code = Code::kNotAContainer, .offset = context_.origin.at(0), .field = "file"});
    }
    editor_.reset();
    document_.reset();
    const Format* format = found.format;
    auto document = parsed(*format, image);
    refusal_ = document ? std::nullopt : std::optional(document.error());
    if (const Format* base = find_format(format->refines); refusal_ && base != nullptr && base->has_magic(image)) {
      format = base;
      document = parsed(*base, image);
    }
    ASSAY_TRY_ASSIGN(document_, std::move(document));
    if (format->edit != nullptr) {
      ASSAY_TRY_ASSIGN(editor_, format->edit(*document_));
    }
    return {};
  }

  Result<std::unique_ptr<Document>> parsed(const Format& format, Bytes image) const {
    Findings findings;
    return format.parse(image, context_, findings);
  }

  // The same for edited bytes. An item whose field was set to what its own parser refuses is kept as bytes.
  Result<void> take_built(Buffer built) {
    // The old document refers to the old bytes, so they stay until it is gone.
    auto owned = std::make_unique<Buffer>(std::move(built));
    auto taken = take(*owned);
    owned_ = std::move(owned);
    refusal_ = taken ? refusal_ : std::optional(taken.error());
    return {};
  }

  // False when the path is not that of a row or of the archive's header.
  Result<bool> set_row_field(const EditStep& step) {
    const auto address = parse_field_address(step.name);
    if (address && !address->key && address->record == "header") {
      ASSAY_TRY(editor_->set_field(std::nullopt, address->field, step.value));
      return true;
    }
    if (!address || !address->key || address->record != "entry") {
      return false;
    }
    const auto row = find_row(*editor_, *address->key);
    if (!row) {
      return no_such_entry();
    }
    ASSAY_TRY(editor_->set_field(row, address->field, step.value));
    return true;
  }

  static Result<Buffer> encode_field(const FieldView& field, std::string_view value) {
    if (field.info->is_derived()) {
      return fail({.code = Code::kDerivedField,
                   .offset = field.offset,
                   .field = field.path,
                   .got = Datum::words(field.info->derived)});
    }
    auto encoded = encode_field_text(*field.info, value, field.raw);
    if (!encoded) {
      Diagnostic refused = encoded.error();
      refused.field = field.path;
      return fail(refused);
    }
    return encoded;
  }

  static Buffer spliced(Bytes image, std::uint64_t offset, std::size_t old_bytes, const Buffer& replacement) {
    const auto start = static_cast<std::ptrdiff_t>(offset);
    Buffer result(image.begin(), image.begin() + start);
    result.insert(result.end(), replacement.begin(), replacement.end());
    result.insert(result.end(), image.begin() + start + static_cast<std::ptrdiff_t>(old_bytes), image.end());
    return result;
  }

  // A field that lies in a member of an archive that reads its members itself.
  Result<void> set_in_member(const FieldView& field, const Buffer& encoded) {
    const Container& members = *document_->container();
    for (std::size_t index = 0; index < members.member_count(); ++index) {
      const Member member = members.member(index);
      const bool holds_it =
          member.error == nullptr && field.offset >= member.offset && field.offset - member.offset < member.packed_size;
      if (holds_it) {
        const auto payload = slice(image_, member.offset, member.packed_size);
        kept_.push_back(spliced(*payload, field.offset - member.offset, field.raw.size(), encoded));
        return editor_->replace(index, kept_.back());
      }
    }
    return fail({.code = Code::kNoSuchField, .field = "field"});
  }

  void add_refusal(std::vector<std::string>& notes) const {
    if (refusal_) {
      notes.push_back("the edited item is refused by its own format now: " + refusal_->field.to_text() + ": " +
                      refusal_->message());
    }
  }

  ParseContext context_;
  Bytes image_;
  std::unique_ptr<Buffer> owned_;
  // New payloads that the editor refers to; their addresses must not change.
  std::deque<Buffer> kept_;
  std::unique_ptr<Document> document_;
  std::unique_ptr<Editor> editor_;
  // Why the bytes as edited cannot be parsed.
  std::optional<Diagnostic> refusal_;
};

class Applier {
 public:
  explicit Applier(const ParseContext& context, bool sync_header) : context_(context), sync_header_(sync_header) {}

  Result<EditedArchive> run(Bytes image, std::span<const EditStep> steps, std::size_t& failed_step) {
    failed_step = 0;
    ASSAY_TRY_ASSIGN(OpenItem item, OpenItem::open(image, context_));
    const bool was_over_limit = item.over_limit().has_value();
    for (const EditStep& step : steps) {
      ASSAY_TRY(apply(item, step, 0));
      ++failed_step;
    }
    ASSAY_TRY_ASSIGN(Buffer bytes, item.finish(sync_header_, notes_));
    // What is written has to be readable again.
    if (const auto why = item.over_limit(); why && !was_over_limit) {
      return fail(*why);
    }
    return EditedArchive{std::move(bytes), notes_};
  }

 private:
  static bool is_at_target(const EditStep& step, std::size_t depth) {
    const bool names_an_entry = step.kind != EditStep::Kind::kAdd && step.kind != EditStep::Kind::kSet;
    return depth + (names_an_entry ? 1 : 0) == step.target.size();
  }

  Result<void> apply(OpenItem& item, const EditStep& step, std::size_t depth) {
    if (step.kind == EditStep::Kind::kSet && is_at_target(step, depth)) {
      return item.set(step);
    }
    if (item.editor() == nullptr) {
      return fail({.code = Code::kNotAContainer, .field = "file"});
    }
    Editor& editor = *item.editor();
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
      return fail({.code = Code::kNestingTooDeep,
                   .offset = item.origin_of(*index).at(0),
                   .field = FieldPath("entry", *index),
                   .expected = Datum::at_most(context_.limits.nesting_depth),
                   .got = Datum::number(depth + 1)});
    }
    return apply_inside(item, *index, step, depth);
  }

  static Result<void> apply_here(Editor& editor, const EditStep& step) {
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

  Result<void> apply_inside(OpenItem& item, std::size_t index, const EditStep& step, std::size_t depth) {
    Editor& editor = *item.editor();
    DecodeScratch scratch;
    ASSAY_TRY_ASSIGN(const Bytes payload, editor.payload(index, scratch));
    ParseContext inner = context_;
    inner.hints = editor.entry_hints(index);
    inner.origin = item.origin_of(index);
    ASSAY_TRY_ASSIGN(OpenItem nested, OpenItem::open(payload, inner));
    ASSAY_TRY(apply(nested, step, depth + 1));
    ASSAY_TRY_ASSIGN(Buffer edited, nested.finish(sync_header_, notes_));
    kept_.push_back(std::move(edited));
    return editor.replace(index, kept_.back());
  }

  const ParseContext& context_;
  bool sync_header_;
  // Rebuilt nested items that an outer editor refers to; their addresses must not change.
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
