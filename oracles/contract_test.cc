#include <gtest/gtest.h>

#include <set>

#include "oracles/oracles.h"
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

INSTANTIATE_TEST_SUITE_P(Formats, FormatContract, testing::ValuesIn(all_formats().begin(), all_formats().end()),
                         [](const auto& each) { return std::string(each.param->id); });

}  // namespace
}  // namespace assay::oracles
