#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "oracles/oracles.h"
#include "parsers/formats/decode_scratch.h"

// An oracle that cannot fail is none. Each test here breaks one promise on purpose.
namespace assay::oracles {
namespace {

enum class Fault : std::uint8_t {
  kNone,
  kWriteDropsAByte,
  kMapHasAHole,
  kMapClaimsTwice,
  kCanonicalGrows,
  kCanonicalLosesAMember,
  kCanonicalChangesAField,
  kCanonicalRefuses,
  kStrictForgetsTheRule,
  kStrictNamesAnotherPlace,
  kStrictApplies,
  kSeverityDiffers,
  kRuleCoversANote,
  kAppliedWithoutARule,
  kAppliedAndStillRefused,
  kMemberNeedsARule,
  kFindIsWrong,
  kFindMissesAll,
  kFindGivesNoMember,
  kErrorBehindTheEnd,
  kErrorWithoutField,
  kErrorIsInternal,
  kFindingOfNoEntry,
  kParsesDiffer,
  kRefusesInTurns,
  kRefusesForTwoReasons,
  kFactsDiffer,
  kWritingsDiffer,
  kMemberRemembers,
  kMemberShowsOldMemory,
  kMemberSizeLies,
  kCount
};

constexpr FieldInfo kHeadFields[] = {{.name = "first", .size_bytes = 1}};
constexpr RecordInfo kHead{.name = "head", .size_bytes = 1, .fields = kHeadFields};

// A format in which every byte is a member that has this byte as its name and payload.
class FakeDocument final : public Document, public Container {
 public:
  FakeDocument(Bytes bytes, Fault fault, bool is_strict, bool is_second)
      : bytes_(bytes), fault_(fault), is_strict_(is_strict), is_second_(is_second) {}

  [[nodiscard]] Buffer write() const override {
    Buffer copy(bytes_.begin(), bytes_.end());
    if (fault_ == Fault::kWriteDropsAByte && !copy.empty()) {
      copy.pop_back();
    }
    if (fault_ == Fault::kWritingsDiffer && is_second_) {
      copy.push_back('Y');
    }
    return copy;
  }
  [[nodiscard]] Result<Buffer> canonical() const override {
    Buffer copy(bytes_.begin(), bytes_.end());
    switch (fault_) {
      case Fault::kCanonicalGrows: copy.push_back('Y'); break;
      case Fault::kCanonicalLosesAMember: copy.resize(std::min<std::size_t>(copy.size(), 1)); break;
      case Fault::kCanonicalChangesAField: copy.front() = 'Z'; break;
      case Fault::kCanonicalRefuses: return fail({.code = Code::kNotEditable, .field = "file"});
      default: break;
    }
    return copy;
  }
  [[nodiscard]] ByteMap account() const override {
    ByteMap map;
    if (bytes_.empty()) {
      return map;
    }
    map.add_record(0, kHead, "head", bytes_.first(1));
    const std::uint64_t start = fault_ == Fault::kMapHasAHole ? 2 : fault_ == Fault::kMapClaimsTwice ? 0 : 1;
    if (start < bytes_.size()) {
      map.add({.offset = start, .size = bytes_.size() - start, .kind = ByteKind::kPayload, .path = "payload"});
    }
    return map;
  }
  [[nodiscard]] std::vector<DocumentFact> facts() const override {
    return {{"parse", fault_ == Fault::kFactsDiffer && is_second_ ? "second" : "first"}};
  }
  [[nodiscard]] const Container* container() const override { return this; }

  [[nodiscard]] std::size_t member_count() const override { return bytes_.size(); }
  [[nodiscard]] Member member(std::size_t index) const override {
    Member member;
    member.name = bytes_.subspan(index, 1);
    member.packed_size = 1;
    member.size = fault_ == Fault::kMemberSizeLies ? 2 : 1;
    return member;
  }
  [[nodiscard]] Result<Bytes> load(std::size_t index, DecodeScratch& scratch, Findings& findings) const override {
    switch (fault_) {
      case Fault::kMemberShowsOldMemory: return scratch.output.get(1);
      case Fault::kMemberRemembers: return bytes_.subspan(loads_++ % bytes_.size(), 1);
      case Fault::kMemberNeedsARule:
        if (is_strict_) {
          return fail({.code = Code::kInvalidStream, .field = "payload"});
        }
        break;
      case Fault::kFindingOfNoEntry:
        findings.note({.code = Code::kEmptyName, .field = "name"}, static_cast<std::int64_t>(bytes_.size()));
        break;
      default: break;
    }
    return bytes_.subspan(index, 1);
  }
  [[nodiscard]] std::optional<std::size_t> find(Bytes query) const override {
    if (fault_ == Fault::kFindGivesNoMember && find_linear(query)) {
      return bytes_.size();
    }
    return fault_ == Fault::kFindIsWrong && !bytes_.empty() ? std::optional(bytes_.size() - 1) : find_linear(query);
  }
  [[nodiscard]] std::optional<std::size_t> find_linear(Bytes query) const override {
    const Bytes wanted = query.size() > 1 && query[1] == 0 ? query.first(1) : query;
    const auto found = wanted.size() == 1 ? std::ranges::find(bytes_, wanted[0]) : bytes_.end();
    return found == bytes_.end() || fault_ == Fault::kFindMissesAll
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - bytes_.begin()));
  }
  [[nodiscard]] bool uses_sort_map() const override { return true; }

 private:
  Bytes bytes_;
  Fault fault_;
  bool is_strict_;
  bool is_second_;
  mutable std::size_t loads_ = 0;
};

void report(Fault fault, bool is_strict, Findings& findings) {
  const Diagnostic deviation{.code = Code::kSortOrderMismatch, .field = "file"};
  Diagnostic elsewhere = deviation;
  elsewhere.offset = 1;
  constexpr RuleId kRule = RuleId::kNresLinearLookup;
  switch (fault) {
    case Fault::kStrictForgetsTheRule:
      if (!is_strict) {
        findings.covered(deviation, kRule, true, Severity::kStrict);
      }
      break;
    case Fault::kStrictNamesAnotherPlace:
      findings.covered(is_strict ? elsewhere : deviation, kRule, !is_strict, Severity::kStrict);
      break;
    case Fault::kStrictApplies: findings.covered(deviation, kRule, true, Severity::kStrict); break;
    case Fault::kRuleCoversANote: findings.covered(deviation, kRule, !is_strict, Severity::kNote); break;
    case Fault::kAppliedWithoutARule:
      findings.add({.severity = Severity::kStrict, .diagnostic = deviation, .applied = true});
      break;
    case Fault::kAppliedAndStillRefused:
      findings.add({.severity = Severity::kError, .diagnostic = deviation, .rule = kRule, .applied = true});
      break;
    case Fault::kSeverityDiffers: is_strict ? findings.note(deviation) : findings.strict(deviation); break;
    default: break;
  }
}

template <Fault kFault>
Result<std::unique_ptr<Document>> parse_fake(Bytes bytes, const ParseContext& context, Findings& findings) {
  const bool is_strict = !context.rules.enabled(RuleId::kNresLinearLookup);
  static unsigned parses = 0;
  const bool is_second = ++parses % 2 == 0;
  if (kFault == Fault::kParsesDiffer && is_second) {
    findings.note({.code = Code::kEmptyName, .field = "file"});
  }
  if (kFault == Fault::kRefusesForTwoReasons || (kFault == Fault::kRefusesInTurns && is_second)) {
    return fail({.code = is_second ? Code::kInvalidMagic : Code::kInputTooShort, .field = "file"});
  }
  if (bytes.size() < 3) {
    Diagnostic error{.code = Code::kInputTooShort, .field = "file"};
    error.offset = kFault == Fault::kErrorBehindTheEnd ? bytes.size() + 1 : 0;
    error.field = kFault == Fault::kErrorWithoutField ? FieldPath() : FieldPath("file");
    error.code = kFault == Fault::kErrorIsInternal ? Code::kInternal : Code::kInputTooShort;
    return fail(error);
  }
  report(kFault, is_strict, findings);
  return std::make_unique<FakeDocument>(bytes, kFault, is_strict, is_second);
}

template <Fault kFault>
constexpr Format kFake{.id = "fake",
                       .title = "fake",
                       .documentation = "",
                       .records = {},
                       .type_tags = {},
                       .name_patterns = {},
                       .parse = parse_fake<kFault>};

struct Expected {
  const Format* format;
  const char* oracle;
  const char* detail;
};

template <Fault kFault>
Expected expect(const char* oracle, const char* detail) {
  return {&kFake<kFault>, oracle, detail};
}

const std::vector<Expected>& expectations() {
  static const std::vector<Expected> kAll{
      expect<Fault::kWriteDropsAByte>("round_trip", "write() gives other bytes: 5 bytes instead of 6"),
      expect<Fault::kMapHasAHole>("round_trip", "the byte map does not close"),
      expect<Fault::kMapClaimsTwice>("round_trip", "the byte map does not close"),
      expect<Fault::kCanonicalGrows>("canonical", "the canonical form of the canonical form is another one"),
      expect<Fault::kCanonicalLosesAMember>("canonical", "the canonical form is refused"),
      expect<Fault::kCanonicalChangesAField>("canonical", "head.first changed"),
      expect<Fault::kCanonicalChangesAField>("canonical", "member 0 decodes to other bytes"),
      expect<Fault::kCanonicalChangesAField>("canonical", "member 0 has another name"),
      expect<Fault::kCanonicalGrows>("canonical", "another number of members"),
      expect<Fault::kCanonicalRefuses>("canonical", "refused although every entry can be read"),
      expect<Fault::kStrictForgetsTheRule>("profiles", "the profiles report different things"),
      expect<Fault::kStrictNamesAnotherPlace>("profiles", "the profiles report different things"),
      expect<Fault::kStrictApplies>("profiles", "strict applied a rule"),
      expect<Fault::kSeverityDiffers>("profiles", "another severity without a rule"),
      expect<Fault::kSeverityDiffers>("profiles", "ok under strict and not under compatible"),
      expect<Fault::kRuleCoversANote>("profiles", "a rule covers what is a mere note under strict"),
      expect<Fault::kAppliedWithoutARule>("findings_are_sane", "applied, but not a strict finding under a rule"),
      expect<Fault::kAppliedAndStillRefused>("findings_are_sane", "applied, but not a strict finding under a rule"),
      expect<Fault::kMemberNeedsARule>("profiles", "member 0 loads differently without a rule"),
      expect<Fault::kFindIsWrong>("lookup", "by the sort map"),
      expect<Fault::kFindIsWrong>("lookup", "of another name"),
      expect<Fault::kFindMissesAll>("lookup", "is stored and not found"),
      expect<Fault::kFindGivesNoMember>("lookup", "a member that does not exist"),
      expect<Fault::kErrorBehindTheEnd>("prefixes", "behind the end of the input"),
      expect<Fault::kErrorWithoutField>("prefixes", "names no field"),
      expect<Fault::kErrorIsInternal>("prefixes", "a defect of our own"),
      expect<Fault::kFindingOfNoEntry>("findings_are_sane", "about an entry that does not exist"),
      expect<Fault::kParsesDiffer>("determinism", "other findings the second time"),
      expect<Fault::kMemberRemembers>("determinism", "depends on what was decoded before it"),
      expect<Fault::kMemberShowsOldMemory>("determinism", "depends on what was decoded before it"),
      expect<Fault::kMemberShowsOldMemory>("determinism", "decodes differently alone"),
      expect<Fault::kMemberSizeLies>("findings_are_sane", "decodes to 1 bytes and declares 2"),
  };
  return kAll;
}

ParseContext compatible() {
  ParseContext context;
  context.rules = RuleSet::compatible();
  return context;
}

Failures run(const Format& format) {
  return check_all(format, as_bytes("BDFHJL"), compatible());
}

bool is_among(const Failures& failures, const Expected& expected) {
  return std::ranges::any_of(failures, [&](const Failure& failure) {
    return failure.oracle == expected.oracle && failure.detail.find(expected.detail) != std::string::npos;
  });
}

TEST(OracleFailures, ASoundFormatHasNone) {
  const Failures failures = run(kFake<Fault::kNone>);
  EXPECT_TRUE(failures.empty()) << to_text(failures);
}

TEST(OracleFailures, EveryFaultIsSeenByItsOracle) {
  for (std::size_t index = 0; index < expectations().size(); ++index) {
    const Expected& expected = expectations()[index];
    const Failures failures = run(*expected.format);
    EXPECT_TRUE(is_among(failures, expected))
        << "expectation " << index << ", " << expected.oracle << ": " << expected.detail << "\ngot\n"
        << to_text(failures);
  }
}

// What changes with every second parse; check_all() has other complaints about that too.
TEST(OracleFailures, DeterminismSeesWhateverDiffersTheSecondTime) {
  const Expected rows[] = {
      expect<Fault::kRefusesInTurns>("determinism", "accepted once and refused once"),
      expect<Fault::kRefusesForTwoReasons>("determinism", "refused for two reasons"),
      expect<Fault::kParsesDiffer>("determinism", "other findings the second time"),
      expect<Fault::kFactsDiffer>("determinism", "other facts the second time"),
      expect<Fault::kWritingsDiffer>("determinism", "other bytes written the second time"),
  };
  for (const Expected& expected : rows) {
    const Failures failures = determinism(*expected.format, as_bytes("BDFHJL"), compatible());
    EXPECT_TRUE(is_among(failures, expected)) << expected.detail << "\ngot\n" << to_text(failures);
  }
}

}  // namespace
}  // namespace assay::oracles
