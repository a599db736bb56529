#include "golden/strict_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <utility>
#include <vector>

namespace assay::golden {
namespace {

using ::testing::HasSubstr;

std::string refusal(std::string_view text) {
  try {
    static_cast<void>(parse_strict_object(text));
  } catch (const JsonError& wrong) {
    return wrong.what();
  }
  return "accepted";
}

std::string nested(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return R"({"a":)" + std::string(count, '[') + std::string(count, ']') + "}";
}

TEST(StrictJson, SaysWhatIsWrongAndWhere) {
  const struct {
    std::string text;
    const char* says;
  } rows[] = {
      {"", "not JSON from byte 0 on"},
      {R"({"a":1)", "not JSON from byte 6 on"},
      {R"({"a":1} 2)", "not JSON from byte 8 on"},
      {"{\"a\":\"\xff\"}", "not JSON from byte 6 on"},
      {R"({"a":1e999})", "holds a number out of range"},
      {"[]", "not a JSON object"},
      {R"({"a":1,"b":2,"a":1})", R"(the key "a" is there twice)"},
      {R"({"x":[{"b":{"a":1,"a":2}}]})", R"(the key "a" is there twice)"},
      {nested(65), "nests deeper than 64 levels"},
      {nested(2'000'000), "nests deeper than 64 levels"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(refusal(row.text), row.says) << row.text.substr(0, 40);
  }
}

TEST(StrictJson, TheSameKeyInOtherObjectsAndSixtyFourLevelsAreFine) {
  EXPECT_EQ(refusal(R"({"a":{"a":[{"a":1},{"a":2}]},"b":{"a":1}})"), "accepted");
  EXPECT_EQ(refusal(nested(64)), "accepted");
}

TEST(StrictJson, TellsTheKeysInTheirOrder) {
  std::vector<std::pair<int, std::string>> seen;
  static_cast<void>(parse_strict_object(R"({"b":{"d":1,"c":{"e":1}},"a":[{"f":1}]})",
                                        [&seen](int depth, const std::string& key) { seen.emplace_back(depth, key); }));
  EXPECT_EQ(seen,
            (std::vector<std::pair<int, std::string>>{{1, "b"}, {2, "d"}, {2, "c"}, {3, "e"}, {1, "a"}, {3, "f"}}));
}

TEST(StrictJson, MembersAreWhatIsAskedFor) {
  const nlohmann::json object = parse_strict_object(R"({"text":"t","count":7,"less":-1,"part":7.5,"none":null})");
  EXPECT_EQ(text_member(object, "text"), "t");
  EXPECT_EQ(count_member(object, "count", 7), 7U);
  EXPECT_EQ(number_member(object, "part", 7.5), 7.5);
  EXPECT_EQ(number_member(object, "count", 7), 7);
  EXPECT_TRUE(member(object, "none").is_null());
  EXPECT_THROW(static_cast<void>(member(object, "other")), JsonError);
  EXPECT_THROW(static_cast<void>(text_member(object, "count")), JsonError);
  EXPECT_THROW(static_cast<void>(count_member(object, "count", 6)), JsonError);
  EXPECT_THROW(static_cast<void>(count_member(object, "less", 7)), JsonError);
  EXPECT_THROW(static_cast<void>(count_member(object, "part", 9)), JsonError);
  EXPECT_THROW(static_cast<void>(number_member(object, "part", 7.25)), JsonError);
  EXPECT_THROW(static_cast<void>(number_member(object, "less", 7)), JsonError);
  EXPECT_THROW(static_cast<void>(number_member(object, "text", 7)), JsonError);
}

TEST(StrictJson, AnUnknownKeyIsNamed) {
  constexpr std::string_view kKnown[] = {"a", "b"};
  EXPECT_NO_THROW(refuse_unknown_keys(parse_strict_object(R"({"a":1})"), kKnown));
  try {
    refuse_unknown_keys(parse_strict_object(R"({"a":1,"c\n":2})"), kKnown);
    FAIL();
  } catch (const JsonError& wrong) {
    EXPECT_STREQ(wrong.what(), R"(the key "c\n" is unknown)");
  }
}

// As long as each key was looked for among those before it, a line of this many took half an hour.
TEST(StrictJson, ManyKeysTakeTimeThatGrowsWithThem) {
  std::string text = "{";
  for (int key = 0; key < 1'000'000; ++key) {
    text += (key == 0 ? "\"k" : ",\"k") + std::to_string(key) + "\":1";
  }
  const auto started = std::chrono::steady_clock::now();
  EXPECT_EQ(parse_strict_object(text + "}").size(), 1'000'000U);
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::minutes(1));
}

}  // namespace
}  // namespace assay::golden
