#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/formats/decode_scratch.h"
#include "parsers/formats/format.h"

// What the tests of the formats share: vectors in hexadecimal, damage to valid files, seeded data, and the checks that
// hold for whatever a parser accepts.
namespace assay::format_testing {

// The bytes of a text like "07 41 42"; blanks and line ends are free.
inline Buffer hex(std::string_view text) {
  const auto digit = [](char character) { return character <= '9' ? character - '0' : (character | 0x20) - 'a' + 10; };
  Buffer bytes;
  int high = -1;
  for (const char character : text) {
    if (character == ' ' || character == '\n') {
      continue;
    }
    if (high < 0) {
      high = digit(character);
    } else {
      bytes.push_back(static_cast<std::uint8_t>(high * 16 + digit(character)));
      high = -1;
    }
  }
  return bytes;
}

inline Buffer text_bytes(std::string_view text) {
  const Bytes view = as_bytes(text);
  return {view.begin(), view.end()};
}

inline std::string text_of(Bytes bytes) {
  return std::string(as_text(bytes));
}

// Damage: each gives a copy of the file with one change.
inline Buffer with_byte(Buffer bytes, std::size_t offset, unsigned value) {
  bytes.at(offset) = static_cast<std::uint8_t>(value);
  return bytes;
}

template <Scalar T>
Buffer with_scalar(Buffer bytes, std::size_t offset, T value) {
  store_little_endian(value, MutableBytes(bytes).subspan(offset, sizeof(T)));
  return bytes;
}

inline Buffer with_u16(Buffer bytes, std::size_t offset, std::uint16_t value) {
  return with_scalar(std::move(bytes), offset, value);
}

inline Buffer with_u32(Buffer bytes, std::size_t offset, std::uint32_t value) {
  return with_scalar(std::move(bytes), offset, value);
}

inline Buffer with_text(Buffer bytes, std::size_t offset, std::string_view text) {
  for (std::size_t index = 0; index < text.size(); ++index) {
    bytes.at(offset + index) = static_cast<std::uint8_t>(text[index]);
  }
  return bytes;
}

inline Buffer truncated(Buffer bytes, std::size_t size) {
  bytes.resize(std::min(size, bytes.size()));
  return bytes;
}

inline Buffer joined(Buffer first, Bytes second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// A fixed pseudo-random sequence, the same on every machine (xorshift, 64 bits).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E37'79B9'7F4A'7C15U + 1) {}

  std::size_t below(std::size_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::size_t>((state_ >> 11) % limit);
  }
  bool one_in(std::size_t count) { return below(count) == 0; }
  std::uint8_t byte() { return static_cast<std::uint8_t>(below(256)); }
  // Bytes of few values, so that compressors have something to find.
  Buffer payload(std::size_t size) {
    Buffer bytes(size);
    for (std::uint8_t& value : bytes) {
      value = static_cast<std::uint8_t>('a' + below(5));
    }
    return bytes;
  }

 private:
  std::uint64_t state_;
};

inline ParseContext with_rules(const RuleSet& rules) {
  ParseContext context;
  context.rules = rules;
  return context;
}

inline ParseContext compatible() {
  return with_rules(RuleSet::compatible());
}

// Where and how severe: the parts of a finding that a table of refusals names.
inline std::string described(const Diagnostic& diagnostic, std::string_view severity) {
  return std::string(severity) + ' ' + std::string(code_text(diagnostic.code)) + " @" +
         std::to_string(diagnostic.offset) + ' ' + diagnostic.field.to_text();
}

inline std::string described(const Finding& finding) {
  std::string text = described(finding.diagnostic, severity_text(finding.severity));
  if (finding.rule) {
    text += " [" + std::string(rule(*finding.rule).name) + (finding.applied ? "+]" : "-]");
  }
  return text;
}

// All findings at least as severe as `least`, one text each.
inline std::vector<std::string> described(const Findings& findings, Severity least = Severity::kNote) {
  std::vector<std::string> texts;
  for (const Finding& finding : findings.list()) {
    if (finding.severity >= least) {
      texts.push_back(described(finding));
    }
  }
  return texts;
}

// What holds for every document that was accepted: it is written as it was read, and every byte is accounted for.
inline void expect_lossless(const Document& document, Bytes image, const std::string& what) {
  EXPECT_TRUE(equal_bytes(document.write(), image)) << what << ": write() differs";
  ByteMap map = document.account();
  const auto closed = map.close(image.size());
  EXPECT_TRUE(closed.has_value()) << what << ": " << (closed ? "" : described(closed.error(), "accounting"));
  EXPECT_EQ(map.shares().total(), image.size()) << what;
}

using Lines = std::vector<std::string>;

// What `Item::parse` says of an input: its refusal alone, or its findings in order, after which it has to be lossless.
template <typename Item>
Lines said_by(Bytes image, const ParseContext& context = {}) {
  Findings findings;
  const auto item = Item::parse(image, context, findings);
  if (!item) {
    return {described(item.error(), "refused")};
  }
  expect_lossless(*item, image, "what was accepted");
  return described(findings);
}

// The sort map and the search in directory order agree for every stored name that a query can express.
inline void expect_lookups_agree(const Container& container, const std::string& what) {
  for (std::size_t index = 0; index < container.member_count(); ++index) {
    const Bytes name = container.member(index).name;
    EXPECT_EQ(container.find(name), container.find_linear(name)) << what << ": " << text_of(name);
  }
}

// Whether all `runs` stand in `image`, in that order and without overlap.
inline bool holds_in_order(Bytes image, const std::vector<Buffer>& runs) {
  auto from = image.begin();
  for (const Buffer& run : runs) {
    const auto found = std::search(from, image.end(), run.begin(), run.end());
    if (found == image.end()) {
      return false;
    }
    from = found + static_cast<std::ptrdiff_t>(run.size());
  }
  return true;
}

// No input may produce a finding of category internal, nor one outside the file.
inline void expect_sound_diagnostic(const Diagnostic& diagnostic, std::size_t file_size, const std::string& what) {
  EXPECT_NE(code_category(diagnostic.code), Category::kInternal) << what;
  EXPECT_LE(diagnostic.offset, file_size) << what;
  EXPECT_FALSE(diagnostic.field.empty()) << what;
  EXPECT_FALSE(diagnostic.message().empty()) << what;
}

}  // namespace assay::format_testing
