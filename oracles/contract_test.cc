#include <gtest/gtest.h>

#include <map>
#include <set>

#include "oracles/oracles.h"
#include "oracles/support.h"
#include "parsers/formats/catalogue.h"
#include "synth/seeds/seeds.h"

// What every format of parsers/formats.def has to keep, shown on its seeds.
namespace assay::oracles {
namespace {

class FormatContract : public testing::TestWithParam<const Format*> {
 protected:
  const Format& format() const { return *GetParam(); }
  std::vector<synth::Seed> seeds() const { return synth::seeds_of(format().id); }
};

ParseContext context_for(const synth::Seed& seed, const RuleSet& rules) {
  ParseContext context;
  context.rules = rules;
  context.hints = seed.hints();
  return context;
}

// All that was said of an item and its members, in order. Of the parse it is the place in the item that counts.
struct Said {
  std::vector<Diagnostic> of_item{};
  std::vector<Diagnostic> of_members{};
};

Said said_of(const Format& format, Bytes bytes, const ParseContext& context) {
  Said said;
  const Parsed parsed = parse(format, bytes, context);
  for (const Finding& finding : parsed.findings.list()) {
    said.of_item.push_back(finding.diagnostic);
  }
  if (!parsed.document) {
    said.of_item.push_back(parsed.document.error());
    return said;
  }
  const Container* container = (*parsed.document)->container();
  for (std::size_t index = 0; container != nullptr && index < container->member_count(); ++index) {
    const Loaded loaded = load(*container, index, shared_scratch(), 0);
    for (const Finding& finding : loaded.findings.list()) {
      said.of_members.push_back(finding.diagnostic);
    }
    if (!loaded.digest) {
      said.of_members.push_back(loaded.digest.error());
    }
  }
  return said;
}

// Each seed as it is, without its last byte, with one more, and with a byte changed in the first fields of each name.
std::vector<synth::Seed> damaged_seeds(const Format& format, const std::vector<synth::Seed>& seeds) {
  constexpr unsigned kPlacesOfAField = 2;
  std::vector<synth::Seed> damaged = seeds;
  std::map<std::string, unsigned> places;
  for (const synth::Seed& seed : seeds) {
    damaged.push_back(seed);
    damaged.back().bytes.push_back(1);
    if (seed.bytes.empty()) {
      continue;
    }
    damaged.push_back(seed);
    damaged.back().bytes.pop_back();
    const Parsed parsed = parse(format, seed.bytes, context_for(seed, RuleSet::compatible()));
    const ByteMap map = parsed.document ? (*parsed.document)->account() : ByteMap();
    for (const ByteRun& run : map.runs()) {
      if (run.kind != ByteKind::kRecord) {
        continue;
      }
      visit_fields(run, [&](const FieldView& field) {
        const std::string name = std::string(run.record->name) + '.' + field.info->name;
        if (field.raw.empty() || ++places[name] > kPlacesOfAField) {
          return;
        }
        const auto first = static_cast<std::size_t>(field.offset);
        for (const std::size_t at : {first, first + field.raw.size() - 1}) {
          damaged.push_back(seed);
          damaged.back().bytes[at] ^= 0x81U;
        }
      });
    }
  }
  return damaged;
}

// The same things, told from `origin` on.
void expect_moved(const std::vector<Diagnostic>& plain, const std::vector<Diagnostic>& moved, const Origin& origin) {
  ASSERT_EQ(plain.size(), moved.size());
  for (std::size_t index = 0; index < plain.size(); ++index) {
    const std::uint64_t stored = origin.is_decoded ? 0 : plain[index].offset;
    EXPECT_EQ(moved[index].offset, origin.base_offset + stored) << describe(plain[index]);
    EXPECT_EQ(moved[index].local_offset, plain[index].local_offset) << describe(plain[index]);
  }
}

Verdict verdict_of_parse(const Format& format, const synth::Seed& seed, const RuleSet& rules) {
  Findings findings;
  const auto document = format.parse(seed.bytes, context_for(seed, rules), findings);
  return document ? verdict_of(findings.list()) : Verdict::kFail;
}

TEST_P(FormatContract, DescribesItself) {
  EXPECT_FALSE(format().title.empty());
  EXPECT_TRUE(format().documentation.starts_with("docs/formats/"));
  std::set<std::string_view> names;
  for (const RecordInfo& record : format().records) {
    EXPECT_TRUE(names.insert(record.name).second) << record.name << " is there twice";
    EXPECT_FALSE(record.fields.empty()) << record.name;
    EXPECT_EQ(record.has_fixed_size(), record.rewrite != nullptr) << record.name;
  }
}

TEST_P(FormatContract, RecordsKeepEveryBitOfWhatTheyRead) {
  for (const RecordInfo& record : format().records) {
    for (unsigned fill = 0; record.has_fixed_size() && fill < 256; ++fill) {
      Buffer raw(record.size_bytes);
      for (std::size_t at = 0; at < raw.size(); ++at) {
        raw[at] = static_cast<std::uint8_t>(fill + at * 37);
      }
      // All bits set in a float is a NaN that arithmetic would quieten.
      if (fill == 255) {
        std::ranges::fill(raw, std::uint8_t{0xFF});
      }
      Buffer written(record.size_bytes);
      record.rewrite(raw, written);
      ASSERT_EQ(written, raw) << record.name;
    }
  }
}

TEST_P(FormatContract, HasSeedsThatAreDifferent) {
  std::set<std::string> names;
  const auto all = seeds();
  EXPECT_FALSE(all.empty());
  for (const synth::Seed& seed : all) {
    EXPECT_TRUE(names.insert(seed.name).second) << seed.name;
  }
}

TEST_P(FormatContract, ClaimsItsSeeds) {
  for (const synth::Seed& seed : seeds()) {
    EXPECT_EQ(identify(seed.bytes, seed.hints()).format, &format()) << seed.name;
  }
}

TEST_P(FormatContract, GivesTheVerdictsOfItsSeeds) {
  for (const synth::Seed& seed : seeds()) {
    EXPECT_EQ(verdict_of_parse(format(), seed, RuleSet::strict()), seed.strict) << seed.name << ", strict";
    EXPECT_EQ(verdict_of_parse(format(), seed, RuleSet::compatible()), seed.compatible) << seed.name << ", compatible";
  }
}

TEST_P(FormatContract, KeepsEveryOracleOnItsSeeds) {
  for (const synth::Seed& seed : seeds()) {
    for (const RuleSet& rules : {RuleSet::strict(), RuleSet::compatible()}) {
      const Failures failures = check_all(format(), seed.bytes, context_for(seed, rules), {.prefix_count = 64});
      EXPECT_TRUE(failures.empty()) << seed.name << '\n' << to_text(failures);
    }
  }
}

// Single bits, spread over all seeds; the fuzz targets do the rest.
TEST_P(FormatContract, KeepsEveryOracleOnDamagedSeeds) {
  constexpr std::size_t kFlips = 400;
  const auto all = seeds();
  for (const synth::Seed& seed : all) {
    const std::size_t step = seed.bytes.size() * 8 * all.size() / kFlips + 1;
    for (std::size_t bit = 0; bit < seed.bytes.size() * 8; bit += step) {
      synth::Seed damaged = seed;
      damaged.bytes[bit / 8] = static_cast<std::uint8_t>(damaged.bytes[bit / 8] ^ (1U << (bit % 8)));
      const Failures failures =
          check_all(format(), damaged.bytes, context_for(damaged, RuleSet::compatible()), {.prefix_count = 1});
      ASSERT_TRUE(failures.empty()) << seed.name << ", bit " << bit << '\n' << to_text(failures);
    }
  }
}

TEST_P(FormatContract, TellsPlacesFromTheOriginOfTheItem) {
  std::size_t told = 0;
  for (const synth::Seed& seed : damaged_seeds(format(), seeds())) {
    ParseContext context = context_for(seed, RuleSet::compatible());
    const Said plain = said_of(format(), seed.bytes, context);
    told += plain.of_item.size();
    for (const Diagnostic& diagnostic : plain.of_item) {
      EXPECT_EQ(diagnostic.offset, diagnostic.local_offset) << seed.name << ", " << describe(diagnostic);
    }
    for (const bool is_decoded : {false, true}) {
      SCOPED_TRACE(seed.name + (is_decoded ? ", decoded" : ", stored"));
      context.origin = {.base_offset = 1000, .is_decoded = is_decoded};
      const Said moved = said_of(format(), seed.bytes, context);
      expect_moved(plain.of_item, moved.of_item, context.origin);
      expect_moved(plain.of_members, moved.of_members, context.origin);
    }
  }
  // Of what no byte is understood nothing is said.
  EXPECT_EQ(told == 0, format().records.empty());
}

TEST_P(FormatContract, RefusesInputsOverTheLimitAlone) {
  std::size_t tried = 0;
  for (const synth::Seed& seed : seeds()) {
    if (seed.bytes.empty()) {
      continue;
    }
    ++tried;
    ParseContext context = context_for(seed, RuleSet::compatible());
    const Parsed unlimited = parse(format(), seed.bytes, context);
    context.limits.input_bytes = seed.bytes.size();
    const Parsed largest = parse(format(), seed.bytes, context);
    EXPECT_TRUE(std::ranges::equal(largest.findings.list(), unlimited.findings.list(), same_finding)) << seed.name;
    ASSERT_EQ(largest.document.has_value(), unlimited.document.has_value()) << seed.name;
    if (!largest.document) {
      EXPECT_TRUE(same_diagnostic(largest.document.error(), unlimited.document.error())) << seed.name;
    }
    context.limits.input_bytes = seed.bytes.size() - 1;
    for (const std::uint64_t base_offset : {0U, 1000U}) {
      context.origin.base_offset = base_offset;
      const Parsed refused = parse(format(), seed.bytes, context);
      ASSERT_FALSE(refused.document) << seed.name;
      const Diagnostic& error = refused.document.error();
      EXPECT_EQ(error.code, Code::kLimitExceeded) << seed.name;
      EXPECT_EQ(error.offset, base_offset) << seed.name;
      EXPECT_EQ(error.field, FieldPath("file")) << seed.name;
      EXPECT_TRUE(refused.findings.empty()) << seed.name;
    }
  }
  EXPECT_NE(tried, 0U);
}

INSTANTIATE_TEST_SUITE_P(Formats, FormatContract, testing::ValuesIn(all_formats().begin(), all_formats().end()),
                         [](const auto& each) { return std::string(each.param->id); });

}  // namespace
}  // namespace assay::oracles
