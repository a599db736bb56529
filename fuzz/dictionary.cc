#include "fuzz/dictionary.h"

#include <array>
#include <set>
#include <string>

#include "oracles/support.h"
#include "parsers/base/ascii.h"
#include "parsers/base/escape.h"
#include "parsers/formats/catalogue.h"

namespace assay::fuzz {
namespace {

constexpr std::size_t kMaxTokenBytes = 40;

class Tokens {
 public:
  void add(Bytes token) {
    if (!token.empty() && token.size() <= kMaxTokenBytes && !all_zero(token)) {
      tokens_.emplace(token.begin(), token.end());
    }
  }
  void add(std::string_view token) { add(as_bytes(token)); }
  template <Scalar T>
  void add_number(T value) {
    std::array<std::uint8_t, sizeof(T)> raw{};
    store_little_endian(value, raw);
    add(Bytes(raw));
  }

  [[nodiscard]] std::string to_text() const {
    std::string text;
    for (const std::string& token : tokens_) {
      text += '"';
      for (const char character : escape_bytes(as_bytes(token))) {
        text += character == '"' ? std::string("\\\"") : std::string(1, character);
      }
      text += "\"\n";
    }
    return text;
  }

 private:
  std::set<std::string> tokens_;
};

void add_detection(const Format& format, Tokens& tokens) {
  for (const std::uint32_t tag : format.type_tags) {
    tokens.add_number(tag);
  }
  for (const NamePattern& pattern : format.name_patterns) {
    std::string_view name = pattern.pattern;
    name.remove_prefix(name.starts_with('*') ? 1 : 0);
    name.remove_suffix(name.ends_with('*') ? 1 : 0);
    tokens.add(name);
    std::string upper(name);
    for (char& character : upper) {
      character = static_cast<char>(ascii_upper(static_cast<std::uint8_t>(character)));
    }
    tokens.add(upper);
  }
}

void add_edges(Tokens& tokens) {
  for (const std::uint32_t value : {1U, 0x7FU, 0x80U, 0xFFU, 0x7FFFU, 0x8000U, 0xFFFFU, 0x10000U, 0x7FFFFFFFU,
                                    0x80000000U, 0xFFFFFFFEU, 0xFFFFFFFFU}) {
    tokens.add_number(value);
    if (value <= 0xFFFFU) {
      tokens.add_number(static_cast<std::uint16_t>(value));
    }
  }
  // 1.0, -1.0, the smallest, the largest, infinity, not a number.
  for (const std::uint32_t bits : {0x3F800000U, 0xBF800000U, 0x00000001U, 0x7F7FFFFFU, 0x7F800000U, 0x7FC00000U}) {
    tokens.add_number(bits);
  }
}

// What a field of a seed holds, when it is worth repeating: texts, tags and numbers that mark something.
void add_value(const FieldView& field, Tokens& tokens) {
  switch (field.info->type) {
    case FieldType::kText:
      tokens.add(field.raw.first(std::min(field.raw.size(), as_text(field.raw).find('\0'))));
      break;
    case FieldType::kString:
    case FieldType::kLabel: tokens.add(field.raw.subspan(std::min<std::size_t>(field.raw.size(), 4))); break;
    case FieldType::kCString:
    case FieldType::kWord: tokens.add(field.raw); break;
    default:
      if (field.info->display != Display::kDecimal) {
        tokens.add(field.raw);
      }
  }
}

void add_seed(const Format& format, Bytes bytes, Tokens& tokens) {
  const oracles::Parsed parsed = oracles::parse(format, bytes, {});
  if (!parsed.document) {
    return;
  }
  const ByteMap map = (*parsed.document)->account();
  for (const ByteRun& run : map.runs()) {
    if (run.kind == ByteKind::kRecord) {
      visit_fields(run, [&](const FieldView& field) { add_value(field, tokens); });
    }
  }
  if (format.has_magic != nullptr && format.has_magic(bytes)) {
    tokens.add(bytes.first(std::min<std::size_t>(bytes.size(), 4)));
  }
}

void add_texts(Tokens& tokens) {
  for (const char* word : {"::", "#",     "@",     "=",    "\\", "\\x00", "[0]", ".",  "{", "}",
                           "[]", "\":\"", "\",\"", "null", "0x", "nan",   "inf", "-0", "'", ","}) {
    tokens.add(word);
  }
  for (const Format* format : all_formats()) {
    tokens.add(format->id);
    for (const RecordInfo& record : format->records) {
      tokens.add(record.name);
      for (const FieldInfo& field : record.fields) {
        tokens.add(field.name);
      }
    }
  }
  for (const Rule& rule : all_rules()) {
    tokens.add(rule.name);
  }
}

// What stands in quotes in the seeds of what reads text: the keys.
void add_quoted(std::string_view text, Tokens& tokens) {
  for (std::size_t start = text.find('"'); start != std::string_view::npos; start = text.find('"', start)) {
    const std::size_t end = text.find('"', start + 1);
    if (end == std::string_view::npos) {
      return;
    }
    tokens.add(text.substr(start, end + 1 - start));
    start = end + 1;
  }
}

}  // namespace

std::string dictionary_of(const FuzzTarget& target) {
  Tokens tokens;
  if (target.format == nullptr) {
    add_texts(tokens);
    for (const TargetSeed& seed : target.seeds(target.name)) {
      add_quoted(as_text(seed.bytes), tokens);
    }
  } else {
    for (const Format* format : all_formats()) {
      add_detection(*format, tokens);
    }
    for (const TargetSeed& seed : target.seeds(target.name)) {
      add_seed(*target.format, seed.bytes, tokens);
    }
  }
  add_edges(tokens);
  return tokens.to_text();
}

}  // namespace assay::fuzz
