#include "reports/markup.h"

#include <gtest/gtest.h>

#include "reports/markup_test_support.h"

namespace assay::reports {
namespace {

using namespace std::string_literals;

struct ShownCase {
  const char* name;
  std::string text;
  std::string ascii;
  std::string utf8;
};

const ShownCase kCases[] = {
    {"printable", "a b~", "a b~", "a b~"},
    {"backslash", "a\\x00", "a\\x00", "a\\x00"},
    {"nul", "\0"s, "\\x00", "\\x00"},
    {"unit_separator", "\x1f", "\\x1f", "\\x1f"},
    {"line_end", "a\nb", "a\\x0ab", "a\\x0ab"},
    {"tabulator", "\t", "\\x09", "\\x09"},
    {"delete", "\x7f", "\\x7f", "\\x7f"},
    {"no_utf8", "\xff", "\\xff", "\\xff"},
    {"cyrillic", "\xd0\xb6", "\\xd0\\xb6", "\xd0\xb6"},
    {"four_bytes", "\xf0\x9f\x98\x80", "\\xf0\\x9f\\x98\\x80", "\xf0\x9f\x98\x80"},
    {"cut_off", "\xd0", "\\xd0", "\\xd0"},
    {"cut_off_by_another", "\xd0z", "\\xd0z", "\\xd0z"},
    {"lone_continuation", "\x80", "\\x80", "\\x80"},
    {"overlong", "\xc0\x80", "\\xc0\\x80", "\\xc0\\x80"},
    {"overlong_of_three", "\xe0\x80\x80", "\\xe0\\x80\\x80", "\\xe0\\x80\\x80"},
    {"control_of_two_bytes", "\xc2\x85", "\\xc2\\x85", "\\xc2\\x85"},
    {"surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80"},
    {"noncharacter", "\xef\xbf\xbe", "\\xef\\xbf\\xbe", "\\xef\\xbf\\xbe"},
    {"replacement_character", "\xef\xbf\xbd", "\\xef\\xbf\\xbd", "\xef\xbf\xbd"},
    {"past_unicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", "\\xf4\\x90\\x80\\x80"},
};

TEST(ShownText, EscapesWhatCouldHideOrBreakALine) {
  for (const ShownCase& one : kCases) {
    EXPECT_EQ(shown_text(one.text, Shown::kAscii), one.ascii) << one.name;
    EXPECT_EQ(shown_text(one.text, Shown::kUtf8), one.utf8) << one.name;
  }
}

TEST(Markup, EscapesTextAndAttributes) {
  Markup markup(Shown::kAscii, "");
  markup.open("p", {{"title", "<script>&\"'"}}).text("<script>&\"'\x1f").close();
  const std::string text = markup.take();
  EXPECT_EQ(text, "<p title=\"&lt;script&gt;&amp;&quot;&#39;\">&lt;script&gt;&amp;&quot;&#39;\\x1f</p>\n");
  const test::MarkupReader reader(text, "");
  EXPECT_EQ(reader.problem(), "");
  EXPECT_EQ(reader.root().text, "<script>&\"'\\x1f");
  EXPECT_EQ(reader.root().attributes.at("title"), "<script>&\"'");
}

// The reader judges all pages, so it has to refuse what is wrong.
TEST(MarkupReader, RefusesWhatIsNotWellFormed) {
  const struct {
    const char* document;
    const char* says;
  } kWrong[] = {
      {"<a><b></a></b>", "the end of b"},
      {"<a>", "ends inside a"},
      {"<a></a><b></b>", "behind the last element"},
      {"<a b=c></a>", "a quoted value"},
      {"<a b></a>", "a quoted value"},
      {"<a b=\"1\" b=\"2\"></a>", "stands twice"},
      {"<a b=\"<\"></a>", "must be escaped"},
      {"<a>&nbsp;</a>", "unknown entity"},
      {"<a>1 & 2</a>", "unknown entity"},
      {"<a>></a>", "must be escaped"},
      {"<a>\x1f</a>", "may not be there"},
      {"<a>\xff</a>", "may not be there"},
      {"text", "an element"},
  };
  for (const auto& [document, says] : kWrong) {
    EXPECT_NE(test::MarkupReader(document, "").problem().find(says), std::string::npos)
        << document << " " << test::MarkupReader(document, "").problem();
  }
  EXPECT_EQ(test::MarkupReader("<a b=\"1\">x<c/>y &amp;</a>\n", "").problem(), "");
}

}  // namespace
}  // namespace assay::reports
