#include "parsers/formats/count_check.h"
#include "parsers/formats/fxid/fxid.h"

namespace assay::fxid {

// Runs the checks in the order of docs/formats/fxid.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_) {}

  Result<Effect> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (image_.size() < kHeaderRecord.size_bytes) {
      return fail(cursor_.diagnostic(Code::kInputTooShort, 0, "file", Datum::at_least(kHeaderRecord.size_bytes),
                                     Datum::number(image_.size())));
    }
    ASSAY_TRY_ASSIGN(const Header header, cursor_.read<kHeaderRecord>("header"));
    ASSAY_TRY(check_count(cursor_, kHeaderRecord.place(&Header::command_count, 0, "header"), header.command_count,
                          kCommandRecord.size_bytes, context_.limits));
    for (std::uint32_t index = 0; index < header.command_count; ++index) {
      ASSAY_TRY(read_command(FieldPath("command", index)));
    }
    ASSAY_TRY(cursor_.expect_end());
    Effect effect(image_, std::move(map_));
    effect.header_ = header;
    effect.type_counts_ = type_counts_;
    return effect;
  }

 private:
  // Was never shipped, and is nothing but its word.
  static constexpr std::uint32_t kUnusedType = 6;
  static constexpr std::uint32_t kKnownBits = 0x1FF;

  Result<void> read_command(const FieldPath& path) {
    const FieldPlace place = kCommandRecord.place(&Command::opcode, cursor_.offset(), path);
    ASSAY_TRY_ASSIGN(const Command command, cursor_.read<kCommandRecord>(path));
    const std::uint32_t type = command.type();
    if (type == 0 || type >= kCommandBytes.size()) {
      return fail(cursor_.diagnostic(Code::kUnsupportedVariant, place, Datum::words("a type from 1 to 10"),
                                     Datum::hex(command.opcode)));
    }
    ASSAY_TRY(cursor_.read_opaque(path.then("body"), kCommandBytes[type] - kCommandRecord.size_bytes));
    ++type_counts_[type];
    if (type == kUnusedType || (command.opcode & ~kKnownBits) != 0) {
      findings_.note(cursor_.diagnostic(Code::kUnexpectedValue, place, {}, Datum::hex(command.opcode)));
    }
    return {};
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
  std::array<std::uint32_t, kCommandBytes.size()> type_counts_{};
};

Result<Effect> Effect::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<DocumentFact> Effect::facts() const {
  std::vector<DocumentFact> facts{{"commands", std::to_string(header_.command_count)}};
  for (std::size_t type = 1; type < type_counts_.size(); ++type) {
    if (type_counts_[type] != 0) {
      facts.emplace_back("commands_of_type_" + std::to_string(type), std::to_string(type_counts_[type]));
    }
  }
  return facts;
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kHeaderRecord>, kInfoOf<kCommandRecord>};
constexpr std::uint32_t kTypeTags[] = {0x44495846};  // FXID

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Effect effect, Effect::parse(bytes, context, findings));
  return std::make_unique<Effect>(std::move(effect));
}

constexpr Format kFormat{.id = "fxid",
                         .title = "effect",
                         .documentation = "docs/formats/fxid.md",
                         .records = kRecords,
                         .type_tags = kTypeTags,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::fxid
