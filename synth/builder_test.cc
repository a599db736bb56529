#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "parsers/formats/decode_scratch.h"
#include "parsers/formats/nres/nres.h"
#include "parsers/formats/rsli/rsli.h"
#include "synth/content.h"
#include "synth/damage.h"
#include "synth/nres_builder.h"
#include "synth/random_archives.h"
#include "synth/rsli_builder.h"

namespace assay::synth {
namespace {

ParseContext strict_context() {
  return {};
}

// Two entries apart in name, of some bytes each.
Buffer small_nres() {
  NresLayout layout;
  for (const char* name : {"first", "second", "third"}) {
    NresItem item;
    item.row.name = nres_name(name);
    item.payload = Buffer(20, 'p');
    layout.items.push_back(std::move(item));
  }
  return build_nres(layout);
}

Buffer small_rsli() {
  RsliLayout layout;
  layout.seed = 0x1234;
  for (const char* name : {"FIRST", "SECOND", "THIRD"}) {
    layout.items.push_back(make_rsli_item(name, rsli::Method::kLzss, Buffer(40, 'p')));
  }
  return build_rsli(layout);
}

Verdict verdict_in(const Format& format, const Buffer& archive, Findings& findings) {
  const auto document = format.parse(archive, strict_context(), findings);
  return document ? verdict_of(findings.list()) : Verdict::kFail;
}

TEST(NresBuilder, WritesTheThreeEntryVector) {
  // docs/formats/nres.md, the vector whose two sort orders differ.
  NresLayout layout;
  const auto add = [&](std::string_view name, std::string_view tail, std::string_view payload) -> nres::Entry& {
    NresItem item;
    item.row.type_id = type_tag("TEST");
    item.row.name = nres_name(name, tail);
    item.payload.assign(payload.begin(), payload.end());
    layout.items.push_back(std::move(item));
    return layout.items.back().row;
  };
  nres::Entry& first = add("zed_1.bin", "", "ABC");
  first.attr1 = 1;
  first.attr2 = 2;
  first.attr3 = 3;
  add("Zeda.bin", "old", "12345678");
  add("alpha", "", "");
  const Buffer archive = build_nres(layout);
  Findings findings;
  const auto parsed = nres::Archive::parse(archive, strict_context(), findings);
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(findings.empty());
  EXPECT_EQ(archive.size(), 224U);
  EXPECT_EQ(parsed->entries()[0].sort_index, 2U);
  EXPECT_EQ(parsed->entries()[1].sort_index, 0U);
  EXPECT_EQ(parsed->entries()[2].sort_index, 1U);
  EXPECT_EQ(as_text(parsed->entries()[1].name.tail()).substr(0, 3), "old");
}

TEST(RsliBuilder, RepeatsTheKeyedVector) {
  // docs/formats/rsli.md, method 0x060: two rows, so that the key of row 0 is not zero.
  RsliLayout layout;
  layout.seed = 0x1234;
  const Bytes packed = as_bytes(std::string_view("\x03\x61\x62\xEE\xF1", 5));
  layout.items.push_back({.name = rsli_name("B.BIN"),
                          .method = rsli::Method::kXorLzss,
                          .unpacked_size = 6,
                          .packed = Buffer(packed.begin(), packed.end())});
  layout.items.push_back(make_rsli_item("A.BIN", rsli::Method::kStored, as_bytes("x")));
  const Buffer archive = build_rsli(layout);
  ASSERT_EQ(archive.size(), 102U);
  EXPECT_TRUE(equal_bytes(Bytes(archive).last(6), as_bytes(std::string_view("\x01\x67\x69\xF0\xD7\x78", 6))));
  EXPECT_TRUE(equal_bytes(Bytes(archive).subspan(32, 4), as_bytes(std::string_view("\x38\xA9\xF2\xC6", 4))));
}

TEST(Damage, IsFoundUnderItsCode) {
  const auto check = [](const Format& format, const Buffer& valid, std::span<const Damage> damages) {
    Findings none;
    ASSERT_EQ(verdict_in(format, valid, none), Verdict::kOk);
    for (const Damage& damage : damages) {
      Buffer archive = valid;
      damage.apply(archive);
      Findings findings;
      const auto document = format.parse(archive, strict_context(), findings);
      EXPECT_EQ(!document, damage.refuses_archive) << format.id << ' ' << damage.name;
      if (!document) {
        EXPECT_EQ(code_text(document.error().code), code_text(damage.code)) << format.id << ' ' << damage.name;
        continue;
      }
      const bool is_found = std::ranges::any_of(findings.list(), [&](const Finding& finding) {
        return finding.severity == damage.severity && finding.diagnostic.code == damage.code;
      });
      EXPECT_TRUE(is_found) << format.id << ' ' << damage.name;
    }
  };
  check(nres::format(), small_nres(), nres_damages());
  check(rsli::format(), small_rsli(), rsli_damages());
}

TEST(RandomArchives, AreStrictCleanUnlessAsked) {
  unsigned deviations = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    for (const bool is_clean : {true, false}) {
      Prng prng(seed);
      const RandomOptions options{.is_strict_clean = is_clean};
      const Buffer first = random_nres(prng, options);
      const Buffer second = random_rsli(prng, options);
      Findings findings;
      const Verdict nres_verdict = verdict_in(nres::format(), first, findings);
      Findings rsli_findings;
      const Verdict rsli_verdict = verdict_in(rsli::format(), second, rsli_findings);
      if (is_clean) {
        EXPECT_EQ(nres_verdict, Verdict::kOk) << "seed " << seed;
        EXPECT_EQ(rsli_verdict, Verdict::kOk) << "seed " << seed;
      } else {
        deviations += nres_verdict != Verdict::kOk;
        deviations += rsli_verdict != Verdict::kOk;
      }
    }
  }
  EXPECT_GT(deviations, 150U);
}

TEST(RandomArchives, DecodeToWhatWasPutIn) {
  const auto scratch = std::make_unique<DecodeScratch>();
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Prng prng(seed);
    const RandomRsli random = random_rsli_layout(prng, {.is_strict_clean = seed % 2 == 0});
    const Buffer archive = build_rsli(random.layout);
    Findings findings;
    const auto parsed = rsli::Archive::parse(archive, strict_context(), findings);
    ASSERT_TRUE(parsed) << "seed " << seed;
    for (std::size_t row = 0; row < random.plain.size(); ++row) {
      const auto payload = parsed->load(row, *scratch, findings);
      ASSERT_TRUE(payload) << "seed " << seed << ", row " << row << ": " << payload.error().message();
      EXPECT_TRUE(equal_bytes(*payload, random.plain[row])) << "seed " << seed << ", row " << row;
    }
  }
}

TEST(Model, IsACleanContainerWithAllStreams) {
  Prng prng(1);
  const Buffer model = make_model(4, prng);
  Findings findings;
  const auto parsed = nres::Archive::parse(model, strict_context(), findings);
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(findings.empty());
  ASSERT_EQ(parsed->entries().size(), 14U);
  for (const nres::Entry& row : parsed->entries()) {
    const bool has_fixed_stride = row.attr3 != 0 && row.type_id != 2;
    EXPECT_EQ(has_fixed_stride ? row.attr1 * row.attr3 : row.size, row.size) << "stream " << row.type_id;
  }
  EXPECT_EQ(parsed->entries()[1].size, 0x8CU + 68U);
}

}  // namespace
}  // namespace assay::synth
