#include "parsers/base/ascii.h"
#include "parsers/formats/mat0/mat0.h"
#include "parsers/formats/mat0/playback.h"

namespace assay::mat0 {

// Runs the checks in the order of docs/formats/mat0.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_) {}

  Result<Mat0> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (image_.size() < kHeaderRecord.size_bytes) {
      return fail(whole(Code::kInputTooShort, Datum::at_least(kHeaderRecord.size_bytes)));
    }
    ASSAY_TRY_ASSIGN(header_, cursor_.read<kHeaderRecord>("header"));
    if (header_.animation_block_count > kMaxAnimationBlocks) {
      return fail(of_header(Code::kCountOutOfRange, &Header::animation_block_count, Datum::at_most(kMaxAnimationBlocks),
                            header_.animation_block_count));
    }
    take_attributes();
    ASSAY_TRY_ASSIGN(metadata_, read_metadata());
    const std::uint64_t most_phases = cursor_.remaining() / kPhaseRecord.size_bytes;
    if (header_.phase_count > most_phases) {
      return fail(
          of_header(Code::kCountOutOfBounds, &Header::phase_count, Datum::at_most(most_phases), header_.phase_count));
    }
    ASSAY_TRY_ASSIGN(phases_, cursor_.read_array<kPhaseRecord>("phase", header_.phase_count));
    for (std::size_t index = 0; index < header_.animation_block_count; ++index) {
      ASSAY_TRY(read_animation(FieldPath("animation", index)));
    }
    ASSAY_TRY(cursor_.expect_end());
    for (std::size_t index = 0; index < animations_.size(); ++index) {
      check_animation(index);
    }
    return finish();
  }

 private:
  Diagnostic whole(Code code, Datum expected) const {
    return cursor_.diagnostic(code, 0, "file", expected, Datum::number(image_.size()));
  }

  Diagnostic of_header(Code code, std::uint16_t Header::* member, Datum expected, std::uint64_t got) const {
    return cursor_.diagnostic(code, kHeaderRecord.place(member, 0, "header"), expected, Datum::number(got));
  }

  Diagnostic of_key(Code code, std::size_t animation, std::size_t key, std::uint16_t Key::* member,
                    Datum expected) const {
    const Records<kKeyRecord>& keys = animations_[animation].keys;
    const FieldPath path = FieldPath("animation", animation).then("key", key);
    return cursor_.diagnostic(code, kKeyRecord.place(member, keys.offset_of(key), path), expected,
                              Datum::number(keys[key].*member));
  }

  // The payload itself says neither.
  void take_attributes() {
    if (const auto& attributes = context_.hints.attributes) {
      flags_ = MaterialFlags{(*attributes)[0]};
      version_ = (*attributes)[1];
      return;
    }
    findings_.note(cursor_.diagnostic(Code::kMissingAttributes, 0, "file", Datum::number(kUsualVersion)));
  }

  Result<Metadata> read_metadata() {
    switch (version_) {
      case 0:
      case 1: return Metadata{};
      case 2: return cursor_.read<kMetadata2Record>("metadata");
      case 3: return cursor_.read<kMetadata3Record>("metadata");
      default: return cursor_.read<kMetadataRecord>("metadata");
    }
  }

  Result<void> read_animation(const FieldPath& path) {
    const std::uint64_t start = cursor_.offset();
    ASSAY_TRY_ASSIGN(const AnimationBlock block, cursor_.read<kAnimationRecord>(path));
    const std::uint64_t most_keys = cursor_.remaining() / kKeyRecord.size_bytes;
    if (block.key_count > most_keys) {
      return fail(cursor_.diagnostic(Code::kCountOutOfBounds,
                                     kAnimationRecord.place(&AnimationBlock::key_count, start, path),
                                     Datum::at_most(most_keys), Datum::number(block.key_count)));
    }
    ASSAY_TRY_ASSIGN(const Records<kKeyRecord> keys, cursor_.read_array<kKeyRecord>(path.then("key"), block.key_count));
    animations_.push_back({block, keys});
    animation_offsets_.push_back(start);
    return {};
  }

  // At most one finding of each kind a block.
  void check_animation(std::size_t index) {
    const std::uint32_t header = animations_[index].block.header;
    if (!play_mode_of(header)) {
      findings_.note(cursor_.diagnostic(
          Code::kUnexpectedValue,
          kAnimationRecord.place(&AnimationBlock::header, animation_offsets_[index], FieldPath("animation", index)), {},
          Datum::hex(header)));
    }
    if (const auto key = find_key(index, [&](const Key& each) { return each.phase >= header_.phase_count; })) {
      findings_.strict(of_key(Code::kIndexOutOfRange, index, *key, &Key::phase, Datum::below(header_.phase_count)));
    }
    if (const auto key = find_key(index, [](const Key& each) { return each.reserved != 0; })) {
      findings_.note(of_key(Code::kUnexpectedValue, index, *key, &Key::reserved, Datum::number(0)));
    }
  }

  template <typename Matches>
  std::optional<std::size_t> find_key(std::size_t animation, Matches matches) const {
    const Records<kKeyRecord>& keys = animations_[animation].keys;
    for (std::size_t index = 0; index < keys.size(); ++index) {
      if (matches(keys[index])) {
        return index;
      }
    }
    return std::nullopt;
  }

  Mat0 finish() {
    Mat0 material(image_, std::move(map_));
    material.version_ = version_;
    material.flags_ = flags_;
    material.metadata_ = metadata_;
    material.phases_ = phases_;
    material.animations_ = std::move(animations_);
    return material;
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
  Header header_{};
  std::uint32_t version_ = kUsualVersion;
  std::optional<MaterialFlags> flags_;
  Metadata metadata_{};
  Records<kPhaseRecord> phases_;
  std::vector<Animation> animations_;
  std::vector<std::uint64_t> animation_offsets_;
};

Result<Mat0> Mat0::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

Bytes Mat0::texture_name(std::size_t index) const {
  const FieldInfo& name = kPhaseRecord.info_of(&Phase::texture_name);
  const Bytes stored = phases_.bytes().subspan(index * kPhaseRecord.size_bytes + name.offset, name.size_bytes);
  return trim_blanks(until_nul(stored));
}

namespace {

std::string blend_text(const MaterialFlags& flags) {
  const auto blend = flags.blend();
  return blend ? std::string(blend->source).append("/").append(blend->destination) : "unknown";
}

}  // namespace

std::vector<DocumentFact> Mat0::facts() const {
  std::size_t textured_count = 0;
  for (std::size_t index = 0; index < phases_.size(); ++index) {
    textured_count += texture_name(index).empty() ? 0U : 1U;
  }
  std::vector<DocumentFact> facts{{"version", std::to_string(version_)},
                                  {"phases", std::to_string(phases_.size())},
                                  {"textured_phases", std::to_string(textured_count)},
                                  {"animations", std::to_string(animations_.size())}};
  if (flags_) {
    facts.emplace_back("flags", std::to_string(flags_->raw));
    facts.emplace_back("blend", blend_text(*flags_));
    facts.emplace_back("lit", flags_->is_lit() ? "yes" : "no");
  }
  return facts;
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kHeaderRecord>,   kInfoOf<kMetadata2Record>, kInfoOf<kMetadata3Record>,
                                   kInfoOf<kMetadataRecord>, kInfoOf<kPhaseRecord>,     kInfoOf<kAnimationRecord>,
                                   kInfoOf<kKeyRecord>};

constexpr std::uint32_t kTypeTags[] = {kTypeTag};
// For materials that somebody took out of their archive; no shipped file is called so.
constexpr NamePattern kNamePatterns[] = {{.pattern = "*.mat0", .files_only = true}};

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Mat0 material, Mat0::parse(bytes, context, findings));
  return std::make_unique<Mat0>(std::move(material));
}

constexpr Format kFormat{.id = "mat0",
                         .title = "material",
                         .documentation = "docs/formats/mat0.md",
                         .records = kRecords,
                         .type_tags = kTypeTags,
                         .name_patterns = kNamePatterns,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::mat0
