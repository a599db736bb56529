#include <algorithm>
#include <charconv>
#include <limits>

#include "parsers/base/ascii.h"
#include "parsers/formats/wear/wear.h"

namespace assay::wear {
namespace {

// The shortest row is `0 A` and a line end.
constexpr std::size_t kRowMinBytes = 4;

// Takes the first word off `line`, with the blanks before it; empty when there is none.
Bytes take_word(Bytes& line) {
  const auto start = std::ranges::find_if_not(line, is_blank);
  const auto end = std::find_if(start, line.end(), is_blank);
  const Bytes word(start, end);
  line = Bytes(end, line.end());
  return word;
}

// An unsigned decimal number; more than 64 bits hold counts as the largest number.
std::optional<std::uint64_t> to_number(Bytes word) {
  const std::string_view text = as_text(word);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || end != text.data() + text.size() || error == std::errc::invalid_argument) {
    return std::nullopt;
  }
  return error == std::errc::result_out_of_range ? std::numeric_limits<std::uint64_t>::max() : number;
}

Bytes without_carriage_returns(Bytes line) {
  while (!line.empty() && line.back() == '\r') {
    line = line.first(line.size() - 1);
  }
  return line;
}

}  // namespace

// Runs the checks in the order of docs/formats/wear.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_), unread_(image) {}

  Result<Wear> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (image_.empty()) {
      return fail(cursor_.diagnostic(Code::kInputTooShort, 0, "file", Datum::at_least(1), Datum::number(0)));
    }
    ASSAY_TRY_ASSIGN(const std::uint64_t material_count, read_count<kMaterialCountRecord>("header", 1));
    ASSAY_TRY_ASSIGN(const std::vector<Row> materials, read_rows("material", material_count));
    ASSAY_TRY_ASSIGN(const std::vector<Row> lightmaps, read_lightmaps());
    const Bytes trailing = trim_blanks(unread_);
    if (!trailing.empty()) {
      return fail(at(trailing, Code::kTrailingBytes, "file", Datum::number(0), Datum::number(trailing.size())));
    }
    separate_up_to(image_.size());
    Wear wear(image_, std::move(map_));
    wear.materials_ = materials;
    wear.lightmaps_ = lightmaps;
    return wear;
  }

 private:
  // Where a view into the text starts.
  std::uint64_t offset_of(Bytes view) const { return static_cast<std::uint64_t>(view.data() - image_.data()); }

  Diagnostic at(Bytes view, Code code, const FieldPath& path, Datum expected = {}, Datum got = {}) const {
    return cursor_.diagnostic(code, offset_of(view), path, expected, got);
  }

  // The next line without its LF; at the end of the text nothing.
  std::optional<Bytes> next_line() {
    if (unread_.empty()) {
      return std::nullopt;
    }
    const auto line_end = std::ranges::find(unread_, std::uint8_t{'\n'});
    const Bytes line(unread_.begin(), line_end);
    unread_ = Bytes(line_end == unread_.end() ? line_end : line_end + 1, unread_.end());
    return line;
  }

  // What is not accounted for before `offset` lies between two words.
  void separate_up_to(std::uint64_t offset) {
    if (offset > cursor_.offset()) {
      cursor_.read_word<kSeparatorRecord>(FieldPath("separator", separator_count_++), offset - cursor_.offset());
    }
  }

  template <const TextRecord& Table>
  void account(const FieldPath& path, Bytes word) {
    separate_up_to(offset_of(word));
    cursor_.read_word<Table>(path, word.size());
  }

  // A line that holds one number, at least `least` and within the limits.
  template <const TextRecord& Table>
  Result<std::uint64_t> read_count(const char* record_path, std::uint64_t least) {
    const FieldPath path = FieldPath(record_path).then(Table.infos[0].name);
    const Bytes line = next_line().value_or(unread_);
    const Bytes word = trim_blanks(line);
    const auto count = to_number(word);
    if (!count) {
      return fail(at(word.empty() ? line : word, Code::kNotANumber, path));
    }
    if (*count < least) {
      return fail(at(word, Code::kCountOutOfRange, path, Datum::at_least(least), Datum::number(*count)));
    }
    if (*count > context_.limits.entry_count) {
      return fail(
          at(word, Code::kLimitExceeded, path, Datum::at_most(context_.limits.entry_count), Datum::number(*count)));
    }
    account<Table>(record_path, word);
    return *count;
  }

  Result<std::vector<Row>> read_rows(const char* list, std::uint64_t count) {
    std::vector<Row> rows;
    rows.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(count, unread_.size() / kRowMinBytes + 1)));
    for (std::uint64_t index = 0; index < count; ++index) {
      ASSAY_TRY_ASSIGN(const Row row, read_row(FieldPath(list, index)));
      rows.push_back(row);
    }
    check_ids(list, rows);
    return rows;
  }

  Result<Row> read_row(const FieldPath& path) {
    const auto line = next_line();
    if (!line) {
      return fail(at(unread_, Code::kMissingRow, path));
    }
    Bytes rest = *line;
    const Bytes legacy_id = take_word(rest);
    const Bytes name = take_word(rest);
    if (name.empty()) {
      return fail(at(*line, Code::kMalformedRow, path, Datum::words("an id and a name")));
    }
    account<kLegacyIdRecord>(path, legacy_id);
    account<kNameRecord>(path, name);
    const Bytes ignored = trim_blanks(rest);
    if (!ignored.empty()) {
      const FieldPath ignored_path = path.then("ignored");
      separate_up_to(offset_of(ignored));
      ASSAY_TRY(cursor_.read_opaque(ignored_path, ignored.size()));
      findings_.strict(at(ignored, Code::kIgnoredText, ignored_path));
    }
    return Row{legacy_id, name};
  }

  // Readers that go by the id find other rows from the first id on that is not the position; one finding a table.
  void check_ids(const char* list, std::span<const Row> rows) {
    for (std::size_t index = 0; index < rows.size(); ++index) {
      const auto id = to_number(rows[index].legacy_id);
      if (id != index) {
        findings_.strict(at(rows[index].legacy_id, Code::kUnexpectedValue, FieldPath(list, index).then("legacy_id"),
                            Datum::number(index), id ? Datum::number(*id) : Datum{}));
        return;
      }
    }
  }

  // The section behind a blank line. No rows where the rest of the text is blank.
  Result<std::vector<Row>> read_lightmaps() {
    if (trim_blanks(unread_).empty()) {
      return std::vector<Row>{};
    }
    const FieldPath path = FieldPath("lightmaps").then("marker");
    const Bytes blank = next_line().value_or(unread_);
    if (!trim_blanks(blank).empty()) {
      return fail(at(blank, Code::kMissingSeparator, path));
    }
    const Bytes marker = without_carriage_returns(next_line().value_or(unread_));
    if (as_text(marker) != kMarker) {
      return fail(at(marker, Code::kMissingMarker, path, Datum::words("LIGHTMAPS")));
    }
    account<kMarkerRecord>("lightmaps", marker);
    ASSAY_TRY_ASSIGN(const std::uint64_t count, read_count<kLightmapCountRecord>("lightmaps", 0));
    return read_rows("lightmap", count);
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
  // What next_line() has not given yet; the cursor lags behind it.
  Bytes unread_;
  std::uint64_t separator_count_ = 0;
};

Result<Wear> Wear::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<DocumentFact> Wear::facts() const {
  return {{"materials", std::to_string(materials_.size())}, {"lightmaps", std::to_string(lightmaps_.size())}};
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kMaterialCountRecord>, kInfoOf<kLegacyIdRecord>,
                                   kInfoOf<kNameRecord>,          kInfoOf<kMarkerRecord>,
                                   kInfoOf<kLightmapCountRecord>, kInfoOf<kSeparatorRecord>};

constexpr std::uint32_t kTypeTags[] = {kTypeTag};
constexpr NamePattern kNamePatterns[] = {{.pattern = "*.wea"}};

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Wear wear, Wear::parse(bytes, context, findings));
  return std::make_unique<Wear>(std::move(wear));
}

constexpr Format kFormat{.id = "wear",
                         .title = "material and lightmap table",
                         .documentation = "docs/formats/wear.md",
                         .records = kRecords,
                         .type_tags = kTypeTags,
                         .name_patterns = kNamePatterns,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::wear
