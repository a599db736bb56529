#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Writing HTML and XML: nothing of others gets into the markup, and what is opened is closed.
namespace assay::reports {

// How text of others is shown. Either way it stays one line, and what is escaped becomes `\xNN`, byte by byte.
enum class Shown : std::uint8_t {
  // Printable ASCII stays; for pages, where other characters could hide what a name is.
  kAscii,
  // Printable UTF-8 stays, as far as XML 1.0 can hold it; for programs, which look names up.
  kUtf8,
};

[[nodiscard]] std::string shown_text(std::string_view text, Shown shown);

// `& < > " '` as character references, so that `text` can stand in an element and in a quoted attribute.
[[nodiscard]] std::string markup_escaped(std::string_view text);

// Appends elements to a text. Names of elements and attributes are ours; every other text is shown and escaped here.
class Markup {
 public:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // `prologue` goes in front as it is.
  Markup(Shown shown, std::string_view prologue) : shown_(shown), text_(prologue) {}

  Markup& open(std::string_view element, Attributes attributes = {});
  // Closes the element that was opened last. Requires: one is open.
  Markup& close();
  Markup& text(std::string_view text);
  // Content that is markup or a style sheet of ours already.
  Markup& raw(std::string_view content);
  // An element without content.
  Markup& empty(std::string_view element, Attributes attributes = {});
  // An element with nothing but a text.
  Markup& element(std::string_view name, std::string_view content, Attributes attributes = {});

  // Requires: everything is closed.
  [[nodiscard]] std::string take();

 private:
  void start(std::string_view element, Attributes attributes);
  void end_line(std::string_view element);

  Shown shown_;
  std::string text_;
  std::vector<std::string_view> open_;
};

}  // namespace assay::reports
