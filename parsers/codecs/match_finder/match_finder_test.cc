#include "parsers/codecs/match_finder/match_finder.h"

#include <gtest/gtest.h>

#include "parsers/codecs/codec_test_support.h"

namespace assay::match_finder {
namespace {

using codec_testing::text_bytes;

constexpr std::size_t kLongest = 60;

// Rebuilds the data from what parse() hands out, and keeps the extremes.
class Rebuilder {
 public:
  Rebuilder() : text_(kWindowBytes, kWindowFill) {}

  void literal(std::uint8_t byte) {
    text_.push_back(byte);
    ++literals;
  }
  void match(Match match) {
    ASSERT_GE(match.distance, 1U);
    ASSERT_LE(match.distance, kWindowBytes);
    ASSERT_GE(match.length_bytes, kMinMatchBytes);
    for (std::size_t step = 0; step < match.length_bytes; ++step) {
      text_.push_back(text_[text_.size() - match.distance]);
    }
    longest = std::max(longest, match.length_bytes);
    farthest = std::max(farthest, match.distance);
    ++matches;
  }
  [[nodiscard]] Buffer plain() const { return {text_.begin() + kWindowBytes, text_.end()}; }

  std::size_t literals = 0;
  std::size_t matches = 0;
  std::size_t longest = 0;
  std::size_t farthest = 0;

 private:
  Buffer text_;
};

Rebuilder rebuilt(Bytes plain, Level level, std::size_t longest = kLongest) {
  MatchFinder finder;
  Rebuilder sink;
  parse(plain, longest, level, finder, sink);
  return sink;
}

TEST(MatchFinder, ItemsGiveTheDataBack) {
  for (const auto& sample : codec_testing::samples()) {
    for (unsigned level = 0; level <= 9; level += 3) {
      const Rebuilder result = rebuilt(sample.bytes, Level(level));
      ASSERT_EQ(result.plain(), sample.bytes) << sample.name << ", level " << level;
      ASSERT_LE(result.longest, kLongest);
    }
  }
}

TEST(MatchFinder, LevelZeroFindsNothing) {
  const Rebuilder result = rebuilt(Buffer(1000, 0x20), kNoMatchesLevel);
  EXPECT_EQ(result.literals, 1000U);
  EXPECT_EQ(result.matches, 0U);
}

TEST(MatchFinder, LevelsAboveTheHighestAreTheHighest) {
  EXPECT_EQ(effort_of(Level(12)).chain_depth, effort_of(Level(kHighestLevel)).chain_depth);
}

TEST(MatchFinder, FindsMatchesInThePreset) {
  const Rebuilder result = rebuilt(Buffer(120, 0x20), Level(1));
  EXPECT_EQ(result.literals, 0U);
  EXPECT_EQ(result.matches, 2U);
}

TEST(MatchFinder, FindsTheFarthestDistanceAndNoFarther) {
  const Buffer far = codec_testing::make_data(codec_testing::Kind::kFarCopies, 10000, 7);
  EXPECT_EQ(rebuilt(far, Level(9)).farthest, kWindowBytes);

  // One byte more between the copies: nothing is left to find.
  Buffer farther = codec_testing::make_data(codec_testing::Kind::kNoise, 4097, 7);
  farther.insert(farther.end(), farther.begin(), farther.begin() + 4097);
  const Rebuilder too_far = rebuilt(farther, Level(9));
  EXPECT_LT(too_far.longest, 5U);
}

TEST(MatchFinder, TakesTheNearestOfEqualMatches) {
  MatchFinder finder;
  const Buffer plain = text_bytes("abcXabcYabcZ");
  finder.begin(plain, kLongest, 100);
  for (std::size_t position = 0; position < 8; ++position) {
    finder.insert(position);
  }
  const Match match = finder.find(8);
  EXPECT_EQ(match.distance, 4U);
  EXPECT_EQ(match.length_bytes, 3U);
}

TEST(MatchFinder, FindsTheNearestOfEachLengthInRisingOrder) {
  MatchFinder finder;
  const Buffer plain = text_bytes("abcdefXabcdeYabcZabcdefg");
  finder.begin(plain, kLongest, 100);
  for (std::size_t position = 0; position < 17; ++position) {
    finder.insert(position);
  }
  std::array<Match, kLongest> found{};
  ASSERT_EQ(finder.find_all(17, found), 3U);
  const std::array<Match, 3> expected = {{{4, 3}, {10, 5}, {17, 6}}};
  for (std::size_t index = 0; index < expected.size(); ++index) {
    EXPECT_EQ(found[index].distance, expected[index].distance);
    EXPECT_EQ(found[index].length_bytes, expected[index].length_bytes);
  }
  EXPECT_EQ(finder.find(17).distance, 17U);
}

TEST(MatchFinder, PutsAMatchOffForALongerOne) {
  // At "bcd" a match of 3 with the first part is there; one byte later "cdefgh" is 6.
  const Buffer plain = text_bytes("abcdXcdefghXbcdefgh");
  MatchFinder finder;
  Rebuilder sink;
  parse(plain, kLongest, kDefaultLevel, finder, sink);
  EXPECT_EQ(sink.plain(), plain);
  EXPECT_EQ(sink.longest, 6U);
}

TEST(MatchFinder, ForgetsTheTextBefore) {
  MatchFinder finder;
  Rebuilder first;
  parse(codec_testing::make_data(codec_testing::Kind::kWords, 9000, 3), kLongest, Level(9), finder, first);
  const Buffer plain = codec_testing::make_data(codec_testing::Kind::kRecords, 9000, 4);
  Rebuilder second;
  parse(plain, kLongest, Level(9), finder, second);
  const Rebuilder alone = rebuilt(plain, Level(9));
  EXPECT_EQ(second.plain(), plain);
  EXPECT_EQ(second.matches, alone.matches);
  EXPECT_EQ(second.literals, alone.literals);
}

}  // namespace
}  // namespace assay::match_finder
