#include "fuzz/mutate/mutator.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "fuzz/mutate/repair.h"
#include "oracles/support.h"
#include "parsers/base/record_cursor.h"
#include "parsers/formats/catalogue.h"
#include "parsers/formats/plain_document.h"
#include "synth/prng.h"
#include "synth/seeds/seeds.h"

namespace assay::fuzz {
namespace {

constexpr std::size_t kMaxBytes = 1 << 16;

// A format of a count, a total and records, all of which have to agree.
struct ToyHeader {
  std::uint16_t total = 0;
  std::uint16_t count = 0;
};
struct ToyPoint {
  std::uint16_t x = 0;
};
constexpr auto kToyHeader = record<ToyHeader>(
    "header", 4, field(0, "total", &ToyHeader::total, FieldStatus::kLayoutConfirmed).derived("it is the size"),
    field(2, "count", &ToyHeader::count, FieldStatus::kLayoutConfirmed).derived("it counts the points"));
constexpr auto kToyPoint = record<ToyPoint>("point", 2, field(0, "x", &ToyPoint::x, FieldStatus::kLayoutConfirmed));

class ToyDocument final : public PlainDocument {
 public:
  ToyDocument(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}
};

Result<std::unique_ptr<Document>> parse_toy(Bytes bytes, const ParseContext& context, Findings& /*findings*/) {
  ByteMap map;
  RecordCursor cursor(bytes, context.origin, map);
  ASSAY_TRY_ASSIGN(const ToyHeader header, cursor.read<kToyHeader>("header"));
  if (header.total != bytes.size()) {
    return fail(cursor.diagnostic(Code::kTotalSizeMismatch, 0, FieldPath("header").then("total")));
  }
  ASSAY_TRY(cursor.read_array<kToyPoint>("point", header.count));
  ASSAY_TRY(cursor.expect_end());
  return std::make_unique<ToyDocument>(bytes, std::move(map));
}

constexpr Format kToy{.id = "toy", .parse = parse_toy};

Buffer toy(std::initializer_list<std::uint8_t> low_bytes) {
  Buffer image(4 + 2 * low_bytes.size());
  kToyHeader.write({static_cast<std::uint16_t>(image.size()), static_cast<std::uint16_t>(low_bytes.size())}, image);
  std::size_t at = 4;
  for (const std::uint8_t low : low_bytes) {
    image[at] = low;
    at += 2;
  }
  return image;
}

bool is_accepted(const Format& format, Bytes bytes) {
  return oracles::parse(format, bytes, mutation_context()).document.has_value();
}

TEST(Repair, FindsTheCountAndTheTotalOfAGrownList) {
  const Buffer image = toy({9, 8, 7});
  const auto structure = Structure::read(kToy, image);
  ASSERT_TRUE(structure);
  const Change change{4, 6, 3, 4, {9, 0, 9, 0, 8, 0, 7, 0}};
  EXPECT_EQ(repaired(kToy, *structure, image, {&change, 1}), toy({9, 9, 8, 7}));
}

TEST(Repair, FindsThemForAListThatShrinks) {
  const Buffer image = toy({9, 8, 7});
  const auto structure = Structure::read(kToy, image);
  ASSERT_TRUE(structure);
  const Change change{4, 6, 3, 1, {8, 0}};
  EXPECT_EQ(repaired(kToy, *structure, image, {&change, 1}), toy({8}));
}

TEST(FieldSpots, WriteThroughATransform) {
  // 0x50 is stored for 0x0F, under a key stream of 0x5F; what reads 0xF0 is then stored as 0xAF.
  const Buffer plain{0x0F, 0x00};
  Buffer stored{0x50, 0x5F};
  FieldSpot{&kInfoOf<kToyPoint>.fields[0], 0, plain}.write_value(stored, 0x00F0);
  EXPECT_EQ(stored, (Buffer{0xAF, 0x5F}));
}

class Mutate : public testing::TestWithParam<const Format*> {};

TEST_P(Mutate, GivesTheSameForTheSameSeed) {
  for (const synth::Seed& seed : synth::seeds_of(GetParam()->id)) {
    for (std::uint64_t number = 0; number < 5; ++number) {
      const Buffer first = mutate(*GetParam(), seed.bytes, kMaxBytes, number, mutate_bytes_simply);
      EXPECT_EQ(first, mutate(*GetParam(), seed.bytes, kMaxBytes, number, mutate_bytes_simply)) << seed.name;
      EXPECT_LE(first.size(), kMaxBytes);
    }
  }
}

// mutate_bytes_simply() does the same to the same bytes, which small fields often are.
std::size_t mutate_bytes_anew(std::uint8_t* data, std::size_t size, std::size_t max_size) {
  static synth::Prng prng(1);
  if (size != 0) {
    data[prng.index(size)] = prng.byte();
  }
  return std::min(size, max_size);
}

// Many mutants still parse, which blind ones rarely do, and they are many different ones.
TEST_P(Mutate, KeepsStructureInStepMostly) {
  std::size_t accepted = 0;
  std::size_t made = 0;
  std::set<std::string_view> different;
  std::deque<Buffer> mutants;
  for (const synth::Seed& seed : synth::seeds_of(GetParam()->id)) {
    if (seed.bytes.size() > kMaxBytes || !is_accepted(*GetParam(), seed.bytes)) {
      continue;
    }
    for (std::uint64_t number = 0; number < 30; ++number) {
      const Buffer& mutant =
          mutants.emplace_back(mutate(*GetParam(), seed.bytes, kMaxBytes, number, mutate_bytes_anew));
      accepted += is_accepted(*GetParam(), mutant) ? 1U : 0U;
      ++made;
      different.insert(as_text(mutant));
    }
  }
  // Where a mutant changes one of several lists that one number counts, it is refused: hence only a sixth.
  EXPECT_GE(accepted * 6, made) << accepted << " of " << made << " parse";
  // A format of twelve bytes has few.
  EXPECT_GE(different.size() * 10, made);
}

TEST_P(Mutate, CrossesWhateverItIsGiven) {
  const auto seeds = synth::seeds_of(GetParam()->id);
  for (std::size_t index = 1; index < seeds.size(); ++index) {
    for (std::uint64_t number = 0; number < 10; ++number) {
      const auto mix = [&] {
        return cross(*GetParam(), seeds[index].bytes, seeds[index - 1].bytes, kMaxBytes, number);
      };
      EXPECT_EQ(mix(), mix());
      EXPECT_LE(mix().size(), kMaxBytes);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Mutate, testing::ValuesIn(all_formats().begin(), all_formats().end()),
                         [](const auto& parameter) { return std::string(parameter.param->id); });

}  // namespace
}  // namespace assay::fuzz
