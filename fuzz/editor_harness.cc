#include "fuzz/editor_harness.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/byte_script.h"
#include "fuzz/harness.h"
#include "oracles/oracles.h"
#include "oracles/support.h"
#include "parsers/base/field_text.h"
#include "parsers/formats/catalogue.h"
#include "synth/seeds/seeds.h"

namespace assay::fuzz {
namespace {

using Base = synth::FormatSeed;

// Every seed of a format that can be edited, in the order of the catalogue.
const std::vector<Base>& bases() {
  static const std::vector<Base> kBases = [] {
    std::vector<Base> bases = synth::all_seeds();
    std::erase_if(bases, [](const Base& base) { return base.format->edit == nullptr; });
    return bases;
  }();
  return kBases;
}

// What the archive has to say of one member.
struct ModelEntry {
  Buffer name;
  // Nothing where it cannot be read.
  std::optional<Buffer> payload{};
  // Its directory row; empty for an added entry until it was built once.
  Buffer row{};
  // Whether it has another name than its row; the bytes behind that are then not known.
  bool is_renamed = false;
};

// The fields of a row that follow from nothing else.
bool is_compared(const FieldInfo& info, const ModelEntry& entry) {
  return !info.is_derived() && (info.type != FieldType::kText || !entry.is_renamed);
}

class Session {
 public:
  Session(const Base& base, ByteScript script) : base_(base), format_(base.format), script_(script) {
    context_.rules = RuleSet::compatible();
    context_.hints = base.seed.hints();
    context_.limits.unpacked_bytes = kMaxInputBytes;
  }

  void run() {
    open(base_.seed.bytes);
    if (!parsed_ || !parsed_->document || (*parsed_->document)->container() == nullptr) {
      return;
    }
    adopt();
    constexpr std::size_t kMaxSteps = 64;
    for (std::size_t step = 0; step < kMaxSteps && !script_.at_end(); ++step) {
      edit();
    }
    rebuild();
  }

 private:
  const Container& container() const { return *(*parsed_->document)->container(); }

  void open(Bytes image) {
    editor_.reset();
    image_.assign(image.begin(), image.end());
    parsed_ = oracles::parse(*format_, image_, context_);
    if (!parsed_->document && !format_->refines.empty()) {
      // A model without one of its streams is no model, and still the archive that it was.
      format_ = find_format(format_->refines);
      parsed_ = oracles::parse(*format_, image_, context_);
    }
    if (parsed_->document) {
      auto opened = format_->edit(**parsed_->document);
      require(opened.has_value(), "what is parsed can be edited");
      editor_ = std::move(*opened);
    }
  }

  // Of an archive alone: a model may break its own rules by any edit of a stream.
  bool is_clean() const {
    return !base_.format->refines.empty() || std::ranges::all_of(parsed_->findings.list(), [](const Finding& finding) {
      return finding.severity == Severity::kNote;
    });
  }

  // Takes the model over from the archive.
  void adopt() {
    model_.clear();
    had_map_ = container().uses_sort_map();
    was_clean_ = is_clean();
    has_set_layout_ = false;
    for (std::size_t index = 0; index < container().member_count(); ++index) {
      const Member member = container().member(index);
      ModelEntry entry{.name = copy_of(member.name), .row = copy_of(member.row)};
      Findings findings;
      if (const auto payload = container().load(index, oracles::shared_scratch(), findings)) {
        entry.payload = Buffer(payload->begin(), payload->end());
      }
      model_.push_back(std::move(entry));
      record_ = member.row_record;
    }
  }

  void edit() {
    const std::uint8_t kind = script_.byte() % 8;
    const bool has_entries = !model_.empty();
    switch (kind) {
      case 0:
      case 1: return has_entries ? replace() : add();
      case 2: return has_entries ? rename() : add();
      case 3: return has_entries ? remove() : add();
      case 4: return has_entries ? set_row_field() : add();
      case 5: return set_header_field();
      case 6: return add();
      default: return script_.byte() % 4 == 0 ? rebuild() : sync();
    }
  }

  // Views that are handed to the editor have to live until it builds.
  Bytes keep(Bytes bytes) { return kept_.emplace_back(bytes.begin(), bytes.end()); }

  void replace() {
    const std::size_t index = script_.index(model_.size());
    const Bytes payload = keep(script_.text());
    if (editor_->replace(index, payload)) {
      model_[index].payload = copy_of(payload);
    }
  }

  void rename() {
    const std::size_t index = script_.index(model_.size());
    const Bytes name = keep(script_.take(script_.byte() % 40));
    if (editor_->rename(index, name)) {
      model_[index].is_renamed = model_[index].is_renamed || !equal_bytes(model_[index].name, name);
      model_[index].name = copy_of(name);
    }
  }

  void add() {
    static constexpr std::array<std::string_view, 8> kMethods{"stored", "xor",       "lzss",    "xor+lzss",
                                                              "lzhuf",  "xor+lzhuf", "deflate", "unknown"};
    const AddOptions options{kMethods[script_.index(kMethods.size())]};
    const Bytes name = keep(script_.take(script_.byte() % 16));
    const Bytes payload = keep(script_.text());
    if (editor_->add(name, payload, options)) {
      model_.push_back({.name = copy_of(name), .payload = copy_of(payload)});
    }
  }

  void remove() {
    const std::size_t index = script_.index(model_.size());
    if (editor_->remove(index)) {
      model_.erase(model_.begin() + static_cast<std::ptrdiff_t>(index));
    }
  }

  // The bytes of a field from the script, as wide as it is.
  Buffer value_of(const FieldInfo& info) {
    Buffer raw(info.size_bytes);
    std::ranges::copy(script_.take(info.size_bytes), raw.begin());
    return raw;
  }

  void set_row_field() {
    const std::size_t index = script_.index(model_.size());
    if (record_ == nullptr) {
      return;
    }
    const FieldInfo& info = record_->fields[script_.index(record_->fields.size())];
    const Buffer raw = value_of(info);
    const bool is_set = editor_->set_field(index, info.name, field_text(info, raw)).has_value();
    require(!is_set || !info.is_derived(), "a derived field cannot be set");
    if (!is_set) {
      return;
    }
    has_set_layout_ = has_set_layout_ || info.follows_layout;
    if (info.type == FieldType::kText) {
      const Bytes name = editor_->entry_name(index);
      model_[index].name = copy_of(name);
      model_[index].is_renamed = true;
    } else if (!model_[index].row.empty()) {
      std::ranges::copy(raw, model_[index].row.begin() + info.offset);
    }
  }

  void set_header_field() {
    const RecordInfo& record = format_->records.front();
    const FieldInfo& info = record.fields[script_.index(record.fields.size())];
    const Buffer raw = value_of(info);
    if (editor_->set_field(std::nullopt, info.name, field_text(info, raw))) {
      header_[info.name] = raw;
    }
  }

  void sync() {
    editor_->sync_header();
    is_synced_ = true;
  }

  void rebuild() {
    static_cast<void>(editor_->notes());
    const auto built = editor_->build();
    if (!built) {
      const Code code = built.error().code;
      require(code == Code::kNotEditable || code == Code::kIntegerOverflow || code == Code::kInvalidEntryCount,
              "an editor refuses to build for one of three reasons");
      // The edits are lost, and so is what the model knows of them.
      open(Buffer(image_));
    } else {
      open(Buffer(*built));
      require(parsed_->document.has_value(), "what an editor builds is accepted");
      compare();
    }
    adopt();
    header_.clear();
    is_synced_ = false;
  }

  void compare() const {
    require_none(oracles::round_trip(**parsed_->document, image_));
    require(container().member_count() == model_.size(), "an edited archive has as many members as the model");
    require(is_clean() || !was_clean_ || has_set_layout_, "edits of a clean archive leave it clean");
    require(container().uses_sort_map() || !had_map_ || has_set_layout_, "a sound sort map stays one");
    for (std::size_t index = 0; index < model_.size(); ++index) {
      compare_entry(container().member(index), model_[index]);
      compare_payload(index, model_[index]);
    }
    ByteMap map = (*parsed_->document)->account();
    for (const auto& [name, raw] : header_) {
      const auto found = is_synced_ ? std::nullopt : map.find("header." + name);
      require(!found || equal_bytes(found->raw, raw), "a header field has the value that was set");
    }
  }

  static void compare_entry(const Member& member, const ModelEntry& entry) {
    require(equal_bytes(member.name, entry.name), "a member has the name that the model says");
    if (entry.row.empty() || member.row_record == nullptr) {
      return;
    }
    for (const FieldInfo& info : member.row_record->fields) {
      require(!is_compared(info, entry) || equal_bytes(member.row.subspan(info.offset, info.size_bytes),
                                                       Bytes(entry.row).subspan(info.offset, info.size_bytes)),
              "a row has the fields that the model says");
    }
  }

  void compare_payload(std::size_t index, const ModelEntry& entry) const {
    if (entry.payload) {
      Findings findings;
      const auto payload = container().load(index, oracles::shared_scratch(), findings);
      require(payload.has_value(), "a member that the model holds can be read");
      require(equal_bytes(*payload, *entry.payload), "a member has the payload that the model says");
    }
  }

  const Base& base_;
  // What the archive is read as.
  const Format* format_;
  ByteScript script_;
  ParseContext context_;
  Buffer image_;
  std::optional<oracles::Parsed> parsed_;
  std::unique_ptr<Editor> editor_;
  std::deque<Buffer> kept_;
  std::vector<ModelEntry> model_;
  std::map<std::string, Buffer> header_;
  const RecordInfo* record_ = nullptr;
  bool is_synced_ = false;
  // Whether the archive as it was last built has a sound sort map, and whether somebody set what it could break by.
  bool had_map_ = false;
  bool has_set_layout_ = false;
  bool was_clean_ = false;
};

}  // namespace

int run_editor(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxScriptBytes = 4096;
  if (size <= kMaxScriptBytes) {
    ByteScript script(Bytes(data, size));
    const Base& base = bases()[script.index(bases().size())];
    Session(base, script).run();
  }
  return 0;
}

}  // namespace assay::fuzz
