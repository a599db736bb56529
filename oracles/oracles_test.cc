#include "oracles/oracles.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "oracles/codec_oracles.h"
#include "parsers/formats/catalogue.h"
#include "parsers/formats/decode_scratch.h"
#include "parsers/formats/nres/nres.h"
#include "parsers/formats/rsli/rsli.h"
#include "synth/content.h"
#include "synth/corpus.h"
#include "synth/random_archives.h"
#include "synth/rsli_builder.h"

namespace assay::oracles {
namespace {

std::uint64_t random_runs() {
  constexpr std::uint64_t kDefaultRuns = 2'000;
  const char* runs = std::getenv("ASSAY_ORACLE_RUNS");
  return runs == nullptr ? kDefaultRuns : std::strtoull(runs, nullptr, 10);
}

// Stops a test that fails everywhere before it floods the log.
constexpr int kMostFailingSeeds = 5;

// All oracles on an item and on all that is inside it.
void check_tree(const std::string& where, Bytes content, const ItemHints& hints) {
  const Format* format = identify(content, hints).format;
  if (format == nullptr) {
    return;
  }
  ParseContext context;
  context.rules = RuleSet::compatible();
  context.hints = hints;
  const Failures failures = check_all(*format, content, context);
  EXPECT_TRUE(failures.empty()) << where << '\n' << to_text(failures);
  Findings findings;
  const auto document = format->parse(content, context, findings);
  ASSERT_TRUE(document) << where;
  const Container* container = (*document)->container();
  const auto scratch = std::make_unique<DecodeScratch>();
  for (std::size_t index = 0; container != nullptr && index < container->member_count(); ++index) {
    const Member member = container->member(index);
    if (const auto payload = container->load(index, *scratch, findings)) {
      const Buffer copy(payload->begin(), payload->end());
      check_tree(where + "::#" + std::to_string(index), copy, member.hints());
    }
  }
}

TEST(Oracles, HoldOnTheContainersCorpus) {
  for (const synth::CorpusFile& file : synth::make_containers_corpus(1)) {
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    check_tree(file.path, file.bytes, {.name = as_bytes(name), .is_file = true});
  }
}

TEST(Oracles, HoldOnALoadCorpus) {
  synth::make_load_corpus(1, 1'500, [](const synth::CorpusFile& file) {
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    check_tree(file.path, file.bytes, {.name = as_bytes(name), .is_file = true});
  });
}

struct RandomInput {
  const Format* format;
  Buffer bytes;
};

// Both formats in turn, clean ones and others.
RandomInput random_input(synth::Prng& prng, std::uint64_t seed) {
  const synth::RandomOptions options{.is_strict_clean = seed % 4 < 2};
  return seed % 2 == 0 ? RandomInput{&nres::format(), synth::random_nres(prng, options)}
                       : RandomInput{&rsli::format(), synth::random_rsli(prng, options)};
}

ParseContext small_limits() {
  ParseContext context;
  context.rules = RuleSet::compatible();
  context.limits.unpacked_bytes = std::uint64_t{1} << 20;
  context.limits.unpacked_total_bytes = std::uint64_t{4} << 20;
  return context;
}

TEST(Oracles, HoldOnRandomArchives) {
  int failing_seeds = 0;
  for (std::uint64_t seed = 0; seed < random_runs() && failing_seeds < kMostFailingSeeds; ++seed) {
    synth::Prng prng(seed);
    const RandomInput input = random_input(prng, seed);
    const Failures failures = check_all(*input.format, input.bytes, small_limits());
    failing_seeds += failures.empty() ? 0 : 1;
    EXPECT_TRUE(failures.empty()) << input.format->id << ", seed " << seed << '\n' << to_text(failures);
  }
}

// Changes a few bytes, near the ends more often than elsewhere, because the tables are there.
void change_some_bytes(synth::Prng& prng, Buffer& bytes) {
  if (bytes.empty()) {
    return;
  }
  for (std::uint64_t changes = prng.between(1, 4); changes > 0; --changes) {
    const std::size_t within = prng.index(std::min<std::size_t>(bytes.size(), prng.chance(50) ? 160 : bytes.size()));
    const std::size_t at = prng.chance(50) ? within : bytes.size() - 1 - within;
    bytes[at] = prng.chance(50) ? prng.byte() : static_cast<std::uint8_t>(bytes[at] ^ (1U << prng.below(8)));
  }
}

TEST(Oracles, HoldOnDamagedArchives) {
  int failing_seeds = 0;
  for (std::uint64_t seed = 0; seed < random_runs() && failing_seeds < kMostFailingSeeds; ++seed) {
    synth::Prng prng(seed);
    RandomInput input = random_input(prng, seed);
    change_some_bytes(prng, input.bytes);
    const Failures failures = check_all(*input.format, input.bytes, small_limits(), {.prefix_count = 2});
    failing_seeds += failures.empty() ? 0 : 1;
    EXPECT_TRUE(failures.empty()) << input.format->id << ", seed " << seed << '\n' << to_text(failures);
  }
}

// Random bytes end like an AO trailer too seldom. Each of these does in its own or in its canonical form.
std::vector<synth::RsliLayout> layouts_near_a_trailer() {
  const Bytes like_trailer = as_bytes(std::string_view("AO\x10\0\0\0", 6));
  synth::RsliLayout payload_moves_to_the_end;
  payload_moves_to_the_end.items = {synth::make_rsli_item("A", rsli::Method::kStored, as_bytes("x")),
                                    synth::make_rsli_item("B", rsli::Method::kStored, like_trailer)};
  payload_moves_to_the_end.physical_order = {1, 0};
  synth::RsliLayout region_is_dropped;
  region_is_dropped.items = {
      synth::make_rsli_item("B", rsli::Method::kStored, as_bytes(std::string_view("AO\xFF\xFF\xFF\x7F", 6)))};
  region_is_dropped.trailing = {0};
  synth::RsliLayout range_covers_the_trailer;
  range_covers_the_trailer.items = {synth::make_rsli_item("B", rsli::Method::kLzss, as_bytes("abc"))};
  range_covers_the_trailer.items.front().excess_bytes = 6;
  range_covers_the_trailer.overlay = 8;
  return {payload_moves_to_the_end, region_is_dropped, range_covers_the_trailer};
}

TEST(Oracles, HoldNearAnOverlayTrailer) {
  for (const synth::RsliLayout& layout : layouts_near_a_trailer()) {
    const Failures failures =
        check_all(rsli::format(), synth::build_rsli(layout), small_limits(), {.prefix_count = 1'000});
    EXPECT_TRUE(failures.empty()) << to_text(failures);
  }
}

// The rule's entry with all of its stream, and with its last byte gone.
TEST(Oracles, HoldOnTheEofRule) {
  for (const bool is_cut : {false, true}) {
    synth::RsliLayout layout;
    layout.items = {synth::make_rsli_item("INTERF8.TEX", rsli::Method::kDeflate, as_bytes("iron iron iron assay"))};
    layout.items.front().excess_bytes = 1;
    if (is_cut) {
      layout.items.front().packed.pop_back();
    }
    const Buffer archive = synth::build_rsli(layout);
    for (const std::string_view file_name : {"sprites.lib", "SPRITES.LIB", "sprites2.lib", ""}) {
      ParseContext context = small_limits();
      context.hints = {.name = as_bytes(file_name), .is_file = !file_name.empty()};
      const Failures failures = check_all(rsli::format(), archive, context, {.prefix_count = 1'000});
      EXPECT_TRUE(failures.empty()) << file_name << (is_cut ? ", cut\n" : "\n") << to_text(failures);
    }
  }
}

TEST(Oracles, HoldOnEveryPrefixOfSmallArchives) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    synth::Prng prng(seed);
    const RandomInput input = random_input(prng, seed);
    if (input.bytes.size() < 3'000) {
      const Failures failures = prefixes(*input.format, input.bytes, small_limits(), 1);
      EXPECT_TRUE(failures.empty()) << input.format->id << ", seed " << seed << '\n' << to_text(failures);
    }
  }
}

TEST(CodecOracles, HoldOnContentOfEveryKind) {
  synth::Prng prng(1);
  for (unsigned kind = 0; kind < static_cast<unsigned>(synth::ContentKind::kCount); ++kind) {
    for (const std::size_t size : {0U, 1U, 3U, 18U, 60U, 255U, 4'078U, 4'097U, 20'000U}) {
      const Buffer plain = synth::make_content(static_cast<synth::ContentKind>(kind), size, prng);
      const Failures failures = codec_round_trip(plain);
      EXPECT_TRUE(failures.empty()) << "kind " << kind << ", " << size << " bytes\n" << to_text(failures);
    }
  }
}

TEST(CodecOracles, HoldOnStreamsThatNobodyEncoded) {
  for (std::uint64_t seed = 0; seed < random_runs(); ++seed) {
    synth::Prng prng(seed);
    const Buffer packed = synth::make_any_content(prng.index(200), prng);
    const std::size_t size_bytes = prng.index(2'000);
    for (const CodecId codec : {CodecId::kLzss, CodecId::kLzhuf, CodecId::kDeflate}) {
      const Failures failures = decoding_is_pure(codec, packed, size_bytes);
      ASSERT_TRUE(failures.empty()) << "seed " << seed << '\n' << to_text(failures);
    }
  }
}

}  // namespace
}  // namespace assay::oracles
