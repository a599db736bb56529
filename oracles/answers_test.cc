#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "oracles/archive_samples_test_support.h"
#include "oracles/support.h"
#include "parsers/formats/catalogue.h"

// What every format says of its seeds, and what changes when one field takes a value at a bound of its type, or the
// file is cut or goes on: code, severity, place, rule, whether that was applied, facts, and what members decode to. The
// answers that are right stand in oracles/testdata/answers, one file a format; whether a difference is right is for a
// person to say.
namespace assay::oracles {
namespace {

namespace fs = std::filesystem;

using Lines = std::vector<std::string>;

// A field stands in so many records; what it does in these says enough.
constexpr unsigned kPlacesOfAField = 3;
// Cuts of so many seeds are told, up to so many bytes.
constexpr std::size_t kCutSeeds = 2;
constexpr std::size_t kCutBytes = 2048;
// A change that is told in more lines than this turns everything over, as that of a key does.
constexpr std::size_t kShownLines = 12;

std::string finding_line(const Finding& finding) {
  const Diagnostic& diagnostic = finding.diagnostic;
  std::string line = std::string(severity_text(finding.severity)) + ' ' + std::string(code_text(diagnostic.code)) +
                     " at " + std::to_string(diagnostic.offset) + '/' + std::to_string(diagnostic.local_offset) + ' ' +
                     diagnostic.field.to_text();
  for (const Datum& datum : {diagnostic.expected, diagnostic.got}) {
    line += ", " + (datum.kind == Datum::Kind::kNone ? "-" : datum.to_text());
  }
  if (finding.rule) {
    line += " [" + std::string(rule(*finding.rule).name) + (finding.applied ? ", applied]" : "]");
  }
  return finding.entry_index == Finding::kWholeItem ? line : line + " of " + std::to_string(finding.entry_index);
}

void add_members(const Container& container, Lines& lines) {
  DecodeScratch scratch;
  for (std::size_t index = 0; index < container.member_count(); ++index) {
    const Loaded loaded = load(container, index, scratch, 0);
    const Member member = container.member(index);
    const std::string name = "member " + std::to_string(index) + ' ' + describe(member.name) + ": ";
    for (const Finding& finding : loaded.findings.list()) {
      lines.push_back(name + finding_line(finding));
    }
    if (!loaded.digest) {
      lines.push_back(name + finding_line({.severity = Severity::kError, .diagnostic = loaded.digest.error()}));
      continue;
    }
    // Of what is stored as it is, the bytes are no answer.
    lines.push_back(name + std::to_string(loaded.size_bytes) + " bytes" +
                    (member.method == "stored" ? "" : ", " + std::to_string(*loaded.digest % 1'000'000)));
  }
}

ParseContext context_of(const synth::Seed& seed, const RuleSet& rules) {
  ParseContext context;
  context.rules = rules;
  context.hints = seed.hints();
  return context;
}

Lines answer_under(const Format& format, const synth::Seed& seed, Bytes bytes, const RuleSet& rules) {
  Lines lines;
  const Parsed parsed = parse(format, bytes, context_of(seed, rules));
  for (const Finding& finding : parsed.findings.list()) {
    lines.push_back(finding_line(finding));
  }
  if (!parsed.document) {
    lines.push_back("refused: " + finding_line({.severity = Severity::kError, .diagnostic = parsed.document.error()}));
    return lines;
  }
  for (const auto& [key, value] : (*parsed.document)->facts()) {
    lines.push_back("fact " + key + ' ' + value);
  }
  if (const Container* container = (*parsed.document)->container()) {
    add_members(*container, lines);
  }
  return lines;
}

// What both profiles say once, and what only one says with its name.
Lines answer(const Format& format, const synth::Seed& seed, Bytes bytes) {
  const Lines compatible = answer_under(format, seed, bytes, RuleSet::compatible());
  Lines strict = answer_under(format, seed, bytes, RuleSet::strict());
  Lines lines;
  for (const std::string& line : compatible) {
    const auto same = std::ranges::find(strict, line);
    lines.push_back(same == strict.end() ? "compatible: " + line : line);
    if (same != strict.end()) {
      strict.erase(same);
    }
  }
  for (const std::string& line : strict) {
    lines.push_back("strict: " + line);
  }
  return lines;
}

// The lines that `after` has more of, and those of which it has less.
Lines difference(Lines before, const Lines& after) {
  Lines lines;
  for (const std::string& line : after) {
    const auto same = std::ranges::find(before, line);
    if (same == before.end()) {
      lines.push_back("+ " + line);
    } else {
      before.erase(same);
    }
  }
  const bool is_refused = !after.empty() && after.back().find("refused: ") != std::string::npos;
  for (const std::string& line : before) {
    // What is refused has no facts and members.
    if (!is_refused) {
      lines.push_back("- " + line);
    }
  }
  if (lines.size() > kShownLines) {
    const std::size_t more = lines.size() - kShownLines;
    lines.resize(kShownLines);
    lines.push_back("and " + std::to_string(more) + " more");
  }
  return lines;
}

// A value for some bytes of a field.
struct Value {
  std::string name;
  std::size_t at = 0;
  Buffer raw;
};

template <typename T>
Value scalar(const std::string& name, std::size_t at, T number) {
  Value value{.name = name, .at = at, .raw = Buffer(sizeof(T))};
  store_little_endian(number, MutableBytes(value.raw));
  return value;
}

template <typename T>
void add_scalars(std::size_t at, Bytes old, std::vector<Value>& values) {
  const T stored = load_little_endian<T>(old.subspan(at));
  if constexpr (std::floating_point<T>) {
    for (const auto& [name, number] :
         {std::pair("0", T{0}), std::pair("-1", T{-1}), std::pair("nan", std::numeric_limits<T>::quiet_NaN()),
          std::pair("inf", std::numeric_limits<T>::infinity())}) {
      values.push_back(scalar(name, at, number));
    }
  } else {
    using Unsigned = std::make_unsigned_t<T>;
    const auto most = std::numeric_limits<Unsigned>::max();
    const std::set<Unsigned> numbers{0,
                                     1,
                                     static_cast<Unsigned>(stored - 1),
                                     static_cast<Unsigned>(stored + 1),
                                     static_cast<Unsigned>((most >> 1) + 1),
                                     most};
    for (const Unsigned number : numbers) {
      values.push_back(scalar(std::to_string(static_cast<T>(number)), at, number));
    }
  }
}

void add_byte(const std::string& name, std::size_t at, std::uint8_t byte, std::vector<Value>& values) {
  values.push_back({.name = name, .at = at, .raw = {byte}});
}

std::vector<Value> values_of(const FieldInfo& info, Bytes old) {
  std::vector<Value> values;
  const std::size_t last = old.size() - 1;
  switch (info.type) {
    case FieldType::kText:
      values.push_back({.name = "empty", .at = 0, .raw = Buffer(old.size())});
      values.push_back({.name = "full", .at = 0, .raw = Buffer(old.size(), 'x')});
      add_byte("first byte a", 0, 'a', values);
      add_byte("last byte 1", last, 1, values);
      return values;
    case FieldType::kBytes:
    case FieldType::kWord:
    case FieldType::kCString:
      add_byte("first byte 1", 0, 1, values);
      add_byte("last byte 1", last, 1, values);
      values.push_back({.name = "zeros", .at = 0, .raw = Buffer(old.size())});
      return values;
    case FieldType::kString:
    case FieldType::kLabel:
      add_scalars<std::uint32_t>(0, old, values);
      add_byte("last byte x", last, 'x', values);
      return values;
    default: break;
  }
  const std::size_t scalar_bytes = info.size_bytes / info.count;
  for (const std::size_t index : {std::size_t{0}, std::size_t{info.count} - 1}) {
    const std::size_t at = index * scalar_bytes;
    switch (info.type) {
      case FieldType::kU8: add_scalars<std::uint8_t>(at, old, values); break;
      case FieldType::kI8: add_scalars<std::int8_t>(at, old, values); break;
      case FieldType::kU16: add_scalars<std::uint16_t>(at, old, values); break;
      case FieldType::kI16: add_scalars<std::int16_t>(at, old, values); break;
      case FieldType::kI32: add_scalars<std::int32_t>(at, old, values); break;
      case FieldType::kF32: add_scalars<float>(at, old, values); break;
      default: add_scalars<std::uint32_t>(at, old, values); break;
    }
    if (info.count == 1) {
      break;
    }
  }
  return values;
}

// The answers of one format as text.
class Account {
 public:
  explicit Account(const Format& format) : format_(format) {}

  std::string run() {
    std::size_t number = 0;
    for (const synth::Seed& seed : samples_of(format_.id)) {
      const Lines before = answer(format_, seed, seed.bytes);
      last_said_.clear();
      text_ += "seed " + seed.name + '\n' + joined(before);
      change_fields(seed, before);
      go_on(seed, before);
      if (number++ < kCutSeeds) {
        cut(seed);
      }
    }
    return text_;
  }

 private:
  static std::string joined(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) {
      text += "  " + line + '\n';
    }
    return text;
  }

  void tell(const std::string& what, const Lines& lines) {
    if (lines.empty()) {
      return;
    }
    const std::string said = joined(lines);
    // Values that do the same stand in one row.
    if (said == last_said_ && what.substr(0, what.find(" = ")) == last_what_.substr(0, last_what_.find(" = "))) {
      text_.insert(text_.size() - said.size() - 1, "," + what.substr(what.find(" = ") + 2));
      return;
    }
    text_ += what + '\n' + said;
    last_said_ = said;
    last_what_ = what;
  }

  void change_fields(const synth::Seed& seed, const Lines& before) {
    const Parsed parsed = parse(format_, seed.bytes, context_of(seed, RuleSet::compatible()));
    if (!parsed.document) {
      return;
    }
    const ByteMap map = (*parsed.document)->account();
    for (const ByteRun& run : map.runs()) {
      if (run.kind == ByteKind::kRecord) {
        visit_fields(run, [&](const FieldView& field) { change(seed, before, *run.record, field); });
      }
    }
  }

  void change(const synth::Seed& seed, const Lines& before, const RecordInfo& record, const FieldView& field) {
    if (field.raw.empty() || ++places_[std::string(record.name) + '.' + field.info->name] > kPlacesOfAField) {
      return;
    }
    for (const Value& value : values_of(*field.info, field.raw)) {
      Buffer changed = seed.bytes;
      for (std::size_t index = 0; index < value.raw.size(); ++index) {
        // By the difference, because a table may be stored transformed.
        changed[static_cast<std::size_t>(field.offset) + value.at + index] ^=
            static_cast<std::uint8_t>(value.raw[index] ^ field.raw[value.at + index]);
      }
      const std::string place = value.at == 0 ? "" : '+' + std::to_string(value.at);
      if (changed != seed.bytes) {
        tell(field.path.to_text() + place + " = " + value.name, difference(before, answer(format_, seed, changed)));
      }
    }
  }

  void go_on(const synth::Seed& seed, const Lines& before) {
    for (const std::uint8_t byte : {std::uint8_t{0}, std::uint8_t{1}}) {
      Buffer longer = seed.bytes;
      longer.push_back(byte);
      tell("a byte behind = " + std::to_string(byte), difference(before, answer(format_, seed, longer)));
    }
  }

  // What refuses the front of a file, without the numbers that follow from its length.
  void cut(const synth::Seed& seed) {
    std::string last;
    for (std::size_t size = 0; size < std::min(seed.bytes.size(), kCutBytes); ++size) {
      const Buffer front(seed.bytes.begin(), seed.bytes.begin() + static_cast<std::ptrdiff_t>(size));
      const Parsed parsed = parse(format_, front, context_of(seed, RuleSet::compatible()));
      const std::string said = parsed.document
                                   ? "accepted, " + std::to_string(parsed.findings.list().size()) + " findings"
                                   : describe(parsed.document.error());
      if (said != last) {
        text_ += "cut to " + std::to_string(size) + ": " + said + '\n';
      }
      last = said;
    }
  }

  const Format& format_;
  std::string text_;
  std::string last_said_;
  std::string last_what_;
  std::map<std::string, unsigned> places_;
};

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The lines around the first difference.
std::string first_difference(const std::string& expected, const std::string& actual) {
  std::istringstream left(expected);
  std::istringstream right(actual);
  std::string left_line;
  std::string right_line;
  std::string above;
  for (std::size_t number = 1;; ++number) {
    const bool has_left = static_cast<bool>(std::getline(left, left_line));
    const bool has_right = static_cast<bool>(std::getline(right, right_line));
    if (!has_left || !has_right || left_line != right_line) {
      return "line " + std::to_string(number) + ", below: " + above + "\n- " + (has_left ? left_line : "(end)") +
             "\n+ " + (has_right ? right_line : "(end)");
    }
    above = left_line.starts_with(' ') ? above : left_line;
  }
}

class FormatAnswers : public testing::TestWithParam<const Format*> {};

TEST_P(FormatAnswers, AreThoseThatWereFoundRight) {
  const char* const source = std::getenv("ASSAY_SOURCE_DIR");
  ASSERT_NE(source, nullptr) << "ctest sets ASSAY_SOURCE_DIR";
  const fs::path path = fs::path(source) / "oracles" / "testdata" / "answers" / (std::string(GetParam()->id) + ".txt");
  const std::string actual = Account(*GetParam()).run();
  const char* const update = std::getenv("ASSAY_UPDATE");
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  ASSERT_TRUE(fs::exists(path)) << path << " is missing; ASSAY_UPDATE=1 writes it";
  const std::string expected = read(path);
  EXPECT_TRUE(actual == expected) << "differs from " << path << "; ASSAY_UPDATE=1 rewrites it\n"
                                  << first_difference(expected, actual);
}

INSTANTIATE_TEST_SUITE_P(Formats, FormatAnswers, testing::ValuesIn(all_formats().begin(), all_formats().end()),
                         [](const auto& each) { return std::string(each.param->id); });

}  // namespace
}  // namespace assay::oracles
